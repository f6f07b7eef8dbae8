// A million immediates, all set in one turn.
const COUNT = 1e6;
let left = COUNT;
const start = performance.now();
function one() {
  if (--left === 0) console.log(JSON.stringify({ ms: performance.now() - start, ops: COUNT }));
}
for (let i = 0; i < COUNT; i++) setImmediate(one);
