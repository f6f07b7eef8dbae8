// Functions that remember how they were called, in place of others or on their own.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');

// What the tracker needs of a context and programs must not reach.
let trackCall;
let nextImplementation;

class MockFunctionContext {
  #calls = [];
  #implementation;
  #once = new Map();
  #original;
  #times;
  // Undoes the replacement of a property; a function on its own has none.
  #undo;

  static {
    trackCall = (context, call) => context.#calls.push(call);
    nextImplementation = (context) => {
      const number = context.#calls.length;
      const once = context.#once.get(number);
      const implementation = once ?? context.#implementation;
      if (number + 1 === context.#times) context.restore();
      context.#once.delete(number);
      return implementation;
    };
  }

  constructor(implementation, original, times, undo) {
    this.#implementation = implementation;
    this.#original = original;
    this.#times = times;
    this.#undo = undo;
  }

  get calls() {
    return [...this.#calls];
  }

  callCount() {
    return this.#calls.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, 'implementation');
    const next = this.#calls.length;
    const call = onCall ?? next;
    validateInteger(call, 'onCall', next);
    this.#once.set(call, implementation);
  }

  restore() {
    this.#undo?.();
    this.#implementation = this.#original;
    this.#once.clear();
  }

  resetCalls() {
    this.#calls = [];
  }
}

// A function that behaves as `original` in all but its calls, which the context sees.
function mockOf(original, context) {
  const mock = new Proxy(original, {
    __proto__: null,
    apply(_, thisArg, args) {
      const implementation = nextImplementation(context);
      return track(context, args, undefined, () => Reflect.apply(implementation, thisArg, args), thisArg);
    },
    construct(target, args, newTarget) {
      const implementation = nextImplementation(context);
      const realTarget = newTarget === mock ? implementation : newTarget;
      return track(context, args, target, () => Reflect.construct(implementation, args, realTarget));
    },
    get(target, name, receiver) {
      return name === 'mock' ? context : Reflect.get(target, name, receiver);
    },
  });
  return mock;
}

// Runs a call and keeps what came of it. A constructor's `this` is what it made.
function track(context, args, target, call, thisArg) {
  const record = { arguments: args, error: undefined, result: undefined, stack: new Error(), target, this: thisArg };
  try {
    record.result = call();
    if (target !== undefined) record.this = record.result;
    return record.result;
  } catch (error) {
    record.error = error;
    throw error;
  } finally {
    trackCall(context, record);
  }
}

function findDescriptor(object, name) {
  for (let at = object; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name);
    if (descriptor) return descriptor;
  }
  return undefined;
}

const isOptions = (value) => value !== null && typeof value === 'object';

function timesOf(options) {
  const { times = Infinity } = options;
  if (times !== Infinity) validateInteger(times, 'options.times', 1);
  return times;
}

class MockTracker {
  #contexts = [];
  #timers;

  get timers() {
    this.#timers ??= new (require('internal/test/mock_timers').MockTimers)();
    return this.#timers;
  }

  fn(original = function() {}, implementation = original, options = {}) {
    if (isOptions(original)) {
      options = original;
      original = function() {};
      implementation = original;
    } else if (isOptions(implementation)) {
      options = implementation;
      implementation = original;
    }
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const context = new MockFunctionContext(implementation, original, timesOf(options));
    this.#contexts.push(context);
    return mockOf(original, context);
  }

  method(objectOrFunction, methodName, implementation = undefined, options = {}) {
    if (typeof methodName !== 'string' && typeof methodName !== 'symbol') {
      throw new ERR_INVALID_ARG_TYPE('methodName', ['string', 'symbol'], methodName);
    }
    if (typeof objectOrFunction !== 'function') validateObject(objectOrFunction, 'object');
    if (isOptions(implementation)) {
      options = implementation;
      implementation = undefined;
    }
    validateObject(options, 'options');
    const { getter = false, setter = false } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    const times = timesOf(options);
    if (getter && setter) throw new ERR_INVALID_ARG_VALUE('options.setter', setter, "cannot be used with 'options.getter'");

    const descriptor = findDescriptor(objectOrFunction, methodName);
    const kind = getter ? 'get' : setter ? 'set' : 'value';
    const original = descriptor?.[kind];
    if (typeof original !== 'function') throw new ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    implementation ??= original;
    validateFunction(implementation, 'implementation');

    const undo = () => Object.defineProperty(objectOrFunction, methodName, descriptor);
    const context = new MockFunctionContext(implementation, original, times, undo);
    const mock = mockOf(original, context);
    const { configurable, enumerable } = descriptor;
    const replaced = getter || setter
      ? { configurable, enumerable, get: getter ? mock : descriptor.get, set: setter ? mock : descriptor.set }
      : { configurable, enumerable, value: mock, writable: descriptor.writable };
    Object.defineProperty(objectOrFunction, methodName, replaced);
    this.#contexts.push(context);
    return mock;
  }

  getter(object, methodName, implementation = undefined, options = {}) {
    if (isOptions(implementation)) {
      options = implementation;
      implementation = undefined;
    } else {
      validateObject(options, 'options');
    }
    const { getter = true } = options;
    if (getter === false) throw new ERR_INVALID_ARG_VALUE('options.getter', getter, 'cannot be false');
    return this.method(object, methodName, implementation, { ...options, getter });
  }

  setter(object, methodName, implementation = undefined, options = {}) {
    if (isOptions(implementation)) {
      options = implementation;
      implementation = undefined;
    } else {
      validateObject(options, 'options');
    }
    const { setter = true } = options;
    if (setter === false) throw new ERR_INVALID_ARG_VALUE('options.setter', setter, 'cannot be false');
    return this.method(object, methodName, implementation, { ...options, setter });
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#contexts = [];
  }

  restoreAll() {
    for (const context of this.#contexts) context.restore();
  }
}

module.exports = { MockTracker };
