// EVENT-18: listeners run in the context in which their emitter was made.
const { EventEmitterAsyncResource } = require('events');
const { AsyncLocalStorage, executionAsyncId } = require('async_hooks');
const store = new AsyncLocalStorage();
class Bell extends EventEmitterAsyncResource {}
const made = store.run('made', () => [new EventEmitterAsyncResource({ name: 'Named' }), new Bell()]);
for (const emitter of made) {
  const { asyncResource } = emitter;
  console.log(asyncResource.constructor.name, asyncResource.eventEmitter === emitter, emitter.asyncId > 0, emitter.asyncId === asyncResource.asyncId());
  emitter.on('x', function (...args) {
    console.log(this === emitter, args, store.getStore(), executionAsyncId() === emitter.asyncId);
  });
  store.run('emitted', () => console.log(emitter.emit('x', 1, 2), emitter.emit('y'), store.getStore()));
}
