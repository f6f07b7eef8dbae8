// How a Writable writes, step by step: the machine below its methods (STREAM-10 to STREAM-17).
//
// Uses binding.nextTick.
'use strict';

const { Buffer } = require('buffer');
const {
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_MULTIPLE_CALLBACK, ERR_STREAM_ALREADY_FINISHED, ERR_STREAM_DESTROYED,
    ERR_STREAM_NULL_VALUES, ERR_STREAM_WRITE_AFTER_END, ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const { destroyIfThrough, errorOrDestroy } = require('internal/streams/destroy');
const { OPEN } = require('internal/streams/life');
const { CHUNKS, viewOf } = require('internal/streams/readable_state');
const { TAKES, ENDING, FINISHED } = require('internal/streams/writable_state');

// So many written chunks may stand before those that wait.
const MOST_WRITTEN = 256;

function nop() {}

/// Begins with what was written while `_construct` ran.
function startWriting(stream) {
  const state = stream._writableState;
  if (!state.writing) writeWaiting(stream, state);
  tryFinish(stream, state);
}

// Writing.

/// The method `write` (STREAM-11).
function write(chunk, encoding, callback) {
  const state = this._writableState;
  let done = callback;
  if (typeof encoding === 'function') {
    done = encoding;
    encoding = null;
  } else if (typeof done !== 'function') {
    done = nop;
  }
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();

  let size = 1;
  if (!state.objectMode) {
    if (!encoding) encoding = state.defaultEncoding;
    else if (encoding !== 'buffer' && encoding !== 'latin1' && !Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
    if (typeof chunk !== 'string') {
      if (!(chunk instanceof Buffer)) chunk = asBuffer(chunk);
      encoding = 'buffer';
    } else if (state.decodeStrings) {
      chunk = Buffer.from(chunk, encoding);
      encoding = 'buffer';
    }
    size = chunk.length;
  }

  const life = state.life;
  if (state.course !== TAKES || (life.isOver && life.stage !== OPEN)) return refuse(this, state, done);

  state.pendingcb++;
  state.length += size;
  if (state.writing || state.corked !== 0 || life.isOver || !life.constructed) {
    state.queue(chunk, encoding, done, done === nop);
  } else {
    state.writing = state.sync = true;
    state.writelen = size;
    state.writecb = done;
    this._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  // A chunk that was written at once needs no room.
  const length = state.length;
  if (length === 0 || length < state.highWaterMark) return !life.isOver;
  state.needDrain = true;
  return false;
}

function asBuffer(chunk) {
  const bytes = viewOf(chunk);
  if (bytes === undefined) throw new ERR_INVALID_ARG_TYPE('chunk', CHUNKS, chunk);
  return bytes;
}

/// A write that comes too late (STREAM-12). `end` asks for the reason.
function refuse(stream, state, done) {
  const reason = state.refusal = state.course === TAKES ? new ERR_STREAM_DESTROYED('write') : new ERR_STREAM_WRITE_AFTER_END();
  binding.nextTick(done, reason);
  errorOrDestroy(stream, reason, true);
  return false;
}

/// Hands one write, or several as an array, to the stream's own methods.
function perform(stream, state, size, chunk, encoding, done, isMany) {
  const { onwrite } = state;
  state.writing = state.sync = true;
  state.writelen = size;
  state.writecb = done;
  const isOpen = state.life.stage === OPEN;
  if (isOpen && isMany) stream._writev(chunk, onwrite);
  else if (isOpen) stream._write(chunk, encoding, onwrite);
  else onwrite(new ERR_STREAM_DESTROYED('write'));
  state.sync = false;
}

/// The callback that `_write` and `_writev` of a stream get.
function whenWritten(stream) {
  return function onwrite(error) {
    const state = stream._writableState;
    const done = state.writecb;
    if (done === null) {
      errorOrDestroy(stream, new ERR_MULTIPLE_CALLBACK());
      return;
    }
    state.writecb = null;
    state.writing = false;
    state.length -= state.writelen;
    state.writelen = 0;
    if (error) {
      state.life.fail(error);
      if (state.sync) binding.nextTick(writeFailed, stream, state, error, done);
      else writeFailed(stream, state, error, done);
      return;
    }
    if (state.buffered.length > state.bufferedIndex) writeWaiting(stream, state);
    if (!state.sync) settle(stream, state, 1, done);
    else if (done !== nop) settleSoon(stream, state, done);
    else if (state.needDrain || state.objectMode || state.course !== TAKES) settlePlain(stream, state);
    else state.pendingcb--;
  };
}

function writeFailed(stream, state, error, done) {
  state.pendingcb--;
  done(error);
  failWaiting(state);
  errorOrDestroy(stream, error);
}

// Telling of what was written (STREAM-13).

/// A write without a callback: a tick is needed only where something is to be told.
function settlePlain(stream, state) {
  const hasNews = state.objectMode || (state.needDrain && state.length === 0);
  if (hasNews && !state.afterWritePending) {
    state.afterWritePending = true;
    binding.nextTick(settle, stream, state, 1, nop);
    return;
  }
  state.pendingcb--;
  if (state.course !== TAKES) tryFinish(stream, state, true);
}

/// Writes with the same callback one after the other share a tick.
function settleSoon(stream, state, done) {
  const last = state.afterWriteTickInfo;
  if (last !== null && last.cb === done) {
    last.count++;
    return;
  }
  state.afterWritePending = true;
  state.afterWriteTickInfo = { count: 1, cb: done, stream, state };
  binding.nextTick(settleTold, state.afterWriteTickInfo);
}

function settleTold(info) {
  info.state.afterWriteTickInfo = null;
  settle(info.stream, info.state, info.count, info.cb);
}

function settle(stream, state, count, done) {
  state.afterWritePending = false;
  if (state.needDrain && state.length === 0 && state.course === TAKES && state.life.stage === OPEN) {
    state.needDrain = false;
    stream.emit('drain');
  }
  for (let left = count; left > 0; left--) {
    state.pendingcb--;
    done(null);
  }
  if (state.life.stage !== OPEN) failWaiting(state);
  if (state.course !== TAKES) tryFinish(stream, state, true);
}

// What waits (STREAM-14).

function writeWaiting(stream, state) {
  if (state.corked !== 0 || state.bufferProcessing || state.life.stage !== OPEN || !state.life.constructed) return;
  const count = state.buffered.length - state.bufferedIndex;
  if (count === 0) return;
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) writeTogether(stream, state, count);
  else writeInTurn(stream, state);
  state.bufferProcessing = false;
}

function writeTogether(stream, state, count) {
  const chunks = state.getBuffer();
  chunks.allBuffers = state.allBuffers;
  const done = state.allNoop ? nop : (error) => {
    for (const { callback } of chunks) callback(error);
  };
  // One callback is left of theirs.
  state.pendingcb -= count - 1;
  perform(stream, state, state.length, chunks, '', done, true);
  state.clear();
}

function writeInTurn(stream, state) {
  const { buffered, objectMode } = state;
  let next = state.bufferedIndex;
  do {
    const { chunk, encoding, callback } = buffered[next];
    buffered[next++] = null;
    perform(stream, state, objectMode ? 1 : chunk.length, chunk, encoding, callback, false);
  } while (next < buffered.length && !state.writing);

  if (next === buffered.length) {
    state.clear();
  } else if (next > MOST_WRITTEN) {
    buffered.splice(0, next);
    state.bufferedIndex = 0;
  } else {
    state.bufferedIndex = next;
  }
}

/// Tells everybody who waits that it comes to nothing.
function failWaiting(state) {
  if (state.writing) return;
  const waiting = state.getBuffer();
  for (const { chunk, callback } of waiting) {
    state.length -= state.objectMode ? 1 : chunk.length;
    callback(state.life.errored ?? new ERR_STREAM_DESTROYED('write'));
  }
  tellFinished(state, (error) => error ?? new ERR_STREAM_DESTROYED('end'));
  state.clear();
}

// Ending (STREAM-15 to STREAM-17).

/// Ends the writing; gives back why that cannot be.
function close(stream, state) {
  const { life } = state;
  if (state.course === TAKES && !life.errored) {
    state.course = ENDING;
    tryFinish(stream, state, true);
    state.ended = true;
    return undefined;
  }
  if (state.course === FINISHED) return new ERR_STREAM_ALREADY_FINISHED('end');
  return life.stage !== OPEN ? new ERR_STREAM_DESTROYED('end') : undefined;
}

/// Calls `done` when all is finished; at the next tick where the outcome is known.
function whenFinished(state, error, done) {
  const known = error ?? state.life.errored;
  if (known) binding.nextTick(done, known);
  else if (state.course === FINISHED) binding.nextTick(done, null);
  else (state.onFinished ??= []).push(done);
}

function tellFinished(state, outcome) {
  const callbacks = state.onFinished;
  if (callbacks === null) return;
  state.onFinished = null;
  for (const callback of callbacks) callback(outcome(state.life.errored));
}

function canFinish(state) {
  const { life } = state;
  return state.course === ENDING && state.length === 0 && !state.writing && state.buffered.length === 0 &&
    !life.isOver && life.constructed;
}

/// Goes towards 'finish' as far as it goes. `isSync` if the program is still in its call.
function tryFinish(stream, state, isSync) {
  if (!canFinish(state)) return;
  if (!state.finalCalled) {
    state.finalCalled = true;
    if (typeof stream._final === 'function') callFinal(stream, state);
    else tellPrefinish(stream, state);
  }
  if (state.pendingcb > 0) return;
  if (isSync) {
    state.pendingcb++;
    binding.nextTick(finishIfStill, stream, state);
  } else if (canFinish(state)) {
    finish(stream, state);
  }
}

function tellPrefinish(stream, state) {
  state.prefinished = true;
  stream.emit('prefinish');
}

function callFinal(stream, state) {
  const call = { isAnswered: false };
  const answer = (error) => finalAnswered(stream, state, call, error);
  state.pendingcb++;
  state.sync = true;
  try {
    stream._final(answer);
  } catch (error) {
    answer(error);
  }
  state.sync = false;
}

function finalAnswered(stream, state, call, error) {
  if (call.isAnswered) {
    errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
    return;
  }
  call.isAnswered = true;
  state.pendingcb--;
  if (error) {
    tellFinished(state, () => error);
    errorOrDestroy(stream, error, state.sync);
    return;
  }
  if (!canFinish(state)) return;
  tellPrefinish(stream, state);
  // 'finish' does not come within the call of the program's callback.
  state.pendingcb++;
  binding.nextTick(finishNow, stream, state);
}

function finishIfStill(stream, state) {
  state.pendingcb--;
  if (canFinish(state)) finish(stream, state);
}

function finishNow(stream, state) {
  state.pendingcb--;
  finish(stream, state);
}

function finish(stream, state) {
  state.course = FINISHED;
  tellFinished(state, () => null);
  stream.emit('finish');
  destroyIfThrough(stream);
}

module.exports = { close, failWaiting, startWriting, whenFinished, whenWritten, write, writeWaiting };
