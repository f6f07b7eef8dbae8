// Where each name stands first in a long list of pairs that mostly grows. Whoever takes a pair out of the list,
// or moves one, begins anew.
'use strict';

class FirstPlaces {
  #first = new Map();
  // Names that stand there more than once.
  #several = new Set();
  #known = 0;

  /// The number of the first of `count` pairs with that name, or -1. `nameAt` gives the name of a pair.
  find(name, count, nameAt) {
    for (; this.#known < count; this.#known++) {
      const one = nameAt(this.#known);
      if (this.#first.has(one)) this.#several.add(one);
      else this.#first.set(one, this.#known);
    }
    return this.#first.get(name) ?? -1;
  }

  /// Whether the name that was looked for stands there once.
  isOnce(name) {
    return !this.#several.has(name);
  }
}

// Shorter lists are searched.
const LONG = 32;

module.exports = { FirstPlaces, LONG };
