// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
setImmediate(() => {
(async () => { for await (const x of (async function* () { yield 1; yield 2; })()) log('yielded', x); (() => { log('1 generator'); process.nextTick(() => log('1 generator: tick')); Promise.resolve().then(() => log('1 generator: job')); })(); })();
setTimeout(() => { log('2 timeout5'); process.nextTick(() => log('2 timeout5: tick')); Promise.resolve().then(() => log('2 timeout5: job')); }, 5);
busy();
log('immediate done');
});
