// packages: uuid@14.0.3 nanoid@5.1.16 @sinonjs/fake-timers@15.4.0 debug@4.4.3 signal-exit@4.1.0
import { v1, v3, v4, v5, v7, validate, version, parse, NIL } from 'uuid';
import { nanoid, customAlphabet } from 'nanoid';
import FakeTimers from '@sinonjs/fake-timers';
import createDebug from 'debug';
import { onExit } from 'signal-exit';

console.log(v5('hello', v5.DNS), v3('hello', v3.URL), validate(v4()), version(v7()), version(v1()), parse(NIL));
console.log(nanoid().length, /^[\w-]+$/.test(nanoid(100)), customAlphabet('a', 5)());
const clock = FakeTimers.install({ now: 1000 });
const seen = [];
setTimeout(() => seen.push(['timeout', Date.now()]), 50);
setInterval(() => seen.push(['interval', Date.now()]), 20);
setImmediate(() => seen.push('immediate'));
process.nextTick(() => seen.push('tick'));
queueMicrotask(() => seen.push('microtask'));
clock.tick(60);
await clock.tickAsync(10);
console.log(seen, new Date().toISOString(), performance.now(), clock.countTimers(), process.hrtime());
clock.uninstall();
console.log(Date.now() > 1e12 && typeof setTimeout);
createDebug.enable('app:*,-app:quiet');
createDebug.log = (...args) => console.log('debug', args.length, String(args[0]).includes('app:x'));
createDebug('app:x')('hello %o', { a: 1 });
createDebug('app:quiet')('no');
console.log(createDebug.enabled('app:y'), createDebug.enabled('other'));
onExit((code, signal) => console.log('exit', code, signal));
