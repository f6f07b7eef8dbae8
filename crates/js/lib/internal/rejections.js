// Promises that were rejected and have no handler when the tail of a callback is over.
'use strict';

const process = require('internal/process');

// Told as unhandled, and perhaps handled later.
const told = new WeakSet();

// A reason in a word, as Node names it in passing.
function shortly(reason) {
  if (typeof reason === 'function') return Function.prototype.toString.call(reason);
  if (typeof reason !== 'object' || reason === null) return String(reason);
  for (let object = reason; object !== null; object = Object.getPrototypeOf(object)) {
    const { value } = Object.getOwnPropertyDescriptor(object, 'constructor') ?? {};
    if (typeof value === 'function' && value.name) return `#<${value.name}>`;
  }
  return '#<Object>';
}

exports.process = function processRejections() {
  const happened = binding.takeRejections();
  const pending = new Map();
  const late = [];
  for (let at = 0; at < happened.length; at += 3) {
    const promise = happened[at];
    if (!happened[at + 2]) pending.set(promise, happened[at + 1]);
    else if (!pending.delete(promise) && told.has(promise)) late.push(promise);
  }
  for (const promise of late) {
    told.delete(promise);
    if (process._listens('rejectionHandled')) process.emit('rejectionHandled', promise);
  }
  for (const [promise, reason] of pending) {
    told.add(promise);
    if (process._listens('unhandledRejection')) {
      process.emit('unhandledRejection', reason, promise);
      continue;
    }
    let error = reason;
    if (!(error instanceof Error)) {
      error = new Error(
        'This error originated either by throwing inside of an async function without a catch block, ' +
          'or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason ' +
          `"${shortly(reason)}".`);
      error.name = 'UnhandledPromiseRejection';
      error.code = 'ERR_UNHANDLED_REJECTION';
    }
    require('internal/uncaught').handle(error, 'unhandledRejection');
  }
};
