// The matchers of expect() about values. Each is called with the matcher's context as `this`, and gives whether
// it fits and what to say if that is not what was expected.
'use strict';

const {
  arrayBufferEquality, equals, hasKey, iterableEquality, sparseArrayEquality, subsetEquality, typeEquality,
} = require('internal/expect/equals');
const { difference, hint, labels, misuse, printed, typeOf, withType } = require('internal/expect/messages');
const { custom } = require('internal/expect/asymmetric');

const STRICT = [iterableEquality, typeEquality, sparseArrayEquality, arrayBufferEquality];
const LOOSE = [iterableEquality];

// What a matcher was told besides its arguments, for its hint.
const about = (context, more) => ({ isNot: context.isNot, promise: context.promise, ...more });

// A matcher without an argument: `label` is what the value is said to be.
const property = (name, fits) => function (received, expected) {
  refuseArgument(this, name, expected);
  const pass = fits(received);
  return { pass, message: () => `${hint(name, undefined, '', about(this))}\n\nReceived: ${printed(received)}` };
};

function refuseArgument(context, name, expected) {
  if (expected === undefined) return;
  throw misuse(hint(name, undefined, '', about(context)), 'this matcher must not have an expected argument', withType('Expected', expected));
}

function refuseOther(context, name, received, expected) {
  const isNumber = (value) => typeof value === 'number' || typeof value === 'bigint';
  const hinted = () => hint(name, undefined, undefined, about(context));
  if (!isNumber(expected)) throw misuse(hinted(), 'expected value must be a number or bigint', withType('Expected', expected));
  if (!isNumber(received)) throw misuse(hinted(), 'received value must be a number or bigint', withType('Received', received));
}

const compared = (name, sign, fits) => function (received, expected) {
  refuseOther(this, name, received, expected);
  const pass = fits(received, expected);
  const not = this.isNot ? 'not ' : '';
  return {
    pass,
    message: () => `${hint(name, undefined, undefined, about(this))}\n\n` +
      `Expected: ${not}${sign} ${printed(expected)}\nReceived: ${this.isNot ? '    ' : ''}${' '.repeat(sign.length)} ${printed(received)}`,
  };
};

function toBe(received, expected) {
  const pass = Object.is(received, expected);
  const options = about(this, { comment: 'Object.is equality' });
  const message = pass
    ? () => `${hint('toBe', undefined, undefined, options)}\n\nExpected: not ${printed(expected)}`
    : () => {
      const type = typeOf(expected);
      const instead = type === 'map' || type === 'set' ? null
        : equals(received, expected, [...custom, ...STRICT], true) ? 'toStrictEqual'
        : equals(received, expected, [...custom, ...LOOSE]) ? 'toEqual' : null;
      const advice = instead === null ? ''
        : `If it should pass with deep equality, replace "toBe" with "${instead}"\n\n`;
      return `${hint('toBe', undefined, undefined, options)}\n\n${advice}${difference(expected, received, 'Expected', 'Received')}`;
    };
  return { pass, message, actual: received, expected, name: 'toBe' };
}

const equal = (name, testers, isStrict) => function (received, expected) {
  const pass = equals(received, expected, [...custom, ...testers], isStrict);
  const hinted = () => hint(name, undefined, undefined, about(this, { comment: 'deep equality' }));
  const message = pass
    ? () => `${hinted()}\n\nExpected: not ${printed(expected)}\n${isPrintedSame(expected, received) ? '' : `Received:     ${printed(received)}`}`
    : () => `${hinted()}\n\n${difference(expected, received, 'Expected', 'Received')}`;
  return { pass, message, actual: received, expected, name };
};

const isPrintedSame = (expected, received) => printed(expected) === printed(received);

function toBeCloseTo(received, expected, precision = 2) {
  const given = arguments.length === 3;
  const options = about(this, { secondArgument: given ? 'precision' : '' });
  const hinted = hint('toBeCloseTo', undefined, undefined, options);
  if (typeof expected !== 'number') throw misuse(hinted, 'expected value must be a number', withType('Expected', expected));
  if (typeof received !== 'number') throw misuse(hinted, 'received value must be a number', withType('Received', received));
  const same = (received === Infinity && expected === Infinity) || (received === -Infinity && expected === -Infinity);
  const limit = same ? 0 : 10 ** -precision / 2;
  const distance = same ? 0 : Math.abs(expected - received);
  const pass = same || distance < limit;
  const shownLimit = `${distance}`.includes('e') ? limit.toExponential()
    : precision >= 0 && precision < 20 ? limit.toFixed(precision + 1) : printed(limit);
  const details = () => `\nExpected precision:  ${this.isNot ? '    ' : ''}  ${printed(precision)}\n` +
    `Expected difference: ${this.isNot ? 'not ' : ''}< ${shownLimit}\n` +
    `Received difference: ${this.isNot ? '    ' : ''}  ${printed(distance)}`;
  return {
    pass,
    message: pass
      ? () => `${hinted}\n\nExpected: not ${printed(expected)}\n${distance === 0 ? '' : `Received:     ${printed(received)}\n${details()}`}`
      : () => `${hinted}\n\nExpected: ${printed(expected)}\nReceived: ${printed(received)}\n${details()}`,
  };
}

function toBeInstanceOf(received, expected) {
  const hinted = hint('toBeInstanceOf', undefined, undefined, about(this));
  if (typeof expected !== 'function') throw misuse(hinted, 'expected value must be a function', withType('Expected', expected));
  const pass = received instanceof expected;
  const nameOf = (label, { name }) => `${label}: ${name === '' ? '' : `${name}`}${name === '' ? 'class has no name' : ''}\n`;
  const notName = (label, { name }) => `${label}: not ${name}\n`;
  const constructorOf = (value) => typeof value?.constructor === 'function' && value.constructor.name;
  return {
    pass,
    message: pass
      ? () => {
        const own = constructorOf(received);
        const other = own && own !== expected.name ? `Received constructor:     ${own} extends ${expected.name}\n` : '';
        return `${hinted}\n\n${notName('Expected constructor', expected)}${other}`;
      }
      : () => {
        const own = received !== null && (typeof received === 'object' || typeof received === 'function') ? constructorOf(received) : undefined;
        const told = received === null || (typeof received !== 'object' && typeof received !== 'function')
          ? `\nReceived value has no prototype\nReceived value: ${printed(received)}`
          : typeof received.constructor !== 'function' ? `\nReceived value: ${printed(received)}`
          : `Received constructor: ${own}\n`;
        return `${hinted}\n\n${nameOf('Expected constructor', expected)}${told}`;
      },
  };
}

function toContain(received, expected) {
  const options = about(this, { comment: 'indexOf' });
  const hinted = hint('toContain', undefined, undefined, options);
  if (received === null || received === undefined) {
    throw misuse(hinted, 'received value must not be null nor undefined', withType('Received', received));
  }
  if (typeof received === 'string') {
    const wrong = `expected value must be a string if received value is a string`;
    if (typeof expected !== 'string') {
      throw misuse(hint('toContain', received, `${String(expected)}`, options), wrong, `${withType('Expected', expected)}\n${withType('Received', received)}`);
    }
    const pass = received.includes(expected);
    return {
      pass,
      message: () => {
        const [first, second] = labels(`Expected ${typeof expected === 'string' ? 'substring' : 'value'}`, 'Received string');
        return `${hinted}\n\n${first}${this.isNot ? 'not ' : ''}${printed(expected)}\n${second}${this.isNot ? '    ' : ''}${printed(received)}`;
      },
    };
  }
  const list = Array.from(received);
  const at = list.indexOf(expected);
  const pass = at !== -1;
  return {
    pass,
    message: () => {
      const [first, second] = labels('Expected value', `Received ${typeOf(received)}`);
      const other = !this.isNot && list.findIndex((item) => equals(item, expected, [...custom, iterableEquality])) !== -1
        ? '\n\nLooks like you wanted to test for object/array equality with the stricter `toContain` matcher. You probably need to use `toContainEqual` instead.'
        : '';
      return `${hinted}\n\n${first}${this.isNot ? 'not ' : ''}${printed(expected)}\n` +
        `${second}${this.isNot ? '    ' : ''}${printed(received)}${other}`;
    },
  };
}

function toContainEqual(received, expected) {
  const hinted = hint('toContainEqual', undefined, undefined, about(this, { comment: 'deep equality' }));
  if (received === null || received === undefined) {
    throw misuse(hinted, 'received value must not be null nor undefined', withType('Received', received));
  }
  const pass = Array.from(received).findIndex((item) => equals(item, expected, [...custom, iterableEquality])) !== -1;
  return {
    pass,
    message: () => {
      const [first, second] = labels('Expected value', `Received ${typeOf(received)}`);
      return `${hinted}\n\n${first}${this.isNot ? 'not ' : ''}${printed(expected)}\n${second}${this.isNot ? '    ' : ''}${printed(received)}`;
    },
  };
}

function toHaveLength(received, expected) {
  const hinted = hint('toHaveLength', undefined, undefined, about(this));
  if (typeof received?.length !== 'number') {
    throw misuse(hinted, 'received value must have a length property whose value must be a number', withType('Received', received));
  }
  if (!Number.isSafeInteger(expected) || expected < 0 || Object.is(expected, -0)) {
    throw misuse(hinted, 'expected value must be a non-negative integer', withType('Expected', expected));
  }
  const pass = received.length === expected;
  const kind = typeof received === 'string' ? 'string' : Array.isArray(received) ? 'array' : typeof received === 'function' ? 'function' : 'object';
  return {
    pass,
    message: () => {
      const [expectedLabel, lengthLabel, valueLabel] = labels('Expected length', 'Received length', `Received ${kind}`);
      return `${hinted}\n\n${expectedLabel}${this.isNot ? 'not ' : ''}${printed(expected)}\n` +
        `${this.isNot ? '' : `${lengthLabel}${printed(received.length)}\n`}${valueLabel}${this.isNot ? '    ' : ''}${printed(received)}`;
    },
  };
}

// The parts of `a.b[0].c`.
function pathOf(path) {
  if (Array.isArray(path)) return path;
  return path === '' ? [''] : path.split(/[.[\]]+/).filter((part, at, all) => part !== '' || (at === 0 && all.length === 1));
}

// How far a path leads, and what is there.
function follow(object, path) {
  let value = object;
  const traversed = [];
  let last = object;
  for (const key of path) {
    const exists = value !== null && value !== undefined && key in Object(value);
    if (!exists) {
      return { hasEnd: false, lastTraversed: last, traversed, value: undefined };
    }
    value = value[key];
    traversed.push(key);
    last = value;
  }
  return { hasEnd: true, lastTraversed: last, traversed, value };
}

function toHaveProperty(received, path, expected) {
  const hasValue = arguments.length === 3;
  const options = about(this, { secondArgument: hasValue ? 'value' : '' });
  const hinted = hint('toHaveProperty', undefined, 'path', options);
  if (received === null || received === undefined) {
    throw misuse(hinted, 'received value must not be null nor undefined', withType('Received', received));
  }
  if (typeof path !== 'string' && !Array.isArray(path)) {
    throw misuse(hinted, 'expected path must be a string or array', withType('Expected', path));
  }
  if (path.length === 0 && Array.isArray(path)) {
    throw misuse(hinted, 'expected path must not be an empty array', withType('Expected', path));
  }
  // A name with a dot is found as it is, too.
  const direct = typeof path === 'string' && Object.hasOwn(Object(received), path) ? [path] : pathOf(path);
  const { hasEnd, lastTraversed, traversed, value } = follow(received, direct);
  const pass = hasValue && hasEnd ? equals(value, expected, [...custom, iterableEquality]) : hasEnd;
  const shown = `Expected path: ${this.isNot && !hasValue ? 'not ' : ''}${printed(path)}\n`;
  const message = pass
    ? () => (hasValue
      ? `${hinted}\n\n${shown}\nExpected value: not ${printed(expected)}${printed(expected) === printed(value) ? '' : `\nReceived value:     ${printed(value)}`}`
      : `${hinted}\n\n${shown}\nReceived value: ${printed(value)}`)
    : () => {
      const reached = hasEnd ? '' : `Received path: ${printed(traversed.length > 0 && typeof path === 'string' ? traversed.join('.') : traversed)}\n\n`;
      const rest = hasValue && hasEnd
        ? `\n${difference(expected, value, 'Expected value', 'Received value')}`
        : `${reached}${hasValue ? `Expected value: ${printed(expected)}\n` : ''}Received value: ${printed(lastTraversed)}`;
      return `${hinted}\n\nExpected path: ${printed(path)}\n${rest}`;
    };
  return { pass, message };
}

function toMatch(received, expected) {
  const hinted = hint('toMatch', undefined, undefined, about(this));
  if (typeof received !== 'string') throw misuse(hinted, 'received value must be a string', withType('Received', received));
  if (typeof expected !== 'string' && typeof expected?.test !== 'function') {
    throw misuse(hinted, 'expected value must be a string or regular expression', withType('Expected', expected));
  }
  const pass = typeof expected === 'string' ? received.includes(expected) : new RegExp(expected).test(received);
  return {
    pass,
    message: () => {
      const [first, second] = labels(`Expected ${typeof expected === 'string' ? 'substring' : 'pattern'}`, 'Received string');
      return `${hinted}\n\n${first}${this.isNot ? 'not ' : ''}${printed(expected)}\n${second}${this.isNot ? '    ' : ''}${printed(received)}`;
    },
  };
}

function toMatchObject(received, expected) {
  const hinted = hint('toMatchObject', undefined, undefined, about(this));
  if (typeof received !== 'object' || received === null) {
    throw misuse(hinted, 'received value must be a non-null object', withType('Received', received));
  }
  if (typeof expected !== 'object' || expected === null) {
    throw misuse(hinted, 'expected value must be a non-null object', withType('Expected', expected));
  }
  const pass = equals(received, expected, [...custom, iterableEquality, subsetEquality]);
  return {
    pass,
    message: pass
      ? () => `${hinted}\n\nExpected: not ${printed(expected)}${isPrintedSame(expected, received) ? '' : `\nReceived:     ${printed(received)}`}`
      : () => `${hinted}\n\n${difference(expected, subsetOf(received, expected), 'Expected', 'Received')}`,
  };
}

// The part of an object that another one is about.
function subsetOf(object, subset, seen = new Map()) {
  if (Array.isArray(object) && Array.isArray(subset) && object.length === subset.length) {
    return subset.map((part, at) => subsetOf(object[at], part, seen));
  }
  if (object instanceof Date || typeof object !== 'object' || object === null || typeof subset !== 'object' || subset === null) return object;
  if (Array.isArray(object) || Array.isArray(subset) || typeof subset.asymmetricMatch === 'function') return object;
  if (seen.has(object)) return seen.get(object);
  const part = {};
  seen.set(object, part);
  for (const key of Reflect.ownKeys(object)) {
    if (hasKey(subset, key)) part[key] = subsetOf(object[key], subset[key], seen);
  }
  return Object.keys(part).length > 0 || Object.keys(subset).length === 0 ? part : object;
}

module.exports = {
  toBe,
  toBeCloseTo,
  toBeDefined: property('toBeDefined', (value) => value !== undefined),
  toBeFalsy: property('toBeFalsy', (value) => !value),
  toBeGreaterThan: compared('toBeGreaterThan', '>', (a, b) => a > b),
  toBeGreaterThanOrEqual: compared('toBeGreaterThanOrEqual', '>=', (a, b) => a >= b),
  toBeInstanceOf,
  toBeLessThan: compared('toBeLessThan', '<', (a, b) => a < b),
  toBeLessThanOrEqual: compared('toBeLessThanOrEqual', '<=', (a, b) => a <= b),
  toBeNaN: property('toBeNaN', (value) => Number.isNaN(value)),
  toBeNull: property('toBeNull', (value) => value === null),
  toBeTruthy: property('toBeTruthy', (value) => Boolean(value)),
  toBeUndefined: property('toBeUndefined', (value) => value === undefined),
  toContain,
  toContainEqual,
  toEqual: equal('toEqual', LOOSE, false),
  toHaveLength,
  toHaveProperty,
  toMatch,
  toMatchObject,
  toStrictEqual: equal('toStrictEqual', STRICT, true),
};
