// TransformStream and its controller.
'use strict';

const { kTransfer } = require('internal/transfer');
const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const {
  algorithm, attach, deferred, finish, follow, handled, highWaterMarkOf, invalidState, kMake, kState, sizeOf, stateOf,
  validateOptional, validateSource, kStateClass
} = require('internal/webstreams/common');
const { ReadableStream, makeController: makeReadableController } = require('internal/webstreams/readable');
const { WritableStream, makeController: makeWritableController } = require('internal/webstreams/writable');

class StreamState {
  readable = undefined;
  writable = undefined;
  controller = undefined;
  // Whether the writable side waits for the readable one; undefined at the very beginning.
  backpressure = undefined;
  backpressureChange = deferred();

  setBackpressure(backpressure) {
    this.backpressureChange.resolve();
    this.backpressureChange = deferred();
    this.backpressure = backpressure;
  }

  fail(error) {
    this.readable.controller.fail(error);
    this.failWritableAndUnblock(error);
  }

  failWritableAndUnblock(error) {
    this.controller.forget();
    this.writable.controller.failIfWritable(error);
    this.unblockWrite();
  }

  unblockWrite() {
    if (this.backpressure) this.setBackpressure(false);
  }
}

class ControllerState {
  // The end, however it comes, is worked on once.
  finished = undefined;

  constructor(stream, transform, flush, cancel) {
    this.stream = stream;
    this.transform = transform;
    this.flush = flush;
    this.cancel = cancel;
    stream.controller = this;
  }

  forget() {
    this.transform = undefined;
    this.flush = undefined;
    this.cancel = undefined;
  }

  enqueue(chunk) {
    const { stream } = this;
    const { controller } = stream.readable;
    if (!controller.canClose) throw invalidState('Unable to enqueue');
    try {
      controller.enqueue(chunk);
    } catch (error) {
      stream.failWritableAndUnblock(error);
      throw stream.readable.error;
    }
    const backpressure = !wantsMore(controller);
    if (backpressure !== stream.backpressure) stream.setBackpressure(true);
  }

  terminate() {
    const { stream } = this;
    stream.readable.controller.close();
    stream.failWritableAndUnblock(invalidState('TransformStream has been terminated'));
  }

  performTransform(chunk) {
    return follow(this.transform(chunk, this.self), undefined, (error) => {
      this.stream.fail(error);
      throw error;
    });
  }
}

function wantsMore(controller) {
  if (!controller.canClose) return false;
  if (controller.stream.locked && controller.stream.waiting > 0) return true;
  return controller.desiredSize > 0;
}

class TransformStream {
  static [kStateClass] = StreamState;

  constructor(transformer = {}, writableStrategy = {}, readableStrategy = {}) {
    // Our own code brings the sides.
    if (transformer === kMake) {
      const state = attach(this, new StreamState())[kState];
      state.readable = writableStrategy.readable[kState];
      state.writable = writableStrategy.writable[kState];
      return;
    }
    validateSource(transformer, 'transformer');
    validateOptional(writableStrategy, 'writableStrategy');
    validateOptional(readableStrategy, 'readableStrategy');
    for (const name of ['readableType', 'writableType']) {
      const type = transformer[name];
      if (type !== undefined) throw new ERR_INVALID_ARG_VALUE.RangeError(`transformer.${name}`, type);
    }
    const readableOptions = { highWaterMark: highWaterMarkOf(readableStrategy, 0), size: sizeOf(readableStrategy) };
    const writableOptions = { highWaterMark: highWaterMarkOf(writableStrategy, 1), size: sizeOf(writableStrategy) };

    const started = deferred();
    const state = attach(this, new StreamState())[kState];
    setUpSides(state, started.promise, writableOptions, readableOptions);
    state.setBackpressure(true);

    const { start } = transformer;
    const flush = algorithm(transformer, 'flush', 'transformer');
    const transform = transformer.transform === undefined
      ? async (chunk) => { controllerState.enqueue(chunk); }
      : algorithm(transformer, 'transform', 'transformer');
    const cancel = algorithm(transformer, 'cancel', 'transformer');
    const controllerState = new ControllerState(state, transform, flush, cancel);
    const controller = new TransformStreamDefaultController(kMake, controllerState);
    if (start !== undefined && typeof start !== 'function') throw new TypeError('FunctionPrototypeCall is not a function');
    started.resolve(start === undefined ? undefined : Reflect.apply(start, transformer, [controller]));
  }

  [kTransfer]() {
    return require('internal/webstreams/transfer').transferTransform(this);
  }

  get readable() {
    return stateOf(this, TransformStream).readable.self;
  }

  get writable() {
    return stateOf(this, TransformStream).writable.self;
  }
}

finish(TransformStream, (self) => {
  const { readable, writable, backpressure } = self[kState];
  return { readable: readable?.self, writable: writable?.self, backpressure };
});

function setUpSides(state, started, writableOptions, readableOptions) {
  new WritableStream(kMake, (writable) => {
    state.writable = writable;
    makeWritableController(writable, {
      write: (chunk) => sinkWrite(state, chunk),
      close: () => sinkClose(state),
      async abort(reason) { await sinkAbort(state, reason); },
      ...writableOptions,
    }, () => started);
  });
  new ReadableStream(kMake, (readable) => {
    state.readable = readable;
    makeReadableController(readable, {
      pull() {
        // The readable side wants data: the writable one may go on, and pulls when it has.
        state.setBackpressure(false);
        return state.backpressureChange.promise;
      },
      cancel: (reason) => sourceCancel(state, reason),
      ...readableOptions,
    }, () => started);
  });
}

function sinkWrite(state, chunk) {
  const { controller, writable } = state;
  if (!state.backpressure) return controller.performTransform(chunk);
  return follow(state.backpressureChange.promise, () => {
    if (writable.state === 'erroring') throw writable.error;
    return controller.performTransform(chunk);
  });
}

/// Runs the last algorithm of a transformer, whichever it is; a second end waits for the first.
function endOnce(state, run, onDone, onFailed) {
  const { controller } = state;
  if (controller.finished !== undefined) return controller.finished.promise;
  controller.finished = deferred();
  handled(controller.finished.promise);
  const { finished } = controller;
  const result = run(controller);
  controller.forget();
  follow(result, () => {
    const failure = onDone();
    if (failure === undefined) finished.resolve();
    else finished.reject(failure.error);
  }, (error) => {
    onFailed(error);
    finished.reject(error);
  });
  return finished.promise;
}

function sinkAbort(state, reason) {
  const { readable } = state;
  return endOnce(state, (controller) => controller.cancel(reason), () => {
    if (readable.state === 'errored') return { error: readable.error };
    readable.controller.fail(reason);
  }, (error) => readable.controller.fail(error));
}

function sinkClose(state) {
  const { readable } = state;
  return endOnce(state, (controller) => controller.flush(controller.self), () => {
    if (readable.state === 'errored') return { error: readable.error };
    readable.controller.close();
  }, (error) => readable.controller.fail(error));
}

function sourceCancel(state, reason) {
  const { writable } = state;
  return endOnce(state, (controller) => controller.cancel(reason), () => {
    if (writable.state === 'errored') return { error: writable.error };
    writable.controller.failIfWritable(reason);
    state.unblockWrite();
  }, (error) => {
    writable.controller.failIfWritable(error);
    state.unblockWrite();
  });
}

class TransformStreamDefaultController {
  static [kStateClass] = ControllerState;

  constructor(key = undefined, state = undefined) {
    if (key !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    attach(this, state);
  }

  get desiredSize() {
    return stateOf(this, TransformStreamDefaultController).stream.readable.controller.desiredSize;
  }

  enqueue(chunk = undefined) {
    stateOf(this, TransformStreamDefaultController).enqueue(chunk);
  }

  error(reason = undefined) {
    stateOf(this, TransformStreamDefaultController).stream.fail(reason);
  }

  terminate() {
    stateOf(this, TransformStreamDefaultController).terminate();
  }
}

finish(TransformStreamDefaultController, (self) => ({ stream: self[kState].stream.self }));

/// A transform stream of two sides that somebody else connects.
function fromSides(sides) {
  return new TransformStream(kMake, sides);
}

module.exports = { TransformStream, fromSides, TransformStreamDefaultController };
