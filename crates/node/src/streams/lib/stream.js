// `stream`: the classes, and what works on streams of any make.
'use strict';

const { addAbortSignal } = require('internal/streams/add_abort_signal');
const { destroyer } = require('internal/streams/destroy');
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require('internal/streams/high_water_mark');
const { isDestroyed, isDisturbed, isErrored, isReadable, isWritable } = require('internal/streams/is');
const { Stream } = require('internal/streams/legacy');
const Readable = require('internal/streams/readable');

module.exports = Stream;

for (const fn of [isDestroyed, isDisturbed, isErrored, isReadable, isWritable]) Stream[fn.name] = fn;
Stream.Readable = Readable;
Stream.Writable = require('internal/streams/writable');
Stream.Duplex = require('internal/streams/duplex');
Stream.Transform = require('internal/streams/transform');
Stream.PassThrough = require('internal/streams/passthrough');
Stream.duplexPair = function duplexPair(options) {
  return require('internal/streams/duplexpair')(options);
};
Stream.pipeline = function pipeline(...streams) {
  return require('internal/streams/pipeline').pipeline(...streams);
};
Stream.addAbortSignal = addAbortSignal;
Stream.finished = require('internal/streams/end_of_stream').eos;
Stream.destroy = destroyer;
Stream.compose = function compose(...streams) {
  return require('internal/streams/compose')(...streams);
};
Stream.setDefaultHighWaterMark = setDefaultHighWaterMark;
Stream.getDefaultHighWaterMark = getDefaultHighWaterMark;

Object.defineProperty(Stream, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('stream/promises'); },
});
for (const name of ['pipeline', 'finished']) {
  Object.defineProperty(Stream[name], Symbol.for('nodejs.util.promisify.custom'), {
    __proto__: null,
    enumerable: true,
    get() { return require('stream/promises')[name]; },
  });
}

// Compatibility with the first streams: the module is the class.
Stream.Stream = Stream;
Stream._isArrayBufferView = ArrayBuffer.isView;
Stream._isUint8Array = require('internal/util/types').isUint8Array;
Stream._uint8ArrayToBuffer = function _uint8ArrayToBuffer(chunk) {
  return require('buffer').Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
};
