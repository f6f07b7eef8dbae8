// Ends of resources are told once their callbacks are over; errors in hooks end the program.
const hooks = require('async_hooks');
const types = new Map();
const ended = [];
const hook = hooks.createHook({ init(id, type) { types.set(id, type); }, destroy(id) { if (types.has(id)) ended.push(types.get(id)); } }).enable();
process.nextTick(() => {});
setImmediate(() => {});
queueMicrotask(() => {});
new hooks.AsyncResource('MINE').emitDestroy();
setTimeout(() => {}, 1);
setTimeout(() => {
  hook.disable();
  console.log(ended.filter((type) => ['TickObject', 'Immediate', 'Microtask', 'Timeout', 'MINE'].includes(type)).sort().join());
  hooks.createHook({ init() { throw new Error('from a hook'); } }).enable();
  process.on('exit', (code) => console.log('exit', code));
  setTimeout(() => console.log('never'), 1);
}, 30);
