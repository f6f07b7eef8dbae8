// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setImmediate(() => {
queueMicrotask(() => { log('1 microtask'); process.nextTick(() => log('1 microtask: tick')); Promise.resolve().then(() => log('1 microtask: job')); });
Promise.resolve({ then(r) { log('thenable'); r(); } }).then(() => { log('2 thenable'); process.nextTick(() => log('2 thenable: tick')); Promise.resolve().then(() => log('2 thenable: job')); });
busy();
log('immediate done');
});
