// queueMicrotask: a job of the engine, with the error path of a callback.
'use strict';

const { validateFunction } = require('internal/validators');

const resolved = Promise.resolve();
const then = Promise.prototype.then;

exports.queueMicrotask = function queueMicrotask(callback) {
  validateFunction(callback, 'callback');
  // A job must not turn an error into a rejection: it is an uncaught exception.
  then.call(resolved, () => {
    try {
      callback();
    } catch (error) {
      require('internal/uncaught').handle(error);
    }
  });
};
