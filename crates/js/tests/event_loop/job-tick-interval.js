// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
Promise.resolve().then(() => {
process.nextTick(() => { log('1 tick'); process.nextTick(() => log('1 tick: tick')); Promise.resolve().then(() => log('1 tick: job')); });
{ const i = setInterval(() => { clearInterval(i); (() => { log('2 interval'); process.nextTick(() => log('2 interval: tick')); Promise.resolve().then(() => log('2 interval: job')); })(); }, 2); }
busy();
log('job done');
});
