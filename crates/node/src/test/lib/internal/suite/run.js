// How the tests of a file run, and what becomes of each.
'use strict';

const { Skipped, Suite, Test } = require('internal/suite/tree');
const { clearTimeout, guards: { setTimeout } } = require('internal/timers');
const failures = require('internal/suite/failures');
const project = require('internal/suite/project');
const report = require('internal/suite/report');

// Milliseconds, for durations. Whoever tries every order is told none: what reads a clock depends on it.
const now = () => (project.settings.explore ? 0 : binding.now());

const CONCURRENT = 5;
const LONGEST = 2 ** 31 - 1;

// Tests that have started and not ended, in that order.
const running = new Set();
// Under this name a context says which of them has started what runs. Whoever tries every order runs one test and need
// not ask.
const OWNER = {};
let isFollowed = false;

// Calls a function of a test, so that what it starts is known to be of that test.
function inScope(attempt, fn, context, args) {
  if (project.settings.explore || !(attempt instanceof Attempt)) return Reflect.apply(fn, context, args);
  if (!isFollowed) {
    isFollowed = true;
    binding.useContexts('frames', true);
  }
  const { extend, keep, runWith } = require('internal/async_context');
  return runWith(OWNER, attempt, () => Reflect.apply(fn, context, args), [], false, extend, keep);
}

class Stop extends Error {}

// Everything there is to know of one test of which one attempt runs.
class Attempt {
  constructor(test, settings) {
    this.test = test;
    this.settings = settings;
    this.failures = [];
    this.isSkipped = false;
    this.finished = [];
    this.failed = [];
    this.interrupt = Promise.withResolvers();
    this.interrupt.promise.catch(() => {});
  }

  fail(error) {
    // Somebody has failed it already.
    if (error instanceof Stop) return;
    if (error instanceof Skipped) {
      this.isSkipped = true;
      this.reason = error.message;
    } else {
      this.failures.push(error);
    }
  }
}

const limitOf = (node, settings) => {
  for (let at = node; at !== null && at !== undefined; at = at.parent) if (at.timeout !== undefined) return at.timeout;
  return settings.timeout;
};

const retriesOf = (node, settings) => {
  // Each order is tried once, and says what becomes of the test in it.
  if (settings.explore) return 0;
  for (let at = node; at !== null && at !== undefined; at = at.parent) if (at.retries !== undefined) return at.retries;
  return settings.retries ?? 0;
};

// Calls a function of the test file and waits until it is through, or its time is.
async function call(fn, { attempt, context, args = [], limit, what, takesDone, locate }) {
  let timer;
  // Whoever tries every order lets any operation outlast any timer: a limit would only be one more of them.
  const isLimited = !project.settings.explore;
  const { promise: stopped, reject } = isLimited ? Promise.withResolvers() : {};
  stopped?.catch(() => {});
  const arm = (ms) => {
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    if (isLimited && ms > 0 && ms < LONGEST) timer = setTimeout(() => reject(tooLong(what, ms, locate())), ms);
  };
  const runner = {
    limit: () => limit,
    setLimit(ms) { limit = ms; arm(ms); },
    setRetries(count) { attempt.test.retries = count; },
    test: attempt?.test,
    currentTest: attempt?.test,
  };
  context.runner = runner;
  arm(limit);
  try {
    const callback = takesDone ? doneCallback(attempt?.test) : null;
    let result = inScope(attempt, fn, context, callback === null ? args : [...args, callback.done]);
    if (callback !== null) refuseBoth(result);
    if (callback === null && typeof result?.then !== 'function') {
      if (project.settings.flavour !== 'jest' || result === undefined || what !== THE_TEST) return result;
      if (!isGenerator(result)) refuseValue(result);
      result = stepped(result);
    }
    const through = callback === null ? result : callback.promise;
    return await Promise.race([through, stopped, attempt?.interrupt.promise].filter((one) => one !== undefined));
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}

const THE_TEST = 'the test';
const isGenerator = (value) => Object.prototype.toString.call(value) === '[object Generator]';

// jest runs generators as functions that wait for what they yield.
async function stepped(generator) {
  let step = generator.next();
  while (!step.done) {
    let value;
    try {
      value = await step.value;
    } catch (error) {
      step = generator.throw(error);
      continue;
    }
    step = generator.next(value);
  }
}

// jest lets tests return promises only.
function refuseValue(result) {
  throw new Error(`test functions can only return Promise or undefined.\nReturned value: ${require('internal/expect/print').format(result)}`);
}

// mocha and jest do not let a function take a callback and give a promise as well: which of them ends it is unclear.
function refuseBoth(result) {
  const { flavour } = project.settings;
  if (flavour === 'mocha' && typeof result?.then === 'function') {
    throw new Error('Resolution method is overspecified. Specify a callback *or* return a Promise; not both.');
  }
  if (flavour === 'jest' && result !== undefined) {
    throw new Error(`Test functions cannot both take a 'done' callback and return something. Either use a 'done' callback, or return a promise.\nReturned value: ${require('internal/expect/print').format(result)}`);
  }
  // A promise that fails is a failure all the same.
  if (typeof result?.then === 'function') result.then(undefined, (error) => { interrupt(error); });
}

function doneCallback(test) {
  const { promise, resolve, reject } = Promise.withResolvers();
  let calls = 0;
  const done = (error) => {
    calls++;
    if (calls > 1) throw new Error(`done() called multiple times${test?.name ? ` in "${test.name}"` : ''}`);
    if (error) reject(error instanceof Error ? error : new Error(`done() was called with ${require('internal/expect/print').stringify(error)}`));
    else resolve();
  };
  done.fail = (error) => done(error ?? new Error('done.fail() was called'));
  return { done, promise };
}

function tooLong(what, ms, place) {
  const error = new Error(`${what} did not end within ${ms} ms. If it needs longer, give it a longer timeout`);
  error.stack = `Error: ${error.message}${place === undefined ? '' : `\n    at ${place.file}:${place.line}:${place.column}`}`;
  return error;
}

const WORDS = { beforeAll: 'the beforeAll hook', afterAll: 'the afterAll hook', beforeEach: 'the beforeEach hook', afterEach: 'the afterEach hook' };

class Runner {
  constructor(settings, isSelected) {
    this.settings = settings;
    this.isSelected = isSelected;
    this.bailed = false;
  }

  get isVitest() {
    return this.settings.flavour === 'vitest';
  }

  /// Whether the tests of a suite have one `this`, as in mocha: what one of them leaves there the next one finds.
  get isShared() {
    return this.settings.flavour !== 'jest' && !this.isVitest;
  }

  /// Whether anything in a suite is to run.
  hasWork(suite) {
    return suite.children.some((child) => (child instanceof Test ? this.runs(child) : this.hasWork(child)));
  }

  runs(test) {
    return this.isSelected(test) && this.skipReason(test) === undefined;
  }

  /// Tells of all tests that are wanted, and runs none.
  list(suite) {
    for (const child of suite.children) {
      if (child instanceof Suite) this.list(child);
      else if (this.isSelected(child)) report.listed(child, this.skipReason(child));
    }
  }

  // Why a test does not run; undefined if it does.
  skipReason(test) {
    if (test.mode === 'todo') return 'todo';
    for (let at = test; at !== null; at = at.parent) {
      if (at.mode === 'skip') return 'skip';
      if (at.mode === 'todo') return 'todo';
    }
    if (test.fn === undefined) return 'todo';
    if (this.settings.only && !test.isOnly) return 'only';
    return undefined;
  }

  async hooks(suite, kind, context, attempt) {
    let list = suite.hooks[kind];
    if (this.isVitest && kind.startsWith('after')) list = [...list].reverse();
    for (const { fn, timeout, locate } of list) {
      const limit = timeout ?? this.settings.hookTimeout ?? limitOf(suite, this.settings);
      const args = this.isVitest ? [kind.endsWith('Each') ? attempt.context : suiteContext(suite)] : [];
      const given = await call(fn, {
        attempt, args, context, limit, locate, takesDone: !this.isVitest && fn.length > 0, what: WORDS[kind],
      });
      // vitest takes a function for what undoes the hook.
      if (this.isVitest && typeof given === 'function') {
        if (kind === 'beforeEach') attempt.cleanups.unshift(given);
        else if (kind === 'beforeAll') suite.hooks.afterAll.push({ fn: given, kind: 'afterAll' });
      }
    }
  }

  async suite(suite) {
    if (!this.hasWork(suite)) {
      this.skipAll(suite);
      return;
    }
    let failure;
    try {
      if (has(suite, 'beforeAll')) await this.hooks(suite, 'beforeAll', suite.context, { cleanups: [], test: suite, interrupt: Promise.withResolvers() });
    } catch (error) {
      if (error instanceof Skipped) {
        suite.mode = 'skip';
        this.skipAll(suite);
        return;
      }
      failure = error;
    }
    if (failure === undefined) await this.children(suite);
    else this.failAll(suite, failure);
    try {
      if (has(suite, 'afterAll')) await this.hooks(suite, 'afterAll', suite.context, { cleanups: [], test: suite, interrupt: Promise.withResolvers() });
    } catch (error) {
      report.hook([...suite.path, 'afterAll hook'], failures.of(error));
    }
  }

  async children(suite) {
    const { children } = suite;
    // mocha runs the tests of a suite before the suites in it.
    const ordered = this.settings.flavour === 'mocha'
      ? [...children.filter((child) => child instanceof Test), ...children.filter((child) => child instanceof Suite)]
      : children;
    for (let at = 0; at < ordered.length;) {
      if (this.bailed) return;
      let end = at;
      while (end < ordered.length && ordered[end].isConcurrent) end++;
      if (end - at > 1) {
        await this.together(ordered.slice(at, end));
        at = end;
      } else {
        await this.child(ordered[at++]);
      }
    }
  }

  async together(nodes) {
    const waiting = [...nodes];
    const work = async () => {
      while (waiting.length > 0 && !this.bailed) await this.child(waiting.shift());
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENT, nodes.length) }, work));
  }

  child(node) {
    return node instanceof Suite ? this.suite(node) : this.test(node);
  }

  skipAll(suite) {
    for (const child of suite.children) {
      if (child instanceof Suite) this.skipAll(child);
      else if (this.isSelected(child)) report.skipped(child, this.skipReason(child) ?? 'skip');
    }
  }

  failAll(suite, error) {
    for (const child of suite.children) {
      if (child instanceof Suite) this.failAll(child, error);
      else if (this.runs(child)) report.ended(child, { failures: [failures.of(error)], outcome: 'fail', ms: 0 });
      else if (this.isSelected(child)) report.skipped(child, this.skipReason(child));
    }
    if (this.settings.bail) this.bailed = true;
  }

  async test(test) {
    if (!this.isSelected(test)) return;
    const reason = this.skipReason(test);
    if (reason !== undefined) {
      report.skipped(test, reason);
      return;
    }
    const limit = limitOf(test, this.settings);
    report.started(test, limit);
    const begun = now();
    let attempt;
    let retries = 0;
    let passed = 0;
    for (let round = 0; round < (this.settings.repeat ?? 1) * ((test.options.repeats ?? 0) + 1); round++) {
      for (let number = 0; ; number++) {
        test.attempt = number;
        attempt = await this.attempt(test, limit, round + number > 0);
        if (attempt.failures.length === 0 || number >= retriesOf(test, this.settings)) break;
        retries++;
      }
      if (attempt.failures.length > 0) break;
      passed++;
    }
    const isFailed = attempt.failures.length > 0;
    test.state = isFailed ? 'failed' : 'passed';
    if (attempt.isSkipped && !isFailed) {
      report.skipped(test, 'skip', attempt.reason);
      return;
    }
    report.ended(test, {
      failures: attempt.failures.map((error) => failures.of(error, this.settings)), ms: now() - begun,
      outcome: !isFailed ? 'pass' : passed > 0 ? 'flaky' : 'fail', retries,
    });
    if (isFailed && this.settings.bail) this.bailed = true;
  }

  // Runs a test once, with the hooks around it.
  async attempt(test, limit, isAgain) {
    const attempt = new Attempt(test, this.settings);
    const { newState, unmet, use } = require('internal/expect/state');
    const state = Object.assign(newState(), { currentTestName: this.isVitest ? test.path.join(' > ') : test.fullName, testPath: this.settings.file, test });
    attempt.state = state;
    attempt.cleanups = [];
    attempt.context = this.isVitest ? require('internal/suite/fixtures').contextOf(test, attempt) : undefined;
    use(state);
    this.resetMocks();
    if (isAgain) require('internal/suite/snapshots').restart(state.currentTestName);
    const own = this.isShared ? test.parent.context : Object.create(test.parent.context);
    const contextOf = (suite) => (this.isShared ? suite.context : own);
    const suites = [];
    for (let at = test.parent; at !== null; at = at.parent) suites.unshift(at);
    const entered = [];
    running.add(attempt);
    try {
      for (const suite of suites) {
        entered.unshift(suite);
        if (has(suite, 'beforeEach')) await this.hooks(suite, 'beforeEach', contextOf(suite), attempt);
      }
      await this.body(test, attempt, own, limit);
      if (binding.pendingRejections() > 0) await turn();
      use(state);
      attempt.failures.push(...state.soft);
      const error = unmet(state);
      if (error !== undefined) attempt.fail(error);
    } catch (error) {
      attempt.fail(error);
    }
    if (test.options.fails) this.invert(attempt);
    if (attempt.context !== undefined) {
      const { result } = attempt.context.task;
      Object.assign(result, attempt.failures.length > 0 ? { errors: [...attempt.failures], state: 'fail' } : { state: 'pass' });
    }
    for (const suite of entered) {
      try {
        use(state);
        if (has(suite, 'afterEach')) await this.hooks(suite, 'afterEach', contextOf(suite), attempt);
      } catch (error) {
        attempt.fail(error);
      }
    }
    const last = [...attempt.failures.length > 0 ? attempt.failed : [], ...attempt.cleanups, ...attempt.finished.reverse()];
    for (const fn of last) {
      try {
        await fn(attempt.context);
      } catch (error) {
        attempt.fail(error);
      }
    }
    running.delete(attempt);
    return attempt;
  }

  async body(test, attempt, context, limit) {
    const { fn, options } = test;
    const args = options.args ?? [];
    const locate = () => test.location;
    if (this.isVitest && (!options.args || options.isFor)) {
      const prepared = await require('internal/suite/fixtures').prepare(test, attempt);
      await call(fn, { args: [...args, prepared], attempt, context, limit, locate, what: THE_TEST });
      return;
    }
    await call(fn, { args, attempt, context, limit, locate, takesDone: !this.isVitest && !options.isFor && fn.length > args.length, what: THE_TEST });
  }

  invert(attempt) {
    if (attempt.failures.length > 0) attempt.failures = [];
    else attempt.fail(new Error('the test was marked as failing, but it passed. Remove the mark'));
  }

  resetMocks() {
    const { clearMocks, resetMocks, restoreMocks } = this.settings;
    if (!clearMocks && !resetMocks && !restoreMocks) return;
    const mocks = require('internal/suite/mocks');
    if (clearMocks) mocks.clearAll();
    if (resetMocks) mocks.resetAll();
    if (restoreMocks) mocks.restoreAll();
  }
}

// Whoever has none is not waited for: every wait is a turn for something else.
const has = (suite, kind) => suite.hooks[kind].length > 0;
const suiteContext = (suite) => ({ name: suite.name });

// What was rejected and has no handler is told when the tail is over.
const turn = () => new Promise((resolve) => { binding.setImmediate(resolve); });

/// An error that nobody caught: it is the failure of the test that has started what failed, or else of the one that runs.
/// False if there is none.
function interrupt(error) {
  const own = isFollowed ? require('internal/async_context').read(OWNER) : undefined;
  if (own !== undefined && !running.has(own)) {
    const told = failures.of(error);
    report.broken({ ...told, message: `"${own.test.fullName}" caused this after it was over:\n\n${told.message}` });
    return true;
  }
  const attempt = own ?? [...running].at(-1);
  if (attempt === undefined) return false;
  attempt.failures.push(error);
  attempt.interrupt.reject(new Stop());
  return true;
}

module.exports = { Runner, current: () => [...running].at(-1), interrupt };
