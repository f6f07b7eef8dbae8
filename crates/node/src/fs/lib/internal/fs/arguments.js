// Checks of what programs hand to the file system, with Node's errors.
// Uses binding.wallClock.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateAbortSignal, validateInt32, validateInteger, parseFileMode } = require('internal/validators');
const { isUint8Array, isArrayBufferView, isDate } = require('internal/util/types');

const constants = require('internal/fs/constants');
const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_SYNC } = constants;

const kMaxUint32 = 4294967295;

/// A path: a text, bytes, or a URL of a file.
function toPath(value, name = 'path') {
  if (value !== null && typeof value === 'object' && value.href !== undefined && value.protocol !== undefined
    && value.auth === undefined && value.path === undefined) {
    value = require('url').fileURLToPath(value);
  }
  if (typeof value === 'string') {
    if (value.includes('\0')) nulls(value, name);
    return value;
  }
  if (!isUint8Array(value)) throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], value);
  if (value.includes(0)) nulls(value, name);
  return value;
}

function nulls(value, name) {
  throw new ERR_INVALID_ARG_VALUE(name, value, 'must be a string, Uint8Array, or URL without null bytes');
}

function toFd(fd, name = 'fd') {
  if (Object.is(fd, -0)) return 0;
  validateInt32(fd, name, 0);
  return fd;
}

/// Options that may be the name of an encoding instead.
function toOptions(options, defaults = {}) {
  if (options === null || options === undefined || typeof options === 'function') return defaults;
  if (typeof options === 'string') options = { ...defaults, encoding: options };
  else if (typeof options !== 'object') throw new ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], options);
  if (options.encoding && options.encoding !== 'buffer') assertEncoding(options.encoding);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

function assertEncoding(encoding) {
  if (encoding && !require('buffer').Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
}

const words = {
  __proto__: null,
  'r': O_RDONLY, 'rs': O_RDONLY | O_SYNC, 'sr': O_RDONLY | O_SYNC, 'r+': O_RDWR, 'rs+': O_RDWR | O_SYNC,
  'sr+': O_RDWR | O_SYNC, 'w': O_TRUNC | O_CREAT | O_WRONLY, 'wx': O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'xw': O_TRUNC | O_CREAT | O_WRONLY | O_EXCL, 'w+': O_TRUNC | O_CREAT | O_RDWR,
  'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL, 'xw+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  'a': O_APPEND | O_CREAT | O_WRONLY, 'ax': O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  'xa': O_APPEND | O_CREAT | O_WRONLY | O_EXCL, 'as': O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'sa': O_APPEND | O_CREAT | O_WRONLY | O_SYNC, 'a+': O_APPEND | O_CREAT | O_RDWR,
  'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL, 'xa+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC, 'sa+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
};

function toFlags(flags, name = 'flags') {
  if (typeof flags === 'number') {
    validateInt32(flags, name);
    return flags;
  }
  if (flags === null || flags === undefined) return O_RDONLY;
  const known = words[flags];
  if (known === undefined) throw new ERR_INVALID_ARG_VALUE(name, flags);
  return known;
}

function toMode(mode, name, fallback) {
  return parseFileMode(mode, name, fallback);
}

/// What `access` and `copyFile` are asked about.
function toAccessMode(mode) {
  return inRange(mode ?? constants.F_OK, 0, 7);
}

function toCopyMode(mode) {
  return inRange(mode ?? 0, 0, 7);
}

function inRange(mode, low, high) {
  if (typeof mode !== 'number') throw new ERR_INVALID_ARG_TYPE('mode', 'integer', mode);
  if (!Number.isInteger(mode)) throw new ERR_OUT_OF_RANGE('mode', 'an integer', mode);
  if (mode < low || mode > high) {
    // Node's own words for this one are others than usual.
    const error = new ERR_OUT_OF_RANGE('mode', `>= ${low} && <= ${high}`, mode);
    error.message = `mode is out of range: >= ${low} && <= ${high}`;
    throw error;
  }
  return mode;
}

/// Seconds since the start of 1970; a time before it, as a number, is now.
function toTime(time, name = 'time') {
  if (typeof time === 'string' && +time == time) return +time;
  if (Number.isFinite(time)) return time < 0 ? binding.wallClock() / 1000 : time;
  if (isDate(time)) return time.getTime() / 1000;
  throw new ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], time);
}

function toId(id, name) {
  validateInteger(id, name, -1, kMaxUint32);
  return id;
}

/// Where in a file; null is where the last one ended.
function toPosition(position, name, length) {
  if (position === undefined) position = null;
  if (position === null) return null;
  if (typeof position === 'number') {
    validateInteger(position, name, -1);
  } else if (typeof position === 'bigint') {
    if (!(position >= -1n && position <= 2n ** 63n - 1n - BigInt(length))) {
      throw new ERR_OUT_OF_RANGE(name, `>= -1 && <= ${2n ** 63n - 1n - BigInt(length)}`, position);
    }
    position = Number(position);
  } else {
    throw new ERR_INVALID_ARG_TYPE(name, ['integer', 'bigint'], position);
  }
  return position;
}

/// The part of a buffer that is to be filled or written.
function toSpan(offset, length, byteLength, isWrite) {
  if (isWrite && offset > byteLength) throw new ERR_OUT_OF_RANGE('offset', `<= ${byteLength}`, offset);
  if (length > byteLength - offset) throw new ERR_OUT_OF_RANGE('length', `<= ${byteLength - offset}`, length);
  if (length < 0) throw new ERR_OUT_OF_RANGE('length', '>= 0', length);
  validateInt32(length, 'length', 0);
}

function toView(buffer, name = 'buffer') {
  if (!isArrayBufferView(buffer)) throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], buffer);
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

function toViews(buffers) {
  if (!Array.isArray(buffers)) throw new ERR_INVALID_ARG_TYPE('buffers', 'ArrayBufferView[]', buffers);
  for (const buffer of buffers) {
    if (!isArrayBufferView(buffer)) throw new ERR_INVALID_ARG_TYPE('buffers', 'ArrayBufferView[]', buffers);
  }
  return buffers.map((buffer) => toView(buffer));
}

/// What is to be written, as bytes.
function toBytes(data, encoding, name = 'data') {
  if (typeof data === 'string') return require('buffer').Buffer.from(data, encoding || 'utf8');
  if (!isArrayBufferView(data)) throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  return toView(data);
}

/// A name of the file system, as the program wants to have it.
function fromName(name, encoding) {
  if (typeof name === 'string') {
    if (encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8') return name;
    name = require('buffer').Buffer.from(name);
  } else {
    name = toBuffer(name);
  }
  if (encoding === 'buffer') return name;
  return name.toString(encoding ?? 'utf8');
}

/// Bytes that belong to nobody else, as a Buffer.
function toBuffer(bytes) {
  if (bytes instanceof require('buffer').Buffer) return bytes;
  return require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/// Whether a file is named by its descriptor.
const isFd = (path) => Number.isInteger(path) && path >= 0;

module.exports = {
  assertEncoding, fromName, isFd, toAccessMode, toBuffer, toBytes, toCopyMode, toFd, toFlags, toId, toMode, toOptions, toPath,
  toPosition, toSpan, toTime, toView, toViews,
};
