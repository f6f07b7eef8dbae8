// What hooks hear of what began before them, and when they hear of ends.
'use strict';

const { AsyncResource, createHook, executionAsyncId } = require('async_hooks');
const fs = require('fs');

let log = [];
const names = new Map([[0, 'none'], [1, 'main']]);
const types = new Map();
const name = (id) => {
  if (!names.has(id)) names.set(id, types.get(id) ?? 'early');
  return names.get(id);
};
const say = (what) => log.push(what);
const hook = createHook({
  init(id, type, trigger) {
    types.set(id, type);
    say(`init ${name(id)} by ${name(trigger)}`);
  },
  before(id) { say(`before ${name(id)}`); },
  after(id) { say(`after ${name(id)}`); },
  destroy(id) { say(`destroy ${name(id)}`); },
  promiseResolve(id) { say(`resolve ${name(id)}`); },
});

const cases = {
  'a tick and a timer': () => {
    process.nextTick(say, 'tick');
    setTimeout(say, 20, 'timer');
    hook.enable();
  },
  'an operation': () => {
    fs.stat(__filename, () => say('stat'));
    hook.enable();
  },
  'an immediate': () => {
    setImmediate(say, 'immediate');
    hook.enable();
  },
  'a promise that something is attached to': () => {
    const early = Promise.resolve();
    hook.enable();
    early.then(() => say('then'));
  },
  'a promise that is awaited': () => {
    let go;
    const early = new Promise((resolve) => { go = resolve; });
    hook.enable();
    (async () => {
      await early;
      say('on');
    })();
    go();
  },
  'a timer within which hooks are turned on': () => {
    setTimeout(() => {
      hook.enable();
      say('timer');
    }, 1);
  },
  'a promise job within which they are': () => {
    Promise.resolve().then(() => {
      hook.enable();
      say(`job ${name(executionAsyncId())}`);
    });
  },
  'ends come before immediates': () => {
    hook.enable();
    new AsyncResource('MINE').emitDestroy();
    setImmediate(() => {
      say('first');
      setImmediate(say, 'third');
    });
    setImmediate(say, 'second');
    process.nextTick(say, 'tick');
  },
  'a resource that is gone': () => {
    hook.enable();
    new AsyncResource('MINE');
    new AsyncResource('KEPT', { requireManualDestroy: true });
    gc();
  },
};

require('v8').setFlagsFromString('--expose-gc');
const gc = globalThis.gc ?? require('vm').runInNewContext('gc');
const titles = Object.keys(cases);

const told = [];

(function next() {
  const title = titles.shift();
  if (title === undefined) return;
  log = [];
  // The timer that ends a case is no part of it.
  setTimeout(() => {
    hook.disable();
    // When the loop waits for operations and timers decides when ends are told beside them, and what else is gone is not
    // asked.
    const isNoEnd = /^(?!destroy)/;
    const only = { 'a tick and a timer': isNoEnd, 'an operation': isNoEnd, 'a resource that is gone': /MINE|KEPT/ }[title] ?? /^/;
    told.push(`== ${title}`, ...log.slice(0, -1).filter((line) => only.test(line)));
    next();
  }, 250);
  cases[title]();
})();

process.on('exit', () => console.log(told.join('\n')));
