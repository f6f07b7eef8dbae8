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
  isDestroyed, isReadable, isReadableStream, isWritable, isWritableEnded, isWritableNodeStream, isWritableStream,
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

function need(value, isKind, name, kind) {
  if (!isKind(value)) throw new ERR_INVALID_ARG_TYPE(name, kind, value);
}

const hasReadable = (stream) => typeof stream?._readableState === 'object';
const hasWritable = (stream) => typeof stream?._writableState === 'object';
const hasBoth = (stream) => hasReadable(stream) && hasWritable(stream);

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
  need(source, hasReadable, 'streamReadable', 'stream.Readable');
  if (isDestroyed(source) || !isReadable(source)) return closedReadable();
  const { ReadableStream } = require('internal/webstreams/readable');
  const strategy = options?.strategy ?? strategyLike(source);

  let controller;
  let isCancelled = false;
  source.pause();
  whenThrough(source, (error) => {
    if (error) controller.error(error);
    else if (!isCancelled) controller.close();
  });
  const forWeb = source.readableObjectMode ? (chunk) => chunk : plainBytes;
  source.on('data', (chunk) => {
    controller.enqueue(forWeb(chunk));
    if (controller.desiredSize <= 0) source.pause();
  });
  const start = (given) => { controller = given; };
  const pull = () => { source.resume(); };
  const cancel = (reason) => {
    isCancelled = true;
    destroyer(source, reason);
  };
  return new ReadableStream({ start, pull, cancel }, strategy);
}

// A queue as long as the one of the Node stream.
function strategyLike({ readableObjectMode, readableHighWaterMark: highWaterMark }) {
  const { ByteLengthQueuingStrategy, CountQueuingStrategy } = require('internal/webstreams/strategies');
  return readableObjectMode ? new CountQueuingStrategy({ highWaterMark }) : new ByteLengthQueuingStrategy({ highWaterMark });
}

// The web knows no Buffers, and takes bytes for itself.
function plainBytes(chunk) {
  return Buffer.isBuffer(chunk) ? new Uint8Array(chunk) : chunk;
}

function newWritableStreamFromStreamWritable(target) {
  need(target, isWritableNodeStream, 'streamWritable', 'stream.Writable');
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
      controller.error(error);
    } else if (closing !== undefined) {
      closing.resolve();
    } else {
      controller.error(new AbortError());
    }
    closing = controller = undefined;
  });
  target.on('drain', () => draining?.resolve());

  const start = (given) => { controller = given; };
  const abort = (reason) => { destroyer(target, reason); };
  const write = (chunk) => {
    if (!target.writableNeedDrain && target.write(chunk)) return undefined;
    draining = Promise.withResolvers();
    return draining.promise.finally(() => { draining = undefined; });
  };
  const close = () => {
    // Nobody waits twice, nor for a stream that was ended from its other side.
    const known = closing !== undefined || isWritableEnded(target);
    closing = known ? undefined : Promise.withResolvers();
    const waiting = known ? Promise.resolve() : closing.promise;
    if (!known) target.end();
    return waiting;
  };
  const strategy = objectMode ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark };
  return new WritableStream({ start, write, abort, close }, strategy);
}

function newReadableWritablePairFromDuplex(duplex) {
  need(duplex, hasBoth, 'duplex', 'stream.Duplex');
  if (isDestroyed(duplex)) return { readable: closedReadable(), writable: closedWritable() };
  const writable = newWritableStreamFromStreamWritable(duplex);
  return { writable, readable: newReadableStreamFromStreamReadable(duplex) };
}

// From the web to Node.

const CHECKS = {
  encoding(value) {
    if (value !== undefined && !Buffer.isEncoding(value)) throw new ERR_INVALID_ARG_VALUE(value, 'options.encoding');
  },
  objectMode: (value) => validateBoolean(value, 'options.objectMode'),
  decodeStrings: (value) => validateBoolean(value, 'options.decodeStrings'),
};

// The options of a Node stream; those named are checked, in that order.
function optionsOf(options, ...checked) {
  validateObject(options, 'options');
  const { allowHalfOpen = false, decodeStrings = true, encoding, highWaterMark, objectMode = false, signal } = options;
  const chosen = { allowHalfOpen, decodeStrings, encoding, highWaterMark, objectMode, signal };
  for (const name of checked) CHECKS[name](chosen[name]);
  return chosen;
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

  // Calls back with or without an error; what the callback throws is the stream's end.
  #caller(callback, end) {
    return (error) => {
      try {
        callback(error);
      } catch (thrown) {
        end(thrown);
      }
    };
  }

  #endSoon = (error) => binding.nextTick(() => destroyer(this.node(), error));

  write(chunk, encoding, callback) {
    const bytes = this.#bytes(chunk, encoding);
    const done = this.#caller(callback, (error) => destroyer(this.node(), error));
    this.writer.ready.then(() => this.writer.write(bytes).then(() => done(), done), done);
  }

  writev(chunks, callback) {
    const done = this.#caller(callback, this.#endSoon);
    const writeAll = () => Promise.all(chunks.map(({ chunk }) => this.writer.write(chunk)));
    this.writer.ready.then(() => writeAll().then(() => done(), done), done);
  }

  final(callback) {
    const done = this.#caller(callback, this.#endSoon);
    if (!this.closed) this.writer.close().then(() => done(), done);
  }

  close(error) {
    if (this.closed) return undefined;
    return error != null ? this.writer.abort(error) : this.writer.close();
  }
}

// What a Node stream does by means of its sides; it is destroyed once they are closed.
const reads = (source) => ({ read() { source.read(); } });

const writes = (target) => ({
  write: (chunk, encoding, callback) => target.write(chunk, encoding, callback),
  writev: (chunks, callback) => target.writev(chunks, callback),
  final: (callback) => target.final(callback),
});

function destroys(side) {
  return {
    destroy(error, callback) {
      const done = () => callOut(callback, error);
      const closing = side.close(error);
      if (closing === undefined) done();
      else closing.then(done, done);
    },
  };
}

function newStreamReadableFromReadableStream(readableStream, options = {}) {
  need(readableStream, isReadableStream, 'readableStream', 'ReadableStream');
  const chosen = optionsOf(options, 'encoding', 'objectMode');
  const Readable = require('internal/streams/readable');
  const source = new Source(readableStream, () => readable);
  const readable = new Readable({ ...chosen, ...reads(source), ...destroys(source) });
  source.watch();
  return readable;
}

function newStreamWritableFromWritableStream(writableStream, options = {}) {
  need(writableStream, isWritableStream, 'writableStream', 'WritableStream');
  const chosen = optionsOf(options, 'objectMode', 'decodeStrings');
  const Writable = require('internal/streams/writable');
  const target = new Target(writableStream, () => writable, chosen);
  const writable = new Writable({ ...chosen, ...writes(target), ...destroys(target) });
  target.watch();
  return writable;
}

function newStreamDuplexFromReadableWritablePair(pair = {}, options = {}) {
  validateObject(pair, 'pair');
  need(pair.readable, isReadableStream, 'pair.readable', 'ReadableStream');
  need(pair.writable, isWritableStream, 'pair.writable', 'WritableStream');
  const chosen = optionsOf(options, 'objectMode', 'encoding');
  const Duplex = require('internal/streams/duplex');
  const target = new Target(pair.writable, () => duplex, chosen);
  const source = new Source(pair.readable, () => duplex);
  const both = {
    close: (error) => (target.closed && source.closed ? undefined : Promise.all([target.close(error), source.close(error)])),
  };
  const duplex = new Duplex({ ...chosen, ...reads(source), ...writes(target), ...destroys(both) });
  target.watch();
  source.watch();
  return duplex;
}

module.exports = {
  newReadableStreamFromStreamReadable, newWritableStreamFromStreamWritable, newReadableWritablePairFromDuplex,
  newStreamReadableFromReadableStream, newStreamWritableFromWritableStream, newStreamDuplexFromReadableWritablePair,
};
