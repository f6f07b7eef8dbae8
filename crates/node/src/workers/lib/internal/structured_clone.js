// structuredClone, and the copying behind `postMessage`.
'use strict';

const { DOMException } = require('internal/domexception');
const { kSlab } = require('internal/buffer/prototype');
const { kindOf } = require('internal/util/kind');
const types = require('internal/util/types');
const { kClone, kTransfer } = require('internal/transfer');

const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { hasOwn, keys, defineProperty } = Object;
const { toString: toTag, isPrototypeOf } = Object.prototype;
const flagsOfRegExp = getOwnPropertyDescriptor(RegExp.prototype, 'flags').get;
const { at: elementAt } = getPrototypeOf(Uint8Array.prototype);
// Copies are the program's own, whose methods may be anything; a collection of ours has those of the language.
const [MapOfProgram, SetOfProgram] = [Map, Set];
const { forEach: eachOfMap, set: setInMap } = new Map();
const { forEach: eachOfSet, add: addToSet } = new Set();
const sourceOfRegExp = getOwnPropertyDescriptor(RegExp.prototype, 'source').get;

/// An error as Node's native parts throw them, with a code that the message does not show.
function nativeError(Base, code, message) {
  const error = new Base(message);
  error.code = code;
  return error;
}

// What stays where it is although it is listed.
const untransferable = new WeakSet();

/// Says that an object is not to be transferred.
function markAsUntransferable(object) {
  if (isObject(object) && object !== null) untransferable.add(object);
}

function dataCloneError(message) {
  return new DOMException(message, 'DataCloneError');
}

// How each kind of object is copied; an ordinary one is not here, nor is what cannot be copied.
const copiers = {
  __proto__: null,
  Map: copyMap,
  Set: copySet,
  Date: copyDate,
  RegExp: copyRegExp,
  ArrayBuffer: copyBuffer,
  // All that runs here shares the memory already.
  SharedArrayBuffer: (value) => value,
  DataView: copyView,
  Error: copyError,
};
for (const Class of [Boolean, Number, String, BigInt]) {
  copiers[Class.name] = (value, memory) => remember(value, Object(apply(Class.prototype.valueOf, value, [])), memory);
}
for (const name of [
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
  'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array',
]) {
  copiers[name] = (value, memory) => copyView(value, memory, globalThis[name]);
}

// Kinds that without help from the engine look ordinary, and are known by their prototypes.
const uncloneable = [
  WeakRef.prototype, FinalizationRegistry.prototype,
  ...[[].values(), ''[Symbol.iterator](), 'x'.matchAll(/x/g)].map(getPrototypeOf),
];

/// How the engine of Node names a value in an error, without calling anything of the program's.
function nameOf(value) {
  if (typeof value === 'function') return apply(Function.prototype.toString, value, []);
  if (typeof value === 'symbol') return value.toString();
  if (types.isProxy(value)) return '#<Object>';
  if (types.isTypedArray(value) && isOutside(value)) return '[object Object]';
  const constructor = value.constructor;
  if (value.toString === toTag && typeof constructor === 'function' && constructor.name !== '') {
    return `#<${constructor.name}>`;
  }
  return apply(toTag, value, []);
}

function refuse(value) {
  throw dataCloneError(`${nameOf(value)} could not be cloned.`);
}

// Copying. `memory` maps what was met to its copy, so that what is shared stays shared.

function clone(value, memory) {
  switch (typeof value) {
    case 'object':
      return value === null ? null : memory.get(value) ?? copyObject(value, memory);
    case 'function':
    case 'symbol':
      return refuse(value);
    default:
      return value;
  }
}

/// Whether an object of that kind is nothing but its properties.
function isOrdinary(value, kind) {
  if (kind !== 'Object' || value === globalThis) return false;
  const prototype = getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    || !uncloneable.some((one) => one === prototype || apply(isPrototypeOf, one, [value]));
}

function copyObject(value, memory) {
  if (types.isProxy(value)) {
    // The environment is one here, and an object like any other to programs.
    if (value !== require('internal/process').env || value !== require('internal/process/env').env) refuse(value);
    return remember(value, { ...value }, memory);
  }
  const kind = kindOf(value);
  if (kind === 'Array') return copyArray(value, memory);
  if (copiers[kind] !== undefined) return copiers[kind](value, memory);
  if (kind === 'Object' && typeof value[kTransfer] === 'function') {
    throw nativeError(TypeError, 'ERR_MISSING_TRANSFERABLE_IN_TRANSFER_LIST',
                      'Object that needs transfer was found in message but not listed in transferList');
  }
  if (kind === 'Object' && typeof value[kClone] === 'function') {
    if (memory.isForContext) refuse(value);
    return remember(value, value[kClone](), memory);
  }
  if (!isOrdinary(value, kind) || value[kClone] === null) refuse(value);
  const copy = {};
  memory.set(value, copy);
  copyProperties(value, copy, keys(value), memory);
  return copy;
}

function copyProperties(from, to, names, memory) {
  for (const name of names) {
    const value = from[name];
    // A getter may have removed what was to come.
    if (value === undefined && !hasOwn(from, name)) continue;
    put(to, name, clone(value, memory));
  }
}

function put(object, name, value) {
  if (name !== '__proto__') {
    object[name] = value;
  } else {
    defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }
}

function copyArray(value, memory) {
  const { length } = value;
  const copy = [];
  memory.set(value, copy);
  const names = keys(value);
  let dense = 0;
  // The elements up to the first hole; `names` lists the same ones first.
  for (; dense < length; ++dense) {
    const element = value[dense];
    if (element === undefined && !hasOwn(value, dense)) break;
    copy.push(clone(element, memory));
  }
  copy.length = length;
  if (names.length > dense) copyProperties(value, copy, names.slice(dense), memory);
  return copy;
}

function copyMap(value, memory) {
  const copy = new MapOfProgram();
  memory.set(value, copy);
  // A copy of the entries first: a getter met on the way may change the map.
  const entries = [];
  apply(eachOfMap, value, [(item, key) => entries.push(key, item)]);
  for (let i = 0; i < entries.length; i += 2) {
    const key = clone(entries[i], memory);
    apply(setInMap, copy, [key, clone(entries[i + 1], memory)]);
  }
  return copy;
}

function copySet(value, memory) {
  const copy = new SetOfProgram();
  memory.set(value, copy);
  const items = [];
  apply(eachOfSet, value, [(item) => items.push(item)]);
  for (const item of items) apply(addToSet, copy, [clone(item, memory)]);
  return copy;
}

function remember(value, copy, memory) {
  memory.set(value, copy);
  return copy;
}

function copyDate(value, memory) {
  return remember(value, new Date(apply(Date.prototype.getTime, value, [])), memory);
}

function copyRegExp(value, memory) {
  const source = apply(sourceOfRegExp, value, []);
  return remember(value, require('internal/patterns').made(source, apply(flagsOfRegExp, value, [])), memory);
}

function copyBuffer(value, memory) {
  if (value.detached) throw dataCloneError('An ArrayBuffer is detached and could not be cloned.');
  return remember(value, duplicate(value), memory);
}

function duplicate(buffer) {
  if (!buffer.resizable) return buffer.slice(0);
  const copy = new ArrayBuffer(buffer.byteLength, { maxByteLength: buffer.maxByteLength });
  new Uint8Array(copy).set(new Uint8Array(buffer));
  return copy;
}

function copyView(value, memory, Class = DataView) {
  const { buffer } = value;
  if (buffer.detached) throw dataCloneError('An ArrayBuffer is detached and could not be cloned.');
  if (isOutside(value)) refuse(value);
  const isFollowing = followsLength(value, Class);
  const length = Class === DataView ? value.byteLength : value.length;
  const copy = clone(buffer, memory);
  return remember(value, isFollowing ? new Class(copy, value.byteOffset) : new Class(copy, value.byteOffset, length), memory);
}

/// Whether a buffer has become too short for its view.
function isOutside(view) {
  if (!view.buffer.resizable) return false;
  try {
    if (types.isDataView(view)) return view.byteLength === undefined;
    apply(elementAt, view, [0]);
    return false;
  } catch {
    return true;
  }
}

/// Whether a view has the length of its buffer, whatever that becomes. Only who resizes the buffer sees it;
/// the buffer is then as it was.
function followsLength(view, Class) {
  const { buffer, byteOffset, byteLength } = view;
  if (!buffer.resizable) return false;
  const size = Class.BYTES_PER_ELEMENT ?? 1;
  const before = buffer.byteLength;
  const end = byteOffset + byteLength;
  if (before - end >= size) return false;
  if (byteLength === 0) {
    if (end + size > buffer.maxByteLength) return false;
    buffer.resize(end + size);
    const isLonger = view.byteLength > 0;
    buffer.resize(before);
    return isLonger;
  }
  const rest = new Uint8Array(buffer).slice(end - 1);
  buffer.resize(end - 1);
  const isShorter = !isOutside(view);
  buffer.resize(before);
  new Uint8Array(buffer).set(rest, end - 1);
  return isShorter;
}

const errorClasses = { __proto__: null, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/// An error keeps its message, its cause and its stack, and of its class the nearest of the language.
function copyError(value, memory) {
  const Class = errorClasses[String(value.name)] ?? Error;
  const copy = new Class();
  memory.set(value, copy);
  const { stack } = value;
  hide(copy, 'stack', typeof stack === 'string' ? stack : undefined);
  const message = getOwnPropertyDescriptor(value, 'message');
  if (message !== undefined && 'value' in message) hide(copy, 'message', String(message.value));
  const cause = getOwnPropertyDescriptor(value, 'cause');
  if (cause !== undefined && 'value' in cause) hide(copy, 'cause', clone(cause.value, memory));
  return copy;
}

function hide(object, key, value) {
  defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

// Transferring.

/// Puts into `memory` what each object of the list will be on the other side; gives what completes
/// the moves, and the ports among them.
function prepareTransfer(list, memory, source) {
  const moves = [];
  const ports = [];
  for (const object of list) {
    if (isObject(object) && object !== null && (untransferable.has(object) || object[kSlab])) continue;
    const isBuffer = object !== null && typeof object === 'object' && kindOf(object) === 'ArrayBuffer';
    if (object?.[kTransfer] === null) throw dataCloneError('Found invalid object in transferList');
    // What else can be copied may be listed, too.
    if (!isBuffer && typeof object?.[kTransfer] !== 'function' && typeof object?.[kClone] === 'function') continue;
    if (!isBuffer && typeof object?.[kTransfer] !== 'function') {
      throw nativeError(TypeError, 'ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
    }
    if (object === source) throw dataCloneError('Transfer list contains source port');
    if (memory.has(object)) {
      throw dataCloneError(`Transfer list contains duplicate ${isBuffer ? 'ArrayBuffer' : object.constructor.name}`);
    }
    if (!isBuffer) {
      const { value, commit, isPort = false } = object[kTransfer]();
      memory.set(object, value);
      moves.push(commit);
      if (isPort) ports.push(value);
    } else if (!object.detached) {
      // The bytes are copied and the original emptied at the end: a copy that fails half way must
      // leave everything as it was.
      memory.set(object, duplicate(object));
      moves.push(() => object.transfer());
    }
  }
  return { moves, ports };
}

/// The objects of any iterable; undefined if the value is none.
function listOf(iterable) {
  if (Array.isArray(iterable)) return iterable;
  if (typeof iterable[Symbol.iterator] !== 'function') return undefined;
  const iterator = iterable[Symbol.iterator]();
  const next = iterator?.next;
  if (typeof next !== 'function') return undefined;
  const list = [];
  for (let step; !(step = apply(next, iterator, [])).done;) list.push(step.value);
  return list;
}

function notIterable(name) {
  return nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', `Optional ${name} argument must be an iterable`);
}

const isObject = (value) => typeof value === 'object' || typeof value === 'function';

/// Copies a value and moves what is listed; gives the copy and the ports that moved.
function cloneAndTransfer(value, list, source = undefined) {
  const memory = new Map();
  const { moves, ports } = prepareTransfer(list, memory, source);
  const copy = clone(value, memory);
  for (const commit of moves) commit();
  return { value: copy, ports };
}

/// Copies what was received for a context of vm, where ports are others, by a map, and the library has no classes.
function cloneForContext(value, ports) {
  const memory = new Map(ports);
  memory.isForContext = true;
  return clone(value, memory);
}

function structuredClone(...args) {
  if (args.length === 0) throw nativeError(TypeError, 'ERR_MISSING_ARGS', 'The value argument must be specified');
  const [value, options] = args;
  if (options !== undefined && !isObject(options)) {
    throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The options argument must be either an object or undefined');
  }
  const transfer = options?.transfer ?? [];
  if (!isObject(transfer)) throw notIterable('transferList');
  return cloneAndTransfer(value, listOf(transfer) ?? []).value;
}

/// What to transfer: the second argument of `postMessage` is a list, or options that have one.
function readTransferArgument(argument) {
  if (argument === undefined || argument === null) return [];
  if (!isObject(argument)) throw notIterable('transferList');
  const list = listOf(argument);
  if (list !== undefined) return list;
  const { transfer = [] } = argument;
  const inner = transfer !== null && isObject(transfer) ? listOf(transfer) : undefined;
  if (inner === undefined) throw notIterable('options.transfer');
  return inner;
}

module.exports = {
  structuredClone, cloneAndTransfer, cloneForContext, readTransferArgument, dataCloneError, nativeError, markAsUntransferable,
  isOrdinary, nameOf, followsLength, isOutside,
};
