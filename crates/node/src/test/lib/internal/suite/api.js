// What test files call: describe, test and the hooks, in the forms of mocha, jest, vitest and bun.
'use strict';

const { callerLater } = require('internal/suite/failures');
const project = require('internal/suite/project');
const { declareHook, declareSuite, declareTest } = require('internal/suite/tree');

const state = { isVitest: false };

// The function and the options of `(name, fn, timeout)`, `(name, options, fn)`, `(name, fn, options)`.
function sorted(a, b) {
  const [fn, given] = typeof a === 'function' || a === undefined ? [a, b] : [b, a];
  const options = typeof given === 'number' ? { timeout: given } : given !== null && typeof given === 'object' ? given : {};
  return [typeof fn === 'function' ? fn : undefined, options];
}

function modeOf(flags, options) {
  if (flags.todo || options.todo) return 'todo';
  if (flags.skip || options.skip) return 'skip';
  if (flags.only || options.only) return 'only';
  return 'run';
}

function optionsOf(flags, options) {
  return {
    concurrent: flags.concurrent ?? options.concurrent,
    fails: Boolean(flags.fails ?? options.fails),
    fixtures: flags.fixtures,
    isFor: flags.isFor,
    mode: modeOf(flags, options),
    repeats: options.repeats,
    retries: options.retry?.count ?? options.retry ?? options.retries,
    timeout: options.timeout,
  };
}

// Where something is declared. Whoever tries every order of a test knows that already.
const nowhere = () => undefined;
const here = () => (project.settings.explore && !project.settings.list ? nowhere : callerLater());

// What mocha gives for a test: its limit can be set there, too.
function handle(node) {
  const handled = {
    retries(count) { node.retries = count; return handled; },
    skip() { node.mode = 'skip'; return handled; },
    slow: () => handled,
    timeout(ms) { node.timeout = ms; return handled; },
    title: node.name,
  };
  return handled;
}

function declare(kind, flags, name, a, b, args) {
  const [fn, options] = sorted(a, b);
  const made = { ...optionsOf(flags, options), args, locate: here() };
  return handle(kind === 'suite' ? declareSuite(name, fn, made) : declareTest(name, fn, made));
}

function eachOf(kind, flags, table, values, isFor) {
  return (named, a, b) => {
    const { TableError, nameOf, rowsOf } = require('internal/suite/each');
    const name = typeof named === 'function' ? named.name : named;
    let rows;
    try {
      rows = rowsOf(table, values, name, state.isVitest);
    } catch (error) {
      // What is wrong with a table of tests is the failure of a test, and keeps none of the others from running.
      if (kind === 'suite' || !(error instanceof TableError)) throw error;
      declare(kind, {}, name, () => { throw error; });
      return;
    }
    for (const [index, row] of rows.entries()) {
      declare(kind, { ...flags, isFor }, nameOf(name, row, index, state.isVitest), a, b, isFor ? [row.row] : row.args);
    }
  };
}

const MARKS = {
  concurrent: { concurrent: true },
  failing: { fails: true },
  fails: { fails: true },
  only: { only: true },
  sequential: { concurrent: false },
  serial: { concurrent: false },
  shuffle: {},
  skip: { skip: true },
  todo: { todo: true },
};

/// `test` or `describe`, with everything that can be said after a dot.
function make(kind, flags = {}) {
  const declared = (name, a, b) => declare(kind, flags, name, a, b);
  for (const [mark, more] of Object.entries(MARKS)) {
    Object.defineProperty(declared, mark, {
      __proto__: null, configurable: true, enumerable: true, get: () => make(kind, { ...flags, ...more }),
    });
  }
  declared.each = (table, ...values) => eachOf(kind, flags, table, values, false);
  declared.for = (table, ...values) => eachOf(kind, flags, table, values, true);
  const when = (mark) => (condition) => (condition ? make(kind, { ...flags, [mark]: true }) : declared);
  declared.skipIf = when('skip');
  declared.todoIf = when('todo');
  declared.failingIf = when('fails');
  declared.runIf = (condition) => (condition ? declared : make(kind, { ...flags, skip: true }));
  declared.if = declared.runIf;
  declared.onlyIf = when('only');
  if (kind === 'test') {
    declared.extend = (fixtures) => make(kind, { ...flags, fixtures: { ...flags.fixtures, ...fixtures } });
    declared.scoped = () => {};
    declared.override = () => {};
    Object.assign(declared, hooksOf());
  }
  return declared;
}

function hooksOf() {
  const hook = (kind) => (a, b) => {
    // mocha's hooks may have a name first.
    const [fn, options] = typeof a === 'string' ? [b, {}] : [a, typeof b === 'number' ? { timeout: b } : b ?? {}];
    declareHook(kind, fn, { locate: here(), timeout: options.timeout });
  };
  return { afterAll: hook('afterAll'), afterEach: hook('afterEach'), beforeAll: hook('beforeAll'), beforeEach: hook('beforeEach') };
}

const test = make('test');
const describe = make('suite');
const hooks = hooksOf();
const skippedTest = make('test', { skip: true });
const skippedSuite = make('suite', { skip: true });
const onlyTest = make('test', { only: true });
const onlySuite = make('suite', { only: true });

/// By their names in mocha, jest, vitest and bun.
const names = {
  ...hooks,
  after: hooks.afterAll,
  before: hooks.beforeAll,
  context: describe,
  describe,
  fdescribe: onlySuite,
  fit: onlyTest,
  it: test,
  setup: hooks.beforeEach,
  specify: test,
  suite: describe,
  suiteSetup: hooks.beforeAll,
  suiteTeardown: hooks.afterAll,
  teardown: hooks.afterEach,
  test,
  xcontext: skippedSuite,
  xdescribe: skippedSuite,
  xit: skippedTest,
  xspecify: skippedTest,
  xtest: skippedTest,
};

module.exports = { names, state };
