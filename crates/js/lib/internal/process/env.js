// process.env: an object that holds texts only.
// Uses binding.env; and binding.perform for one that workers share.
'use strict';

const refuseSymbols = (...values) => {
  if (values.some((value) => typeof value === 'symbol')) throw new TypeError('Cannot convert a Symbol value to a string');
};

// Names that no system can keep are dropped without a word.
const isName = (key) => key !== '' && !key.includes('=');

function assign(target, key, value) {
  refuseSymbols(key, value);
  if (!isName(key)) return true;
  target[key] = `${value}`;
  if (shared !== undefined) binding.perform('env.set', [shared, key, target[key]]);
  return true;
}

// The number of the variables that machines share, if these are such.
let shared;

/// Makes the object one with those of other machines: takes their number, or gives the one of its own.
exports.share = function share(number = undefined) {
  shared ??= number ?? binding.perform('env.open', [{ ...binding.env }]);
  return shared;
};

/// Brings the object up to date with what other machines did.
function update(target) {
  if (shared === undefined) return;
  const names = binding.perform('env.names', [shared]);
  for (const name of Object.keys(target)) if (!names.includes(name)) delete target[name];
  for (const name of names) target[name] = binding.perform('env.get', [shared, name]);
}

exports.env = new Proxy(binding.env, {
  get(target, key, receiver) {
    update(target);
    return Reflect.get(target, key, receiver);
  },
  has(target, key) {
    update(target);
    return key in target;
  },
  ownKeys(target) {
    update(target);
    return Reflect.ownKeys(target);
  },
  getOwnPropertyDescriptor(target, key) {
    update(target);
    return Reflect.getOwnPropertyDescriptor(target, key);
  },
  deleteProperty(target, key) {
    if (shared !== undefined && typeof key === 'string') binding.perform('env.delete', [shared, key]);
    return Reflect.deleteProperty(target, key);
  },
  set: assign,
  defineProperty(target, key, descriptor) {
    const { codes: { ERR_INVALID_OBJECT_DEFINE_PROPERTY } } = require('internal/errors');
    if ('get' in descriptor || 'set' in descriptor) {
      throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY("'process.env' does not accept an accessor(getter/setter) descriptor");
    }
    if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
      throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY(
        "'process.env' only accepts a configurable, writable, and enumerable data descriptor");
    }
    return assign(target, key, descriptor.value);
  },
  preventExtensions() {
    throw new TypeError('Cannot freeze');
  },
});
