// process.env: an object that holds texts only.
// Uses binding.isRestricted, permits, emitWarning; and binding.perform for one that workers share.
'use strict';

const variables = require('internal/process/variables');

const refuseSymbols = (...values) => {
  if (values.some((value) => typeof value === 'symbol')) throw new TypeError('Cannot convert a Symbol value to a string');
};

// Names that no system can keep are dropped without a word.
const isName = (key) => key !== '' && !key.includes('=');

// Who wants to know is told once of values that are no texts and show as none.
let isPending;
function warnOf(value) {
  if (['string', 'number', 'boolean'].includes(typeof value)) return;
  isPending ??= require('internal/flags').isOn('--pending-deprecation');
  if (!isPending) return;
  isPending = false;
  binding.emitWarning(
    'Assigning any value other than a string, number, or boolean to a process.env property is deprecated. ' +
    'Please make sure to convert the value to a string before setting process.env with it.', 'DeprecationWarning', 'DEP0104');
}

function assign(target, key, value) {
  refuseSymbols(key, value);
  warnOf(value);
  if (!isName(key)) return true;
  variables.set(key, `${value}`);
  if (shared !== undefined) binding.perform('env.set', [shared, key, target[key]]);
  return true;
}

// The number of the variables that machines share, if these are such.
let shared;

/// Makes the object one with those of other machines: takes their number, or gives the one of its own.
exports.share = function share(number = undefined) {
  shared ??= number ?? binding.perform('env.open', [variables.all()]);
  return shared;
};

/// Brings the object up to date with what other machines did.
function update() {
  if (shared === undefined) return;
  variables.replace(binding.perform('env.names', [shared]).map((name) => [name, binding.perform('env.get', [shared, name])]));
}

// What a program may not know about its environment, it is told that it may not know. Nobody asks for a
// variable by a symbol.
const isRestricted = binding.isRestricted() && !binding.permits('env');
function demand(name) {
  if (!isRestricted || typeof name !== 'string' || binding.permits('env', name)) return;
  throw require('internal/process/permission').refused('env', name);
}

/// What another program or worker inherits: the program's variables, and of these what it may read.
exports.inherited = function inherited() {
  const { env } = require('internal/process');
  if (env !== exports.env) return env;
  update();
  return variables.all();
};

exports.env = new Proxy(variables.known, {
  get(target, name, receiver) {
    // What all objects have is no variable.
    if (isRestricted && !(name in Object.prototype)) demand(name);
    update();
    variables.read(name);
    return Reflect.get(target, name, receiver);
  },
  has(target, name) {
    demand(name);
    update();
    variables.read(name);
    return Reflect.has(target, name);
  },
  getOwnPropertyDescriptor(target, name) {
    demand(name);
    update();
    variables.read(name);
    return Reflect.getOwnPropertyDescriptor(target, name);
  },
  ownKeys(target) {
    demand('*');
    update();
    variables.readAll();
    return Reflect.ownKeys(target);
  },
  deleteProperty(target, name) {
    demand(name);
    if (shared !== undefined && typeof name === 'string') binding.perform('env.delete', [shared, name]);
    return variables.remove(name);
  },
  set(target, name, value) {
    demand(name);
    return assign(target, name, value);
  },
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
