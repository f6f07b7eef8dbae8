// How far the clock of another member is off, by exchanges of four stamps; and what of a series of lengths is told.
'use strict';

// The best of so many exchanges counts: of old ones the clocks have drifted away.
const KEPT = 16;

class Offset {
  #exchanges = [];

  /// We sent at `sent`, the other one received that at `received` and answered at `answered`, both by its clock, and
  /// the answer came at `came`.
  exchanged(sent, received, answered, came) {
    const delay = came - sent - (answered - received);
    // Whose clock was put back meanwhile shows nothing.
    if (!(delay >= 0)) return;
    this.#exchanges.push({ offset: (received - sent + (answered - came)) / 2, error: delay / 2 });
    if (this.#exchanges.length > KEPT) this.#exchanges.shift();
  }

  /// By how many milliseconds the other one is ahead, and how wrong that may be; undefined before the first exchange.
  best() {
    let best;
    for (const one of this.#exchanges) if (best === undefined || one.error <= best.error) best = one;
    return best && { offset: best.offset, error: best.error };
  }
}

class Lengths {
  #count = 0;
  #total = 0;
  #longest = 0;
  #last;

  add(length) {
    this.#count++;
    this.#total += length;
    this.#last = length;
    if (this.#count === 1 || length > this.#longest) this.#longest = length;
  }

  told() {
    return {
      count: this.#count,
      last: this.#last,
      mean: this.#count === 0 ? undefined : this.#total / this.#count,
      longest: this.#count === 0 ? undefined : this.#longest,
    };
  }
}

module.exports = { Offset, Lengths };
