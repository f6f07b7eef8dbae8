// Hooks hear of every resource, in Node's order; numbers are told as names in order of appearance.
const hooks = require('async_hooks');
const fs = require('fs');
const log = [];
const names = new Map();
const name = (id) => { if (id <= 1) return String(id); if (!names.has(id)) names.set(id, `r${names.size}`); return names.get(id); };
const wanted = new Set();
const hook = hooks.createHook({
  init(id, type, trigger, resource) { wanted.add(id); log.push(`init ${name(id)} ${type} by ${name(trigger)} ${typeof resource}`); },
  before(id) { if (wanted.has(id)) log.push(`before ${name(id)}`); },
  after(id) { if (wanted.has(id)) log.push(`after ${name(id)}`); },
  promiseResolve(id) { if (wanted.has(id)) log.push(`resolve ${name(id)}`); },
});
const here = (what) => log.push(`${what} in ${name(hooks.executionAsyncId())} by ${name(hooks.triggerAsyncId())}`);
const step = (title, act) => { log.push(`-- ${title}`); act(); };
name(hooks.executionAsyncId());
hook.enable();
step('promise', () => { new Promise(() => {}); });
step('then', () => { Promise.resolve(1).then(() => here('then')); });
step('chain', () => { Promise.resolve(1).then(() => here('a')).then(() => here('b')); });
step('catch', () => { Promise.reject(1).catch(() => here('catch')); });
step('pass', () => { Promise.resolve(1).catch(() => {}).then(() => here('passed')); });
step('async', () => { (async () => { here('body'); return 1; })(); });
step('await a promise', () => { const p = Promise.resolve(); (async () => { await p; here('await'); })(); });
step('microtask', () => { queueMicrotask(() => here('microtask')); });
step('tick', () => { process.nextTick(() => here('tick')); });
step('immediate', () => {
  setImmediate(() => {
    here('immediate');
    setTimeout(() => { here('timeout'); setTimeout(() => { here('inner'); setTimeout(() => { hook.disable(); console.log(log.join('\n')); }, 1); }, 1); }, 1);
  });
});
step('thenable', () => { Promise.resolve({ then(r) { here('thenable'); r(); } }).then(() => here('after thenable')); });
step('resource', () => { const r = new hooks.AsyncResource('MINE'); r.runInAsyncScope(() => here('resource')); });
