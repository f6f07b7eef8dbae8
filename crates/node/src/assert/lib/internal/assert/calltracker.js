// assert.CallTracker: counts the calls of functions. Deprecated in Node, but there.
'use strict';

const AssertionError = require('internal/assert/assertion_error');
const { validateUint32 } = require('internal/validators');
const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors');

// Without a name, for that would show in reports.
const [doNothing] = [() => {}];

// One function that is counted.
class Tracked {
  calls = [];

  constructor(name, expected) {
    this.name = name;
    this.expected = expected;
    this.made = new Error();
  }

  track(thisArg, args) {
    this.calls.push(Object.freeze({ thisArg, arguments: Object.freeze([...args]) }));
  }

  // Undefined when the function was called as often as it should be.
  get complaint() {
    const actual = this.calls.length;
    if (actual === this.expected) return undefined;
    return {
      message: `Expected the ${this.name} function to be executed ${this.expected} time(s) ` +
        `but was executed ${actual} time(s).`,
      actual,
      expected: this.expected,
      operator: this.name,
      stack: this.made,
    };
  }
}

class CallTracker {
  #all = new Set();
  #byFunction = new WeakMap();

  #get(tracked) {
    const found = this.#byFunction.get(tracked);
    if (found === undefined) throw new ERR_INVALID_ARG_VALUE('tracked', tracked, 'is not a tracked function');
    return found;
  }

  reset(tracked) {
    if (tracked === undefined) for (const one of this.#all) one.calls = [];
    else this.#get(tracked).calls = [];
  }

  getCalls(tracked) {
    return Object.freeze([...this.#get(tracked).calls]);
  }

  calls(fn, expected = 1) {
    if (typeof fn === 'number') {
      expected = fn;
      fn = doNothing;
    } else if (fn === undefined) {
      fn = doNothing;
    }
    validateUint32(expected, 'expected', true);
    const record = new Tracked(fn.name || 'calls', expected);
    const tracked = new Proxy(fn, {
      apply(target, thisArg, args) {
        record.track(thisArg, args);
        return Reflect.apply(target, thisArg, args);
      },
    });
    this.#all.add(record);
    this.#byFunction.set(tracked, record);
    return tracked;
  }

  report() {
    return [...this.#all].map((record) => record.complaint).filter((complaint) => complaint !== undefined);
  }

  verify() {
    const details = this.report();
    if (details.length === 0) return;
    const message = details.length === 1 ?
      details[0].message : 'Functions were not called the expected number of times';
    throw new AssertionError({ message, details });
  }
}

module.exports = CallTracker;
