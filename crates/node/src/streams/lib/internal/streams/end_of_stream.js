// `finished`: tells when a stream of any make is over, and how (STREAM-39 to STREAM-41).
//
// Uses binding.nextTick.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_PREMATURE_CLOSE } } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject } = require('internal/validators');
const is = require('internal/streams/is');

function nop() {}

/// Waits for the sides of a stream that are asked for. Once it is through or let go of, nobody is told.
class Waiting {
  #stream;
  #callback;
  #hasError;
  // Which sides are waited for, and which of them are through.
  #reads;
  #writes;
  #hasRead;
  #hasWritten;
  // Whether 'close' is sure to come, so that it is worth waiting for.
  #willClose;
  #added = [];

  constructor(stream, options, callback) {
    const canRead = is.isReadableNodeStream(stream);
    const canWrite = is.isWritableNodeStream(stream);
    this.#stream = stream;
    this.#callback = callback;
    this.#hasError = options.error !== false;
    this.#reads = options.readable ?? canRead;
    this.#writes = options.writable ?? canWrite;
    this.#hasRead = is.isReadableFinished(stream, false);
    this.#hasWritten = is.isWritableFinished(stream, false);
    this.#willClose = is.willEmitClose(stream) && this.#reads === canRead && this.#writes === canWrite;
    this.#listen();
    this.#lookBack(is.isClosed(stream));
  }

  #on(emitter, event, listener) {
    this.#added.push(emitter, event, listener);
    emitter.on(event, listener);
  }

  #listen() {
    const stream = this.#stream;
    if (is.isRequest(stream)) {
      this.#on(stream, 'complete', this.#onFinish);
      if (!this.#willClose) this.#on(stream, 'abort', this.#onClose);
      if (stream.req) this.#onRequest();
      else this.#on(stream, 'request', this.#onRequest);
    } else if (this.#writes && !stream._writableState) {
      for (const event of ['end', 'close']) this.#on(stream, event, this.#onLegacyEnd);
    }
    // A request that a server got, which may end without 'close'.
    if (!this.#willClose && typeof stream.aborted === 'boolean') this.#on(stream, 'aborted', this.#onClose);
    this.#on(stream, 'end', this.#onEnd);
    this.#on(stream, 'finish', this.#onFinish);
    if (this.#hasError) this.#on(stream, 'error', this.#onError);
    this.#on(stream, 'close', this.#onClose);
  }

  /// What has happened already is told at the next tick.
  #lookBack(isClosed) {
    if (isClosed) binding.nextTick(this.#onClose);
    else if (this.#isKnown()) binding.nextTick(this.#tellOutcome);
  }

  #isKnown() {
    const stream = this.#stream;
    const { _readableState: readable, _writableState: writable } = stream;
    const willClose = this.#willClose;
    if (readable?.errorEmitted || writable?.errorEmitted) return !willClose;
    const isRead = this.#hasRead || is.isReadable(stream) === false;
    // What was written last may be on its way.
    const isWritten = (this.#hasWritten || is.isWritable(stream) === false) && !(writable?.pendingcb > 0);
    return (!this.#reads && isWritten && (!willClose || is.isReadable(stream))) ||
      (!this.#writes && isRead && (!willClose || is.isWritable(stream))) ||
      Boolean(readable && stream.req && stream.aborted);
  }

  #onRequest = () => this.#on(this.#stream.req, 'finish', this.#onFinish);

  #onLegacyEnd = () => {
    if (!this.#stream.writable) this.#onFinish();
  };

  #onEnd = () => {
    this.#hasRead = true;
    this.#sideIsThrough(this.#writes, this.#hasWritten, 'readable');
  };

  #onFinish = () => {
    this.#hasWritten = true;
    this.#sideIsThrough(this.#reads, this.#hasRead, 'writable');
  };

  /// One side is through; `name` is how the stream calls it. It is over unless there is another to wait for.
  #sideIsThrough(waitsForOther, isOtherThrough, name) {
    const stream = this.#stream;
    if (stream.destroyed) this.#willClose = false;
    if (this.#willClose && (waitsForOther || !stream[name])) return;
    if (!waitsForOther || isOtherThrough) this.#tell();
  }

  #onError = (error) => this.#tell(error);

  #onClose = () => {
    const stream = this.#stream;
    const isCut = (this.#reads && !this.#hasRead && is.isReadableNodeStream(stream, true) && !is.isReadableFinished(stream, false)) ||
      (this.#writes && !this.#hasWritten && !is.isWritableFinished(stream, false));
    this.#tell(this.#error() ?? (isCut ? new ERR_STREAM_PREMATURE_CLOSE() : undefined));
  };

  #tellOutcome = () => this.#tell(this.#error());

  #error() {
    const stream = this.#stream;
    const error = is.isWritableErrored(stream) || is.isReadableErrored(stream);
    return error && typeof error !== 'boolean' ? error : undefined;
  }

  #tell(error) {
    const callback = this.#callback;
    this.#callback = nop;
    if (error === undefined) callback.call(this.#stream);
    else callback.call(this.#stream, error);
  }

  /// Lets go of the stream.
  release() {
    this.#callback = nop;
    const added = this.#added;
    for (let i = 0; i < added.length; i += 3) added[i].removeListener(added[i + 1], added[i + 2]);
  }
}

/// Calls `abort` with the error when the signal is aborted; gives what stops that.
function whenAborted(signal, abort) {
  if (!signal) return nop;
  const tell = () => abort(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    binding.nextTick(tell);
    return nop;
  }
  const { addAbortListener } = require('internal/events/abort_listener');
  const listener = addAbortListener(signal, tell);
  return () => listener[Symbol.dispose]();
}

function waitForWebStream(stream, options, callback) {
  let isTold = false;
  const tell = (...args) => {
    stopListening();
    Reflect.apply(callback, stream, args);
  };
  const stopListening = whenAborted(options.signal, (error) => {
    if (isTold) return;
    isTold = true;
    callback.call(stream, error);
  });
  const settle = (...args) => {
    if (isTold) return;
    isTold = true;
    binding.nextTick(tell, ...args);
  };
  stream[is.kIsClosedPromise].promise.then(settle, settle);
  return nop;
}

function waitForNodeStream(stream, options, callback) {
  const { signal } = options;
  if (!signal) {
    const waiting = new Waiting(stream, options, callback);
    return () => waiting.release();
  }
  let stopListening = nop;
  let isTold = false;
  const waiting = new Waiting(stream, options, function(...args) {
    isTold = true;
    stopListening();
    Reflect.apply(callback, this, args);
  });
  let isReleased = false;
  stopListening = whenAborted(signal, (error) => {
    if (isReleased || isTold) return;
    isTold = true;
    waiting.release();
    callback.call(stream, error);
  });
  return () => {
    isReleased = true;
    waiting.release();
  };
}

function eos(stream, options, callback) {
  if (arguments.length === 2) {
    callback = options;
    options = undefined;
  } else if (options != null) {
    validateObject(options, 'options');
  }
  options ??= {};
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');
  if (is.isReadableStream(stream) || is.isWritableStream(stream)) return waitForWebStream(stream, options, callback);
  if (!is.isNodeStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return waitForNodeStream(stream, options, callback);
}

/// The same as a promise.
function finished(stream, options) {
  const cleansUp = options?.cleanup || false;
  validateBoolean(cleansUp, 'cleanup');
  return new Promise((resolve, reject) => {
    const release = eos(stream, options, (error) => {
      if (cleansUp) release();
      error ? reject(error) : resolve();
    });
  });
}

module.exports = { eos, finished };
