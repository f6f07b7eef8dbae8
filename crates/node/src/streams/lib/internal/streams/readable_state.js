// What a Readable keeps of itself, with the chunks that nobody has taken yet.
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_UNKNOWN_ENCODING } } = require('internal/errors');
const { Life, showLife } = require('internal/streams/life');
const { getDefaultHighWaterMark, markIn } = require('internal/streams/high_water_mark');

// What may be written and pushed where there are no objects.
const CHUNKS = ['string', 'Buffer', 'TypedArray', 'DataView'];

// So many places may be empty at the front of the buffer before it is moved up.
const MOST_EMPTY = 1024;

// How far the source has come (STREAM-20): it may give more; it has said that it ended; 'end' was told.
const FLOWS = 0;
const ENDED = 1;
const TOLD = 2;

/// Whether this is one side of two, where the caller does not say.
function isSide(stream, isDuplex) {
  return isDuplex ?? stream instanceof require('internal/streams/duplex');
}

/// The buffer is an array of which the first `bufferIndex` places are empty. `life` is the one of the other
/// side, if there is one already.
class ReadableState {
  constructor(options, stream, isDuplex, life = new Life(options)) {
    const hasTwoSides = options ? isSide(stream, isDuplex) : false;
    this.objectMode = options ? Boolean(options.objectMode || (hasTwoSides && options.readableObjectMode)) : false;
    this.highWaterMark = (options && markIn(options, hasTwoSides ? 'readableHighWaterMark' : null)) ??
      getDefaultHighWaterMark(this.objectMode);
    this.life = life;
    this.buffer = [];
    this.bufferIndex = 0;
    this.length = 0;
    this.pipes = [];
    this.flowing = null;
    this.course = FLOWS;
    this.reading = false;
    this.sync = true;
    this.needReadable = false;
    this.dataListening = false;
    this.awaitDrainWriters = null;
    this.decoder = null;
    const encoding = options?.encoding;
    if (options?.defaultEncoding != null) this.defaultEncoding = checkedEncoding(options.defaultEncoding);
    if (encoding) this.setEncoding(encoding);
  }

  /// Has what comes decoded.
  setEncoding(encoding) {
    const { StringDecoder } = require('string_decoder');
    this.decoder = new StringDecoder(encoding);
    this.encoding = this.decoder.encoding;
  }

  get ended() { return this.course !== FLOWS; }
  set ended(value) { this.course = value ? Math.max(this.course, ENDED) : FLOWS; }
  get endEmitted() { return this.course === TOLD; }
  set endEmitted(value) { this.course = value ? TOLD : Math.min(this.course, ENDED); }
  get isThrough() { return this.course === TOLD || this.readable === false; }
  get pipesCount() { return this.pipes.length; }

  reopen() {
    this.reading = false;
    this.course = this.readable === false ? TOLD : FLOWS;
  }

  /// Puts a chunk at the end of the buffer.
  append(chunk) {
    this.length += this.objectMode ? 1 : chunk.length;
    this.buffer.push(chunk);
  }

  /// Puts a chunk before all others.
  prepend(chunk) {
    this.length += this.objectMode ? 1 : chunk.length;
    const { buffer, bufferIndex } = this;
    if (bufferIndex === 0 && buffer.length > 0) {
      // As much room before the chunks as they have: so many can be prepended before they move again.
      this.bufferIndex = buffer.length;
      this.buffer = new Array(buffer.length).fill(null).concat(buffer);
    }
    if (this.bufferIndex > 0) this.buffer[--this.bufferIndex] = chunk;
    else this.buffer.push(chunk);
  }

  /// How much of `n` can be had now. NaN asks for what there is: while data flows that is one chunk.
  available(n) {
    if (n <= 0 || (this.length === 0 && this.course !== FLOWS)) return 0;
    if (this.objectMode) return 1;
    if (Number.isNaN(n)) {
      const isOne = !this.flowing || this.buffer.length - this.bufferIndex < 2;
      return isOne ? this.length : this.buffer[this.bufferIndex].length;
    }
    if (n <= this.length) return n;
    return this.course !== FLOWS ? this.length : 0;
  }

  /// Takes `n` from the buffer, or all of it for 0; null if there is nothing. `length` is the caller's.
  take(n) {
    if (this.length === 0) return null;
    const first = this.buffer[this.bufferIndex];
    // With a decoder there may be bytes among the strings, which `takeAll` makes one.
    if (this.objectMode || (n === first.length && this.decoder === null)) {
      this.drop();
      return first;
    }
    if (n === 0 || n >= this.length) return this.takeAll();
    if (n >= first.length) return this.takeAcross(n);
    this.buffer[this.bufferIndex] = first.slice(n);
    return first.slice(0, n);
  }

  takeAll() {
    const { buffer, bufferIndex } = this;
    let all;
    if (this.decoder) all = buffer.slice(bufferIndex).join('');
    else if (buffer.length - bufferIndex === 1) all = buffer[bufferIndex];
    else all = Buffer.concat(buffer.slice(bufferIndex), this.length);
    buffer.length = 0;
    this.bufferIndex = 0;
    return all;
  }

  takeAcross(n) {
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
  }

  /// Lets go of the first chunk.
  drop() {
    const { buffer } = this;
    const index = this.bufferIndex;
    if (index + 1 === buffer.length) {
      buffer.length = 0;
      this.bufferIndex = 0;
    } else if (index >= MOST_EMPTY && 2 * index >= buffer.length) {
      buffer.splice(0, index + 1);
      this.bufferIndex = 0;
    } else {
      buffer[index] = null;
      this.bufferIndex = index + 1;
    }
  }
}

showLife(ReadableState);
// What most streams never change stands on the prototype.
Object.assign(ReadableState.prototype, {
  isPlainEmitter: false,
  multiAwaitDrain: false,
  paused: false,
  emittedReadable: false,
  readableListening: false,
  resumeScheduled: false,
  endScheduled: false,
  readingMore: false,
  dataEmitted: false,
  defaultEncoding: 'utf8',
  encoding: null,
});

/// The bytes of a view, or undefined.
function viewOf(chunk) {
  return ArrayBuffer.isView(chunk) ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : undefined;
}

function checkedEncoding(encoding) {
  if (!Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
  return encoding;
}

module.exports = { ReadableState, checkedEncoding, isSide, viewOf, CHUNKS, FLOWS, ENDED, TOLD };
