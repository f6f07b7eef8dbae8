// Tasks with a store for `scripts/soak scheduler`: triggered all the time, some fail and are tried again; and how long
// it takes from a trigger to the start.
import { initialize, trigger } from 'hemiola:scheduler';

let late = [];
let count = 0;
const asked = new Map();

function began(id) {
  count++;
  if (asked.has(id)) late.push(performance.now() - asked.get(id));
  asked.delete(id);
}

const tasks = Array.from({ length: 20 }, (_, number) => ({
  id: `task-${number}`,
  cron: number % 2 === 0 ? '* * * * *' : '*/2 * * * *',
  retryDelay: 200,
  run: async ({ attempt }) => {
    began(`task-${number}`);
    await new Promise((resolve) => { setTimeout(resolve, number); });
    if (number % 7 === 3 && attempt === 1) throw new Error('once more');
  },
}));
await initialize(tasks, { store: 'tasks.db', concurrency: 4, log: false });

let next = 0;
setInterval(() => {
  const id = `task-${next++ % tasks.length}`;
  if (asked.has(id)) return;
  asked.set(id, performance.now());
  // One that runs already runs once more.
  Promise.resolve(trigger(id)).catch(() => asked.delete(id));
}, 100);

setInterval(() => {
  console.log(JSON.stringify({ late, count }));
  late = [];
  count = 0;
}, 500);
