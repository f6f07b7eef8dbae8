// The listeners of an event target. See internal/event_target for the options they have.
'use strict';


const { apply } = Reflect;

// What listeners with a `weak` object need to stay alive, by that object.
const heldBy = new WeakMap();

// With so many listeners they are found by what the program passed, and not by looking at each.
const MANY = 8;

/// The listeners of one type, in order, as a doubly linked list.
///
/// A list and not an array, because a listener may be removed, or another added, while the list is
/// being walked, and a removed one must still know what comes after it. `size` is kept apart: it
/// counts what the program sees, and an `onxxx` set to null stays in the list without counting.
class ListenerList {
  size = 0;
  first = undefined;
  last = undefined;
  // Whether any listener wants to be called in spite of `stopImmediatePropagation`.
  resists = false;
  // Of many: a map for each `capture`, by what the program passed, which it does not keep alive.
  #places = undefined;
  // How many weak ones there are, and with how many more is looked for those that nobody holds.
  #weak = 0;
  #sweepAt = 16;

  find(listener, capture) {
    if (this.#places !== undefined) return this.#places[Number(capture)].get(listener);
    let one = this.first;
    while (one !== undefined && !one.is(listener, capture)) one = one.next;
    return one;
  }

  append(listener) {
    if (listener.weak) this.#count();
    listener.previous = this.last;
    if (this.last === undefined) this.first = listener;
    else this.last.next = listener;
    this.last = listener;
    this.size++;
    this.resists ||= listener.resists;
    if (this.#places !== undefined) this.#place(listener);
    else if (this.size > MANY) this.#placeAll();
  }

  remove(listener) {
    if (listener.previous === undefined) this.first = listener.next;
    else listener.previous.next = listener.next;
    if (listener.next === undefined) this.last = listener.previous;
    else listener.next.previous = listener.previous;
    listener.removed = true;
    if (this.#places !== undefined) {
      const { value } = listener;
      if (value !== undefined) this.#places[Number(listener.capture)].delete(value);
    }
    if (listener.weak) {
      this.#weak--;
      release(listener);
    }
    this.size--;
  }

  #placeAll() {
    this.#places = [new WeakMap(), new WeakMap()];
    for (let one = this.first; one !== undefined; one = one.next) this.#place(one);
  }

  #place(listener) {
    const { value } = listener;
    if (value !== undefined) this.#places[Number(listener.capture)].set(value, listener);
  }

  /// Counts a weak listener. Now and then those that nobody holds any more are taken out.
  #count() {
    if (++this.#weak < this.#sweepAt) return;
    for (let one = this.first; one !== undefined; one = one.next) {
      if (one.weak && one.callback.deref() === undefined) this.remove(one);
    }
    this.#sweepAt = Math.max(16, 2 * this.#weak);
  }
}

class Listener {
  previous = undefined;
  next = undefined;
  removed = false;
  holder = undefined;

  constructor(listener, options) {
    this.once = options.once;
    this.capture = options.capture;
    this.nodeStyle = options.nodeStyle;
    this.resists = options.resists;
    this.weak = options.weak !== undefined;
    const callback = typeof listener === 'function' ? listener : callHandleEvent(listener);
    if (this.weak) {
      this.listener = new WeakRef(listener);
      this.callback = new WeakRef(callback);
      this.holder = new WeakRef(options.weak);
      hold(options.weak, this, [listener, callback]);
    } else {
      this.listener = listener;
      this.callback = callback;
    }
  }

  /// What the program passed, if it is still there.
  get value() {
    return this.weak ? this.listener.deref() : this.listener;
  }

  is(listener, capture) {
    return this.value === listener && this.capture === capture;
  }
}

function callHandleEvent(listener) {
  // Looked up at each event, as the program may set it later; what it throws is reported with the
  // rejections of asynchronous listeners.
  return async (event) => {
    if (listener.handleEvent) await apply(listener.handleEvent, listener, [event]);
  };
}

function hold(holder, record, values) {
  let held = heldBy.get(holder);
  if (held === undefined) heldBy.set(holder, held = new Map());
  held.set(record, values);
}

function release(record) {
  const holder = record.holder.deref();
  if (holder !== undefined) heldBy.get(holder).delete(record);
}

module.exports = { Listener, ListenerList };
