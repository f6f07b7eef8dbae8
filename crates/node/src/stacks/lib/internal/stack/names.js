// The names that functions have in stacks: with what they were called on, and as what.
// Uses binding.assignedName.
'use strict';

const { apply, getPrototypeOf, startsWith } = require('internal/kept');
const { moduleFunctions } = require('internal/stack');
const { AsyncSite, functionOf } = require('internal/stack/noting');

const { getOwnPropertyDescriptor, getOwnPropertyNames } = Object;

// The engine's own name for code outside all functions.
const TOP = '<eval>';
exports.TOP = TOP;

// Text of `eval`, and of functions made of text; behind this is the file that made it.
const isEvaluated = (file) => typeof file === 'string' && startsWith(file, '<input>');
exports.isEvaluated = isEvaluated;

exports.isLibrary = isLibrary;
function isLibrary(site) {
  const file = site.getFileName();
  return typeof file === 'string' && startsWith(file, 'node:lib/');
}

// Not by `util.types`: an error may be made while that is being loaded.
binding.install('values', binding);
const { getProxyDetails } = binding;
const isProxy = (value) =>
  (typeof value === 'function' || (typeof value === 'object' && value !== null)) && getProxyDetails(value) !== undefined;

// The name that a function was given, whatever the program has made of the property.
exports.ownName = ownName;
function ownName(method) {
  const name = isProxy(method) ? undefined : getOwnPropertyDescriptor(method, 'name')?.value;
  return typeof name === 'string' ? name : '';
}

// What the objects that it makes inherit from.
exports.prototypeIn = (method) => (isProxy(method) ? undefined : getOwnPropertyDescriptor(method, 'prototype')?.value);

const primitives = { __proto__: null, string: 'String', number: 'Number', boolean: 'Boolean', symbol: 'Symbol', bigint: 'BigInt' };

// An object and what it inherits from, as far as nothing of the program's runs for it.
function* chain(object) {
  for (; object !== null && object !== undefined && !isProxy(object); object = getPrototypeOf(object)) yield object;
}

/// What kind of thing a function was called on; undefined for nothing, and for the global object.
exports.typeOf = typeOf;
function typeOf(receiver) {
  if (receiver === undefined || receiver === null || receiver === globalThis) return undefined;
  if (typeof receiver !== 'object' && typeof receiver !== 'function') return primitives[typeof receiver];
  if (isProxy(receiver)) return 'Proxy';
  if (typeof receiver === 'function') return ownName(receiver) || 'Function';
  for (const object of chain(receiver)) {
    const maker = getOwnPropertyDescriptor(object, 'constructor')?.value;
    if (typeof maker === 'function') return ownName(maker) || 'Object';
  }
  return !isProxy(receiver) && getOwnPropertyDescriptor(receiver, Symbol.toStringTag)?.value === 'Module' ? 'Module' : 'Object';
}

// Where the host keeps what it calls. A timer tells what that is; an immediate that runs has let go of it.
function keptAs(receiver, method) {
  const type = typeOf(receiver);
  if (type === 'Timeout') return binding.timerInfo(receiver)?.callback === method ? '_onTimeout' : undefined;
  return type === 'Immediate' ? '_onImmediate' : undefined;
}

// Nobody looks for a function among more properties than this.
const MANY = 1000;

const holds = (descriptor, method) =>
  descriptor !== undefined && (descriptor.value === method || descriptor.get === method || descriptor.set === method);

/// As which property a function was called on something: under its own name if it has it there, or the only other
/// one; undefined if there is none.
exports.methodOf = methodOf;
function methodOf(receiver, method, name) {
  if (typeof receiver !== 'object' && typeof receiver !== 'function') receiver = getPrototypeOf(Object(receiver));
  for (const object of chain(receiver)) {
    const descriptor = name === '' ? undefined : getOwnPropertyDescriptor(object, name);
    if (holds(descriptor, method)) return name;
    if (descriptor !== undefined) break;
  }
  let found = keptAs(receiver, method);
  if (Array.isArray(receiver)) return found;
  for (const object of chain(receiver)) {
    const keys = getOwnPropertyNames(object);
    if (keys.length > MANY) return undefined;
    for (const key of keys) {
      if (!holds(getOwnPropertyDescriptor(object, key), method)) continue;
      if (found !== undefined && found !== key) return undefined;
      found = key;
    }
  }
  return found;
}

const { toString } = Function.prototype;
/// The text of a function.
const textOf = (method) => apply(toString, method, []);
exports.textOf = textOf;
const isClass = (value) => !isProxy(value) && startsWith(textOf(value), 'class');

/// The name of a frame; empty for code outside all functions, and for functions without one.
exports.nameOf = function nameOf(site, receiver) {
  const method = functionOf(site);
  if (moduleFunctions.has(method)) return 'Object.<anonymous>';
  const told = site.getFunctionName();
  if (told === TOP) return isEvaluated(site.getFileName()) ? 'eval' : '';
  const name = !told || told === '<anonymous>' ? '' : told;
  if (site.isConstructor() && !site.isNative()) return `new ${name || '<anonymous>'}`;
  if (site.isNative()) return name === '' ? '' : nativeName(method, name);
  const assigned = name === '' && typeof site.getFileName() === 'string' && !isLibrary(site) ? binding.assignedName(site.getFileName(), method, textOf(method)) : undefined;
  if (assigned !== undefined) return assigned;
  // Accessors, private members and symbols go by themselves; an accessor has a property, too.
  if (name !== '' && !/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name)) {
    const accessor = isLibrary(site) ? null : /^[gs]et (.+)$/s.exec(name);
    return accessor === null ? name : `${name} [as ${accessor[1]}]`;
  }
  // Of a function that goes on, V8 no longer knows which function it was called on, unless that is a class.
  const type = typeof receiver === 'function' && AsyncSite.is(site) && !isClass(receiver) ? 'Function' : typeOf(receiver);
  if (type === undefined) return name;
  const key = methodOf(receiver, method, name);
  if (name === '') return `${type}.${key ?? '<anonymous>'}`;
  return `${type}.${name}${key === undefined || key === name ? '' : ` [as ${key}]`}`;
};

// Classes of the language, by their names, which a program cannot take away: those that want `new`, and those that can be
// called without it, too.
const wantsNew = /^(?:Promise|Map|Set|Weak(?:Map|Ref|Set)|FinalizationRegistry|(?:Shared)?ArrayBuffer|DataView|(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array)$/;
const alsoCalled = /^(?:String|Number|Boolean|Date|RegExp|Function|Symbol|\w*Error)$/;
exports.isAlsoCalled = (site) => site.isNative() && alsoCalled.test(site.getFunctionName());

// A method of the language goes by the kind of its object, too.
let natives;
function nativeName(method, name) {
  if (natives === undefined) {
    natives = new WeakMap();
    const add = (kind, object) => {
      for (const key of Reflect.ownKeys(object)) {
        const { value } = getOwnPropertyDescriptor(object, key);
        if (typeof value === 'function' && key !== 'constructor') natives.set(value, `${kind}.${typeof key === 'symbol' ? `[${key.description}]` : key}`);
      }
    };
    const kinds = { Array, String, Map, Set, WeakMap, WeakSet, Promise, RegExp, Number, BigInt, Date, Uint8Array };
    for (const kind of Object.keys(kinds)) {
      add('Function', kinds[kind]);
      add(kind, kinds[kind].prototype);
    }
    add('Function', Object);
    add('Object', Object.prototype);
    add('Function', Function.prototype);
    for (const [kind, object] of Object.entries({ JSON, Reflect, Math })) add(kind, object);
  }
  return natives.get(method) ?? (wantsNew.test(name) ? `new ${name}` : name);
}
