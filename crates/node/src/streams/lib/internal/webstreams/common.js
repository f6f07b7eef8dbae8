// What the web streams have in common: their states, promises, queues with sizes, and checks.
//
// What a program sees of a stream is an object of a class; all that the specification calls internal
// slots is in a state of its own, under one symbol.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS },
} = require('internal/errors');
const { validateFunction, validateObject, kValidateObjectAllowObjects, kValidateObjectAllowObjectsAndNull } =
  require('internal/validators');
const { inspectAs } = require('internal/event');

const { apply } = Reflect;
const { then } = Promise.prototype;

const kState = Symbol('kState');
// Where a class has the class of its states.
const kStateClass = Symbol('kStateClass');
// The argument by which our own code makes what programs cannot.
const kMake = Symbol('kMake');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

function nop() {}

/// A promise, the functions that settle it, and whether they have.
class Deferred {
  pending = true;
  #resolve;
  #reject;

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    // To be handed out as they are.
    this.resolve = (value) => {
      this.pending = false;
      this.#resolve(value);
    };
    this.reject = (error) => {
      this.pending = false;
      this.#reject(error);
    };
  }
}

function deferred() {
  return new Deferred();
}

function resolvedWith(value) {
  const made = deferred();
  made.resolve(value);
  return made;
}

function rejectedWith(error) {
  const made = deferred();
  made.reject(error);
  handled(made.promise);
  return made;
}

/// A rejection of this promise is no news.
function handled(promise) {
  apply(then, promise, [undefined, nop]);
  return promise;
}

/// Reacts to a promise, past any `then` of the program's.
function follow(promise, onFulfilled, onRejected = undefined) {
  return apply(then, promise, [onFulfilled, onRejected]);
}

/// A method of what the program gave us, as a function that gives a promise.
function algorithm(object, name, label) {
  const fn = object?.[name];
  if (fn === undefined) return async () => {};
  validateFunction(fn, `${label}.${name}`);
  return async (...args) => apply(fn, object, args);
}

/// The state of a stream or of what belongs to it; `this` may be anything.
function stateOf(self, Class) {
  const state = self?.[kState];
  if (state === undefined || !(state instanceof Class[kStateClass])) throw new ERR_INVALID_THIS(Class.name);
  return state;
}

function has(it, Class) {
  return it?.[kState] instanceof Class[kStateClass];
}

function invalidState(message) {
  return new ERR_INVALID_STATE.TypeError(message);
}

// Queues with sizes (of controllers that count chunks).

class SizedQueue {
  constructor() {
    this.reset();
  }

  reset() {
    this.items = [];
    this.first = 0;
    this.total = 0;
  }

  get isEmpty() {
    return this.first === this.items.length;
  }

  push(value, size) {
    size = Number(size);
    if (!(size >= 0) || size === Infinity) throw new ERR_INVALID_ARG_VALUE.RangeError('size', size);
    this.items.push({ value, size });
    this.total += size;
  }

  peek() {
    return this.items[this.first].value;
  }

  shift() {
    const { value, size } = this.items[this.first];
    this.items[this.first++] = undefined;
    // Sums of fractions may not come out even.
    this.total = Math.max(0, this.total - size);
    if (this.first === this.items.length) {
      this.items = [];
      this.first = 0;
    } else if (this.first > 1024) {
      this.items.splice(0, this.first);
      this.first = 0;
    }
    return value;
  }
}

// Strategies.

function highWaterMarkOf(strategy, byDefault) {
  const asked = strategy?.highWaterMark;
  if (asked === undefined) return byDefault;
  const mark = +asked;
  if (Number.isNaN(mark) || mark < 0) throw new ERR_INVALID_ARG_VALUE.RangeError('strategy.highWaterMark', mark);
  return mark;
}

function sizeOf(strategy) {
  const size = strategy?.size;
  if (size === undefined) return () => 1;
  validateFunction(size, 'strategy.size');
  return (chunk) => apply(size, undefined, [chunk]);
}

function validateSource(value, name) {
  validateObject(value, name, kValidateObjectAllowObjects);
}

function validateOptional(value, name) {
  if (value !== undefined) validateObject(value, name, kValidateObjectAllowObjectsAndNull);
}

function validateSignal(signal) {
  if (signal === undefined) return;
  if (signal === null || typeof signal !== 'object' || typeof signal.aborted !== 'boolean') {
    throw new ERR_INVALID_ARG_TYPE('options.signal', 'AbortSignal', signal);
  }
}

// Classes.

/// Gives a class its name for `toString`, and makes what it has enumerable, as interfaces of the web are.
function finish(Class, describe = undefined) {
  const { prototype } = Class;
  for (const key of Reflect.ownKeys(prototype)) {
    if (typeof key === 'string' && key !== 'constructor') Object.defineProperty(prototype, key, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
  if (describe === undefined) return;
  Object.defineProperty(prototype, kInspect, {
    value(depth, options) {
      if (depth < 0) return this;
      return inspectAs(Class.name, describe(this), depth, options);
    },
    writable: true,
    configurable: true,
  });
}

/// A state under its symbol, not to be seen among a program's own properties.
function attach(self, state) {
  Object.defineProperty(self, kState, { value: state });
  state.self = self;
  return self;
}

module.exports = {
  kState, kStateClass, kMake, nop, deferred, resolvedWith, rejectedWith, handled, follow, algorithm, stateOf, has,
  invalidState, SizedQueue, highWaterMarkOf, sizeOf, validateSource, validateOptional, validateSignal, finish, attach,
};
