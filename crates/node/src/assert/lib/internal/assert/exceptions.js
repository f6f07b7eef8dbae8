// Whether a function threw, or a promise rejected, and with what it should have.
'use strict';

const AssertionError = require('internal/assert/assertion_error');
const { isError, isPromiseLike } = require('internal/assert/values');
const { isDeepStrictEqual } = require('internal/util/comparisons');
const { inspect } = require('internal/util/inspect');
const { isRegExp } = require('internal/util/types');
const { validateFunction } = require('internal/validators');
const {
  codes: {
    ERR_AMBIGUOUS_ARGUMENT, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_RETURN_VALUE,
  },
} = require('internal/errors');

// Any value can be thrown, so that nothing was is told by a value of our own.
const NOTHING = {};

function outcomeOf(fn) {
  validateFunction(fn, 'fn');
  try {
    fn();
  } catch (error) {
    return error;
  }
  return NOTHING;
}

async function eventualOutcomeOf(promiseFn) {
  const promise = typeof promiseFn === 'function' ? promiseFn() : promiseFn;
  if (!isPromiseLike(promise)) {
    throw typeof promiseFn === 'function'
      ? new ERR_INVALID_RETURN_VALUE('instance of Promise', 'promiseFn', promise)
      : new ERR_INVALID_ARG_TYPE('promiseFn', ['Function', 'Promise'], promiseFn);
  }
  try {
    await promise;
    return NOTHING;
  } catch (error) {
    return error;
  }
}

/// Judges the outcome of throws and rejects.
function expectException(stackStartFn, kind, actual, args) {
  let [expected, message] = args;
  const type = typeof expected;
  if (type === 'string') {
    if (args.length > 1) throw invalidExpectation(expected);
    refuseAmbiguity(actual, expected);
    [expected, message] = [undefined, expected];
  } else if (expected != null && type !== 'object' && type !== 'function') {
    throw invalidExpectation(expected);
  }

  if (actual === NOTHING) {
    const name = expected?.name ? ` (${expected.name})` : '';
    failWith({
      actual: undefined,
      expected,
      operator: stackStartFn.name,
      message: `Missing expected ${kind}${name}${message ? `: ${message}` : '.'}`,
      stackStartFn,
    });
  }
  if (expected) compareException(actual, expected, message, stackStartFn);
}

function invalidExpectation(expected) {
  return new ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], expected);
}

// Whoever passes the text of the very error that was thrown meant to check it, but a string is
// taken as the message of the assertion.
function refuseAmbiguity(actual, text) {
  const isObject = typeof actual === 'object' && actual !== null;
  const what = isObject ? 'error message' : 'error';
  const thrown = isObject ? actual.message : actual;
  if (thrown === text) throw new ERR_AMBIGUOUS_ARGUMENT('error/message', `The ${what} "${thrown}" is identical to the message.`);
}

/// Judges the outcome of doesNotThrow and doesNotReject.
function expectNoException(stackStartFn, kind, actual, args) {
  if (actual === NOTHING) return;
  let [expected, message] = args;
  if (typeof expected === 'string') {
    message = expected;
    expected = undefined;
  }
  // An exception other than the one ruled out is the program's own business.
  if (expected && !isUnwanted(actual, expected)) throw actual;
  failWith({
    actual,
    expected,
    operator: stackStartFn.name,
    message: `Got unwanted ${kind}${message ? `: ${message}` : '.'}\n` +
      `Actual message: "${actual && actual.message}"`,
    stackStartFn,
  });
}

function isUnwanted(actual, expected) {
  if (typeof expected !== 'function') {
    if (isRegExp(expected)) return matches(expected, String(actual));
    throw new ERR_INVALID_ARG_TYPE('expected', ['Function', 'RegExp'], expected);
  }
  if (isInstance(actual, expected)) return true;
  if (isErrorClass(expected)) return false;
  return Reflect.apply(expected, {}, [actual]) === true;
}

function compareException(actual, expected, message, stackStartFn) {
  let generated;
  if (typeof expected === 'function') {
    generated = complaintOfFunction(actual, expected);
  } else if (isRegExp(expected)) {
    const text = String(actual);
    if (matches(expected, text)) return;
    generated = `The input did not match the regular expression ${inspect(expected)}. ` +
      `Input:\n\n${inspect(text)}\n`;
  } else {
    compareMembers(actual, expected, message, stackStartFn);
    return;
  }
  if (generated === undefined) return;
  const error = new AssertionError({
    actual, expected, message: message || generated, operator: stackStartFn.name, stackStartFn,
  });
  error.generatedMessage = !message;
  throw error;
}

// What a class or a validation function has against the exception; undefined if nothing.
function complaintOfFunction(actual, expected) {
  if (isInstance(actual, expected)) return undefined;
  if (isErrorClass(expected)) {
    const complaint = `The error is expected to be an instance of "${expected.name}". Received `;
    if (!isError(actual)) return `${complaint}"${inspect(actual, { depth: -1 })}"`;
    const text = actual.message ? `\n\nError message:\n\n${actual.message}` : '';
    return `${complaint}"${actual.constructor?.name || actual.name}"${text}`;
  }
  const verdict = Reflect.apply(expected, {}, [actual]);
  if (verdict === true) return undefined;
  const name = expected.name ? `"${expected.name}" ` : '';
  const caught = isError(actual) ? `\n\nCaught error:\n\n${actual}` : '';
  return `The ${name}validation function is expected to return "true". Received ${inspect(verdict)}${caught}`;
}

// Arrow functions have no prototype, and `instanceof` would throw.
function isInstance(value, type) {
  return type.prototype !== undefined && value instanceof type;
}

function isErrorClass(type) {
  return Object.prototype.isPrototypeOf.call(Error, type);
}

function matches(regexp, text) {
  return RegExp.prototype.exec.call(regexp, text) !== null;
}

// The members of an exception that are compared. Its class is named as in Node's diffs, which show
// it. A member that matches the expected pattern is shown the same on both sides.
class Comparison {
  constructor(source, keys, actual) {
    for (const key of keys) {
      if (key in source) this[key] = actual && fitsPattern(actual, source, key) ? actual[key] : source[key];
    }
  }
}

function fitsPattern(actual, expected, key) {
  return typeof actual[key] === 'string' && isRegExp(expected[key]) && matches(expected[key], actual[key]);
}

function membersOf(expected) {
  const keys = Object.keys(expected);
  if (expected instanceof Error) return [...keys, 'name', 'message'];
  if (keys.length === 0) throw new ERR_INVALID_ARG_VALUE('error', expected, 'may not be an empty object');
  return keys;
}

function compareMembers(actual, expected, message, stackStartFn) {
  const operator = stackStartFn.name;
  if (typeof actual !== 'object' || actual === null) {
    const options = { actual, expected, message, operator: 'deepStrictEqual', stackStartFn };
    throw Object.assign(new AssertionError(options), { operator });
  }
  const keys = membersOf(expected);
  const agrees = (key) => fitsPattern(actual, expected, key) ||
    (key in actual && isDeepStrictEqual(actual[key], expected[key]));
  if (keys.every(agrees)) return;

  if (message) failWith({ actual, expected, message, operator, stackStartFn });
  const error = new AssertionError({
    actual: new Comparison(actual, keys),
    expected: new Comparison(expected, keys, actual),
    operator: 'deepStrictEqual',
    stackStartFn,
  });
  Object.assign(error, { actual, expected, operator });
  throw error;
}

function failWith(options) {
  if (options.message instanceof Error) throw options.message;
  throw new AssertionError(options);
}

module.exports = { outcomeOf, eventualOutcomeOf, expectException, expectNoException, failWith };
