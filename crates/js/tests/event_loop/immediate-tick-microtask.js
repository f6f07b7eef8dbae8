// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setImmediate(() => {
process.nextTick(() => { log('1 tick'); process.nextTick(() => log('1 tick: tick')); Promise.resolve().then(() => log('1 tick: job')); });
queueMicrotask(() => { log('2 microtask'); process.nextTick(() => log('2 microtask: tick')); Promise.resolve().then(() => log('2 microtask: job')); });
busy();
log('immediate done');
});
