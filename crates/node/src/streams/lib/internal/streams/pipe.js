// `pipe`: one stream writes what another one reads (STREAM-35, STREAM-36).
//
// Uses binding.nextTick and binding.process.
'use strict';

const { errorOrDestroy } = require('internal/streams/destroy');
const { prependListener } = require('internal/streams/legacy');

/// One pipe. It is over once `stop` was called.
class Pipe {
  #source;
  #dest;
  #isOver = false;
  // Whether 'drain' is listened for, which is from the first wait on.
  #hasWaited = false;

  constructor(source, dest, ends) {
    this.#source = source;
    this.#dest = dest;
    this.onSourceEnd = ends ? () => dest.end() : () => source.unpipe(dest);
    this.onUnpipe = (from, info) => {
      if (from !== source || info?.hasUnpiped !== false) return;
      info.hasUnpiped = true;
      this.#stop();
    };
    this.onData = (chunk) => {
      if (dest.write(chunk) === false) this.wait();
    };
    this.onDrain = () => drained(source, source._readableState, dest);
    this.onError = (error) => {
      source.unpipe(dest);
      dest.removeListener('error', this.onError);
      if (dest.listenerCount('error') === 0) passOnError(dest, error);
    };
    // Whichever comes first of these two, the other is of no interest any more.
    this.onClose = () => {
      dest.removeListener('finish', this.onFinish);
      source.unpipe(dest);
    };
    this.onFinish = () => {
      dest.removeListener('close', this.onClose);
      source.unpipe(dest);
    };
  }

  start(hasEnded) {
    const source = this.#source;
    const dest = this.#dest;
    if (hasEnded) binding.nextTick(this.onSourceEnd);
    else source.once('end', this.onSourceEnd);
    dest.on('unpipe', this.onUnpipe);
    source.on('data', this.onData);
    // Before the listeners of the program, which may expect to be alone.
    prependListener(dest, 'error', this.onError);
    dest.once('close', this.onClose);
    dest.once('finish', this.onFinish);
    dest.emit('pipe', source);
  }

  /// Stops the source until the destination has room.
  wait() {
    const source = this.#source;
    const dest = this.#dest;
    // Writing may have ended the pipe.
    if (!this.#isOver) {
      const state = source._readableState;
      if (state.pipes.length > 1 && state.pipes.includes(dest)) {
        state.awaitDrainWriters.add(dest);
      } else if (state.pipes[0] === dest) {
        state.awaitDrainWriters = dest;
        state.multiAwaitDrain = false;
      }
      source.pause();
    }
    if (this.#hasWaited) return;
    this.#hasWaited = true;
    dest.on('drain', this.onDrain);
  }

  #stop() {
    const source = this.#source;
    const dest = this.#dest;
    const ofDest = { close: this.onClose, finish: this.onFinish, drain: this.onDrain, error: this.onError, unpipe: this.onUnpipe };
    for (const event of Object.keys(ofDest)) dest.removeListener(event, ofDest[event]);
    source.removeListener('end', this.onSourceEnd);
    source.removeListener('data', this.onData);
    this.#isOver = true;
    // Others may wait for what will not drain for us.
    const isWaitedFor = !dest._writableState || dest._writableState.needDrain;
    if (this.#hasWaited && isWaitedFor && source._readableState.awaitDrainWriters) this.onDrain();
  }
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
  const one = new Pipe(source, dest, options?.end !== false && !isStandard);
  one.start(state.endEmitted);
  if (dest.writableNeedDrain === true) one.wait();
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
