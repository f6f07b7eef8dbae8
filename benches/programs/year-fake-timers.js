// A day of intervals of a second, three of them, in virtual time with @sinonjs/fake-timers.
const { createClock } = require('@sinonjs/fake-timers');
const clock = createClock(0, Infinity);
let fired = 0;
for (let i = 0; i < 3; i++) clock.setInterval(() => { fired++; }, 1000);
const start = performance.now();
clock.tick(86_400_000);
console.log(JSON.stringify({ ms: performance.now() - start, ops: fired }));
