// Deep equality, loose and strict, as `assert` and `util.isDeepStrictEqual` define it.
//
// From the binding: nonIndexKeys(object, withSymbols), optional: the enumerable own keys that are no
// array indexes, found without making strings of those that are.
'use strict';

const { kindOf } = require('internal/util/kind');

const { is, keys: ownKeys, getPrototypeOf, getOwnPropertySymbols } = Object;
const hasOwn = Object.hasOwn;
const tagOf = Function.prototype.call.bind(Object.prototype.toString);
const isEnumerable = Function.prototype.call.bind(Object.prototype.propertyIsEnumerable);
const timeOf = Function.prototype.call.bind(Date.prototype.getTime);
const unbox = Object.fromEntries([Number, String, Boolean, BigInt, Symbol].map((type) =>
  [type.name, Function.prototype.call.bind(type.prototype.valueOf)]));
const statefulKinds = new Set([
  'Array', 'Set', 'Map', 'Date', 'RegExp', 'Error', 'ArrayBuffer', 'SharedArrayBuffer',
  'Number', 'String', 'Boolean', 'BigInt', 'Symbol',
]);

// What a value holds besides its properties.
const PROPERTIES_ONLY = 0;
const ELEMENTS = 1;
const MEMBERS = 2;
const ENTRIES = 3;

// The values being compared right now, so that a cycle ends: two values that are met again while
// both are open are taken as equal.
class Open {
  left = new Set();
  right = new Set();
}

function isDeepEqual(a, b) {
  return equal(a, b, false, undefined);
}

function isDeepStrictEqual(a, b) {
  return equal(a, b, true, undefined);
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function equal(a, b, strict, open) {
  if (a === b) return a !== 0 || !strict || is(a, b);
  if (strict) {
    if (typeof a !== 'object') return typeof a === 'number' && a !== a && b !== b;
    if (!isObject(a) || !isObject(b)) return false;
    if (getPrototypeOf(a) !== getPrototypeOf(b)) return false;
  } else {
    if (!isObject(a)) return !isObject(b) && (a == b || (Number.isNaN(a) && Number.isNaN(b)));
    if (!isObject(b)) return false;
  }

  const tag = tagOf(a);
  if (tag !== tagOf(b)) return false;

  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return equalMembers(a, b, sharedNonIndexKeys(a, b, strict), ELEMENTS, strict, open);
  }
  if (tag === '[object Object]') {
    return equalMembers(a, b, sharedKeys(a, b, strict), PROPERTIES_ONLY, strict, open);
  }

  const kind = kindWithState(a);
  if (kind !== kindWithState(b)) return false;
  let contents = PROPERTIES_ONLY;
  switch (kind) {
    case 'Set':
    case 'Map':
      if (a.size !== b.size) return false;
      contents = kind === 'Set' ? MEMBERS : ENTRIES;
      break;
    case 'Date':
      if (timeOf(a) !== timeOf(b)) return false;
      break;
    case 'RegExp':
      if (!equalRegExps(a, b)) return false;
      break;
    case 'Error':
      if (!equalErrors(a, b, strict, open)) return false;
      break;
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      if (!equalList(new Uint8Array(a), new Uint8Array(b))) return false;
      break;
    case 'Number':
    case 'String':
    case 'Boolean':
    case 'BigInt':
    case 'Symbol':
      if (!is(unbox[kind](a), unbox[kind](b))) return false;
      break;
    case '':
      if (isUrl(a, tag) && a.href !== b.href) return false;
      break;
    default:
      if (!equalViews(a, b, kind, strict)) return false;
      return equalMembers(a, b, sharedNonIndexKeys(a, b, strict), contents, strict, open);
  }
  return equalMembers(a, b, sharedKeys(a, b, strict), contents, strict, open);
}

// The kind of a value that holds more than properties; '' for any other.
function kindWithState(value) {
  const kind = kindOf(value);
  if (statefulKinds.has(kind) || ArrayBuffer.isView(value)) return kind;
  return value instanceof Error ? 'Error' : '';
}

function isUrl(value, tag) {
  return tag === '[object URL]' && typeof value.href === 'string' && typeof value.protocol === 'string';
}

function equalRegExps(a, b) {
  return a.source === b.source && a.flags === b.flags && a.lastIndex === b.lastIndex;
}

// The stack is left out: two errors made on different lines may well be the same error. What is
// enumerable is compared later, with the other properties.
function equalErrors(a, b, strict, open) {
  for (const key of ['message', 'name', 'cause', 'errors']) {
    const enumerable = isEnumerable(a, key);
    if (enumerable !== isEnumerable(b, key)) return false;
    if (enumerable) continue;
    const same = key === 'message' || key === 'name' ?
      a[key] === b[key] : equal(a[key], b[key], strict, open);
    if (!same) return false;
  }
  return true;
}

const floats = new Set(['Float32Array', 'Float64Array']);

function equalViews(a, b, kind, strict) {
  // Loosely, 0 and -0 are equal, which their bytes are not; NaN equals nothing.
  if (!strict && floats.has(kind)) return equalList(a, b);
  return equalList(bytesOf(a), bytesOf(b));
}

function bytesOf({ buffer, byteOffset, byteLength }) {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function equalList(a, b) {
  let i = a.length === b.length ? a.length - 1 : -2;
  while (i >= 0 && a[i] === b[i]) i--;
  return i === -1;
}

// The keys to compare; undefined if the two values do not have the same.
function sharedKeys(a, b, strict) {
  const keys = ownKeys(a);
  if (keys.length !== ownKeys(b).length) return undefined;
  if (strict) {
    const symbols = enumerableSymbols(a);
    if (symbols.length !== enumerableSymbols(b).length) return undefined;
    if (symbols.length > 0) keys.push(...symbols);
  }
  return haveAll(b, keys) ? keys : undefined;
}

function sharedNonIndexKeys(a, b, strict) {
  const keys = nonIndexKeys(a, strict);
  return keys.length === nonIndexKeys(b, strict).length && haveAll(b, keys) ? keys : undefined;
}

function haveAll(value, keys) {
  for (const key of keys) if (!isEnumerable(value, key)) return false;
  return true;
}

// The engine lists indexes first and in order, so the other keys stand at the end.
const nonIndexKeys = binding.nonIndexKeys ?? function nonIndexKeys(value, withSymbols) {
  const names = ownKeys(value);
  let start = names.length;
  while (start > 0 && !isIndex(names[start - 1])) start--;
  const keys = names.slice(start);
  if (withSymbols) keys.push(...enumerableSymbols(value));
  return keys;
};

function isIndex(name) {
  const number = Number(name);
  return number >= 0 && number < 4294967295 && Number.isInteger(number) && String(number) === name;
}

function enumerableSymbols(value) {
  const symbols = getOwnPropertySymbols(value);
  return symbols.length === 0 ? symbols : symbols.filter((symbol) => isEnumerable(value, symbol));
}

// Compares the properties of two values and whatever else they hold.
function equalMembers(a, b, keys, contents, strict, open) {
  if (keys === undefined) return false;
  if (keys.length === 0 && isEmpty(a, contents)) return true;
  if (open === undefined) open = new Open();
  else if (open.left.has(a) && open.right.has(b)) return true;
  open.left.add(a);
  open.right.add(b);
  let result = false;
  switch (contents) {
    case ELEMENTS: result = equalElements(a, b, strict, open); break;
    case MEMBERS: result = equalSets(a, b, strict, open); break;
    case ENTRIES: result = equalMaps(a, b, strict, open); break;
    default: result = true;
  }
  for (let i = 0; result && i < keys.length; i++) {
    result = equal(a[keys[i]], b[keys[i]], strict, open);
  }
  open.left.delete(a);
  open.right.delete(b);
  return result;
}

function isEmpty(value, contents) {
  if (contents === PROPERTIES_ONLY) return true;
  return (contents === ELEMENTS ? value.length : value.size) === 0;
}

function equalElements(a, b, strict, open) {
  const { length } = a;
  let i = 0;
  while (i < length && hasOwn(a, i) && hasOwn(b, i)) {
    if (!equal(a[i], b[i], strict, open)) return false;
    i++;
  }
  // A hole: from here on go by the indexes there are, for there may be billions there are not.
  return i === length || equalIndexesFrom(i - 1, a, b, strict, open);
}

function equalIndexesFrom(start, a, b, strict, open) {
  const after = (array) => ownKeys(array).filter((key) => isIndex(key) && Number(key) > start);
  const indexes = after(a);
  return indexes.length === after(b).length &&
    indexes.every((index) => hasOwn(b, index) && equal(a[index], b[index], strict, open));
}

// Members that the other set does not simply have are paired off one by one. The first partner
// that fits is taken, for good: there is no second try with another pairing.
function equalSets(a, b, strict, open) {
  let unpaired = null;
  for (const member of a) {
    if (!isObject(member)) {
      if (b.has(member)) continue;
      if (strict || !mayHaveLoosePartner(member, a, b)) return false;
    }
    (unpaired ??= new Set()).add(member);
  }
  if (unpaired === null) return true;
  for (const member of b) {
    if (!isObject(member) && (strict || a.has(member))) continue;
    if (!takePartner(unpaired, (other) => equal(member, other, strict, open))) return false;
  }
  return unpaired.size === 0;
}

function equalMaps(a, b, strict, open) {
  let unpaired = null;
  for (const [key, value] of a) {
    if (!isObject(key)) {
      if (hasEqualEntry(b, key, value, strict, open)) continue;
      if (strict || !mayHaveLooseEntry(key, value, a, b, open)) return false;
    }
    (unpaired ??= new Set()).add(key);
  }
  if (unpaired === null) return true;
  for (const [key, value] of b) {
    if (!isObject(key)) {
      if (strict || (a.has(key) && equal(a.get(key), value, false, open))) continue;
    }
    const fits = (other) => equal(key, other, strict, open) && equal(value, a.get(other), strict, open);
    if (!takePartner(unpaired, fits)) return false;
  }
  return unpaired.size === 0;
}

function hasEqualEntry(map, key, value, strict, open) {
  const other = map.get(key);
  return (other !== undefined || map.has(key)) && equal(value, other, strict, open);
}

function takePartner(unpaired, fits) {
  for (const candidate of unpaired) {
    if (fits(candidate)) {
      unpaired.delete(candidate);
      return true;
    }
  }
  return false;
}

// Whether a different primitive can be `==` to this one. Of null and undefined only the other one
// is, so the sets themselves can tell; symbols, NaN and text that is no number have no partner.
function mayHaveLoosePartner(primitive, a, b) {
  if (primitive == null) {
    const other = primitive === null ? undefined : null;
    return b.has(other) && !a.has(other);
  }
  return isLooselyNumeric(primitive);
}

function mayHaveLooseEntry(key, value, a, b, open) {
  if (key == null) {
    const other = key === null ? undefined : null;
    return hasEqualEntry(b, other, value, false, open) && !a.has(other);
  }
  return isLooselyNumeric(key);
}

function isLooselyNumeric(primitive) {
  if (typeof primitive === 'symbol') return false;
  if (typeof primitive === 'string' || typeof primitive === 'number') return !Number.isNaN(+primitive);
  return true;
}

module.exports = { isDeepEqual, isDeepStrictEqual };
