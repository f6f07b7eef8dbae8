// A chain of immediates: one for each turn of the loop.
const COUNT = 5e5;
let left = COUNT;
const start = performance.now();
function again() {
  if (--left > 0) setImmediate(again);
  else console.log(JSON.stringify({ ms: performance.now() - start, ops: COUNT }));
}
setImmediate(again);
