// `finished`: tells when a stream is through, well or not, whatever its make.
//
// Uses binding.nextTick.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_PREMATURE_CLOSE } } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject } = require('internal/validators');
const is = require('internal/streams/is');

function nop() {}

/// Calls `callback` once; gives back a function that takes all listeners off.
function eos(stream, options, callback) {
  if (arguments.length === 2) {
    callback = options;
    options = {};
  } else if (options == null) {
    options = {};
  } else {
    validateObject(options, 'options');
  }
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');

  // Emptied by the first call.
  let pending = callback;
  const tell = (...args) => {
    const one = pending;
    pending = nop;
    stopListening();
    one.apply(stream, args);
  };
  let stopListening = nop;

  if (is.isReadableStream(stream) || is.isWritableStream(stream)) return eosOfWeb(stream, options, callback);
  if (!is.isNodeStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }

  const readable = options.readable ?? is.isReadableNodeStream(stream);
  const writable = options.writable ?? is.isWritableNodeStream(stream);
  const readState = stream._readableState;
  const writeState = stream._writableState;
  // A stream that closes by itself is through when it says so, if all of it was asked for.
  let willClose = is.willEmitClose(stream) && is.isReadableNodeStream(stream) === readable &&
    is.isWritableNodeStream(stream) === writable;
  let hasWritten = is.isWritableFinished(stream, false);
  let hasRead = is.isReadableFinished(stream, false);

  const onfinish = () => {
    hasWritten = true;
    if (stream.destroyed) willClose = false;
    if (willClose && (!stream.writable || readable)) return;
    if (!readable || hasRead) tell();
  };
  const onend = () => {
    hasRead = true;
    if (stream.destroyed) willClose = false;
    if (willClose && (!stream.readable || writable)) return;
    if (!writable || hasWritten) tell();
  };
  const onlegacyfinish = () => {
    if (!stream.writable) onfinish();
  };
  const onerror = (error) => tell(error);
  const known = () => {
    const error = is.isWritableErrored(stream) || is.isReadableErrored(stream);
    return error && typeof error !== 'boolean' ? error : undefined;
  };
  const onclose = () => {
    const error = known();
    if (error) return tell(error);
    if (readable && !hasRead && is.isReadableNodeStream(stream, true) && !is.isReadableFinished(stream, false)) {
      return tell(new ERR_STREAM_PREMATURE_CLOSE());
    }
    if (writable && !hasWritten && !is.isWritableFinished(stream, false)) {
      return tell(new ERR_STREAM_PREMATURE_CLOSE());
    }
    tell();
  };
  const onclosed = () => {
    const error = known();
    if (error) tell(error);
    else tell();
  };
  const onrequest = () => stream.req.on('finish', onfinish);

  if (is.isRequest(stream)) {
    stream.on('complete', onfinish);
    if (!willClose) stream.on('abort', onclose);
    if (stream.req) onrequest();
    else stream.on('request', onrequest);
  } else if (writable && !writeState) {
    stream.on('end', onlegacyfinish);
    stream.on('close', onlegacyfinish);
  }
  // Not all that are aborted emit `close`.
  if (!willClose && typeof stream.aborted === 'boolean') stream.on('aborted', onclose);
  stream.on('end', onend);
  stream.on('finish', onfinish);
  if (options.error !== false) stream.on('error', onerror);
  stream.on('close', onclose);

  if (is.isClosed(stream)) {
    binding.nextTick(onclose);
  } else if (writeState?.errorEmitted || readState?.errorEmitted) {
    if (!willClose) binding.nextTick(onclosed);
  } else if (isThrough()) {
    binding.nextTick(onclosed);
  }

  // Whether everything happened before we came, so that no event will tell.
  function isThrough() {
    if (!readable && (!willClose || is.isReadable(stream)) &&
        (hasWritten || is.isWritable(stream) === false) && !writeState?.pendingcb) {
      return true;
    }
    if (!writable && (!willClose || is.isWritable(stream)) && (hasRead || is.isReadable(stream) === false)) {
      return true;
    }
    return readState && stream.req && stream.aborted;
  }

  const cleanup = () => {
    pending = nop;
    stream.removeListener('aborted', onclose);
    stream.removeListener('complete', onfinish);
    stream.removeListener('abort', onclose);
    stream.removeListener('request', onrequest);
    if (stream.req) stream.req.removeListener('finish', onfinish);
    stream.removeListener('end', onlegacyfinish);
    stream.removeListener('close', onlegacyfinish);
    stream.removeListener('finish', onfinish);
    stream.removeListener('end', onend);
    stream.removeListener('error', onerror);
    stream.removeListener('close', onclose);
  };

  stopListening = listenForAbort(options.signal, () => {
    const one = pending;
    cleanup();
    one.call(stream, new AbortError(undefined, { cause: options.signal.reason }));
  });
  return cleanup;
}

/// Calls `abort` when the signal does; gives what stops that.
function listenForAbort(signal, abort) {
  if (!signal) return nop;
  if (signal.aborted) {
    binding.nextTick(abort);
    return nop;
  }
  const { addAbortListener } = require('internal/events/abort_listener');
  const listener = addAbortListener(signal, abort);
  return () => listener[Symbol.dispose]();
}

function eosOfWeb(stream, options, callback) {
  let aborted = false;
  let pending = callback;
  const stopListening = listenForAbort(options.signal, () => {
    aborted = true;
    const one = pending;
    pending = nop;
    one.call(stream, new AbortError(undefined, { cause: options.signal.reason }));
  });
  const settle = (...args) => {
    if (aborted) return;
    const one = pending;
    pending = nop;
    binding.nextTick(() => {
      stopListening();
      one.apply(stream, args);
    });
  };
  stream[is.kIsClosedPromise].promise.then(settle, settle);
  return nop;
}

/// The same as a promise.
function finished(stream, options) {
  let cleanUp = false;
  if (options === null) options = {};
  if (options?.cleanup) {
    validateBoolean(options.cleanup, 'cleanup');
    cleanUp = options.cleanup;
  }
  return new Promise((resolve, reject) => {
    const cleanup = eos(stream, options, (error) => {
      if (cleanUp) cleanup();
      if (error) reject(error);
      else resolve();
    });
  });
}

module.exports = { eos, finished };
