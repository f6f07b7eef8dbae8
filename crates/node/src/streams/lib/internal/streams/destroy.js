// How streams begin and end: `_construct`, `destroy`, and what an error does (STREAM-3 to STREAM-6).
//
// Uses binding.nextTick.
'use strict';

const { aggregateTwoErrors, AbortError, codes: { ERR_MULTIPLE_CALLBACK } } = require('internal/errors');
const { kIsDestroyed, isDestroyed, isFinished, isServerRequest, isRequest } = require('internal/streams/is');
const { lifeOf, OPEN, CLOSING, CLOSED, GONE } = require('internal/streams/life');

// Ending.

function destroy(error, callback) {
  const life = lifeOf(this);
  if (life.stage !== OPEN) {
    if (typeof callback === 'function') callback();
    return this;
  }
  if (error) life.fail(error);
  life.stage = CLOSING;
  life.isOver = true;
  if (life.constructed) tearDown(this, life, error, callback);
  else life.onDoomed = (reason) => tearDown(this, life, aggregateTwoErrors(reason, error), callback);
  return this;
}

function tearDown(stream, life, error, callback) {
  let isDone = false;
  const done = (reason) => {
    if (isDone) return;
    isDone = true;
    if (reason) life.fail(reason);
    // A socket may be in use again by now.
    if (life.stage === CLOSING) life.stage = CLOSED;
    if (typeof callback === 'function') callback(reason);
    binding.nextTick(tellEnd, stream, life, reason);
  };
  try {
    stream._destroy(error || null, done);
  } catch (thrown) {
    done(thrown);
  }
}

function tellEnd(stream, life, error) {
  if (error) tellError(stream, life, error);
  if (life.stage === CLOSED) life.stage = GONE;
  if (life.emitClose) stream.emit('close');
}

/// 'error' is told once.
function tellError(stream, life, error) {
  if (life.errorEmitted) return;
  life.errorEmitted = true;
  stream.emit('error', error);
}

/// What a stream does about an error of its own (STREAM-5). `isSoon` asks for a tick in between.
function errorOrDestroy(stream, error, isSoon) {
  const life = lifeOf(stream);
  if (life === undefined || life.stage !== OPEN) return;
  if (life.autoDestroy) {
    stream.destroy(error);
  } else if (error) {
    life.fail(error);
    if (isSoon) binding.nextTick(tellError, stream, life, error);
    else tellError(stream, life, error);
  }
}

/// A stream of which all sides are through is destroyed, unless it does not want to be (STREAM-6).
function destroyIfThrough(stream) {
  const { _readableState: readable, _writableState: writable } = stream;
  const isThrough = readable?.isThrough !== false && writable?.isThrough !== false;
  if (isThrough && lifeOf(stream).autoDestroy) stream.destroy();
}

function undestroy() {
  lifeOf(this).revive();
  this._readableState?.reopen();
  this._writableState?.reopen();
}

// Beginning.

/// Has a stream with a `_construct` wait for it; then goes on with `callback` (STREAM-4).
function construct(stream, callback) {
  if (typeof stream._construct !== 'function') return;
  const life = lifeOf(stream);
  // A signal that was aborted before has ended it already.
  if (life.stage !== OPEN) return;
  life.constructed = false;
  life.onConstructed = callback;
  binding.nextTick(runConstruct, stream, life);
}

function runConstruct(stream, life) {
  const answer = (error) => binding.nextTick(constructed, stream, life, error);
  try {
    stream._construct(answer);
  } catch (error) {
    answer(error);
  }
}

function constructed(stream, life, error) {
  const callback = life.onConstructed;
  if (callback === null) {
    errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
    return;
  }
  life.onConstructed = null;
  life.constructed = true;
  if (life.stage !== OPEN) life.onDoomed(error);
  else if (error) errorOrDestroy(stream, error, true);
  else callback(stream);
}

// Streams of any make.

function emitLegacyError(stream, error) {
  stream.emit('error', error);
  binding.nextTick(emitLegacyClose, stream);
}

function emitLegacyClose(stream) {
  stream.emit('close');
}

/// How to end a stream, by what it is; the first row that fits (STREAM-48).
const endings = [
  [isServerRequest, (stream, error) => {
    stream.socket = null;
    stream.destroy(error);
  }],
  [isRequest, (stream) => stream.abort()],
  [(stream) => isRequest(stream.req), (stream) => stream.req.abort()],
  [(stream) => typeof stream.destroy === 'function', (stream, error) => stream.destroy(error)],
  [(stream) => typeof stream.close === 'function', (stream) => stream.close()],
  [() => true, (stream, error) => binding.nextTick(error ? emitLegacyError : emitLegacyClose, stream, error)],
];

/// Destroys a stream. One that had not come to its end is aborted.
function destroyer(stream, err) {
  if (!stream || isDestroyed(stream)) return;
  const reason = err || isFinished(stream) ? err : new AbortError();
  endings.find(([fits]) => fits(stream))[1](stream, reason);
  if (!stream.destroyed) stream[kIsDestroyed] = true;
}

module.exports = { construct, destroy, destroyIfThrough, destroyer, errorOrDestroy, undestroy };
