// `Duplex.from`: a duplex stream of nearly anything.
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

function duplexify(body, name) {
  if (is.isDuplexNodeStream(body)) return body;
  if (is.isReadableNodeStream(body)) return ofPair({ readable: body });
  if (is.isWritableNodeStream(body)) return ofPair({ writable: body });
  if (is.isNodeStream(body)) return ofPair({ writable: false, readable: false });
  if (is.isReadableStream(body)) return ofPair({ readable: require('internal/streams/readable').fromWeb(body) });
  if (is.isWritableStream(body)) return ofPair({ writable: require('internal/streams/writable').fromWeb(body) });
  if (typeof body === 'function') return ofFunction(body, name);
  if (isBlob(body)) return duplexify(body.arrayBuffer());
  if (is.isIterable(body)) return from(Duplexify, body, { objectMode: true, writable: false });
  if (is.isReadableStream(body?.readable) && is.isWritableStream(body?.writable)) return Duplexify.fromWeb(body);
  if (typeof body?.writable === 'object' || typeof body?.readable === 'object') {
    const side = (one, isNode) => (one ? (isNode(one) ? one : duplexify(one)) : undefined);
    return ofPair({
      readable: side(body.readable, is.isReadableNodeStream),
      writable: side(body.writable, is.isWritableNodeStream),
    });
  }
  if (typeof body?.then === 'function') return ofPromise(body);
  throw new ERR_INVALID_ARG_TYPE(name, [
    'Blob', 'ReadableStream', 'WritableStream', 'Stream', 'Iterable', 'AsyncIterable', 'Function',
    '{ readable, writable } pair', 'Promise',
  ], body);
}

// Without loading what makes blobs, for a program that has none.
function isBlob(it) {
  return typeof it === 'object' && it !== null && /^\[object (?:Blob|File)\]$/.test(Object.prototype.toString.call(it)) &&
    require('internal/blob').isBlob(it);
}

function ofPromise(promise) {
  const duplex = new Duplexify({ objectMode: true, writable: false, read() {} });
  promise.then((value) => {
    if (value != null) duplex.push(value);
    duplex.push(null);
  }, (error) => destroyer(duplex, error));
  return duplex;
}

function ofFunction(fn, name) {
  const { value, write, final, destroy } = feed(fn);
  if (is.isIterable(value)) return from(Duplexify, value, { objectMode: true, write, final, destroy });
  const then = value?.then;
  if (typeof then !== 'function') {
    throw new ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, value);
  }
  // A function that only takes: it is through when its promise is.
  const done = then.call(value, (result) => {
    if (result != null) throw new ERR_INVALID_RETURN_VALUE('nully', 'body', result);
  }, (error) => destroyer(duplex, error));
  const duplex = new Duplexify({
    objectMode: true,
    readable: false,
    write,
    final(callback) {
      final(async () => {
        try {
          await done;
          binding.nextTick(callback, null);
        } catch (error) {
          binding.nextTick(callback, error);
        }
      });
    },
    destroy,
  });
  return duplex;
}

/// Calls a function with what is going to be written as an asynchronous iterable.
function feed(fn) {
  const { AbortController } = require('internal/abort_controller');
  const controller = new AbortController();
  const { signal } = controller;
  let next = Promise.withResolvers();
  const value = fn(async function* () {
    while (true) {
      const { promise } = next;
      const { chunk, done, callback } = await promise;
      binding.nextTick(callback);
      if (done) return;
      if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
      next = Promise.withResolvers();
      yield chunk;
    }
  }(), { signal });
  return {
    value,
    write(chunk, encoding, callback) {
      next.resolve({ chunk, done: false, callback });
    },
    final(callback) {
      next.resolve({ done: true, callback });
    },
    destroy(error, callback) {
      controller.abort();
      callback(error);
    },
  };
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
  let open = Number(readable) + Number(writable);
  const through = (error) => {
    open--;
    if (error) destroyer(source, error);
    if (closing.settle(error)) return;
    if (error) duplex.destroy(error);
    else if (open === 0) duplex.destroy();
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
