// What a member's clock is going to do: timers and messages by their tags.
'use strict';

const { compare } = require('internal/federation/tags');

// Timers stand before messages, timers in the order of their releases, messages by name of sender and number
// (rule FED-3).
function order(a, b) {
  const byTag = compare(a.tag, b.tag);
  if (byTag !== 0) return byTag;
  if (a.timer !== undefined || b.timer !== undefined) {
    if (a.timer === undefined) return 1;
    if (b.timer === undefined) return -1;
    return a.release - b.release;
  }
  if (a.from !== b.from) return a.from < b.from ? -1 : 1;
  return a.number - b.number;
}

class Schedule {
  // Sorted, the first at the end.
  #entries = [];

  get head() {
    return this.#entries[this.#entries.length - 1];
  }

  add(entry) {
    const entries = this.#entries;
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order(entry, entries[middle]) < 0) low = middle + 1;
      else high = middle;
    }
    entries.splice(low, 0, entry);
  }

  take() {
    return this.#entries.pop();
  }

  /// Takes out all that `isWanted` says.
  remove(isWanted) {
    const removed = this.#entries.filter(isWanted);
    if (removed.length > 0) this.#entries = this.#entries.filter((entry) => !isWanted(entry));
    return removed;
  }
}

module.exports = { Schedule };
