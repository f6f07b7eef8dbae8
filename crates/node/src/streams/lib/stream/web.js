// `stream/web`.
'use strict';

const {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, ReadableStreamBYOBRequest,
  ReadableByteStreamController, ReadableStreamDefaultController,
} = require('internal/webstreams/readable');
const { TransformStream, TransformStreamDefaultController } = require('internal/webstreams/transform');
const { WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController } = require('internal/webstreams/writable');
const { ByteLengthQueuingStrategy, CountQueuingStrategy } = require('internal/webstreams/strategies');
const { TextEncoderStream, TextDecoderStream } = require('internal/webstreams/encoding');
const { CompressionStream, DecompressionStream } = require('internal/webstreams/compression');

module.exports = {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, ReadableStreamBYOBRequest,
  ReadableByteStreamController, ReadableStreamDefaultController, TransformStream, TransformStreamDefaultController,
  WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController, ByteLengthQueuingStrategy,
  CountQueuingStrategy, TextEncoderStream, TextDecoderStream, CompressionStream, DecompressionStream,
};
