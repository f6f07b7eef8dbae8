// What a Readable has in common with an array: `map`, `filter`, `reduce` and so on, asynchronously.
'use strict';

const {
  AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { deprecate } = require('internal/util/deprecate');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/validators');
const is = require('internal/streams/is');

// Stand in the queue of `map` for a value that was dropped and for the end.
const kEmpty = Symbol('kEmpty');
const kEnd = Symbol('kEof');

function validateFunctionNamed(fn, name) {
  if (typeof fn !== 'function') throw new ERR_INVALID_ARG_TYPE(name, ['Function', 'AsyncFunction'], fn);
}

function validateOptions(options) {
  if (options != null) validateObject(options, 'options');
  if (options?.signal != null) validateAbortSignal(options.signal, 'options.signal');
}

function throwIfAborted(signal) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

/// Calls `fn` for up to `concurrency` values at once and gives the results in order.
function map(fn, options) {
  validateFunctionNamed(fn, 'fn');
  validateOptions(options);
  const concurrency = options?.concurrency != null ? Math.floor(options.concurrency) : 1;
  // So many results may wait to be taken besides those in progress.
  const spare = options?.highWaterMark != null ? Math.floor(options.highWaterMark) : concurrency - 1;
  validateInteger(concurrency, 'options.concurrency', 1);
  validateInteger(spare, 'options.highWaterMark', 0);
  return mapped(this, fn, options?.signal, concurrency, spare + concurrency);
}

async function* mapped(stream, fn, given, concurrency, mostQueued) {
  const { AbortSignal } = require('internal/abort_controller');
  const signal = AbortSignal.any(given ? [given] : []);
  const queue = [];
  let running = 0;
  let done = false;
  // What the two loops below wait for: a place in the queue, and something in it.
  let wakeProducer = null;
  let wakeConsumer = null;

  const makeRoom = () => {
    if (wakeProducer && !done && running < concurrency && queue.length < mostQueued) {
      wakeProducer();
      wakeProducer = null;
    }
  };
  const settled = () => {
    running--;
    makeRoom();
  };
  const failed = () => {
    done = true;
    settled();
  };
  const told = () => {
    wakeConsumer?.();
    wakeConsumer = null;
  };

  async function produce() {
    try {
      for await (const chunk of stream) {
        if (done) return;
        if (signal.aborted) throw new AbortError();
        let result;
        try {
          result = fn(chunk, { signal });
          if (result === kEmpty) continue;
          result = Promise.resolve(result);
        } catch (error) {
          result = Promise.reject(error);
        }
        running++;
        result.then(settled, failed);
        queue.push(result);
        told();
        if (!done && (queue.length >= mostQueued || running >= concurrency)) {
          await new Promise((resolve) => { wakeProducer = resolve; });
        }
      }
      queue.push(kEnd);
    } catch (error) {
      const result = Promise.reject(error);
      result.then(settled, failed);
      queue.push(result);
    } finally {
      done = true;
      told();
    }
  }

  produce();
  try {
    while (true) {
      while (queue.length > 0) {
        const result = await queue[0];
        if (result === kEnd) return;
        if (signal.aborted) throw new AbortError();
        if (result !== kEmpty) yield result;
        queue.shift();
        makeRoom();
      }
      await new Promise((resolve) => { wakeConsumer = resolve; });
    }
  } finally {
    done = true;
    wakeProducer?.();
    wakeProducer = null;
  }
}

function asIndexedPairs(options = undefined) {
  validateOptions(options);
  return indexed(this, options?.signal);
}

async function* indexed(stream, signal) {
  let index = 0;
  for await (const chunk of stream) {
    throwIfAborted(signal);
    yield [index++, chunk];
  }
}

function filter(fn, options) {
  validateFunctionNamed(fn, 'fn');
  return map.call(this, async (chunk, context) => (await fn(chunk, context) ? chunk : kEmpty), options);
}

function flatMap(fn, options) {
  return flattened(map.call(this, fn, options));
}

async function* flattened(values) {
  for await (const value of values) yield* value;
}

/// How many are to be taken or left out.
function countOf(number) {
  number = Number(number);
  if (Number.isNaN(number)) return 0;
  if (number < 0) throw new ERR_OUT_OF_RANGE('number', '>= 0', number);
  return number;
}

function drop(number, options = undefined) {
  validateOptions(options);
  return dropped(this, countOf(number), options?.signal);
}

async function* dropped(stream, count, signal) {
  throwIfAborted(signal);
  for await (const chunk of stream) {
    throwIfAborted(signal);
    if (count-- <= 0) yield chunk;
  }
}

function take(number, options = undefined) {
  validateOptions(options);
  return taken(this, countOf(number), options?.signal);
}

async function* taken(stream, count, signal) {
  throwIfAborted(signal);
  for await (const chunk of stream) {
    throwIfAborted(signal);
    if (count-- > 0) yield chunk;
    // Without asking for one more, which might be long in coming.
    if (count <= 0) return;
  }
}

function compose(stream, options) {
  validateOptions(options);
  if (is.isNodeStream(stream) && !is.isWritable(stream)) {
    throw new ERR_INVALID_ARG_VALUE('stream', stream, 'must be writable');
  }
  const composed = require('internal/streams/compose')(this, stream);
  if (options?.signal) require('internal/streams/add_abort_signal').connect(options.signal, composed);
  return composed;
}

async function some(fn, options = undefined) {
  for await (const unused of filter.call(this, fn, options)) return true;
  return false;
}

async function every(fn, options = undefined) {
  validateFunctionNamed(fn, 'fn');
  return !(await some.call(this, async (...args) => !(await fn(...args)), options));
}

async function find(fn, options) {
  for await (const found of filter.call(this, fn, options)) return found;
  return undefined;
}

async function forEach(fn, options) {
  validateFunctionNamed(fn, 'fn');
  const call = async (chunk, context) => {
    await fn(chunk, context);
    return kEmpty;
  };
  for await (const unused of map.call(this, call, options));
}

async function toArray(options) {
  validateOptions(options);
  const result = [];
  for await (const chunk of this) {
    throwIfAborted(options?.signal);
    result.push(chunk);
  }
  return result;
}

async function reduce(reducer, initialValue, options) {
  validateFunctionNamed(reducer, 'reducer');
  validateOptions(options);
  if (options?.signal?.aborted) {
    const error = new AbortError(undefined, { cause: options.signal.reason });
    this.once('error', () => {});
    await require('internal/streams/end_of_stream').finished(this.destroy(error));
    throw error;
  }
  const { AbortController } = require('internal/abort_controller');
  const controller = new AbortController();
  const { signal } = controller;
  options?.signal?.addEventListener('abort', () => controller.abort(), { once: true });
  let has = arguments.length > 1;
  let value = initialValue;
  try {
    for await (const chunk of this) {
      if (options?.signal?.aborted) throw new AbortError();
      if (has) value = await reducer(value, chunk, { signal });
      else value = chunk;
      has = true;
    }
    if (!has) throw withoutInitialValue();
  } finally {
    controller.abort();
  }
  return value;
}

function withoutInitialValue() {
  const error = new ERR_MISSING_ARGS('reduce');
  Object.defineProperty(error, 'message', {
    value: 'Reduce of an empty stream requires an initial value', writable: true, configurable: true, enumerable: false,
  });
  return error;
}

module.exports = {
  // These give iterables, which become streams.
  streams: {
    asIndexedPairs: deprecate(asIndexedPairs, 'readable.asIndexedPairs will be removed in a future version.'),
    drop, filter, flatMap, map, take, compose,
  },
  promises: { every, forEach, reduce, toArray, some, find },
};
