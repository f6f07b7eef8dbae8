// Many pairs of a name and a value in their order: found by name, found by number, and taken out, without looking at
// the others.
'use strict';

/// Entries are `{ name, value, place }`; one that was taken out has the place -1.
class LongPairs {
  // By place; undefined where one was taken out.
  #entries = [];
  #count = 0;
  // By name, in order: `{ entries, from, left }`, where those before `from` were taken out.
  #named = new Map();
  // By value the entries with a name, by name: once somebody asks for pairs.
  #valued = undefined;
  // Once somebody asks by number for one of a list with gaps.
  #ranks = undefined;

  get count() {
    return this.#count;
  }

  append(name, value) {
    const entry = { name, value, place: this.#entries.length };
    this.#entries.push(entry);
    this.#count++;
    this.#ranks?.append();
    const known = this.#named.get(name);
    if (known === undefined) {
      this.#named.set(name, { entries: [entry], from: 0, left: 1 });
    } else {
      known.entries.push(entry);
      known.left++;
    }
    if (this.#valued !== undefined) this.#noteValue(entry);
  }

  /// The first of that name; undefined if there is none.
  first(name) {
    const known = this.#named.get(name);
    if (known === undefined) return undefined;
    const { entries } = known;
    while (entries[known.from].place < 0) known.from++;
    return entries[known.from];
  }

  /// All of that name.
  all(name) {
    const found = [];
    const known = this.#named.get(name);
    if (known === undefined) return found;
    for (let i = known.from; i < known.entries.length; i++) {
      if (known.entries[i].place >= 0) found.push(known.entries[i]);
    }
    return found;
  }

  has(name, value) {
    return this.#withValue(name, value) !== undefined;
  }

  /// The one with that number; undefined beyond the end.
  at(number) {
    if (number >= this.#count) return undefined;
    if (this.#count === this.#entries.length) return this.#entries[number];
    this.#ranks ??= new (require('internal/ranks'))(this.#entries.length, (place) => this.#entries[place] !== undefined);
    return this.#entries[this.#ranks.placeOf(number)];
  }

  /// Gives the first of that name another value, and takes out the others; false if there is none.
  set(name, value) {
    const first = this.first(name);
    if (first === undefined) return false;
    if (this.#named.get(name).left > 1) {
      for (const entry of this.all(name)) {
        if (entry !== first) this.#remove(entry);
      }
      this.#tidy();
    }
    this.#valued?.get(name)?.get(first.value)?.delete(first);
    first.value = value;
    if (this.#valued !== undefined) this.#noteValue(first);
    return true;
  }

  /// Takes out all of that name.
  delete(name) {
    for (const entry of this.all(name)) this.#remove(entry);
    this.#tidy();
  }

  /// Takes out all of that name with that value.
  deletePair(name, value) {
    const found = this.#withValue(name, value);
    if (found === undefined) return;
    for (const entry of [...found]) this.#remove(entry);
    this.#tidy();
  }

  /// Takes out those for which the test holds, of all or of one name, and says how many they were.
  deleteWhere(test, name = undefined) {
    const found = (name === undefined ? [...this] : this.all(name)).filter(test);
    for (const entry of found) this.#remove(entry);
    this.#tidy();
    return found.length;
  }

  [Symbol.iterator]() {
    const entries = this.#entries;
    let place = 0;
    return {
      __proto__: null,
      next() {
        while (place < entries.length && entries[place] === undefined) place++;
        return { __proto__: null, done: place >= entries.length, value: entries[place++] };
      },
    };
  }

  #remove(entry) {
    const { name, value, place } = entry;
    this.#entries[place] = undefined;
    this.#count--;
    this.#ranks?.remove(place);
    entry.place = -1;
    const known = this.#named.get(name);
    if (--known.left === 0) this.#named.delete(name);
    this.#valued?.get(name)?.get(value)?.delete(entry);
  }

  /// Moves together what is left, when that is less than half.
  #tidy() {
    if (this.#entries.length <= 2 * this.#count) return;
    const left = [...this];
    this.#entries = [];
    this.#named = new Map();
    this.#valued = undefined;
    this.#ranks = undefined;
    this.#count = 0;
    for (const { name, value } of left) this.append(name, value);
  }

  /// The entries with that name and value; undefined if there are none.
  #withValue(name, value) {
    if (this.#valued === undefined) {
      this.#valued = new Map();
      for (const entry of this) this.#noteValue(entry);
    }
    const found = this.#valued.get(name)?.get(value);
    return found === undefined || found.size === 0 ? undefined : found;
  }

  #noteValue(entry) {
    const { name, value } = entry;
    let ofName = this.#valued.get(name);
    if (ofName === undefined) this.#valued.set(name, ofName = new Map());
    const known = ofName.get(value);
    if (known === undefined) ofName.set(value, new Set([entry]));
    else known.add(entry);
  }
}

/// Shorter lists are searched.
const LONG = 32;

module.exports = { LONG, LongPairs };
