// What the function of a test, a suite or a hook is given.
'use strict';

const { codes: { ERR_TEST_FAILURE } } = require('internal/errors');
const { validateUint32 } = require('internal/validators');

const ASSERTIONS = [
  'deepEqual', 'deepStrictEqual', 'doesNotMatch', 'doesNotReject', 'doesNotThrow', 'equal', 'fail', 'ifError', 'match',
  'notDeepEqual', 'notDeepStrictEqual', 'notEqual', 'notStrictEqual', 'rejects', 'strictEqual', 'throws', 'ok',
];

function fullName(test) {
  const names = [];
  for (let at = test; at.parent !== null; at = at.parent) names.unshift(at.name);
  return names.join(' > ');
}

// How many assertions and subtests a test said it would have.
class TestPlan {
  #expected;
  #actual = 0;

  constructor(count) {
    validateUint32(count, 'count');
    this.#expected = count;
  }

  count() {
    this.#actual++;
  }

  check() {
    if (this.#actual === this.#expected) return;
    throw new ERR_TEST_FAILURE(`plan expected ${this.#expected} assertions but received ${this.#actual}`, 'testCodeFailure');
  }
}

class TestContext {
  #test;
  #assert;

  constructor(test) {
    this.#test = test;
  }

  get signal() {
    return this.#test.signal;
  }

  get name() {
    return this.#test.name;
  }

  get fullName() {
    return fullName(this.#test);
  }

  get error() {
    return this.#test.error;
  }

  get passed() {
    return this.#test.passed;
  }

  diagnostic(message) {
    this.#test.diagnostic(message);
  }

  plan(count) {
    if (this.#test.plan !== null) throw new ERR_TEST_FAILURE('cannot set plan more than once', 'testCodeFailure');
    this.#test.plan = new TestPlan(count);
  }

  // node:assert, with each call counted for the plan.
  get assert() {
    if (this.#assert === undefined) {
      const assert = require('assert');
      const test = this.#test;
      this.#assert = { __proto__: null };
      for (const name of ASSERTIONS) {
        this.#assert[name] = (...args) => {
          test.plan?.count();
          return Reflect.apply(assert[name], assert, args);
        };
      }
    }
    return this.#assert;
  }

  get mock() {
    this.#test.mock ??= new (require('internal/test/mock').MockTracker)();
    return this.#test.mock;
  }

  runOnly(value) {
    this.#test.runOnlySubtests = Boolean(value);
  }

  skip(message) {
    this.#test.skipped = true;
    this.#test.message = message ?? null;
  }

  todo(message) {
    this.#test.isTodo = true;
    this.#test.message = message ?? null;
  }

  test(name, options, fn) {
    const { callerLocation } = require('internal/test/harness');
    const { Test } = require('internal/test/test');
    this.#test.plan?.count();
    return this.#test.createSubtest(Test, name, options, fn, { loc: callerLocation() }).start();
  }

  #hook(name, fn, options) {
    this.#test.createHook(name, fn, { __proto__: null, ...options, parent: this.#test });
  }

  before(fn, options) {
    this.#hook('before', fn, options);
  }

  after(fn, options) {
    this.#hook('after', fn, options);
  }

  beforeEach(fn, options) {
    this.#hook('beforeEach', fn, options);
  }

  afterEach(fn, options) {
    this.#hook('afterEach', fn, options);
  }
}

class SuiteContext {
  #suite;

  constructor(suite) {
    this.#suite = suite;
  }

  get signal() {
    return this.#suite.signal;
  }

  get name() {
    return this.#suite.name;
  }

  get fullName() {
    return fullName(this.#suite);
  }
}

module.exports = { SuiteContext, TestContext };
