// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setTimeout(() => {
setImmediate(() => { log('1 immediate'); process.nextTick(() => log('1 immediate: tick')); Promise.resolve().then(() => log('1 immediate: job')); });
Promise.reject(new Error('no')).catch(() => { log('2 rejected'); process.nextTick(() => log('2 rejected: tick')); Promise.resolve().then(() => log('2 rejected: job')); });
busy();
log('timer done');
}, 1);
