// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setImmediate(() => {
setImmediate(() => { log('1 immediate'); process.nextTick(() => log('1 immediate: tick')); Promise.resolve().then(() => log('1 immediate: job')); });
setTimeout(() => { log('2 timeout5'); process.nextTick(() => log('2 timeout5: tick')); Promise.resolve().then(() => log('2 timeout5: job')); }, 5);
busy();
log('immediate done');
});
