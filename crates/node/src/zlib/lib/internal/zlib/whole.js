// All of something at once: `gzip(data, callback)`, `gzipSync(data)` and their kin (rules ZLIB-15 and ZLIB-16).
'use strict';

const { Buffer } = require('buffer');
const { genericNodeError, codes: { ERR_BUFFER_TOO_LARGE, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { validateFunction } = require('internal/validators');
const { flowSettings } = require('internal/zlib/options');
const { drain, drainStream, joined } = require('internal/zlib/stream');

// Options of the codec alone: with these it needs no stream around it.
const ofCodec = new Set([
  'chunkSize', 'flush', 'finishFlush', 'maxOutputLength', 'windowBits', 'level', 'memLevel', 'strategy', 'dictionary', 'params',
]);

function needsStream(options) {
  for (const name in options) if (!ofCodec.has(name)) return true;
  return false;
}

function asBytes(data) {
  if (typeof data === 'string' || isAnyArrayBuffer(data)) return Buffer.from(data);
  if (isArrayBufferView(data)) return data;
  throw new ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], data);
}

const result = (stream, buffer) => (stream._info ? { buffer, engine: stream } : buffer);

function fail(message, errno, code) {
  throw genericNodeError(message, { errno, code });
}

function runCodec(kind, data, options) {
  const state = new Uint32Array(2);
  const handle = kind.open(options, state);
  handle.onerror = fail;
  try {
    const flow = flowSettings(kind.mode, options);
    return joined(drain(handle, state, asBytes(data), flow.finishFlush, flow.most, Buffer.allocUnsafe(flow.chunkSize)));
  } finally {
    handle.close();
  }
}

/// Gives what a stream makes of the data to a callback, once.
function collect(stream, data, callback) {
  const pieces = [];
  let total = 0;
  const gotEnd = () => {
    const all = joined({ pieces, total });
    stream.close();
    callback(null, result(stream, all));
  };
  stream.on('data', (piece) => {
    pieces.push(piece);
    total += piece.length;
    if (total <= stream._maxOutputLength) return;
    stream.close();
    callback(new ERR_BUFFER_TOO_LARGE(stream._maxOutputLength));
  });
  stream.on('error', (error) => {
    stream.removeListener('end', gotEnd);
    callback(error);
  });
  stream.on('end', gotEnd);
  stream.end(isAnyArrayBuffer(data) ? Buffer.from(data) : data);
}

exports.withCallback = ({ Class }) => function asyncBufferWrapper(data, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const stream = new Class(options);
  validateFunction(callback, 'callback');
  collect(stream, data, callback);
};

exports.atOnce = (kind) => function syncBufferWrapper(data, options) {
  if (!needsStream(options)) return runCodec(kind, data, options);
  const stream = new kind.Class(options);
  return result(stream, drainStream(stream, asBytes(data), stream._finishFlushFlag));
};
