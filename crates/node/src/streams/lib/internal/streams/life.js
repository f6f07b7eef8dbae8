// How a stream comes to its end: the life that both sides of a duplex stream share.
'use strict';

// The stages, in their order (STREAM-3). `CLOSING`: `destroy` was called. `CLOSED`: `_destroy` is through.
// `GONE`: 'close' was told.
const OPEN = 0;
const CLOSING = 1;
const CLOSED = 2;
const GONE = 3;

class Life {
  constructor(options) {
    this.stage = OPEN;
    // Whether nothing more may be read or written: it is closing, or has failed.
    this.isOver = false;
    this.errored = null;
    this.errorEmitted = false;
    this.constructed = true;
    // What waits for the end of `_construct`: a callback, and how to go on with `destroy`.
    this.onConstructed = null;
    this.onDoomed = null;
    this.autoDestroy = options?.autoDestroy !== false;
    this.emitClose = options?.emitClose !== false;
  }

  /// Notes why it fails; the first reason stays.
  fail(error) {
    this.isOver = true;
    this.errored ??= error;
  }

  /// As new, for a socket that connects again.
  revive() {
    this.stage = OPEN;
    this.isOver = false;
    this.errored = null;
    this.errorEmitted = false;
    this.constructed = true;
  }
}

/// The life of one of our streams.
function lifeOf(stream) {
  return (stream._writableState ?? stream._readableState)?.life;
}

const asStage = (stage) => ({
  get() { return this.life.stage >= stage; },
  set(value) {
    const { life } = this;
    life.stage = value ? Math.max(life.stage, stage) : Math.min(life.stage, stage - 1);
    life.isOver = life.stage !== OPEN || Boolean(life.errored);
  },
});
const asField = (name) => ({
  get() { return this.life[name]; },
  set(value) { this.life[name] = value; },
});

/// Lets the state of a side show what it shares with the other one, under the names that programs read.
function showLife(State) {
  const shown = {
    destroyed: asStage(CLOSING),
    closed: asStage(CLOSED),
    closeEmitted: asStage(GONE),
    errored: {
      get() { return this.life.errored; },
      set(value) {
        this.life.errored = value;
        this.life.isOver = this.life.stage !== OPEN || Boolean(value);
      },
    },
  };
  for (const name of ['errorEmitted', 'constructed', 'autoDestroy', 'emitClose']) shown[name] = asField(name);
  Object.defineProperties(State.prototype, shown);
}

module.exports = { Life, lifeOf, showLife, OPEN, CLOSING, CLOSED, GONE };
