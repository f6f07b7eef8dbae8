// A chain of `then`, each called in the job of the one before.
const COUNT = 1e6;
let left = COUNT;
const start = performance.now();
let promise = Promise.resolve();
function again() {
  if (--left > 0) promise = promise.then(again);
  else console.log(JSON.stringify({ ms: performance.now() - start, ops: COUNT }));
}
promise = promise.then(again);
