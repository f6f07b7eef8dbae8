// packages: p-limit@7.3.3 p-map@7.1.1 p-queue@9.3.5 p-retry@7.1.1
import pLimit from 'p-limit';
import pMap, { pMapSkip } from 'p-map';
import PQueue from 'p-queue';
import pRetry, { AbortError } from 'p-retry';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const limit = pLimit(2);
let running = 0;
const order = [];
// The first outlasts the others together, however late they are.
const results = await Promise.all([400, 10, 10, 10].map((ms, at) => limit(async () => {
  running++;
  order.push(`start ${at} with ${running}`);
  await sleep(ms);
  order.push(`end ${at}`);
  running--;
  return at;
})));
console.log(results, order, limit.activeCount, limit.pendingCount);

console.log(await pMap([3, 1, 2], async (n) => { await sleep(n); return n === 1 ? pMapSkip : n * 2; }, { concurrency: 2 }));
await pMap([1, 2], async () => { throw new Error('no'); }, { stopOnError: false }).catch((error) => console.log(error.name, error.errors.length));

const queue = new PQueue({ concurrency: 1 });
const seen = [];
queue.on('active', () => seen.push(`size ${queue.size} pending ${queue.pending}`));
queue.add(() => sleep(2).then(() => seen.push('low')), { priority: 0 });
queue.add(() => seen.push('lower'), { priority: -1 });
queue.add(() => seen.push('high'), { priority: 1 });
await queue.onIdle();
console.log(seen);

let attempts = 0;
console.log(await pRetry(async (attempt) => {
  attempts++;
  if (attempt < 3) throw new Error('again');
  return attempt;
}, { retries: 5, minTimeout: 2, factor: 1 }), attempts);
await pRetry(() => { throw new AbortError('stop'); }).catch((error) => console.log(error.message));
