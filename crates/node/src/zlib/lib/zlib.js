// node:zlib (docs/library/zlib.md). The streams are in `internal/zlib/stream`, the native part in `internal/zlib/handle`.
// Uses binding.nextTick, crc32.
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isArrayBufferView } = require('internal/util/types');
const { validateUint32 } = require('internal/validators');
const { constants, codes } = require('internal/zlib/constants');
const handles = require('internal/zlib/handle');
const { zlibSettings, brotliSettings, checkParams } = require('internal/zlib/options');
const { ZlibBase, openHandle, stepDone } = require('internal/zlib/stream');
const { withCallback, atOnce } = require('internal/zlib/whole');

const { DEFLATERAW, BROTLI_ENCODE, Z_SYNC_FLUSH } = constants;

const extend = (Class, Base) => {
  Object.setPrototypeOf(Class, Base);
  Object.setPrototypeOf(Class.prototype, Base.prototype);
};

function openZlib(mode, settings, state) {
  const { windowBits, level, memLevel, strategy, dictionary } = settings;
  const handle = new handles.Zlib(mode);
  handle.init(windowBits, level, memLevel, strategy, state, stepDone, dictionary);
  return handle;
}

function openBrotli(mode, options, state) {
  const parameters = brotliSettings(options);
  const handle = mode === BROTLI_ENCODE ? new handles.BrotliEncoder() : new handles.BrotliDecoder();
  handle.init(parameters, state, stepDone);
  return handle;
}

function Zlib(options, mode) {
  const settings = zlibSettings(mode, options);
  this._writeState = new Uint32Array(2);
  ZlibBase.call(this, options, mode, openZlib(mode, settings, this._writeState));
  this._level = settings.level;
  this._strategy = settings.strategy;
}
extend(Zlib, ZlibBase);

// Rule ZLIB-13.
Zlib.prototype.params = function params(level, strategy, callback) {
  checkParams(level, strategy);
  if (level === this._level && strategy === this._strategy) return void binding.nextTick(callback);
  this.flush(Z_SYNC_FLUSH, () => {
    openHandle(this).params(level, strategy);
    // The codec may not have liked them.
    if (this.destroyed) return;
    Object.assign(this, { _level: level, _strategy: strategy });
    callback?.();
  });
};

function Brotli(options, mode) {
  this._writeState = new Uint32Array(2);
  ZlibBase.call(this, options, mode, openBrotli(mode, options, this._writeState));
}
extend(Brotli, Zlib);

// zlib cannot write raw data with the smallest window (rule ZLIB-3).
function widen(mode, options) {
  if (mode === DEFLATERAW && options?.windowBits === 8) options.windowBits = 9;
}

const openers = new Map([
  [Zlib, (mode, options, state) => openZlib(mode, zlibSettings(mode, options), state)],
  [Brotli, openBrotli],
]);

/// A kind of stream: its class, its number, and how its codec is made without a stream.
function makeKind(name, Base, mode) {
  const Class = function(options) {
    widen(mode, options);
    return this instanceof Class ? void Base.call(this, options, mode) : new Class(options);
  };
  Object.defineProperty(Class, 'name', { value: name });
  extend(Class, Base);
  const opener = openers.get(Base);
  const open = (options, state) => {
    widen(mode, options);
    return opener(mode, options, state);
  };
  return { name, Class, mode, open };
}

const kinds = {};
for (const name of ['Deflate', 'Inflate', 'Gzip', 'Gunzip', 'DeflateRaw', 'InflateRaw', 'Unzip']) {
  kinds[name] = makeKind(name, Zlib, constants[name.toUpperCase()]);
}
kinds.BrotliCompress = makeKind('BrotliCompress', Brotli, BROTLI_ENCODE);
kinds.BrotliDecompress = makeKind('BrotliDecompress', Brotli, constants.BROTLI_DECODE);

const checksummed = ['Buffer', 'TypedArray', 'DataView', 'string'];

function bytesOf(data) {
  if (data instanceof Uint8Array) return data;
  if (typeof data === 'string') return Buffer.from(data);
  if (isArrayBufferView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new ERR_INVALID_ARG_TYPE('data', checksummed, data);
}

// Rule ZLIB-17.
function crc32(data, value = 0) {
  const bytes = bytesOf(data);
  validateUint32(value, 'value');
  return binding.crc32(bytes, value);
}

// Everything is in Node's order, which programs that list the module see.
exports.crc32 = crc32;
for (const { name, Class } of Object.values(kinds)) exports[name] = Class;
for (const name of [
  'Deflate', 'Gzip', 'DeflateRaw', 'Unzip', 'Inflate', 'Gunzip', 'InflateRaw', 'BrotliCompress', 'BrotliDecompress',
]) {
  const lower = name[0].toLowerCase() + name.slice(1);
  exports[lower] = withCallback(kinds[name]);
  exports[`${lower}Sync`] = atOnce(kinds[name]);
}
const seen = (name, value, more) => Object.defineProperty(exports, name, { value, enumerable: true, ...more });
for (const name of [
  'Deflate', 'Inflate', 'DeflateRaw', 'InflateRaw', 'Gzip', 'Gunzip', 'Unzip', 'BrotliCompress', 'BrotliDecompress',
]) {
  const { Class } = kinds[name];
  const value = function(options) { return new Class(options); };
  seen(`create${name}`, value, { configurable: true });
}
seen('constants', constants);
seen('codes', codes);
// Old programs look for zlib's own constants here.
for (const [name, value] of Object.entries(constants)) {
  if (!name.startsWith('BROTLI')) Object.defineProperty(exports, name, { value });
}
