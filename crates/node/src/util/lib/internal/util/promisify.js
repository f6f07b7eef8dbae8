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
  const given = original[custom];
  if (given) {
    validateFunction(given, 'util.promisify.custom');
    return mark(given);
  }
  const names = original[customPromisifyArgs];

  function fn(...args) {
    return new Promise((resolve, reject) => {
      const callback = (error, ...values) => {
        if (error) reject(error);
        else resolve(names !== undefined && values.length > 1 ? withNames(names, values) : values[0]);
      };
      Reflect.apply(original, this, [...args, callback]);
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
    const callback = args.pop();
    validateFunction(callback, 'last argument');
    // In a tick, so that what the callback throws is no rejection.
    const tell = (...results) => binding.nextTick(() => Reflect.apply(callback, this, results));
    Reflect.apply(original, this, args).then(
      (value) => tell(null, value),
      // A callback takes a falsy error for none, so a falsy reason is wrapped.
      (reason) => tell(reason || new ERR_FALSY_VALUE_REJECTION(reason)),
    );
  }

  return Object.defineProperties(callbackified, shapeWithCallback(original));
}

/// The properties of a function, as those of one that is called with a callback as well.
function shapeWithCallback(original) {
  const shape = Object.getOwnPropertyDescriptors(original);
  for (const [key, more] of [['length', 1], ['name', 'Callbackified']]) {
    if (typeof shape[key]?.value === typeof more) shape[key].value += more;
  }
  return shape;
}

module.exports = { promisify, callbackify, customPromisifyArgs };
