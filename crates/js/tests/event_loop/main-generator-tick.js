// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
(async () => { for await (const x of (async function* () { yield 1; yield 2; })()) log('yielded', x); (() => { log('1 generator'); process.nextTick(() => log('1 generator: tick')); Promise.resolve().then(() => log('1 generator: job')); })(); })();
process.nextTick(() => { log('2 tick'); process.nextTick(() => log('2 tick: tick')); Promise.resolve().then(() => log('2 tick: job')); });
busy();
log('main done');
