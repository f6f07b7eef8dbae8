// One duplex stream for the writable end of one thing and the readable end of another.
'use strict';

const { AbortError } = require('internal/errors');

/// Has `duplex` write to `target` and end it; what is written waits for the target to drain.
function coupleWritable(duplex, target) {
  const waits = { drain: null, finish: null };
  duplex._write = (chunk, encoding, callback) => {
    if (target.write(chunk, encoding)) callback();
    else waits.drain = callback;
  };
  duplex._final = (callback) => {
    target.end();
    waits.finish = callback;
  };
  target.on('drain', () => release(waits, 'drain'));
  return waits;
}

/// Has `duplex` read from `source`.
function coupleReadable(duplex, source) {
  const waits = { readable: null };
  source.on('readable', () => release(waits, 'readable'));
  source.on('end', () => duplex.push(null));
  duplex._read = () => {
    while (true) {
      const chunk = source.read();
      if (chunk === null) {
        waits.readable = duplex._read;
        return;
      }
      if (!duplex.push(chunk)) return;
    }
  };
  return waits;
}

/// Calls what waits under a name, if anything does.
function release(waits, name) {
  const callback = waits[name];
  if (!callback) return;
  waits[name] = null;
  callback();
}

/// The closing of a duplex stream that stands for others: its `_destroy` destroys them, and is through
/// when they are.
class Closing {
  // undefined: open. null: the others are closed. Otherwise the callback that waits for it.
  #callback;

  /// The others are through. Says whether anybody had waited for that.
  settle(error) {
    const callback = this.#callback;
    this.#callback = null;
    if (callback) callback(error);
    return Boolean(callback);
  }

  /// What `_destroy` is to do.
  begin(error, callback, allWaits, destroyOthers) {
    if (!error && this.#callback !== null) error = new AbortError();
    for (const waits of allWaits) for (const name of Object.keys(waits)) waits[name] = null;
    const isOver = this.#callback === null;
    if (isOver) callback(error);
    else this.#callback = callback;
    destroyOthers(error, isOver);
  }
}

module.exports = { coupleWritable, coupleReadable, release, Closing };
