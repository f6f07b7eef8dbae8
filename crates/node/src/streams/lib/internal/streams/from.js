// `Readable.from`: a stream of what an iterable gives, asked for one by one.
//
// Uses binding.nextTick.
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_NULL_VALUES } } = require('internal/errors');

/// `Class` is Readable or Duplex.
function from(Class, iterable, options) {
  if (typeof iterable === 'string' || iterable instanceof Buffer) {
    return new Class({
      objectMode: true,
      ...options,
      read() {
        this.push(iterable);
        this.push(null);
      },
    });
  }
  let iterator;
  let isAsync;
  if (iterable?.[Symbol.asyncIterator]) {
    isAsync = true;
    iterator = iterable[Symbol.asyncIterator]();
  } else if (iterable?.[Symbol.iterator]) {
    isAsync = false;
    iterator = iterable[Symbol.iterator]();
  } else {
    throw new ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);
  }

  const stream = new Class({ objectMode: true, highWaterMark: 1, ...options });
  const ownDestroy = stream._destroy;
  let reading = false;
  stream._read = () => {
    if (reading) return;
    reading = true;
    advance();
  };
  stream._destroy = (error, callback) => {
    ownDestroy.call(stream, error, (reason) => {
      close(iterator, reason ?? error).then(
        () => binding.nextTick(callback, reason ?? error),
        (thrown) => binding.nextTick(callback, thrown || (reason ?? error)));
    });
  };

  // Takes values until the stream has enough; waits only where it must.
  async function advance() {
    try {
      while (true) {
        const { value, done } = isAsync ? await iterator.next() : iterator.next();
        if (done) {
          stream.push(null);
          return;
        }
        const chunk = value && typeof value.then === 'function' ? await value : value;
        if (chunk === null) {
          reading = false;
          throw new ERR_STREAM_NULL_VALUES();
        }
        if (!stream.push(chunk)) {
          reading = false;
          return;
        }
      }
    } catch (error) {
      stream.destroy(error);
    }
  }
  return stream;
}

/// Tells the iterator that no more is wanted, and why.
async function close(iterator, error) {
  if (error != null && typeof iterator.throw === 'function') {
    const { value, done } = await iterator.throw(error);
    await value;
    if (done) return;
  }
  if (typeof iterator.return === 'function') {
    const { value } = await iterator.return();
    await value;
  }
}

module.exports = from;
