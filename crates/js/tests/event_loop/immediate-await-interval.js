// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setImmediate(() => {
(async () => { await null; (() => { log('1 await'); process.nextTick(() => log('1 await: tick')); Promise.resolve().then(() => log('1 await: job')); })(); })();
{ const i = setInterval(() => { clearInterval(i); (() => { log('2 interval'); process.nextTick(() => log('2 interval: tick')); Promise.resolve().then(() => log('2 interval: job')); })(); }, 2); }
busy();
log('immediate done');
});
