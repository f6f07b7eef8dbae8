// Duplex: a Readable and a Writable in one, which begin and end together (STREAM-32).
'use strict';

const { construct } = require('internal/streams/destroy');
const { Life } = require('internal/streams/life');
const Readable = require('internal/streams/readable');
const { ReadableState, TOLD } = require('internal/streams/readable_state');
const { startReading } = require('internal/streams/reading');
const { begin, tableOf } = require('internal/streams/setup');
const Writable = require('internal/streams/writable');
const { FINISHED, WritableState } = require('internal/streams/writable_state');
const { startWriting, whenWritten } = require('internal/streams/writing');

const methods = tableOf('read', 'write', 'writev', 'destroy', 'final', 'construct');

/// The table of listeners has places for the usual events from the start.
const places = () => ({
  close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined,
  data: undefined, end: undefined, readable: undefined,
});

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  this._events ??= places();
  const life = new Life(options);
  this._readableState = new ReadableState(options, this, true, life);
  this._writableState = new WritableState(options, this, true, life);
  this._writableState.onwrite = whenWritten(this);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  if (options) leaveOut(this, options);
  begin(this, options, methods);
  construct(this, start);
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);
module.exports = Duplex;

/// A side that is not wanted has come to its end already.
function leaveOut(stream, options) {
  const { _readableState: readable, _writableState: writable } = stream;
  if (options.readable === false) {
    readable.readable = false;
    readable.course = TOLD;
  }
  if (options.writable === false) {
    writable.writable = false;
    writable.course = FINISHED;
    writable.ended = true;
  }
}

function start(stream) {
  startReading(stream);
  startWriting(stream);
}

// What it has of a Writable. The sides share their life: `destroyed` is true of both or of none.
const taken = [
  'write', 'cork', 'uncork', 'setDefaultEncoding', '_write', '_writev', 'end', 'destroy', 'destroyed', 'writable', 'writableHighWaterMark',
  'writableObjectMode', 'writableBuffer', 'writableLength', 'writableFinished', 'writableCorked', 'writableEnded', 'writableNeedDrain',
];
for (const name of taken) {
  Object.defineProperty(Duplex.prototype, name, Object.getOwnPropertyDescriptor(Writable.prototype, name));
}

Duplex.fromWeb = function fromWeb(pair, options) {
  return require('internal/webstreams/adapters').newStreamDuplexFromReadableWritablePair(pair, options);
};

Duplex.toWeb = function toWeb(duplex) {
  return require('internal/webstreams/adapters').newReadableWritablePairFromDuplex(duplex);
};

Duplex.from = function from(body) {
  return require('internal/streams/duplexify').duplexify(body, 'body');
};
