// Atomics.wait, Atomics.waitAsync and Atomics.notify: who waits does so in the world, which lets other machines go
// on and can end the wait. The rest is the engine's.
//
// Takes from `binding`: Atomics, giveUpOperation, perform, referOperation, request, shareMemory.
'use strict';

const { Atomics } = binding;
const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const TypedArray = getPrototypeOf(Int8Array);
const kindOfArray = getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get;
const bufferOf = getOwnPropertyDescriptor(TypedArray.prototype, 'buffer').get;
const lengthOf = getOwnPropertyDescriptor(TypedArray.prototype, 'length').get;
const offsetOf = getOwnPropertyDescriptor(TypedArray.prototype, 'byteOffset').get;

/// A value as the engine of Node names it in an error.
function nameOf(value) {
  if (typeof value === 'symbol') return value.toString();
  return typeof value === 'object' && value !== null ? apply(Object.prototype.toString, value, []) : String(value);
}

/// What kind of array this is, if one can wait for its words.
function check(array) {
  const kind = typeof array === 'object' && array !== null ? apply(kindOfArray, array, []) : undefined;
  if (kind === 'Int32Array' || kind === 'BigInt64Array') return kind;
  throw new TypeError(`${nameOf(array)} is not an int32 or BigInt64 typed array.`);
}

/// The place of a word in its array.
function placeOf(array, index) {
  const place = Math.trunc(Number(index)) || 0;
  if (place < 0 || place >= apply(lengthOf, array, [])) throw new RangeError('Invalid atomic access index');
  return place;
}

const isShared = (buffer) => Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';

/// What somebody wants to wait for, and for how many milliseconds at most; without a limit it is for ever.
function wish(typedArray, index, value, timeout) {
  const isWide = check(typedArray) === 'BigInt64Array';
  const buffer = apply(bufferOf, typedArray, []);
  if (!isShared(buffer)) throw new TypeError(`${nameOf(typedArray)} is not a shared typed array.`);
  const place = placeOf(typedArray, index);
  const expected = isWide ? BigInt.asIntN(64, toBigInt(value)) : Number(value) | 0;
  const limit = timeout === undefined ? NaN : Number(timeout);
  const offset = apply(offsetOf, typedArray, []) + place * (isWide ? 8 : 4);
  return { buffer, place, offset, isWide, expected, most: Number.isNaN(limit) || limit === Infinity ? null : Math.max(limit, 0) };
}

const argumentsOf = ({ buffer, offset, isWide, expected }, most) =>
  [binding.shareMemory(buffer), offset, isWide, isWide ? String(expected) : expected, most];

function wait(typedArray, index, value, timeout) {
  const wished = wish(typedArray, index, value, timeout);
  try {
    return binding.perform('memory.wait', argumentsOf(wished, wished.most));
  } catch (fault) {
    throw Object.assign(new Error(`${fault.code}: ${fault.message}`), { code: fault.code });
  }
}

const { load } = Atomics;

// Who waits keeps nothing alive but the memory.
function waitAsync(typedArray, index, value, timeout) {
  const wished = wish(typedArray, index, value, timeout);
  const { place, expected, most } = wished;
  if (load(typedArray, place) !== expected) return { async: false, value: 'not-equal' };
  if (most === 0) return { async: false, value: 'timed-out' };
  const { setTimeout, clearTimeout } = require('internal/timers');
  return {
    async: true,
    value: new Promise((resolve) => {
      let timer;
      const operation = binding.request('memory.wait', argumentsOf(wished, null), (fault, said) => {
        if (timer !== undefined) clearTimeout(timer);
        wished.buffer = undefined;
        resolve(said);
      });
      binding.referOperation(operation, false);
      if (most === null) return;
      timer = setTimeout(() => {
        binding.giveUpOperation(operation);
        resolve('timed-out');
      }, Math.min(most, 2147483647));
      timer.unref();
    }),
  };
}

function toBigInt(value) {
  if (typeof value === 'number') throw new TypeError(`Cannot convert ${value} to a BigInt`);
  return BigInt(value);
}

function notify(typedArray, index, count) {
  const isWide = check(typedArray) === 'BigInt64Array';
  const place = placeOf(typedArray, index);
  const most = count === undefined ? Infinity : Math.max(Math.trunc(Number(count)) || 0, 0);
  const buffer = apply(bufferOf, typedArray, []);
  if (!isShared(buffer)) return 0;
  const offset = apply(offsetOf, typedArray, []) + place * (isWide ? 8 : 4);
  return binding.perform('memory.notify', [binding.shareMemory(buffer), offset, Math.min(most, Number.MAX_SAFE_INTEGER)]);
}

for (const method of [wait, waitAsync, notify]) {
  Object.defineProperty(Atomics, method.name, { __proto__: null, configurable: true, enumerable: false, writable: true, value: method });
}

module.exports = { Atomics };
