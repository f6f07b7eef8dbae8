// The class behind Buffer and its methods, those for numbers and searches coming from their files.
//
// Taken from `binding` where present: compare(a, b), which gives -1, 0 or 1 for two Uint8Arrays;
// ownNonIndexKeys(object), the keys of a typed array other than its indices.
'use strict';

const {
  codes: {
    ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_BUFFER_SIZE, ERR_OUT_OF_RANGE,
    ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const { validateInteger, validateNumber, validateString } = require('internal/validators');
const { isUint8Array } = require('internal/util/types');
const { encodings, lookup } = require('internal/buffer/codec');

const kMaxLength = 2 ** 32;
// Marks memory that many buffers share: it stays where it is.
const kSlab = Symbol('slab');
const customInspect = Symbol.for('nodejs.util.inspect.custom');

/// What `Buffer[Symbol.species]` is, and the class every Buffer is made with; Buffer itself is a
/// plain function, which programs may call without `new`.
class FastBuffer extends Uint8Array {
  constructor(bufferOrLength, byteOffset, length) {
    super(bufferOrLength, byteOffset, length);
  }
}

function validateOffset(value, name, min = 0, max = kMaxLength) {
  validateInteger(value, name, min, max);
}

function validateBytes(value, name) {
  if (!isUint8Array(value)) throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'Uint8Array'], value);
}

// An entry that was asked for by name; null is no name, and neither is the empty string.
function knownEncoding(encoding) {
  const known = lookup(encoding);
  if (known === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  return known;
}

// Text

/// A place among so many bytes: what is no number is the first, and what is beyond them is an end.
function within(value, length) {
  const place = Math.trunc(value) || 0;
  if (place < 0) return 0;
  return place < length ? place : length;
}

// Fewer bytes than this fit into a string in every encoding.
const MANY = 2 ** 28 - 12;
const LONGEST = 2 * MANY;

/// Refuses bytes that would be a string longer than `buffer.constants.MAX_STRING_LENGTH`.
function checkLength(size, name) {
  const units = { __proto__: null, hex: 2, base64: 4 / 3, base64url: 4 / 3, utf16le: 1 / 2, ucs2: 1 / 2 };
  if (size * (units[name] ?? 1) > LONGEST) throw new (require('internal/errors').codes.ERR_STRING_TOO_LONG)();
}

function toString(encoding, start, end) {
  const { length } = this;
  if (arguments.length === 0 && length < MANY) return encodings.utf8.decode(this, 0, length);
  const from = start === undefined ? 0 : within(start, length);
  const to = end === undefined ? length : within(end, length);
  if (from >= to) return '';
  const known = encoding === undefined ? encodings.utf8 : knownEncoding(encoding);
  if (to - from >= MANY) checkLength(to - from, known.name);
  return known.decode(this, from, to);
}

function writeAs(buffer, encoding, string, offset, length) {
  const name = encoding ? knownEncoding(encoding).name : 'utf8';
  return buffer[`${name}Write`](string, offset, length);
}

/// write(string[, offset[, length]][, encoding])
function write(string, offset, length, encoding) {
  const size = this.length;
  if (offset === undefined) return this.utf8Write(string, 0, size);
  if (typeof offset === 'string' && length === undefined) return writeAs(this, offset, string, 0, size);
  validateOffset(offset, 'offset', 0, size);
  const room = size - offset;
  if (typeof length === 'string') return writeAs(this, length, string, offset, room);
  if (length !== undefined) validateOffset(length, 'length', 0, size);
  return writeAs(this, encoding, string, offset, length < room ? length : room);
}

// The errors below are those of Node's native code, which have a code but do not show it.
const nativeError = (Class, code, message) => Object.assign(new Class(message), { code });

function viewOf(buffer) {
  if (isUint8Array(buffer)) return buffer;
  if (ArrayBuffer.isView(buffer)) return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a buffer');
}

function index(value, otherwise) {
  if (value === undefined) return otherwise;
  const integer = Math.trunc(value) || 0;
  if (integer < 0) throw nativeError(RangeError, 'ERR_OUT_OF_RANGE', 'Index out of range');
  return integer;
}

// `utf8Slice`, `utf8Write` and their like for every encoding: undocumented, yet packages call them.
const conversions = {};
for (const known in encodings) {
  const { name, decode, encodeUpTo } = encodings[known];
  const named = {
    [`${name}Slice`](start = undefined, end = undefined) {
      const bytes = viewOf(this);
      if (bytes.length === 0) return '';
      start = index(start, 0);
      end = Math.max(start, index(end, bytes.length));
      if (end > bytes.length) throw nativeError(RangeError, 'ERR_OUT_OF_RANGE', 'Index out of range');
      return decode(bytes, start, end);
    },
    [`${name}Write`](string = undefined, offset = undefined, length = undefined) {
      const bytes = viewOf(this);
      if (typeof string !== 'string') {
        throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a string');
      }
      offset = index(offset, 0);
      if (offset > bytes.length) {
        throw nativeError(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', '"offset" is outside of buffer bounds');
      }
      const room = bytes.length - offset;
      const written = encodeUpTo(string, Math.min(index(length, room), room));
      bytes.set(written, offset);
      return written.length;
    },
  };
  Object.assign(conversions, named);
}

// Copying and filling

// What is no number at all, or endless, counts as 0.
function toInteger(value) {
  const integer = Math.floor(value);
  return Number.isSafeInteger(integer) || Number.isInteger(value) ? integer : 0;
}

function copyBytes(source, target, targetStart, sourceStart, sourceEnd) {
  const whole = sourceStart === 0 && sourceEnd === source.length;
  const part = whole ? source : new Uint8Array(source.buffer, source.byteOffset + sourceStart, sourceEnd - sourceStart);
  Uint8Array.prototype.set.call(target, part, targetStart);
}

/// An argument of `copy`, at most `most` if there is such a bound.
function copyBound(value, name, most) {
  const bound = toInteger(value);
  if (bound < 0 || bound > most) throw new ERR_OUT_OF_RANGE(name, most === undefined ? '>= 0' : `>= 0 && <= ${most}`, bound);
  return bound;
}

function copy(target, targetStart, sourceStart, sourceEnd) {
  validateBytes(this, 'source');
  validateBytes(target, 'target');
  const size = this.length;
  const to = targetStart === undefined ? 0 : copyBound(targetStart, 'targetStart');
  const from = sourceStart === undefined ? 0 : copyBound(sourceStart, 'sourceStart', size);
  const end = sourceEnd === undefined ? size : copyBound(sourceEnd, 'sourceEnd');
  const count = Math.min(end < size ? end - from : size - from, target.length - to);
  if (count <= 0) return 0;
  copyBytes(this, target, to, from, from + count);
  return count;
}

function fill(value, offset, end, encoding) {
  return fillBuffer(this, value, offset, end, encoding);
}

/// fill(value[, offset[, end]]), and with a string also an encoding after any of them.
function fillBuffer(buffer, value, offset, end, encoding) {
  if (typeof value !== 'string') return fillPart(buffer, value, offset, end);
  if (offset === undefined || typeof offset === 'string') return fillText(buffer, value, 0, undefined, offset);
  return typeof end === 'string' ? fillText(buffer, value, offset, undefined, end) : fillText(buffer, value, offset, end, encoding);
}

function fillText(buffer, text, offset, end, encoding) {
  const isNamed = encoding !== undefined && encoding !== null && encoding !== '';
  const known = isNamed ? lookup(encoding) : encodings.utf8;
  if (known === undefined) {
    validateString(encoding, 'encoding');
    throw new ERR_UNKNOWN_ENCODING(encoding);
  }
  if (text === '') return fillPart(buffer, 0, offset, end);
  const stop = endOfFill(buffer, offset, end);
  if (offset < stop) repeat(buffer, known.encode(text), offset, stop, text);
  return buffer;
}

function fillPart(buffer, value, offset, end) {
  const stop = endOfFill(buffer, offset, end);
  if (offset >= stop) return buffer;
  const start = offset ?? 0;
  if (ArrayBuffer.isView(value)) {
    repeat(buffer, new Uint8Array(value.buffer, value.byteOffset, value.byteLength), start, stop, value);
  } else {
    // A program may have given the buffer another length than it has.
    if (stop > buffer.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS();
    Uint8Array.prototype.fill.call(buffer, value & 0xff, start, stop);
  }
  return buffer;
}

/// Where to stop; the end counts only after an offset.
function endOfFill(buffer, offset, end) {
  const { length } = buffer;
  if (offset === undefined) return length;
  validateOffset(offset, 'offset');
  if (end === undefined) return length;
  validateOffset(end, 'end', 0, length);
  return end;
}

// Writes the pattern once and then doubles what is there.
function repeat(buffer, pattern, offset, end, value) {
  if (pattern.length === 0) throw new ERR_INVALID_ARG_VALUE('value', value);
  const set = Uint8Array.prototype.set;
  set.call(buffer, pattern.subarray(0, end - offset), offset);
  for (let done = pattern.length; done < end - offset; done *= 2) {
    Uint8Array.prototype.copyWithin.call(buffer, offset + done, offset, offset + Math.min(done, end - offset - done));
  }
}

// A part that shares the memory; both ends may count from the end.
function subarray(start, end) {
  const { length } = this;
  start = clampIndex(start, length);
  end = end === undefined ? length : clampIndex(end, length);
  return new FastBuffer(this.buffer, this.byteOffset + start, Math.max(0, end - start));
}

function clampIndex(value, length) {
  value = Math.trunc(value) || 0;
  return value < 0 ? Math.max(0, value + length) : Math.min(value, length);
}

function slice(start, end) {
  return this.subarray(start, end);
}

function swapper(size) {
  const name = `swap${size * 8}`;
  return {
    [name]() {
      if (this.length % size !== 0) throw new ERR_INVALID_BUFFER_SIZE(`${size * 8}-bits`);
      for (let at = 0; at < this.length; at += size) {
        for (let low = at, high = at + size - 1; low < high; low++, high--) {
          const byte = this[low];
          this[low] = this[high];
          this[high] = byte;
        }
      }
      return this;
    },
  }[name];
}

// Comparing

function compareBytes(a, b) {
  if (binding.compare !== undefined) return binding.compare(a, b);
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

function equals(otherBuffer) {
  validateBytes(otherBuffer, 'otherBuffer');
  if (this === otherBuffer) return true;
  return this.byteLength === otherBuffer.byteLength && compareBytes(this, otherBuffer) === 0;
}

/// The part of some bytes that a comparison is about; `name` begins the names of its bounds.
function compared(bytes, name, start, end) {
  const { length } = bytes;
  if (start !== undefined) validateOffset(start, `${name}Start`);
  if (end !== undefined) validateOffset(end, `${name}End`, 0, length);
  const from = start ?? 0;
  const to = end ?? length;
  return from < to ? new Uint8Array(bytes.buffer, bytes.byteOffset + from, to - from) : new Uint8Array();
}

function compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
  validateBytes(target, 'target');
  if (arguments.length === 1) return compareBytes(this, target);
  const theirs = compared(target, 'target', targetStart, targetEnd);
  return compareBytes(compared(this, 'source', sourceStart, sourceEnd), theirs);
}

function indexOf(value, byteOffset, encoding) {
  return require('internal/buffer/search').search(this, value, byteOffset, encoding, true);
}

function lastIndexOf(value, byteOffset, encoding) {
  return require('internal/buffer/search').search(this, value, byteOffset, encoding, false);
}

function includes(value, byteOffset, encoding) {
  return this.indexOf(value, byteOffset, encoding) !== -1;
}

// Showing

function toJSON() {
  return { type: 'Buffer', data: Array.from(this) };
}

let inspectMaxBytes = 50;
const inspectLimit = {
  get: () => inspectMaxBytes,
  set(value) {
    validateNumber(value, 'INSPECT_MAX_BYTES', 0);
    inspectMaxBytes = value;
  },
};

// Without help every byte's key has to be listed to get at those after them.
const extraKeys = (buffer) => binding.ownNonIndexKeys?.(buffer) ?? Reflect.ownKeys(buffer).slice(buffer.length);

function extraProperties(buffer, showHidden) {
  const isEnumerable = Object.prototype.propertyIsEnumerable;
  const keys = extraKeys(buffer).filter((key) => showHidden || isEnumerable.call(buffer, key));
  if (keys.length === 0) return undefined;
  const extras = { __proto__: null };
  for (const key of keys) extras[key] = buffer[key];
  return extras;
}

function inspect(recurseTimes, ctx) {
  const shown = Math.min(inspectMaxBytes, this.length);
  const remaining = this.length - inspectMaxBytes;
  let text = encodings.hex.decode(this, 0, shown).replace(/..(?!$)/g, '$& ');
  if (remaining > 0) text += ` ... ${remaining} more byte${remaining > 1 ? 's' : ''}`;
  const extras = ctx ? extraProperties(this, ctx.showHidden) : undefined;
  if (extras !== undefined) {
    if (this.length !== 0) text += ', ';
    const shownExtras = require('internal/util/inspect').inspect(extras, { ...ctx, breakLength: Infinity, compact: true });
    text += shownExtras.slice('[Object: null prototype] { '.length, -' }'.length);
  }
  return `<${this.constructor.name} ${text}>`;
}

Object.assign(FastBuffer.prototype, require('internal/buffer/numbers').methods, conversions, {
  copy,
  toString,
  equals,
  inspect,
  compare,
  indexOf,
  lastIndexOf,
  includes,
  fill,
  write,
  toJSON,
  subarray,
  slice,
  swap16: swapper(2),
  swap32: swapper(4),
  swap64: swapper(8),
  toLocaleString: toString,
  [customInspect]: inspect,
});

module.exports = {
  kSlab,
  FastBuffer, compareBytes, copyBytes, fillBuffer, inspectLimit, kMaxLength, nativeError,
  validateBytes, validateOffset,
};
