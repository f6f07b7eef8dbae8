// `events.once` and `events.on`: events as a promise and as an asynchronous iterator. Both take
// emitters and event targets.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateAbortSignal, validateInteger } = require('internal/validators');
const { addAbortListener } = require('internal/events/abort_listener');
const Queue = require('internal/queue');

const kFirstEventParam = Symbol('nodejs.kFirstEventParam');
const kWatermarkData = Symbol.for('nodejs.watermarkData');

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

function addTo(emitter, name, listener, flags) {
  if (typeof emitter.on === 'function') {
    if (flags?.once) emitter.once(name, listener);
    else emitter.on(name, listener);
  } else if (typeof emitter.addEventListener === 'function') {
    emitter.addEventListener(name, listener, flags);
  } else {
    throw new ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

function removeFrom(emitter, name, listener, flags) {
  if (typeof emitter.removeListener === 'function') {
    emitter.removeListener(name, listener);
  } else if (typeof emitter.removeEventListener === 'function') {
    emitter.removeEventListener(name, listener, flags);
  } else {
    throw new ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

function once(emitter, name, options) {
  const signal = options?.signal;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  return new Promise((resolve, reject) => {
    const { kResistStopPropagation } = require('internal/event_target');
    const flags = { __proto__: null, once: true, [kResistStopPropagation]: true };
    const onError = (error) => {
      emitter.removeListener(name, onEvent);
      if (signal != null) removeFrom(signal, 'abort', onAbort);
      reject(error);
    };
    const onEvent = (...args) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', onError);
      if (signal != null) removeFrom(signal, 'abort', onAbort);
      resolve(args);
    };
    const onAbort = () => {
      removeFrom(emitter, name, onEvent);
      removeFrom(emitter, 'error', onError);
      reject(new AbortError(undefined, { cause: signal?.reason }));
    };
    addTo(emitter, name, onEvent, flags);
    // An event target has no `error` event of this kind.
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', onError);
    if (signal != null) addTo(signal, 'abort', onAbort, flags);
  });
}

/// The listeners an iterator added, to be taken off together.
function listenerSet() {
  const added = [];
  return {
    add(emitter, event, handler, flags) {
      addTo(emitter, event, handler, flags);
      added.push([emitter, event, handler, flags]);
    },
    removeAll() {
      while (added.length > 0) removeFrom(...added.pop());
    },
  };
}

function on(emitter, event, options) {
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  // Both spellings are in use.
  const high = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  validateInteger(high, 'options.highWaterMark', 1);
  const low = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateInteger(low, 'options.lowWaterMark', 1);

  const events = new Queue();
  const waiting = new Queue();
  let paused = false;
  let error = null;
  let finished = false;

  const iterator = {
    __proto__: AsyncIteratorPrototype,
    next() {
      if (events.length > 0) {
        const value = events.shift();
        if (paused && events.length < low) {
          emitter.resume();
          paused = false;
        }
        return Promise.resolve({ value, done: false });
      }
      if (error) {
        const rejected = Promise.reject(error);
        // Only the first call hears of it.
        error = null;
        return rejected;
      }
      if (finished) return close();
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return() {
      return close();
    },
    throw(reason) {
      if (!reason || !(reason instanceof Error)) {
        throw new ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', reason);
      }
      fail(reason);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [kWatermarkData]: {
      get size() { return events.length; },
      get low() { return low; },
      get high() { return high; },
      get isPaused() { return paused; },
    },
  };

  const listeners = listenerSet();
  const take = (value) => {
    if (waiting.length > 0) {
      waiting.shift().resolve({ value, done: false });
      return;
    }
    events.push(value);
    if (!paused && events.length > high) {
      paused = true;
      emitter.pause();
    }
  };
  listeners.add(emitter, event, options[kFirstEventParam] ? take : (...args) => take(args));
  if (event !== 'error' && typeof emitter.on === 'function') listeners.add(emitter, 'error', fail);
  for (const name of options.close ?? []) listeners.add(emitter, name, close);
  const abortListener = signal
    ? addAbortListener(signal, () => fail(new AbortError(undefined, { cause: signal.reason })))
    : null;
  return iterator;

  function fail(reason) {
    if (waiting.length > 0) waiting.shift().reject(reason);
    else error = reason;
    close();
  }

  function close() {
    abortListener?.[Symbol.dispose]();
    listeners.removeAll();
    finished = true;
    const result = { value: undefined, done: true };
    while (waiting.length > 0) waiting.shift().resolve(result);
    return Promise.resolve(result);
  }
}

module.exports = { once, on, kFirstEventParam };
