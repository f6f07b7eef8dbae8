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

function toString(encoding, start, end) {
  if (arguments.length === 0) return encodings.utf8.decode(this, 0, this.length);
  const { length } = this;
  if (start <= 0) start = 0;
  else if (start >= length) return '';
  else start = Math.trunc(start) || 0;
  if (end === undefined || end > length) end = length;
  else end = Math.trunc(end) || 0;
  if (end <= start) return '';
  if (encoding === undefined) return encodings.utf8.decode(this, start, end);
  return knownEncoding(encoding).decode(this, start, end);
}

function write(string, offset, length, encoding) {
  if (offset === undefined) return this.utf8Write(string, 0, this.length);
  if (length === undefined && typeof offset === 'string') {
    encoding = offset;
    length = this.length;
    offset = 0;
  } else {
    validateOffset(offset, 'offset', 0, this.length);
    const remaining = this.length - offset;
    if (length === undefined) length = remaining;
    else if (typeof length === 'string') {
      encoding = length;
      length = remaining;
    } else {
      validateOffset(length, 'length', 0, this.length);
      length = Math.min(length, remaining);
    }
  }
  if (!encoding) return this.utf8Write(string, offset, length);
  return this[`${knownEncoding(encoding).name}Write`](string, offset, length);
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
for (const { name, decode, encodeUpTo } of Object.values(encodings)) {
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
  if (Number.isInteger(value)) return value;
  value = Math.floor(+value);
  return Number.isSafeInteger(value) ? value : 0;
}

function copyBytes(source, target, targetStart, sourceStart, sourceEnd) {
  const whole = sourceStart === 0 && sourceEnd === source.length;
  const part = whole ? source : new Uint8Array(source.buffer, source.byteOffset + sourceStart, sourceEnd - sourceStart);
  Uint8Array.prototype.set.call(target, part, targetStart);
}

function copy(target, targetStart, sourceStart, sourceEnd) {
  validateBytes(this, 'source');
  validateBytes(target, 'target');
  targetStart = targetStart === undefined ? 0 : toInteger(targetStart);
  if (targetStart < 0) throw new ERR_OUT_OF_RANGE('targetStart', '>= 0', targetStart);
  sourceStart = sourceStart === undefined ? 0 : toInteger(sourceStart);
  if (sourceStart < 0 || sourceStart > this.length) {
    throw new ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${this.length}`, sourceStart);
  }
  sourceEnd = sourceEnd === undefined ? this.length : toInteger(sourceEnd);
  if (sourceEnd < 0) throw new ERR_OUT_OF_RANGE('sourceEnd', '>= 0', sourceEnd);
  if (targetStart >= target.length || sourceStart >= sourceEnd) return 0;
  sourceEnd = Math.min(sourceEnd, this.length, sourceStart + target.length - targetStart);
  copyBytes(this, target, targetStart, sourceStart, sourceEnd);
  return sourceEnd - sourceStart;
}

function fill(value, offset, end, encoding) {
  return fillBuffer(this, value, offset, end, encoding);
}

function fillBuffer(buffer, value, offset, end, encoding) {
  let known;
  if (typeof value === 'string') {
    if (offset === undefined || typeof offset === 'string') {
      encoding = offset;
      offset = 0;
      end = buffer.length;
    } else if (typeof end === 'string') {
      encoding = end;
      end = buffer.length;
    }
    known = encoding == null || encoding === '' ? encodings.utf8 : lookup(encoding);
    if (known === undefined) {
      validateString(encoding, 'encoding');
      throw new ERR_UNKNOWN_ENCODING(encoding);
    }
    if (value.length === 0) value = 0;
  }

  if (offset === undefined) {
    offset = 0;
    end = buffer.length;
  } else {
    validateOffset(offset, 'offset');
    if (end === undefined) end = buffer.length;
    else validateOffset(end, 'end', 0, buffer.length);
    if (offset >= end) return buffer;
  }

  if (typeof value === 'string') repeat(buffer, known.encode(value), offset, end, value);
  else if (ArrayBuffer.isView(value)) {
    repeat(buffer, new Uint8Array(value.buffer, value.byteOffset, value.byteLength), offset, end, value);
  } else if (end > buffer.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS();
  else Uint8Array.prototype.fill.call(buffer, +value & 0xff, offset, end);
  return buffer;
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

function compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
  validateBytes(target, 'target');
  if (arguments.length === 1) return compareBytes(this, target);
  if (targetStart === undefined) targetStart = 0;
  else validateOffset(targetStart, 'targetStart');
  if (targetEnd === undefined) targetEnd = target.length;
  else validateOffset(targetEnd, 'targetEnd', 0, target.length);
  if (sourceStart === undefined) sourceStart = 0;
  else validateOffset(sourceStart, 'sourceStart');
  if (sourceEnd === undefined) sourceEnd = this.length;
  else validateOffset(sourceEnd, 'sourceEnd', 0, this.length);
  if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
  if (targetStart >= targetEnd) return 1;
  const part = (bytes, start, end) => new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);
  return compareBytes(part(this, sourceStart, sourceEnd), part(target, targetStart, targetEnd));
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
  FastBuffer, compareBytes, copyBytes, fillBuffer, inspectLimit, kMaxLength, nativeError,
  validateBytes, validateOffset,
};
