// process.env: an object that holds texts only.
// Uses binding.env, isRestricted, permits, refusal.
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

// What a program may not know about its environment, it is told that it may not know. Nobody asks for a
// variable by a symbol.
function demand(name) {
  if (typeof name !== 'string' || binding.permits('env', name)) return;
  const { codes: { ERR_ACCESS_DENIED } } = require('internal/errors');
  const [permission, message] = binding.refusal('env', name);
  throw new ERR_ACCESS_DENIED(message, permission, name);
}

const restricted = {
  get(target, name, receiver) {
    // What all objects have is no variable.
    if (!(name in Object.prototype)) demand(name);
    return Reflect.get(target, name, receiver);
  },
  has(target, name) {
    demand(name);
    return Reflect.has(target, name);
  },
  getOwnPropertyDescriptor(target, name) {
    demand(name);
    return Reflect.getOwnPropertyDescriptor(target, name);
  },
  ownKeys(target) {
    if (!binding.permits('env')) demand('*');
    return Reflect.ownKeys(target);
  },
  deleteProperty(target, name) {
    demand(name);
    return Reflect.deleteProperty(target, name);
  },
  set(target, name, value) {
    demand(name);
    return assign(target, name, value);
  },
};

exports.env = new Proxy(binding.env, {
  ...(binding.isRestricted() && !binding.permits('env') ? restricted : { set: assign }),
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
