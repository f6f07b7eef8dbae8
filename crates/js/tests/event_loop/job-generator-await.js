// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
Promise.resolve().then(() => {
(async () => { for await (const x of (async function* () { yield 1; yield 2; })()) log('yielded', x); (() => { log('1 generator'); process.nextTick(() => log('1 generator: tick')); Promise.resolve().then(() => log('1 generator: job')); })(); })();
(async () => { await null; (() => { log('2 await'); process.nextTick(() => log('2 await: tick')); Promise.resolve().then(() => log('2 await: job')); })(); })();
busy();
log('job done');
});
