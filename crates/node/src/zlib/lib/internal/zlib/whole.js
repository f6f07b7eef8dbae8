// All of something at once: `gzip(buffer, callback)`, `gzipSync(buffer)` and their kin.
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_BUFFER_TOO_LARGE, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { validateFunction } = require('internal/validators');
const { processSync } = require('internal/zlib/base');

function onData(chunk) {
  if (this.buffers) this.buffers.push(chunk);
  else this.buffers = [chunk];
  this.nread += chunk.length;
  if (this.nread > this._maxOutputLength) {
    this.close();
    this.cb(new ERR_BUFFER_TOO_LARGE(this._maxOutputLength));
  }
}

function onError(error) {
  this.removeAllListeners('end');
  this.cb(error);
}

function onEnd() {
  const { buffers, nread } = this;
  let whole;
  if (nread === 0) whole = Buffer.alloc(0);
  else whole = buffers.length === 1 ? buffers[0] : Buffer.concat(buffers, nread);
  this.close();
  this.cb(null, this._info ? { buffer: whole, engine: this } : whole);
}

function start(engine, buffer, callback) {
  validateFunction(callback, 'callback');
  if (!isArrayBufferView(buffer) && isAnyArrayBuffer(buffer)) buffer = Buffer.from(buffer);
  engine.buffers = null;
  engine.nread = 0;
  engine.cb = callback;
  engine.on('data', onData);
  engine.on('error', onError);
  engine.on('end', onEnd);
  engine.end(buffer);
}

function sync(engine, buffer) {
  if (typeof buffer === 'string') buffer = Buffer.from(buffer);
  else if (!isArrayBufferView(buffer)) {
    if (!isAnyArrayBuffer(buffer)) {
      throw new ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], buffer);
    }
    buffer = Buffer.from(buffer);
  }
  const whole = processSync(engine, buffer, engine._finishFlushFlag);
  return engine._info ? { buffer: whole, engine } : whole;
}

exports.withCallback = (Engine) => function asyncBufferWrapper(buffer, opts, callback) {
  if (typeof opts === 'function') [callback, opts] = [opts, {}];
  return start(new Engine(opts), buffer, callback);
};

exports.atOnce = (Engine) => function syncBufferWrapper(buffer, opts) {
  return sync(new Engine(opts), buffer);
};
