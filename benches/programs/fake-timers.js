// A million timers in virtual time with @sinonjs/fake-timers, for comparison with `hemiola simulate`.
const { createClock } = require('@sinonjs/fake-timers');
const COUNT = 1e6;
const clock = createClock(0, Infinity);
let random = 12345;
const draw = () => (random = (Math.imul(random, 1103515245) + 12345) & 0x7fffffff) % 100;
let fired = 0;
const start = performance.now();
for (let i = 0; i < COUNT; i++) clock.setTimeout(() => { fired++; }, draw());
clock.runAll();
console.log(JSON.stringify({ ms: performance.now() - start, ops: COUNT, ok: fired === COUNT }));
