// node:async_hooks, as far as synchronous code shows it: contexts do not follow promises and timers yet.
'use strict';

const { codes } = require('internal/errors');
const { validateFunction, validateString } = require('internal/validators');

let lastId = 1;
let current = { id: 1, trigger: 0, resource: {} };

function within(scope, act) {
  const before = current;
  current = scope;
  try {
    return act();
  } finally {
    current = before;
  }
}

class AsyncResource {
  #scope;

  constructor(type, options = {}) {
    validateString(type, 'type');
    const trigger = typeof options === 'number' ? options : options.triggerAsyncId ?? current.id;
    if (!Number.isSafeInteger(trigger) || trigger < -1) throw new codes.ERR_INVALID_ASYNC_ID('triggerAsyncId', trigger);
    this.#scope = { id: ++lastId, trigger, resource: this };
  }

  runInAsyncScope(fn, thisArg, ...args) {
    return within(this.#scope, () => Reflect.apply(fn, thisArg, args));
  }

  emitDestroy() {
    return this;
  }

  asyncId() {
    return this.#scope.id;
  }

  triggerAsyncId() {
    return this.#scope.trigger;
  }

  bind(fn, thisArg) {
    validateFunction(fn, 'fn');
    const resource = this;
    const bound = thisArg === undefined
      ? function (...args) { return resource.runInAsyncScope(fn, this, ...args); }
      : (...args) => resource.runInAsyncScope(fn, thisArg, ...args);
    Object.defineProperty(bound, 'length', { configurable: true, enumerable: false, value: fn.length, writable: false });
    return bound;
  }

  static bind(fn, type, thisArg) {
    return new AsyncResource(type || fn.name || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

class AsyncLocalStorage {
  #store;

  static bind(fn) {
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((fn, ...args) => fn(...args));
  }

  run(store, callback, ...args) {
    const before = this.#store;
    this.#store = store;
    try {
      return Reflect.apply(callback, null, args);
    } finally {
      this.#store = before;
    }
  }

  exit(callback, ...args) {
    return this.run(undefined, callback, ...args);
  }

  enterWith(store) {
    this.#store = store;
  }

  getStore() {
    return this.#store;
  }

  disable() {
    this.#store = undefined;
  }
}

function createHook(callbacks) {
  for (const name of ['init', 'before', 'after', 'destroy', 'promiseResolve']) {
    if (callbacks[name] !== undefined && typeof callbacks[name] !== 'function') throw new codes.ERR_ASYNC_CALLBACK(`hook.${name}`);
  }
  return { enable() { return this; }, disable() { return this; } };
}

module.exports = {
  AsyncLocalStorage,
  createHook,
  executionAsyncId: () => current.id,
  triggerAsyncId: () => current.trigger,
  executionAsyncResource: () => current.resource,
  asyncWrapProviders: Object.freeze({ __proto__: null, NONE: 0 }),
  AsyncResource,
};
