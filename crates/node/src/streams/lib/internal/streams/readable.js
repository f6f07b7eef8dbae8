// Readable: what gives chunks, when it is asked or by itself (STREAM-20 to STREAM-31).
//
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const { Buffer } = require('buffer');
const {
  codes: {
    ERR_METHOD_NOT_IMPLEMENTED, ERR_STREAM_PUSH_AFTER_EOF,
    ERR_STREAM_UNSHIFT_AFTER_END_EVENT,
  },
} = require('internal/errors');
const { validateObject } = require('internal/validators');
const { construct, destroy, destroyer, errorOrDestroy, undestroy } = require('internal/streams/destroy');
const { Stream } = require('internal/streams/legacy');
const { OPEN, GONE } = require('internal/streams/life');
const { ReadableState, FLOWS, TOLD } = require('internal/streams/readable_state');
const {
  ask, bytesOf, emitData, endSoon, fillSoon, forgetWaits, gotNothing, isFull, listenAnew, listenerGone, listensForData,
  listensForReadable, markFor, readableSoon, resumeNow, sourceEnded, startReading, wantsMore,
} = require('internal/streams/reading');
const { begin, dispose, show, tableOf } = require('internal/streams/setup');

const methods = tableOf('read', 'destroy', 'construct');

/// The table of listeners has places for the usual events from the start.
const places = () => ({ close: undefined, error: undefined, data: undefined, end: undefined, readable: undefined });

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  this._events ??= places();
  this._readableState = new ReadableState(options, this, false);
  begin(this, options, methods);
  construct(this, startReading);
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);
module.exports = Readable;

const { prototype } = Readable;
const { on: listen, removeListener: unlisten, removeAllListeners: unlistenAll } = Stream.prototype;
Readable.ReadableState = ReadableState;

Readable._fromList = function fromList(n, state) {
  return state.take(n);
};

prototype.destroy = destroy;
prototype._undestroy = undestroy;

prototype._destroy = function(err, cb) {
  cb(err);
};

prototype[EventEmitter.captureRejectionSymbol] = function(error) {
  this.destroy(error);
};

prototype[Symbol.asyncDispose] = function() {
  return dispose(this, this.readableEnded, (error, reason) => error !== reason);
};

// What comes in (STREAM-21).

prototype.push = function push(chunk, encoding) {
  const state = this._readableState;
  if (chunk === null) return sourceEnded(this, state);
  if (!state.objectMode) {
    if (typeof chunk === 'string') {
      encoding ||= state.defaultEncoding;
      if (encoding !== state.encoding) {
        chunk = Buffer.from(chunk, encoding);
        encoding = '';
      }
    } else {
      if (!(chunk instanceof Buffer)) chunk = bytesOf(this, chunk);
      if (chunk === undefined) return false;
      encoding = '';
    }
    if (chunk.length === 0) return gotNothing(this, state);
  }
  if (state.course !== FLOWS) {
    errorOrDestroy(this, new ERR_STREAM_PUSH_AFTER_EOF());
    return false;
  }
  if (state.life.isOver) return false;
  state.reading = false;
  if (state.decoder !== null && !encoding) {
    chunk = state.decoder.write(chunk);
    // The bytes so far may be the beginning of a character.
    if (!state.objectMode && chunk.length === 0) return gotNothing(this, state);
  }
  if (state.flowing && state.length === 0 && !state.sync && state.dataListening) {
    if (state.awaitDrainWriters !== null) forgetWaits(state);
    emitData(this, state, chunk);
  } else {
    state.append(chunk);
    if (state.needReadable) readableSoon(this, state);
  }
  if (!state.readingMore) fillSoon(this, state);
  const length = state.length;
  return state.course === FLOWS && (length === 0 || length < state.highWaterMark);
};

/// Puts a chunk back, before all others (STREAM-22).
prototype.unshift = function unshift(chunk, encoding) {
  const state = this._readableState;
  if (chunk === null) return sourceEnded(this, state);
  if (!state.objectMode) {
    if (typeof chunk === 'string') {
      encoding ||= state.defaultEncoding;
      if (encoding !== state.encoding) {
        chunk = Buffer.from(chunk, encoding);
        if (state.encoding) chunk = chunk.toString(state.encoding);
      }
    } else {
      chunk = bytesOf(this, chunk);
      if (chunk === undefined) return false;
    }
    if (chunk.length === 0) return wantsMore(state);
  }
  if (state.course === TOLD) {
    errorOrDestroy(this, new ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
    return false;
  }
  if (state.life.isOver) return false;
  if (state.flowing && state.length === 0 && !state.sync && state.dataListening) {
    if (state.awaitDrainWriters !== null) forgetWaits(state);
    emitData(this, state, chunk);
  } else {
    state.prepend(chunk);
    if (state.needReadable) readableSoon(this, state);
  }
  fillSoon(this, state);
  return wantsMore(state);
};

// What goes out (STREAM-26, STREAM-27).

prototype.read = function read(n) {
  const state = this._readableState;
  let wanted = NaN;
  if (n !== undefined) wanted = Number.isInteger(n) ? n : Number.parseInt(n, 10);
  if (wanted > state.highWaterMark) state.highWaterMark = markFor(wanted);

  if (wanted !== 0) {
    state.emittedReadable = false;
  } else if (state.needReadable && isFull(state)) {
    if (state.length === 0 && state.course !== FLOWS) endSoon(this, state);
    else readableSoon(this, state);
    return null;
  }

  let count = state.available(wanted);
  if (count === 0 && state.course !== FLOWS) {
    if (state.length === 0) endSoon(this, state);
    return null;
  }

  const isShort = state.needReadable || state.length === 0 || state.length - count < state.highWaterMark;
  if (isShort && !state.reading && state.course === FLOWS && !state.life.isOver && state.life.constructed) {
    ask(this, state);
    // A source that answered at once may have given enough.
    if (!state.reading) count = state.available(wanted);
  }

  const chunk = count > 0 ? state.take(count) : null;
  if (chunk === null) {
    if (state.length <= state.highWaterMark) state.needReadable = true;
    count = 0;
  } else {
    state.length -= count;
    if (state.awaitDrainWriters !== null) forgetWaits(state);
  }
  if (state.length === 0) {
    if (state.course === FLOWS) state.needReadable = true;
    else if (count !== wanted) endSoon(this, state);
  }
  if (chunk !== null && !state.life.errorEmitted && state.life.stage !== GONE) {
    emitData(this, state, chunk);
  }
  return chunk;
};

prototype._read = function(n) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_read()');
};

// Flowing (STREAM-29, STREAM-30).

prototype.isPaused = function isPaused() {
  const state = this._readableState;
  return state.paused || state.flowing === false;
};

prototype.resume = function resume() {
  const state = this._readableState;
  if (!state.flowing) {
    // Whoever listens for 'readable' reads for itself.
    state.flowing = !state.readableListening;
    if (!state.resumeScheduled) {
      state.resumeScheduled = true;
      binding.nextTick(resumeNow, this, state);
    }
  }
  state.paused = false;
  return this;
};

prototype.pause = function pause() {
  const state = this._readableState;
  if (state.flowing !== false) {
    state.flowing = false;
    this.emit('pause');
  }
  state.paused = true;
  return this;
};

/// Listeners change how it flows.
prototype.on = function on(event, listener) {
  const result = listen.call(this, event, listener);
  if (event === 'data') listensForData(this, this._readableState);
  else if (event === 'readable') listensForReadable(this, this._readableState);
  return result;
};
prototype.addListener = prototype.on;

prototype.removeListener = function removeListener(event, listener) {
  const result = unlisten.call(this, event, listener);
  listenerGone(this, event);
  return result;
};
prototype.off = prototype.removeListener;

prototype.removeAllListeners = function removeAllListeners(event) {
  const result = Reflect.apply(unlistenAll, this, arguments);
  if (event === undefined || event === 'readable') binding.nextTick(listenAnew, this);
  return result;
};

// Encodings.

prototype.setEncoding = function setEncoding(encoding) {
  const state = this._readableState;
  state.setEncoding(encoding);
  const text = state.buffer.slice(state.bufferIndex).map((chunk) => state.decoder.write(chunk)).join('');
  state.buffer = text === '' ? [] : [text];
  state.bufferIndex = 0;
  state.length = text.length;
  return this;
};

// Pipes, iterators, and streams of another make.

prototype.pipe = function pipe(dest, options) {
  return require('internal/streams/pipe').pipe(this, dest, options);
};

prototype.unpipe = function unpipe(dest) {
  return require('internal/streams/pipe').unpipe(this, dest);
};

prototype[Symbol.asyncIterator] = function() {
  return require('internal/streams/iterate')(this);
};

prototype.iterator = function iterator(options) {
  if (options !== undefined) validateObject(options, 'options');
  return require('internal/streams/iterate')(this, options);
};

/// Reads from a stream of the first kind (STREAM-31).
prototype.wrap = function wrap(old) {
  let isHeld = false;
  const heard = {
    data: (chunk) => {
      if (this.push(chunk) || !old.pause) return;
      isHeld = true;
      old.pause();
    },
    end: () => { this.push(null); },
    error: (error) => errorOrDestroy(this, error),
    close: () => destroyer(this),
    destroy: () => destroyer(this),
  };
  for (const event of Object.keys(heard)) old.on(event, heard[event]);
  this._read = () => {
    if (!isHeld || !old.resume) return;
    isHeld = false;
    old.resume();
  };
  for (const name of Object.keys(old)) {
    if (typeof old[name] === 'function' && this[name] === undefined) this[name] = old[name].bind(old);
  }
  return this;
};

// Looking.

show(prototype, '_readableState', {
  readable: [
    (state) => state.readable !== false && state.course !== TOLD && state.life.stage === OPEN && !state.life.errorEmitted,
    false, (state, value) => { state.readable = Boolean(value); },
  ],
  readableDidRead: [(state) => state.dataEmitted, false],
  readableAborted: [(state) => state.readable !== false && state.life.isOver && state.course !== TOLD, false],
  readableHighWaterMark: [(state) => state.highWaterMark, undefined],
  readableBuffer: [(state) => state.buffer, undefined],
  readableFlowing: [(state) => state.flowing, undefined, (state, value) => { state.flowing = value; }],
  readableLength: [(state) => state.length, undefined],
  readableObjectMode: [(state) => state.objectMode, false],
  readableEncoding: [(state) => state.encoding, null],
  errored: [(state) => state.life.errored, null],
  closed: [(state) => state.closed, false],
  destroyed: [(state) => state.life.stage !== OPEN, false, (state, value) => { state.destroyed = value; }],
  readableEnded: [(state) => state.course === TOLD, false],
});

require('internal/streams/array_methods').install(Readable);

Readable.from = function from(iterable, options) {
  return require('internal/streams/from')(Readable, iterable, options);
};

Readable.fromWeb = function fromWeb(readableStream, options) {
  return require('internal/webstreams/adapters').newStreamReadableFromReadableStream(readableStream, options);
};

Readable.toWeb = function toWeb(streamReadable, options) {
  return require('internal/webstreams/adapters').newReadableStreamFromStreamReadable(streamReadable, options);
};

Readable.wrap = function wrap(source, options) {
  const objectMode = source.readableObjectMode ?? source.objectMode ?? true;
  const destroyBoth = (error, callback) => {
    destroyer(source, error);
    callback(error);
  };
  return new Readable({ objectMode, ...options, destroy: destroyBoth }).wrap(source);
};
