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

const COMMON_FACTS = { signal: (test) => test.signal, name: (test) => test.name, fullName };

// Getters for what programs may know of the test behind a context, which `testOf` reaches.
function tell(Context, testOf, facts) {
  for (const [name, fact] of Object.entries(facts)) {
    Object.defineProperty(Context.prototype, name, { configurable: true, get() { return fact(testOf(this)); } });
  }
}

class TestContext {
  #test;
  #assert;

  static {
    const testOf = (context) => context.#test;
    tell(TestContext, testOf, { ...COMMON_FACTS, error: (test) => test.error, passed: (test) => test.passed });
  }

  constructor(test) {
    this.#test = test;
  }

  diagnostic(message) {
    this.#test.diagnostic(message);
  }

  plan(count) {
    const test = this.#test;
    if (test.plan !== null) throw new ERR_TEST_FAILURE('cannot set plan more than once', 'testCodeFailure');
    test.plan = new TestPlan(count);
  }

  // node:assert, with each call counted for the plan.
  get assert() {
    this.#assert ??= countedAssertions(this.#test);
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
    const { callerLater } = require('internal/test/harness');
    const { Test } = require('internal/test/test');
    this.#test.plan?.count();
    return this.#test.createSubtest(Test, name, options, fn, { locate: callerLater() }).start();
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

  static {
    tell(SuiteContext, (context) => context.#suite, COMMON_FACTS);
  }

  constructor(suite) {
    this.#suite = suite;
  }
}

function countedAssertions(test) {
  const assert = require('assert');
  const counted = (name) => (...args) => {
    test.plan?.count();
    return assert[name](...args);
  };
  return Object.assign({ __proto__: null }, Object.fromEntries(ASSERTIONS.map((name) => [name, counted(name)])));
}

module.exports = { SuiteContext, TestContext };
