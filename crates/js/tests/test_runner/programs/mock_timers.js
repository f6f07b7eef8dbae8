// mock.timers: what happens when a test says that time passes.
const { test, mock } = require('node:test');
const attempt = (f) => { try { return String(f()); } catch (error) { return `${error.name} ${error.code} ${error.message}`; } };
const log = (...args) => console.log(args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' | '));
const { timers } = mock;

log(attempt(() => timers.tick(1)), attempt(() => timers.runAll()), attempt(() => timers.setTime(1)), attempt(() => timers.reset()));
for (const options of [{ apis: ['x'] }, { apis: 5 }, { now: -1 }, { now: 'x' }, { now: NaN }, null]) {
  log(attempt(() => timers.enable(options)));
  timers.reset();
}
timers.enable();
log(attempt(() => timers.enable()));
let seen = [];
const t1 = setTimeout((...args) => seen.push(['t1', ...args, Date.now()]), 100, 'a', 'b');
const i1 = setInterval(() => seen.push(['i1', Date.now()]), 30);
const im = setImmediate((x) => seen.push(['im', x, Date.now()]), 'q');
log(t1.constructor.name, t1.runAt, i1.runAt, i1.interval, im.runAt, t1.unref() === t1, t1.ref() === t1, t1.hasRef());
log(Date.now(), new Date(), new Date(5), Date.name, Date.length, Date.isMock, new Date() instanceof Date, Date.UTC(2000, 1), Date.parse('2000-01-01'), typeof Date());
timers.tick(0); log(seen); timers.tick(29); log(seen.length); timers.tick(1); log(seen); timers.tick(100); log(seen);
clearInterval(i1); timers.tick(100); log(seen.length);
setTimeout(() => { seen.push('n1'); setTimeout(() => seen.push('n2'), 10); }, 10); timers.tick(20); log(seen.slice(-2)); timers.tick(10); log(seen.slice(-1));
setTimeout(() => seen.push('r2'), 500); setTimeout(() => seen.push('r1'), 1000);
timers.runAll(); log(seen.slice(-6), Date.now());
timers.setTime(5000); log(Date.now()); setTimeout(() => seen.push('st'), 100); timers.setTime(5100); log(seen.slice(-1)); timers.tick(0); log(seen.slice(-1));
log(attempt(() => timers.setTime(-1)), attempt(() => timers.setTime('x')), attempt(() => timers.tick(-1)));
const c = setTimeout(() => seen.push('cleared'), 10); clearTimeout(c); const ci = setImmediate(() => seen.push('cleared')); clearImmediate(ci);
timers.tick(50); log(seen.slice(-1)); clearTimeout(undefined); clearTimeout(null); clearTimeout({}); clearTimeout(5);
log(require('node:timers').setTimeout === setTimeout);
timers.reset(); log(Date.isMock);
timers.enable({ apis: ['Date'], now: new Date(1000) }); log(Date.now()); timers.tick(5); log(Date.now()); timers.reset();
timers.enable({ apis: ['setTimeout'] }); seen = []; setTimeout(() => seen.push(Date.isMock), 1e6); timers.tick(1e6); log(seen); timers.reset(); timers.reset();
timers.enable(); seen = [];
setTimeout(() => seen.push('a'), 10); setTimeout(() => seen.push('b'), 5); setTimeout(() => seen.push('c'), 10); setTimeout(() => seen.push('d'), 0); setImmediate(() => seen.push('i'));
setTimeout(() => { throw new Error('in callback'); }, 7);
log(attempt(() => timers.tick(10)), seen); log(attempt(() => timers.tick(10)), seen); timers.reset();
test('timers of a test', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const fn = t.mock.fn(); setTimeout(fn, 9999); t.mock.timers.tick(9998); log(fn.mock.callCount()); t.mock.timers.tick(1); log(fn.mock.callCount());
});
test('end with it', (t, done) => { setTimeout(done, 1); });
