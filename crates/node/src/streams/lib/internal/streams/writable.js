// Writable: a destination of chunks. One is written at a time; the others wait, and who writes is
// asked to wait too when they are too many.
//
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const { Buffer } = require('buffer');
const {
  AbortError,
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_METHOD_NOT_IMPLEMENTED, ERR_MULTIPLE_CALLBACK, ERR_STREAM_ALREADY_FINISHED,
    ERR_STREAM_CANNOT_PIPE, ERR_STREAM_DESTROYED, ERR_STREAM_NULL_VALUES, ERR_STREAM_WRITE_AFTER_END,
    ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const { construct, destroy, errorOrDestroy, undestroy } = require('internal/streams/destroy');
const { Stream } = require('internal/streams/legacy');
const { WritableState } = require('internal/streams/writable_state');

// So many places at the front of the buffer may be empty before they are cut off.
const MOST_EMPTY = 256;

const isInstance = Function.prototype[Symbol.hasInstance];

function nop() {}

function Writable(options) {
  if (!isInstance.call(Writable, this)) return new Writable(options);
  this._events ??= { close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined };
  this._writableState = newState(options, this, false);
  if (options) {
    takeMethods(this, options);
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) require('internal/streams/add_abort_signal').addAbortSignal(options.signal, this);
  }
  Stream.call(this, options);
  if (this._construct != null) construct(this, () => onConstructed(this));
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);

function newState(options, stream, isDuplex) {
  return new WritableState(options, stream, isDuplex, (error) => written(stream, error));
}

function takeMethods(stream, options) {
  if (typeof options.write === 'function') stream._write = options.write;
  if (typeof options.writev === 'function') stream._writev = options.writev;
  if (typeof options.final === 'function') stream._final = options.final;
}

function onConstructed(stream) {
  const state = stream._writableState;
  if (!state.writing) writeBuffered(stream, state);
  finishMaybe(stream, state);
}

// A duplex stream inherits from Readable and is a Writable all the same.
Object.defineProperty(Writable, Symbol.hasInstance, {
  __proto__: null,
  value(it) {
    if (isInstance.call(this, it)) return true;
    return this === Writable && Boolean(it) && it._writableState instanceof WritableState;
  },
});

const { prototype } = Writable;

prototype.pipe = function pipe() {
  errorOrDestroy(this, new ERR_STREAM_CANNOT_PIPE());
};

// Writing.

/// Says whether more can be written at once; after false, `drain` tells when.
prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  return take(this, chunk, encoding, callback) === true;
};

/// Takes a chunk; gives an error instead of an answer if it comes too late.
function take(stream, chunk, encoding, callback) {
  const state = stream._writableState;
  if (typeof callback !== 'function') callback = nop;
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (!state.objectMode) {
    if (!encoding) encoding = state.defaultEncoding;
    else if (encoding !== 'buffer' && !Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
    if (typeof chunk === 'string') {
      if (state.decodeStrings !== false) {
        chunk = Buffer.from(chunk, encoding);
        encoding = 'buffer';
      }
    } else if (chunk instanceof Buffer) {
      encoding = 'buffer';
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      encoding = 'buffer';
    } else {
      throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
  }
  let error;
  if (state.ending) error = new ERR_STREAM_WRITE_AFTER_END();
  else if (state.destroyed) error = new ERR_STREAM_DESTROYED('write');
  if (error) {
    binding.nextTick(callback, error);
    errorOrDestroy(stream, error, true);
    return error;
  }
  state.pendingcb++;
  return writeOrKeep(stream, state, chunk, encoding, callback);
}

function writeOrKeep(stream, state, chunk, encoding, callback) {
  const size = state.objectMode ? 1 : chunk.length;
  state.length += size;
  if (state.writing || state.corked > 0 || state.errored || !state.constructed) {
    state.buffered.push({ chunk, encoding, callback });
    if (encoding !== 'buffer') state.allBuffers = false;
    if (callback !== nop) state.allNoop = false;
  } else {
    begin(state, size, callback);
    stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  // What was written at once is not in the way any more.
  const room = state.length < state.highWaterMark || state.length === 0;
  if (!room) state.needDrain = true;
  return room && !state.errored && !state.destroyed;
}

function begin(state, size, callback) {
  state.writelen = size;
  state.writecb = callback;
  state.writing = true;
  state.sync = true;
}

/// A write is through.
function written(stream, error) {
  const state = stream._writableState;
  const { sync, writecb: callback } = state;
  if (callback === null) {
    errorOrDestroy(stream, new ERR_MULTIPLE_CALLBACK());
    return;
  }
  state.writing = false;
  state.writecb = null;
  state.length -= state.writelen;
  state.writelen = 0;
  if (error) {
    void error.stack;
    if (!state.errored) state.errored = error;
    // Reading is over as well, for both sides end together.
    if (stream._readableState && !stream._readableState.errored) stream._readableState.errored = error;
    if (sync) binding.nextTick(failed, stream, state, error, callback);
    else failed(stream, state, error, callback);
    return;
  }
  if (state.buffered.length > state.bufferedIndex) writeBuffered(stream, state);
  if (sync) afterWriteSoon(stream, state, callback);
  else afterWrite(stream, state, 1, callback);
}

/// The callback of a write never runs before `write` has returned.
function afterWriteSoon(stream, state, callback) {
  if (callback === nop) {
    // There is nobody to tell, but `drain` may be due. With objects Node takes the tick all the same.
    const wantsTick = (state.needDrain && state.length === 0) || state.objectMode;
    if (wantsTick && !state.afterWritePending) {
      state.afterWritePending = true;
      binding.nextTick(afterWrite, stream, state, 1, callback);
    } else {
      state.pendingcb--;
      if (state.ending) finishMaybe(stream, state, true);
    }
    return;
  }
  const info = state.afterWriteTickInfo;
  if (info !== null && info.callback === callback) {
    info.count++;
  } else {
    state.afterWritePending = true;
    state.afterWriteTickInfo = { count: 1, callback, stream, state };
    binding.nextTick(afterWriteTick, state.afterWriteTickInfo);
  }
}

function afterWriteTick({ stream, state, count, callback }) {
  state.afterWriteTickInfo = null;
  afterWrite(stream, state, count, callback);
}

function afterWrite(stream, state, count, callback) {
  state.afterWritePending = false;
  if (state.needDrain && !state.ending && !state.destroyed && state.length === 0) {
    state.needDrain = false;
    stream.emit('drain');
  }
  while (count-- > 0) {
    state.pendingcb--;
    callback(null);
  }
  if (state.destroyed) failBuffered(state);
  finishMaybe(stream, state, true);
}

function failed(stream, state, error, callback) {
  state.pendingcb--;
  callback(error);
  failBuffered(state);
  errorOrDestroy(stream, error);
}

/// Tells all who wait for a write or for the end that it is not going to happen.
function failBuffered(state) {
  if (state.writing) return;
  for (let i = state.bufferedIndex; i < state.buffered.length; i++) {
    const { chunk, callback } = state.buffered[i];
    state.length -= state.objectMode ? 1 : chunk.length;
    callback(state.errored ?? new ERR_STREAM_DESTROYED('write'));
  }
  callFinishCallbacks(state, state.errored ?? new ERR_STREAM_DESTROYED('end'));
  state.clearBuffered();
}

function callFinishCallbacks(state, error) {
  for (const callback of state.finishCallbacks.splice(0)) callback(error);
}

/// Writes what waits: all in one `_writev`, or one after the other as long as each is through at once.
function writeBuffered(stream, state) {
  if (state.corked > 0 || state.bufferProcessing || state.destroyed || !state.constructed) return;
  const { buffered, bufferedIndex } = state;
  const count = buffered.length - bufferedIndex;
  if (count === 0) return;
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) {
    state.pendingcb -= count - 1;
    const callback = state.allNoop ? nop : (error) => {
      for (let i = bufferedIndex; i < buffered.length; i++) buffered[i].callback(error);
    };
    // The array is handed out as it is if nothing of it was used before.
    const chunks = state.allNoop && bufferedIndex === 0 ? buffered : buffered.slice(bufferedIndex);
    chunks.allBuffers = state.allBuffers;
    begin(state, state.length, callback);
    if (state.destroyed) state.onwrite(new ERR_STREAM_DESTROYED('write'));
    else stream._writev(chunks, state.onwrite);
    state.sync = false;
    state.clearBuffered();
  } else {
    let i = bufferedIndex;
    do {
      const { chunk, encoding, callback } = buffered[i];
      buffered[i++] = null;
      begin(state, state.objectMode ? 1 : chunk.length, callback);
      if (state.destroyed) state.onwrite(new ERR_STREAM_DESTROYED('write'));
      else stream._write(chunk, encoding, state.onwrite);
      state.sync = false;
    } while (i < buffered.length && !state.writing);
    if (i === buffered.length) {
      state.clearBuffered();
    } else if (i > MOST_EMPTY) {
      buffered.splice(0, i);
      state.bufferedIndex = 0;
    } else {
      state.bufferedIndex = i;
    }
  }
  state.bufferProcessing = false;
}

prototype._write = function _write(chunk, encoding, callback) {
  if (!this._writev) throw new ERR_METHOD_NOT_IMPLEMENTED('_write()');
  this._writev([{ chunk, encoding }], callback);
};

prototype._writev = null;

prototype.cork = function cork() {
  this._writableState.corked++;
};

prototype.uncork = function uncork() {
  const state = this._writableState;
  if (state.corked > 0) {
    state.corked--;
    if (!state.writing) writeBuffered(this, state);
  }
};

prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  if (typeof encoding === 'string') encoding = encoding.toLowerCase();
  if (!Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
  this._writableState.defaultEncoding = encoding;
  return this;
};

// Ending.

prototype.end = function end(chunk, encoding, callback) {
  const state = this._writableState;
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  let error;
  if (chunk !== null && chunk !== undefined) {
    const result = take(this, chunk, encoding);
    if (result instanceof Error) error = result;
  }
  if (state.corked > 0) {
    state.corked = 1;
    this.uncork();
  }
  if (error) {
    // Told below.
  } else if (!state.errored && !state.ending) {
    // What `finish` waits for may be there already, but it is not said before `end` returns.
    state.ending = true;
    finishMaybe(this, state, true);
    state.ended = true;
  } else if (state.finished) {
    error = new ERR_STREAM_ALREADY_FINISHED('end');
  } else if (state.destroyed) {
    error = new ERR_STREAM_DESTROYED('end');
  }
  if (typeof callback === 'function') {
    if (error) binding.nextTick(callback, error);
    else if (state.errored) binding.nextTick(callback, state.errored);
    else if (state.finished) binding.nextTick(callback, null);
    else state.finishCallbacks.push(callback);
  }
  return this;
};

function canFinish(state) {
  return state.ending && !state.destroyed && state.constructed && state.length === 0 && !state.errored &&
    state.buffered.length === 0 && !state.finished && !state.writing && !state.errorEmitted && !state.closeEmitted;
}

function finishMaybe(stream, state, sync = false) {
  if (!canFinish(state)) return;
  prefinish(stream, state);
  if (state.pendingcb !== 0) return;
  if (sync) {
    state.pendingcb++;
    binding.nextTick(finishSoon, stream, state);
  } else if (canFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function finishSoon(stream, state) {
  if (canFinish(state)) finish(stream, state);
  else state.pendingcb--;
}

function prefinish(stream, state) {
  if (state.prefinished || state.finalCalled) return;
  state.finalCalled = true;
  if (typeof stream._final === 'function' && !state.destroyed) {
    callFinal(stream, state);
  } else {
    state.prefinished = true;
    stream.emit('prefinish');
  }
}

function callFinal(stream, state) {
  let called = false;
  const done = (error) => {
    if (called) {
      errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    state.pendingcb--;
    if (error) {
      callFinishCallbacks(state, error);
      errorOrDestroy(stream, error, state.sync);
    } else if (canFinish(state)) {
      state.prefinished = true;
      stream.emit('prefinish');
      state.pendingcb++;
      binding.nextTick(finish, stream, state);
    }
  };
  state.sync = true;
  state.pendingcb++;
  try {
    stream._final(done);
  } catch (error) {
    done(error);
  }
  state.sync = false;
}

function finish(stream, state) {
  state.pendingcb--;
  state.finished = true;
  callFinishCallbacks(state, null);
  stream.emit('finish');
  if (state.autoDestroy) {
    const other = stream._readableState;
    if (!other || (other.autoDestroy && (other.endEmitted || other.readable === false))) stream.destroy();
  }
}

prototype.destroy = function(error, callback) {
  const state = this._writableState;
  if (!state.destroyed && (state.bufferedIndex < state.buffered.length || state.finishCallbacks.length > 0)) {
    binding.nextTick(failBuffered, state);
  }
  destroy.call(this, error, callback);
  return this;
};
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
    error = this.writableFinished ? null : new AbortError();
    this.destroy(error);
  }
  const { eos } = require('internal/streams/end_of_stream');
  return new Promise((resolve, reject) => {
    eos(this, (reason) => (reason && reason.name !== 'AbortError' ? reject(reason) : resolve(null)));
  });
};

// Looking at it. A prototype has no state, and is looked at too.

function accessor(name, get, set = undefined) {
  Object.defineProperty(prototype, name, { __proto__: null, get, set });
}

accessor('closed', function() { return this._writableState ? this._writableState.closed : false; });
accessor('destroyed', function() { return this._writableState ? this._writableState.destroyed : false; }, function(value) {
  if (this._writableState) this._writableState.destroyed = value;
});
accessor('writable', function() {
  const state = this._writableState;
  return Boolean(state) && state.writable !== false && !state.destroyed && !state.errored && !state.ending && !state.ended;
}, function(value) {
  if (this._writableState) this._writableState.writable = Boolean(value);
});
accessor('writableFinished', function() { return this._writableState ? this._writableState.finished : false; });
accessor('writableObjectMode', function() { return this._writableState ? this._writableState.objectMode : false; });
accessor('writableBuffer', function() { return this._writableState && this._writableState.getBuffer(); });
accessor('writableEnded', function() { return this._writableState ? this._writableState.ending : false; });
accessor('writableNeedDrain', function() {
  const state = this._writableState;
  return state ? !state.destroyed && !state.ending && state.needDrain : false;
});
accessor('writableHighWaterMark', function() { return this._writableState && this._writableState.highWaterMark; });
accessor('writableCorked', function() { return this._writableState ? this._writableState.corked : 0; });
accessor('writableLength', function() { return this._writableState && this._writableState.length; });
accessor('errored', function() { return this._writableState ? this._writableState.errored : null; });
accessor('writableAborted', function() {
  const state = this._writableState;
  return Boolean(state.writable !== false && (state.destroyed || state.errored) && !state.finished);
});

// The statics.

Writable.WritableState = WritableState;

Writable.fromWeb = function(writableStream, options) {
  return require('internal/webstreams/adapters').newStreamWritableFromWritableStream(writableStream, options);
};

Writable.toWeb = function(streamWritable) {
  return require('internal/webstreams/adapters').newWritableStreamFromStreamWritable(streamWritable);
};

// For the other side of a duplex stream.
for (const [name, value] of Object.entries({ newState, takeMethods, onConstructed })) {
  Object.defineProperty(Writable, name, { value, enumerable: false });
}

module.exports = Writable;
