// `Readable.from`: what an iterable gives, as a stream (STREAM-38).
//
// Uses binding.nextTick.
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_NULL_VALUES } } = require('internal/errors');

/// Takes values from an iterator as long as the stream has room for them.
class Pump {
  #iterator;
  #stream;
  #isAsync;
  #isRunning = false;

  constructor(iterator, isAsync, stream) {
    this.#iterator = iterator;
    this.#isAsync = isAsync;
    this.#stream = stream;
  }

  run() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    if (this.#isAsync) this.#runAsync();
    else this.#runSync();
  }

  async #runAsync() {
    try {
      for (;;) {
        const { done, value } = await this.#iterator.next();
        if (done) {
          this.#stream.push(null);
          return;
        }
        if (!this.#give(typeof value?.then === 'function' ? await value : value)) return;
      }
    } catch (error) {
      this.#stream.destroy(error);
    }
  }

  #runSync() {
    const iterator = this.#iterator;
    const stream = this.#stream;
    try {
      for (;;) {
        const { done, value } = iterator.next();
        if (done) {
          stream.push(null);
          return;
        }
        if (typeof value?.then === 'function') {
          this.#goOnWith(value);
          return;
        }
        if (value === null || !stream.push(value)) {
          this.#stop(value);
          return;
        }
      }
    } catch (error) {
      stream.destroy(error);
    }
  }

  async #goOnWith(promise) {
    try {
      if (!this.#give(await promise)) return;
    } catch (error) {
      this.#stream.destroy(error);
      return;
    }
    this.#runSync();
  }

  /// Says whether there is room for more.
  #give(value) {
    if (value !== null && this.#stream.push(value)) return true;
    this.#stop(value);
    return false;
  }

  /// There is no room after this value, or it cannot be given.
  #stop(value) {
    this.#isRunning = false;
    if (value === null) throw new ERR_STREAM_NULL_VALUES();
  }

  /// Ends the iterator, if it wants to know.
  async close(error) {
    const iterator = this.#iterator;
    if (error != null && typeof iterator.throw === 'function') {
      const last = await iterator.throw(error);
      await last.value;
      if (last.done) return;
    }
    if (typeof iterator.return === 'function') {
      const last = await iterator.return();
      await last.value;
    }
  }
}

/// A stream with one chunk.
function once(Class, chunk, options) {
  return new Class({
    objectMode: true,
    ...options,
    read() {
      this.push(chunk);
      this.push(null);
    },
  });
}

module.exports = function from(Class, iterable, options) {
  if (typeof iterable === 'string' || iterable instanceof Buffer) return once(Class, iterable, options);
  const isAsync = Boolean(iterable?.[Symbol.asyncIterator]);
  if (!isAsync && !iterable?.[Symbol.iterator]) throw new ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);

  const iterator = iterable[isAsync ? Symbol.asyncIterator : Symbol.iterator]();
  const stream = new Class({ objectMode: true, highWaterMark: 1, ...options });
  const pump = new Pump(iterator, isAsync, stream);
  stream._read = () => pump.run();
  stream._destroy = (error, callback) => {
    pump.close(error).then(
      () => binding.nextTick(callback, error),
      (thrown) => binding.nextTick(callback, thrown || error));
  };
  return stream;
};
