// 100,000 intervals of 10 ms, more than any runtime keeps up with: the cost of one firing.
const COUNT = 1e5;
const FIRINGS = 2e6;
let fired = 0;
let start;
const intervals = [];
function fire() {
  if (fired === 0) start = performance.now();
  if (++fired !== FIRINGS) return;
  const ms = performance.now() - start;
  for (const interval of intervals) clearInterval(interval);
  console.log(JSON.stringify({ ms, ops: FIRINGS }));
}
for (let i = 0; i < COUNT; i++) intervals.push(setInterval(fire, 10));
