// Without hooks promises have no numbers, but timers and ticks do.
const { executionAsyncId, triggerAsyncId } = require('async_hooks');
const names = new Map([[0, 'nothing'], [1, 'main']]);
const name = (id) => { if (!names.has(id)) names.set(id, `r${names.size - 2}`); return names.get(id); };
const here = (what) => console.log(what, name(executionAsyncId()), name(triggerAsyncId()));
here('main');
Promise.resolve().then(() => here('then'));
(async () => { await null; here('await'); })();
process.nextTick(() => here('tick'));
queueMicrotask(() => here('microtask'));
setTimeout(() => { here('timeout'); setTimeout(() => here('inner timeout'), 1); setImmediate(() => here('immediate')); }, 20);
for (const type of [Promise, Error]) { if (executionAsyncId() !== 1) console.log(type); }
