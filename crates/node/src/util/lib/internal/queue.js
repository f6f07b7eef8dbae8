// A queue: values come out in the order they went in.
//
// An array's `shift` moves all that remains; here the head moves instead, and what lies before it
// is dropped once it is most of the array.
'use strict';

class Queue {
  #items = [];
  #head = 0;

  get length() {
    return this.#items.length - this.#head;
  }

  /// The oldest value, which stays; undefined if there is none.
  get front() {
    return this.#items[this.#head];
  }

  push(value) {
    this.#items.push(value);
  }

  /// Takes the oldest value out; undefined if there is none.
  shift() {
    if (this.#head === this.#items.length) return undefined;
    const value = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    } else if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return value;
  }
}

module.exports = Queue;
