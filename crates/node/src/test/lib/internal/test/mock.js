// Functions that remember how they were called, in place of others or on their own.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');

// What the tracker needs of a context and programs must not reach.
let trackCall;
let nextImplementation;

class MockFunctionContext {
  #calls = [];
  // What a call does: `once` has implementations for single calls by their number, and after
  // `times` calls everything is as before.
  #plan;

  static {
    trackCall = (context, call) => context.#calls.push(call);
    nextImplementation = (context) => {
      const plan = context.#plan;
      const number = context.#calls.length;
      const implementation = plan.once.get(number) ?? plan.always;
      if (number + 1 === plan.times) context.restore();
      plan.once.delete(number);
      return implementation;
    };
  }

  // `undo` takes back the replacement of a property; a function on its own has none.
  constructor(implementation, original, times, undo = () => {}) {
    this.#plan = { always: implementation, once: new Map(), original, times, undo };
  }

  get calls() {
    return this.#calls.slice();
  }

  callCount() {
    return this.#calls.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#plan.always = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, 'implementation');
    const number = onCall ?? this.#calls.length;
    // What has been called cannot be changed any more.
    validateInteger(number, 'onCall', this.#calls.length);
    this.#plan.once.set(number, implementation);
  }

  restore() {
    const plan = this.#plan;
    plan.undo();
    plan.always = plan.original;
    plan.once.clear();
  }

  resetCalls() {
    this.#calls = [];
  }
}

// A function that behaves as `original` in all but its calls, which the context sees.
function mockOf(original, context) {
  const proxy = new Proxy(original, {
    __proto__: null,
    get: (target, name, receiver) => (name === 'mock' ? context : Reflect.get(target, name, receiver)),
    apply(target, thisArg, args) {
      const run = nextImplementation(context);
      return track(context, args, undefined, () => Reflect.apply(run, thisArg, args), thisArg);
    },
    construct(target, args, newTarget) {
      const Made = nextImplementation(context);
      return track(context, args, target, () => Reflect.construct(Made, args, newTarget === proxy ? target : newTarget));
    },
  });
  return proxy;
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

// The implementation may be left out before the options.
const shifted = (implementation, options) => (isOptions(implementation) ? [undefined, implementation] : [implementation, options]);

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
    if (!['string', 'symbol'].includes(typeof methodName)) {
      throw new ERR_INVALID_ARG_TYPE('methodName', ['string', 'symbol'], methodName);
    }
    if (typeof objectOrFunction !== 'function') validateObject(objectOrFunction, 'object');
    [implementation, options] = shifted(implementation, options);
    validateObject(options, 'options');
    const { getter = false, setter = false } = options;
    for (const [name, value] of Object.entries({ getter, setter })) validateBoolean(value, `options.${name}`);
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
    return this.#accessor('getter', object, methodName, implementation, options);
  }

  setter(object, methodName, implementation = undefined, options = {}) {
    return this.#accessor('setter', object, methodName, implementation, options);
  }

  #accessor(kind, object, methodName, given, givenOptions) {
    if (!isOptions(given)) validateObject(givenOptions, 'options');
    const [implementation, options] = shifted(given, givenOptions);
    if (options[kind] === false) throw new ERR_INVALID_ARG_VALUE(`options.${kind}`, false, 'cannot be false');
    return this.method(object, methodName, implementation, { ...options, [kind]: options[kind] ?? true });
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
