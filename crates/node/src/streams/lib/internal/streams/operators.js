// What a Readable has in common with an array: `map`, `filter`, `reduce` and so on, asynchronously (STREAM-43).
'use strict';

const {
  AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { deprecate } = require('internal/util/deprecate');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/validators');
const is = require('internal/streams/is');

// Stand in the queue of `map` for a value that is left out, and for the end.
const LEFT_OUT = Symbol('kEmpty');
const END = Symbol('kEof');

function check(options, fn, name = 'fn') {
  if (arguments.length > 1 && typeof fn !== 'function') {
    throw new ERR_INVALID_ARG_TYPE(name, ['Function', 'AsyncFunction'], fn);
  }
  if (options == null) return;
  validateObject(options, 'options');
  if (options.signal != null) validateAbortSignal(options.signal, 'options.signal');
}

function throwIfAborted(signal) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

/// Somebody who waits for a word.
class Bell {
  #ring = null;

  get isWaitedFor() { return this.#ring !== null; }

  wait() {
    return new Promise((resolve) => { this.#ring = resolve; });
  }

  ring() {
    const ring = this.#ring;
    this.#ring = null;
    ring?.();
  }
}

/// Calls a function for several values at once and keeps the results in order. One loop feeds the queue from the
/// stream, the other one takes results out of it.
class Mapping {
  #queue = [];
  #running = 0;
  #isDone = false;
  #room = new Bell();
  #results = new Bell();

  constructor(stream, fn, signal, most, mostQueued) {
    this.stream = stream;
    this.fn = fn;
    this.signal = require('internal/abort_controller').AbortSignal.any(signal ? [signal] : []);
    this.most = most;
    this.mostQueued = mostQueued;
  }

  #isFull() {
    return this.#running >= this.most || this.#queue.length >= this.mostQueued;
  }

  #makeRoom() {
    if (this.#room.isWaitedFor && !this.#isDone && !this.#isFull()) this.#room.ring();
  }

  #settled = () => {
    this.#running--;
    this.#makeRoom();
  };

  #failed = () => {
    this.#isDone = true;
    this.#settled();
  };

  #enqueue(result) {
    result.then(this.#settled, this.#failed);
    this.#queue.push(result);
  }

  /// The result for one value, as a promise; undefined if it is left out.
  #call(value, context) {
    try {
      const result = this.fn(value, context);
      return result === LEFT_OUT ? undefined : Promise.resolve(result);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #feed() {
    const context = { signal: this.signal };
    try {
      for await (const value of this.stream) {
        if (this.#isDone) return;
        if (this.signal.aborted) throw new AbortError();
        const result = this.#call(value, context);
        if (result === undefined) continue;
        this.#running++;
        this.#enqueue(result);
        this.#results.ring();
        if (!this.#isDone && this.#isFull()) await this.#room.wait();
      }
      this.#queue.push(END);
    } catch (error) {
      this.#enqueue(Promise.reject(error));
    } finally {
      this.#isDone = true;
      this.#results.ring();
    }
  }

  async *results() {
    this.#feed();
    try {
      for (;;) {
        if (this.#queue.length === 0) {
          await this.#results.wait();
          continue;
        }
        const result = await this.#queue[0];
        if (result === END) return;
        if (this.signal.aborted) throw new AbortError();
        if (result !== LEFT_OUT) yield result;
        this.#queue.shift();
        this.#makeRoom();
      }
    } finally {
      this.#isDone = true;
      this.#room.ring();
    }
  }
}

// These give iterables, which become streams.

function map(fn, options) {
  check(options, fn);
  const most = options?.concurrency == null ? 1 : Math.floor(options.concurrency);
  // So many results may wait to be taken besides those in progress.
  const spare = options?.highWaterMark == null ? most - 1 : Math.floor(options.highWaterMark);
  validateInteger(most, 'options.concurrency', 1);
  validateInteger(spare, 'options.highWaterMark', 0);
  return new Mapping(this, fn, options?.signal, most, spare + most).results();
}

function filter(fn, options) {
  check(undefined, fn);
  return map.call(this, async (chunk, context) => (await fn(chunk, context) ? chunk : LEFT_OUT), options);
}

function flatMap(fn, options) {
  return flattened(map.call(this, fn, options));
}

async function* flattened(values) {
  for await (const value of values) yield* value;
}

function asIndexedPairs(options = undefined) {
  check(options);
  return indexed(this, options?.signal);
}

async function* indexed(stream, signal) {
  let index = 0;
  for await (const chunk of stream) {
    throwIfAborted(signal);
    yield [index++, chunk];
  }
}

/// How many are to be taken or left out.
function countOf(given) {
  const count = Number(given);
  if (count < 0) throw new ERR_OUT_OF_RANGE('number', '>= 0', count);
  return Number.isNaN(count) ? 0 : count;
}

function drop(number, options = undefined) {
  check(options);
  return part(this, countOf(number), Infinity, options?.signal);
}

function take(number, options = undefined) {
  check(options);
  return part(this, 0, countOf(number), options?.signal);
}

/// The chunks after the first `skipped`, `count` of them. It does not wait for a chunk that it would not give.
async function* part(stream, skipped, count, signal) {
  if (signal?.aborted) throw new AbortError();
  for await (const chunk of stream) {
    if (signal?.aborted) throw new AbortError();
    if (skipped > 0) skipped--;
    else if (count-- > 0) yield chunk;
    if (count <= 0) return;
  }
}

function compose(stream, options) {
  check(options);
  if (is.isNodeStream(stream) && !is.isWritable(stream)) throw new ERR_INVALID_ARG_VALUE('stream', stream, 'must be writable');
  const composed = require('internal/streams/compose')(this, stream);
  return options?.signal ? require('internal/streams/add_abort_signal').connect(options.signal, composed) : composed;
}

// These give promises.

async function find(fn, options) {
  for await (const chunk of filter.call(this, fn, options)) return chunk;
  return undefined;
}

async function some(fn, options) {
  for await (const _ of filter.call(this, fn, options)) return true;
  return false;
}

async function every(fn, options = undefined) {
  check(undefined, fn);
  const isOtherwise = async (...args) => !(await fn(...args));
  return !(await some.call(this, isOtherwise, options));
}

async function forEach(fn, options) {
  check(undefined, fn);
  const results = map.call(this, async (chunk, context) => {
    await fn(chunk, context);
    return LEFT_OUT;
  }, options);
  // Nothing is left to look at.
  for await (const _ of results);
}

async function toArray(options) {
  check(options);
  const chunks = [];
  for await (const chunk of this) {
    throwIfAborted(options?.signal);
    chunks.push(chunk);
  }
  return chunks;
}

async function reduce(reducer, initialValue, options) {
  check(options, reducer, 'reducer');
  const outer = options?.signal;
  if (outer?.aborted) await giveUp(this, outer);
  const { AbortController } = require('internal/abort_controller');
  const controller = new AbortController();
  const context = { signal: controller.signal };
  outer?.addEventListener('abort', () => controller.abort(), { once: true });
  let has = arguments.length > 1;
  let value = initialValue;
  try {
    for await (const chunk of this) {
      if (outer?.aborted) throw new AbortError();
      value = has ? await reducer(value, chunk, context) : chunk;
      has = true;
    }
    if (!has) throw withoutInitialValue();
  } finally {
    controller.abort();
  }
  return value;
}

/// Destroys the stream because of a signal, and throws when it is closed.
async function giveUp(stream, signal) {
  const error = new AbortError(undefined, { cause: signal.reason });
  stream.once('error', () => {});
  await require('internal/streams/end_of_stream').finished(stream.destroy(error));
  throw error;
}

function withoutInitialValue() {
  const error = new ERR_MISSING_ARGS('reduce');
  Object.defineProperty(error, 'message', {
    value: 'Reduce of an empty stream requires an initial value', writable: true, configurable: true, enumerable: false,
  });
  return error;
}

module.exports = {
  streams: {
    asIndexedPairs: deprecate(asIndexedPairs, 'readable.asIndexedPairs will be removed in a future version.'),
    drop, filter, flatMap, map, take, compose,
  },
  promises: { every, forEach, reduce, toArray, some, find },
};
