// What a Writable keeps of itself, with the chunks that wait.
'use strict';

const { Life, showLife } = require('internal/streams/life');
const { getDefaultHighWaterMark, markIn } = require('internal/streams/high_water_mark');
const { checkedEncoding, isSide } = require('internal/streams/readable_state');

// How far the writer has come (STREAM-10): it may write more; it called `end`; 'finish' was told.
const TAKES = 0;
const ENDING = 1;
const FINISHED = 2;

class WritableState {
  constructor(options, stream, isDuplex, life = new Life(options)) {
    const hasTwoSides = options ? isSide(stream, isDuplex) : false;
    this.objectMode = options ? Boolean(options.objectMode || (hasTwoSides && options.writableObjectMode)) : false;
    this.highWaterMark = (options && markIn(options, hasTwoSides ? 'writableHighWaterMark' : null)) ??
      getDefaultHighWaterMark(this.objectMode);
    this.life = life;
    this.length = 0;
    this.course = TAKES;
    this.needDrain = false;
    // A call of `_write` or `_writev` is under way; then how much it writes, and whom to tell.
    this.writing = false;
    this.sync = true;
    this.writelen = 0;
    this.writecb = null;
    this.onwrite = undefined;
    this.corked = 0;
    this.pendingcb = 0;
    // What waits: records of which the first `bufferedIndex` are written already.
    this.buffered = [];
    this.bufferedIndex = 0;
    if (options) {
      if (options.decodeStrings === false) this.decodeStrings = false;
      if (options.defaultEncoding != null) this.defaultEncoding = checkedEncoding(options.defaultEncoding);
    }
  }

  get ending() { return this.course !== TAKES; }
  set ending(value) { this.course = value ? Math.max(this.course, ENDING) : TAKES; }
  get finished() { return this.course === FINISHED; }
  set finished(value) { this.course = value ? FINISHED : Math.min(this.course, ENDING); }
  get isThrough() { return this.course === FINISHED || this.writable === false; }
  get bufferedRequestCount() { return this.buffered.length - this.bufferedIndex; }

  getBuffer() {
    return this.buffered.slice(this.bufferedIndex);
  }

  /// Puts a chunk behind those that wait.
  queue(chunk, encoding, callback, isPlain) {
    this.buffered.push({ chunk, encoding, callback });
    if (encoding !== 'buffer') this.allBuffers = false;
    if (!isPlain) this.allNoop = false;
  }

  /// Nothing waits any more.
  clear() {
    this.buffered = [];
    this.bufferedIndex = 0;
    this.allBuffers = true;
    this.allNoop = true;
  }

  reopen() {
    this.course = this.writable === false ? FINISHED : TAKES;
    this.ended = this.writable === false;
    this.finalCalled = false;
    this.prefinished = false;
  }
}

showLife(WritableState);
// What most streams never change stands on the prototype.
Object.assign(WritableState.prototype, {
  ended: false,
  finalCalled: false,
  prefinished: false,
  decodeStrings: true,
  defaultEncoding: 'utf8',
  bufferProcessing: false,
  allBuffers: true,
  allNoop: true,
  // Why the last write came too late.
  refusal: undefined,
  // The callbacks of `end`, from the first on.
  onFinished: null,
  // A tick is due that tells of writes; of so many with this callback.
  afterWritePending: false,
  afterWriteTickInfo: null,
});

module.exports = { WritableState, TAKES, ENDING, FINISHED };
