// node:domain. The domains that were entered, one within the other; the innermost goes along with what is attached in it as
// any context does. An error that nobody caught goes to the innermost of them that listens.
// Sets binding.domains. Uses binding.currentInvocation.
'use strict';

const EventEmitter = require('events');
const process = require('internal/process');
const { AsyncLocalStorage } = require('async_hooks');
const { codes: { ERR_DOMAIN_CALLBACK_NOT_AVAILABLE, ERR_UNHANDLED_ERROR } } = require('internal/errors');

if (process.hasUncaughtExceptionCaptureCallback()) throw new ERR_DOMAIN_CALLBACK_NOT_AVAILABLE();

const { currentInvocation } = binding;

// What was entered, and by which invocation: what that attaches is in the innermost domain only.
const entered = new AsyncLocalStorage();
// What was entered where an error was thrown that has come out of a domain: the contexts on its way are left.
let thrown;
// What `process.domain` is outside of all domains.
let outside = null;

function stack() {
  const store = entered.getStore();
  if (store === undefined) return [];
  return store.invocation === currentInvocation() ? store.list : store.list.slice(-1);
}

const setStack = (list) => entered.enterWith({ list, invocation: currentInvocation() });
const active = () => {
  const list = stack();
  return list.length === 0 ? outside : list.at(-1);
};

// What is entered for whoever hears of an error of the innermost domain.
function below(list) {
  const top = list.at(-1);
  return list.slice(0, list.findLastIndex((domain) => domain !== top) + 1);
}

const note = (target, name, value) =>
  Object.defineProperty(target, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value });

class Domain extends EventEmitter {
  constructor() {
    super();
    this.members = [];
  }

  /// Tells it of an error that was thrown; gives false if nobody listens.
  _errorHandler(error) {
    return tell(this, error, { domainThrown: true }, below(stack()), undefined);
  }

  enter() {
    setStack([...stack(), this]);
  }

  exit() {
    const at = stack().lastIndexOf(this);
    if (at < 0) return;
    outside = undefined;
    setStack(stack().slice(0, at));
  }

  add(emitter) {
    const before = emitter.domain;
    if (before === this) return;
    before?.remove(emitter);
    // One that contains this one would be told for ever.
    if (emitter instanceof Domain && isWithin(this.domain, emitter)) return;
    note(emitter, 'domain', this);
    this.members.push(emitter);
  }

  remove(emitter) {
    emitter.domain = null;
    const at = this.members.indexOf(emitter);
    if (at >= 0) this.members.splice(at, 1);
  }

  run(fn, ...args) {
    return enclosed(this, fn, this, args);
  }

  intercept(callback) {
    const domain = this;
    return owned(domain, function intercepted(error, ...args) {
      if (!(error instanceof Error)) return enclosed(domain, callback, this, args);
      const before = stack();
      tell(domain, error, { domainBound: callback, domainThrown: false }, below([...before, domain]), null);
      setStack(before);
      return undefined;
    });
  }

  bind(callback) {
    const domain = this;
    return owned(domain, function bound(...args) {
      return enclosed(domain, callback, this, args);
    });
  }
}
note(Domain.prototype, 'members', undefined);

/// Whether a domain is another one, or a member of it, or of a member.
function isWithin(domain, outer) {
  return Boolean(domain) && (domain === outer || isWithin(domain.domain, outer));
}

function owned(domain, fn) {
  return note(fn, 'domain', domain);
}

// Whoever throws does not leave the domain: that is how it is found.
function enclosed(domain, fn, receiver, args) {
  domain.enter();
  let isDone = false;
  try {
    const value = Reflect.apply(fn, receiver, args);
    isDone = true;
    domain.exit();
    return value;
  } finally {
    const invocation = currentInvocation();
    if (!isDone && thrown?.invocation !== invocation) thrown = { list: stack(), invocation };
  }
}

// Tells a domain of an error where only `around` is entered, and `none` stands for no domain; gives false if nobody listens.
function tell(domain, error, facts, around, none) {
  if (domain.listenerCount('error') === 0) return false;
  if (typeof error === 'object' && error !== null || typeof error === 'function') {
    note(error, 'domain', domain);
    Object.assign(error, facts);
  }
  outside = none;
  setStack(around);
  plainEmit.call(domain, 'error', error);
  return true;
}

// The domains that an error nobody caught was thrown in.
function takeThrown() {
  const list = thrown?.invocation === currentInvocation() ? thrown.list : stack();
  thrown = undefined;
  return list;
}

binding.domains = {
  __proto__: null,
  place: new Error('require(`domain`) at this point').stack,
  /// Whether somebody hears of an error that nobody caught.
  listens() {
    const list = thrown?.invocation === currentInvocation() ? thrown.list : stack();
    return list.some((domain) => domain.listenerCount('error') > 0);
  },
  /// Whether a domain took an error that nobody caught. One that a listener throws goes to the domain around.
  take(error) {
    let [around, failure] = [takeThrown(), error];
    while (around.length > 0) {
      setStack(around);
      const domain = around.at(-1);
      around = below(around);
      try {
        if (domain._errorHandler(failure)) {
          leave();
          return true;
        }
      } catch (second) {
        if (around.length === 0) throw second;
        failure = second;
      }
    }
    leave();
    return false;
  },
  /// What the program makes in a domain tells so.
  join(resource) {
    const list = stack();
    if (list.length > 0) note(resource, 'domain', list.at(-1));
  },
};

// All domains are left.
function leave() {
  outside = null;
  setStack([]);
}

// What the program listens to for errors that nobody caught runs outside of all domains, unless it put itself first.
function domainUncaughtExceptionClear() {
  leave();
}
process.on('newListener', (name, listener) => {
  if (name !== 'uncaughtException' || listener === domainUncaughtExceptionClear) return;
  process.removeListener(name, domainUncaughtExceptionClear);
  process.prependListener(name, domainUncaughtExceptionClear);
});
process.on('removeListener', (name) => {
  if (name === 'uncaughtException' && process.listenerCount(name) === 1) process.removeListener(name, domainUncaughtExceptionClear);
});

const { init } = EventEmitter;
EventEmitter.usingDomains = true;
EventEmitter.init = function(options) {
  // Of the process it says which is entered.
  if (this !== process) note(this, 'domain', this instanceof Domain ? null : active() ?? null);
  return init.call(this, options);
};

const { emit: plainEmit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function emit(type, ...args) {
  const { domain } = this;
  if (domain === null || domain === undefined || this === process || this instanceof Domain && type !== 'error') {
    return plainEmit.call(this, type, ...args);
  }
  if (type === 'error' && this.listenerCount('error') === 0) {
    const error = args[0] || new ERR_UNHANDLED_ERROR();
    if (typeof error === 'object') error.domainEmitter = this;
    const before = stack();
    if (!tell(domain, error, { domainThrown: false }, below(before), null)) {
      if (typeof error === 'object') Object.assign(note(error, 'domain', domain), { domainThrown: false });
      setStack([]);
      throw error;
    }
    setStack(before);
    return false;
  }
  return enclosed(domain, plainEmit, this, [type, ...args]);
};

Object.defineProperty(process, 'domain', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: active,
  set(domain) {
    if (!domain) outside = domain;
    setStack(domain ? [...stack().slice(0, -1), domain] : []);
  },
});

const create = () => new Domain();
module.exports = {
  get _stack() { return stack(); },
  Domain,
  createDomain: function createDomain() { return create(); },
  create: function createDomain() { return create(); },
  get active() { return active(); },
};
module.exports.create = module.exports.createDomain;
