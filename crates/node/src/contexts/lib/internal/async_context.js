// Values that follow the links between callbacks: what AsyncLocalStorage and AsyncContext are made of.
// A frame is a Map from a variable to its value, never changed once it is set.
// Uses binding.getFrame, swapFrame, useContexts, captureScope, runWithin.
'use strict';

const { validateFunction } = require('internal/validators');

const { getFrame, swapFrame, captureScope, runWithin } = binding;

let inUse = false;

function use() {
  inUse = true;
  binding.useContexts('frames', true);
  require('internal/async_resources').follow();
}

// The value of a variable in the running context; `missing` if it has none.
function read(variable, missing) {
  const frame = getFrame();
  if (frame === undefined) return missing;
  const value = frame.get(variable);
  return value !== undefined || frame.has(variable) ? value : missing;
}

// Gives a variable a value until the running callback ends.
function write(variable, value) {
  if (!inUse) use();
  const frame = new Map(getFrame());
  frame.set(variable, value);
  swapFrame(frame);
  return frame;
}

function erase(variable) {
  const frame = getFrame();
  if (frame === undefined || !frame.has(variable)) return frame;
  if (frame.size === 1) {
    swapFrame(undefined);
    return undefined;
  }
  const rest = new Map(frame);
  rest.delete(variable);
  swapFrame(rest);
  return rest;
}

// Undoes what `set` did, but nothing that was set within.
function restore(variable, before, set) {
  if (getFrame() === set) swapFrame(before);
  else if (before?.has(variable)) write(variable, before.get(variable));
  else erase(variable);
}

// Calls a function while a variable has a value.
function runWith(variable, value, callback, args) {
  const before = getFrame();
  const set = write(variable, value);
  try {
    return Reflect.apply(callback, null, args);
  } finally {
    restore(variable, before, set);
  }
}

// Calls a function while a variable has no value.
function runWithout(variable, callback, args) {
  const before = getFrame();
  const set = erase(variable);
  try {
    return Reflect.apply(callback, null, args);
  } finally {
    restore(variable, before, set);
  }
}

class Variable {
  #name = '';
  #default;

  constructor(options = undefined) {
    if (options === undefined) return;
    if (options === null || (typeof options !== 'object' && typeof options !== 'function')) throw new TypeError('options is not an object');
    const { name, defaultValue } = options;
    if (name !== undefined) this.#name = String(name);
    this.#default = defaultValue;
  }

  get name() {
    return this.#name;
  }

  get() {
    return read(this, this.#default);
  }

  run(value, callback, ...args) {
    // Whatever the prototype of the receiver is.
    void this.#name;
    validateFunction(callback, 'callback');
    return runWith(this, value, callback, args);
  }
}

class Snapshot {
  #scope = captureScope();

  run(callback, ...args) {
    validateFunction(callback, 'callback');
    return runWithin(this.#scope, this.#scope, () => Reflect.apply(callback, null, args));
  }

  static wrap(callback) {
    validateFunction(callback, 'callback');
    const scope = captureScope();
    const wrapped = function (...args) {
      return runWithin(scope, scope, () => Reflect.apply(callback, this, args));
    };
    Object.defineProperty(wrapped, 'name', { __proto__: null, value: `wrapped ${callback.name}`, configurable: true });
    Object.defineProperty(wrapped, 'length', { __proto__: null, value: callback.length, configurable: true });
    return wrapped;
  }
}

for (const constructor of [Variable, Snapshot]) {
  Object.defineProperty(constructor.prototype, Symbol.toStringTag, {
    __proto__: null, value: `AsyncContext.${constructor.name}`, configurable: true, enumerable: false, writable: false,
  });
}

const AsyncContext = {};
Object.defineProperties(AsyncContext, {
  Variable: { __proto__: null, value: Variable, configurable: true, enumerable: false, writable: true },
  Snapshot: { __proto__: null, value: Snapshot, configurable: true, enumerable: false, writable: true },
  [Symbol.toStringTag]: { __proto__: null, value: 'AsyncContext', configurable: true, enumerable: false, writable: false },
});

module.exports = { AsyncContext, read, write, runWith, runWithout };
