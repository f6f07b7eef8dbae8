// The chunks of a Readable, for `for await`.
'use strict';

const { aggregateTwoErrors } = require('internal/errors');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');

function iterate(stream, options) {
  if (typeof stream.read !== 'function') stream = require('internal/streams/readable').wrap(stream, { objectMode: true });
  const iterator = chunksOf(stream, options);
  iterator.stream = stream;
  return iterator;
}

async function* chunksOf(stream, options) {
  let wake = () => {};
  // Both the listener for `readable` and what makes the promise to wait for.
  function next(resolve) {
    if (this === stream) {
      wake();
      wake = () => {};
    } else {
      wake = resolve;
    }
  }
  stream.on('readable', next);

  // undefined while there may be more, null after a good end.
  let error;
  const stop = eos(stream, { writable: false }, (reason) => {
    error = reason ? aggregateTwoErrors(error, reason) : null;
    wake();
    wake = () => {};
  });
  try {
    while (true) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (error) throw error;
      else if (error === null) return;
      else await new Promise(next);
    }
  } catch (thrown) {
    error = aggregateTwoErrors(error, thrown);
    throw error;
  } finally {
    const wanted = error || options?.destroyOnReturn !== false;
    if (wanted && (error === undefined || stream._readableState.autoDestroy)) {
      destroyer(stream, null);
    } else {
      stream.off('readable', next);
      stop();
    }
  }
}

module.exports = iterate;
