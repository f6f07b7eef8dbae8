// What the library needs of the language in places where it handles what a program must not get, or must go on
// whatever a program has made of it: taken before the program could replace it. A function that is called here by
// its name is the language's own. The library's text is compiled so that it iterates and calls functions of the
// language by what is here (`harden` in `crates/transform`).
'use strict';

const { apply, construct } = Reflect;
const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const { isArray } = Array;
const { call } = Function.prototype;
const { startsWith } = String.prototype;
const { iterator } = Symbol;

// A class of collections, the language's own, with the methods that they had before the program began: those that the
// library calls.
const holding = (Class, names) => {
  class Held extends Class {}
  const { prototype } = Class;
  const its = Held.prototype;
  for (const name of names) its[name] = prototype[name];
  // Whoever is shown one sees the language's class.
  delete its.constructor;
  if (names[0] === 'clear') defineProperty(its, 'size', getOwnPropertyDescriptor(prototype, 'size'));
  return Held;
};

// What iterates the collections of the language, and how to do without it.
const ofArrays = Array.prototype;
const arrayIterators = getPrototypeOf([][iterator]());
const { next: nextOfArray } = arrayIterators;
const firstOfArray = ofArrays[iterator];

const isWhole = () => ofArrays[iterator] === firstOfArray && arrayIterators.next === nextOfArray;

// The elements of an array, without its iterator.
const walk = (array) => {
  let at = 0;
  return {
    __proto__: null,
    [iterator]() {
      return this;
    },
    next() {
      const isDone = at >= array.length;
      return { __proto__: null, done: isDone, value: isDone ? undefined : array[at++] };
    },
  };
};

/// What is to be iterated: itself, unless it is an array and the program has replaced what iterates arrays.
function of(value) {
  if (isWhole()) return value;
  return isArray(value) || typeof value?.length === 'number' && typeof value !== 'string' ? walk(value) : value;
}

/// What is asked for its first elements, by their places.
function at(value) {
  return isArray(value) ? value : typeof value === 'string' || typeof value?.length !== 'number' ? [...value] : value;
}

// Functions of the language by their names, where the program cannot replace them: those that the library calls. Each
// costs every start something, so there are no others; the build says which one is missing.
module.exports = {
  apply, call, construct, defineProperty, freeze, getPrototypeOf, hasOwn, of, at,
  // What all iterators inherit from.
  ofIterators: getPrototypeOf(arrayIterators),
  startsWith: (text, start) => apply(startsWith, text, [start]),
  // The language's own by their names, which the library's text has by their places here. `Date` is put beside
  // them when it is there.
  language: [
    AggregateError, Array, ArrayBuffer, AsyncDisposableStack, Atomics, BigInt, BigInt64Array, BigUint64Array,
    Boolean, DataView, DisposableStack, Error, EvalError, FinalizationRegistry, Float16Array, Float32Array,
    Float64Array, Function, Int16Array, Int32Array, Int8Array, InternalError, Iterator, JSON, Map, Math, Number,
    Object, Promise, Proxy, RangeError, ReferenceError, Reflect, RegExp, Set, SharedArrayBuffer, String,
    SuppressedError, Symbol, SyntaxError, TypeError, URIError, Uint16Array, Uint32Array, Uint8Array,
    Uint8ClampedArray, WeakMap, WeakRef, WeakSet, decodeURI, decodeURIComponent, encodeURI, encodeURIComponent,
    escape, isFinite, isNaN, parseFloat, parseInt, unescape,
  ],
  // What the library's `new Map()` and so on make.
  Map: holding(Map, ['clear', 'delete', 'forEach', 'get', 'has', 'keys', 'set', 'values', iterator]),
  Set: holding(Set, ['clear', 'add', 'delete', 'forEach', 'has', 'values', iterator]),
  WeakMap: holding(WeakMap, ['delete', 'get', 'has', 'set']),
  WeakSet: holding(WeakSet, ['add', 'delete', 'has']),
  Array: {
    __proto__: null, from: Array.from, isArray: Array.isArray, prototype: Array.prototype,
  },
  ArrayBuffer: {
    __proto__: null, isView: ArrayBuffer.isView, prototype: ArrayBuffer.prototype,
  },
  JSON: {
    __proto__: null, parse: JSON.parse, stringify: JSON.stringify,
  },
  Math: {
    __proto__: null, abs: Math.abs, ceil: Math.ceil, floor: Math.floor, log2: Math.log2, max: Math.max, min: Math.min,
    round: Math.round, sign: Math.sign, sqrt: Math.sqrt, trunc: Math.trunc,
  },
  Number: {
    __proto__: null, MAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER, MIN_SAFE_INTEGER: Number.MIN_SAFE_INTEGER,
    isFinite: Number.isFinite, isInteger: Number.isInteger, isNaN: Number.isNaN, isSafeInteger: Number.isSafeInteger,
    parseFloat: Number.parseFloat, parseInt: Number.parseInt, prototype: Number.prototype,
  },
  Object: {
    __proto__: null, assign: Object.assign, create: Object.create, defineProperties: Object.defineProperties,
    defineProperty: Object.defineProperty, entries: Object.entries, freeze: Object.freeze,
    fromEntries: Object.fromEntries, getOwnPropertyDescriptor: Object.getOwnPropertyDescriptor,
    getOwnPropertyDescriptors: Object.getOwnPropertyDescriptors, getOwnPropertyNames: Object.getOwnPropertyNames,
    getOwnPropertySymbols: Object.getOwnPropertySymbols, getPrototypeOf: Object.getPrototypeOf, hasOwn: Object.hasOwn,
    is: Object.is, isExtensible: Object.isExtensible, keys: Object.keys, prototype: Object.prototype,
    seal: Object.seal, setPrototypeOf: Object.setPrototypeOf, values: Object.values,
  },
  Reflect: {
    __proto__: null, apply: Reflect.apply, construct: Reflect.construct, decorate: Reflect.decorate,
    defineProperty: Reflect.defineProperty, deleteProperty: Reflect.deleteProperty, get: Reflect.get,
    getOwnPropertyDescriptor: Reflect.getOwnPropertyDescriptor, getPrototypeOf: Reflect.getPrototypeOf,
    has: Reflect.has, ownKeys: Reflect.ownKeys, set: Reflect.set,
  },
  String: {
    __proto__: null, fromCharCode: String.fromCharCode, fromCodePoint: String.fromCodePoint,
    prototype: String.prototype, raw: String.raw,
  },
};
