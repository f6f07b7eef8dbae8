// One of four nodes: tasks that are due at one minute of the day.
import { initialize } from 'hemiola:scheduler';

const [folder, database, due, count] = process.argv.slice(2);
const at = new Date(Number(due));
const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
let starts = [];
const tasks = Array.from({ length: Number(count) }, (_, number) => ({
  id: `task-${number}`, cron, zone: 'UTC', run: () => { starts.push(Date.now()); },
}));
await initialize(tasks, { store: `postgres://test@/${database}?host=${folder}`, name: 'compare', log: false, concurrency: 250 });
console.log('ready');
setInterval(() => {
  if (starts.length > 0) console.log(starts.join(' '));
  starts = [];
}, 200);
