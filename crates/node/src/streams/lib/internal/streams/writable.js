// Writable: what takes chunks, one after the other.
//
// Uses binding.nextTick.
'use strict';

const EventEmitter = require('events');
const { codes: { ERR_METHOD_NOT_IMPLEMENTED, ERR_STREAM_CANNOT_PIPE } } = require('internal/errors');
const { construct, destroy, errorOrDestroy, undestroy } = require('internal/streams/destroy');
const { Stream } = require('internal/streams/legacy');
const { OPEN } = require('internal/streams/life');
const { checkedEncoding } = require('internal/streams/readable_state');
const { begin, dispose, show, tableOf } = require('internal/streams/setup');
const { WritableState, TAKES, FINISHED } = require('internal/streams/writable_state');
const { close, failWaiting, startWriting, whenFinished, whenWritten, write, writeWaiting } = require('internal/streams/writing');

const methods = tableOf('write', 'writev', 'destroy', 'final', 'construct');

/// The table of listeners has places for the usual events from the start.
const places = () => ({ close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined });

function Writable(options) {
  if (!(this instanceof Writable)) return new Writable(options);
  this._events ??= places();
  this._writableState = new WritableState(options, this, false);
  this._writableState.onwrite = whenWritten(this);
  begin(this, options, methods);
  construct(this, startWriting);
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
module.exports = Writable;

const { prototype } = Writable;
Writable.WritableState = WritableState;
const isInstance = Function.prototype[Symbol.hasInstance];
// A duplex stream is a Writable, although it inherits from Readable alone.
Object.defineProperty(Writable, Symbol.hasInstance, {
  __proto__: null,
  value(object) {
    return isInstance.call(this, object) || (this === Writable && object?._writableState instanceof WritableState);
  },
});

// Writing.

prototype.write = write;

prototype.cork = function cork() {
  this._writableState.corked++;
};

prototype.uncork = function uncork() {
  const state = this._writableState;
  if (state.corked === 0) return;
  state.corked--;
  if (!state.writing) writeWaiting(this, state);
};

prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  if (typeof encoding === 'string') encoding = encoding.toLowerCase();
  this._writableState.defaultEncoding = checkedEncoding(encoding);
  return this;
};

prototype._write = function _write(chunk, encoding, callback) {
  if (!this._writev) throw new ERR_METHOD_NOT_IMPLEMENTED('_write()');
  this._writev([{ chunk, encoding }], callback);
};

prototype._writev = null;

prototype.end = function end(chunk, encoding, callback) {
  const args = [chunk, encoding, callback];
  const at = args.findIndex((one) => typeof one === 'function');
  const done = at < 0 ? undefined : args[at];
  if (at >= 0) args.fill(null, at);

  const state = this._writableState;
  state.refusal = undefined;
  if (args[0] != null) write.call(this, args[0], args[1]);
  let error = state.refusal;
  // Whatever was held back goes out now.
  if (state.corked !== 0) {
    state.corked = 1;
    this.uncork();
  }
  error ??= close(this, state);
  if (done !== undefined) whenFinished(state, error, done);
  return this;
};

// Destroying.

prototype.destroy = function(err, cb) {
  const state = this._writableState;
  if (state.life.stage === OPEN && (state.bufferedIndex < state.buffered.length || state.onFinished !== null)) {
    binding.nextTick(failWaiting, state);
  }
  return destroy.call(this, err, cb);
};

prototype._undestroy = undestroy;

prototype._destroy = function(err, cb) {
  cb(err);
};

prototype[EventEmitter.captureRejectionSymbol] = function(error) {
  this.destroy(error);
};

prototype[Symbol.asyncDispose] = function() {
  return dispose(this, this.writableFinished, (error) => error.name !== 'AbortError');
};

prototype.pipe = function pipe() {
  errorOrDestroy(this, new ERR_STREAM_CANNOT_PIPE());
};

// Looking.

show(prototype, '_writableState', {
  closed: [(state) => state.closed, false],
  destroyed: [(state) => state.life.stage !== OPEN, false, (state, value) => { state.destroyed = value; }],
  writable: [
    (state) => state.writable !== false && state.course === TAKES && !state.ended && !state.life.isOver, false,
    // For packages that say so of themselves.
    (state, value) => { state.writable = Boolean(value); },
  ],
  writableFinished: [(state) => state.course === FINISHED, false],
  writableObjectMode: [(state) => state.objectMode, false],
  writableBuffer: [(state) => state.getBuffer(), undefined],
  writableEnded: [(state) => state.course !== TAKES, false],
  writableNeedDrain: [(state) => state.needDrain && state.course === TAKES && state.life.stage === OPEN, false],
  writableHighWaterMark: [(state) => state.highWaterMark, undefined],
  writableCorked: [(state) => state.corked, 0],
  writableLength: [(state) => state.length, undefined],
  errored: [(state) => state.life.errored, null],
  writableAborted: [(state) => state.writable !== false && state.life.isOver && state.course !== FINISHED, false],
});

Writable.fromWeb = function fromWeb(writableStream, options) {
  return require('internal/webstreams/adapters').newStreamWritableFromWritableStream(writableStream, options);
};

Writable.toWeb = function toWeb(streamWritable) {
  return require('internal/webstreams/adapters').newWritableStreamFromStreamWritable(streamWritable);
};
