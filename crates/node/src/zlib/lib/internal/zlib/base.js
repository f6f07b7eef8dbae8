// What all streams of zlib have in common.
// Uses binding.nextTick.
'use strict';

const { Buffer, kMaxLength } = require('buffer');
const Transform = require('internal/streams/transform');
const { finished } = require('stream');
const { genericNodeError, codes: { ERR_BUFFER_TOO_LARGE, ERR_INTERNAL_ASSERTION, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { checkRangesOrGetDefault, validateFiniteNumber } = require('internal/validators');
const { constants } = require('internal/zlib/constants');

const {
  Z_NO_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH, Z_MIN_CHUNK, Z_DEFAULT_CHUNK,
  BROTLI_DECODE, BROTLI_OPERATION_PROCESS, BROTLI_OPERATION_EMIT_METADATA,
} = constants;

const kError = Symbol('kError');
const kFlushFlag = Symbol('kFlushFlag');
const kOwner = Symbol('owner_symbol');

// How much each kind of flush lets out, from the least.
const flushiness = [];
[Z_NO_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH].forEach((flag, at) => { flushiness[flag] = at; });
const stronger = (one, other) => (flushiness[one] > flushiness[other] ? one : other);

// Empty chunks that carry a flush through the stream, at its place among what is written.
const flushChunks = flushiness.map((_, flag) => Object.assign(Buffer.alloc(0), { [kFlushFlag]: flag }));

// What the native stream could not go on with ends the stream. Its `this` is the handle.
function onHandleError(message, errno, code) {
  const owner = this[kOwner];
  const error = genericNodeError(message, { errno, code });
  owner.destroy(error);
  owner[kError] = error;
}

function ZlibBase(opts, mode, handle, { flush, finishFlush, fullFlush }) {
  let chunkSize = Z_DEFAULT_CHUNK;
  let maxOutputLength = kMaxLength;
  const [least, most] = mode < BROTLI_DECODE ? [Z_NO_FLUSH, Z_BLOCK] : [BROTLI_OPERATION_PROCESS, BROTLI_OPERATION_EMIT_METADATA];
  if (opts) {
    if (validateFiniteNumber(opts.chunkSize, 'options.chunkSize')) {
      ({ chunkSize } = opts);
      if (chunkSize < Z_MIN_CHUNK) throw new ERR_OUT_OF_RANGE('options.chunkSize', `>= ${Z_MIN_CHUNK}`, chunkSize);
    }
    flush = checkRangesOrGetDefault(opts.flush, 'options.flush', least, most, flush);
    finishFlush = checkRangesOrGetDefault(opts.finishFlush, 'options.finishFlush', least, most, finishFlush);
    maxOutputLength = checkRangesOrGetDefault(opts.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength);
    // It is bytes on both sides.
    if (opts.encoding || opts.objectMode || opts.writableObjectMode) {
      opts = { ...opts, encoding: null, objectMode: false, writableObjectMode: false };
    }
  }
  Transform.call(this, { autoDestroy: true, ...opts });
  this[kError] = null;
  this.bytesWritten = 0;
  this._handle = handle;
  handle[kOwner] = this;
  handle.onerror = onHandleError;
  this._outBuffer = Buffer.allocUnsafe(chunkSize);
  this._outOffset = 0;
  this._chunkSize = chunkSize;
  this._defaultFlushFlag = flush;
  this._finishFlushFlag = finishFlush;
  this._defaultFullFlushFlag = fullFlush;
  this._info = opts && opts.info;
  this._maxOutputLength = maxOutputLength;
}
Object.setPrototypeOf(ZlibBase.prototype, Transform.prototype);
Object.setPrototypeOf(ZlibBase, Transform);

Object.defineProperty(ZlibBase.prototype, '_closed', {
  configurable: true,
  enumerable: true,
  get() { return !this._handle; },
});

{
  const { deprecate } = require('internal/util/deprecate');
  const text = 'zlib.bytesRead is deprecated and will change its meaning in the future. Use zlib.bytesWritten instead.';
  Object.defineProperty(ZlibBase.prototype, 'bytesRead', {
    configurable: true,
    enumerable: true,
    get: deprecate(function() { return this.bytesWritten; }, text, 'DEP0108'),
    set: deprecate(function(value) { this.bytesWritten = value; }, text, 'DEP0108'),
  });
}

function assertOpen(stream) {
  if (!stream._handle) throw new ERR_INTERNAL_ASSERTION('zlib binding closed');
}

ZlibBase.prototype.reset = function() {
  assertOpen(this);
  return this._handle.reset();
};

// The end of what is written is a chunk like any other, but with the flag of the end.
ZlibBase.prototype._flush = function(callback) {
  this._transform(Buffer.alloc(0), '', callback);
};

ZlibBase.prototype._final = function(callback) {
  callback();
};

ZlibBase.prototype.flush = function(kind, callback) {
  if (typeof kind === 'function' || (kind === undefined && !callback)) [callback, kind] = [kind, this._defaultFullFlushFlag];
  if (this.writableFinished) {
    if (callback) binding.nextTick(callback);
  } else if (this.writableEnded) {
    if (callback) this.once('end', callback);
  } else {
    this.write(flushChunks[kind], '', callback);
  }
};

ZlibBase.prototype.close = function(callback) {
  if (callback) finished(this, callback);
  this.destroy();
};

function release(stream) {
  stream._handle?.close();
  stream._handle = null;
}

ZlibBase.prototype._destroy = function(error, callback) {
  release(this);
  callback(error);
};

ZlibBase.prototype._transform = function(chunk, encoding, callback) {
  let flag = typeof chunk[kFlushFlag] === 'number' ? chunk[kFlushFlag] : this._defaultFlushFlag;
  const isLast = this.writableEnded && this.writableLength === chunk.byteLength;
  if (isLast) flag = stronger(flag, this._finishFlushFlag);
  begin(this, chunk, flag, callback);
};

ZlibBase.prototype._processChunk = function(chunk, flushFlag, callback) {
  if (typeof callback !== 'function') return processSync(this, chunk, flushFlag);
  begin(this, chunk, flushFlag, callback);
};

function begin(stream, chunk, flag, callback) {
  const handle = stream._handle;
  if (!handle) {
    binding.nextTick(callback);
    return;
  }
  handle.buffer = chunk;
  handle.cb = callback;
  handle.availOutBefore = stream._chunkSize - stream._outOffset;
  handle.availInBefore = chunk.byteLength;
  handle.inOff = 0;
  handle.flushFlag = flag;
  goOn(stream, handle);
}

function goOn(stream, handle) {
  handle.write(
    handle.flushFlag, handle.buffer, handle.inOff, handle.availInBefore, stream._outBuffer, stream._outOffset,
    handle.availOutBefore);
}

/// What is done when a step is: hands on what came of it, and goes on while there is more to come. Its
/// `this` is the handle.
function stepDone() {
  const handle = this;
  const stream = handle[kOwner];
  const over = () => {
    handle.buffer = null;
    handle.cb();
  };
  if (stream.destroyed) return over();
  const [outLeft, inLeft] = stream._writeState;
  const consumed = handle.availInBefore - inLeft;
  const made = handle.availOutBefore - outLeft;
  stream.bytesWritten += consumed;
  let isFull = false;
  if (made > 0) {
    const out = stream._outBuffer.slice(stream._outOffset, stream._outOffset + made);
    stream._outOffset += made;
    isFull = !stream.push(out);
  }
  // Whoever got the chunk may have destroyed the stream.
  if (stream.destroyed) return over();
  if (outLeft === 0 || stream._outOffset >= stream._chunkSize) {
    handle.availOutBefore = stream._chunkSize;
    stream._outOffset = 0;
    stream._outBuffer = Buffer.allocUnsafe(stream._chunkSize);
  }
  if (outLeft === 0) {
    // There was no room for all of it.
    handle.inOff += consumed;
    handle.availInBefore = inLeft;
    if (!isFull) return goOn(stream, handle);
    const read = stream._read;
    stream._read = (size) => {
      stream._read = read;
      goOn(stream, handle);
      stream._read(size);
    };
    return;
  }
  // What is left of the input comes after the end of the stream, and is nobody's.
  if (inLeft > 0) stream.push(null);
  over();
}

/// All that comes of a chunk, at once; the stream is over then.
function processSync(stream, chunk, flag) {
  let left = chunk.byteLength;
  let inOffset = 0;
  let consumed = 0;
  let buffer = stream._outBuffer;
  let offset = stream._outOffset;
  let room = stream._chunkSize - offset;
  const parts = [];
  let size = 0;
  let error;
  stream.on('error', (failure) => { error = failure; });
  for (;;) {
    stream._handle.writeSync(flag, chunk, inOffset, left, buffer, offset, room);
    if (error) throw error;
    if (stream[kError]) throw stream[kError];
    const [outLeft, inLeft] = stream._writeState;
    const used = left - inLeft;
    const made = room - outLeft;
    consumed += used;
    if (made > 0) {
      parts.push(buffer.slice(offset, offset + made));
      offset += made;
      size += made;
      if (size > stream._maxOutputLength) {
        release(stream);
        throw new ERR_BUFFER_TOO_LARGE(stream._maxOutputLength);
      }
    }
    if (outLeft > 0) break;
    inOffset += used;
    left = inLeft;
    [room, offset] = [stream._chunkSize, 0];
    buffer = Buffer.allocUnsafe(stream._chunkSize);
  }
  stream.bytesWritten = consumed;
  release(stream);
  if (size === 0) return Buffer.alloc(0);
  // A package calls this with a `concat` of its own, which is why it is looked up here.
  return parts.length === 1 ? parts[0] : Buffer.concat(parts, size);
}

module.exports = { ZlibBase, processSync, stepDone, assertOpen };
