// node:zlib. The streams are in `internal/zlib/base`, the native part in `internal/zlib/handle`.
// Uses binding.nextTick, crc32.
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_BROTLI_INVALID_PARAM, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { checkRangesOrGetDefault, validateUint32 } = require('internal/validators');
const { ZlibBase, stepDone, assertOpen } = require('internal/zlib/base');
const { constants, codes } = require('internal/zlib/constants');
const handles = require('internal/zlib/handle');
const { withCallback, atOnce } = require('internal/zlib/whole');

const {
  DEFLATE, INFLATE, GZIP, GUNZIP, DEFLATERAW, INFLATERAW, UNZIP, BROTLI_DECODE, BROTLI_ENCODE,
  Z_NO_FLUSH, Z_FINISH, Z_FULL_FLUSH, Z_SYNC_FLUSH,
  Z_MIN_WINDOWBITS, Z_MAX_WINDOWBITS, Z_DEFAULT_WINDOWBITS, Z_MIN_LEVEL, Z_MAX_LEVEL, Z_DEFAULT_COMPRESSION,
  Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL, Z_DEFAULT_STRATEGY, Z_FIXED,
  BROTLI_OPERATION_PROCESS, BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH, BROTLI_PARAM_NDIRECT,
} = constants;

const inherit = (Class, Base) => {
  Object.setPrototypeOf(Class.prototype, Base.prototype);
  Object.setPrototypeOf(Class, Base);
};

function toDictionary(dictionary) {
  if (dictionary === undefined || isArrayBufferView(dictionary)) return dictionary;
  if (isAnyArrayBuffer(dictionary)) return Buffer.from(dictionary);
  throw new ERR_INVALID_ARG_TYPE('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
}

function Zlib(opts, mode) {
  let windowBits = Z_DEFAULT_WINDOWBITS;
  let level = Z_DEFAULT_COMPRESSION;
  let memLevel = Z_DEFAULT_MEMLEVEL;
  let strategy = Z_DEFAULT_STRATEGY;
  let dictionary;
  if (opts) {
    const reads = mode === INFLATE || mode === GUNZIP || mode === UNZIP;
    if (reads && (opts.windowBits == null || opts.windowBits === 0)) {
      // The header says it.
      windowBits = 0;
    } else {
      const least = Z_MIN_WINDOWBITS + (mode === GZIP ? 1 : 0);
      windowBits = checkRangesOrGetDefault(
        opts.windowBits, 'options.windowBits', least, Z_MAX_WINDOWBITS, Z_DEFAULT_WINDOWBITS);
    }
    level = checkRangesOrGetDefault(opts.level, 'options.level', Z_MIN_LEVEL, Z_MAX_LEVEL, Z_DEFAULT_COMPRESSION);
    memLevel = checkRangesOrGetDefault(
      opts.memLevel, 'options.memLevel', Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL);
    strategy = checkRangesOrGetDefault(
      opts.strategy, 'options.strategy', Z_DEFAULT_STRATEGY, Z_FIXED, Z_DEFAULT_STRATEGY);
    dictionary = toDictionary(opts.dictionary);
  }
  const handle = new handles.Zlib(mode);
  this._writeState = new Uint32Array(2);
  handle.init(windowBits, level, memLevel, strategy, this._writeState, stepDone, dictionary);
  ZlibBase.call(this, opts, mode, handle, { flush: Z_NO_FLUSH, finishFlush: Z_FINISH, fullFlush: Z_FULL_FLUSH });
  this._level = level;
  this._strategy = strategy;
}
inherit(Zlib, ZlibBase);

Zlib.prototype.params = function params(level, strategy, callback) {
  checkRangesOrGetDefault(level, 'level', Z_MIN_LEVEL, Z_MAX_LEVEL);
  checkRangesOrGetDefault(strategy, 'strategy', Z_DEFAULT_STRATEGY, Z_FIXED);
  if (this._level === level && this._strategy === strategy) {
    binding.nextTick(callback);
    return;
  }
  // What was written before is to be compressed as it was meant to be.
  this.flush(Z_SYNC_FLUSH, () => {
    assertOpen(this);
    this._handle.params(level, strategy);
    if (this.destroyed) return;
    this._level = level;
    this._strategy = strategy;
    if (callback) callback();
  });
};

function Deflate(opts) {
  if (!(this instanceof Deflate)) return new Deflate(opts);
  Zlib.call(this, opts, DEFLATE);
}

function Inflate(opts) {
  if (!(this instanceof Inflate)) return new Inflate(opts);
  Zlib.call(this, opts, INFLATE);
}

function Gzip(opts) {
  if (!(this instanceof Gzip)) return new Gzip(opts);
  Zlib.call(this, opts, GZIP);
}

function Gunzip(opts) {
  if (!(this instanceof Gunzip)) return new Gunzip(opts);
  Zlib.call(this, opts, GUNZIP);
}

function DeflateRaw(opts) {
  // zlib cannot write raw data with so small a window, and what it writes with the next size is as good.
  if (opts && opts.windowBits === 8) opts.windowBits = 9;
  if (!(this instanceof DeflateRaw)) return new DeflateRaw(opts);
  Zlib.call(this, opts, DEFLATERAW);
}

function InflateRaw(opts) {
  if (!(this instanceof InflateRaw)) return new InflateRaw(opts);
  Zlib.call(this, opts, INFLATERAW);
}

function Unzip(opts) {
  if (!(this instanceof Unzip)) return new Unzip(opts);
  Zlib.call(this, opts, UNZIP);
}

function Brotli(opts, mode) {
  const parameters = new Uint32Array(BROTLI_PARAM_NDIRECT + 1).fill(-1);
  if (opts?.params) {
    for (const name of Object.keys(opts.params)) {
      const key = +name;
      if (Number.isNaN(key) || key < 0 || key > BROTLI_PARAM_NDIRECT || (parameters[key] | 0) !== -1) {
        throw new ERR_BROTLI_INVALID_PARAM(name);
      }
      const value = opts.params[name];
      if (typeof value !== 'number' && typeof value !== 'boolean') {
        throw new ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
      }
      parameters[key] = value;
    }
  }
  const handle = mode === BROTLI_DECODE ? new handles.BrotliDecoder() : new handles.BrotliEncoder();
  this._writeState = new Uint32Array(2);
  handle.init(parameters, this._writeState, stepDone);
  ZlibBase.call(this, opts, mode, handle, {
    flush: BROTLI_OPERATION_PROCESS, finishFlush: BROTLI_OPERATION_FINISH, fullFlush: BROTLI_OPERATION_FLUSH,
  });
}
inherit(Brotli, Zlib);

function BrotliCompress(opts) {
  if (!(this instanceof BrotliCompress)) return new BrotliCompress(opts);
  Brotli.call(this, opts, BROTLI_ENCODE);
}

function BrotliDecompress(opts) {
  if (!(this instanceof BrotliDecompress)) return new BrotliDecompress(opts);
  Brotli.call(this, opts, BROTLI_DECODE);
}

for (const Class of [Deflate, Inflate, Gzip, Gunzip, DeflateRaw, InflateRaw, Unzip]) inherit(Class, Zlib);
for (const Class of [BrotliCompress, BrotliDecompress]) inherit(Class, Brotli);

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  const bytes = typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return binding.crc32(bytes, value);
}

module.exports = {
  crc32, Deflate, Inflate, Gzip, Gunzip, DeflateRaw, InflateRaw, Unzip, BrotliCompress, BrotliDecompress,
};

for (const [name, Class] of [
  ['deflate', Deflate], ['gzip', Gzip], ['deflateRaw', DeflateRaw], ['unzip', Unzip], ['inflate', Inflate],
  ['gunzip', Gunzip], ['inflateRaw', InflateRaw], ['brotliCompress', BrotliCompress], ['brotliDecompress', BrotliDecompress],
]) {
  module.exports[name] = withCallback(Class);
  module.exports[`${name}Sync`] = atOnce(Class);
}

for (const Class of [
  Deflate, Inflate, DeflateRaw, InflateRaw, Gzip, Gunzip, Unzip, BrotliCompress, BrotliDecompress,
]) {
  Object.defineProperty(module.exports, `create${Class.name}`, {
    configurable: true,
    enumerable: true,
    value: function(options) { return new Class(options); },
  });
}
Object.defineProperty(module.exports, 'constants', { enumerable: true, value: constants });
Object.defineProperty(module.exports, 'codes', { enumerable: true, value: codes });

// Old programs look for zlib's own constants here.
for (const name of Object.keys(constants)) {
  if (!name.startsWith('BROTLI')) Object.defineProperty(module.exports, name, { value: constants[name] });
}
