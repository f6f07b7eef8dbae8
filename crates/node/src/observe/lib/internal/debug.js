// What a debugger sees of values, and code that it runs in the place of a frame's.
// Uses binding.evaluate, getPromiseDetails, getProxyDetails, privateFields.
'use strict';

const { inspect } = require('internal/util/inspect');
const { isProxy, isMap, isSet, isPromise, isTypedArray } = require('internal/util/types');
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys, apply } = Reflect;
const { isArray } = Array;
const { forEach: eachEntry } = Map.prototype;
const { forEach: eachMember } = Set.prototype;
const { get: mapSize } = getOwnPropertyDescriptor(Map.prototype, 'size');
const { get: setSize } = getOwnPropertyDescriptor(Set.prototype, 'size');
const sameValue = Object.is;
const engineError = Error;
const SyntaxFailure = SyntaxError;

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

// How many entries of a list are shown.
const MANY = 1000;

// How much of an object is shown in one line.
const LONG = 300;

const options = {
  depth: 1, compact: true, breakLength: Infinity, maxArrayLength: 10, maxStringLength: 2000,
  customInspect: false, showProxy: true, getters: false, colors: false,
};

// A data property, wherever it is inherited from; no getter is called.
function data(object, key) {
  for (let at = object; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
    const property = getOwnPropertyDescriptor(at, key);
    if (property !== undefined) return property.value;
  }
  return undefined;
}

// An error in one line.
exports.failure = (value) => {
  if (isObject(value) && !isProxy(value) && value instanceof engineError) {
    const [name, message] = [data(value, 'name'), data(value, 'message')];
    return message === '' || message === undefined ? `${String(name)}` : `${String(name)}: ${String(message)}`;
  }
  return exports.brief(value);
};

// A value in one line.
exports.brief = (value) => {
  if (isObject(value) && !isProxy(value) && value instanceof engineError) return exports.failure(value);
  let text;
  try {
    text = inspect(value, options);
  } catch (error) {
    // What a program does to its prototypes may stop even this.
    return `<${exports.kind(value)}: ${error.message}>`;
  }
  if (typeof value === 'string') return text;
  if (text.includes('\n')) text = text.replace(/\s*\n\s*/g, ' ');
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
};

// What a value is.
exports.kind = (value) => {
  if (!isObject(value) || isProxy(value)) return value === null ? 'null' : typeof value;
  if (typeof value === 'function') return 'function';
  const { name } = data(value, 'constructor') ?? {};
  return typeof name === 'string' && name !== '' ? name : 'Object';
};

const named = (key) => (typeof key === 'symbol' ? `[${String(key)}]` : key);

// What is in an object: names and values one after the other, and a third that says what a value is: 0 a
// property, 1 something inside, 2 a getter.
exports.children = (value) => {
  const found = [];
  if (!isObject(value)) return found;
  const add = (name, one, what) => { found.push(name, one, what); };
  if (isProxy(value)) {
    const [target, handler] = binding.getProxyDetails(value);
    add('[[Target]]', target, 1);
    add('[[Handler]]', handler, 1);
    return found;
  }
  const isList = isArray(value) || isTypedArray(value);
  let count = 0;
  for (const key of isTypedArray(value) ? Object.keys(value).slice(0, MANY) : ownKeys(value)) {
    if (count++ === MANY && isList) break;
    const property = getOwnPropertyDescriptor(value, key);
    if (property === undefined) continue;
    if (property.get !== undefined || property.set !== undefined) add(named(key), undefined, 2);
    else add(named(key), property.value, 0);
  }
  for (const [name, one] of binding.privateFields(value)) add(name, one, 1);
  if (isMap(value)) {
    let at = 0;
    apply(eachEntry, value, [(entry, key) => { if (at++ < MANY) add(`${exports.brief(key)} =>`, entry, 1); }]);
  } else if (isSet(value)) {
    let at = 0;
    apply(eachMember, value, [(member) => { if (at < MANY) add(`[${at++}]`, member, 1); }]);
  } else if (isPromise(value)) {
    const [state, result] = binding.getPromiseDetails(value);
    add('[[PromiseState]]', ['pending', 'fulfilled', 'rejected'][state], 1);
    if (state !== 0) add('[[PromiseResult]]', result, 1);
  }
  const prototype = getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && prototype !== Function.prototype) add('[[Prototype]]', prototype, 1);
  return found;
};


// How many members of an object are looked at for changes.
const WATCHED = 5000;

const isTooLong = (value) => (isMap(value) || isSet(value) ? apply(isMap(value) ? mapSize : setSize, value, []) :
  isArray(value) || isTypedArray(value) ? value.length : 0) > WATCHED;

// Whether there is more in a value than is looked at for changes.
exports.isTooMuch = (value) => isObject(value) && !isProxy(value) && (isTooLong(value) || ownKeys(value).length > WATCHED);

// What is in an object, one level deep, in a list; `last` again if that has the same in it. Of one that has
// grown too long, how long it is.
exports.inside = (value, last) => {
  if (!isObject(value) || isProxy(value)) return undefined;
  const found = [];
  let count = 0;
  const add = (one) => { found[count++] = one; };
  if (isTooLong(value)) {
    add(isMap(value) ? apply(mapSize, value, []) : isSet(value) ? apply(setSize, value, []) : value.length);
  } else {
    for (const key of ownKeys(value)) {
      const property = getOwnPropertyDescriptor(value, key);
      if (property === undefined) continue;
      add(key);
      add(property.get === undefined ? property.value : property.get);
    }
    for (const [name, one] of binding.privateFields(value)) {
      add(name);
      add(one);
    }
    if (isMap(value)) apply(eachEntry, value, [(entry, key) => { add(key); add(entry); }]);
    else if (isSet(value)) apply(eachMember, value, [add]);
  }
  if (last === undefined || last.length !== count) return found;
  for (let index = 0; index < count; index++) if (!sameValue(last[index], found[index])) return found;
  return last;
};

// Functions that are strict or not, in whose place names mean what `scope` says.
const SOURCE = `(function ($step_scope) {
  with ($step_scope) {
    return [function () { return eval($step_text); }, function () { 'use strict'; return eval($step_text); }];
  }
})`;

// A text that may be an object literal is one, as at a prompt.
function asExpression(text) {
  if (!/^\s*\{/.test(text)) return text;
  try {
    new Function(`return (${text}\n)`);
    return `(${text}\n)`;
  } catch (error) {
    if (error instanceof SyntaxFailure) return text;
    throw error;
  }
}

// The value of a text in a frame: `names` are those that the frame sees, `get(index)` gives the value of
// one or throws.
exports.evaluate = (text, names, get, isStrict, self, args) => {
  const indexes = new Map();
  names.forEach((name, index) => { if (!indexes.has(name)) indexes.set(name, index); });
  const code = asExpression(text).replace(/\.\s*#([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)/gu, (_, name) => `[$step_private_${name}]`);
  const refuse = (name) => { throw new TypeError(`Cannot change '${name}': what a replay does is recorded`); };
  const privateOf = (name) => {
    const found = binding.privateFields(isObject(self) ? self : {}, name)[0];
    if (found === undefined) throw new SyntaxFailure(`Private field '${name}' must be declared in an enclosing class`);
    return found[2];
  };
  const scope = new Proxy({ __proto__: null }, {
    __proto__: null,
    has: (_, key) => typeof key === 'string' && (indexes.has(key) || key === '$step_text' || key.startsWith('$step_private_')),
    get: (_, key) => {
      if (typeof key === 'symbol') return undefined;
      if (key === '$step_text') return code;
      if (key.startsWith('$step_private_')) return privateOf(`#${key.slice('$step_private_'.length)}`);
      return get(indexes.get(key));
    },
    set: (_, key) => refuse(key),
    deleteProperty: (_, key) => refuse(key),
  });
  const functions = binding.evaluate(SOURCE, 'evaluation')(scope);
  return apply(functions[isStrict ? 1 : 0], self, args);
};
