// ReadableStream, its readers and its controllers.
'use strict';

const { kTransfer } = require('internal/transfer');
const {
  codes: {
    ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE,
  },
} = require('internal/errors');
const { validateBuffer, validateNumber } = require('internal/validators');
const {
  kIsClosedPromise, kIsDisturbed, kIsErrored, kIsReadable, kControllerErrorFunction,
} = require('internal/streams/is');
const {
  algorithm, attach, deferred, finish, follow, has, highWaterMarkOf, invalidState, kMake, kState, nop, sizeOf, stateOf,
  validateOptional, validateSignal, validateSource, kStateClass
} = require('internal/webstreams/common');
const { DefaultControllerState, ReaderState, StreamState } = require('internal/webstreams/readable_core');
const { ByteControllerState } = require('internal/webstreams/byte_core');

class ReadableStream {
  static [kStateClass] = StreamState;

  constructor(source = {}, strategy = {}) {
    // Our own code brings the making of the controller.
    if (source === kMake) {
      strategy(attach(this, new StreamState())[kState]);
      return;
    }
    validateSource(source, 'source');
    validateOptional(strategy, 'strategy');
    const state = attach(this, new StreamState())[kState];
    const { type } = source;
    const bytes = `${type}` === 'bytes';
    if (!bytes && type !== undefined) throw new ERR_INVALID_ARG_VALUE('source.type', type);
    if (!bytes) {
      setUpDefaultController(state, source, highWaterMarkOf(strategy, 1), sizeOf(strategy));
    } else if (strategy?.size === undefined) {
      setUpByteController(state, source, highWaterMarkOf(strategy, 0));
    } else {
      throw new ERR_INVALID_ARG_VALUE.RangeError('strategy.size', strategy.size);
    }
  }

  static from(iterable) {
    return require('internal/webstreams/iterate').fromIterable(iterable);
  }

  get locked() {
    return stateOf(this, ReadableStream).locked;
  }

  cancel(reason = undefined) {
    try {
      const state = stateOf(this, ReadableStream);
      if (state.locked) throw invalidState('ReadableStream is locked');
      return state.cancel(reason);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  getReader(options = {}) {
    stateOf(this, ReadableStream);
    validateOptional(options, 'options');
    const mode = options?.mode;
    switch (mode === undefined ? mode : `${mode}`) {
      case undefined: return new ReadableStreamDefaultReader(this);
      case 'byob': return new ReadableStreamBYOBReader(this);
      default: throw new ERR_INVALID_ARG_VALUE('options.mode', mode);
    }
  }

  pipeThrough(transform, options = {}) {
    const source = stateOf(this, ReadableStream);
    const readable = transform?.readable;
    if (!has(readable, ReadableStream)) throw new ERR_INVALID_ARG_TYPE('transform.readable', 'ReadableStream', readable);
    const target = writableOf(transform?.writable);
    const chosen = pipeOptions(options);
    refuseLocked(source, target);
    const done = require('internal/webstreams/pipe_to').pipeTo(source, target, chosen);
    follow(done, undefined, nop);
    return readable;
  }

  [kTransfer]() {
    return require('internal/webstreams/transfer').transferReadable(this);
  }

  pipeTo(destination, options = {}) {
    try {
      const source = stateOf(this, ReadableStream);
      const target = writableOf(destination);
      const chosen = pipeOptions(options);
      refuseLocked(source, target);
      return require('internal/webstreams/pipe_to').pipeTo(source, target, chosen);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  tee() {
    const state = stateOf(this, ReadableStream);
    if (state.locked) throw invalidState('ReadableStream is locked');
    const { teeBytes, teeDefault } = require('internal/webstreams/tee');
    return state.controller instanceof ByteControllerState ? teeBytes(state) : teeDefault(state);
  }

  values(options = {}) {
    const state = stateOf(this, ReadableStream);
    validateOptional(options, 'options');
    const reader = new DefaultReaderState(state, false);
    return require('internal/webstreams/iterate').iterate(reader, Boolean(options?.preventCancel));
  }

  // What Node's streams want to know.

  [kControllerErrorFunction](error) {
    this[kState].controller.fail(error);
  }
}

// How Node's streams ask.
for (const [key, answer] of [
  [kIsDisturbed, ({ disturbed }) => disturbed],
  [kIsErrored, ({ state }) => state === 'errored'],
  [kIsReadable, ({ state }) => state === 'readable'],
  [kIsClosedPromise, ({ whenEnded }) => whenEnded],
]) {
  Object.defineProperty(ReadableStream.prototype, key, { configurable: true, get() { return answer(this[kState]); } });
}

finish(ReadableStream, (self) => ({
  locked: self.locked,
  state: self[kState].state,
  supportsBYOB: self[kState].controller instanceof ByteControllerState,
}));
Object.defineProperty(ReadableStream, 'from', { enumerable: true });
Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  value: ReadableStream.prototype.values, writable: true, configurable: true, enumerable: false,
});
for (const name of ['cancel', 'getReader', 'values']) {
  Object.defineProperty(ReadableStream.prototype[name], 'length', { value: 0 });
}

function writableOf(stream) {
  const { WritableStream } = require('internal/webstreams/writable');
  if (!has(stream, WritableStream)) throw new ERR_INVALID_ARG_TYPE('transform.writable', 'WritableStream', stream);
  return stream[kState];
}

function pipeOptions(options) {
  validateOptional(options, 'options');
  const preventAbort = Boolean(options?.preventAbort);
  const preventCancel = Boolean(options?.preventCancel);
  const preventClose = Boolean(options?.preventClose);
  const signal = options?.signal;
  validateSignal(signal);
  return { preventAbort, preventCancel, preventClose, signal };
}

function refuseLocked(source, target) {
  if (source.locked) throw invalidState('The ReadableStream is locked');
  if (target.locked) throw invalidState('The WritableStream is locked');
}

// Controllers.

function setUpDefaultController(stream, source, highWaterMark, size) {
  const start = source.start;
  const pull = algorithm(source, 'pull', 'source');
  const cancel = algorithm(source, 'cancel', 'source');
  makeController(stream, { pull, cancel, highWaterMark, size }, startOf(start, source));
}

/// What `start` gives is looked at before the controller is used; what it throws goes to the program.
function startOf(start, source) {
  if (start === undefined) return nop;
  if (typeof start !== 'function') throw new TypeError('Bind must be called on a function');
  return (controller) => Reflect.apply(start, source, [controller]);
}

function makeController(stream, options, start) {
  const state = new DefaultControllerState(stream, options);
  const controller = new ReadableStreamDefaultController(kMake, state);
  state.start(start(controller));
}

function setUpByteController(stream, source, highWaterMark) {
  const start = source.start;
  const pull = algorithm(source, 'pull', 'source');
  const cancel = algorithm(source, 'cancel', 'source');
  const size = source.autoAllocateChunkSize;
  if (size !== undefined && !(Number.isInteger(+size) && +size > 0)) {
    throw new ERR_INVALID_ARG_VALUE('source.autoAllocateChunkSize', size);
  }
  const options = { pull, cancel, highWaterMark, autoAllocateChunkSize: size === undefined ? undefined : +size };
  makeByteController(stream, options, startOf(start, source));
}

function makeByteController(stream, options, start) {
  const state = new ByteControllerState(stream, options);
  const controller = new ReadableByteStreamController(kMake, state);
  state.start(start(controller));
}

class ReadableStreamDefaultController {
  static [kStateClass] = DefaultControllerState;

  constructor(key = undefined, state = undefined) {
    if (key !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    attach(this, state);
  }

  get desiredSize() {
    return stateOf(this, ReadableStreamDefaultController).desiredSize;
  }

  close() {
    const state = stateOf(this, ReadableStreamDefaultController);
    if (!state.canClose) throw invalidState('Controller is already closed');
    state.close();
  }

  enqueue(chunk = undefined) {
    const state = stateOf(this, ReadableStreamDefaultController);
    if (!state.canClose) throw invalidState('Controller is already closed');
    state.enqueue(chunk);
  }

  error(error = undefined) {
    stateOf(this, ReadableStreamDefaultController).fail(error);
  }
}

finish(ReadableStreamDefaultController, () => ({}));

class ReadableByteStreamController {
  static [kStateClass] = ByteControllerState;

  constructor(key = undefined, state = undefined) {
    if (key !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    attach(this, state);
  }

  get byobRequest() {
    const state = stateOf(this, ReadableByteStreamController);
    const [first] = state.pendingPullIntos;
    if (state.request === null && first !== undefined) {
      const view = new Uint8Array(first.buffer, first.byteOffset + first.bytesFilled, first.byteLength - first.bytesFilled);
      const request = new RequestState(state, view);
      new ReadableStreamBYOBRequest(kMake, request);
      state.request = request;
    }
    return state.request?.self ?? null;
  }

  get desiredSize() {
    return stateOf(this, ReadableByteStreamController).desiredSize;
  }

  close() {
    const state = stateOf(this, ReadableByteStreamController);
    refuseClosed(state);
    state.close();
  }

  enqueue(chunk) {
    const state = stateOf(this, ReadableByteStreamController);
    validateBuffer(chunk);
    if (chunk.byteLength === 0 || chunk.buffer.byteLength === 0) {
      throw invalidState('chunk ArrayBuffer is zero-length or detached');
    }
    refuseClosed(state);
    state.enqueue(chunk);
  }

  error(error = undefined) {
    stateOf(this, ReadableByteStreamController).fail(error);
  }
}

function refuseClosed(controller) {
  if (controller.closeRequested) throw invalidState('Controller is already closed');
  if (controller.stream.state !== 'readable') throw invalidState('ReadableStream is already closed');
}

finish(ReadableByteStreamController, () => ({}));

class RequestState {
  constructor(controller, view) {
    this.controller = controller;
    this.view = view;
  }
}

class ReadableStreamBYOBRequest {
  static [kStateClass] = RequestState;

  constructor(key = undefined, state = undefined) {
    if (key !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    attach(this, state);
  }

  get view() {
    return stateOf(this, ReadableStreamBYOBRequest).view;
  }

  respond(bytesWritten) {
    const { controller, view } = stateOf(this, ReadableStreamBYOBRequest);
    if (controller === undefined) throw invalidState('This BYOB request has been invalidated');
    if (view.byteLength === 0 || view.buffer.byteLength === 0) {
      throw invalidState('Viewed ArrayBuffer is detached or zero-length');
    }
    const count = Math.trunc(+bytesWritten) || 0;
    if (!(count >= 0) || count === Infinity) throw new ERR_INVALID_ARG_VALUE('bytesWritten', bytesWritten);
    controller.respond(count);
  }

  respondWithNewView(view) {
    const { controller } = stateOf(this, ReadableStreamBYOBRequest);
    if (controller === undefined) throw invalidState('This BYOB request has been invalidated');
    validateBuffer(view, 'view');
    if (view.buffer.detached) throw invalidState('Viewed ArrayBuffer is detached');
    controller.respondWithNewView(view);
  }
}

finish(ReadableStreamBYOBRequest, (self) => ({ view: self.view, controller: self[kState].controller?.self }));

// Readers.

class DefaultReaderState extends ReaderState {}
class ByobReaderState extends ReaderState {}

function checkStream(stream) {
  if (!has(stream, ReadableStream)) throw new ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
  return stream[kState];
}

/// What both kinds of readers have.
function readerMethods(Class) {
  Object.defineProperties(Class.prototype, Object.getOwnPropertyDescriptors({
    releaseLock() {
      const state = stateOf(this, Class);
      if (state.stream !== undefined) state.release();
    },

    get closed() {
      try {
        return stateOf(this, Class).closed.promise;
      } catch (error) {
        return Promise.reject(error);
      }
    },

    cancel(reason = undefined) {
      try {
        const { stream } = stateOf(this, Class);
        if (stream === undefined) throw invalidState('The reader is not attached to a stream');
        return stream.cancel(reason);
      } catch (error) {
        return Promise.reject(error);
      }
    },
  }));
  finish(Class, (self) => {
    const state = self[kState];
    return {
      stream: state.stream?.self,
      [state.byob ? 'readIntoRequests' : 'readRequests']: state.requests.length,
      close: state.closed.promise,
    };
  });
}

class ReadableStreamDefaultReader {
  static [kStateClass] = DefaultReaderState;

  constructor(stream) {
    attach(this, new DefaultReaderState(checkStream(stream), false));
  }

  read() {
    let state;
    try {
      state = stateOf(this, ReadableStreamDefaultReader);
      if (state.stream === undefined) throw invalidState('The reader is not attached to a stream');
    } catch (error) {
      return Promise.reject(error);
    }
    const { promise, resolve, reject } = deferred();
    state.read({
      chunk: (value) => resolve({ value, done: false }),
      close: () => resolve({ value: undefined, done: true }),
      error: reject,
    });
    return promise;
  }
}

readerMethods(ReadableStreamDefaultReader);

class ReadableStreamBYOBReader {
  static [kStateClass] = ByobReaderState;

  constructor(stream) {
    const state = checkStream(stream);
    if (state.locked) throw invalidState('ReadableStream is locked');
    if (!(state.controller instanceof ByteControllerState)) {
      throw new ERR_INVALID_ARG_VALUE('stream', stream, 'must be a byte stream');
    }
    attach(this, new ByobReaderState(state, true));
  }

  async read(view, options = undefined) {
    const state = stateOf(this, ReadableStreamBYOBReader);
    validateBuffer(view, 'view');
    if (view.byteLength === 0 || view.buffer.byteLength === 0) {
      throw invalidState('View or Viewed ArrayBuffer is zero-length or detached');
    }
    validateOptional(options, 'options');
    const minimum = minimumOf(options, view);
    const { stream } = state;
    if (stream === undefined) throw invalidState('The reader is not attached to a stream');
    stream.disturbed = true;
    const { promise, resolve, reject } = deferred();
    const request = {
      chunk: (value) => resolve({ value, done: false }),
      close: (value) => resolve({ value, done: true }),
      error: reject,
    };
    if (stream.state === 'errored') request.error(stream.error);
    else stream.controller.pullInto(view, minimum, request);
    return promise;
  }
}

Object.defineProperty(ReadableStreamBYOBReader.prototype.read, 'length', { value: 1 });
readerMethods(ReadableStreamBYOBReader);

function minimumOf(options, view) {
  const minimum = options?.min;
  if (minimum === undefined) return 1;
  validateNumber(minimum, 'options.min');
  if (!Number.isInteger(minimum)) throw new ERR_INVALID_ARG_VALUE('options.min', minimum, 'must be an integer');
  if (minimum <= 0) throw new ERR_INVALID_ARG_VALUE('options.min', minimum, 'must be greater than 0');
  const [most, unit] = view instanceof DataView ? [view.byteLength, 'byteLength'] : [view.length, 'length'];
  if (minimum > most) throw new ERR_OUT_OF_RANGE('options.min', `<= view.${unit}`, minimum);
  return minimum;
}

module.exports = {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, ReadableStreamBYOBRequest,
  ReadableByteStreamController, ReadableStreamDefaultController, makeController, makeByteController,
};
