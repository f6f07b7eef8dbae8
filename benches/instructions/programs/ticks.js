// Chains of ticks, microtasks and immediates.
const COUNT = 5000;
const chain = (next) => new Promise((done) => {
  let left = COUNT;
  const again = () => { if (--left > 0) next(again); else done(); };
  next(again);
});
chain(process.nextTick).then(() => chain(queueMicrotask)).then(() => chain(setImmediate)).then(() => console.log('through'));
