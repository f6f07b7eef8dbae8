// A chain of microtasks.
const COUNT = 1e6;
let left = COUNT;
const start = performance.now();
function again() {
  if (--left > 0) queueMicrotask(again);
  else console.log(JSON.stringify({ ms: performance.now() - start, ops: COUNT }));
}
queueMicrotask(again);
