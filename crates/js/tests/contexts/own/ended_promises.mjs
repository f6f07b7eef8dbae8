// Hooks hear once that a promise is gone, and also of what stands for one where a function waits: soon after it, and within
// a tail when there are many.
import { AsyncResource, createHook } from 'node:async_hooks';

const alive = new Set();
let destroyed = 0;
let wrong = 0;
createHook({
  init(id, type) {
    if (type === 'PROMISE' || type === 'MINE') alive.add(id);
  },
  destroy(id) {
    // What else ends, ends by itself.
    if (alive.delete(id)) destroyed++;
    else if (told.has(id)) wrong++;
    told.add(id);
  },
}).enable();
const told = new Set();
const turn = () => new Promise((resolve) => { setImmediate(() => setImmediate(resolve)); });

async function wait(times) {
  for (let i = 0; i < times; i++) await i;
}
await wait(100);
await turn();
console.log('a few:', destroyed);
await wait(1000);
console.log('a thousand, before the turn ends:', destroyed);
await turn();
console.log('after it:', alive.size < 300);
await wait(40_000);
console.log('many, within the tail:', destroyed > 60_000);
await wait(200);
await turn();
console.log('left:', alive.size < 300);

for (let i = 0; i < 600; i++) {
  const one = new AsyncResource('MINE');
  if (i % 2 === 0) one.emitDestroy();
}
await wait(300);
await turn();
console.log('resources of the program:', alive.size < 300, 'told twice:', wrong);
