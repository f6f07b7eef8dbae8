// The rest of node:async_hooks, called well and badly.
const hooks = require('async_hooks');
const { AsyncResource, AsyncLocalStorage, createHook } = hooks;
const attempt = (act) => { try { const value = act(); console.log(typeof value, value === undefined ? '' : String(value)); } catch (error) { console.log(error.name, error.code, error.message); } };
console.log(Object.keys(hooks).sort().join());
console.log(hooks.executionAsyncId(), hooks.triggerAsyncId(), typeof hooks.executionAsyncResource());
attempt(() => new AsyncResource());
attempt(() => new AsyncResource(1));
attempt(() => new AsyncResource('X', { triggerAsyncId: 'x' }));
attempt(() => new AsyncResource('X', { triggerAsyncId: -2 }));
attempt(() => new AsyncResource('X', 1.5));
attempt(() => new AsyncResource('X', 7).triggerAsyncId());
attempt(() => new AsyncResource('X', { triggerAsyncId: 9 }).triggerAsyncId());
attempt(() => new AsyncResource('').asyncId() > 0);
attempt(() => { const a = new AsyncResource('X').asyncId(); return new AsyncResource('X').asyncId() > a; });
attempt(() => new AsyncResource('X').runInAsyncScope(function (...args) { return `${this.x} ${args}`; }, { x: 1 }, 2, 3));
attempt(() => { const r = new AsyncResource('X'); return r.emitDestroy() === r; });
attempt(() => new AsyncResource('X').bind('x'));
attempt(() => new AsyncResource('X').bind(function (a, b) {}).length);
attempt(() => new AsyncResource('X').bind(function () { return this.x; }, { x: 5 })());
attempt(() => new AsyncResource('X').bind(function () { return this.x; }).call({ x: 6 }));
attempt(() => AsyncResource.bind((a, b, c) => a + b + c, 'Y')(1, 2, 3));
attempt(() => AsyncResource.bind(() => hooks.executionAsyncResource() instanceof AsyncResource)());
attempt(() => { const r = new AsyncResource('X'); return r.runInAsyncScope(() => hooks.executionAsyncId() === r.asyncId() && hooks.triggerAsyncId() === r.triggerAsyncId()); });
attempt(() => { const r = new AsyncResource('X'); return r.runInAsyncScope(() => hooks.executionAsyncResource() === r); });
attempt(() => { new AsyncResource('X').runInAsyncScope(() => { throw new RangeError('mine'); }); });
attempt(() => hooks.executionAsyncId());
for (const key of ['init', 'before', 'after', 'destroy', 'promiseResolve']) attempt(() => createHook({ [key]: 1 }));
attempt(() => { const h = createHook({}); return h.enable() === h && h.disable() === h && h.enable().enable() === h && h.disable() === h; });
attempt(() => AsyncLocalStorage.bind(1));
attempt(() => AsyncLocalStorage.bind((a, b) => 0).length);
attempt(() => AsyncLocalStorage.snapshot().length);
attempt(() => new AsyncLocalStorage().getStore());
attempt(() => { const als = new AsyncLocalStorage(); als.enterWith(0); return als.getStore(); });
attempt(() => { const als = new AsyncLocalStorage(); return als.run(undefined, () => als.getStore()); });
attempt(() => { const als = new AsyncLocalStorage(); return als.run(null, () => als.getStore()); });
attempt(() => { const a = new AsyncLocalStorage(); const b = new AsyncLocalStorage(); return a.run(1, () => b.run(2, () => `${a.getStore()} ${b.getStore()} ${a.run(3, () => `${a.getStore()} ${b.getStore()}`)} ${a.getStore()}`)); });
attempt(() => { const a = new AsyncLocalStorage(); const b = new AsyncLocalStorage(); a.run(1, () => b.enterWith(2)); return `${a.getStore()} ${b.getStore()}`; });
attempt(() => { const a = new AsyncLocalStorage(); a.run(1, () => a.enterWith(2)); return `${a.getStore()}`; });
attempt(() => {
  const { EventEmitterAsyncResource } = require('events');
  class Named extends EventEmitterAsyncResource {}
  const als = new AsyncLocalStorage();
  const types = [];
  const hook = createHook({ init(id, type) { types.push(type); } }).enable();
  const emitter = als.run('made', () => new Named());
  new EventEmitterAsyncResource('own');
  hook.disable();
  let heard;
  emitter.on('x', function (...args) { heard = [als.getStore(), this === emitter, hooks.executionAsyncId() === emitter.asyncId, ...args]; });
  als.run('emitted', () => emitter.emit('x', 1, 2));
  return `EVENT-18: ${types} ${heard} ${emitter.asyncResource.eventEmitter === emitter}`;
});
attempt(() => Object.isFrozen(hooks.asyncWrapProviders) && hooks.asyncWrapProviders.TCPWRAP);
setTimeout(function () {
  console.log(hooks.executionAsyncId() > 1, hooks.triggerAsyncId(), hooks.executionAsyncResource() === this);
}, 1);
const timer = setInterval(() => {
  const id = hooks.executionAsyncId();
  if (timer.before === undefined) timer.before = id;
  else { console.log(timer.before === id); clearInterval(timer); }
}, 5);
