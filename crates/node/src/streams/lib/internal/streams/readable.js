// Readable: a source of chunks. They wait in a buffer until somebody takes them with `read`, or go
// out as `data` events while the stream flows.
//
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const { Buffer } = require('buffer');
const {
  AbortError,
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_METHOD_NOT_IMPLEMENTED, ERR_OUT_OF_RANGE, ERR_STREAM_PUSH_AFTER_EOF,
    ERR_STREAM_UNSHIFT_AFTER_END_EVENT,
  },
} = require('internal/errors');
const { validateObject } = require('internal/validators');
const { construct, destroy, destroyer, errorOrDestroy, undestroy } = require('internal/streams/destroy');
const { Stream } = require('internal/streams/legacy');
const { ReadableState } = require('internal/streams/readable_state');

const MOST_BYTES = 0x40000000;

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  this._events ??= { close: undefined, error: undefined, data: undefined, end: undefined, readable: undefined };
  this._readableState = new ReadableState(options, this, false);
  if (options) {
    if (typeof options.read === 'function') this._read = options.read;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) require('internal/streams/add_abort_signal').addAbortSignal(options.signal, this);
  }
  Stream.call(this, options);
  if (this._construct != null) construct(this, () => onConstructed(this));
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);

function onConstructed(stream) {
  const state = stream._readableState;
  if (state.needReadable) readMore(stream, state);
}

const { prototype } = Readable;

prototype.destroy = destroy;
prototype._undestroy = undestroy;
prototype._destroy = function _destroy(error, callback) {
  callback(error);
};
prototype[EventEmitter.captureRejectionSymbol] = function(error) {
  this.destroy(error);
};
prototype[Symbol.asyncDispose] = function() {
  let error;
  if (!this.destroyed) {
    error = this.readableEnded ? null : new AbortError();
    this.destroy(error);
  }
  const { eos } = require('internal/streams/end_of_stream');
  return new Promise((resolve, reject) => {
    eos(this, (reason) => (reason && reason !== error ? reject(reason) : resolve(null)));
  });
};

// Chunks come in.

/// Adds a chunk; null ends the data. Says whether more is wanted now.
prototype.push = function push(chunk, encoding) {
  return accept(this, this._readableState, chunk, encoding, false);
};

/// Puts a chunk back before those that wait.
prototype.unshift = function unshift(chunk, encoding) {
  return accept(this, this._readableState, chunk, encoding, true);
};

function accept(stream, state, chunk, encoding, front) {
  if (chunk === null) {
    state.reading = false;
    end(stream, state);
    return false;
  }
  let size = 1;
  if (!state.objectMode) {
    if (typeof chunk === 'string') {
      encoding = encoding || state.defaultEncoding;
      if (state.encoding !== encoding) {
        chunk = Buffer.from(chunk, encoding);
        // What is put back must be as it was taken: text.
        if (front && state.encoding) chunk = chunk.toString(state.encoding);
        else encoding = '';
      }
    } else if (chunk instanceof Buffer) {
      encoding = '';
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      encoding = '';
    } else if (chunk !== undefined) {
      errorOrDestroy(stream, new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk));
      return false;
    }
    size = chunk === undefined ? 0 : chunk.length;
  }
  if (size === 0) {
    if (!front) {
      state.reading = false;
      readMore(stream, state);
    }
  } else if (front) {
    if (state.endEmitted) {
      errorOrDestroy(stream, new ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
      return false;
    }
    if (state.destroyed || state.errored) return false;
    add(stream, state, chunk, true);
  } else if (state.ended) {
    errorOrDestroy(stream, new ERR_STREAM_PUSH_AFTER_EOF());
    return false;
  } else if (state.destroyed || state.errored) {
    return false;
  } else {
    state.reading = false;
    if (state.decoder && !encoding) {
      chunk = state.decoder.write(chunk);
      // A character may need further bytes.
      if (!state.objectMode && chunk.length === 0) {
        readMore(stream, state);
        return wantsMore(state);
      }
    }
    add(stream, state, chunk, false);
  }
  return wantsMore(state);
}

function wantsMore(state) {
  return !state.ended && (state.length < state.highWaterMark || state.length === 0);
}

function add(stream, state, chunk, front) {
  if (state.flowing && state.length === 0 && !state.sync && state.dataListening) {
    forgetWaiting(state);
    state.dataEmitted = true;
    stream.emit('data', chunk);
  } else {
    if (front) state.prepend(chunk);
    else state.append(chunk);
    if (state.needReadable) announce(stream, state);
  }
  readMore(stream, state);
}

/// Whoever asked to wait was asked too early or has been overtaken.
function forgetWaiting(state) {
  if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
  else state.awaitDrainWriters = null;
}

function end(stream, state) {
  if (state.ended) return;
  if (state.decoder) {
    const rest = state.decoder.end();
    if (rest && rest.length > 0) state.append(rest);
  }
  state.ended = true;
  if (state.sync) {
    announce(stream, state);
  } else {
    // Nobody is in the middle of reading, so the end can be told at once.
    state.needReadable = false;
    state.emittedReadable = true;
    sayReadable(stream, state);
  }
}

/// Has `readable` said once what runs now is through.
function announce(stream, state) {
  state.needReadable = false;
  if (state.emittedReadable) return;
  state.emittedReadable = true;
  binding.nextTick(sayReadable, stream, state);
}

function sayReadable(stream, state) {
  if (!state.destroyed && !state.errored && (state.length > 0 || state.ended)) {
    stream.emit('readable');
    state.emittedReadable = false;
  }
  if (!state.flowing && !state.ended && state.length <= state.highWaterMark) state.needReadable = true;
  flow(stream, state);
}

/// Has the buffer filled up to the mark, a little later: chunks may come in one call after another.
function readMore(stream, state) {
  if (state.readingMore || !state.constructed) return;
  state.readingMore = true;
  binding.nextTick(fill, stream, state);
}

function fill(stream, state) {
  while (!state.reading && !state.ended &&
         (state.length < state.highWaterMark || (state.flowing && state.length === 0))) {
    const before = state.length;
    stream.read(0);
    // Nothing came: the source will push when it has something.
    if (state.length === before) break;
  }
  state.readingMore = false;
}

// Chunks go out.

prototype.read = function read(n) {
  if (n === undefined) n = NaN;
  else if (!Number.isInteger(n)) n = Number.parseInt(n, 10);
  const state = this._readableState;
  const asked = n;
  if (n > state.highWaterMark) state.highWaterMark = raisedMark(n);
  if (n !== 0) state.emittedReadable = false;

  // Asking for nothing is a nudge; there is nothing to do if the buffer is full already.
  if (n === 0 && state.needReadable) {
    const full = state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0;
    if (full || state.ended) {
      if (state.length === 0 && state.ended) finish(this, state);
      else announce(this, state);
      return null;
    }
  }
  n = state.available(n);
  if (n === 0 && state.ended) {
    if (state.length === 0) finish(this, state);
    return null;
  }

  const low = state.needReadable || state.length === 0 || state.length - n < state.highWaterMark;
  if (low && !state.ended && !state.reading && !state.destroyed && !state.errored && state.constructed) {
    fetch(this, state);
    // What was pushed meanwhile may be enough.
    if (!state.reading) n = state.available(asked);
  }

  const chunk = n > 0 ? state.take(n) : null;
  if (chunk === null) {
    state.needReadable = state.length <= state.highWaterMark;
    n = 0;
  } else {
    state.length -= n;
    forgetWaiting(state);
  }
  if (state.length === 0) {
    if (!state.ended) state.needReadable = true;
    if (asked !== n && state.ended) finish(this, state);
  }
  if (chunk !== null && !state.errorEmitted && !state.closeEmitted) {
    state.dataEmitted = true;
    this.emit('data', chunk);
  }
  return chunk;
};

function fetch(stream, state) {
  state.reading = true;
  state.sync = true;
  if (state.length === 0) state.needReadable = true;
  try {
    stream._read(state.highWaterMark);
  } catch (error) {
    errorOrDestroy(stream, error);
  }
  state.sync = false;
}

/// The next power of two, so that reading ever more does not raise the mark each time.
function raisedMark(n) {
  if (n > MOST_BYTES) throw new ERR_OUT_OF_RANGE('size', '<= 1GiB', n);
  return n <= 1 ? 1 : 2 ** (32 - Math.clz32(n - 1));
}

prototype._read = function _read(n) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_read()');
};

/// Nothing is left: `end` is said soon, unless something is put back before.
function finish(stream, state) {
  if (state.endEmitted) return;
  state.ended = true;
  binding.nextTick(sayEnd, stream, state);
}

function sayEnd(stream, state) {
  if (state.errored || state.closeEmitted || state.endEmitted || state.length !== 0) return;
  state.endEmitted = true;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    binding.nextTick(endOtherSide, stream);
  } else if (state.autoDestroy) {
    const other = stream._writableState;
    if (!other || (other.autoDestroy && (other.finished || other.writable === false))) stream.destroy();
  }
}

function endOtherSide(stream) {
  if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
}

prototype.setEncoding = function setEncoding(encoding) {
  const { StringDecoder } = require('string_decoder');
  const state = this._readableState;
  const decoder = new StringDecoder(encoding);
  state.decoder = decoder;
  state.encoding = decoder.encoding;
  let text = '';
  for (const chunk of state.buffer.slice(state.bufferIndex)) text += decoder.write(chunk);
  state.buffer.length = 0;
  state.bufferIndex = 0;
  if (text !== '') state.buffer.push(text);
  state.length = text.length;
  return this;
};

// Listening, and the two ways of reading it stands for.

prototype.on = function on(event, listener) {
  const result = Stream.prototype.on.call(this, event, listener);
  const state = this._readableState;
  if (event === 'data') {
    state.dataListening = true;
    if (this.listenerCount('readable') > 0) state.readableListening = true;
    if (state.flowing !== false) this.resume();
  } else if (event === 'readable' && !state.endEmitted && !state.readableListening) {
    state.readableListening = true;
    state.needReadable = true;
    state.flowing = false;
    state.emittedReadable = false;
    if (state.length > 0) announce(this, state);
    else if (!state.reading) binding.nextTick(nudge, this);
  }
  return result;
};
prototype.addListener = prototype.on;

function nudge(stream) {
  stream.read(0);
}

prototype.removeListener = function removeListener(event, listener) {
  const result = Stream.prototype.removeListener.call(this, event, listener);
  if (event === 'readable') binding.nextTick(updateListening, this);
  else if (event === 'data' && this.listenerCount('data') === 0) this._readableState.dataListening = false;
  return result;
};
prototype.off = prototype.removeListener;

// A stream that flows goes on, and what flows is lost: Node leaves `dataListening` as it is.
prototype.removeAllListeners = function removeAllListeners(event) {
  const result = Stream.prototype.removeAllListeners.apply(this, arguments);
  if (event === 'readable' || event === undefined) binding.nextTick(updateListening, this);
  return result;
};

// A little later, because listeners are often replaced: taken off and put on again.
function updateListening(stream) {
  const state = stream._readableState;
  state.readableListening = stream.listenerCount('readable') > 0;
  if (state.resumeScheduled && state.paused === false) state.flowing = true;
  else if (state.dataListening) stream.resume();
  else if (!state.readableListening) state.flowing = null;
}

prototype.resume = function resume() {
  const state = this._readableState;
  if (!state.flowing) {
    // Who listens for `readable` wants to call `read` himself.
    state.flowing = !state.readableListening;
    if (!state.resumeScheduled) {
      state.resumeScheduled = true;
      binding.nextTick(resumeNow, this, state);
    }
  }
  state.paused = false;
  return this;
};

function resumeNow(stream, state) {
  if (!state.reading) stream.read(0);
  state.resumeScheduled = false;
  stream.emit('resume');
  flow(stream, state);
  if (state.flowing && !state.reading) stream.read(0);
}

prototype.pause = function pause() {
  const state = this._readableState;
  if (state.flowing !== false) {
    state.flowing = false;
    this.emit('pause');
  }
  state.paused = true;
  return this;
};

prototype.isPaused = function isPaused() {
  const state = this._readableState;
  return state.paused === true || state.flowing === false;
};

function flow(stream, state) {
  while (state.flowing && stream.read() !== null);
}

prototype.pipe = function pipe(dest, options) {
  return require('internal/streams/pipe').pipe(this, dest, options);
};

prototype.unpipe = function unpipe(dest) {
  return require('internal/streams/pipe').unpipe(this, dest);
};

// Other ways to read.

/// Takes its data from a stream of the first kind.
prototype.wrap = function wrap(stream) {
  let paused = false;
  stream.on('data', (chunk) => {
    if (!this.push(chunk) && stream.pause) {
      paused = true;
      stream.pause();
    }
  });
  stream.on('end', () => this.push(null));
  stream.on('error', (error) => errorOrDestroy(this, error));
  stream.on('close', () => this.destroy());
  stream.on('destroy', () => this.destroy());
  this._read = () => {
    if (paused && stream.resume) {
      paused = false;
      stream.resume();
    }
  };
  for (const key of Object.keys(stream)) {
    if (this[key] === undefined && typeof stream[key] === 'function') this[key] = stream[key].bind(stream);
  }
  return this;
};

prototype[Symbol.asyncIterator] = function() {
  return require('internal/streams/iterate')(this);
};

prototype.iterator = function iterator(options) {
  if (options !== undefined) validateObject(options, 'options');
  return require('internal/streams/iterate')(this, options);
};

// Looking at it. A prototype has no state, and is looked at too.

function accessor(name, get, set = undefined) {
  Object.defineProperty(prototype, name, { __proto__: null, get, set });
}

accessor('readable', function() {
  const state = this._readableState;
  // Some set `readable` on a state of their own making.
  return Boolean(state) && state.readable !== false && !state.destroyed && !state.errorEmitted && !state.endEmitted;
}, function(value) {
  if (this._readableState) this._readableState.readable = Boolean(value);
});
accessor('readableDidRead', function() { return this._readableState.dataEmitted; });
accessor('readableAborted', function() {
  const state = this._readableState;
  return Boolean(state.readable !== false && (state.destroyed || state.errored) && !state.endEmitted);
});
accessor('readableHighWaterMark', function() { return this._readableState.highWaterMark; });
accessor('readableBuffer', function() { return this._readableState && this._readableState.buffer; });
accessor('readableFlowing', function() { return this._readableState.flowing; }, function(value) {
  if (this._readableState) this._readableState.flowing = value;
});
accessor('readableLength', function() { return this._readableState.length; });
accessor('readableObjectMode', function() { return this._readableState ? this._readableState.objectMode : false; });
accessor('readableEncoding', function() { return this._readableState ? this._readableState.encoding : null; });
accessor('errored', function() { return this._readableState ? this._readableState.errored : null; });
accessor('closed', function() { return this._readableState ? this._readableState.closed : false; });
accessor('destroyed', function() { return this._readableState ? this._readableState.destroyed : false; }, function(value) {
  if (this._readableState) this._readableState.destroyed = value;
});
accessor('readableEnded', function() { return this._readableState ? this._readableState.endEmitted : false; });

require('internal/streams/array_methods').install(Readable);

// The statics.

Readable.ReadableState = ReadableState;

/// Takes `n` from a state's buffer; packages have long reached for it.
Readable._fromList = function fromList(n, state) {
  return state.take(n);
};

Readable.from = function(iterable, options) {
  return require('internal/streams/from')(Readable, iterable, options);
};

Readable.fromWeb = function(readableStream, options) {
  return require('internal/webstreams/adapters').newStreamReadableFromReadableStream(readableStream, options);
};

Readable.toWeb = function(streamReadable, options) {
  return require('internal/webstreams/adapters').newReadableStreamFromStreamReadable(streamReadable, options);
};

Readable.wrap = function(source, options) {
  return new Readable({
    objectMode: source.readableObjectMode ?? source.objectMode ?? true,
    ...options,
    destroy(error, callback) {
      destroyer(source, error);
      callback(error);
    },
  }).wrap(source);
};

// For the other side of a duplex stream.
Object.defineProperty(Readable, 'onConstructed', { value: onConstructed, enumerable: false });

module.exports = Readable;
