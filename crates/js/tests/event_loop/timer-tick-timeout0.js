// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setTimeout(() => {
process.nextTick(() => { log('1 tick'); process.nextTick(() => log('1 tick: tick')); Promise.resolve().then(() => log('1 tick: job')); });
setTimeout(() => { log('2 timeout0'); process.nextTick(() => log('2 timeout0: tick')); Promise.resolve().then(() => log('2 timeout0: job')); }, 0);
busy();
log('timer done');
}, 1);
