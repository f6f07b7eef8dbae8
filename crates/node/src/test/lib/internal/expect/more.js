// Matchers that vitest, bun and jest-extended have beside jest's.
'use strict';

const { custom } = require('internal/expect/asymmetric');
const { equals, iterableEquality } = require('internal/expect/equals');
const { hint, misuse, printed, withType } = require('internal/expect/messages');

const about = (context) => ({ isNot: context.isNot, promise: context.promise });

// A matcher whose message shows both sides.
const simple = (name, fits, words) => function (received, ...expected) {
  const pass = Boolean(Reflect.apply(fits, this, [received, ...expected]));
  return {
    pass,
    message: () => {
      const args = expected.length === 0 ? '' : 'expected';
      const wanted = words === undefined ? expected.map((value) => printed(value)).join(', ') : words(...expected);
      const shown = wanted === '' ? '' : `Expected: ${this.isNot ? 'not ' : ''}${wanted}\n`;
      return `${hint(name, undefined, args, about(this))}\n\n${shown}Received: ${this.isNot && wanted !== '' ? '    ' : ''}${printed(received)}`;
    },
  };
};

const same = (a, b) => equals(a, b, [...custom, iterableEquality]);
const tag = (name) => (value) => Object.prototype.toString.call(value) === `[object ${name}]`;

const isEmpty = (value) => {
  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0;
  if (value instanceof Map || value instanceof Set) return value.size === 0;
  if (typeof value?.[Symbol.iterator] === 'function') return value[Symbol.iterator]().next().done === true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
};

const countOf = (text, part) => text.split(part).length - 1;

const FITS = {
  toBeArray: (value) => Array.isArray(value),
  toBeArrayOfSize: (value, size) => Array.isArray(value) && value.length === size,
  toBeBoolean: (value) => typeof value === 'boolean',
  toBeDate: (value) => value instanceof Date,
  toBeValidDate: (value) => value instanceof Date && !Number.isNaN(+value),
  toBeEmpty: isEmpty,
  toBeEmptyObject: (value) => typeof value === 'object' && value !== null && Object.keys(value).length === 0,
  toBeEven: (value) => Number.isInteger(value) ? value % 2 === 0 : typeof value === 'bigint' && value % 2n === 0n,
  toBeFalse: (value) => value === false,
  toBeFinite: (value) => Number.isFinite(value),
  toBeFunction: (value) => typeof value === 'function',
  toBeInteger: (value) => Number.isInteger(value),
  toBeNegative: (value) => value < 0 && value !== -Infinity,
  toBeNil: (value) => value === null || value === undefined,
  toBeNullable: (value) => value === null || value === undefined,
  toBeNumber: (value) => typeof value === 'number',
  toBeObject: (value) => typeof value === 'object' && value !== null,
  toBeOdd: (value) => Number.isInteger(value) ? value % 2 !== 0 : typeof value === 'bigint' && value % 2n !== 0n,
  toBePositive: (value) => value > 0 && value !== Infinity,
  toBeString: (value) => typeof value === 'string',
  toBeSymbol: (value) => typeof value === 'symbol',
  toBeTrue: (value) => value === true,
  toBeOneOf: (value, options) => [...options].some((option) => same(value, option)),
  toBeTypeOf: (value, type) => typeof value === type,
  toBeWithin: (value, start, end) => value >= start && value < end,
  toContainKey: (value, key) => Object.hasOwn(Object(value), key),
  toContainKeys: (value, keys) => keys.every((key) => Object.hasOwn(Object(value), key)),
  toContainAllKeys: (value, keys) => same(new Set(Object.keys(value)), new Set(keys)),
  toContainAnyKeys: (value, keys) => keys.some((key) => Object.hasOwn(Object(value), key)),
  toContainValue: (value, item) => Object.values(value).some((own) => same(own, item)),
  toContainValues: (value, items) => items.every((item) => Object.values(value).some((own) => same(own, item))),
  toEndWith: (value, part) => typeof value === 'string' && value.endsWith(part),
  toEqualIgnoringWhitespace: (value, other) => value.replace(/\s+/g, '') === other.replace(/\s+/g, ''),
  toInclude: (value, part) => typeof value === 'string' && value.includes(part),
  toIncludeAllMembers: (value, items) => Array.isArray(value) && items.every((item) => value.some((own) => same(own, item))),
  toIncludeAnyMembers: (value, items) => Array.isArray(value) && items.some((item) => value.some((own) => same(own, item))),
  toIncludeSameMembers: (value, items) => Array.isArray(value) && value.length === items.length &&
    items.every((item) => value.some((own) => same(own, item))) && value.every((own) => items.some((item) => same(own, item))),
  toIncludeRepeated: (value, part, times) => countOf(value, part) === times,
  toSatisfy: (value, fits) => fits(value),
  toStartWith: (value, part) => typeof value === 'string' && value.startsWith(part),
  toBeRegExp: tag('RegExp'),
};
const WORDS = { toSatisfy: (fits) => printed(fits) };

// The calls of a mock function, in the order of all mocks.
function ordersOf(context, name, value) {
  if (value?._isMockFunction === true) return value.mock.invocationCallOrder;
  throw misuse(hint(name, undefined, undefined, about(context)), 'received value must be a mock function', withType('Received', value));
}

const inOrder = (name, fits) => function (received, other, failIfNone = true) {
  const [own, others] = [ordersOf(this, name, received), ordersOf(this, name, other)];
  const pass = own.length > 0 && others.length > 0 ? fits(own, others) : own.length > 0 && !failIfNone;
  return {
    pass,
    message: () => `${hint(name, undefined, undefined, about(this))}\n\n` +
      `Expected: ${this.isNot ? 'not ' : ''}${received.getMockName()} ${name === 'toHaveBeenCalledBefore' ? 'before' : 'after'} ${other.getMockName()}\n` +
      `Received: calls ${printed(own)} and ${printed(others)} of all calls`,
  };
};

function toHaveBeenCalledExactlyOnceWith(received, ...expected) {
  const calls = received?.mock?.calls;
  const pass = received?._isMockFunction === true && calls.length === 1 && same(calls[0], expected);
  return {
    pass,
    message: () => `${hint('toHaveBeenCalledExactlyOnceWith', undefined, '...expected', about(this))}\n\n` +
      `Expected: ${this.isNot ? 'not ' : ''}once with ${expected.map((arg) => printed(arg)).join(', ')}\nReceived: ${printed(calls)}`,
  };
}

// What the promises that a mock gave were settled with.
const settled = (received) => (received?.mock?.settledResults ?? []).filter(({ type }) => type === 'fulfilled');

module.exports = {
  ...Object.fromEntries(Object.entries(FITS).map(([name, fits]) => [name, simple(name, fits, WORDS[name])])),
  toHaveBeenCalledAfter: inOrder('toHaveBeenCalledAfter', (own, others) => own.at(-1) > others[0]),
  toHaveBeenCalledBefore: inOrder('toHaveBeenCalledBefore', (own, others) => own[0] < others.at(-1)),
  toHaveBeenCalledExactlyOnceWith,
  toHaveResolved: simple('toHaveResolved', (received) => settled(received).length > 0),
  toHaveResolvedTimes: simple('toHaveResolvedTimes', (received, times) => settled(received).length === times),
  toHaveResolvedWith: simple('toHaveResolvedWith', (received, value) => settled(received).some((result) => same(result.value, value))),
  toHaveLastResolvedWith: simple('toHaveLastResolvedWith', (received, value) => same(received.mock.settledResults.at(-1)?.value, value)),
  toHaveNthResolvedWith: simple('toHaveNthResolvedWith', (received, nth, value) => same(received.mock.settledResults[nth - 1]?.value, value)),
};
