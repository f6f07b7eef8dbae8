// Resources that were fetched, as entries; functions that are timed, and where that is noted.
const { PerformanceObserver, PerformanceResourceTiming, createHistogram, performance } = require('perf_hooks');
const { inspect } = require('util');

const told = (f) => {
  try {
    console.log(f());
  } catch (error) {
    console.log(error.name, error.code, error.message.split('\n')[0]);
  }
};
const resource = (start, cache = '') => performance.markResourceTiming(
  { startTime: start, endTime: start + 2, encodedBodySize: 5, finalConnectionTimingInfo: { connectionStartTime: 1 } },
  `http://localhost/${start}`, 'fetch', globalThis, cache);
const kept = () => performance.getEntriesByType('resource').map(({ startTime }) => startTime);

told(() => new PerformanceResourceTiming());
told(() => resource(1, 'x'));
told(() => resource(1));
told(() => resource(2, 'local').transferSize);
told(() => Reflect.get(PerformanceResourceTiming.prototype, 'connectStart'));
performance.clearResourceTimings('http://localhost/1');
console.log(kept());
performance.clearResourceTimings();

function full(act) {
  performance.clearResourceTimings();
  performance.setResourceTimingBufferSize(1);
  for (const start of [1, 2, 3]) resource(start);
  console.log(kept());
  return new Promise((resolve) => {
    performance.addEventListener('resourcetimingbufferfull', ({ type }) => {
      console.log(type);
      act();
      resolve();
    }, { once: true });
  }).then(() => new Promise((resolve) => setImmediate(resolve))).then(() => console.log(kept()));
}

told(() => performance.clearMarks(Symbol('name')));
console.log(inspect(createHistogram(), { depth: -1 }));
for (const histogram of [1, {}]) told(() => performance.timerify(() => {}, { histogram }));
const histogram = createHistogram();
const timed = performance.timerify(function f() {}, { histogram });
timed();
console.log(histogram.count);
const observer = new PerformanceObserver((list) => {
  const [entry] = list.getEntries();
  console.log(entry.name, entry[0], entry[1], histogram.count);
  observer.disconnect();
});
observer.observe({ entryTypes: ['function'] });
timed(1, 'abc');

setImmediate(() => full(() => performance.clearResourceTimings())
  .then(() => full(() => performance.setResourceTimingBufferSize(2)))
  .then(() => full(() => {})));
