// Hooks of promises, and hooks that turn hooks on and off while they are told something.
'use strict';
const { promiseHooks } = require('v8');
const { createHook, AsyncResource } = require('async_hooks');

const known = new Map();
const name = (promise) => known.get(promise) ?? (promise === undefined ? 'none' : 'unnamed');
let log = [];
const stop = promiseHooks.createHook({
  init: (promise, parent) => log.push(`init of ${name(parent)}`),
  before: (promise) => log.push(`before ${name(promise)}`),
  after: (promise) => log.push(`after ${name(promise)}`),
  settled: (promise) => log.push(`settled ${name(promise)}`),
});
const first = new Promise((resolve) => { known.set(undefined, 'none'); setImmediate(resolve, 1); });
known.set(first, 'first');
const second = first.then(() => { log.push('in second'); });
known.set(second, 'second');
const third = second.then(() => {
  log.push('in third');
  stop();
  Promise.resolve().then(() => {
    console.log(log.join('\n'));
    wrong();
    throwing();
    within();
  });
});
known.set(third, 'third');

function wrong() {
  for (const [method, value] of [['onInit', async () => {}], ['onBefore', async function* () {}], ['onAfter', 1], ['onSettled', undefined]]) {
    try {
      promiseHooks[method](value);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
}

function throwing() {
  process.once('uncaughtException', (error) => console.log('uncaught', error.message));
  const stopThrowing = promiseHooks.onInit(() => { stopThrowing(); throw new Error('of a hook'); });
  console.log('made', Promise.resolve() instanceof Promise);
}

function within() {
  log = [];
  let isNested = false;
  const late = createHook({ init(id, type) { log.push(`late ${type}`); } });
  const early = createHook({ init(id, type) { log.push(`early ${type}`); } }).enable();
  const changing = createHook({
    init(id, type) {
      log.push(`changing ${type}`);
      late.enable();
      early.disable();
      if (isNested) return;
      isNested = true;
      new AsyncResource('Nested');
    },
  }).enable();
  new AsyncResource('First');
  new AsyncResource('Second');
  changing.disable();
  late.disable();
  new AsyncResource('Third');
  console.log(log.join('\n'));
}
