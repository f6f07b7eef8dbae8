// Leaves a store with a task that was given up, one that waits, and a job; or holds it, once both tasks have run.
import { enqueue, initialize, stop, trigger } from 'hemiola:scheduler';

const [store, hold] = process.argv.slice(2);
const ends = { backup: Promise.withResolvers(), poll: Promise.withResolvers() };
await initialize([
  { id: 'backup', cron: '0 3 29 2 *', zone: 'UTC', attempts: 1, run: () => { throw new Error('no disk\nat all'); } },
  { id: 'poll', cron: '*/5 * 29 2 *', zone: 'UTC', run: () => {} },
], { store, node: 'one', log: false, on: ({ what, id, dead }) => { if (dead || what === 'success') ends[id].resolve(); } });
if (hold) {
  await Promise.all([ends.backup.promise, ends.poll.promise]);
  console.log('held');
  process.stdin.once('end', stop).resume();
} else {
  await trigger('backup');
  await ends.backup.promise;
  await enqueue('poll', { page: 1 }, { key: 'first', at: new Date('2100-01-01') });
  await stop();
}
