// A stream that a signal can end.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isNodeStream, isWebStream, kControllerErrorFunction } = require('internal/streams/is');

/// The function programs see, which checks what it is given.
function addAbortSignal(signal, stream) {
  if (typeof signal !== 'object' || !('aborted' in signal)) {
    throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  }
  if (!isNodeStream(stream) && !isWebStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return connect(signal, stream);
}

function connect(signal, stream) {
  if (typeof signal !== 'object' || !('aborted' in signal)) return stream;
  const onAbort = () => {
    const error = new AbortError(undefined, { cause: signal.reason });
    if (isNodeStream(stream)) stream.destroy(error);
    else stream[kControllerErrorFunction](error);
  };
  if (signal.aborted) {
    onAbort();
  } else {
    const { addAbortListener } = require('internal/events/abort_listener');
    const { eos } = require('internal/streams/end_of_stream');
    const listener = addAbortListener(signal, onAbort);
    eos(stream, listener[Symbol.dispose]);
  }
  return stream;
}

module.exports = { addAbortSignal, connect };
