// A node with many tasks, which take a while, fail now and then, and are asked for all the time.
import { initialize, stop, trigger } from 'hemiola:scheduler';

const [address, node, count, lease] = process.argv.slice(2);
const ids = Array.from({ length: Number(count) }, (_, number) => `task-${number}`);

function work(signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (Math.random() < 0.1) reject(new Error('by chance'));
      else resolve();
    }, 20 + Math.random() ** 3 * 3000);
    // Most stop when they are told to; a zombie does not.
    if (Math.random() < 0.8) {
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }
  });
}

process.on('warning', () => {});
await initialize(ids.map((id) => [id, '* * * * *', ({ signal }) => work(signal), 500]), {
  store: address, name: 'kill', node: node === '' ? undefined : node, lease: Number(lease), log: false, concurrency: 100,
});
console.log('joined');
console.log(`clock ${Date.now()}`);
const asking = setInterval(() => {
  trigger(ids[Math.floor(Math.random() * ids.length)]).catch(() => {});
}, 200);
process.stdin.on('data', async (order) => {
  clearInterval(asking);
  if (!String(order).includes('stop')) return;
  await stop().catch(() => {});
  process.exit(0);
});
