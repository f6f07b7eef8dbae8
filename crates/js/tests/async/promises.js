// ECMA-262 27.2: the Promise constructor and its prototype.
const { same, throws, rejects } = require('./support/check.cjs');

throws('without new', () => Promise(() => {}), TypeError);
throws('without a function', () => new Promise(), TypeError);
throws('with something else', () => new Promise({}), TypeError);
same('length', Promise.length, 1);
same('tag', Promise.prototype[Symbol.toStringTag], 'Promise');
same('species', Promise[Symbol.species], Promise);
const shape = (object, name) => {
  const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(object, name);
  return [value.name, value.length, writable, enumerable, configurable, Object.hasOwn(value, 'prototype')];
};
for (const [name, length] of [['then', 2], ['catch', 1], ['finally', 1]]) {
  same(`shape of ${name}`, shape(Promise.prototype, name), [name, length, true, false, true, false]);
  throws(`${name} is no constructor`, () => new Promise.prototype[name](), TypeError);
}
for (const [name, length] of [['all', 1], ['allSettled', 1], ['any', 1], ['race', 1], ['resolve', 1], ['reject', 1]]) {
  same(`shape of ${name}`, shape(Promise, name), [name, length, true, false, true, false]);
}
same('own names of the prototype', Object.getOwnPropertyNames(Promise.prototype).sort(), ['catch', 'constructor', 'finally', 'then']);
same('then shows no source', /^function then\(\) \{\s*\[native code\]\s*\}$/.test(Promise.prototype.then), true);
throws('then of something else', () => Promise.prototype.then.call({ then() {} }), TypeError);
throws('then of undefined', () => (0, Promise.prototype.then)(), TypeError);
throws('resolve without a constructor', () => (0, Promise.resolve)(1), TypeError);
let functions;
const pending = new Promise((...all) => { functions = all; });
same('what the executor gets', functions.map((f) => [f.name, f.length, 'prototype' in f]), [['', 1, false], ['', 1, false]]);
same('what they return', functions.map((f) => f()), [undefined, undefined]);
same('the executor has no this', new Promise(function () { 'use strict'; same('strict this', this, undefined); }) instanceof Promise, true);
const order = [];
new Promise(() => order.push('executor'));
same('the executor runs at once', order, ['executor']);
const generic = { then: (...args) => ['called', ...args] };
same('catch calls then', Promise.prototype.catch.call(generic, 5), ['called', undefined, 5]);
const given = Promise.prototype.finally.call(Object.assign(generic, { constructor: Promise }), 5);
same('finally passes on what is no function', given, ['called', 5, 5]);
const wrapped = Promise.prototype.finally.call(generic, () => {});
same('finally passes two functions', wrapped.slice(1).map((f) => [f.name, f.length]), [['', 1], ['', 1]]);
throws('finally of no object', () => Promise.prototype.finally.call(1), TypeError);
same('resolve of a promise is that promise', Promise.resolve(pending), pending);
class Sub extends Promise {}
same('resolve of another kind is not', Promise.resolve(Sub.resolve(1)) instanceof Sub, false);
const renamed = Promise.resolve(1);
renamed.constructor = Sub;
same('the constructor property decides', Promise.resolve(renamed) === renamed, false);

(async () => {
  same('undefined by resolve()', await pending, undefined);
  await rejects('an executor that throws', new Promise(() => { throw 1; }), 1);
  same('that throws after it resolved', await new Promise((yes) => { yes(2); throw 3; }), 2);
  same('the first wins', await new Promise((yes, no) => { yes(1); no(2); yes(3); }), 1);
  await rejects('the first wins, rejected', new Promise((yes, no) => { no(2); yes(3); }), 2);
  await rejects('resolved by itself', (() => { let yes; const p = new Promise((y) => { yes = y; }); yes(p); return p; })(), TypeError);
  same('resolved by a pending promise, then again', await new Promise((yes) => { yes(new Promise((y) => setTimeout(y, 1, 'late'))); yes('early'); }), 'late');
  await rejects('rejected by a promise does not adopt it', (async () => { const p = Promise.resolve(); await Promise.reject(p).catch((e) => { throw e === p; }); })(), true);
  same('then without functions', await Promise.resolve(1).then().then(null, undefined).then(5), 1);
  await rejects('then without functions, rejected', Promise.reject(1).then().then(null).catch('no function'), 1);
  same('a handler\'s value', await Promise.resolve(1).then((v) => v + 1), 2);
  await rejects('a handler\'s error', Promise.resolve(1).then(() => { throw 2; }), 2);
  same('a handler\'s promise', await Promise.resolve(1).then(() => Promise.resolve(3)), 3);
  same('catch recovers', await Promise.reject(1).catch((e) => e + 1), 2);
  await rejects('then returns its own promise', (() => { const p = Promise.resolve().then(() => p); return p; })(), TypeError);
  same('handlers get one argument, and no this', await Promise.resolve(1).then(function () { 'use strict'; return [arguments.length, this]; }), [1, undefined]);
  same('handlers run once each, in order', await (async () => { const log = []; const p = Promise.resolve(); for (const n of [1, 2, 3]) p.then(() => log.push(n)); await p; await null; return log; })(), [1, 2, 3]);
  same('handlers never run at once', await (async () => { let ran = false; Promise.resolve().then(() => { ran = true; }); return ran; })(), false);

  same('finally passes the value', await Promise.resolve(1).finally(() => 2), 1);
  await rejects('finally passes the reason', Promise.reject(1).finally(() => 2), 1);
  await rejects('finally throws', Promise.resolve(1).finally(() => { throw 2; }), 2);
  await rejects('finally\'s rejected promise', Promise.resolve(1).finally(() => Promise.reject(3)), 3);
  same('finally waits', await (async () => { const log = []; await Promise.resolve().finally(() => new Promise((yes) => setTimeout(() => { log.push('waited'); yes(); }, 1))); return log; })(), ['waited']);
  same('finally gets nothing', await (async () => { let count; await Promise.resolve(1).finally((...all) => { count = all.length; }); return count; })(), 0);
})().catch((error) => console.log('failed', error));
