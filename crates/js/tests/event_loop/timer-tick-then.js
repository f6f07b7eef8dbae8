// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setTimeout(() => {
process.nextTick(() => { log('1 tick'); process.nextTick(() => log('1 tick: tick')); Promise.resolve().then(() => log('1 tick: job')); });
Promise.resolve().then(() => { log('2 then'); process.nextTick(() => log('2 then: tick')); Promise.resolve().then(() => log('2 then: job')); });
busy();
log('timer done');
}, 1);
