// What the library needs of the language in places where it handles what a program must not get, or must go on
// whatever a program has made of it: taken before the program could replace it. A function that is called here by
// its name is the language's own. The library's text is compiled so that it iterates and calls functions of the
// language by what is here (`harden` in `crates/transform`).
'use strict';

const { apply, construct, ownKeys } = Reflect;
const { defineProperties, defineProperty, freeze, getPrototypeOf, hasOwn } = Object;
const { isArray } = Array;
const { call } = Function.prototype;
const { startsWith } = String.prototype;
const { iterator } = Symbol;

// The methods of a collection as properties of its own.
const methodsOf = ({ prototype }, names) => {
  const methods = { __proto__: null };
  for (const name of names) methods[name] = { __proto__: null, value: prototype[name] };
  return methods;
};
const WeakMap_ = WeakMap;
const WeakSet_ = WeakSet;
const ofMaps = methodsOf(WeakMap_, ['delete', 'get', 'has', 'set']);
const ofSets = methodsOf(WeakSet_, ['add', 'delete', 'has']);

// What iterates the collections of the language, and how to do without it.
const ofArrays = Array.prototype;
const arrayIterators = getPrototypeOf([][iterator]());
const { next: nextOfArray } = arrayIterators;
const firstOfArray = ofArrays[iterator];

const isWhole = () => ofArrays[iterator] === firstOfArray && arrayIterators.next === nextOfArray;

/// The elements of an array, without its iterator.
class Walk {
  #array;
  #at = 0;

  constructor(array) {
    this.#array = array;
  }

  [iterator]() {
    return this;
  }

  next() {
    const isDone = this.#at >= this.#array.length;
    return { __proto__: null, done: isDone, value: isDone ? undefined : this.#array[this.#at++] };
  }
}

/// What is to be iterated: itself, unless it is an array and the program has replaced what iterates arrays.
function of(value) {
  if (isWhole()) return value;
  return isArray(value) || typeof value?.length === 'number' && typeof value !== 'string' ? new Walk(value) : value;
}

/// What is asked for its first elements, by their places.
function at(value) {
  return isArray(value) ? value : typeof value === 'string' || typeof value?.length !== 'number' ? [...value] : value;
}

// Functions of the language by their names, where the program cannot replace them.
const copy = (holder) => {
  const kept = { __proto__: null };
  for (const name of ownKeys(holder)) kept[name] = holder[name];
  return kept;
};
const Math_ = copy(Math);
// That of the engine is not the world's.
delete Math_.random;

module.exports = {
  apply, call, construct, defineProperty, freeze, getPrototypeOf, hasOwn, of, at,
  // What all iterators inherit from.
  ofIterators: getPrototypeOf(arrayIterators),
  startsWith: (text, start) => apply(startsWith, text, [start]),
  // Collections to which nobody listens by replacing a method of all of them.
  weakMap: () => defineProperties(new WeakMap_(), ofMaps),
  weakSet: () => defineProperties(new WeakSet_(), ofSets),
  Array: copy(Array), ArrayBuffer: copy(ArrayBuffer), JSON: copy(JSON), Math: Math_, Number: copy(Number),
  Object: copy(Object), Reflect: copy(Reflect), String: copy(String),
};
