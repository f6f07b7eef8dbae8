import { initialize, stop, trigger } from 'hemiola:scheduler';
import { readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';

// Some tasks end at once, some wait, some fail and are tried again.
const work = {
  quick() {},
  async reads() { await readFile(process.argv[1]); },
  async waits() { await after(3); },
  async fails() { await after(1); throw new Error('as ever'); },
  async sometimes({ attempt }) { if (attempt % 3) throw new Error('not yet'); },
  async long() { await after(20); },
};
const started = new Set();
const list = Object.entries(work).map(([id, run]) => ({
  id, cron: '* * * * *', retryDelay: 2,
  run(facts) { started.add(id); console.log('start', id); return run(facts); },
}));
const { orphaned } = await initialize(list, { store: 'tasks.db', concurrency: 4, log: false });
console.log('up');
if (process.argv[2] === 'last') {
  while (!orphaned.every((id) => started.has(id))) await after(1);
  await stop();
} else {
  for (;;) {
    for (const id in work) await trigger(id);
    await after(1);
  }
}
