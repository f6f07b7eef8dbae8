// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setTimeout(() => {
setTimeout(() => { log('1 timeout5'); process.nextTick(() => log('1 timeout5: tick')); Promise.resolve().then(() => log('1 timeout5: job')); }, 5);
{ const i = setInterval(() => { clearInterval(i); (() => { log('2 interval'); process.nextTick(() => log('2 interval: tick')); Promise.resolve().then(() => log('2 interval: job')); })(); }, 2); }
busy();
log('timer done');
}, 1);
