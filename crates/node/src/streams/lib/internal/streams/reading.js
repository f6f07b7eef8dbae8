// How a Readable reads and flows, step by step: the machine below its methods (STREAM-20 to STREAM-30).
//
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { destroyIfThrough, errorOrDestroy } = require('internal/streams/destroy');
const { GONE } = require('internal/streams/life');
const { viewOf, CHUNKS, FLOWS, ENDED, TOLD } = require('internal/streams/readable_state');

const MOST_AT_ONCE = 1 << 30;

/// Begins with what was asked for while `_construct` ran.
function startReading(stream) {
  if (stream._readableState.needReadable) fillSoon(stream, stream._readableState);
}

// What comes in.

const NO_BYTES = Buffer.alloc(0);

/// The bytes of what is not a string. Undefined counts as no bytes; what has none is an error, and gives undefined.
function bytesOf(stream, chunk) {
  if (chunk instanceof Buffer) return chunk;
  if (chunk === undefined) return NO_BYTES;
  const bytes = viewOf(chunk);
  if (bytes === undefined) errorOrDestroy(stream, new ERR_INVALID_ARG_TYPE('chunk', CHUNKS, chunk));
  return bytes;
}

function wantsMore(state) {
  return state.course === FLOWS && (state.length === 0 || state.length < state.highWaterMark);
}

function gotNothing(stream, state) {
  state.reading = false;
  fillSoon(stream, state);
  return wantsMore(state);
}

/// Nobody is waited for once a chunk is on its way.
function forgetWaits(state) {
  if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
  else state.awaitDrainWriters = null;
}

const { emit } = EventEmitter.prototype;

/// Emits 'data'. A listener that is alone is called as `emit` would do it, which takes most of the time of a chunk.
/// Messages of HTTP have no `_events` until somebody listens.
function emitData(stream, state, chunk) {
  state.dataEmitted = true;
  const only = stream._events?.data;
  if (typeof only === 'function' && state.isPlainEmitter && stream.emit === emit) only.call(stream, chunk);
  else stream.emit('data', chunk);
}

/// There will be no more (STREAM-23).
function sourceEnded(stream, state) {
  state.reading = false;
  if (state.course !== FLOWS) return false;
  const rest = state.decoder?.end();
  if (rest) state.append(rest);
  state.course = ENDED;
  if (state.sync) {
    readableSoon(stream, state);
  } else {
    state.needReadable = false;
    state.emittedReadable = true;
    tellReadable(stream, state);
  }
  return false;
}

// 'readable' (STREAM-24).

function readableSoon(stream, state) {
  state.needReadable = false;
  if (state.emittedReadable) return;
  state.emittedReadable = true;
  binding.nextTick(tellReadable, stream, state);
}

function tellReadable(stream, state) {
  const isWorthIt = state.length > 0 || state.course !== FLOWS;
  if (isWorthIt && !state.life.isOver) {
    stream.emit('readable');
    state.emittedReadable = false;
  }
  if (state.course === FLOWS && !state.flowing && state.length <= state.highWaterMark) state.needReadable = true;
  flow(stream, state);
}

/// Asks the source ahead of its readers, up to the mark, from the next tick on (STREAM-25).
function fillSoon(stream, state) {
  if (state.readingMore || !state.life.constructed) return;
  state.readingMore = true;
  binding.nextTick(fill, stream, state);
}

function fill(stream, state) {
  for (let before = -1; before !== state.length;) {
    const hasRoom = state.length < state.highWaterMark || (state.length === 0 && state.flowing);
    if (!hasRoom || state.reading || state.course !== FLOWS) break;
    before = state.length;
    stream.read(0);
  }
  state.readingMore = false;
}

// Reading.

function isFull(state) {
  if (state.course !== FLOWS) return true;
  return state.highWaterMark === 0 ? state.length > 0 : state.length >= state.highWaterMark;
}

/// Whoever reads much at a time gets a higher mark: the next power of two.
function markFor(n) {
  if (n > MOST_AT_ONCE) throw new ERR_OUT_OF_RANGE('size', '<= 1GiB', n);
  return 2 ** Math.ceil(Math.log2(n));
}

function ask(stream, state) {
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

// The end (STREAM-28).

function endSoon(stream, state) {
  if (state.course === TOLD) return;
  state.course = ENDED;
  // Whoever reads at the end reads more than once.
  if (state.endScheduled) return;
  state.endScheduled = true;
  binding.nextTick(tellEnd, stream, state);
}

function tellEnd(stream, state) {
  state.endScheduled = false;
  const { life } = state;
  if (state.course === TOLD || state.length > 0 || life.errored || life.stage === GONE) return;
  state.course = TOLD;
  stream.emit('end');
  if (stream.allowHalfOpen === false && stream.writable) binding.nextTick(endOtherSide, stream);
  else destroyIfThrough(stream);
}

function endOtherSide(stream) {
  if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
}

// Flowing.

function flow(stream, state) {
  while (state.flowing && stream.read() !== null);
}

function resumeNow(stream, state) {
  if (!state.reading) stream.read(0);
  state.resumeScheduled = false;
  stream.emit('resume');
  flow(stream, state);
  if (state.flowing && !state.reading) stream.read(0);
}

// Listeners (STREAM-30).

function listensForData(stream, state) {
  state.dataListening = true;
  if (stream.listenerCount('readable') > 0) state.readableListening = true;
  if (state.flowing !== false) stream.resume();
}

function listensForReadable(stream, state) {
  if (state.readableListening || state.course === TOLD) return;
  state.readableListening = state.needReadable = true;
  state.flowing = state.emittedReadable = false;
  if (state.length > 0) readableSoon(stream, state);
  else if (!state.reading) binding.nextTick(askForNothing, stream);
}

/// Starts the source without taking anything.
function askForNothing(stream) {
  stream.read(0);
}

function listenerGone(stream, event) {
  // Others may be added at once, as `once` does.
  if (event === 'readable') binding.nextTick(listenAnew, stream);
  else if (event === 'data' && stream.listenerCount('data') === 0) stream._readableState.dataListening = false;
}

function listenAnew(stream) {
  const isReadByHand = stream.listenerCount('readable') > 0;
  const state = stream._readableState;
  state.readableListening = isReadByHand;
  const isAboutToFlow = state.resumeScheduled && !state.paused;
  if (!isAboutToFlow && state.dataListening) stream.resume();
  else if (isAboutToFlow || !isReadByHand) state.flowing = isAboutToFlow || null;
}

module.exports = {
  ask, bytesOf, emitData, endSoon, fillSoon, forgetWaits, gotNothing, isFull, listenAnew, listenerGone, listensForData,
  listensForReadable, markFor, readableSoon, resumeNow, sourceEnded, startReading, wantsMore,
};
