// The root of all tests: where `test` and `describe` find their parent, what happens to errors that
// nobody caught, and the end of the run.
//
// From `binding`:
//   startTests(finish)  called once, with the first test. The host calls `finish` when its loop has
//                       nothing left to do (Node's 'beforeExit') and runs the loop again until the
//                       promise that it gives has settled.
//   setExitCode(code)   the exit code of the program, where a test failed
//   nextTick(fn)        as process.nextTick: after the microtasks
//   now()               milliseconds, for durations
//   flags               what the command line asked for: --test-force-exit, --test-only, --test-name-pattern, --test-timeout
//   wantedTest?.()      which test runs alone, by the numbers of those around it and its own; null: none,
//                       they are listed; undefined: all run
//   listTest(path, names, skipped, todo)
//   testSettings?.()    what a command that runs many files wants of this one
'use strict';

const { AsyncLocalStorage } = require('async_hooks');
// A test may put its own there.
const { setImmediate } = require('timers');
const { codes: { ERR_TEST_FAILURE } } = require('internal/errors');

let root = null;
// Ends the run, the first time that it is called.
let end;
let isEnding = false;

// Which test's or suite's function is running, or has started what runs.
const scope = new AsyncLocalStorage();
// The root's first tests start when the code that declares them has had its turn.
let bootstrap = null;
// Tests that have started and not ended, in the order they started.
const running = new Set();

function suiteSettings() {
  const settings = binding.testSettings?.();
  return settings === undefined ? undefined : JSON.parse(settings);
}

const isOfSuite = suiteSettings() !== undefined;

// Which test is wanted, once somebody has asked: this file may be loaded before it is known.
let asked;

function wantedTest() {
  if (!isOfSuite) return binding.wantedTest?.();
  const { list, wanted } = suiteSettings();
  return list ? null : wanted;
}

// A test is known by its name if it matches one of these; none: all are.
function namePatterns() {
  const wanted = binding.flags.filter((flag) => flag.startsWith('--test-name-pattern=')).map((flag) => flag.slice('--test-name-pattern='.length));
  return wanted.map((text) => {
    const [, source, letters] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
    return source === undefined ? new RegExp(text) : new RegExp(source, letters);
  });
}

function timeLimit() {
  const limit = binding.flags.findLast((flag) => flag.startsWith('--test-timeout='));
  return limit === undefined ? Infinity : Number(limit.slice('--test-timeout='.length));
}

const endsByForce = binding.flags.includes('--test-force-exit') && !isOfSuite && wantedTest() === undefined;

const harness = {
  counters: { all: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0, topLevel: 0 },
  onlyFlag: binding.flags.includes('--test-only') || suiteSettings()?.only === true,
  patterns: namePatterns(),
  timeLimit: timeLimit(),
  running,

  get wanted() {
    asked ??= { wanted: wantedTest() };
    return asked.wanted;
  },

  /// Milliseconds, for durations. Whoever tries every order is told none: what reads a clock depends on it.
  now: () => (harness.isDriven ? 0 : binding.now()),

  /// Whether the tests are only listed.
  get isListing() {
    return harness.wanted === null;
  },

  /// Whether somebody runs the tests one by one, in every order.
  get isDriven() {
    return harness.wanted !== undefined;
  },

  /// Whether a test does not run because another one runs alone.
  leavesOut(path) {
    return Array.isArray(harness.wanted) && path.some((number, at) => number !== (harness.wanted[at] ?? number));
  },

  /// Whether the command that runs many files does not want a test.
  isUnwanted(test) {
    return isOfSuite && !require('internal/suite/from_node').wants(test.names);
  },

  /// A test runs from now on.
  begins(test) {
    running.add(test);
    if (isOfSuite && test.parent !== null) require('internal/suite/from_node').begins(test);
  },

  /// It does not any more. What keeps the process alive when no test runs must not keep other files waiting.
  ends(test) {
    running.delete(test);
    if (isOfSuite && running.size === 0) require('internal/suite/main').nodeRests(() => running.size === 0, () => end());
  },

  /// All tests are over that are known. With `--test-force-exit` the program ends after the root's hooks, whatever else it
  /// waits for, unless there are other tests by then.
  areOver(hooks) {
    if (!endsByForce) return;
    setImmediate(async () => {
      await hooks;
      if (isEnding || root.subtests.some((test) => !test.finished)) return;
      await end();
      require('internal/process').exit();
    });
  },

  /// Tells whoever asked of a test that was declared.
  list(test) {
    if (isOfSuite) require('internal/suite/from_node').list(test);
    else binding.listTest(test.path, test.names, test.skipped, test.isTodo);
  },

  /// Calls `fn` as the function of `test`, so that tests are children of it that it declares, now or later.
  runInScope(test, fn, thisArg, args) {
    return scope.run(test, () => Reflect.apply(fn, thisArg, args));
  },

  /// Runs the function of a suite, and gives a promise if that waits for something.
  runSuite(suite, fn, context) {
    const result = harness.runInScope(suite, fn, context, [context]);
    return typeof result?.then === 'function' ? Promise.resolve(result) : null;
  },
};

function getRoot() {
  if (root !== null) return root;
  const { Test } = require('internal/test/test');
  const { Reporter } = require('internal/test/reporter');
  root = new Test({ __proto__: null, name: '<root>' });
  root.harness = harness;
  root.reporter = new Reporter(harness.isDriven && !isOfSuite);
  root.startTime = harness.now();
  bootstrap = Promise.resolve().then(() => { bootstrap = null; });
  const process = require('internal/process');
  const uncaught = (error) => failRunning(error, 'uncaughtException');
  const unhandled = (error) => failRunning(error, 'unhandledRejection');
  process.on('uncaughtException', uncaught);
  process.on('unhandledRejection', unhandled);
  end = async () => {
    end = () => {};
    isEnding = true;
    await finish();
    process.removeListener('uncaughtException', uncaught);
    process.removeListener('unhandledRejection', unhandled);
    if (isOfSuite) require('internal/suite/main').nodeEnded();
  };
  binding.startTests(() => end());
  return root;
}

// An error that nobody caught fails the test that has started what failed, or else the test that started last among
// those that still run.
function failRunning(error, origin) {
  const own = scope.getStore();
  const isOver = own !== undefined && own.endTime !== null;
  const test = isOver || running.has(own) ? own : [...running].at(-1);
  if (test === undefined || isOver) {
    afterTheEnd(error, origin, test);
    return;
  }
  test.fail(new ERR_TEST_FAILURE(error, origin));
  test.abort();
}

// An error that belongs to no test, or to one that is over.
function afterTheEnd(error, origin, test) {
  const activity = 'generated asynchronous activity after the test ended. This activity created the error';
  if (test === undefined) {
    root.diagnostic(`Error: A resource ${activity} "${error}" which triggered an ${origin} event, caught by the test runner.`);
  } else {
    const { file, line, column } = test.loc ?? {};
    const path = require('path');
    const at = file === undefined ? '' : ` at ${path.relative(require('internal/process').cwd(), file)}:${line}:${column}`;
    const who = test.hookType === undefined ? `Test "${test.name}"` : `Test hook "${test.hookType}"`;
    root.diagnostic(
      `Error: ${who}${at} ${activity} "${error}" and would have caused the test to fail, ` +
      `but instead triggered an ${origin} event.`);
  }
  binding.setExitCode(1);
  if (!isOfSuite) return;
  const told = require('internal/suite/failures').of(error);
  const message = test === undefined || test.hookType !== undefined ? told.message : `"${test.names.join(' ')}" caused this after it was over:\n\n${told.message}`;
  require('internal/suite/report').broken({ ...told, message });
}

// Tests that still wait will never go on. A root without tests has its hooks run all the same.
async function finish() {
  const { before, after } = root.hooks;
  if (root.subtests.length === 0 && before.length + after.length > 0) await root.run();
  const pending = 'Promise resolution is still pending but the event loop has already resolved';
  root.postRun(new ERR_TEST_FAILURE(pending, 'cancelledByParent'));
  const closing = root.reporter.close();
  if (closing !== undefined) await closing;
}

/// The place in the program that called, looked for once somebody asks.
function callerLater() {
  const error = new Error();
  let found;
  return () => {
    found ??= { place: firstPlace(error.stack) };
    return found.place;
  };
}

// The first frame of a stack that has a path.
function firstPlace(stack) {
  for (const line of String(stack).split('\n')) {
    const found = /(?:\(|at )((?:file:\/\/)?\/[^()]*):(\d+):(\d+)\)?$/.exec(line);
    if (found === null) continue;
    const [lineNumber, column] = found.slice(2).map(Number);
    return { file: found[1].replace(/^file:\/\//, ''), line: lineNumber, column };
  }
  return undefined;
}

const parentNow = () => scope.getStore() ?? getRoot();

/// `test` or `describe`, and their `skip`, `todo` and `only`.
function runInParentContext(Factory) {
  const { Suite } = require('internal/test/test');

  const declare = (name, options, fn, overrides) => {
    const parent = parentNow();
    const child = parent.createSubtest(Factory, name, options, fn, { ...overrides, locate: callerLater() });
    // A suite runs its children itself, once it knows all of them.
    return parent instanceof Suite ? Promise.resolve() : start(child);
  };
  const start = async (child) => {
    if (bootstrap !== null) await bootstrap;
    await child.start();
  };

  const test = (name, options, fn) => declare(name, options, fn);
  for (const keyword of ['skip', 'todo', 'only']) {
    test[keyword] = unnamed((name, options, fn) => declare(name, options, fn, { [keyword]: true }));
  }
  return test;
}

// Keeps an arrow function from taking the name of what it is assigned to, as in Node.
const unnamed = (fn) => Object.defineProperty(fn, 'name', { configurable: true, value: '' });

/// `before`, `after`, `beforeEach` or `afterEach` of whatever is being declared.
function hook(name) {
  return unnamed((fn, options) => {
    const parent = parentNow();
    parent.createHook(name, fn, { __proto__: null, ...options, parent, locate: callerLater() });
  });
}

/// Whether a test or a hook was declared.
const isUsed = () => root !== null;

module.exports = { callerLater, harness, hook, isUsed, runInParentContext };
