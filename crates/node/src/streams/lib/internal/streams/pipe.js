// `pipe`: one stream writes what another one reads (STREAM-35, STREAM-36).
//
// Uses binding.nextTick and binding.process.
'use strict';

const { errorOrDestroy } = require('internal/streams/destroy');
const { prependListener } = require('internal/streams/legacy');

/// Lets one stream write what another one reads, and ends the one with the other if `ends`. Gives a function that stops
/// the source until the destination has room.
function connect(source, dest, ends, hasEnded) {
  let isOver = false;
  // Whether 'drain' is listened for, which is from the first wait on.
  let hasWaited = false;

  const onSourceEnd = ends ? () => dest.end() : () => source.unpipe(dest);
  const onDrain = () => drained(source, source._readableState, dest);
  const wait = () => {
    // Writing may have ended the pipe.
    if (!isOver) {
      const state = source._readableState;
      if (state.pipes.length > 1 && state.pipes.includes(dest)) {
        state.awaitDrainWriters.add(dest);
      } else if (state.pipes[0] === dest) {
        state.awaitDrainWriters = dest;
        state.multiAwaitDrain = false;
      }
      source.pause();
    }
    if (hasWaited) return;
    hasWaited = true;
    dest.on('drain', onDrain);
  };
  const onData = (chunk) => {
    if (dest.write(chunk) === false) wait();
  };
  const onError = (error) => {
    source.unpipe(dest);
    dest.removeListener('error', onError);
    if (dest.listenerCount('error') === 0) passOnError(dest, error);
  };
  // Whichever comes first of these two, the other is of no interest any more.
  const onClose = () => {
    dest.removeListener('finish', onFinish);
    source.unpipe(dest);
  };
  const onFinish = () => {
    dest.removeListener('close', onClose);
    source.unpipe(dest);
  };
  const onUnpipe = (from, info) => {
    if (from !== source || info?.hasUnpiped !== false) return;
    info.hasUnpiped = true;
    dest.removeListener('close', onClose);
    dest.removeListener('finish', onFinish);
    if (hasWaited) dest.removeListener('drain', onDrain);
    dest.removeListener('error', onError);
    dest.removeListener('unpipe', onUnpipe);
    source.removeListener('end', onSourceEnd);
    source.removeListener('data', onData);
    isOver = true;
    // Others may wait for what will not drain for us.
    const isWaitedFor = !dest._writableState || dest._writableState.needDrain;
    if (hasWaited && isWaitedFor && source._readableState.awaitDrainWriters) onDrain();
  };

  if (hasEnded) binding.nextTick(onSourceEnd);
  else source.once('end', onSourceEnd);
  dest.on('unpipe', onUnpipe);
  source.on('data', onData);
  // Before the listeners of the program, which may expect to be alone.
  prependListener(dest, 'error', onError);
  dest.once('close', onClose);
  dest.once('finish', onFinish);
  dest.emit('pipe', source);
  return wait;
}

function passOnError(dest, error) {
  const state = dest._writableState || dest._readableState;
  if (state && !state.errorEmitted) errorOrDestroy(dest, error);
  else dest.emit('error', error);
}

/// A destination has room: the source goes on when it was the last that had none.
function drained(source, state, dest) {
  const waits = state.awaitDrainWriters;
  let isLast = !waits;
  if (waits === dest) {
    state.awaitDrainWriters = null;
    isLast = true;
  } else if (state.multiAwaitDrain) {
    waits.delete(dest);
    isLast = waits.size === 0;
  }
  if (isLast && source.listenerCount('data') > 0) source.resume();
}

function pipe(source, dest, options) {
  const state = source._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    const waits = state.awaitDrainWriters;
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new Set(waits ? [waits] : []);
  }
  state.pipes.push(dest);
  const { process } = binding;
  const isStandard = dest === process.stdout || dest === process.stderr;
  const wait = connect(source, dest, options?.end !== false && !isStandard, state.endEmitted);
  if (dest.writableNeedDrain === true) wait();
  else if (!state.flowing) source.resume();
  return dest;
}

function unpipe(source, dest) {
  const state = source._readableState;
  if (state.pipes.length === 0) return source;
  let gone = state.pipes;
  if (dest) {
    const at = gone.indexOf(dest);
    if (at < 0) return source;
    gone = state.pipes.splice(at, 1);
  } else {
    state.pipes = [];
  }
  if (state.pipes.length === 0) source.pause();
  for (const one of gone) one.emit('unpipe', source, { hasUnpiped: false });
  return source;
}

module.exports = { pipe, unpipe };
