// `pipeline`: streams, iterables and functions in a row, which end together (STREAM-44, STREAM-45).
//
// Uses binding.nextTick.
'use strict';

const {
  aggregateTwoErrors, AbortError,
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE, ERR_MISSING_ARGS, ERR_STREAM_DESTROYED, ERR_STREAM_PREMATURE_CLOSE,
  },
} = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const is = require('internal/streams/is');

const PREMATURE = 'ERR_STREAM_PREMATURE_CLOSE';

/// What all parts of one pipeline share: how many have yet to finish, and what to do when it is over.
class Line {
  #callback;
  #outer;
  #controller;
  #stopListening;
  #error = undefined;
  #unfinished = 0;
  // The streams that are to be destroyed if the line is cut.
  #guarded = [];
  // Let go of the last stream, which the program may go on to use.
  #releases = [];
  value = undefined;

  constructor(callback, outer, ends) {
    validateAbortSignal(outer, 'options.signal');
    const { AbortController } = require('internal/abort_controller');
    this.#callback = callback;
    this.#outer = outer;
    this.#controller = new AbortController();
    this.ends = ends;
    if (outer) {
      const { addAbortListener } = require('internal/events/abort_listener');
      this.#stopListening = addAbortListener(outer, this.#abort);
    }
  }

  get signal() { return this.#controller.signal; }

  /// So many calls of `finish` are to come.
  expect(count) {
    this.#unfinished += count;
  }

  /// One of those that were expected is through, or has failed. Who fails is told more than once, so that one
  /// that never closes does not keep the others waiting.
  finish = (error) => this.#settle(error, --this.#unfinished === 0);

  #abort = () => this.#settle(new AbortError(undefined, { cause: this.#outer?.reason }), false);

  abortIfAborted() {
    if (this.signal.aborted || this.#outer?.aborted) binding.nextTick(this.#abort);
  }

  #settle(error, isLast) {
    // A stream that is cut off is mostly the consequence of another one's error.
    if (error && (!this.#error || this.#error.code === PREMATURE)) this.#error = error;
    if (!this.#error && !isLast) return;
    this.#destroyAll();
    this.#stopListening?.[Symbol.dispose]();
    this.#controller.abort();
    if (!isLast) return;
    if (!this.#error) for (const release of this.#releases) release();
    binding.nextTick(this.#callback, this.#error, this.value);
  }

  /// Destroys the parts that are not through.
  #destroyAll() {
    for (let part; (part = this.#guarded.shift()) !== undefined;) {
      if (!part.isThrough) destroyer(part.stream, this.#error || new ERR_STREAM_DESTROYED('pipe'));
    }
  }

  /// Lets go with `release` if all goes well.
  onSuccess(release) {
    this.#releases.push(release);
  }

  /// Destroys a stream with the others; gives what lets go of it.
  guard(stream, reads, writes) {
    const part = { stream, isThrough: false };
    this.#guarded.push(part);
    stream.on('close', () => { part.isThrough = true; });
    return eos(stream, { readable: reads, writable: writes }, (error) => { part.isThrough = !error; });
  }

  /// Hears the errors of a stream.
  listen(stream, isLast) {
    const onError = (error) => {
      if (error && error.name !== 'AbortError' && error.code !== PREMATURE) this.finish(error);
    };
    stream.on('error', onError);
    if (isLast && is.isReadable(stream)) this.onSuccess(() => stream.removeListener('error', onError));
  }
}

/// Builds the line, part by part; gives the last one, to read from or to write to.
function build(given, callback, options) {
  const parts = given.length === 1 && Array.isArray(given[0]) ? given[0] : given;
  if (parts.length < 2) throw new ERR_MISSING_ARGS('streams');
  const line = new Line(callback, options?.signal, options?.end !== false);
  let current;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const place = { index: i, isLast: i === parts.length - 1, ends: i < parts.length - 1 || line.ends };
    if (is.isNodeStream(part)) guardPart(line, part, place);
    current = i === 0 ? first(line, part) : append(line, current, part, place);
  }
  line.abortIfAborted();
  return current;
}

function guardPart(line, stream, { index, isLast, ends }) {
  if (ends) {
    const release = line.guard(stream, !isLast, index > 0);
    if (isLast && is.isReadable(stream)) line.onSuccess(release);
  }
  line.listen(stream, isLast);
}

function first(line, part) {
  if (typeof part === 'function') {
    const result = part({ signal: line.signal });
    if (!is.isIterable(result)) throw new ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', result);
    return result;
  }
  const isSource = is.isIterable(part) || is.isReadableNodeStream(part) || is.isTransformStream(part);
  return isSource ? part : require('internal/streams/duplex').from(part);
}

function append(line, before, part, place) {
  if (typeof part === 'function') return appendFunction(line, before, part, place);
  if (is.isNodeStream(part)) {
    if (is.isReadableNodeStream(before)) connect(line, before, part, place);
    else start(line, pumpToNode, chunksOf(before), part, place);
    return part;
  }
  if (is.isWebStream(part)) {
    start(line, pumpToWeb, is.isReadableNodeStream(before) ? iterableOf(before) : chunksOf(before), part, place);
    return part;
  }
  return require('internal/streams/duplex').from(part);
}

function appendFunction(line, before, fn, place) {
  const source = iterableOf(is.isTransformStream(before) ? before.readable : before);
  const result = fn(source, { signal: line.signal });
  if (place.isLast) return collect(line, result, place);
  if (!is.isIterable(result, true)) throw new ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${place.index - 1}]`, result);
  return result;
}

/// What the last function gives goes into a stream of ours.
function collect(line, result, place) {
  const PassThrough = require('internal/streams/passthrough');
  const target = new PassThrough({ objectMode: true });
  // Looked at once, as `await` does.
  const then = result?.then;
  if (typeof then === 'function') awaitResult(line, result, then, target, place.ends);
  else if (is.isIterable(result, true)) start(line, pumpToNode, result, target, place);
  else if (is.isReadableStream(result) || is.isTransformStream(result)) start(line, pumpToNode, chunksOf(result), target, place);
  else throw new ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', result);
  const release = line.guard(target, false, true);
  line.onSuccess(release);
  return target;
}

/// The value of a promise is the pipeline's own.
function awaitResult(line, promise, then, target, ends) {
  line.expect(1);
  Reflect.apply(then, promise, [(value) => {
    line.value = value;
    if (value != null) target.write(value);
    if (ends) target.end();
    binding.nextTick(line.finish);
  }, (error) => {
    target.destroy(error);
    binding.nextTick(line.finish, error);
  }]);
}

/// What can be iterated of something that is no Readable.
function chunksOf(source) {
  if (is.isTransformStream(source)) return source.readable;
  if (is.isReadableStream(source) || is.isIterable(source)) return source;
  throw new ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable', 'ReadableStream', 'TransformStream'], source);
}

function iterableOf(source) {
  if (is.isIterable(source)) return source;
  if (is.isReadableNodeStream(source)) return iterateLegacy(source);
  throw new ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], source);
}

async function* iterateLegacy(stream) {
  yield* require('internal/streams/readable').prototype[Symbol.asyncIterator].call(stream);
}

/// Pipes a Readable into a stream. The source and the destination finish on their own.
function connect(line, source, dest, { isLast, ends }) {
  line.expect(2);
  let isEnded = false;
  const end = () => {
    isEnded = true;
    dest.end();
  };
  dest.on('close', () => {
    if (!isEnded) line.finish(new ERR_STREAM_PREMATURE_CLOSE());
  });
  source.pipe(dest, { end: false });
  if (!ends) line.finish();
  else if (is.isReadableFinished(source)) binding.nextTick(end);
  else source.once('end', end);

  eos(source, { readable: true, writable: false }, (error) => {
    const state = source._readableState;
    // It was closed while the last chunks were on their way; 'end' is still to come.
    const willEnd = error?.code === PREMATURE && state?.ended && !state.errored && !state.errorEmitted;
    if (willEnd) source.once('end', line.finish).once('error', line.finish);
    else line.finish(error);
  });
  const release = eos(dest, { readable: false, writable: true }, line.finish);
  if (isLast && is.isReadable(dest)) line.onSuccess(release);
}

/// Has one of the two loops below bring chunks to their destination.
function start(line, pump, chunks, dest, { ends }) {
  line.expect(1);
  pump(chunks, dest, line.finish, ends);
}

/// Whether a stream takes more: settles when it has drained, or is over.
class Room {
  error = undefined;
  #waiting = null;

  change = (error) => {
    if (error) this.error = error;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) this.#settle(waiting);
  };

  #settle({ resolve, reject }) {
    this.error ? reject(this.error) : resolve();
  }

  wait() {
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject };
      if (this.error) this.#settle(waiting);
      else this.#waiting = waiting;
    });
  }
}

async function pumpToNode(chunks, dest, finish, ends) {
  const room = new Room();
  dest.on('drain', room.change);
  const release = eos(dest, { readable: false }, room.change);
  try {
    if (dest.writableNeedDrain) await room.wait();
    for await (const chunk of chunks) {
      if (!dest.write(chunk)) await room.wait();
    }
    if (ends) {
      dest.end();
      await room.wait();
    }
    finish();
  } catch (error) {
    finish(error === room.error ? error : aggregateTwoErrors(room.error, error));
  } finally {
    release();
    dest.off('drain', room.change);
  }
}

async function pumpToWeb(chunks, dest, finish, ends) {
  const writer = (is.isTransformStream(dest) ? dest.writable : dest).getWriter();
  let outcome;
  try {
    for await (const chunk of chunks) {
      await writer.ready;
      // A write that fails is seen at the next wait.
      writer.write(chunk).catch(() => {});
    }
    await writer.ready;
    if (ends) await writer.close();
  } catch (error) {
    outcome = await abort(writer, error);
  }
  finish(outcome);
}

async function abort(writer, error) {
  try {
    await writer.abort(error);
    return error;
  } catch (another) {
    return another;
  }
}

function pipeline(...streams) {
  const callback = streams.at(-1);
  validateFunction(callback, 'streams[stream.length - 1]');
  let isCalled = false;
  return build(streams.slice(0, -1), (...args) => {
    if (isCalled) return;
    isCalled = true;
    callback(...args);
  });
}

/// Whether the last argument is not a part of the line.
function isOptions(it) {
  return it !== null && typeof it === 'object' && !is.isNodeStream(it) && !is.isIterable(it) && !is.isWebStream(it);
}

function pipelinePromise(...streams) {
  return new Promise((resolve, reject) => {
    const options = isOptions(streams.at(-1)) ? streams.pop() : undefined;
    build(streams, (error, value) => (error ? reject(error) : resolve(value)), options);
  });
}

module.exports = { pipeline, pipelinePromise };
