// Many listeners of one event: they come at both ends and go anywhere, without moving the others.
'use strict';

const { defineProperty } = Object;

class LongList {
  // Entries `{ listener, isGone }`: what came in front, the latest last, and what came behind.
  #front = [];
  #back = [];
  #gone = 0;
  // By the listener, and the function of the program behind a `once`: its entries in front and behind, as above, and
  // how many of those in front are known to be gone. Once somebody takes one off.
  #known = undefined;
  // What `emit` walks, until something changes; a program may take the mark `warned` off it.
  #array = undefined;
  warned = false;

  constructor(array) {
    for (let at = 0; at < array.length; ++at) this.#back.push({ listener: array[at], isGone: false });
    this.warned = array.warned === true;
  }

  get length() {
    return this.#front.length + this.#back.length - this.#gone;
  }

  append(listener) {
    const entry = { listener, isGone: false };
    this.#change();
    this.#back.push(entry);
    if (this.#known !== undefined) this.#know(entry, false);
  }

  prepend(listener) {
    const entry = { listener, isGone: false };
    this.#change();
    this.#front.push(entry);
    if (this.#known !== undefined) this.#know(entry, true);
  }

  /// Takes off the latest that is the listener or a `once` of it (EVENT-6); false if there is none.
  remove(listener) {
    const entry = this.#latest(listener);
    if (entry === undefined) return false;
    entry.isGone = true;
    this.#change();
    if (++this.#gone * 2 > this.#front.length + this.#back.length) this.#tidy();
    return true;
  }

  /// The listeners in order: an array that is never changed.
  get array() {
    if (this.#array === undefined) {
      const array = [];
      const [front, back] = [this.#front, this.#back];
      for (let at = front.length - 1; at >= 0; --at) if (!front[at].isGone) array.push(front[at].listener);
      for (let at = 0; at < back.length; ++at) if (!back[at].isGone) array.push(back[at].listener);
      this.#array = array;
      if (this.warned) array.warned = true;
    }
    return this.#array;
  }

  #change() {
    if (this.#array === undefined) return;
    this.warned = this.#array.warned === true;
    this.#array = undefined;
  }

  #latest(listener) {
    if (this.#known === undefined) {
      this.#known = new Map();
      for (const entry of this.#front) this.#know(entry, true);
      for (const entry of this.#back) this.#know(entry, false);
    }
    const known = this.#known.get(listener);
    if (known === undefined) return undefined;
    const { front, back } = known;
    while (back.length > 0 && back[back.length - 1].isGone) back.pop();
    if (back.length > 0) return back[back.length - 1];
    while (known.gone < front.length && front[known.gone].isGone) ++known.gone;
    if (known.gone < front.length) return front[known.gone];
    this.#known.delete(listener);
    return undefined;
  }

  #know(entry, isFront) {
    const { listener } = entry;
    this.#knowAs(listener, entry, isFront);
    const inner = listener.listener;
    if (inner !== undefined && inner !== listener) this.#knowAs(inner, entry, isFront);
  }

  #knowAs(name, entry, isFront) {
    let known = this.#known.get(name);
    if (known === undefined) this.#known.set(name, known = { front: [], back: [], gone: 0 });
    if (isFront) known.front.push(entry);
    else known.back.push(entry);
  }

  #tidy() {
    this.#front = this.#front.filter((entry) => !entry.isGone);
    this.#back = this.#back.filter((entry) => !entry.isGone);
    this.#gone = 0;
    this.#known = undefined;
  }
}

/// Makes a long list of the listeners of an event, of which the table shows an array all the same.
function lengthen(events, lists, type, array) {
  const list = new LongList(array);
  lists[type] = list;
  defineProperty(events, type, {
    __proto__: null, configurable: true, enumerable: true,
    get: () => list.array,
    // What somebody else puts there counts.
    set: (value) => shorten(events, lists, type, value),
  });
  return list;
}

/// Gives an event an ordinary array, or nothing.
function shorten(events, lists, type, value) {
  delete lists[type];
  defineProperty(events, type, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
}

module.exports = { lengthen, shorten };
