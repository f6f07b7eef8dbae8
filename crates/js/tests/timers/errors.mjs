// What timers/promises refuses, and what it gives.
import * as promises from 'node:timers/promises';
import timers from 'node:timers';
import util from 'node:util';

const { setTimeout, setImmediate, setInterval, scheduler } = promises;
async function show(name, begin) {
  try {
    const promise = begin();
    console.log(name, util.types.isPromise(promise), await promise);
  } catch (error) {
    console.log(name, error.name, error.code, error.message, error.cause?.message ?? error.cause);
  }
}
await show('value', () => setTimeout(1, 'v'));
await show('nothing', () => setTimeout());
for (const delay of ['5', null, {}, [], NaN, -1, 10n, Symbol('x'), true]) await show(`delay ${util.inspect(delay)}`, () => setTimeout(delay));
for (const options of [null, 5, 'x', [], () => {}, undefined]) {
  await show(`timeout ${util.inspect(options)}`, () => setTimeout(1, 1, options));
  await show(`immediate ${util.inspect(options)}`, () => setImmediate(1, options));
  await show(`interval ${util.inspect(options)}`, () => setInterval(1, 1, options).next());
}
for (const signal of [null, 5, {}, { aborted: true }]) {
  await show(`timeout ${util.inspect(signal)}`, () => setTimeout(1, 1, { signal }));
  await show(`immediate ${util.inspect(signal)}`, () => setImmediate(1, { signal }));
  await show(`interval ${util.inspect(signal)}`, () => setInterval(1, 1, { signal }).next());
}
for (const ref of [null, 5, 'x', true, undefined]) {
  await show(`timeout ${ref}`, () => setTimeout(1, 1, { ref }));
  await show(`immediate ${ref}`, () => setImmediate(1, { ref }));
  await show(`interval ${ref}`, () => setInterval(1, 1, { ref }).next());
}
for (const delay of ['x', NaN, 10n]) await show(`interval ${delay}`, () => setInterval(delay, 'v').next());
await show('wait', () => scheduler.wait(1, { signal: AbortSignal.abort('why') }));
await show('wait text', () => scheduler.wait('x'));
await show('yield', () => scheduler.yield());
await show('constructor', () => new scheduler.constructor());
await show('this', () => scheduler.wait.call({}, 1));
await show('this', () => scheduler.yield.call({}));
console.log(util.promisify(timers.setTimeout) === setTimeout, util.promisify(timers.setImmediate) === setImmediate);
console.log(util.promisify(globalThis.setTimeout) === setTimeout, util.promisify(globalThis.setImmediate) === setImmediate);
console.log(timers.promises === promises.default, Object.keys(promises.default), Object.keys(promises).sort());
console.log(scheduler, setTimeout.length, setImmediate.length, setInterval.length, setTimeout.name);
process.exit();
