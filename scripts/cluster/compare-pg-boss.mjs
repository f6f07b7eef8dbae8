// One of four processes with pg-boss: jobs that may start from one instant on. It looks for jobs as often as it can be
// told to, twice a second.
import PgBoss from 'pg-boss';

const [folder, database, due, count, number] = process.argv.slice(2);
let starts = [];
const boss = new PgBoss({ host: folder, user: 'test', database, max: 10 });
boss.on('error', () => {});
await boss.start();
await boss.createQueue('work').catch(() => {});
if (number === '1') {
  const startAfter = new Date(Number(due)).toISOString();
  await boss.insert(Array.from({ length: Number(count) }, (_, job) => ({ name: 'work', data: { job }, startAfter })));
}
await boss.work('work', { pollingIntervalSeconds: 0.5, batchSize: 250 }, async (jobs) => {
  starts.push(...jobs.map(() => Date.now()));
});
console.log('ready');
setInterval(() => {
  if (starts.length > 0) console.log(starts.join(' '));
  starts = [];
}, 200);
