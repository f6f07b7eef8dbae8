// `Duplex.from`: a duplex stream of nearly anything (STREAM-47).
//
// Uses binding.nextTick.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE } } = require('internal/errors');
const { Closing, coupleReadable, coupleWritable, release } = require('internal/streams/coupling');
const { destroyer } = require('internal/streams/destroy');
const Duplex = require('internal/streams/duplex');
const { eos } = require('internal/streams/end_of_stream');
const from = require('internal/streams/from');
const is = require('internal/streams/is');

// A class of its own: what comes from here is told apart by its name.
class Duplexify extends Duplex {}

// What a duplex stream can be made of, and how: the first row that fits.
const kinds = [
  [is.isDuplexNodeStream, (body) => body],
  [is.isReadableNodeStream, (body) => ofPair({ readable: body })],
  [is.isWritableNodeStream, (body) => ofPair({ writable: body })],
  [is.isNodeStream, () => ofPair({ writable: false, readable: false })],
  [is.isReadableStream, (body) => ofPair({ readable: require('internal/streams/readable').fromWeb(body) })],
  [is.isWritableStream, (body) => ofPair({ writable: require('internal/streams/writable').fromWeb(body) })],
  [(body) => typeof body === 'function', ofFunction],
  [isBlob, (body) => duplexify(body.arrayBuffer())],
  [(body) => is.isIterable(body), (body) => from(Duplexify, body, { objectMode: true, writable: false })],
  [(body) => is.isReadableStream(body?.readable) && is.isWritableStream(body?.writable), (body) => Duplexify.fromWeb(body)],
  [(body) => typeof body?.writable === 'object' || typeof body?.readable === 'object', (body) => ofPair({
    readable: sideOf(body.readable, is.isReadableNodeStream),
    writable: sideOf(body.writable, is.isWritableNodeStream),
  })],
  [(body) => typeof body?.then === 'function', ofPromise],
];

function duplexify(body, name) {
  const kind = kinds.find(([fits]) => fits(body));
  if (kind !== undefined) return kind[1](body, name);
  throw new ERR_INVALID_ARG_TYPE(name, [
    'Blob', 'ReadableStream', 'WritableStream', 'Stream', 'Iterable', 'AsyncIterable', 'Function',
    '{ readable, writable } pair', 'Promise',
  ], body);
}

function sideOf(one, isNode) {
  if (!one) return undefined;
  return isNode(one) ? one : duplexify(one);
}

// Without loading what makes blobs, for a program that has none.
function isBlob(it) {
  return typeof it === 'object' && it !== null && /^\[object (?:Blob|File)\]$/.test(Object.prototype.toString.call(it)) &&
    require('internal/blob').isBlob(it);
}

/// Reads the value of a promise.
function ofPromise(promise) {
  const duplex = new Duplexify({ objectMode: true, writable: false, read() {} });
  promise.then((value) => {
    if (value != null) duplex.push(value);
    duplex.push(null);
  }, (error) => destroyer(duplex, error));
  return duplex;
}

/// Writes to what a function reads, and reads what it gives.
function ofFunction(fn, name) {
  const mailbox = new Mailbox();
  const value = fn(mailbox.chunks(), { signal: mailbox.signal });
  const options = {
    objectMode: true,
    write: (chunk, encoding, callback) => mailbox.put({ chunk, isLast: false, callback }),
    final: (callback) => mailbox.put({ isLast: true, callback }),
    destroy: (error, callback) => {
      mailbox.abort();
      callback(error);
    },
  };
  if (is.isIterable(value)) return from(Duplexify, value, options);
  if (typeof value?.then === 'function') return ofConsumer(value, options);
  throw new ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, value);
}

/// A function that gives nothing back but the promise that it is through.
function ofConsumer(promise, options) {
  const { final } = options;
  const through = promise.then((value) => {
    if (value != null) throw new ERR_INVALID_RETURN_VALUE('nully', 'body', value);
  }, (error) => destroyer(duplex, error));
  const duplex = new Duplexify({
    ...options,
    readable: false,
    final(callback) {
      final(async () => {
        let outcome = null;
        try {
          await through;
        } catch (error) {
          outcome = error;
        }
        binding.nextTick(callback, outcome);
      });
    },
  });
  return duplex;
}

/// Has room for one chunk, which a generator takes out.
class Mailbox {
  #controller = new (require('internal/abort_controller').AbortController)();
  #next = Promise.withResolvers();

  get signal() { return this.#controller.signal; }

  put(letter) {
    this.#next.resolve(letter);
  }

  abort() {
    this.#controller.abort();
  }

  async *chunks() {
    for (;;) {
      const { chunk, isLast, callback } = await this.#next.promise;
      binding.nextTick(callback);
      if (isLast) return;
      if (this.signal.aborted) throw new AbortError(undefined, { cause: this.signal.reason });
      this.#next = Promise.withResolvers();
      yield chunk;
    }
  }
}

function ofPair(pair) {
  const source = pair.readable && typeof pair.readable.read !== 'function'
    ? require('internal/streams/readable').wrap(pair.readable)
    : pair.readable;
  const target = pair.writable;
  const readable = Boolean(is.isReadable(source));
  const writable = Boolean(is.isWritable(target));
  const closing = new Closing();
  const duplex = new Duplexify({
    readableObjectMode: Boolean(source?.readableObjectMode),
    writableObjectMode: Boolean(target?.writableObjectMode),
    readable,
    writable,
  });
  // Where all goes well it is over when its own reader and writer are through.
  const through = (error) => {
    if (error) destroyer(source, error);
    if (!closing.settle(error) && error) duplex.destroy(error);
  };
  const allWaits = [];
  if (writable) {
    eos(target, through);
    const waits = coupleWritable(duplex, target);
    target.on('finish', () => release(waits, 'finish'));
    allWaits.push(waits);
  }
  if (readable) {
    eos(source, through);
    allWaits.push(coupleReadable(duplex, source));
  }
  duplex._destroy = (error, callback) => {
    closing.begin(error, callback, allWaits, (reason, isOver) => {
      if (isOver) return;
      destroyer(target, reason);
      destroyer(source, reason);
    });
  };
  return duplex;
}

module.exports = { duplexify };
