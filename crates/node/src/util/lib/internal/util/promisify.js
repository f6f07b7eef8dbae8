// From callbacks to promises and back.
//
// From the binding: nextTick(fn, ...args).
'use strict';

const { validateFunction } = require('internal/validators');
const {
  codes: { ERR_FALSY_VALUE_REJECTION },
} = require('internal/errors');

const custom = Symbol.for('nodejs.util.promisify.custom');

// A function of the library whose callback gets several values lists their names under this
// symbol; its promise then gives an object.
const customPromisifyArgs = Symbol('customPromisifyArgs');

function promisify(original) {
  validateFunction(original, 'original');
  if (original[custom]) {
    const replacement = original[custom];
    validateFunction(replacement, 'util.promisify.custom');
    return mark(replacement);
  }
  const names = original[customPromisifyArgs];

  function fn(...args) {
    return new Promise((resolve, reject) => {
      Reflect.apply(original, this, [...args, (error, ...values) => {
        if (error) reject(error);
        else if (names !== undefined && values.length > 1) resolve(withNames(names, values));
        else resolve(values[0]);
      }]);
    });
  }

  Object.setPrototypeOf(fn, Object.getPrototypeOf(original));
  mark(fn);
  return Object.defineProperties(fn, Object.getOwnPropertyDescriptors(original));
}

promisify.custom = custom;

// What was promisified already stays as it is when promisified again.
function mark(fn) {
  return Object.defineProperty(fn, custom, {
    value: fn, enumerable: false, writable: false, configurable: true,
  });
}

function withNames(names, values) {
  const result = {};
  names.forEach((name, i) => { result[name] = values[i]; });
  return result;
}

function callbackify(original) {
  validateFunction(original, 'original');

  function callbackified(...args) {
    const last = args.pop();
    validateFunction(last, 'last argument');
    const callback = Reflect.apply(Function.prototype.bind, last, [this]);
    // The callback runs outside the promise, so that what it throws is not a rejection.
    Reflect.apply(original, this, args).then(
      (value) => binding.nextTick(callback, null, value),
      (reason) => binding.nextTick(callbackifyOnRejected, reason, callback));
  }

  const descriptors = Object.getOwnPropertyDescriptors(original);
  if (typeof descriptors.length.value === 'number') descriptors.length.value++;
  if (typeof descriptors.name.value === 'string') descriptors.name.value += 'Callbackified';
  return Object.defineProperties(callbackified, descriptors);
}

// A callback takes a falsy error for none, so a falsy reason is wrapped.
function callbackifyOnRejected(reason, callback) {
  return callback(reason || new ERR_FALSY_VALUE_REJECTION(reason));
}

module.exports = { promisify, callbackify, customPromisifyArgs };
