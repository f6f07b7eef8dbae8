// The stream around a codec: chunks go in, steps of the codec are made, pieces come out (docs/library/zlib.md).
// Uses binding.nextTick.
'use strict';

const { Buffer } = require('buffer');
const Transform = require('internal/streams/transform');
const { finished } = require('stream');
const { genericNodeError, codes: { ERR_BUFFER_TOO_LARGE, ERR_INTERNAL_ASSERTION } } = require('internal/errors');
const { deprecate } = require('internal/util/deprecate');
const { flowSettings } = require('internal/zlib/options');

const kWork = Symbol('kWork');

// Every flag's place among them, from the one that lets out the least: none, block, partial, sync, full, finish.
// Brotli's flags are looked up here, too.
const strength = [0, 2, 3, 4, 5, 1];

// Chunks without bytes that stand for a flush, at its place among what is written (rule ZLIB-12).
const marks = strength.map(() => Buffer.alloc(0));
const nothing = Buffer.alloc(0);

// What becomes of a chunk after a step.
const OVER = 0;
const MORE = 1;
const HELD = 2;

/// A stream's chunk on its way through the codec.
class Work {
  input = null;
  // Where the rest of the input begins, and its length.
  at = 0;
  left = 0;
  flag = 0;
  // How much the step may make.
  room = 0;
  done = undefined;
  // The stream's own way to read, while its reader holds it.
  read = undefined;
  // Whether an error of the codec is thrown where it occurs.
  throws = false;

  constructor(stream, handle) {
    this.stream = stream;
    this.handle = handle;
  }

  begin(chunk, flag, done) {
    this.input = chunk;
    this.at = 0;
    this.left = chunk.byteLength;
    this.flag = flag;
    this.done = done;
    this.step();
  }

  step() {
    const { stream } = this;
    const offset = stream._outOffset;
    this.room = stream._chunkSize - offset;
    this.handle.write(this.flag, this.input, this.at, this.left, stream._outBuffer, offset, this.room);
  }

  /// Hands on what a step made (rules ZLIB-8 to ZLIB-11).
  settle() {
    const { stream } = this;
    if (stream.destroyed) return OVER;
    const roomLeft = stream._writeState[0];
    const inputLeft = stream._writeState[1];
    const taken = this.left - inputLeft;
    stream.bytesWritten += taken;
    this.at += taken;
    this.left = inputLeft;
    const made = this.room - roomLeft;
    const wantsMore = made === 0 || stream.push(cutOutput(stream, made));
    // Whoever got the piece may have destroyed the stream.
    if (stream.destroyed) return OVER;
    if (roomLeft === 0) return wantsMore ? MORE : HELD;
    if (inputLeft > 0) stream.push(null);
    return OVER;
  }

  finish() {
    const { done } = this;
    this.input = null;
    this.done = undefined;
    done();
  }

  hold() {
    this.read = this.stream._read;
    this.stream._read = readOn;
  }
}

/// What was made last; a buffer that is full then is the reader's.
function cutOutput(stream, length) {
  const buffer = stream._outBuffer;
  const start = stream._outOffset;
  const end = start + length;
  if (end === stream._chunkSize) {
    stream._outBuffer = Buffer.allocUnsafe(end);
    stream._outOffset = 0;
  } else {
    stream._outOffset = end;
  }
  return buffer.subarray(start, end);
}

/// `_read` of a stream that was held.
function readOn(size) {
  const work = this[kWork];
  this._read = work.read;
  if (this._handle) work.step();
  this._read(size);
}

/// What a handle calls when a step is done.
function stepDone() {
  const work = this[kWork];
  const state = work.settle();
  if (state === MORE) work.step();
  else if (state === HELD) work.hold();
  else work.finish();
}

/// `onerror` of a handle.
function codecFailed(message, errno, code) {
  const work = this[kWork];
  const error = genericNodeError(message, { errno, code });
  work.stream.destroy(error);
  if (work.throws) throw error;
}

// Both sides are bytes (rule ZLIB-6).
function streamOptions(options) {
  if (!options?.encoding && !options?.objectMode && !options?.writableObjectMode) return { autoDestroy: true, ...options };
  return { autoDestroy: true, ...options, encoding: null, objectMode: false, writableObjectMode: false };
}

function ZlibBase(options, mode, handle) {
  const flow = flowSettings(mode, options);
  Transform.call(this, streamOptions(options));
  this.bytesWritten = 0;
  this._handle = handle;
  this._outBuffer = Buffer.allocUnsafe(flow.chunkSize);
  this._outOffset = 0;
  this._chunkSize = flow.chunkSize;
  this._defaultFlushFlag = flow.flush;
  this._finishFlushFlag = flow.finishFlush;
  this._defaultFullFlushFlag = flow.fullFlush;
  this._info = options && options.info;
  this._maxOutputLength = flow.most;
  this[kWork] = handle[kWork] = new Work(this, handle);
  handle.onerror = codecFailed;
}

function openHandle(stream) {
  if (!stream._handle) throw new ERR_INTERNAL_ASSERTION('zlib binding closed');
  return stream._handle;
}

function release(stream) {
  const handle = stream._handle;
  stream._handle = null;
  if (handle) handle.close();
}

function feed(stream, chunk, flag, callback) {
  if (stream._handle) stream[kWork].begin(chunk, flag, callback);
  else binding.nextTick(callback);
}

/// All that a codec makes of a chunk, at once: its pieces, their size, and how much it took.
function drain(handle, state, chunk, flag, most, room) {
  const length = chunk.byteLength;
  const size = room.length;
  const pieces = [];
  let total = 0;
  let taken = 0;
  for (;;) {
    handle.writeSync(flag, chunk, taken, length - taken, room, 0, size);
    const made = size - state[0];
    taken = length - state[1];
    total += made;
    if (total > most) throw new ERR_BUFFER_TOO_LARGE(most);
    if (made < size) {
      if (made > 0) pieces.push(room.subarray(0, made));
      return { pieces, total, taken };
    }
    pieces.push(room);
    room = Buffer.allocUnsafe(size);
  }
}

function joined({ pieces, total }) {
  if (pieces.length === 1) return pieces[0];
  // A package calls `_processChunk` with a `concat` of its own, which is why it is looked up here.
  return total === 0 ? Buffer.alloc(0) : Buffer.concat(pieces, total);
}

const ignore = () => {};

/// `drain` for a stream, whose codec is closed then.
function drainStream(stream, chunk, flag) {
  const work = stream[kWork];
  const room = stream._outOffset === 0 ? stream._outBuffer : Buffer.allocUnsafe(stream._chunkSize);
  stream.on('error', ignore);
  work.throws = true;
  try {
    const all = drain(stream._handle, stream._writeState, chunk, flag, stream._maxOutputLength, room);
    stream.bytesWritten = all.taken;
    return joined(all);
  } finally {
    work.throws = false;
    release(stream);
  }
}

const methods = {
  get _closed() {
    return !this._handle;
  },

  get bytesRead() {
    return this.bytesWritten;
  },
  set bytesRead(count) {
    this.bytesWritten = count;
  },

  reset() {
    return openHandle(this).reset();
  },

  // The end is a chunk without bytes.
  _flush(callback) {
    this._transform(nothing, '', callback);
  },

  _final(callback) {
    callback();
  },

  flush(kind, callback) {
    if (typeof kind === 'function') {
      callback = kind;
      kind = this._defaultFullFlushFlag;
    } else if (kind === undefined && !callback) {
      kind = this._defaultFullFlushFlag;
    }
    if (!this.writableEnded) this.write(marks[kind], '', callback);
    else if (!callback) return;
    else if (this.writableFinished) binding.nextTick(callback);
    else this.once('end', callback);
  },

  close(callback) {
    if (callback) finished(this, callback);
    this.destroy();
  },

  _destroy(error, callback) {
    release(this);
    callback(error);
  },

  // Rule ZLIB-7.
  _transform(chunk, encoding, callback) {
    const length = chunk.byteLength;
    const mark = length === 0 ? marks.indexOf(chunk) : -1;
    let flag = mark === -1 ? this._defaultFlushFlag : mark;
    if (this.writableEnded && this.writableLength === length) {
      const atEnd = this._finishFlushFlag;
      if (strength[atEnd] >= strength[flag]) flag = atEnd;
    }
    feed(this, chunk, flag, callback);
  },

  _processChunk(chunk, flag, callback) {
    if (typeof callback === 'function') feed(this, chunk, flag, callback);
    else return drainStream(this, chunk, flag);
  },
};

const properties = Object.getOwnPropertyDescriptors(methods);
const oldName = 'zlib.bytesRead is deprecated and will change its meaning in the future. Use zlib.bytesWritten instead.';
properties.bytesRead.get = deprecate(properties.bytesRead.get, oldName, 'DEP0108');
properties.bytesRead.set = deprecate(properties.bytesRead.set, oldName, 'DEP0108');
Object.defineProperties(ZlibBase.prototype, properties);
Object.setPrototypeOf(ZlibBase.prototype, Transform.prototype);
Object.setPrototypeOf(ZlibBase, Transform);

module.exports = { ZlibBase, openHandle, stepDone, drain, drainStream, joined };
