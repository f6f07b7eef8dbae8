// `duplexPair`: two duplex streams, each of which reads what is written to the other.
//
// Uses binding.nextTick.
'use strict';

const Duplex = require('internal/streams/duplex');

class DuplexSide extends Duplex {
  #other = null;
  // The callback of a write that nobody has read yet.
  #waiting = null;

  static pair(options) {
    const one = new DuplexSide(options);
    const two = new DuplexSide(options);
    one.#other = two;
    two.#other = one;
    return [one, two];
  }

  _read() {
    const callback = this.#waiting;
    this.#waiting = null;
    callback?.();
  }

  _write(chunk, encoding, callback) {
    if (chunk.length === 0) {
      binding.nextTick(callback);
    } else {
      this.#other.push(chunk);
      this.#other.#waiting = callback;
    }
  }

  _final(callback) {
    this.#other.on('end', callback);
    this.#other.push(null);
  }
}

function duplexPair(options) {
  return DuplexSide.pair(options);
}

module.exports = duplexPair;
