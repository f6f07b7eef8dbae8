// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setImmediate(() => {
{ const i = setInterval(() => { clearInterval(i); (() => { log('1 interval'); process.nextTick(() => log('1 interval: tick')); Promise.resolve().then(() => log('1 interval: job')); })(); }, 2); }
{ const i = setInterval(() => { clearInterval(i); (() => { log('2 interval'); process.nextTick(() => log('2 interval: tick')); Promise.resolve().then(() => log('2 interval: job')); })(); }, 2); }
busy();
log('immediate done');
});
