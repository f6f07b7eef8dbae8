// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setTimeout(() => {
{ const i = setInterval(() => { clearInterval(i); (() => { log('1 interval'); process.nextTick(() => log('1 interval: tick')); Promise.resolve().then(() => log('1 interval: job')); })(); }, 2); }
Promise.resolve(1).finally(() => { log('2 finally'); process.nextTick(() => log('2 finally: tick')); Promise.resolve().then(() => log('2 finally: job')); }).then(() => log('after finally'));
busy();
log('timer done');
}, 1);
