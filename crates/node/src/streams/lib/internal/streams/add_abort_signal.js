// `addAbortSignal`: a stream that a signal ends (STREAM-42).
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isNodeStream, isWebStream, kControllerErrorFunction } = require('internal/streams/is');

const STREAMS = ['ReadableStream', 'WritableStream', 'Stream'];

function isSignal(it) {
  return typeof it === 'object' && 'aborted' in it;
}

function addAbortSignal(signal, stream) {
  let wrong;
  if (!isSignal(signal)) wrong = ['signal', 'AbortSignal', signal];
  else if (!isNodeStream(stream) && !isWebStream(stream)) wrong = ['stream', STREAMS, stream];
  if (wrong !== undefined) throw new ERR_INVALID_ARG_TYPE(...wrong);
  return connect(signal, stream);
}

function connect(signal, stream) {
  if (!isSignal(signal)) return stream;
  const abort = () => {
    const reason = new AbortError(undefined, { cause: signal.reason });
    isNodeStream(stream) ? stream.destroy(reason) : stream[kControllerErrorFunction](reason);
  };
  if (signal.aborted) {
    abort();
    return stream;
  }
  const { addAbortListener } = require('internal/events/abort_listener');
  const listener = addAbortListener(signal, abort);
  // A stream that is over keeps nothing alive.
  require('internal/streams/end_of_stream').eos(stream, listener[Symbol.dispose]);
  return stream;
}

module.exports = { addAbortSignal, connect };
