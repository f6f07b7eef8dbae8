// Transform: a duplex stream whose readable side is made from what is written to it.
//
// Uses binding.nextTick.
'use strict';

const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const { highWaterMarkOf } = require('internal/streams/high_water_mark');

// The callback of a write that waits until somebody reads.
const kCallback = Symbol('kCallback');

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  // A readable side that holds nothing is meant for the stream as a whole, so the other side holds
  // nothing either unless it is told to.
  if (options && highWaterMarkOf(this.objectMode, options, 'readableHighWaterMark', true) === 0) {
    options = {
      ...options,
      highWaterMark: null,
      readableHighWaterMark: 0,
      writableHighWaterMark: options.writableHighWaterMark || 0,
    };
  }
  Duplex.call(this, options);
  // What is pushed comes from a write and not from `_read`, so `readable` need not wait.
  this._readableState.sync = false;
  this[kCallback] = null;
  if (options) {
    if (typeof options.transform === 'function') this._transform = options.transform;
    if (typeof options.flush === 'function') this._flush = options.flush;
  }
  this.on('prefinish', prefinish);
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);

function final(callback) {
  if (typeof this._flush !== 'function' || this.destroyed) {
    this.push(null);
    if (callback) callback();
    return;
  }
  this._flush((error, data) => {
    if (error) {
      if (callback) callback(error);
      else this.destroy(error);
      return;
    }
    if (data != null) this.push(data);
    this.push(null);
    if (callback) callback();
  });
}

// A stream with a `_final` of its own still has to flush.
function prefinish() {
  if (this._final !== final) final.call(this);
}

Transform.prototype._final = final;

Transform.prototype._transform = function _transform(chunk, encoding, callback) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_transform()');
};

Transform.prototype._write = function _write(chunk, encoding, callback) {
  const readable = this._readableState;
  const writable = this._writableState;
  const before = readable.length;
  this._transform(chunk, encoding, (error, value) => {
    if (error) {
      callback(error);
      return;
    }
    if (value != null) this.push(value);
    // After the end of the data the writing side goes on only when that has been told.
    if (readable.ended) binding.nextTick(callback);
    else if (writable.ended || before === readable.length || readable.length < readable.highWaterMark) callback();
    else this[kCallback] = callback;
  });
};

Transform.prototype._read = function _read() {
  const callback = this[kCallback];
  if (callback) {
    this[kCallback] = null;
    callback();
  }
};

module.exports = Transform;
