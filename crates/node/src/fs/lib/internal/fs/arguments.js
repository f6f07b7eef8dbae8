// Checks of what programs hand to the file system, with Node's errors.
// Uses binding.wallClock.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateAbortSignal, validateInt32, validateInteger, parseFileMode } = require('internal/validators');
const { isUint8Array, isArrayBufferView, isDate } = require('internal/util/types');

const constants = require('internal/fs/constants');
const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_SYNC } = constants;

const MOST_ID = 2 ** 32 - 1;
const LAST_BYTE = 2n ** 63n - 1n;

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
  switch (typeof options) {
    case 'undefined':
    case 'function':
      return defaults;
    case 'string':
      return checkOptions({ ...defaults, encoding: options });
    case 'object':
      return options === null ? defaults : checkOptions(options);
    default:
      throw new ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], options);
  }
}

function checkOptions(options) {
  const { encoding, signal } = options;
  if (encoding !== 'buffer') assertEncoding(encoding);
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  return options;
}

function assertEncoding(encoding) {
  if (!encoding || require('buffer').Buffer.isEncoding(encoding)) return;
  throw new ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
}

// The words for flags. A letter says what becomes of the file; 's' (synchronous) or 'x' (exclusive) may stand before
// or after it, and a plus at the end, for reading and writing.
const words = new Map();
const modifierBits = { '': 0, 's': O_SYNC, 'x': O_EXCL };
for (const [letter, access, bits, modifiers] of [
  ['r', O_RDONLY, 0, ['', 's']],
  ['w', O_WRONLY, O_CREAT | O_TRUNC, ['', 'x']],
  ['a', O_WRONLY, O_CREAT | O_APPEND, ['', 's', 'x']],
]) {
  for (const modifier of modifiers) {
    for (const word of [letter + modifier, modifier + letter]) {
      words.set(word, access | bits | modifierBits[modifier]);
      words.set(`${word}+`, O_RDWR | bits | modifierBits[modifier]);
    }
  }
}

function toFlags(flags, name = 'flags') {
  const known = words.get(flags ?? 'r');
  if (known !== undefined) return known;
  if (typeof flags !== 'number') throw new ERR_INVALID_ARG_VALUE(name, flags);
  validateInt32(flags, name);
  return flags;
}

function toMode(mode, name, fallback) {
  return parseFileMode(mode, name, fallback);
}

// What `access` and `copyFile` are asked about: three bits. Node's own words for others are not the usual ones.
function toThreeBits(mode) {
  if (typeof mode !== 'number') throw new ERR_INVALID_ARG_TYPE('mode', 'integer', mode);
  if (!Number.isInteger(mode)) throw new ERR_OUT_OF_RANGE('mode', 'an integer', mode);
  if ((mode & 7) === mode) return mode;
  const bounds = '>= 0 && <= 7';
  throw Object.assign(new ERR_OUT_OF_RANGE('mode', bounds, mode), { message: `mode is out of range: ${bounds}` });
}

const toAccessMode = (mode) => toThreeBits(mode ?? constants.F_OK);
const toCopyMode = (mode) => toThreeBits(mode ?? 0);

/// Seconds since the start of 1970; a time before it, as a number, is now.
function toTime(time, name = 'time') {
  if (isDate(time)) return time.getTime() / 1000;
  if (typeof time === 'string' && !Number.isNaN(Number(time))) return Number(time);
  if (!Number.isFinite(time)) throw new ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], time);
  return time < 0 ? binding.wallClock() / 1000 : time;
}

function toId(id, name) {
  validateInteger(id, name, -1, MOST_ID);
  return id;
}

/// Where in a file; null, or anything before its start, is where the last one ended.
function toPosition(position, name) {
  switch (typeof position) {
    case 'number':
      validateInteger(position, name, -1);
      return position;
    case 'bigint': {
      if (position < -LAST_BYTE - 1n || position > LAST_BYTE) {
        throw new ERR_OUT_OF_RANGE(name, `>= ${-LAST_BYTE - 1n} && <= ${LAST_BYTE}`, position);
      }
      return position < 0n ? null : Math.min(Number(position), Number.MAX_SAFE_INTEGER);
    }
    default:
      if (position === undefined || position === null) return null;
      throw new ERR_INVALID_ARG_TYPE(name, ['integer', 'bigint'], position);
  }
}

/// Checks the part of a buffer that is to be filled or written.
function toSpan(offset, length, byteLength, isWrite) {
  const left = byteLength - offset;
  const refuse = (name, bound, value) => { throw new ERR_OUT_OF_RANGE(name, bound, value); };
  if (isWrite && left < 0) refuse('offset', `<= ${byteLength}`, offset);
  if (length > left) refuse('length', `<= ${left}`, length);
  if (length < 0) refuse('length', '>= 0', length);
  validateInt32(length, 'length', 0);
}

const asView = (buffer) => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);

function toView(buffer, name = 'buffer') {
  if (isArrayBufferView(buffer)) return asView(buffer);
  throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], buffer);
}

function toViews(buffers) {
  if (Array.isArray(buffers) && buffers.every(isArrayBufferView)) return buffers.map(asView);
  throw new ERR_INVALID_ARG_TYPE('buffers', 'ArrayBufferView[]', buffers);
}

/// What is to be written, as bytes.
function toBytes(data, encoding, name = 'data') {
  if (typeof data === 'string') return require('buffer').Buffer.from(data, encoding || 'utf8');
  if (isArrayBufferView(data)) return asView(data);
  throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
}

/// A name of the file system, as the program wants to have it.
function fromName(name, encoding) {
  const isText = typeof name === 'string';
  const wanted = encoding ?? 'utf8';
  if (isText && (wanted === 'utf8' || wanted === 'utf-8')) return name;
  const bytes = isText ? require('buffer').Buffer.from(name) : toBuffer(name);
  return wanted === 'buffer' ? bytes : bytes.toString(wanted);
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
