// hemiola:context: the running invocation, who attached it, who made it able to run; and the same for
// callbacks in queues of a program's own (rules CTX-1 to CTX-5).
// Uses binding.useContexts, captureScope, runWithin, currentInvocation, chain, labelInvocation.
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateFunction, validateString } = require('internal/validators');

const { captureScope, runWithin, currentInvocation, chain } = binding;
const { useContexts } = binding;

// From now on invocations are remembered.
useContexts('records', true);

// A callback that waits in a queue of the program's own.
class Bound {
  #callback;
  #link;
  #cause;

  constructor(callback, link, cause) {
    this.#callback = callback;
    this.#link = link;
    this.#cause = cause;
  }

  static is(value) {
    return typeof value === 'object' && value !== null && #callback in value;
  }

  static enabled(bound) {
    return new Bound(bound.#callback, bound.#link, captureScope());
  }

  static unpack(bound) {
    const callback = bound.#callback;
    const link = bound.#link;
    const cause = bound.#cause;
    if (cause === undefined) {
      throw new ERR_INVALID_ARG_VALUE('bound', bound, 'has a link but no cause yet: pass it to bindCausal first');
    }
    return function unpacked(...args) {
      return runWithin(link, cause, () => Reflect.apply(callback, this, args));
    };
  }
}
Object.defineProperty(Bound.prototype, Symbol.toStringTag, { __proto__: null, value: 'Bound', configurable: true });

// Attaches a callback: whatever it starts later is linked from the running invocation.
function bindLink(callback) {
  validateFunction(callback, 'callback');
  return new Bound(callback, captureScope(), undefined);
}

// Makes a bound callback able to run: the running invocation is its cause.
function bindCausal(bound) {
  if (!Bound.is(bound)) throw new ERR_INVALID_ARG_VALUE('bound', bound, 'is not a callback that bindLink has bound');
  return Bound.enabled(bound);
}

// The function that calls a bound callback, as an invocation of its own.
function unpack(bound) {
  if (!Bound.is(bound)) throw new ERR_INVALID_ARG_VALUE('bound', bound, 'is not a callback that bindLink and bindCausal have bound');
  return Bound.unpack(bound);
}

function entry([index, label]) {
  return { __proto__: null, index, label };
}

function current() {
  const [self, link] = chain(false, 2);
  const cause = chain(true, 2)[1];
  return { __proto__: null, index: currentInvocation(), label: self?.[1], link: link?.[0], cause: cause?.[0] };
}

// From the running invocation to the main program.
function linkChain() {
  return chain(false, Infinity).map(entry);
}

function causeChain() {
  return chain(true, Infinity).map(entry);
}

// Names the running invocation in chains and accounts.
function label(name) {
  validateString(name, 'name');
  binding.labelInvocation(name);
}

module.exports = { bindLink, bindCausal, unpack, current, linkChain, causeChain, label };
