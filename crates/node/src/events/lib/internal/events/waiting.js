// `events.once` and `events.on`: events as a promise and as an asynchronous iterator. Both take
// emitters and event targets (EVENT-16).
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateAbortSignal, validateInteger } = require('internal/validators');
const { addAbortListener, loudAndOnce } = require('internal/events/abort_listener');
const Queue = require('internal/queue');

const kFirstEventParam = Symbol('nodejs.kFirstEventParam');
const kWatermarkData = Symbol.for('nodejs.watermarkData');

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

/// What an emitter and an event target call the same thing, the emitter's name first.
const calls = {
  add: ['on', 'addEventListener'],
  once: ['once', 'addEventListener'],
  remove: ['removeListener', 'removeEventListener'],
};

/// Adds a listener or removes it. Options are for event targets; of an emitter, `once` is a method.
function change(emitter, [emitters, targets], name, listener, options) {
  if (typeof emitter[emitters] === 'function') {
    emitter[emitters === 'on' && options?.once ? 'once' : emitters](name, listener);
  } else if (typeof emitter[targets] === 'function') {
    emitter[targets](name, listener, options);
  } else {
    throw new ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

function abortError(signal) {
  return new AbortError(undefined, { cause: signal.reason });
}

/// The next event of a name (EVENT-12).
function once(emitter, name, options) {
  const signal = options?.signal;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw abortError(signal);

  const { promise, resolve, reject } = Promise.withResolvers();
  const flags = loudAndOnce();
  const waits = [];
  const wait = (target, names, type, settle) => {
    const entry = { target, type, listener: (...args) => { stop(entry); settle(args); } };
    change(target, names, type, entry.listener, flags);
    waits.push(entry);
  };
  const stop = (fired) => {
    for (const one of waits) if (one !== fired) change(one.target, calls.remove, one.type, one.listener, flags);
  };
  wait(emitter, calls.add, name, resolve);
  if (name !== 'error' && typeof emitter.once === 'function') wait(emitter, calls.once, 'error', ([error]) => reject(error));
  if (signal) wait(signal, calls.add, 'abort', () => reject(abortError(signal)));
  return promise;
}

const end = () => ({ value: undefined, done: true });

/// Events that nobody has taken yet, or else those who wait for one (EVENT-13, EVENT-15).
class Backlog {
  #emitter;
  #events = new Queue();
  #waiting = new Queue();
  #error = undefined;
  #ended = false;
  #paused = false;

  constructor(emitter, low, high) {
    const backlog = this;
    this.#emitter = emitter;
    this.marks = {
      get size() { return backlog.#events.length; },
      get low() { return low; },
      get high() { return high; },
      get isPaused() { return backlog.#paused; },
    };
  }

  put(value) {
    if (this.#waiting.length > 0) {
      this.#waiting.shift().resolve({ value, done: false });
      return;
    }
    this.#events.push(value);
    if (!this.#paused && this.#events.length > this.marks.high) {
      this.#paused = true;
      this.#emitter.pause();
    }
  }

  fail(error) {
    if (this.#waiting.length > 0) this.#waiting.shift().reject(error);
    else this.#error = error;
  }

  end() {
    this.#ended = true;
    while (this.#waiting.length > 0) this.#waiting.shift().resolve(end());
  }

  take() {
    if (this.#events.length > 0) return this.#takeEvent();
    if (this.#error) return this.#takeError();
    if (this.#ended) return Promise.resolve(end());
    const waiting = Promise.withResolvers();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  #takeEvent() {
    const value = this.#events.shift();
    if (this.#paused && this.#events.length < this.marks.low) {
      this.#emitter.resume();
      this.#paused = false;
    }
    return Promise.resolve({ value, done: false });
  }

  #takeError() {
    const error = this.#error;
    this.#error = undefined;
    return Promise.reject(error);
  }
}

function mark(value, name, otherwise) {
  if (value === undefined || value === null) return otherwise;
  validateInteger(value, name, 1);
  return value;
}

/// An iterator over the events of a name (EVENT-13, EVENT-14).
function on(emitter, event, options) {
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw abortError(signal);
  const high = mark(options.highWaterMark ?? options.highWatermark, 'options.highWaterMark', Number.MAX_SAFE_INTEGER);
  const low = mark(options.lowWaterMark ?? options.lowWatermark, 'options.lowWaterMark', 1);

  const backlog = new Backlog(emitter, low, high);
  const added = [];
  let abort;
  const listen = (name, listener) => {
    change(emitter, calls.add, name, listener);
    added.push([name, listener]);
  };
  const close = () => {
    abort?.[Symbol.dispose]();
    while (added.length > 0) change(emitter, calls.remove, ...added.pop());
    backlog.end();
  };
  const fail = (error) => {
    backlog.fail(error);
    close();
  };

  listen(event, options[kFirstEventParam] ? (value) => backlog.put(value) : (...args) => backlog.put(args));
  if (event !== 'error' && typeof emitter.on === 'function') listen('error', fail);
  for (const name of options.close ?? []) listen(name, close);
  if (signal) abort = addAbortListener(signal, () => fail(abortError(signal)));

  return {
    __proto__: AsyncIteratorPrototype,
    next() {
      return backlog.take();
    },
    return() {
      close();
      return Promise.resolve(end());
    },
    throw(error) {
      if (!(error instanceof Error)) throw new ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', error);
      fail(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [kWatermarkData]: backlog.marks,
  };
}

module.exports = { once, on, kFirstEventParam };
