// The listeners of an event target. See internal/event_target for the options they have.
'use strict';

const { apply } = Reflect;

// What listeners with a `weak` object need to stay alive, by that object.
const heldBy = new WeakMap();

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

  find(listener, capture) {
    let one = this.first;
    while (one !== undefined && !one.is(listener, capture)) one = one.next;
    return one;
  }

  append(listener) {
    listener.previous = this.last;
    if (this.last === undefined) this.first = listener;
    else this.last.next = listener;
    this.last = listener;
    this.size++;
    this.resists ||= listener.resists;
  }

  remove(listener) {
    if (listener.previous === undefined) this.first = listener.next;
    else listener.previous.next = listener.next;
    if (listener.next === undefined) this.last = listener.previous;
    else listener.next.previous = listener.previous;
    listener.removed = true;
    if (listener.weak) release(listener);
    this.size--;
  }

  /// Takes out the weak listeners that nobody holds any more.
  sweep() {
    for (let one = this.first; one !== undefined; one = one.next) {
      if (one.weak && one.callback.deref() === undefined) this.remove(one);
    }
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
