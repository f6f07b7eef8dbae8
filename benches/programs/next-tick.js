// A chain of ticks.
const COUNT = 1e6;
let left = COUNT;
const start = performance.now();
function again() {
  if (--left > 0) process.nextTick(again);
  else console.log(JSON.stringify({ ms: performance.now() - start, ops: COUNT }));
}
process.nextTick(again);
