// assert.CallTracker: counts the calls of functions. Deprecated in Node, but there.
// Taken from `binding` where present: process.
'use strict';

const AssertionError = require('internal/assert/assertion_error');
const { validateUint32 } = require('internal/validators');
const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_UNAVAILABLE_DURING_EXIT },
} = require('internal/errors');

// Without a name, for that would show in reports.
const [doNothing] = [() => {}];

// One function that is counted.
class Tracked {
  calls = [];
  made = new Error();

  constructor(name, expected) {
    this.name = name;
    this.expected = expected;
  }

  /// The function itself, except that its calls are noted.
  proxyOf(fn) {
    const apply = (_, thisArg, args) => {
      this.calls.push(Object.freeze({ thisArg, arguments: Object.freeze([...args]) }));
      return Reflect.apply(fn, thisArg, args);
    };
    return new Proxy(fn, { __proto__: null, apply });
  }

  isRight() {
    return this.calls.length === this.expected;
  }

  complaint() {
    const { name, expected, made: stack, calls: { length: actual } } = this;
    const message = `Expected the ${name} function to be executed ${expected} time(s) but was executed ${actual} time(s).`;
    return { message, actual, expected, operator: name, stack };
  }
}

class CallTracker {
  // From what `calls` returned to its record.
  #records = new Map();

  #recordOf(tracked) {
    const record = this.#records.get(tracked);
    if (record === undefined) throw new ERR_INVALID_ARG_VALUE('tracked', tracked, 'is not a tracked function');
    return record;
  }

  reset(tracked) {
    const which = tracked === undefined ? this.#records.values() : [this.#recordOf(tracked)];
    for (const record of which) record.calls = [];
  }

  getCalls(tracked) {
    return Object.freeze([...this.#recordOf(tracked).calls]);
  }

  calls(fn, expected = 1) {
    if (binding.process?._exiting) throw new ERR_UNAVAILABLE_DURING_EXIT();
    // The function may be left out.
    if (typeof fn === 'number') return this.calls(doNothing, fn);
    validateUint32(expected, 'expected', true);
    const counted = fn === undefined ? doNothing : fn;
    const record = new Tracked(counted.name || 'calls', expected);
    const tracked = record.proxyOf(counted);
    this.#records.set(tracked, record);
    return tracked;
  }

  report() {
    const wrong = [...this.#records.values()].filter((record) => !record.isRight());
    return wrong.map((record) => record.complaint());
  }

  verify() {
    const details = this.report();
    if (details.length === 0) return;
    const several = 'Functions were not called the expected number of times';
    throw new AssertionError({ message: details.length === 1 ? details[0].message : several, details });
  }
}

module.exports = CallTracker;
