// When two values are equal to a test: by what they hold, with matchers in the place of parts.
'use strict';

const { toString } = Object.prototype;
const own = Object.prototype.hasOwnProperty;

const isAsymmetric = (value) => typeof value?.asymmetricMatch === 'function';

// True or false if one of them is a matcher.
function matched(a, b) {
  const [left, right] = [isAsymmetric(a), isAsymmetric(b)];
  if (left && right) return undefined;
  if (left) return a.asymmetricMatch(b);
  if (right) return b.asymmetricMatch(a);
  return undefined;
}

const isObject = (value) => value !== null && typeof value === 'object';

function keysOf(object) {
  return [
    ...Object.keys(object),
    ...Object.getOwnPropertySymbols(object).filter((key) => Object.getOwnPropertyDescriptor(object, key).enumerable),
  ];
}

// What differs besides the parts of two objects; undefined if the parts decide.
function asValues(a, b, tag) {
  switch (tag) {
    case '[object Boolean]':
    case '[object String]':
    case '[object Number]':
      return typeof a === typeof b && Object.is(a.valueOf(), b.valueOf());
    case '[object Date]':
      return Object.is(+a, +b);
    case '[object RegExp]':
      return a.source === b.source && a.flags === b.flags;
    case '[object URL]':
      return a.href === b.href;
    default:
      return undefined;
  }
}

/// Whether two values are equal. `testers` say more about what they know, and `isStrict` counts properties
/// that are undefined.
function equals(a, b, testers = [], isStrict = false) {
  return compare(a, b, [], [], testers, isStrict);
}

function compare(a, b, left, right, testers, isStrict) {
  const asked = matched(a, b);
  if (asked !== undefined) return asked;
  const context = { equals: (x, y, more = testers) => equals(x, y, more, isStrict) };
  for (const tester of testers) {
    const answer = tester.call(context, a, b, testers);
    if (answer !== undefined) return answer;
  }
  if (a instanceof Error && b instanceof Error) return a.message === b.message;
  if (Object.is(a, b)) return true;
  const tag = toString.call(a);
  if (tag !== toString.call(b)) return false;
  if (isObject(a) !== isObject(b) && !/Boolean|String|Number/.test(tag)) return false;
  const answer = a === null || a === undefined ? undefined : asValues(a, b, tag);
  if (answer !== undefined) return answer;
  if (!isObject(a) || !isObject(b)) return false;
  // What is being compared further up is taken to be equal.
  for (let at = left.length - 1; at >= 0; at--) {
    if (left[at] === a) return right[at] === b;
    if (right[at] === b) return false;
  }
  left.push(a);
  right.push(b);
  const isEqual = sameParts(a, b, tag, left, right, testers, isStrict);
  left.pop();
  right.pop();
  return isEqual;
}

function sameParts(a, b, tag, left, right, testers, isStrict) {
  if (isStrict && tag === '[object Array]' && a.length !== b.length) return false;
  const keys = keysOf(a);
  const others = keysOf(b);
  if (isStrict) {
    if (others.length !== keys.length) return false;
  } else if (others.some((key) => b[key] !== undefined && !isAsymmetric(b[key]) && !own.call(a, key))) {
    return false;
  }
  for (const key of new Set([...keys, ...others])) {
    const [inA, inB] = [own.call(a, key), own.call(b, key)];
    if (isStrict && inA !== inB) return false;
    if (!isStrict && inA !== inB) {
      const [value, other] = [a[key], b[key]];
      if (isAsymmetric(other) || isAsymmetric(value)) {
        if (!compare(value, other, left, right, testers, isStrict)) return false;
      } else if ((inA ? value : other) !== undefined) {
        return false;
      }
      continue;
    }
    if (!compare(a[key], b[key], left, right, testers, isStrict)) return false;
  }
  return true;
}

const iterates = (value) => isObject(value) && typeof value[Symbol.iterator] === 'function';
const isSet = (value) => toString.call(value) === '[object Set]';
const isMap = (value) => toString.call(value) === '[object Map]';

function sameSets(a, b, has, same) {
  for (const value of a) {
    if (has(b, value)) continue;
    let found = false;
    for (const other of b) {
      if (same(value, other)) {
        found = true;
        break;
      }
    }
    if (!found) return false;
  }
  return true;
}

// Sets and maps in any order, everything else that iterates in its own.
function iterableEquality(a, b, testers = [], left = [], right = []) {
  if (!iterates(a) || !iterates(b) || Array.isArray(a) || Array.isArray(b) || ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
    return undefined;
  }
  if (a.constructor !== b.constructor) return false;
  for (let at = left.length - 1; at >= 0; at--) if (left[at] === a) return right[at] === b;
  left.push(a);
  right.push(b);
  const deeper = (x, y) => iterableEquality(x, y, testers.filter((tester) => tester !== iterableEquality), [...left], [...right]);
  const all = [...testers.filter((tester) => tester !== iterableEquality), deeper];
  const same = (x, y) => equals(x, y, all);
  const answer = sameIterables(a, b, same);
  left.pop();
  right.pop();
  return answer;
}

function sameIterables(a, b, same) {
  if (isSet(a)) return a.size === b.size && sameSets(a, b, (set, value) => set.has(value), same);
  if (isMap(a)) {
    if (a.size !== b.size) return false;
    const has = (map, [key, value]) => map.has(key) && same(value, map.get(key));
    return sameSets(a, b, has, (x, y) => same(x[0], y[0]) && same(x[1], y[1]));
  }
  const other = b[Symbol.iterator]();
  for (const value of a) {
    const { done, value: next } = other.next();
    if (done || !same(value, next)) return false;
  }
  if (!other.next().done) return false;
  const entries = (object) => Object.entries(object);
  return same(entries(a), entries(b));
}

// Whether an object has the properties of another, down to the leaves.
function subsetEquality(object, subset, testers = []) {
  const others = testers.filter((tester) => tester !== subsetEquality);
  const within = (seen) => (value, part) => {
    const isPart = isObject(part) && !(part instanceof Error) && !Array.isArray(part) && !(part instanceof Date) &&
      !(part instanceof Set) && !(part instanceof Map) && !isAsymmetric(part);
    if (!isPart) return undefined;
    if (seen.has(part)) return seen.get(part) === value ? true : undefined;
    seen.set(part, value);
    const answer = keysOf(part).every((key) =>
      value !== null && value !== undefined && hasKey(value, key) &&
      equals(value[key], part[key], [...others, iterableEquality, within(seen)]));
    seen.delete(part);
    return answer;
  };
  return within(new Map())(object, subset);
}

// Whether an object or what it inherits from has a property.
function hasKey(object, key) {
  for (let at = Object(object); at !== null && at !== Object.prototype && at !== Array.prototype; at = Object.getPrototypeOf(at)) {
    if (own.call(at, key)) return true;
  }
  return false;
}

function typeEquality(a, b) {
  if (a === null || a === undefined || b === null || b === undefined) return undefined;
  if (a.constructor === b.constructor) return undefined;
  // Arrays of another realm are arrays.
  if (Array.isArray(a) && Array.isArray(b)) return undefined;
  return false;
}

function sparseArrayEquality(a, b, testers = []) {
  if (!Array.isArray(a) || !Array.isArray(b)) return undefined;
  const others = testers.filter((tester) => tester !== sparseArrayEquality);
  return equals(a, b, [...others, iterableEquality, typeEquality], true) && equals(Object.keys(a), Object.keys(b));
}

function arrayBufferEquality(a, b) {
  const bytes = (value) => {
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (value instanceof DataView) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return undefined;
  };
  const [x, y] = [bytes(a), bytes(b)];
  if (x === undefined || y === undefined) return undefined;
  return x.length === y.length && x.every((byte, at) => byte === y[at]);
}

module.exports = {
  arrayBufferEquality, equals, hasKey, isAsymmetric, iterableEquality, sparseArrayEquality, subsetEquality, typeEquality,
};
