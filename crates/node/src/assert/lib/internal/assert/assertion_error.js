// The error of a failed assertion and the words it finds for the difference.
'use strict';

const { inspect } = require('internal/util/inspect');
const { validateObject } = require('internal/validators');
const { describeDifference, inspectValue, collapse } = require('internal/assert/diff');

const customInspect = Symbol.for('nodejs.util.inspect.custom');

// Longer values are cut off where the message shows both of them whole.
const LONGEST_VALUE = 512;
const LONGEST_MESSAGE = 1024;

// What an error about several functions tells of each, and where it is taken from.
const labels = { message: 'message', actual: 'actual', expected: 'expected', operator: 'operator', 'stack trace': 'stack' };
const noValues = { actual: undefined, expected: undefined, operator: undefined };

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { message, operator, stackStartFn, details, stackStartFunction } = options;
    let { actual, expected } = options;
    let text;
    if (message != null) {
      const showsDifference = operator === 'deepStrictEqual' || operator === 'strictEqual';
      text = showsDifference ? describeDifference(actual, expected, operator, message) : String(message);
    } else {
      if (isErrorObject(actual) && isErrorObject(expected)) {
        actual = withoutStack(actual);
        expected = withoutStack(expected);
      }
      text = describe(actual, expected, operator);
    }
    super(text);

    this.generatedMessage = !message;
    // The stack shows the code behind the name; afterwards the name is plain again.
    hide(this, 'name', 'AssertionError [ERR_ASSERTION]');
    Object.assign(this, { code: 'ERR_ASSERTION' }, details ? noValues : { actual, expected, operator });
    details?.forEach((detail, i) => {
      for (const label of Object.keys(labels)) this[`${label} ${i}`] = detail[labels[label]];
    });
    Error.captureStackTrace(this, stackStartFn || stackStartFunction);
    giveHeadline(this);
    this.name = 'AssertionError';
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  // The message already shows both values, so they are inspected without depth and long strings
  // are cut.
  [customInspect](recurseTimes, context) {
    const { actual, expected } = this;
    for (const key of ['actual', 'expected']) if (typeof this[key] === 'string') this[key] = shorten(this[key]);
    const text = inspect(this, { ...context, customInspect: false, depth: 0 });
    Object.assign(this, { actual, expected });
    return text;
  }
}

function hide(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: false, configurable: true });
}

// The bare engine's stack is frames alone. A program's own `Error.prepareStackTrace` may have made
// something else of it; that stays.
function giveHeadline(error) {
  const { stack } = error;
  if (typeof stack !== 'string') return;
  const headline = error.message === '' ? error.name : `${error.name}: ${error.message}`;
  if (stack.startsWith(headline)) return;
  const frames = stack.search(/^ {4}at /m);
  hide(error, 'stack', frames === -1 ? headline : `${headline}\n${stack.slice(frames).trimEnd()}`);
}

function isErrorObject(value) {
  return typeof value === 'object' && value !== null && 'stack' in value && value instanceof Error;
}

// A copy that is inspected as its headline: where two errors were made is no difference.
function withoutStack(error) {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(error)), error);
  return Object.defineProperty(copy, 'message', { value: error.message });
}

function describe(actual, expected, operator) {
  switch (operator) {
    case 'deepStrictEqual':
    case 'strictEqual': return describeDifference(actual, expected, operator);
    case 'notDeepStrictEqual':
    case 'notStrictEqual': return describeSameness(actual, operator);
    default: return describeBoth(actual, expected, operator);
  }
}

function describeSameness(actual, operator) {
  const isReference = (typeof actual === 'object' && actual !== null) || typeof actual === 'function';
  let heading = 'Expected "actual" not to be strictly deep-equal to:';
  if (operator === 'notStrictEqual') {
    heading = isReference ? 'Expected "actual" not to be reference-equal to "expected":' :
      'Expected "actual" to be strictly unequal to:';
  }
  const lines = collapse(inspectValue(actual).split('\n'));
  if (lines.length > 1) return `${heading}\n\n${lines.join('\n')}\n`;
  return `${heading}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
}

function describeBoth(actual, expected, operator) {
  const [left, right] = [actual, expected].map(inspectValue);
  if (left === right && operator === 'notDeepEqual') {
    return cut(`Expected "actual" not to be loosely deep-equal to:\n\n${left}`, LONGEST_MESSAGE);
  }
  const [first, second] = [cut(left, LONGEST_VALUE), cut(right, LONGEST_VALUE)];
  if (operator === 'deepEqual') {
    return `Expected values to be loosely deep-equal:\n\n${first}\n\nshould loosely deep-equal\n\n${second}`;
  }
  if (operator === 'notDeepEqual') {
    return 'Expected values not to be loosely deep-equal:\n\n' +
      `${first}\n\nshould not loosely deep-equal\n\n${second}`;
  }
  return `${first} ${operator} ${second}`;
}

function cut(text, longest) {
  return text.length <= longest ? text : `${text.slice(0, longest - 3)}...`;
}

// Ten lines of a string stay. Of a long string with fewer lines Node shows what lies beyond the
// limit rather than what lies before it, and so do we.
function shorten(text) {
  const end = text.split('\n', 10).join('\n').length;
  if (end < text.length) return `${text.slice(0, end)}\n...`;
  return text.length > LONGEST_VALUE ? `${text.slice(LONGEST_VALUE)}...` : text;
}

module.exports = AssertionError;
