// The module `buffer`: the function Buffer, how its memory is had, and what else the module gives.
//
// Taken from `binding` where present: emitWarning(message, type, code).
'use strict';

const {
  codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING },
} = require('internal/errors');
const { validateArray, validateInteger, validateNumber } = require('internal/validators');
const { isAnyArrayBuffer, isTypedArray, isUint8Array } = require('internal/util/types');
const { encodings, lookup } = require('internal/buffer/codec');
const {
  kSlab, FastBuffer, compareBytes, copyBytes, fillBuffer, inspectLimit, kMaxLength, validateBytes, validateOffset,
} = require('internal/buffer/prototype');

const kStringMaxLength = 2 ** 29 - 24;

/// The old ways to make a Buffer; `Buffer.alloc` and `Buffer.from` are the ones to use.
function Buffer(arg, encodingOrOffset, length) {
  warnOfBuffer();
  if (typeof arg !== 'number') return Buffer.from(arg, encodingOrOffset, length);
  // Whoever names an encoding meant a string.
  if (typeof encodingOrOffset === 'string') throw new ERR_INVALID_ARG_TYPE('string', 'string', arg);
  return Buffer.alloc(arg);
}

let warned = false;
let isLooking = false;

// Once, and not for a call in a package, whose author is not the one to read it.
function warnOfBuffer() {
  if (warned || isLooking || binding.emitWarning === undefined) return;
  // The program's own way to show a stack may call it, too.
  isLooking = true;
  const stack = String(new Error().stack);
  isLooking = false;
  // It is enough that a package has called whoever calls.
  if (/^ *at .*[\\/]node_modules[\\/]/m.test(stack) && !require('internal/flags').isOn('--pending-deprecation')) return;
  warned = true;
  binding.emitWarning('Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), ' +
    'Buffer.allocUnsafe(), or Buffer.from() methods instead.', 'DeprecationWarning', 'DEP0005');
}

Object.setPrototypeOf(Buffer, Uint8Array);
Object.defineProperty(Buffer, 'prototype', { value: FastBuffer.prototype });
Object.defineProperty(FastBuffer.prototype, 'constructor', {
  value: Buffer, writable: true, enumerable: false, configurable: true,
});
Object.defineProperty(Buffer, Symbol.species, { get: () => FastBuffer, configurable: true, enumerable: false });

binding.setBufferPrototype?.(FastBuffer.prototype);

for (const [name, field] of [['parent', 'buffer'], ['offset', 'byteOffset']]) {
  Object.defineProperty(Buffer.prototype, name, {
    enumerable: true,
    get() {
      return this instanceof Buffer ? this[field] : undefined;
    },
  });
}

// Small buffers share a slab: programs may look at `buf.buffer` and find more than their bytes.
// A slab begins to be used at multiples of eight, as typed arrays of wider elements need.
let slab;
let slabUsed = 0;
let slabSize = 0;

function allocateLarge(size) {
  try {
    return new FastBuffer(size);
  } catch (error) {
    // The engine takes less than a buffer may be long.
    throw error instanceof RangeError ? new RangeError('Array buffer allocation failed') : error;
  }
}

function allocate(size) {
  if (size === 0) return new FastBuffer();
  if (size >= Buffer.poolSize >>> 1) return allocateLarge(size);
  if (size > slabSize - slabUsed) {
    slab = new ArrayBuffer(Buffer.poolSize);
    Object.defineProperty(slab, kSlab, { __proto__: null, value: true });
    slabSize = slab.byteLength;
    slabUsed = 0;
  }
  const buffer = new FastBuffer(slab, slabUsed, size);
  slabUsed = (slabUsed + size + 7) & ~7;
  return buffer;
}

Buffer.poolSize = 8 * 1024;

const sources = ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'];

function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  const isObject = typeof value === 'object' && value !== null;
  const buffer = isObject ? fromObject(value, encodingOrOffset, length) : undefined;
  if (buffer === undefined) throw new ERR_INVALID_ARG_TYPE('first argument', sources, value);
  return buffer;
}
Buffer.from = from;

function fromString(string, encoding) {
  let known = encodings.utf8;
  if (typeof encoding === 'string' && encoding.length !== 0) {
    known = lookup(encoding);
    if (known === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  }
  const bytes = known.encode(string);
  if (bytes.length >= Buffer.poolSize >>> 1) return new FastBuffer(bytes.buffer, bytes.byteOffset, bytes.length);
  const buffer = allocate(bytes.length);
  buffer.set(bytes);
  return buffer;
}

function fromArrayBuffer(arrayBuffer, byteOffset, length) {
  byteOffset = byteOffset === undefined ? 0 : +byteOffset || 0;
  const most = arrayBuffer.byteLength - byteOffset;
  if (most < 0) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  // The words of V8, which is the one to refuse it in Node.
  if (byteOffset <= -1) throw new RangeError(`Start offset ${byteOffset} is outside the bounds of the buffer`);
  if (length === undefined) length = most;
  else {
    length = +length;
    if (length > most) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
    if (!(length > 0)) length = 0;
  }
  return new FastBuffer(arrayBuffer, byteOffset, length);
}

/// A Buffer of what an object is, what it stands for, what it holds or what it becomes as a string, in this order.
function fromObject(object, second, third) {
  if (isAnyArrayBuffer(object)) return fromArrayBuffer(object, second, third);
  const value = object.valueOf?.();
  const standsForOther = value !== object && value !== null && (typeof value === 'object' || typeof value === 'string');
  if (standsForOther) return from(value, second, third);
  const { length } = object;
  if (typeof length === 'number') return fromArrayLike(object);
  if (length !== undefined || isAnyArrayBuffer(object.buffer)) return new FastBuffer();
  if (object.type === 'Buffer' && Array.isArray(object.data)) return fromArrayLike(object.data);
  const convert = object[Symbol.toPrimitive];
  const text = typeof convert === 'function' ? convert.call(object, 'string') : undefined;
  return typeof text === 'string' ? fromString(text, second) : undefined;
}

function fromArrayLike(list) {
  if (list.length <= 0) return new FastBuffer();
  const buffer = allocate(Math.trunc(list.length) || 0);
  buffer.set(list);
  return buffer;
}

Buffer.copyBytesFrom = function copyBytesFrom(view, offset, length) {
  if (!isTypedArray(view)) throw new ERR_INVALID_ARG_TYPE('view', ['TypedArray'], view);
  const { length: size, BYTES_PER_ELEMENT: unit } = view;
  if (size > 0 && offset !== undefined) validateInteger(offset, 'offset', 0);
  const left = size - (offset ?? 0);
  if (left <= 0) return new FastBuffer();
  if (length !== undefined) validateInteger(length, 'length', 0);
  const count = length < left ? length : left;
  return fromArrayLike(new Uint8Array(view.buffer, view.byteOffset + (size - left) * unit, count * unit));
};

Buffer.of = function of(...items) {
  const buffer = allocate(items.length);
  buffer.set(items);
  return buffer;
};

function validateSize(size) {
  validateNumber(size, 'size', 0, kMaxLength);
}

Buffer.alloc = function alloc(size, fill, encoding) {
  validateSize(size);
  const buffer = new FastBuffer(size);
  if (fill === undefined || fill === 0 || buffer.length === 0) return buffer;
  return fillBuffer(buffer, fill, 0, buffer.length, encoding);
};

Buffer.allocUnsafe = function allocUnsafe(size) {
  // What is mostly asked for is in the slab.
  if (typeof size === 'number' && size > 0 && size <= slabSize - slabUsed && (size & 0xfff) === size && size < Buffer.poolSize >>> 1) {
    const at = slabUsed;
    slabUsed = (at + size + 7) & ~7;
    return new FastBuffer(slab, at, size);
  }
  validateSize(size);
  return allocate(Math.trunc(size));
};

Buffer.allocUnsafeSlow = function allocUnsafeSlow(size) {
  validateSize(size);
  return new FastBuffer(size);
};

function SlowBuffer(size) {
  validateSize(size);
  return new FastBuffer(size);
}

Object.setPrototypeOf(SlowBuffer, Uint8Array);
Object.setPrototypeOf(SlowBuffer.prototype, Uint8Array.prototype);

Buffer.isBuffer = function isBuffer(value) {
  return value instanceof Buffer;
};

Buffer.compare = function compare(buf1, buf2) {
  validateBytes(buf1, 'buf1');
  validateBytes(buf2, 'buf2');
  return buf1 === buf2 ? 0 : compareBytes(buf1, buf2);
};

Buffer.isEncoding = function isEncoding(encoding) {
  return typeof encoding === 'string' && encoding.length !== 0 && lookup(encoding) !== undefined;
};
Buffer[Symbol('kIsEncodingSymbol')] = Buffer.isEncoding;

function totalLength(list) {
  let total = 0;
  for (let at = 0; at < list.length; at++) total += list[at].length || 0;
  return total;
}

Buffer.concat = function concat(list, length) {
  validateArray(list, 'list');
  const count = list.length;
  if (count === 0) return new FastBuffer();
  if (length !== undefined) validateOffset(length, 'length');
  const size = length ?? totalLength(list);
  const whole = Buffer.allocUnsafe(size);
  let used = 0;
  for (let at = 0; at < count; at++) {
    const item = list[at];
    if (!isUint8Array(item)) validateBytes(item, `list[${at}]`);
    const part = Math.min(item.length, size - used);
    if (part === 0) continue;
    copyBytes(item, whole, used, 0, part);
    used += part;
  }
  // A slab may hold what an earlier buffer left there.
  return used < size ? whole.fill(0, used, size) : whole;
};

Buffer.byteLength = function byteLength(string, encoding) {
  if (typeof string === 'string') {
    const known = encoding ? lookup(encoding) : undefined;
    return (known ?? encodings.utf8).byteLength(string);
  }
  if (isAnyArrayBuffer(string) || ArrayBuffer.isView(string)) return string.byteLength;
  throw new ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], string);
};

module.exports = {
  Buffer,
  SlowBuffer,
  ...require('internal/buffer/text'),
  kMaxLength,
  kStringMaxLength,
};

Object.defineProperties(module.exports, {
  constants: {
    configurable: false,
    enumerable: true,
    value: Object.defineProperties({}, {
      MAX_LENGTH: { value: kMaxLength, enumerable: true },
      MAX_STRING_LENGTH: { value: kStringMaxLength, enumerable: true },
    }),
  },
  INSPECT_MAX_BYTES: { configurable: true, enumerable: true, ...inspectLimit },
  Blob: { configurable: true, enumerable: true, get() { return require('internal/blob').Blob; } },
  File: { configurable: true, enumerable: true, get() { return require('internal/blob').File; } },
  resolveObjectURL: {
    configurable: true, enumerable: true, get() { return require('internal/url/blobs').resolveObjectURL; },
  },
});
