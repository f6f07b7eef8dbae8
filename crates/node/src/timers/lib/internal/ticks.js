// The asynchronous iterator behind a clock's `ticks`: every period's time, in order, none left out.
// Uses binding.clearTimeout.
'use strict';

const { AbortError } = require('internal/errors');
const Queue = require('internal/queue');

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

class Ticks {
  // Starts the interval, given who is to be told each time; undefined once it has.
  #start;
  #timer;
  #signal;
  #ended;
  // Times that nobody has asked for yet, or those who ask for a time that has not come: one is empty.
  #times = new Queue();
  #waiting = new Queue();
  #done = false;
  #error;

  constructor(start, signal, ended) {
    this.#start = start;
    this.#signal = signal;
    this.#ended = ended;
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener('abort', this.#abort);
  }

  next() {
    return new Promise((resolve, reject) => {
      if (this.#error !== undefined) {
        const error = this.#error;
        this.#error = undefined;
        reject(error);
      } else if (this.#times.length > 0) {
        resolve({ value: this.#times.shift(), done: false });
      } else if (this.#done) {
        resolve({ value: undefined, done: true });
      } else {
        if (this.#start !== undefined) {
          this.#timer = this.#start((time) => this.#tick(time));
          this.#start = undefined;
        }
        this.#waiting.push({ resolve, reject });
      }
    });
  }

  return(value) {
    this.close();
    return Promise.resolve({ value, done: true });
  }

  throw(error) {
    this.close();
    return Promise.reject(error);
  }

  [Symbol.asyncDispose]() {
    this.close();
    return Promise.resolve();
  }

  /// Ends it: whoever waits is told so.
  close() {
    this.#end();
    while (this.#waiting.length > 0) this.#waiting.shift().resolve({ value: undefined, done: true });
  }

  #tick(time) {
    if (this.#waiting.length > 0) this.#waiting.shift().resolve({ value: time, done: false });
    else this.#times.push(time);
  }

  #abort = () => {
    const error = new AbortError(undefined, { cause: this.#signal.reason });
    const first = this.#waiting.shift();
    this.close();
    if (first === undefined) this.#error = error;
    else first.reject(error);
  };

  #end() {
    if (this.#done) return;
    this.#done = true;
    this.#start = undefined;
    this.#times = new Queue();
    this.#signal?.removeEventListener('abort', this.#abort);
    if (this.#timer !== undefined) binding.clearTimeout(this.#timer);
    this.#ended(this);
  }
}

Object.setPrototypeOf(Ticks.prototype, AsyncIteratorPrototype);

module.exports = { Ticks };
