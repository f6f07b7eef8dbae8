// `stream`: the classes, and what works on streams of any make.
'use strict';

const { Buffer } = require('buffer');
const { deprecate } = require('internal/util/deprecate');
const { promisify } = require('internal/util/promisify');
const { isUint8Array } = require('internal/util/types');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const compose = require('internal/streams/compose');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require('internal/streams/high_water_mark');
const { isDestroyed, isDisturbed, isErrored, isReadable, isWritable } = require('internal/streams/is');
const { Stream } = require('internal/streams/legacy');
const operators = require('internal/streams/operators');
const { pipeline } = require('internal/streams/pipeline');
const Readable = require('internal/streams/readable');

module.exports = Stream;

for (const fn of [isDestroyed, isDisturbed, isErrored, isReadable, isWritable]) Stream[fn.name] = fn;
Stream.Readable = Readable;

function method(name, length, value) {
  Object.defineProperty(value, 'name', { value: name, configurable: true });
  Object.defineProperty(value, 'length', { value: length, configurable: true });
  Object.defineProperty(Readable.prototype, name, { value, writable: true, configurable: true, enumerable: false });
}

const { codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');

for (const [name, operator] of Object.entries(operators.streams)) {
  let fn = function(...args) {
    if (new.target) throw new ERR_ILLEGAL_CONSTRUCTOR();
    return Readable.from(Reflect.apply(operator, this, args));
  };
  if (name === 'asIndexedPairs') {
    fn = deprecate(fn, 'readable.asIndexedPairs will be removed in a future version.');
  }
  method(name, operator.length, fn);
}
for (const [name, operator] of Object.entries(operators.promises)) {
  method(name, operator.length, function(...args) {
    if (new.target) throw new ERR_ILLEGAL_CONSTRUCTOR();
    return Reflect.apply(operator, this, args);
  });
}

Stream.Writable = require('internal/streams/writable');
Stream.Duplex = require('internal/streams/duplex');
Stream.Transform = require('internal/streams/transform');
Stream.PassThrough = require('internal/streams/passthrough');
Stream.duplexPair = require('internal/streams/duplexpair');
Stream.pipeline = pipeline;
Stream.addAbortSignal = addAbortSignal;
Stream.finished = eos;
Stream.destroy = destroyer;
Stream.compose = compose;
Stream.setDefaultHighWaterMark = setDefaultHighWaterMark;
Stream.getDefaultHighWaterMark = getDefaultHighWaterMark;

Object.defineProperty(Stream, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('stream/promises'); },
});
for (const [fn, name] of [[pipeline, 'pipeline'], [eos, 'finished']]) {
  Object.defineProperty(fn, promisify.custom, {
    __proto__: null,
    enumerable: true,
    get() { return require('stream/promises')[name]; },
  });
}

// Compatibility with the first streams: the module is the class.
Stream.Stream = Stream;
Stream._isArrayBufferView = ArrayBuffer.isView;
Stream._isUint8Array = isUint8Array;
Stream._uint8ArrayToBuffer = function _uint8ArrayToBuffer(chunk) {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
};
