// process.env: an object that holds texts only.
// Uses binding.env.
'use strict';

const refuseSymbols = (...values) => {
  if (values.some((value) => typeof value === 'symbol')) throw new TypeError('Cannot convert a Symbol value to a string');
};

// Names that no system can keep are dropped without a word.
const isName = (key) => key !== '' && !key.includes('=');

function assign(target, key, value) {
  refuseSymbols(key, value);
  if (isName(key)) target[key] = `${value}`;
  return true;
}

exports.env = new Proxy(binding.env, {
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
