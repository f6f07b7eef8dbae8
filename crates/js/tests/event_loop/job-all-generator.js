// Node v20.20.2
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
Promise.resolve().then(() => {
Promise.all([1, Promise.resolve(2)]).then(() => { log('1 all'); process.nextTick(() => log('1 all: tick')); Promise.resolve().then(() => log('1 all: job')); });
(async () => { for await (const x of (async function* () { yield 1; yield 2; })()) log('yielded', x); (() => { log('2 generator'); process.nextTick(() => log('2 generator: tick')); Promise.resolve().then(() => log('2 generator: job')); })(); })();
busy();
log('job done');
});
