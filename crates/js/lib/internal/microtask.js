// queueMicrotask: a job of the engine, with the error path of a callback.
'use strict';

const resolved = Promise.resolve();
const then = Promise.prototype.then;

exports.queueMicrotask = function queueMicrotask(callback) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
  // A job must not turn an error into a rejection: it is an uncaught exception.
  then.call(resolved, () => {
    try {
      callback();
    } catch (error) {
      require('internal/uncaught').handle(error);
    }
  });
};
