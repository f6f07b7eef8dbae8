// node:domain. The domains that were entered, one within the other, go along with what they attach as any context does;
// an error that nobody caught goes to the innermost of them that listens.
// Sets binding.domains.
'use strict';

const EventEmitter = require('events');
const process = require('internal/process');
const { AsyncLocalStorage } = require('async_hooks');
const { codes: { ERR_UNHANDLED_ERROR } } = require('internal/errors');

const entered = new AsyncLocalStorage();
const stack = () => entered.getStore() ?? [];
const active = () => stack().at(-1);

const note = (target, name, value) =>
  Object.defineProperty(target, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value });

class Domain extends EventEmitter {
  constructor() {
    super();
    this.members = [];
  }

  /// Tells it of an error; gives false if nobody listens.
  _errorHandler(error) {
    return tell(this, error, { domainThrown: true });
  }

  enter() {
    entered.enterWith([...stack(), this]);
  }

  exit() {
    const at = stack().lastIndexOf(this);
    if (at >= 0) entered.enterWith(stack().slice(0, at));
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
      tell(domain, error, { domainBound: callback, domainThrown: false });
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
  const value = Reflect.apply(fn, receiver, args);
  domain.exit();
  return value;
}

// Tells a domain of an error, outside of it; gives false if nobody listens.
function tell(domain, error, facts) {
  if (typeof error === 'object' && error !== null || typeof error === 'function') {
    note(error, 'domain', domain);
    Object.assign(error, facts);
  }
  if (domain.listenerCount('error') === 0) return false;
  domain.exit();
  plainEmit.call(domain, 'error', error);
  return true;
}

/// Whether a domain took an error that nobody caught. One that a listener throws goes to the domain around.
binding.domains = (error) => {
  let [around, failure] = [stack(), error];
  while (around.length > 0) {
    const domain = around.at(-1);
    around = around.slice(0, -1);
    try {
      if (domain._errorHandler(failure)) {
        entered.enterWith([]);
        return true;
      }
    } catch (second) {
      if (around.length === 0) throw second;
      failure = second;
    }
  }
  return false;
};

const { init } = EventEmitter;
EventEmitter.usingDomains = true;
EventEmitter.init = function(options) {
  note(this, 'domain', this instanceof Domain ? undefined : active() ?? null);
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
    if (!tell(domain, error, { domainThrown: false })) throw error;
    return false;
  }
  return enclosed(domain, plainEmit, this, [type, ...args]);
};

Object.defineProperty(process, 'domain', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: () => (entered.getStore() === undefined ? null : active()),
  set: (domain) => entered.enterWith(domain ? [...stack().slice(0, -1), domain] : []),
});

const create = () => new Domain();
module.exports = {
  get _stack() { return stack(); },
  Domain,
  createDomain: function createDomain() { return create(); },
  create: function createDomain() { return create(); },
  get active() { return active() ?? null; },
};
module.exports.create = module.exports.createDomain;
