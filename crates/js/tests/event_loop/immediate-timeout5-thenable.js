// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setImmediate(() => {
setTimeout(() => { log('1 timeout5'); process.nextTick(() => log('1 timeout5: tick')); Promise.resolve().then(() => log('1 timeout5: job')); }, 5);
Promise.resolve({ then(r) { log('thenable'); r(); } }).then(() => { log('2 thenable'); process.nextTick(() => log('2 thenable: tick')); Promise.resolve().then(() => log('2 thenable: job')); });
busy();
log('immediate done');
});
