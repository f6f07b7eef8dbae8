// What a Readable knows about itself. Packages look at these fields, so their names are Node's.
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_UNKNOWN_ENCODING } } = require('internal/errors');
const { highWaterMarkOf } = require('internal/streams/high_water_mark');

// So many places at the front of the buffer may be empty before they are cut off.
const MOST_EMPTY = 1024;

function ReadableState(options, stream, isDuplex) {
  if (typeof isDuplex !== 'boolean') isDuplex = stream instanceof require('internal/streams/duplex');
  this.objectMode = Boolean(options && (options.objectMode || (isDuplex && options.readableObjectMode)));
  this.highWaterMark = highWaterMarkOf(this.objectMode, options, 'readableHighWaterMark', isDuplex);
  // The chunks that wait, from `bufferIndex` on; `length` counts their bytes, characters or objects.
  this.buffer = [];
  this.bufferIndex = 0;
  this.length = 0;
  // Where the data goes, and which of those asked to wait: one, or a set if there are several.
  this.pipes = [];
  this.awaitDrainWriters = null;
  this.multiAwaitDrain = false;
  // true: chunks go out as they come. false: somebody said pause. null: nobody has asked yet.
  this.flowing = null;
  // Whether it was `pause` or `resume` that was called last.
  this.paused = false;
  this.ended = false;
  this.endEmitted = false;
  // Between a call of `_read` and the chunk that answers it; `sync` during the call itself.
  this.reading = false;
  this.sync = true;
  this.constructed = true;
  this.needReadable = false;
  this.emittedReadable = false;
  this.readableListening = false;
  this.dataListening = false;
  this.resumeScheduled = false;
  this.readingMore = false;
  this.dataEmitted = false;
  this.emitClose = !options || options.emitClose !== false;
  this.autoDestroy = !options || options.autoDestroy !== false;
  this.destroyed = false;
  this.errored = null;
  this.errorEmitted = false;
  this.closed = false;
  this.closeEmitted = false;
  this.defaultEncoding = defaultEncodingOf(options);
  this.decoder = null;
  this.encoding = null;
  if (options?.encoding) {
    const { StringDecoder } = require('string_decoder');
    this.decoder = new StringDecoder(options.encoding);
    this.encoding = options.encoding;
  }
}

function defaultEncodingOf(options) {
  const encoding = options?.defaultEncoding;
  if (encoding == null || encoding === 'utf8' || encoding === 'utf-8') return 'utf8';
  if (!Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
  return encoding;
}

Object.defineProperty(ReadableState.prototype, 'pipesCount', {
  __proto__: null,
  configurable: true,
  get() { return this.pipes.length; },
});

/// Puts a chunk at the end of the buffer.
ReadableState.prototype.append = function append(chunk) {
  this.length += this.objectMode ? 1 : chunk.length;
  this.buffer.push(chunk);
};

/// Puts a chunk before all others.
ReadableState.prototype.prepend = function prepend(chunk) {
  this.length += this.objectMode ? 1 : chunk.length;
  if (this.bufferIndex > 0) this.buffer[--this.bufferIndex] = chunk;
  else this.buffer.unshift(chunk);
};

/// How much of `n` can be had now. NaN asks for what there is: while data flows that is one chunk.
ReadableState.prototype.available = function available(n) {
  if (n <= 0 || (this.length === 0 && this.ended)) return 0;
  if (this.objectMode) return 1;
  if (Number.isNaN(n)) {
    return this.flowing && this.length > 0 ? this.buffer[this.bufferIndex].length : this.length;
  }
  if (n <= this.length) return n;
  return this.ended ? this.length : 0;
};

/// Takes `n` from the buffer, or all of it for 0; null if there is nothing. `length` is the caller's.
ReadableState.prototype.take = function take(n) {
  if (this.length === 0) return null;
  if (this.objectMode) {
    const chunk = this.buffer[this.bufferIndex];
    this.drop();
    return chunk;
  }
  if (n === 0 || n >= this.length) return this.takeAll();
  const first = this.buffer[this.bufferIndex];
  if (n < first.length) {
    this.buffer[this.bufferIndex] = first.slice(n);
    return first.slice(0, n);
  }
  if (n === first.length) {
    this.drop();
    return first;
  }
  return this.takeAcross(n);
};

ReadableState.prototype.takeAll = function takeAll() {
  const { buffer, bufferIndex } = this;
  let all;
  if (this.decoder) all = buffer.slice(bufferIndex).join('');
  else if (buffer.length - bufferIndex === 1) all = buffer[bufferIndex];
  else all = Buffer.concat(buffer.slice(bufferIndex), this.length);
  buffer.length = 0;
  this.bufferIndex = 0;
  return all;
};

ReadableState.prototype.takeAcross = function takeAcross(n) {
  const parts = [];
  for (let left = n; left > 0;) {
    const chunk = this.buffer[this.bufferIndex];
    if (chunk.length <= left) {
      parts.push(chunk);
      this.drop();
    } else {
      parts.push(chunk.slice(0, left));
      this.buffer[this.bufferIndex] = chunk.slice(left);
    }
    left -= Math.min(left, chunk.length);
  }
  return this.decoder ? parts.join('') : Buffer.concat(parts, n);
};

/// Lets go of the first chunk.
ReadableState.prototype.drop = function drop() {
  this.buffer[this.bufferIndex++] = null;
  if (this.bufferIndex === this.buffer.length) {
    this.buffer.length = 0;
    this.bufferIndex = 0;
  } else if (this.bufferIndex > MOST_EMPTY) {
    this.buffer.splice(0, this.bufferIndex);
    this.bufferIndex = 0;
  }
};

for (const name of ['append', 'prepend', 'available', 'take', 'takeAll', 'takeAcross', 'drop']) {
  Object.defineProperty(ReadableState.prototype, name, { enumerable: false });
}

module.exports = { ReadableState, defaultEncodingOf };
