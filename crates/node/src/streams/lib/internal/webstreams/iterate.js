// Readable streams as iterables, and iterables as readable streams.
'use strict';

const { codes: { ERR_ARG_NOT_ITERABLE, ERR_INVALID_THIS } } = require('internal/errors');
const { attach, deferred, follow, invalidState, kMake, kState, nop } = require('internal/webstreams/common');
const { ReadableStream, makeController } = require('internal/webstreams/readable');

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

/// What an iterator does when it is asked to.
class Steps {
  constructor(next, leave) {
    this.next = next;
    this.leave = leave;
  }
}

function stepsOf(iterator) {
  const steps = iterator?.[kState];
  if (steps instanceof Steps) return steps;
  throw new ERR_INVALID_THIS('ReadableStreamAsyncIterator');
}

/// What all iterators of streams have; that they are iterable they have from above.
const iteratorPrototype = Object.create(AsyncIteratorPrototype, Object.getOwnPropertyDescriptors({
  next() {
    try {
      return stepsOf(this).next();
    } catch (error) {
      return Promise.reject(error);
    }
  },
  return(value) {
    try {
      return stepsOf(this).leave(value);
    } catch (error) {
      return Promise.reject(error);
    }
  },
}));

/// What is left of a stream, by a reader of its own, which is released at the end.
function iterate(reader, preventCancel) {
  const { stream } = reader;
  let started = false;
  let done = false;
  // What was asked last; the next question waits for its answer.
  let current;

  function next() {
    if (done) return Promise.resolve({ value: undefined, done: true });
    if (reader.stream === undefined) return Promise.reject(invalidState('The reader is not bound to a ReadableStream'));
    const { promise, resolve, reject } = deferred();
    reader.read({
      chunk(value) {
        current = undefined;
        resolve({ value, done: false });
      },
      close() {
        current = undefined;
        done = true;
        reader.release();
        resolve({ value: undefined, done: true });
      },
      error(reason) {
        current = undefined;
        done = true;
        reader.release();
        reject(reason);
      },
    });
    return promise;
  }

  async function leave(value) {
    if (done) return { value, done: true };
    done = true;
    if (reader.stream === undefined) throw invalidState('The reader is not bound to a ReadableStream');
    if (preventCancel) {
      reader.release();
      return { value, done: true };
    }
    const result = stream.cancel(value);
    reader.release();
    await result;
    return { value, done: true };
  }

  return attach(Object.create(iteratorPrototype), new Steps(() => {
    if (!started) {
      current = Promise.resolve();
      started = true;
    }
    current = current === undefined ? next() : follow(current, next, next);
    return current;
  }, (value) => {
    started = true;
    current = current === undefined ? leave(value) : follow(current, () => leave(value), () => leave(value));
    return current;
  }));
}

/// What an ordinary iterator gives, waited for.
async function* awaiting(iterator) {
  return yield* { [Symbol.iterator]: () => iterator };
}

/// A stream of what an iterable gives, which asks for a value only when one is wanted.
function fromIterable(iterable) {
  const isObject = (it) => it !== null && (typeof it === 'object' || typeof it === 'function');
  const method = iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator];
  if (method == null) throw new ERR_ARG_NOT_ITERABLE(require('internal/util/inspect').inspect(iterable));
  if (typeof method !== 'function') throw new TypeError('FunctionPrototypeCall is not a function');
  let iterator = Reflect.apply(method, iterable, []);
  if (!isObject(iterator)) throw invalidState('The iterator method must return an object');
  if (iterable[Symbol.asyncIterator] == null) iterator = awaiting(iterator);
  const nextMethod = iterator.next;

  return new ReadableStream(kMake, (stream) => {
    const pull = async () => {
      const asked = Promise.resolve(Reflect.apply(nextMethod, iterator, []));
      return follow(asked, (result) => {
        if (!isObject(result)) throw invalidState('The iterator.next() method must return an object');
        if (result.done) stream.controller.close();
        else stream.controller.enqueue(result.value);
      });
    };
    const cancel = async (reason) => {
      const leave = iterator.return;
      if (leave === undefined) return;
      const asked = Promise.resolve(Reflect.apply(leave, iterator, [reason]));
      return follow(asked, (result) => {
        if (!isObject(result)) throw invalidState('The iterator.return() method must return an object');
      });
    };
    makeController(stream, { pull, cancel, highWaterMark: 0, size: () => 1 }, nop);
  });
}

module.exports = { iterate, fromIterable };
