// One of four nodes of a simulated fleet with many tasks, which take a while, fail now and then, and are asked for.
// With the argument `dense` they are due every few seconds, with `quiet` nobody asks for more.
import { initialize, pause, resume, trigger } from 'hemiola:scheduler';
import { hostname } from 'node:os';

const COUNT = 20;
const ids = Array.from({ length: COUNT }, (_, number) => `task-${number}`);
const [isDense, isQuiet] = ['dense', 'quiet'].map((word) => process.argv[2] === word);
const crons = isDense ? ['*/10 * * * * *', '*/20 * * * * *', '0 0 12 * * *'] : ['* * * * *', '*/2 * * * *', '0 12 * * *'];

function work(signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => (Math.random() < 0.15 ? reject(new Error('by chance')) : resolve()), Math.random() ** 3 * 8000);
    // Most stop when they are told to; a zombie does not.
    if (Math.random() < 0.7) {
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }
  });
}

process.on('warning', () => {});
// Two hosts keep the names of their nodes; the others are other nodes after each start.
const node = ['one', 'two'].includes(hostname()) ? hostname() : undefined;
async function begin() {
  await initialize(ids.map((id, number) => ({
    id, cron: crons[number % crons.length], zone: 'UTC', run: ({ signal }) => work(signal), retryDelay: 1500, jitter: number % 5 === 0 ? 3000 : 0,
  })), { store: 'postgres://user@database/base', name: 'fleet', node, lease: 5000, log: false, concurrency: 8, cron: { seconds: isDense } });
}
for (;;) {
  try {
    await begin();
    break;
  } catch {
    // The database was away.
    await new Promise((resolve) => { setTimeout(resolve, 1000); });
  }
}
if (!isQuiet) ask();

function ask() {
  const any = () => ids[Math.floor(Math.random() * COUNT)];
  setInterval(() => { trigger(any()).catch(() => {}); }, 3000);
  setInterval(() => {
    const id = any();
    pause(id).then(() => setTimeout(() => resume(id).catch(() => {}), 4000)).catch(() => {});
  }, 20_000);
}
