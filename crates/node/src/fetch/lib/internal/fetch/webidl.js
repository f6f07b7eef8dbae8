// What the fetch classes have in common: how arguments become values of the types that the standards
// name, with the messages of Node 20, and iterators over pairs.
'use strict';

const { kClone } = require('internal/transfer');
const { isProxy } = require('internal/util/types');

function typeName(value) {
  if (value === null) return 'Null';
  switch (typeof value) {
    case 'undefined': return 'Undefined';
    case 'boolean': return 'Boolean';
    case 'string': return 'String';
    case 'symbol': return 'Symbol';
    case 'number': return 'Number';
    case 'bigint': return 'BigInt';
    default: return 'Object';
  }
}

function shown(value) {
  switch (typeName(value)) {
    case 'Symbol': return `Symbol(${value.description})`;
    case 'Object': return require('internal/util/inspect').inspect(value);
    case 'String': return `"${value}"`;
    default: return `${value}`;
  }
}

const fail = (place, message) => { throw new TypeError(`${place}: ${message}`); };

function illegalInvocation() {
  const error = new TypeError('Illegal invocation');
  error.code = 'ERR_INVALID_THIS';
  return error;
}

function requireArguments(given, wanted, place) {
  if (given >= wanted) return;
  fail(place, `${wanted} argument${wanted === 1 ? '' : 's'} required, but${given > 0 ? ' only' : ''} ${given} found.`);
}

function domString(value, place, argument) {
  if (typeof value === 'symbol') fail(place, `${argument} is a symbol, which cannot be converted to a DOMString.`);
  return String(value);
}

function byteString(value, place, argument) {
  const text = domString(value, place, argument);
  const at = text.search(/[^\u0000-\u00ff]/);
  if (at >= 0) {
    throw new TypeError('Cannot convert argument to a ByteString because the character at ' +
      `index ${at} has a value of ${text.charCodeAt(at)} which is greater than 255.`);
  }
  return text;
}

const usvString = (value) => `${value}`.toWellFormed();

/// The items of an iterable, each converted.
function sequence(value, place, argument, convert, iterate = value?.[Symbol.iterator]) {
  if (typeName(value) !== 'Object') fail(place, `${argument} (${shown(value)}) is not iterable.`);
  const iterator = typeof iterate === 'function' ? Reflect.apply(iterate, value, []) : undefined;
  if (typeof iterator?.next !== 'function') fail(place, `${argument} is not iterable.`);
  const items = [];
  for (;;) {
    const { done, value: item } = iterator.next();
    if (done) return items;
    items.push(convert(item, place, `${argument}[${items.length}]`));
  }
}

/// The pairs of an object. Node takes all own properties of an ordinary one, shown among the keys or not.
function record(value, place, argument, convert) {
  const pairs = [];
  const proxy = isProxy(value);
  for (const key of Reflect.ownKeys(value)) {
    if (proxy && !Reflect.getOwnPropertyDescriptor(value, key)?.enumerable) continue;
    pairs.push([convert(key, place, argument), convert(value[key], place, argument)]);
  }
  return pairs;
}

/// The members of a dictionary that are there. `members` lists name, conversion, default (a function) and
/// the values allowed, in the order in which they are read.
function dictionary(value, place, argument, members) {
  const type = typeName(value);
  const result = {};
  if (type === 'Null' || type === 'Undefined') value = {};
  else if (type !== 'Object') fail(place, `Expected ${value} to be one of: Null, Undefined, Object.`);
  for (const { key, convert, initial, allowed } of members) {
    let member = value[key];
    if (member === undefined) {
      if (initial === undefined) continue;
      member = initial();
    }
    member = convert(member, place, `${argument}.${key}`);
    if (allowed !== undefined && !allowed.includes(member)) {
      fail(place, `${member} is not an accepted type. Expected one of ${allowed.join(', ')}.`);
    }
    result[key] = member;
  }
  return result;
}

/// A number as `unsigned short` and its like: what is not finite is 0, the rest counts round.
function unsignedShort(value) {
  const number = Math.trunc(+value);
  return Number.isFinite(number) ? ((number % 65536) + 65536) % 65536 : 0;
}

const { ofIterators: IteratorPrototype } = require('internal/kept');

/// Gives a class of pairs `keys`, `values`, `entries` and `forEach`. `pairAt` gives the pair of an object
/// with a number as it is now, undefined beyond the end, and throws when it is not of the class: what changes on the
/// way is seen.
function iterable(Class, name, pairAt) {
  const states = new WeakMap();
  const prototype = Object.create(IteratorPrototype, {
    next: {
      value: {
        next() {
          const state = states.get(this);
          if (state === undefined) {
            throw new TypeError(`'next' called on an object that does not implement interface ${name} Iterator.`);
          }
          const pair = pairAt(state.target, state.at);
          if (pair === undefined) return { value: undefined, done: true };
          state.at++;
          return { value: state.pick(pair), done: false };
        },
      }.next,
      writable: true, enumerable: true, configurable: true,
    },
    [Symbol.toStringTag]: { value: `${name} Iterator`, configurable: true },
  });
  const iterate = (target, pick) => {
    pairAt(target, 0);
    const iterator = Object.create(prototype);
    states.set(iterator, { target, pick, at: 0 });
    return iterator;
  };
  const methods = {
    keys() { return iterate(this, ([key]) => key); },
    values() { return iterate(this, ({ 1: value }) => value); },
    entries() { return iterate(this, ([key, value]) => [key, value]); },
    forEach(callback, thisArg = undefined) {
      pairAt(this, 0);
      requireArguments(arguments.length, 1, `${name}.forEach`);
      if (typeof callback !== 'function') {
        throw new TypeError(`Failed to execute 'forEach' on '${name}': parameter 1 is not of type 'Function'.`);
      }
      for (let at = 0; ; at++) {
        const pair = pairAt(this, at);
        if (pair === undefined) break;
        Reflect.apply(callback, thisArg, [pair[1], pair[0], this]);
      }
    },
  };
  for (const key of ['keys', 'values', 'entries', 'forEach']) {
    Object.defineProperty(Class.prototype, key, { value: methods[key], writable: true, enumerable: true, configurable: true });
  }
  Object.defineProperty(Class.prototype, Symbol.iterator, { value: methods.entries, writable: true, enumerable: false, configurable: true });
}

/// Makes members show among the keys, as the standards want it, and names the class.
/// Nothing of these classes can be copied: the standards do not make them serializable.
function finishClass(Class, names, statics = []) {
  for (const name of names) Object.defineProperty(Class.prototype, name, { enumerable: true });
  for (const name of statics) Object.defineProperty(Class, name, { enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
  Object.defineProperty(Class.prototype, kClone, { value: null });
}

module.exports = {
  byteString, dictionary, domString, fail, finishClass, illegalInvocation, iterable, record,
  requireArguments, sequence, typeName, unsignedShort, usvString,
};
