// `readable.pipe(writable)`, and its undoing.
//
// Uses binding.nextTick and binding.process.
'use strict';

const { errorOrDestroy } = require('internal/streams/destroy');
const { prependListener } = require('internal/streams/legacy');

function pipe(source, dest, options) {
  const state = source._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  state.pipes.push(dest);

  const { process } = binding;
  const doesEnd = (!options || options.end !== false) && dest !== process?.stdout && dest !== process?.stderr;
  const atEnd = doesEnd ? () => dest.end() : leave;
  if (state.endEmitted) binding.nextTick(atEnd);
  else source.once('end', atEnd);
  dest.on('unpipe', onunpipe);

  let cleanedUp = false;
  // The listener for `drain`, which a pipe that never had to wait does without.
  let ondrain;

  function onunpipe(readable, info) {
    if (readable === source && info && info.hasUnpiped === false) {
      info.hasUnpiped = true;
      cleanup();
    }
  }

  function cleanup() {
    dest.removeListener('close', onclose);
    dest.removeListener('finish', onfinish);
    if (ondrain) dest.removeListener('drain', ondrain);
    dest.removeListener('error', onerror);
    dest.removeListener('unpipe', onunpipe);
    source.removeListener('end', atEnd);
    source.removeListener('data', ondata);
    cleanedUp = true;
    // The source may wait for this one alone, which nobody will tell of its `drain` any more.
    if (ondrain && state.awaitDrainWriters && (!dest._writableState || dest._writableState.needDrain)) ondrain();
  }

  function wait() {
    // Writing may have ended in an unpipe.
    if (!cleanedUp) {
      if (state.pipes.length === 1 && state.pipes[0] === dest) {
        state.awaitDrainWriters = dest;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && state.pipes.includes(dest)) {
        state.awaitDrainWriters.add(dest);
      }
      source.pause();
    }
    if (!ondrain) {
      ondrain = () => goOn(source, state, dest);
      dest.on('drain', ondrain);
    }
  }

  function ondata(chunk) {
    if (dest.write(chunk) === false) wait();
  }

  function onerror(error) {
    leave();
    dest.removeListener('error', onerror);
    if (dest.listenerCount('error') > 0) return;
    const other = dest._writableState || dest._readableState;
    if (other && !other.errorEmitted) errorOrDestroy(dest, error);
    else dest.emit('error', error);
  }

  function onclose() {
    dest.removeListener('finish', onfinish);
    leave();
  }

  function onfinish() {
    dest.removeListener('close', onclose);
    leave();
  }

  function leave() {
    source.unpipe(dest);
  }

  source.on('data', ondata);
  // First of all, so that it sees whether anybody else listens.
  prependListener(dest, 'error', onerror);
  dest.once('close', onclose);
  dest.once('finish', onfinish);
  dest.emit('pipe', source);
  if (dest.writableNeedDrain === true) wait();
  else if (!state.flowing) source.resume();
  return dest;
}

/// A destination has room again; the source flows on when all have.
function goOn(source, state, dest) {
  if (state.awaitDrainWriters === dest) state.awaitDrainWriters = null;
  else if (state.multiAwaitDrain) state.awaitDrainWriters.delete(dest);
  const waiting = state.awaitDrainWriters;
  if ((!waiting || waiting.size === 0) && source.listenerCount('data') > 0) source.resume();
}

/// Takes one destination off, or all of them.
function unpipe(source, dest) {
  const state = source._readableState;
  if (state.pipes.length === 0) return source;
  if (!dest) {
    const dests = state.pipes;
    state.pipes = [];
    source.pause();
    for (const one of dests) one.emit('unpipe', source, { hasUnpiped: false });
    return source;
  }
  const at = state.pipes.indexOf(dest);
  if (at < 0) return source;
  state.pipes.splice(at, 1);
  if (state.pipes.length === 0) source.pause();
  dest.emit('unpipe', source, { hasUnpiped: false });
  return source;
}

module.exports = { pipe, unpipe };
