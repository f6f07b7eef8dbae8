// node:async_hooks: values that follow the links between callbacks, and hooks that hear of every
// resource. Both are made of the scopes that the host takes where callbacks are attached.
// Uses binding.captureScope, runWithin, domains, getStore, setSlowStore.
'use strict';

const { codes } = require('internal/errors');
const { validateFunction, validateString } = require('internal/validators');
const { begin, extend, keep, read, write, runWith, runWithout, whenTrees } = require('internal/async_context');
const resources = require('internal/async_resources');

const { captureScope, runWithin } = binding;

/// A part of a property that bound functions once had.
const deprecated = (act) => require('internal/util/deprecate').deprecate(
  act, 'The asyncResource property on bound functions is deprecated', 'DEP0172');

/// Who triggers a resource, and whether it ends when it is garbage; a number is the former only.
function plan(options) {
  const given = typeof options === 'number' ? { triggerAsyncId: options } : options;
  const asked = given.triggerAsyncId;
  const trigger = asked === undefined ? resources.currentId() : asked;
  if (Number.isSafeInteger(trigger) && trigger >= -1) return { trigger, isCollected: !given.requireManualDestroy };
  throw new codes.ERR_INVALID_ASYNC_ID('triggerAsyncId', trigger);
}

class AsyncResource {
  #scope;

  constructor(type, options = {}) {
    validateString(type, 'type');
    const { trigger, isCollected } = plan(options);
    if (type === '' && resources.hasHooks()) throw new codes.ERR_ASYNC_TYPE(type);
    this.#scope = captureScope();
    resources.init(this, type, trigger, true);
    if (isCollected) resources.watch(this);
    binding.domains?.join(this);
  }

  runInAsyncScope(fn, thisArg, ...args) {
    const scope = this.#scope;
    return runWithin(scope, scope, () => resources.runIn(this, fn, thisArg, args));
  }

  emitDestroy() {
    resources.destroy(this);
    return this;
  }

  asyncId() {
    return this[resources.kId];
  }

  triggerAsyncId() {
    return this[resources.kTrigger];
  }

  bind(fn, thisArg) {
    validateFunction(fn, 'fn');
    const bound = thisArg === undefined ? boundToCaller(this, fn) : this.runInAsyncScope.bind(this, fn, thisArg);
    let resource = this;
    return Object.defineProperties(bound, {
      __proto__: null,
      length: { __proto__: null, value: fn.length, configurable: true },
      asyncResource: {
        __proto__: null,
        configurable: true,
        enumerable: true,
        get: deprecated(() => resource),
        set: deprecated((value) => {
          resource = value;
        }),
      },
    });
  }

  static bind(fn, type, thisArg) {
    type = type || fn.name;
    return new AsyncResource(type || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

/// The function within a resource's scope, with the `this` it is called with.
function boundToCaller(resource, fn) {
  const bound = function(...args) {
    return resource.runInAsyncScope(fn, this, ...args);
  };
  return bound;
}

class AsyncLocalStorage {
  #enabled = false;

  static bind(fn) {
    validateFunction(fn, 'fn');
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((callback, ...args) => callback(...args));
  }

  run(store, callback, ...args) {
    const isSet = this.#enabled;
    if (!isSet) {
      begin();
      this.#enabled = true;
    }
    // What is no function is refused by the language.
    if (typeof callback !== 'function') Reflect.apply(callback, null, args);
    return runWith(this, store, callback, args, isSet, extend, keep);
  }

  exit(callback, ...args) {
    return this.#enabled ? runWithout(this, callback, args) : Reflect.apply(callback, null, args);
  }

  enterWith(store) {
    this.#enabled = true;
    write(this, store);
  }

  static {
    whenTrees(() => binding.setSlowStore(AsyncLocalStorage.#getStore));
  }

  // What is off has values all the same, in contexts that were entered before.
  static #getStore() {
    return #enabled in this && this.#enabled ? read(this) : undefined;
  }

  disable() {
    this.#enabled = false;
    binding.setSlowStore(AsyncLocalStorage.#getStore);
  }
}
Object.defineProperty(AsyncLocalStorage.prototype, 'getStore', {
  __proto__: null, value: binding.getStore, writable: true, enumerable: false, configurable: true,
});

class AsyncHook {
  constructor(callbacks) {
    const { init, before, after, destroy, promiseResolve } = callbacks;
    for (const [name, callback] of Object.entries({ init, before, after, destroy, promiseResolve })) {
      if (callback !== undefined && typeof callback !== 'function') throw new codes.ERR_ASYNC_CALLBACK(`hook.${name}`);
      this[name] = callback;
    }
  }

  enable() {
    resources.enable(this);
    return this;
  }

  disable() {
    resources.disable(this);
    return this;
  }
}

const PROVIDERS = [
  'NONE', 'DIRHANDLE', 'DNSCHANNEL', 'ELDHISTOGRAM', 'FILEHANDLE', 'FILEHANDLECLOSEREQ', 'BLOBREADER', 'FSEVENTWRAP', 'FSREQCALLBACK',
  'FSREQPROMISE', 'GETADDRINFOREQWRAP', 'GETNAMEINFOREQWRAP', 'HEAPSNAPSHOT', 'HTTP2SESSION', 'HTTP2STREAM', 'HTTP2PING', 'HTTP2SETTINGS',
  'HTTPINCOMINGMESSAGE', 'HTTPCLIENTREQUEST', 'JSSTREAM', 'JSUDPWRAP', 'MESSAGEPORT', 'PIPECONNECTWRAP', 'PIPESERVERWRAP', 'PIPEWRAP',
  'PROCESSWRAP', 'PROMISE', 'QUERYWRAP', 'QUIC_LOGSTREAM', 'QUIC_PACKET', 'SHUTDOWNWRAP', 'SIGNALWRAP', 'STATWATCHER', 'STREAMPIPE',
  'TCPCONNECTWRAP', 'TCPSERVERWRAP', 'TCPWRAP', 'TTYWRAP', 'UDPSENDWRAP', 'UDPWRAP', 'SIGINTWATCHDOG', 'WORKER', 'WORKERHEAPSNAPSHOT',
  'WRITEWRAP', 'ZLIB', 'CHECKPRIMEREQUEST', 'PBKDF2REQUEST', 'KEYPAIRGENREQUEST', 'KEYGENREQUEST', 'KEYEXPORTREQUEST', 'CIPHERREQUEST',
  'DERIVEBITSREQUEST', 'HASHREQUEST', 'RANDOMBYTESREQUEST', 'RANDOMPRIMEREQUEST', 'SCRYPTREQUEST', 'SIGNREQUEST', 'TLSWRAP', 'VERIFYREQUEST',
];

module.exports = {
  AsyncLocalStorage,
  createHook: (callbacks) => new AsyncHook(callbacks),
  executionAsyncId: resources.executionAsyncId,
  triggerAsyncId: resources.triggerAsyncId,
  executionAsyncResource: resources.executionAsyncResource,
  asyncWrapProviders: Object.freeze(Object.assign({ __proto__: null }, Object.fromEntries(PROVIDERS.map((name, number) => [name, number])))),
  AsyncResource,
};
