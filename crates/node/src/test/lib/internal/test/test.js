// Tests, suites and hooks: how each runs, how its failure is kept, and in which order results are
// reported.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_TEST_FAILURE } } = require('internal/errors');
const { validateAbortSignal, validateNumber, validateUint32 } = require('internal/validators');
const { harness } = require('internal/test/harness');
const { SuiteContext, TestContext } = require('internal/test/context');

const TIMEOUT_MAX = 2 ** 31 - 1;
const NEEDS_FLAG = "'only' and 'runOnly' require the --test-only command-line option.";
const noop = () => {};

const isTestFailure = (error) => error?.code === 'ERR_TEST_FAILURE' && 'failureType' in error;
const isGiven = (option) => option !== undefined && option !== false;

// A callback in the manner of Node, as a promise. A second call is an error, a third is ignored.
function deferredCallback() {
  const { promise, resolve, reject } = Promise.withResolvers();
  let calls = 0;
  const callback = (error) => {
    calls++;
    if (calls === 2) throw new ERR_TEST_FAILURE('callback invoked multiple times', 'multipleCallbackInvocations');
    if (calls > 2) return;
    if (error) reject(error);
    else resolve();
  };
  return { promise, callback };
}

// Settles when a test has to stop: fulfilled when it was aborted, rejected when its time is over. The
// timer does not keep the program alive.
function stopTest(test) {
  const { timeout } = test;
  const { promise, resolve, reject } = Promise.withResolvers();
  test.stops.add(resolve);
  let timer;
  // Whoever tries every schedule lets any operation outlast any timer.
  if (timeout !== Infinity && !harness.isDriven) {
    const { guards: { setTimeout } } = require('internal/timers');
    timer = setTimeout(() => {
      reject(new ERR_TEST_FAILURE(`test timed out after ${timeout}ms`, 'testTimeoutFailure'));
    }, timeout);
    timer.unref?.();
  }
  const dispose = () => {
    if (timer !== undefined) require('internal/timers').clearTimeout(timer);
    test.stops.delete(resolve);
  };
  return { promise, dispose };
}

class Test {
  activeSubtests = 0;
  cancelled = false;
  diagnostics = [];
  endTime = null;
  isLeftOut = false;
  error = null;
  finished = false;
  mock = null;
  outputCount = 0;
  passed = false;
  pending = [];
  plan = null;
  ready = new Map();
  reportedType = undefined;
  startTime = null;
  // What is called when it is aborted.
  stops = new Set();
  subtests = [];
  // The number of the child whose result is to be reported next.
  waitingOn = 0;
  #aborted = false;
  #announced = false;
  // Made when somebody asks for its signal: few tests do.
  #controller;
  #locate;
  #context;
  #reported = false;

  constructor(options) {
    let { name, fn } = options;
    const { concurrency, locate, only, parent = null, skip, timeout, todo, signal } = options;
    if (typeof fn !== 'function') fn = noop;
    if (typeof name !== 'string' || name === '') name = fn.name || '<anonymous>';
    this.name = name;
    this.parent = parent;
    this.#locate = locate;
    if (parent === null) {
      this.root = this;
      this.path = [];
      this.nesting = 0;
      this.childNumber = 0;
      this.concurrency = 1;
      this.timeout = harness.timeLimit;
      this.only = harness.onlyFlag;
      this.runOnlySubtests = harness.onlyFlag;
      this.hooks = { before: [], after: [], beforeEach: [], afterEach: [], ownAfterEach: 0 };
    } else {
      this.root = parent.root;
      this.nesting = parent.parent === null ? parent.nesting : parent.nesting + 1;
      this.childNumber = parent.subtests.length + 1;
      this.path = [...parent.path, this.childNumber];
      this.isLeftOut = parent.isLeftOut || harness.leavesOut(this.path);
      this.concurrency = parent.concurrency;
      this.timeout = parent.timeout;
      this.only = only ?? !parent.runOnlySubtests;
      this.runOnlySubtests = !this.only;
      const { beforeEach, afterEach } = parent.hooks;
      this.hooks = { before: [], after: [], beforeEach: [...beforeEach], afterEach: [...afterEach], ownAfterEach: 0 };
    }
    this.#takeConcurrency(concurrency);
    if (timeout !== undefined && timeout !== null && timeout !== Infinity) {
      validateNumber(timeout, 'options.timeout', 0, TIMEOUT_MAX);
      this.timeout = timeout;
    }
    validateAbortSignal(signal, 'options.signal');
    this.outerSignal = signal;
    signal?.addEventListener('abort', this.#abort);

    const notOnly = harness.onlyFlag && parent !== null && !this.only;
    this.isMeant = parent?.isMeant || (parent !== null && harness.patterns.some((pattern) => pattern.test(name)));
    const unmeant = harness.patterns.length > 0 && parent !== null && !this.isMeant && !this.isSuite;
    const unwanted = notOnly ? "'only' option not set" : unmeant ? 'test name does not match pattern' : undefined;
    const skipping = this.isLeftOut || (unwanted ?? skip);
    this.skipped = isGiven(skipping);
    this.isTodo = isGiven(todo);
    this.fn = this.skipped ? noop : fn;
    const message = this.skipped ? skipping : todo;
    this.message = typeof message === 'string' ? message : null;
    if (!harness.onlyFlag && parent !== null && (only || this.runOnlySubtests)) this.diagnostic(NEEDS_FLAG);
  }

  #takeConcurrency(concurrency) {
    if (concurrency === undefined || concurrency === null) return;
    if (typeof concurrency === 'number') {
      validateUint32(concurrency, 'options.concurrency', true);
      this.concurrency = concurrency;
    } else if (typeof concurrency === 'boolean') {
      this.concurrency = concurrency ? Infinity : 1;
    } else {
      throw new ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], concurrency);
    }
  }

  get isSuite() {
    return false;
  }

  get reporter() {
    return this.root.ownReporter;
  }

  set reporter(reporter) {
    this.ownReporter = reporter;
  }

  get signal() {
    if (this.#controller === undefined) {
      const { AbortController } = require('internal/abort_controller');
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /// Nobody waits for it any more.
  abort() {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#controller?.abort();
    for (const stop of this.stops) stop();
  }

  get context() {
    this.#context ??= new TestContext(this);
    return this.#context;
  }

  /// Whether this test and those around it are next to report.
  get #isTurn() {
    return this.parent === null || (this.parent.waitingOn === this.childNumber && this.parent.#isTurn);
  }

  createSubtest(Factory, name, options, fn, overrides) {
    if (typeof name === 'function') {
      fn = name;
      name = options = undefined;
    } else if (name !== null && typeof name === 'object') {
      fn = options;
      options = name;
      name = undefined;
    } else if (typeof options === 'function') {
      fn = options;
      options = undefined;
    }
    // A test that is over cannot report for its children any more; the root does.
    const late = this.finished || this.buildOver === true;
    const parent = late ? this.root : this;
    const test = new Factory({ __proto__: null, ...options, fn, name, parent, ...overrides });
    if (parent.waitingOn === 0) parent.waitingOn = test.childNumber;
    if (late) {
      test.fail(new ERR_TEST_FAILURE(
        'test could not be started because its parent finished', 'parentAlreadyFinished'));
    }
    parent.subtests.push(test);
    if (test.reportedType === 'suite') return test;
    if (harness.isUnwanted(test)) test.leaveOut();
    else if (harness.isListing) test.list();
    return test;
  }

  /// Its name, after those of the tests and suites around it.
  get names() {
    return this.parent === null ? [] : [...this.parent.names, this.name];
  }

  /// Tells of itself, instead of running.
  list() {
    harness.list(this);
    this.fn = noop;
  }

  /// Neither runs nor is told of.
  leaveOut() {
    this.isLeftOut = true;
    this.skipped = true;
    this.fn = noop;
  }

  createHook(name, fn, options) {
    const hook = new TestHook(name, fn, options);
    if (name === 'before' && this.startTime !== null && !harness.isListing) {
      // The test runs already, and so does the hook.
      hook.run(this).then(() => {
        if (hook.error !== null) this.fail(hook.error);
      });
    }
    // A test's own come before those of what is around it, in the order they were made.
    if (name === 'afterEach') this.hooks.afterEach.splice(this.hooks.ownAfterEach++, 0, hook);
    else this.hooks[name].push(hook);
  }

  #abort = () => {
    const error = this.outerSignal?.reason ?? new Error('The test was aborted');
    error.failureType = 'testAborted';
    this.#cancel(error);
  };

  #cancel(error) {
    if (this.endTime !== null || this.error !== null) return;
    this.fail(error ?? new ERR_TEST_FAILURE('test did not finish before its parent and was cancelled', 'cancelledByParent'));
    this.cancelled = true;
    this.abort();
  }

  fail(error) {
    if (this.error !== null) return;
    this.passed = false;
    this.error = error;
  }

  pass() {
    if (this.error === null) this.passed = true;
  }

  diagnostic(message) {
    this.diagnostics.push(message);
  }

  shouldAbort() {
    if (this.#aborted) return true;
    if (!this.outerSignal?.aborted) return false;
    this.#abort();
    return true;
  }

  /// Runs now if the parent has room, else later; the promise says when it is over.
  start() {
    if (!this.isLeftOut) this.reporter.enqueue(this);
    if (this.parent.activeSubtests < this.parent.concurrency) return this.#begin();
    const { promise, resolve } = Promise.withResolvers();
    this.parent.pending.push({ test: this, resolve });
    return promise;
  }

  #begin() {
    if (!this.isLeftOut) this.reporter.dequeue(this);
    return this.run();
  }

  async runPending() {
    while (this.pending.length > 0 && this.activeSubtests < this.concurrency) {
      const { test, resolve } = this.pending.shift();
      await test.#begin();
      resolve();
    }
  }

  async runHook(name, test) {
    if (harness.isListing) return;
    for (const hook of this.hooks[name]) {
      await hook.run(test);
      if (hook.error === null) continue;
      const failure = new ERR_TEST_FAILURE(`failed running ${name} hook`, 'hookFailed');
      failure.cause = isTestFailure(hook.error) ? hook.error.cause : hook.error;
      throw failure;
    }
  }

  // Calls the function with its context, and with a callback if it takes one.
  async callFunction(context, stopped) {
    const { fn } = this;
    if (fn.length !== 2) {
      await Promise.race([Promise.resolve(harness.runInScope(this, fn, context, [context])), stopped]);
      return;
    }
    const { promise, callback } = deferredCallback();
    const result = harness.runInScope(this, fn, context, [context, callback]);
    if (result instanceof Promise) {
      this.fail(new ERR_TEST_FAILURE('passed a callback but also returned a Promise', 'callbackAndPromisePresent'));
      await Promise.race([result, stopped]);
    } else {
      await Promise.race([promise, stopped]);
    }
  }

  async run() {
    const { parent } = this;
    if (parent !== null) parent.activeSubtests++;
    this.startTime ??= harness.now();
    if (this.shouldAbort()) {
      this.postRun();
      return;
    }
    let afterEachHasRun = false;
    const afterEach = async () => {
      if (afterEachHasRun || this.skipped || parent === null) return;
      afterEachHasRun = true;
      await parent.runHook('afterEach', this);
    };
    let stop;
    harness.begins(this);
    try {
      // The parent's hooks run by themselves; here they are waited for.
      if (parent !== null && parent.hooks.before.length > 0) await parent.runHook('before', parent);
      if (parent !== null && parent.hooks.beforeEach.length > 0 && !this.skipped) await parent.runHook('beforeEach', this);
      stop = stopTest(this);
      if (parent !== null) await this.callFunction(this.context, stop.promise);
      if (this.shouldAbort()) {
        await afterEach();
        await this.runHook('after', this);
        this.postRun();
        return;
      }
      if (this.plan !== null) {
        // What is counted right after the end still counts.
        await undefined;
        this.plan.check();
      }
      this.pass();
      await afterEach();
      await this.runHook('after', this);
    } catch (error) {
      this.#failWith(error);
      // The first failure counts.
      await afterEach().catch(noop);
      await this.runHook('after', this).catch(noop);
    } finally {
      harness.ends(this);
      stop?.dispose();
      if (parent !== null) this.abort();
    }
    if (parent !== null) this.postRun();
  }

  #failWith(error) {
    if (!isTestFailure(error)) this.fail(new ERR_TEST_FAILURE(error, 'testCodeFailure'));
    else if (error.failureType === 'testTimeoutFailure') this.#cancel(error);
    else this.fail(error);
  }

  /// Cancels children that are not over, and has the result reported when it is its turn.
  postRun(pendingError) {
    this.startTime ??= harness.now();
    this.endTime ??= harness.now();
    this.pending = [];
    for (const subtest of this.subtests) {
      if (subtest.finished) continue;
      subtest.#cancel(pendingError);
      subtest.postRun(pendingError);
    }
    const failed = this.subtests.filter((subtest) => !subtest.passed && !subtest.isTodo).length;
    if (failed > 0 && (this.passed || this.parent === null)) {
      this.passed = false;
      this.error ??= new ERR_TEST_FAILURE(`${failed} subtest${failed > 1 ? 's' : ''} failed`, 'subtestsFailed');
    }
    this.mock?.reset();
    if (this.parent === null) this.#summarize();
    else this.#handOver();
  }

  #handOver() {
    const { parent, root } = this;
    if (!this.isLeftOut) this.reporter.complete(() => ({ ...this.#result(this.childNumber), passed: this.passed, error: this.error ?? undefined }));
    parent.activeSubtests--;
    parent.ready.set(this.childNumber, this);
    parent.reportReady(false);
    parent.runPending();
    // All tests are over, but something may keep the loop alive that the hook would clean up. Others may come yet, with
    // hooks of their own; each hook runs once.
    const none = root.activeSubtests === 0 && root.pending.length === 0 && root.ready.size === 0;
    if (parent !== root || !none) return;
    harness.areOver(root.run());
  }

  reportReady(isTurn) {
    for (let number = this.waitingOn; this.ready.has(number); number++) {
      if (!isTurn && !this.#isTurn) return;
      isTurn = true;
      const subtest = this.ready.get(number);
      this.ready.delete(number);
      subtest.reportReady(true);
      subtest.report();
      this.waitingOn++;
      subtest.finished = true;
    }
  }

  announce() {
    if (this.#announced || this.parent === null || this.isLeftOut) return;
    this.#announced = true;
    this.parent.announce();
    this.reporter.start(this);
  }

  /// Where it was declared.
  get loc() {
    return this.#locate?.();
  }

  report() {
    if (this.isLeftOut) return;
    this.#count();
    if (this.subtests.length > 0) this.reporter.plan(this.subtests[0].nesting, this.subtests.length, this);
    else this.announce();
    const data = this.#result(++this.parent.outputCount);
    if (this.passed) this.reporter.pass(data);
    else this.reporter.fail({ ...data, error: this.error });
    for (const message of this.diagnostics) this.reporter.diagnostic(this.nesting, message);
  }

  // What came of it, as it is told.
  #result(testNumber) {
    const test = this;
    return {
      name: this.name,
      nesting: this.nesting,
      testNumber,
      duration: Math.max(this.endTime - this.startTime, 0),
      type: this.reportedType,
      skip: this.skipped ? this.message ?? true : undefined,
      todo: !this.skipped && this.isTodo ? this.message ?? true : undefined,
      get location() { return test.loc; },
    };
  }

  #count() {
    const { counters } = harness;
    if (this.nesting === 0 && this.parent.parent === null) counters.topLevel++;
    if (this.reportedType === 'suite') {
      counters.suites++;
      return;
    }
    counters.all++;
    if (this.skipped) counters.skipped++;
    else if (this.isTodo) counters.todo++;
    else if (this.cancelled) counters.cancelled++;
    else if (!this.passed) counters.failed++;
    else counters.passed++;
  }

  #summarize() {
    if (this.#reported) return;
    this.#reported = true;
    const { counters } = harness;
    const { reporter } = this;
    reporter.plan(0, counters.topLevel);
    for (const message of this.diagnostics) reporter.diagnostic(0, message);
    reporter.diagnostic(0, `tests ${counters.all}`);
    reporter.diagnostic(0, `suites ${counters.suites}`);
    reporter.diagnostic(0, `pass ${counters.passed}`);
    reporter.diagnostic(0, `fail ${counters.failed}`);
    reporter.diagnostic(0, `cancelled ${counters.cancelled}`);
    reporter.diagnostic(0, `skipped ${counters.skipped}`);
    reporter.diagnostic(0, `todo ${counters.todo}`);
    reporter.diagnostic(0, `duration_ms ${this.endTime - this.startTime}`);
    reporter.end();
  }
}

// A hook is a test that reports nothing. Those before and after everything run once; the others anew
// for each test.
class TestHook extends Test {
  #onlyRun = null;

  constructor(hookType, fn, { parent, ...options }) {
    super({ __proto__: null, ...options, fn, parent: null });
    this.hookType = hookType;
    this.owner = parent;
    this.timeout = options.timeout ?? Infinity;
  }

  run(target) {
    if (this.hookType !== 'before' && this.hookType !== 'after') return this.#runFor(target);
    this.#onlyRun ??= this.#runFor(target);
    return this.#onlyRun;
  }

  async #runFor(target) {
    if (this.error !== null && !this.outerSignal?.aborted) {
      this.passed = false;
      this.error = null;
    }
    this.endTime = null;
    if (this.shouldAbort()) return;
    const stop = stopTest(this);
    try {
      await this.callFunction(target.context, stop.promise);
      this.shouldAbort();
    } catch (error) {
      this.fail(isTestFailure(error) ? error : new ERR_TEST_FAILURE(error, 'testCodeFailure'));
    } finally {
      stop.dispose();
      // What it has begun and fails from now on is its own, and no test's.
      this.endTime = harness.now();
    }
    this.#reportAtRoot();
  }

  // Nothing is left that the root's last hook could fail, so it is reported like a test.
  #reportAtRoot() {
    const { error, loc, owner } = this;
    if (error === null || this.hookType !== 'after' || owner.parent !== null) return;
    if (isTestFailure(error)) error.failureType = 'hookFailed';
    owner.reporter.fail({
      nesting: 0, testNumber: owner.subtests.length + 1, name: loc?.file ?? '<root>', duration: 0, location: loc, error,
    });
  }
}

class Suite extends Test {
  reportedType = 'suite';
  #suiteContext = new SuiteContext(this);
  #build = null;

  constructor(options) {
    super(options);
    const fail = (error) => this.fail(new ERR_TEST_FAILURE(error, 'testCodeFailure'));
    const over = () => { this.buildOver = true; };
    try {
      this.#build = harness.runSuite(this, this.fn, this.context);
    } catch (error) {
      fail(error);
    }
    if (this.#build === null) over();
    else this.#build = this.#build.catch(fail).finally(over);
    this.fn = noop;
  }

  get isSuite() {
    return true;
  }

  get context() {
    return this.#suiteContext;
  }

  async run() {
    const { parent } = this;
    let afterHasRun = false;
    const after = async () => {
      if (afterHasRun) return;
      afterHasRun = true;
      await this.runHook('after', this);
    };
    let stop;
    parent.activeSubtests++;
    try {
      await this.#build;
      this.startTime = harness.now();
      if (this.shouldAbort()) {
        this.subtests = [];
        this.postRun();
        return;
      }
      if (parent.hooks.before.length > 0) await parent.runHook('before', parent);
      await this.runHook('before', this);
      stop = stopTest(this);
      const subtests = this.skipped || this.error !== null ? [] : this.subtests;
      await Promise.race([Promise.all(subtests.map((subtest) => subtest.start())), stop.promise]);
      await after();
      this.pass();
    } catch (error) {
      await after().catch(noop);
      this.fail(isTestFailure(error) ? error : new ERR_TEST_FAILURE(error, 'testCodeFailure'));
    } finally {
      stop?.dispose();
      this.abort();
    }
    this.postRun();
  }
}

module.exports = { Suite, Test };
