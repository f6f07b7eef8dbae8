// WritableStream, its writer and its controller.
'use strict';

const { kTransfer } = require('internal/transfer');
const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { kIsClosedPromise, kIsErrored, kControllerErrorFunction } = require('internal/streams/is');
const {
  algorithm, attach, finish, has, highWaterMarkOf, invalidState, kMake, kState, nop, sizeOf, stateOf, validateOptional,
  validateSource, kStateClass
} = require('internal/webstreams/common');
const { ControllerState, StreamState, WriterState } = require('internal/webstreams/writable_core');

class WritableStream {
  static [kStateClass] = StreamState;

  constructor(sink = {}, strategy = {}) {
    // Our own code brings the making of the controller.
    if (sink === kMake) {
      strategy(attach(this, new StreamState())[kState]);
      return;
    }
    validateSource(sink, 'sink');
    validateOptional(strategy, 'strategy');
    if (sink.type !== undefined) throw new ERR_INVALID_ARG_VALUE.RangeError('type', sink.type);
    const state = attach(this, new StreamState())[kState];
    const size = sizeOf(strategy);
    const highWaterMark = highWaterMarkOf(strategy, 1);
    const { start } = sink;
    const write = algorithm(sink, 'write', 'sink');
    const close = algorithm(sink, 'close', 'sink');
    const abort = algorithm(sink, 'abort', 'sink');
    if (start !== undefined && typeof start !== 'function') throw new TypeError('Bind must be called on a function');
    makeController(state, { write, close, abort, highWaterMark, size },
                   start === undefined ? nop : (controller) => Reflect.apply(start, sink, [controller]));
  }

  [kTransfer]() {
    return require('internal/webstreams/transfer').transferWritable(this);
  }

  get locked() {
    return stateOf(this, WritableStream).locked;
  }

  abort(reason = undefined) {
    try {
      const state = stateOf(this, WritableStream);
      if (state.locked) throw invalidState('WritableStream is locked');
      return state.abort(reason);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  close() {
    try {
      const state = stateOf(this, WritableStream);
      if (state.locked) throw invalidState('WritableStream is locked');
      if (state.closeQueuedOrInFlight) throw invalidState('Failure closing WritableStream');
      return state.close();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  getWriter() {
    stateOf(this, WritableStream);
    return new WritableStreamDefaultWriter(this);
  }

  // What Node's streams want to know.

  get [kIsErrored]() {
    return this[kState].state === 'errored';
  }

  get [kIsClosedPromise]() {
    return this[kState].whenEnded;
  }

  [kControllerErrorFunction](error) {
    this[kState].controller.failIfWritable(error);
  }
}

finish(WritableStream, (self) => ({ locked: self.locked, state: self[kState].state }));

function makeController(stream, options, start) {
  const state = new ControllerState(stream, options);
  new WritableStreamDefaultController(kMake, state);
  state.start(start);
}

class WritableStreamDefaultWriter {
  static [kStateClass] = WriterState;

  constructor(stream) {
    if (!has(stream, WritableStream)) throw new ERR_INVALID_ARG_TYPE('stream', 'WritableStream', stream);
    attach(this, new WriterState(stream[kState]));
  }

  get closed() {
    try {
      return stateOf(this, WritableStreamDefaultWriter).closed.promise;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  get desiredSize() {
    return bound(this).desiredSize;
  }

  get ready() {
    try {
      return stateOf(this, WritableStreamDefaultWriter).ready.promise;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  abort(reason = undefined) {
    try {
      return bound(this).stream.abort(reason);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  close() {
    try {
      const { stream } = bound(this);
      if (stream.closeQueuedOrInFlight) throw invalidState('Failure to close WritableStream');
      return stream.close();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  releaseLock() {
    const state = stateOf(this, WritableStreamDefaultWriter);
    if (state.stream !== undefined) state.release();
  }

  write(chunk = undefined) {
    try {
      return bound(this).write(chunk);
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

function bound(writer) {
  const state = stateOf(writer, WritableStreamDefaultWriter);
  if (state.stream === undefined) throw invalidState('Writer is not bound to a WritableStream');
  return state;
}

finish(WritableStreamDefaultWriter, (self) => {
  const { stream, closed, ready } = self[kState];
  return {
    stream: stream?.self, close: closed.promise, ready: ready.promise, desiredSize: stream ? self.desiredSize : undefined,
  };
});

class WritableStreamDefaultController {
  static [kStateClass] = ControllerState;

  constructor(key = undefined, state = undefined) {
    if (key !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    attach(this, state);
  }

  get signal() {
    return stateOf(this, WritableStreamDefaultController).abortController.signal;
  }

  error(error = undefined) {
    stateOf(this, WritableStreamDefaultController).failIfWritable(error);
  }
}

finish(WritableStreamDefaultController, (self) => ({ stream: self[kState].stream.self }));


module.exports = { WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController, makeController };
