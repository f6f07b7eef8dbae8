// Duplex: a stream that is read and written, with a buffer for each. It inherits from Readable and has
// Writable's methods besides.
'use strict';

const { construct } = require('internal/streams/destroy');
const { Stream } = require('internal/streams/legacy');
const Readable = require('internal/streams/readable');
const { ReadableState } = require('internal/streams/readable_state');
const Writable = require('internal/streams/writable');

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  this._events ??= {
    close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined,
    data: undefined, end: undefined, readable: undefined,
  };
  this._readableState = new ReadableState(options, this, true);
  this._writableState = Writable.newState(options, this, true);
  if (options) {
    this.allowHalfOpen = options.allowHalfOpen !== false;
    if (options.readable === false) {
      Object.assign(this._readableState, { readable: false, ended: true, endEmitted: true });
    }
    if (options.writable === false) {
      Object.assign(this._writableState, { writable: false, ending: true, ended: true, finished: true });
    }
    if (typeof options.read === 'function') this._read = options.read;
    Writable.takeMethods(this, options);
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) require('internal/streams/add_abort_signal').addAbortSignal(options.signal, this);
  } else {
    this.allowHalfOpen = true;
  }
  Stream.call(this, options);
  if (this._construct != null) {
    construct(this, () => {
      Readable.onConstructed(this);
      Writable.onConstructed(this);
    });
  }
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);

for (const name of ['write', 'cork', 'uncork', 'setDefaultEncoding', '_write', '_writev', 'end', 'destroy']) {
  Duplex.prototype[name] = Writable.prototype[name];
}
for (const name of [
  'writable', 'writableHighWaterMark', 'writableObjectMode', 'writableBuffer', 'writableLength', 'writableFinished',
  'writableCorked', 'writableEnded', 'writableNeedDrain',
]) {
  Object.defineProperty(Duplex.prototype, name, Object.getOwnPropertyDescriptor(Writable.prototype, name));
}

Object.defineProperty(Duplex.prototype, 'destroyed', {
  __proto__: null,
  get() {
    if (this._readableState === undefined || this._writableState === undefined) return false;
    return this._readableState.destroyed && this._writableState.destroyed;
  },
  set(value) {
    if (this._readableState && this._writableState) {
      this._readableState.destroyed = value;
      this._writableState.destroyed = value;
    }
  },
});

Duplex.fromWeb = function(pair, options) {
  return require('internal/webstreams/adapters').newStreamDuplexFromReadableWritablePair(pair, options);
};

Duplex.toWeb = function(duplex) {
  return require('internal/webstreams/adapters').newReadableWritablePairFromDuplex(duplex);
};

Duplex.from = function(body) {
  return require('internal/streams/duplexify').duplexify(body, 'body');
};

module.exports = Duplex;
