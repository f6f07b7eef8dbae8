// Ports and workers as hooks know them.
'use strict';
const { createHook } = require('async_hooks');
const { MessageChannel, Worker } = require('worker_threads');

const known = new Map();
createHook({
  init(id, type, trigger, resource) {
    if (['WORKER', 'MESSAGEPORT'].includes(type)) known.set(id, { type, resource });
  },
  destroy(id) {
    known.delete(id);
  },
}).enable();
const active = () => [...known.values()].filter(({ resource }) => resource.hasRef() === true).map(({ type }) => type);
const list = () => [...known.values()].map(({ type }) => type);

const { port1, port2 } = new MessageChannel();
console.log(list(), known.values().next().value.resource === port1, active());
port1.on('message', (message) => {
  console.log(message, active());
  port2.close();
  console.log('closing', active());
});
console.log('listens', active());
port1.on('close', () => {
  console.log('closed', active());
  setImmediate(() => {
    console.log('gone', list());
    startWorker();
  });
});
port2.postMessage('message');

function startWorker() {
  const worker = new Worker('', { eval: true });
  console.log('worker', active());
  worker.unref();
  console.log('unref', active());
  worker.ref();
  console.log('ref', active());
  worker.on('exit', () => {
    console.log('exit', active());
    setTimeout(() => console.log('over', active()), 1);
  });
}
