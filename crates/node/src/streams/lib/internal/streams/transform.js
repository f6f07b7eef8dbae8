// Transform: a Duplex whose output is made of its input (STREAM-33, STREAM-34).
//
// Uses binding.nextTick.
'use strict';

const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const { markIn } = require('internal/streams/high_water_mark');
const { FLOWS } = require('internal/streams/readable_state');
const { tableOf, takeMethods } = require('internal/streams/setup');

// The callback of a write that waits until somebody has read, or null.
const kCallback = Symbol('kCallback');

const methods = tableOf('transform', 'flush');

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  Duplex.call(this, options && withMarks(options));
  // Whatever is pushed comes from a write, not from a call of `_read`.
  this._readableState.sync = false;
  // The callback of `_transform` is the same for all chunks.
  this._writableState.ontransform = whenTransformed(this, this._writableState.onwrite);
  this[kCallback] = null;
  if (options) takeMethods(this, options, methods);
  this.on('prefinish', prefinish);
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);
module.exports = Transform;

const { prototype } = Transform;

/// A mark of 0 is one for both sides: the writable side alone would never be asked to wait.
function withMarks(options) {
  if (markIn(options, 'readableHighWaterMark') !== 0) return options;
  const marks = { highWaterMark: null, readableHighWaterMark: 0, writableHighWaterMark: options.writableHighWaterMark || 0 };
  return Object.assign({}, options, marks);
}

prototype._transform = function(chunk, encoding, callback) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_transform()');
};

prototype._write = function(chunk, encoding, callback) {
  const readable = this._readableState;
  const writable = this._writableState;
  readable.lengthBefore = readable.length;
  this._transform(chunk, encoding, callback === writable.onwrite ? writable.ontransform : whenTransformed(this, callback));
};

/// The callback for `_transform`, which ends with the one of the write.
function whenTransformed(stream, callback) {
  const readable = stream._readableState;
  const writable = stream._writableState;
  return (error, value) => {
    if (error) {
      callback(error);
      return;
    }
    if (value != null) stream.push(value);
    const length = readable.length;
    if (readable.course !== FLOWS) binding.nextTick(callback);
    // The next chunk may come if this one has not filled the readable side.
    else if (length < readable.highWaterMark || length === readable.lengthBefore || writable.ended) callback();
    else stream[kCallback] = callback;
  };
}

prototype._read = function() {
  const held = this[kCallback];
  if (held === null) return;
  this[kCallback] = null;
  held();
};

/// The last of the input is through: the output is flushed and ends.
function final(callback) {
  if (typeof this._flush !== 'function' || this.destroyed) {
    endOutput(this, null, callback);
    return;
  }
  this._flush((error, value) => {
    if (!error) endOutput(this, value, callback);
    else if (callback) callback(error);
    else this.destroy(error);
  });
}

function endOutput(stream, value, callback) {
  if (value != null) stream.push(value);
  stream.push(null);
  if (callback) callback();
}

prototype._final = final;

/// A subclass with a `_final` of its own is flushed all the same.
function prefinish() {
  if (this._final !== final) final.call(this);
}
