// The words of failures, in the form that people know from jest.
'use strict';

const { isAsymmetric } = require('internal/expect/equals');
const { stringify } = require('internal/expect/print');

const visible = (text) => text.replace(/\s+$/gm, (space) => '·'.repeat(space.length));

const printed = (value) => visible(stringify(value));

/// `expect(received).not.toBe(expected)`, as whoever wrote it will have.
function hint(name, received = 'received', expected = 'expected', options = {}) {
  const { comment = '', isNot = false, promise = '', secondArgument = '' } = options;
  const call = name.includes('.') ? name : `.${name}`;
  const head = received === '' ? 'expect' : `expect(${received})`;
  const before = `${promise === '' ? '' : `.${promise}`}${isNot ? '.not' : ''}`;
  const args = expected === '' ? '()' : `(${expected}${secondArgument === '' ? '' : `, ${secondArgument}`})`;
  return `${head}${before}${call}${args}${comment === '' ? '' : ` // ${comment}`}`;
}

/// Labels of one width.
function labels(...texts) {
  const width = Math.max(...texts.map((text) => text.length));
  return texts.map((text) => `${text}: ${' '.repeat(width - text.length)}`);
}

function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object') return typeof value;
  if (value.constructor === RegExp) return 'regexp';
  if (value.constructor === Map) return 'map';
  if (value.constructor === Set) return 'set';
  if (value.constructor === Date) return 'date';
  return 'object';
}

function withType(name, value, print = printed) {
  const hasType = value !== null && value !== undefined ? `${name} has type:  ${typeOf(value)}\n` : '';
  return `${hasType}${name} has value: ${print(value)}`;
}

const isPrimitive = (value) => value === null || (typeof value !== 'object' && typeof value !== 'function');

function differsInLines(expected, received) {
  const type = typeOf(expected);
  if (type !== typeOf(received)) return false;
  if (isPrimitive(expected)) {
    return typeof expected === 'string' && expected.length > 0 && received.length > 0 && (expected.includes('\n') || received.includes('\n'));
  }
  if (['date', 'function', 'regexp'].includes(type)) return false;
  if (expected instanceof Error && received instanceof Error) return false;
  return !(type === 'object' && isAsymmetric(received));
}

// Whether there is a matcher somewhere in a value.
function hasMatcher(value, seen = new Set()) {
  if (isAsymmetric(value)) return true;
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  return Object.values(value).some((part) => hasMatcher(part, seen));
}

// Where a matcher stands for what is there, both show the matcher.
function aligned(expected, received, seen = new Set()) {
  if (typeof expected !== 'object' || typeof received !== 'object' || expected === null || received === null) return received;
  if (seen.has(expected)) return received;
  seen.add(expected);
  const isList = Array.isArray(expected) && Array.isArray(received);
  const isPlain = (value) => Object.getPrototypeOf(value) === Object.prototype;
  if (!isList && !(isPlain(expected) && isPlain(received))) return received;
  const copy = isList ? [...received] : { ...received };
  for (const key of Object.keys(expected)) {
    if (!Object.hasOwn(copy, key)) continue;
    if (isAsymmetric(expected[key])) {
      if (expected[key].asymmetricMatch(copy[key])) copy[key] = expected[key];
    } else {
      copy[key] = aligned(expected[key], copy[key], seen);
    }
  }
  seen.delete(expected);
  return copy;
}

/// The lines that differ, or both values below each other.
function difference(expected, received, expectedLabel, receivedLabel) {
  const { diffLines, diffValues } = require('internal/expect/diff');
  if (typeof expected === 'string' && typeof received === 'string' && differsInLines(expected, received)) {
    return diffLines(expected, received, [expectedLabel, receivedLabel]);
  }
  if (differsInLines(expected, received)) {
    const text = diffValues(expected, hasMatcher(expected) ? aligned(expected, received) : received, [expectedLabel, receivedLabel]);
    if (text.includes('- ') && text.includes('+ ')) return text;
  }
  const [first, second] = labels(expectedLabel, receivedLabel);
  const [left, right] = [printed(expected), printed(received)];
  return `${first}${left}\n${second}${left === right ? 'serializes to the same string' : right}`;
}

/// An error about the use of a matcher.
class MatcherError extends Error {
  constructor(message) {
    super(message);
    this.name = 'Error';
  }
}

function misuse(hinted, generic, specific) {
  return new MatcherError(`${hinted}\n\nMatcher error: ${generic}${specific === undefined ? '' : `\n\n${specific}`}`);
}

module.exports = { difference, hint, labels, misuse, printed, typeOf, withType };
