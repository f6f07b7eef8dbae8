// One of four processes with graphile-worker: lines of a crontab that are due at one minute of the day.
import { parseCrontab, run } from 'graphile-worker';
import pg from 'pg';

const [folder, database, due, count] = process.argv.slice(2);
const at = new Date(Number(due));
let starts = [];
const lines = Array.from({ length: Number(count) }, (_, number) => `${at.getUTCMinutes()} ${at.getUTCHours()} * * * work ?id=task-${number} {"number":${number}}`);
const pgPool = new pg.Pool({ host: folder, user: 'test', database, max: 20 });
await run({
  pgPool, concurrency: 10, noHandleSignals: true, parsedCronItems: parseCrontab(lines.join('\n')),
  taskList: { work: async () => { starts.push(Date.now()); } },
  logger: undefined,
});
console.log('ready');
setInterval(() => {
  if (starts.length > 0) console.log(starts.join(' '));
  starts = [];
}, 200);
