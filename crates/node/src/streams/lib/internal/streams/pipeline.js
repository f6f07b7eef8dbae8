// `pipeline`: streams, iterables and functions in a row, which end together.
//
// Uses binding.nextTick.
'use strict';

const {
  AbortError, aggregateTwoErrors,
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE, ERR_MISSING_ARGS, ERR_STREAM_DESTROYED, ERR_STREAM_PREMATURE_CLOSE,
  },
} = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const is = require('internal/streams/is');

function pipeline(...streams) {
  const callback = streams.pop();
  validateFunction(callback, 'streams[stream.length - 1]');
  return run(streams, callback);
}

/// One run of a pipeline: what is outstanding, and how it all comes to an end.
class Run {
  constructor(callback, outerSignal) {
    const { AbortController } = require('internal/abort_controller');
    this.callback = callback;
    this.controller = new AbortController();
    this.outerSignal = outerSignal;
    this.error = undefined;
    this.value = undefined;
    // How many parts have yet to finish.
    this.open = 0;
    this.destroys = [];
    // What lets go of the last stream, if it is to be used on.
    this.releases = [];
    this.abort = () => this.settle(new AbortError(undefined, { cause: outerSignal?.reason }), false);
    // One part is through.
    this.finish = (error) => this.settle(error, --this.open === 0);
    if (outerSignal) {
      const { addAbortListener } = require('internal/events/abort_listener');
      this.listener = addAbortListener(outerSignal, this.abort);
    }
  }

  settle(error, last) {
    // A premature close is what the real error of another stream looks like from here.
    if (error && (!this.error || this.error.code === 'ERR_STREAM_PREMATURE_CLOSE')) this.error = error;
    if (!this.error && !last) return;
    while (this.destroys.length > 0) this.destroys.shift()(this.error);
    this.listener?.[Symbol.dispose]();
    this.controller.abort();
    if (!last) return;
    if (!this.error) for (const release of this.releases) release();
    const { callback } = this;
    this.callback = () => {};
    binding.nextTick(callback, this.error, this.value);
  }

  /// Watches a stream, to destroy it if the pipeline fails before it is through.
  watch(stream, reading, writing) {
    let finished = false;
    stream.on('close', () => { finished = true; });
    const cleanup = eos(stream, { readable: reading, writable: writing }, (error) => { finished = !error; });
    this.destroys.push((error) => {
      if (finished) return;
      finished = true;
      destroyer(stream, error || new ERR_STREAM_DESTROYED('pipe'));
    });
    return cleanup;
  }
}

function run(streams, callback, options = undefined) {
  if (streams.length === 1 && Array.isArray(streams[0])) [streams] = streams;
  if (streams.length < 2) throw new ERR_MISSING_ARGS('streams');
  validateAbortSignal(options?.signal, 'options.signal');
  const state = new Run(callback, options?.signal);
  const { signal } = state.controller;
  const last = streams.length - 1;
  // What the parts up to here give.
  let result;
  for (let i = 0; i <= last; i++) {
    const stream = streams[i];
    const end = i < last || options?.end !== false;
    if (is.isNodeStream(stream)) watchNodeStream(state, stream, i > 0, i < last, end);
    if (i === 0) {
      result = sourceOf(stream, signal);
    } else if (typeof stream === 'function') {
      result = stream(iterableOf(is.isTransformStream(result) ? result.readable : result), { signal });
      if (i === last) result = collect(state, result, end);
      else checkTransform(result, i);
    } else if (is.isNodeStream(stream)) {
      connectNode(state, result, stream, i === last, end);
      result = stream;
    } else if (is.isWebStream(stream)) {
      connectWeb(state, result, stream, end);
      result = stream;
    } else {
      result = require('internal/streams/duplex').from(stream);
    }
  }
  if (signal.aborted || options?.signal?.aborted) binding.nextTick(state.abort);
  return result;
}

function checkTransform(result, i) {
  if (!is.isIterable(result, true)) throw new ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${i - 1}]`, result);
}

function watchNodeStream(state, stream, writing, reading, end) {
  if (end) state.watch(stream, reading, writing);
  // An error may also come after data has ceased to flow. It counts as one of the ends that are waited
  // for, as in Node: a stream that is slow to close does not keep the others' failure back.
  const onerror = (error) => {
    if (error && error.name !== 'AbortError' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') state.finish(error);
  };
  stream.on('error', onerror);
  if (!reading && is.isReadable(stream)) state.releases.push(() => stream.removeListener('error', onerror));
}

function sourceOf(stream, signal) {
  if (typeof stream === 'function') {
    const source = stream({ signal });
    if (is.isIterable(source)) return source;
    throw new ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', source);
  }
  if (is.isIterable(stream) || is.isReadableNodeStream(stream) || is.isTransformStream(stream)) return stream;
  return require('internal/streams/duplex').from(stream);
}

function iterableOf(value) {
  if (is.isIterable(value)) return value;
  // An old stream that cannot be iterated by itself.
  if (is.isReadableNodeStream(value)) return chunksOf(value);
  throw new ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], value);
}

async function* chunksOf(stream) {
  yield* require('internal/streams/readable').prototype[Symbol.asyncIterator].call(stream);
}

/// What a function at the end returns, as a stream that others can go on with.
function collect(state, result, end) {
  const PassThrough = require('internal/streams/passthrough');
  const through = new PassThrough({ objectMode: true });
  const then = result?.then;
  if (typeof then === 'function') {
    state.open++;
    then.call(result, (value) => {
      state.value = value;
      if (value != null) through.write(value);
      if (end) through.end();
      binding.nextTick(state.finish);
    }, (error) => {
      through.destroy(error);
      binding.nextTick(state.finish, error);
    });
  } else if (is.isIterable(result, true)) {
    state.open++;
    pumpToNode(result, through, state.finish, end);
  } else if (is.isReadableStream(result) || is.isTransformStream(result)) {
    state.open++;
    pumpToNode(result.readable || result, through, state.finish, end);
  } else {
    throw new ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', result);
  }
  state.releases.push(state.watch(through, false, true));
  return through;
}

function refuse(value) {
  throw new ERR_INVALID_ARG_TYPE(
    'val', ['Readable', 'Iterable', 'AsyncIterable', 'ReadableStream', 'TransformStream'], value);
}

function connectNode(state, source, dest, isLast, end) {
  if (is.isReadableNodeStream(source)) {
    state.open += 2;
    const cleanup = pipe(source, dest, state, end);
    if (isLast && is.isReadable(dest)) state.releases.push(cleanup);
  } else if (is.isTransformStream(source) || is.isReadableStream(source)) {
    state.open++;
    pumpToNode(source.readable || source, dest, state.finish, end);
  } else if (is.isIterable(source)) {
    state.open++;
    pumpToNode(source, dest, state.finish, end);
  } else {
    refuse(source);
  }
}

function connectWeb(state, source, dest, end) {
  let from;
  if (is.isReadableNodeStream(source)) from = iterableOf(source);
  else if (is.isReadableStream(source) || is.isIterable(source)) from = source;
  else if (is.isTransformStream(source)) from = source.readable;
  else refuse(source);
  state.open++;
  pumpToWeb(from, dest, state.finish, end);
}

function pipe(source, dest, state, end) {
  const { finish } = state;
  let ended = false;
  dest.on('close', () => {
    if (!ended) finish(new ERR_STREAM_PREMATURE_CLOSE());
  });
  // The end is ours to pass on: `pipe` would not if the source had none left to tell.
  source.pipe(dest, { end: false });
  if (end) {
    const endDest = () => {
      ended = true;
      dest.end();
    };
    if (is.isReadableFinished(source)) binding.nextTick(endDest);
    else source.once('end', endDest);
  } else {
    finish();
  }
  eos(source, { readable: true, writable: false }, (error) => {
    const readable = source._readableState;
    if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE' && readable?.ended && !readable.errored && !readable.errorEmitted) {
      // It has closed with data left in its buffer, which can still be read.
      source.once('end', finish).once('error', finish);
    } else {
      finish(error);
    }
  });
  return eos(dest, { readable: false, writable: true }, finish);
}

async function pumpToNode(iterable, dest, finish, end) {
  let error;
  let wake = null;
  const resume = (reason) => {
    if (reason) error = reason;
    const one = wake;
    wake = null;
    one?.();
  };
  const wait = () => new Promise((resolve, reject) => {
    if (error) reject(error);
    else wake = () => (error ? reject(error) : resolve());
  });
  dest.on('drain', resume);
  const cleanup = eos(dest, { readable: false }, resume);
  try {
    if (dest.writableNeedDrain) await wait();
    // Left by `break` and not by throwing, which in this engine would not wait for the iterable to close.
    let failure;
    for await (const chunk of iterable) {
      try {
        if (!dest.write(chunk)) await wait();
      } catch (thrown) {
        failure = { thrown };
        break;
      }
    }
    if (failure) throw failure.thrown;
    if (end) {
      dest.end();
      await wait();
    }
    finish();
  } catch (thrown) {
    finish(error !== thrown ? aggregateTwoErrors(error, thrown) : thrown);
  } finally {
    cleanup();
    dest.off('drain', resume);
  }
}

async function pumpToWeb(iterable, dest, finish, end) {
  if (is.isTransformStream(dest)) dest = dest.writable;
  const writer = dest.getWriter();
  try {
    // As above.
    let failure;
    for await (const chunk of iterable) {
      try {
        await writer.ready;
      } catch (thrown) {
        failure = { thrown };
        break;
      }
      writer.write(chunk).catch(() => {});
    }
    if (failure) throw failure.thrown;
    await writer.ready;
    if (end) await writer.close();
    finish();
  } catch (error) {
    try {
      await writer.abort(error);
      finish(error);
    } catch (another) {
      finish(another);
    }
  }
}

/// The same as a promise.
function pipelinePromise(...streams) {
  return new Promise((resolve, reject) => {
    let signal;
    let end;
    const options = streams.at(-1);
    // The last argument is for the options if it can be nothing else.
    if (options && typeof options === 'object' && !is.isNodeStream(options) && !is.isIterable(options) &&
        !is.isWebStream(options)) {
      ({ signal, end } = streams.pop());
    }
    run(streams, (error, value) => {
      if (error) reject(error);
      else resolve(value);
    }, { signal, end });
  });
}

module.exports = { pipeline, pipelinePromise, run };
