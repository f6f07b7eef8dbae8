// The end of a stream's life, planned or not, and its asynchronous beginning.
//
// Both sides of a duplex stream share one destruction, so everything here looks at both states.
// Uses binding.nextTick.
'use strict';

const { aggregateTwoErrors, AbortError, codes: { ERR_MULTIPLE_CALLBACK } } = require('internal/errors');
const { kIsDestroyed, isDestroyed, isFinished, isServerRequest, isRequest } = require('internal/streams/is');

// Told to a stream that was destroyed before it was constructed, and to one that now is.
const kDestroy = Symbol('kDestroy');
const kConstruct = Symbol('kConstruct');

/// Remembers the first error on both sides.
function noteError(error, readable, writable) {
  if (!error) return;
  // The engine of Node makes the text of a stack when it is first read; here would be the place.
  void error.stack;
  if (writable && !writable.errored) writable.errored = error;
  if (readable && !readable.errored) readable.errored = error;
}

function setBoth(readable, writable, key, value) {
  if (writable) writable[key] = value;
  if (readable) readable[key] = value;
}

/// The method `destroy` of every stream.
function destroy(error, callback) {
  const readable = this._readableState;
  const writable = this._writableState;
  if (writable?.destroyed || readable?.destroyed) {
    if (typeof callback === 'function') callback();
    return this;
  }
  noteError(error, readable, writable);
  setBoth(readable, writable, 'destroyed', true);
  if ((writable || readable).constructed) {
    close(this, error, callback);
  } else {
    this.once(kDestroy, (later) => close(this, aggregateTwoErrors(later, error), callback));
  }
  return this;
}

/// Lets the stream release what it holds, then says that it is closed.
function close(stream, error, callback) {
  let called = false;
  const done = (reason) => {
    if (called) return;
    called = true;
    const readable = stream._readableState;
    const writable = stream._writableState;
    noteError(reason, readable, writable);
    setBoth(readable, writable, 'closed', true);
    if (typeof callback === 'function') callback(reason);
    if (reason) binding.nextTick(sayErrorAndClose, stream, reason);
    else binding.nextTick(sayClose, stream);
  };
  try {
    stream._destroy(error || null, done);
  } catch (thrown) {
    done(thrown);
  }
}

function sayErrorAndClose(stream, error) {
  sayError(stream, error);
  sayClose(stream);
}

function sayClose(stream) {
  const readable = stream._readableState;
  const writable = stream._writableState;
  setBoth(readable, writable, 'closeEmitted', true);
  if (writable?.emitClose || readable?.emitClose) stream.emit('close');
}

function sayError(stream, error) {
  const readable = stream._readableState;
  const writable = stream._writableState;
  if (writable?.errorEmitted || readable?.errorEmitted) return;
  setBoth(readable, writable, 'errorEmitted', true);
  stream.emit('error', error);
}

/// The method `_undestroy`: a stream as good as new, for those that open again.
function undestroy() {
  const readable = this._readableState;
  const writable = this._writableState;
  for (const state of [readable, writable]) {
    if (!state) continue;
    state.constructed = true;
    state.closed = false;
    state.closeEmitted = false;
    state.destroyed = false;
    state.errored = null;
    state.errorEmitted = false;
  }
  if (readable) {
    readable.reading = false;
    readable.ended = readable.readable === false;
    readable.endEmitted = readable.readable === false;
  }
  if (writable) {
    writable.finalCalled = false;
    writable.prefinished = false;
    writable.ended = writable.writable === false;
    writable.ending = writable.writable === false;
    writable.finished = writable.writable === false;
  }
}

/// What becomes of an error: the end of the stream, or only an event if it does not end by itself.
function errorOrDestroy(stream, error, soon = false) {
  const readable = stream._readableState;
  const writable = stream._writableState;
  if (writable?.destroyed || readable?.destroyed) return;
  if (readable?.autoDestroy || writable?.autoDestroy) {
    stream.destroy(error);
  } else if (error) {
    noteError(error, readable, writable);
    if (soon) binding.nextTick(sayError, stream, error);
    else sayError(stream, error);
  }
}

/// Starts `_construct` if the stream has one, and calls `ready` once it is through.
function construct(stream, ready) {
  if (typeof stream._construct !== 'function') return;
  setBoth(stream._readableState, stream._writableState, 'constructed', false);
  stream.once(kConstruct, ready);
  // Each side of a duplex stream comes here, and one construction is for both.
  if (stream.listenerCount(kConstruct) > 1) return;
  binding.nextTick(runConstruct, stream);
}

function runConstruct(stream) {
  let called = false;
  const done = (error) => {
    if (called) {
      errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    const readable = stream._readableState;
    const writable = stream._writableState;
    setBoth(readable, writable, 'constructed', true);
    if ((writable || readable).destroyed) stream.emit(kDestroy, error);
    else if (error) errorOrDestroy(stream, error, true);
    else stream.emit(kConstruct);
  };
  try {
    stream._construct((error) => binding.nextTick(done, error));
  } catch (error) {
    binding.nextTick(done, error);
  }
}

/// Destroys a stream of any make, as far as it can be.
function destroyer(stream, error) {
  if (!stream || isDestroyed(stream)) return;
  if (!error && !isFinished(stream)) error = new AbortError();
  if (isServerRequest(stream)) {
    stream.socket = null;
    stream.destroy(error);
  } else if (isRequest(stream)) {
    stream.abort();
  } else if (isRequest(stream.req)) {
    stream.req.abort();
  } else if (typeof stream.destroy === 'function') {
    stream.destroy(error);
  } else if (typeof stream.close === 'function') {
    stream.close();
  } else {
    binding.nextTick(() => {
      if (error) stream.emit('error', error);
      stream.emit('close');
    });
  }
  if (!stream.destroyed) stream[kIsDestroyed] = true;
}

module.exports = { construct, destroy, destroyer, errorOrDestroy, noteError, undestroy };
