// A Readable as an async iterator (STREAM-37).
'use strict';

const { aggregateTwoErrors } = require('internal/errors');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');

/// Wakes whoever waits for a stream to be readable, or over.
class Watch {
  // undefined: more may come. null: it ended. Otherwise the error.
  outcome = undefined;
  #wake = null;
  #stream;
  #forget;

  constructor(stream) {
    this.#stream = stream;
    stream.on('readable', this.#onReadable);
    this.#forget = eos(stream, { writable: false }, (error) => {
      this.outcome = error ? aggregateTwoErrors(this.outcome, error) : null;
      this.#onReadable();
    });
  }

  #onReadable = () => {
    const wake = this.#wake;
    this.#wake = null;
    if (wake !== null) wake();
  };

  news() {
    return new Promise((resolve) => { this.#wake = resolve; });
  }

  /// Leaves the stream to others.
  release() {
    this.#stream.off('readable', this.#onReadable);
    this.#forget();
  }
}

async function* chunksOf(stream, options) {
  const watch = new Watch(stream);
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (watch.outcome) throw watch.outcome;
      else if (watch.outcome === null) break;
      else await watch.news();
    }
  } catch (error) {
    watch.outcome = aggregateTwoErrors(watch.outcome, error);
    throw watch.outcome;
  } finally {
    const { outcome } = watch;
    const isWanted = outcome ? true : options?.destroyOnReturn !== false;
    if (isWanted && (outcome === undefined || stream._readableState.autoDestroy)) destroyer(stream, null);
    else watch.release();
  }
}

module.exports = function iterate(stream, options) {
  const source = typeof stream.read === 'function'
    ? stream
    : require('internal/streams/readable').wrap(stream, { objectMode: true });
  const iterator = chunksOf(source, options);
  iterator.stream = source;
  return iterator;
};
