// node:assert.
//
// From the binding: emitWarning(message, type, code).
'use strict';

const AssertionError = require('internal/assert/assertion_error');
const {
  expectException, expectNoException, outcomeOf, eventualOutcomeOf, failWith,
} = require('internal/assert/exceptions');
const { isError } = require('internal/assert/values');
const { isDeepEqual, isDeepStrictEqual } = require('internal/util/comparisons');
const { deprecate } = require('internal/util/deprecate');
const { inspect } = require('internal/util/inspect');
const types = require('internal/util/types');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS },
} = require('internal/errors');

const assert = module.exports = ok;

function ok(...args) {
  checkTruth(ok, args);
}

function strict(...args) {
  checkTruth(strict, args);
}

function checkTruth(stackStartFn, args) {
  const [value, given] = args;
  if (value) return;
  let message = given;
  if (args.length === 0) message = 'No value argument passed to `assert.ok()`';
  else if (given == null) message = describeCall(stackStartFn);
  else if (isError(given)) throw given;
  const error = new AssertionError({ actual: value, expected: true, message, operator: '==', stackStartFn });
  error.generatedMessage = args.length === 0 || given == null;
  throw error;
}

// Names the falsy expression in the program's own words. Without a source the message falls back
// to the value.
function describeCall(stackStartFn) {
  const call = require('internal/assert/call_site').getCallSiteSource(stackAbove(stackStartFn));
  if (call === undefined) return undefined;
  const { text, column } = call;
  const [first, ...rest] = text.split(/\r?\n/);
  // The lines below move left with the first one.
  const indent = new RegExp(`^[ \\t]{0,${column}}`);
  const lines = [first, ...rest.map((line) => `  ${line.replace(indent, '')}`)];
  return `The expression evaluated to a falsy value:\n\n  ${lines.join('\n')}\n`;
}

// The stack above a function, whatever the program wants stacks to be.
function stackAbove(stackStartFn) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const here = {};
  Error.prepareStackTrace = undefined;
  // Those of the library that called it come first.
  Error.stackTraceLimit = 10;
  try {
    Error.captureStackTrace(here, stackStartFn);
    return here.stack;
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

let warnedOfFail = false;

function warnOfFail() {
  if (warnedOfFail) return;
  warnedOfFail = true;
  binding.emitWarning(
    'assert.fail() with more than one argument is deprecated. Please use assert.strictEqual() instead or only pass a message.',
    'DeprecationWarning', 'DEP0094');
}

// One argument is the message; of several, as of old, the first two are values.
assert.fail = function fail(actual, expected, message, operator, stackStartFn) {
  const count = arguments.length;
  let isGenerated = false;
  if (count > 1) {
    warnOfFail();
    if (count === 2) operator = '!=';
  } else {
    isGenerated = actual === undefined || actual === null;
    message = isGenerated ? 'Failed' : actual;
    if (!isGenerated) actual = undefined;
  }
  if (isError(message)) throw message;
  const error = new AssertionError({
    actual, expected, message, operator: operator === undefined ? 'fail' : operator, stackStartFn: stackStartFn || fail,
  });
  if (isGenerated) error.generatedMessage = true;
  throw error;
};

assert.AssertionError = AssertionError;

assert.ok = assert;

// The engine's `==` takes a long string that was made with `+` for another than the same in one piece; its `===` does not.
const looselyEqual = (a, b) => a == b || (a !== a && b !== b);

// The checks of two values: what must hold, whether it must or must not, and what the error calls it.
for (const [name, holds, wanted, operator] of [
  ['equal', looselyEqual, true, '=='],
  ['notEqual', looselyEqual, false, '!='],
  ['deepEqual', isDeepEqual, true, 'deepEqual'],
  ['notDeepEqual', isDeepEqual, false, 'notDeepEqual'],
  ['deepStrictEqual', isDeepStrictEqual, true, 'deepStrictEqual'],
  ['notDeepStrictEqual', isDeepStrictEqual, false, 'notDeepStrictEqual'],
  ['strictEqual', Object.is, true, 'strictEqual'],
  ['notStrictEqual', Object.is, false, 'notStrictEqual'],
]) {
  const check = function(actual, expected, message) {
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('actual', 'expected');
    if (holds(actual, expected) !== wanted) failWith({ actual, expected, message, operator, stackStartFn: check });
  };
  assert[name] = Object.defineProperty(check, 'name', { __proto__: null, value: name, configurable: true });
}

assert.throws = function throws(fn, ...args) {
  expectException(throws, 'exception', outcomeOf(fn), args);
};

assert.rejects = async function rejects(promiseFn, ...args) {
  expectException(rejects, 'rejection', await eventualOutcomeOf(promiseFn), args);
};

assert.doesNotThrow = function doesNotThrow(fn, ...args) {
  expectNoException(doesNotThrow, 'exception', outcomeOf(fn), args);
};

assert.doesNotReject = async function doesNotReject(fn, ...args) {
  expectNoException(doesNotReject, 'rejection', await eventualOutcomeOf(fn), args);
};

assert.ifError = function ifError(err) {
  if (err === null || err === undefined) return;
  const isLikeError = typeof err === 'object' && typeof err.message === 'string';
  let shown = isLikeError ? err.message : inspect(err);
  if (shown === '' && err.constructor) shown = err.constructor.name;
  const message = `ifError got unwanted exception: ${shown}`;
  const error = new AssertionError({ actual: err, expected: null, operator: 'ifError', message, stackStartFn: ifError });
  appendFrames(error, err.stack);
  throw error;
};

// Continues the stack with that of the error which was passed on; frames that both have are shown
// once.
function appendFrames(error, origin) {
  if (typeof origin !== 'string' || typeof error.stack !== 'string') return;
  const start = origin.search(/^ {4}at/m);
  if (start === -1) return;
  const originFrames = origin.slice(start).trimEnd().split('\n');
  let frames = error.stack.split('\n');
  const shared = originFrames.find((frame) => frames.includes(frame));
  if (shared !== undefined) frames = frames.slice(0, frames.indexOf(shared));
  error.stack = [...frames, ...originFrames].join('\n');
}

function checkMatch(string, regexp, message, stackStartFn, wanted) {
  if (!types.isRegExp(regexp)) throw new ERR_INVALID_ARG_TYPE('regexp', 'RegExp', regexp);
  const isString = typeof string === 'string';
  if (isString && (RegExp.prototype.exec.call(regexp, string) !== null) === wanted) return;
  if (message instanceof Error) throw message;
  const generated = isString ?
    `The input ${wanted ? 'did not' : 'was expected to not'} match the regular expression ` +
      `${inspect(regexp)}. Input:\n\n${inspect(string)}\n` :
    `The "string" argument must be of type string. Received type ${typeof string} (${inspect(string)})`;
  const error = new AssertionError({
    actual: string, expected: regexp, message: message || generated, operator: stackStartFn.name, stackStartFn,
  });
  error.generatedMessage = !message;
  throw error;
}

assert.match = function match(string, regexp, message) {
  checkMatch(string, regexp, message, match, true);
};

assert.doesNotMatch = function doesNotMatch(string, regexp, message) {
  checkMatch(string, regexp, message, doesNotMatch, false);
};

assert.CallTracker = deprecate(
  require('internal/assert/calltracker'), 'assert.CallTracker is deprecated.', 'DEP0173');

assert.strict = Object.assign(strict, assert, {
  equal: assert.strictEqual,
  deepEqual: assert.deepStrictEqual,
  notEqual: assert.notStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
assert.strict.strict = assert.strict;
