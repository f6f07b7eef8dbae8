// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
Promise.resolve().then(() => {
Promise.resolve().then(() => { log('1 then'); process.nextTick(() => log('1 then: tick')); Promise.resolve().then(() => log('1 then: job')); });
Promise.resolve(1).finally(() => { log('2 finally'); process.nextTick(() => log('2 finally: tick')); Promise.resolve().then(() => log('2 finally: job')); }).then(() => log('after finally'));
busy();
log('job done');
});
