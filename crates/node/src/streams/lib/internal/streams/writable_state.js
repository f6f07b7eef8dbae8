// What a Writable knows about itself. Packages look at these fields, so their names are Node's.
'use strict';

const { highWaterMarkOf } = require('internal/streams/high_water_mark');
const { defaultEncodingOf } = require('internal/streams/readable_state');

// `onwrite` is what the stream's `_write` gets for a callback.
function WritableState(options, stream, isDuplex, onwrite) {
  if (typeof isDuplex !== 'boolean') isDuplex = stream instanceof require('internal/streams/duplex');
  this.objectMode = Boolean(options && (options.objectMode || (isDuplex && options.writableObjectMode)));
  this.highWaterMark = highWaterMarkOf(this.objectMode, options, 'writableHighWaterMark', isDuplex);
  this.decodeStrings = !options || options.decodeStrings !== false;
  this.defaultEncoding = defaultEncodingOf(options);
  // What was given to `write` and is not written yet, in bytes, characters or objects.
  this.length = 0;
  this.needDrain = false;
  // `end` was called; it has returned; all is written.
  this.ending = false;
  this.ended = false;
  this.finished = false;
  this.finalCalled = false;
  this.prefinished = false;
  // Between a call of `_write` and its callback; `sync` during the call itself.
  this.writing = false;
  this.sync = true;
  this.corked = 0;
  this.onwrite = onwrite;
  this.writecb = null;
  this.writelen = 0;
  // The callbacks that a tick is going to call: equal ones in a row share it.
  this.afterWriteTickInfo = null;
  this.afterWritePending = false;
  this.bufferProcessing = false;
  // Callbacks that are still to be called; the stream does not finish before.
  this.pendingcb = 0;
  this.finishCallbacks = [];
  this.constructed = true;
  this.emitClose = !options || options.emitClose !== false;
  this.autoDestroy = !options || options.autoDestroy !== false;
  this.destroyed = false;
  this.errored = null;
  this.errorEmitted = false;
  this.closed = false;
  this.closeEmitted = false;
  this.clearBuffered();
}

/// Forgets what waits, in the order of its coming from `bufferedIndex` on.
WritableState.prototype.clearBuffered = function clearBuffered() {
  this.buffered = [];
  this.bufferedIndex = 0;
  // Whether all that waits are Buffers, and whether nobody wants to hear of any.
  this.allBuffers = true;
  this.allNoop = true;
};

WritableState.prototype.getBuffer = function getBuffer() {
  return this.buffered.slice(this.bufferedIndex);
};

Object.defineProperty(WritableState.prototype, 'clearBuffered', { enumerable: false });
Object.defineProperty(WritableState.prototype, 'bufferedRequestCount', {
  __proto__: null,
  configurable: true,
  get() { return this.buffered.length - this.bufferedIndex; },
});

module.exports = { WritableState };
