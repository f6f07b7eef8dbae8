// Looks for natives of the library in everything that the library hands to what a program can replace:
// functions of the language, and getters and setters that all objects have.
//
// A native is a function without a file that was not there at the beginning, and that the program cannot
// get from any global or module either.
'use strict';

const { apply, construct, defineProperty: define, getOwnPropertyDescriptor: describe, getPrototypeOf: prototypeOf, ownKeys } = Reflect;
const { has, add } = WeakSet.prototype;
const { startsWith } = String.prototype;
const Weak = WeakSet;
const Failure = Error;
const isObject = (value) => typeof value === 'function' || (typeof value === 'object' && value !== null);

// An engine that tells the file of a function tells natives by having none.
const file = describe(Function.prototype, 'fileName').get;
const isNative = (value) => typeof value === 'function' && apply(file, value, []) === undefined;

const known = new WeakSet();
const isKnown = (value) => apply(has, known, [value]);
const note = (value) => apply(add, known, [value]);

// Objects of the language and what they are called. What is only made when it is asked for stays unmade.
const language = [];
function walk(value, path, visit, seen) {
  if (!isObject(value) || apply(has, seen, [value])) return;
  apply(add, seen, [value]);
  visit(value, path);
  const keys = ownKeys(value);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    const { get, set, value: held } = describe(value, key) ?? {};
    const name = `${path}.${typeof key === 'symbol' ? `[${key.description}]` : key}`;
    walk(get, `${name}.get`, visit, seen);
    walk(set, `${name}.set`, visit, seen);
    // These are the library's own.
    if (name !== 'global.process' && name !== 'global.console') walk(held, name, visit, seen);
  }
  walk(prototypeOf(value), `${path}.__proto__`, visit, seen);
}

function begin() {
  const seen = new WeakSet();
  const visit = (value, path) => {
    note(value);
    language[language.length] = [value, path];
  };
  walk(globalThis, 'global', visit, seen);
  const others = {
    asyncFunction: async () => {}, generator: (function* () {})(), asyncGenerator: (async function* () {})(),
    arrayIterator: [].values(), mapIterator: new Map().values(), setIterator: new Set().values(),
    stringIterator: ''[Symbol.iterator](), matches: ''.matchAll(/a/g),
    generatorFunction: function* () {}, asyncGeneratorFunction: async function* () {},
  };
  for (const name of Object.keys(others)) walk(prototypeOf(others[name]), name, visit, seen);
}

// What was found, as value and place; whether it is a leak is known at the end.
const found = [];
const places = { __proto__: null };
function tell(value, what, where) {
  const key = `${what} in ${where}`;
  if (places[key] !== undefined) return;
  places[key] = true;
  found[found.length] = [value, key, new Failure().stack];
}

// How deep what is handed out is searched, and how many properties of an object.
const DEPTH = 2;
const WIDTH = 100;

function look(value, where, depth, seen) {
  if (!isObject(value) || isKnown(value) || apply(has, seen, [value])) return;
  apply(add, seen, [value]);
  if (typeof value === 'function') {
    const name = describe(value, 'name')?.value;
    if (name === 'requireLibrary') tell(value, "the library's require", where);
    // The engine's own have no name: those that settle a promise.
    if (isNative(value) && typeof name === 'string' && name !== '' && !apply(startsWith, name, ['bound '])) {
      tell(value, `native ${name}`, where);
    }
  }
  if (describe(value, 'strategy') !== undefined && describe(value, 'entry') !== undefined) tell(value, 'binding', where);
  if (depth === 0) return;
  const keys = ownKeys(value);
  for (let at = 0; at < keys.length && at < WIDTH; at++) {
    const key = keys[at];
    const held = describe(value, key)?.value;
    if (isObject(held)) look(held, `${where}.${typeof key === 'symbol' ? 'symbol' : key}`, depth - 1, seen);
  }
}

let isLooking = false;
let looks = 0;
function inspect(self, values, where) {
  if (isLooking) return;
  isLooking = true;
  looks += 1;
  try {
    const seen = new Weak();
    look(self, `this of ${where}`, DEPTH, seen);
    for (let at = 0; at < values.length; at++) look(values[at], `argument ${at} of ${where}`, DEPTH, seen);
  } catch {
    // A proxy that does not want to be looked at.
  } finally {
    isLooking = false;
  }
}

function spyOn(original, where) {
  const spy = function(...values) {
    inspect(this, values, where);
    return new.target === undefined ? apply(original, this, values) : construct(original, values, new.target === spy ? original : new.target);
  };
  const keys = ownKeys(original);
  for (let at = 0; at < keys.length; at++) define(spy, keys[at], describe(original, keys[at]));
  note(spy);
  return spy;
}

/// Replaces functions and accessors of the language, those for which `chosen()` is true.
function replaceFunctions(chosen) {
  let replaced = 0;
  for (const [holder, path] of language) {
    // Globals of our own are not the language.
    if (holder === globalThis) continue;
    for (const key of ownKeys(holder)) {
      const name = `${path}.${String(key)}`;
      const property = describe(holder, key);
      if (key === 'constructor' || key === 'prototype' || name.endsWith('.fileName') || !chosen()) continue;
      for (const part of ['value', 'get', 'set']) {
        if (typeof property[part] === 'function') {
          property[part] = spyOn(property[part], part === 'value' ? name : `${name}.${part}`);
          replaced += 1;
        }
      }
      if (property.configurable || property.writable) define(holder, key, property);
    }
  }
  return replaced;
}

/// Gives all objects, and with them arrays, properties of these names, which tell who asks for or sets them.
function giveProperties(names) {
  for (const name of names) {
    if (name in Object.prototype) continue;
    define(Object.prototype, name, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get() {
        inspect(this, [], `the getter ${name}`);
        return undefined;
      },
      set(value) {
        inspect(this, [value], `the setter ${name}`);
        define(this, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value });
      },
    });
  }
}

/// What the library handed out, without what a program can have anyway.
function leaks(modules) {
  isLooking = true;
  const seen = new Weak();
  const isPublic = new Weak();
  const visit = (value) => apply(add, isPublic, [value]);
  const open = (value) => {
    walk(value, 'public', visit, seen);
    if (!isObject(value)) return;
    for (const key of ownKeys(value)) {
      try {
        walk(value[key], 'public', visit, seen);
      } catch {
        // Not for this program.
      }
    }
  };
  open(globalThis);
  open(process);
  open(console);
  for (const name of modules) open(require(name));
  const list = [];
  for (const [value, what, stack] of found) if (!apply(has, isPublic, [value])) list[list.length] = `${what}\n${stack}`;
  return { list, looks };
}

module.exports = { begin, replaceFunctions, giveProperties, inspect, leaks };
