// Which context a continuation was linked from. The engine does not tell, so `then` is ours, and the
// loader wraps every `await` with calls of `c` and `r`.
// Uses binding.takeHold, takeWeakHold, enterHold, batchEnded.
'use strict';

const { takeHold, takeWeakHold, enterHold } = binding;

// Whether contexts are in use at all: until then promises cost what they cost in the engine.
exports.on = false;
// A token of the current context, or undefined where there is nothing to keep.
exports.c = takeHold;
// The same where an async generator yields: nothing is kept for it.
exports.w = takeWeakHold;
// Enters the context of a token.
exports.r = enterHold;
// The value itself, while a second argument empties the variable that it was in.
exports.v = (value) => value;

const engineThen = Promise.prototype.then;
// So that nobody who replaces `Function.prototype.call` comes between us and the engine.
Object.defineProperty(engineThen, 'call', { __proto__: null, value: Function.prototype.call });

function continued(token, callback) {
  return (value) => {
    enterHold(token);
    return callback(value);
  };
}

const { then } = {
  then(onFulfilled, onRejected) {
    if (exports.on) {
      const token = takeHold();
      if (token !== undefined) {
        if (typeof onFulfilled === 'function') onFulfilled = continued(token, onFulfilled);
        if (typeof onRejected === 'function') onRejected = continued(token, onRejected);
      }
    }
    return engineThen.call(this, onFulfilled, onRejected);
  },
};

Object.defineProperty(Promise.prototype, 'then', { __proto__: null, value: then, writable: true, configurable: true, enumerable: false });

const { any } = {
  any(iterable) {
    return require('internal/promise_any')(this, iterable);
  },
};
Object.defineProperty(Promise, 'any', { __proto__: null, value: any, writable: true, configurable: true, enumerable: false });

// A job behind all that wait now, for strategies whose batches end there.
const resolved = Promise.resolve();
const { batchEnded } = binding;
exports.endBatch = () => engineThen.call(resolved, batchEnded);
