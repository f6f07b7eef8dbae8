// How long the loop was busy, and when it began.
'use strict';

const { performance } = require('perf_hooks');

const { eventLoopUtilization, nodeTiming } = performance;
const used = eventLoopUtilization.bind(performance);
console.log(used(), used(used()));
console.log(nodeTiming === performance.nodeTiming, nodeTiming.constructor.name, nodeTiming.name, nodeTiming.entryType, nodeTiming.startTime);
console.log(nodeTiming.loopStart, nodeTiming.loopExit, nodeTiming.idleTime, nodeTiming.duration >= 0, nodeTiming.detail);
console.log(Object.keys(nodeTiming.toJSON()).join());
process.nextTick(() => console.log('tick', used().active, nodeTiming.loopStart));

setTimeout(() => {
  const first = used();
  console.log(first.idle > 0, nodeTiming.idleTime > 0, nodeTiming.loopStart >= 0, nodeTiming.loopStart < performance.now());
  console.log(first.utilization >= 0 && first.utilization < 1);
  const began = Date.now();
  while (Date.now() - began < 20);
  const busy = used(first);
  console.log(busy.idle, busy.active >= 19, busy.utilization);
  const second = used();
  const between = used(second, first);
  console.log(between.idle, between.active === second.active - first.active, between.utilization);
  setTimeout(() => {
    const waited = used(second);
    console.log(waited.idle > 15, waited.utilization < 1, nodeTiming.loopExit);
  }, 20);
}, 20);
process.on('exit', () => console.log(nodeTiming.loopExit > nodeTiming.loopStart));
