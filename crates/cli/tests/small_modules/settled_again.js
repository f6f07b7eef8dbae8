// Promises that are settled again (multipleResolves), rejections that are handled as hooks hear of them, and reactions that
// were attached before there were hooks.
const { createHook, executionAsyncId } = require('async_hooks');
const { promiseHooks } = require('v8');

const early = Promise.resolve('early');
const first = early.then((value) => console.log(value, executionAsyncId() > 0));
const second = first.then(() => { throw new Error('second'); });
second.catch(({ message }) => console.log('caught', message));

function told(type, promise, value) {
  console.log(type, promise, value instanceof Error ? value.message : value);
}
new Promise((resolve) => {
  resolve(1);
  resolve('before anybody listens');
  process.on('multipleResolves', told);
});
process.on('warning', ({ name, code, message }) => console.log(name, code, message));

new Promise((resolve, reject) => {
  resolve(1);
  resolve(2);
  reject(new Error('three'));
  console.log('settled');
  process.nextTick(console.log, 'a tick');
});
queueMicrotask(() => console.log('a microtask'));
Promise.race([Promise.resolve(1), Promise.resolve(2), Promise.reject(3)]).then((value) => console.log('race', value));
Promise.all([Promise.reject(1), Promise.reject(2)]).catch((value) => console.log('all', value));
new Promise((resolve) => {
  resolve(1);
  throw 5;
});
new Promise((resolve) => {
  resolve({ then(fulfil, reject) { fulfil(1); fulfil(2); reject(3); } });
  resolve(7);
});
class Own extends Promise {}
new Own((resolve) => {
  resolve(1);
  resolve('own');
});

// Each with the next number that it has not seen.
const numbers = new Map();
const number = (id) => (numbers.has(id) ? numbers.get(id) : numbers.set(id, numbers.size + 1).get(id));
let events = [];
const hook = createHook({
  init: (id, type) => type === 'PROMISE' && events.push(`init ${number(id)}`),
  before: (id) => events.push(`before ${number(id)}`),
  after: (id) => events.push(`after ${number(id)}`),
  promiseResolve: (id) => events.push(`settled ${number(id)}`),
});

setTimeout(() => {
  process.off('multipleResolves', told);
  new Promise((resolve) => {
    resolve(1);
    resolve('nobody listens');
  });
  const late = new Promise((resolve) => setTimeout(resolve, 1));
  late.then(() => events.push('a reaction'));
  late.then(() => { throw 1; }).catch(() => events.push('a handler'));
  setTimeout(() => {
    hook.enable();
    let fail;
    const handled = new Promise((resolve, reject) => { fail = reject; });
    handled.catch(() => events.push('handled'));
    events.push('fails');
    fail(new Error('fails'));
    events.push('failed');
    (async () => { throw 1; })().catch(() => {});
  });
  setTimeout(() => {
    hook.disable();
    console.log(events.join('\n'));
    settled();
  }, 20);
}, 10);

function settled() {
  let seen;
  const stop = promiseHooks.onSettled((promise) => { seen = promise; });
  let fail;
  const promise = new Promise((resolve, reject) => { fail = reject; });
  promise.catch(() => {});
  fail();
  console.log(seen === promise);
  const rejected = Promise.reject();
  console.log(seen === rejected);
  stop();
  rejected.catch(() => {});
}
