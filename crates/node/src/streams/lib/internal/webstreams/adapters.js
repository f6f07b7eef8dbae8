// Between Node's streams and the web's.
//
// Uses binding.nextTick.
'use strict';

const { Buffer } = require('buffer');
const {
  AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_STREAM_PREMATURE_CLOSE },
} = require('internal/errors');
const { validateBoolean, validateObject } = require('internal/validators');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const {
  isDestroyed, isReadable, isReadableStream, isWritable, isWritableEnded, isWritableStream,
} = require('internal/streams/is');

function nop() {}

/// Calls back out of a promise; what the callback throws is not for the promise to keep.
function callOut(callback, ...args) {
  try {
    callback(...args);
  } catch (error) {
    binding.nextTick(() => { throw error; });
  }
}

/// Waits for the end of a Node stream. To be closed too early is to have been aborted.
function whenThrough(stream, callback) {
  const cleanup = eos(stream, (error) => {
    if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') error = new AbortError(undefined, { cause: error });
    cleanup();
    // Whatever comes now has nowhere to go.
    stream.on('error', nop);
    callback(error);
  });
}

// From Node to the web.

function closedReadable() {
  const { ReadableStream } = require('internal/webstreams/readable');
  const readable = new ReadableStream();
  readable.cancel();
  return readable;
}

function closedWritable() {
  const { WritableStream } = require('internal/webstreams/writable');
  const writable = new WritableStream();
  writable.close();
  return writable;
}

function newReadableStreamFromStreamReadable(source, options = {}) {
  if (typeof source?._readableState !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('streamReadable', 'stream.Readable', source);
  }
  if (isDestroyed(source) || !isReadable(source)) return closedReadable();
  const { ReadableStream } = require('internal/webstreams/readable');
  const { ByteLengthQueuingStrategy, CountQueuingStrategy } = require('internal/webstreams/strategies');
  const { readableObjectMode: objectMode, readableHighWaterMark: highWaterMark } = source;
  const Strategy = objectMode ? CountQueuingStrategy : ByteLengthQueuingStrategy;
  const strategy = options?.strategy ?? new Strategy({ highWaterMark });

  let controller;
  source.pause();
  whenThrough(source, (error) => {
    if (error) controller.error(error);
    else controller.close();
  });
  source.on('data', (chunk) => {
    // The web knows no Buffers, and takes bytes for itself.
    if (Buffer.isBuffer(chunk) && !objectMode) chunk = new Uint8Array(chunk);
    controller.enqueue(chunk);
    if (controller.desiredSize <= 0) source.pause();
  });
  return new ReadableStream({
    start(given) { controller = given; },
    pull() { source.resume(); },
    cancel(reason) { destroyer(source, reason); },
  }, strategy);
}

function newWritableStreamFromStreamWritable(target) {
  if (typeof target?._writableState !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('streamWritable', 'stream.Writable', target);
  }
  if (isDestroyed(target) || !isWritable(target)) return closedWritable();
  const { WritableStream } = require('internal/webstreams/writable');
  const { CountQueuingStrategy } = require('internal/webstreams/strategies');
  const { writableHighWaterMark: highWaterMark, writableObjectMode: objectMode } = target;

  let controller;
  // What a write and the close wait for.
  let draining;
  let closing;
  whenThrough(target, (error) => {
    if (error != null) {
      draining?.reject(error);
      closing?.reject(error);
      closing = undefined;
      controller.error(error);
    } else if (closing !== undefined) {
      closing.resolve();
      closing = undefined;
    } else {
      controller.error(new AbortError());
    }
    controller = undefined;
  });
  target.on('drain', () => draining?.resolve());
  return new WritableStream({
    start(given) { controller = given; },
    write(chunk) {
      if (!target.writableNeedDrain && target.write(chunk)) return;
      draining = Promise.withResolvers();
      return draining.promise.finally(() => { draining = undefined; });
    },
    abort(reason) { destroyer(target, reason); },
    close() {
      if (closing === undefined && !isWritableEnded(target)) {
        closing = Promise.withResolvers();
        target.end();
        return closing.promise;
      }
      closing = undefined;
      return Promise.resolve();
    },
  }, objectMode ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark });
}

function newReadableWritablePairFromDuplex(duplex) {
  if (typeof duplex?._writableState !== 'object' || typeof duplex?._readableState !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('duplex', 'stream.Duplex', duplex);
  }
  if (isDestroyed(duplex)) return { readable: closedReadable(), writable: closedWritable() };
  const writable = isWritable(duplex) ? newWritableStreamFromStreamWritable(duplex) : closedWritable();
  const readable = isReadable(duplex) ? newReadableStreamFromStreamReadable(duplex) : closedReadable();
  return { writable, readable };
}

// From the web to Node.

function checkEncoding(encoding) {
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) throw new ERR_INVALID_ARG_VALUE(encoding, 'options.encoding');
}

/// The side of a Node stream that reads from a web stream; `node()` is that stream.
class Source {
  closed = false;

  constructor(stream, node) {
    this.reader = stream.getReader();
    this.node = node;
  }

  /// Follows the stream's own end, once the Node stream is there.
  watch() {
    this.reader.closed.then(() => { this.closed = true; }, (error) => {
      this.closed = true;
      destroyer(this.node(), error);
    });
  }

  read() {
    this.reader.read().then(
      ({ done, value }) => { this.node().push(done ? null : value); },
      (error) => destroyer(this.node(), error));
  }

  /// Gives a promise if there is something to be closed.
  close(error) {
    return this.closed ? undefined : this.reader.cancel(error);
  }
}

class Target {
  closed = false;

  constructor(stream, node, { decodeStrings, objectMode }) {
    this.writer = stream.getWriter();
    this.node = node;
    this.decodes = decodeStrings && !objectMode;
  }

  watch() {
    this.writer.closed.then(() => {
      this.closed = true;
      if (!isWritableEnded(this.node())) destroyer(this.node(), new ERR_STREAM_PREMATURE_CLOSE());
    }, (error) => {
      this.closed = true;
      destroyer(this.node(), error);
    });
  }

  #bytes(chunk, encoding) {
    if (typeof chunk !== 'string' || !this.decodes) return chunk;
    const { buffer, byteOffset, byteLength } = Buffer.from(chunk, encoding);
    return new Uint8Array(buffer, byteOffset, byteLength);
  }

  write(chunk, encoding, callback) {
    chunk = this.#bytes(chunk, encoding);
    const done = (error) => {
      try {
        callback(error);
      } catch (thrown) {
        destroyer(this.node(), thrown);
      }
    };
    this.writer.ready.then(() => this.writer.write(chunk).then(() => done(), done), done);
  }

  writev(chunks, callback) {
    const done = (error) => {
      try {
        callback(error);
      } catch (thrown) {
        binding.nextTick(() => destroyer(this.node(), thrown));
      }
    };
    this.writer.ready.then(
      () => Promise.all(chunks.map(({ chunk }) => this.writer.write(chunk))).then(() => done(), done), done);
  }

  final(callback) {
    const done = (error) => {
      try {
        callback(error);
      } catch (thrown) {
        binding.nextTick(() => destroyer(this.node(), thrown));
      }
    };
    if (!this.closed) this.writer.close().then(() => done(), done);
  }

  close(error) {
    if (this.closed) return undefined;
    return error != null ? this.writer.abort(error) : this.writer.close();
  }
}

function newStreamReadableFromReadableStream(readableStream, options = {}) {
  if (!isReadableStream(readableStream)) {
    throw new ERR_INVALID_ARG_TYPE('readableStream', 'ReadableStream', readableStream);
  }
  validateObject(options, 'options');
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  checkEncoding(encoding);
  validateBoolean(objectMode, 'options.objectMode');
  const Readable = require('internal/streams/readable');
  const source = new Source(readableStream, () => readable);
  const readable = new Readable({
    objectMode,
    highWaterMark,
    encoding,
    signal,
    read() { source.read(); },
    destroy(error, callback) {
      const done = () => callOut(callback, error);
      const closing = source.close(error);
      if (closing === undefined) done();
      else closing.then(done, done);
    },
  });
  source.watch();
  return readable;
}

function newStreamWritableFromWritableStream(writableStream, options = {}) {
  if (!isWritableStream(writableStream)) {
    throw new ERR_INVALID_ARG_TYPE('writableStream', 'WritableStream', writableStream);
  }
  validateObject(options, 'options');
  const { highWaterMark, decodeStrings = true, objectMode = false, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  validateBoolean(decodeStrings, 'options.decodeStrings');
  const Writable = require('internal/streams/writable');
  const target = new Target(writableStream, () => writable, { decodeStrings, objectMode });
  const writable = new Writable({
    highWaterMark,
    objectMode,
    decodeStrings,
    signal,
    write: (chunk, encoding, callback) => target.write(chunk, encoding, callback),
    writev: (chunks, callback) => target.writev(chunks, callback),
    final: (callback) => target.final(callback),
    destroy(error, callback) {
      const done = () => callOut(callback, error);
      const closing = target.close(error);
      if (closing === undefined) done();
      else closing.then(done, done);
    },
  });
  target.watch();
  return writable;
}

function newStreamDuplexFromReadableWritablePair(pair = {}, options = {}) {
  validateObject(pair, 'pair');
  const { readable: readableStream, writable: writableStream } = pair;
  if (!isReadableStream(readableStream)) throw new ERR_INVALID_ARG_TYPE('pair.readable', 'ReadableStream', readableStream);
  if (!isWritableStream(writableStream)) throw new ERR_INVALID_ARG_TYPE('pair.writable', 'WritableStream', writableStream);
  validateObject(options, 'options');
  const { allowHalfOpen = false, objectMode = false, encoding, decodeStrings = true, highWaterMark, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  checkEncoding(encoding);
  const Duplex = require('internal/streams/duplex');
  const target = new Target(writableStream, () => duplex, { decodeStrings, objectMode });
  const source = new Source(readableStream, () => duplex);
  const duplex = new Duplex({
    allowHalfOpen,
    highWaterMark,
    objectMode,
    encoding,
    decodeStrings,
    signal,
    read() { source.read(); },
    write: (chunk, enc, callback) => target.write(chunk, enc, callback),
    writev: (chunks, callback) => target.writev(chunks, callback),
    final: (callback) => target.final(callback),
    destroy(error, callback) {
      const done = () => callOut(callback, error);
      if (target.closed && source.closed) done();
      else Promise.all([target.close(error), source.close(error)]).then(done, done);
    },
  });
  target.watch();
  source.watch();
  return duplex;
}

module.exports = {
  newReadableStreamFromStreamReadable, newWritableStreamFromStreamWritable, newReadableWritablePairFromDuplex,
  newStreamReadableFromReadableStream, newStreamWritableFromWritableStream, newStreamDuplexFromReadableWritablePair,
};
