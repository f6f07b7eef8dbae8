// Questions about streams of any make: Node's own, those of packages that only look alike, HTTP
// messages, and web streams. An answer of null means that the question does not apply.
'use strict';

const kIsDestroyed = Symbol.for('nodejs.stream.destroyed');
const kIsErrored = Symbol.for('nodejs.stream.errored');
const kIsReadable = Symbol.for('nodejs.stream.readable');
const kIsWritable = Symbol.for('nodejs.stream.writable');
const kIsDisturbed = Symbol.for('nodejs.stream.disturbed');
const kIsClosedPromise = Symbol.for('nodejs.webstream.isClosedPromise');
const kControllerErrorFunction = Symbol.for('nodejs.webstream.controllerErrorFunction');

const isFunction = (value) => typeof value === 'function';
const isBoolean = (value) => typeof value === 'boolean';

// What kind of thing is it?

/// `strict` asks for a stream that can be held back as well.
function isReadableNodeStream(it, strict = false) {
  if (!it || !isFunction(it.pipe) || !isFunction(it.on)) return false;
  if (strict && !(isFunction(it.pause) && isFunction(it.resume))) return false;
  // What can be written needs proof that it can be read: a Writable has a `pipe` too.
  return !it._writableState || Boolean(it._readableState && it._readableState.readable !== false);
}

function isWritableNodeStream(it) {
  if (!it || !isFunction(it.write) || !isFunction(it.on)) return false;
  return !it._readableState || it._writableState?.writable !== false;
}

function isDuplexNodeStream(it) {
  return Boolean(it && isFunction(it.pipe) && it._readableState && isFunction(it.on) && isFunction(it.write));
}

function isNodeStream(it) {
  if (!it) return it;
  return it._readableState || it._writableState ||
    ((isFunction(it.write) || isFunction(it.pipe)) && isFunction(it.on));
}

function isReadableStream(it) {
  return Boolean(it && !isNodeStream(it) && isFunction(it.pipeThrough) && isFunction(it.getReader) &&
    isFunction(it.cancel));
}

function isWritableStream(it) {
  return Boolean(it && !isNodeStream(it) && isFunction(it.getWriter) && isFunction(it.abort));
}

function isTransformStream(it) {
  return Boolean(it && !isNodeStream(it) && typeof it.readable === 'object' && typeof it.writable === 'object');
}

function isWebStream(it) {
  return isReadableStream(it) || isWritableStream(it) || isTransformStream(it);
}

/// `isAsync` chooses the kind of iteration; undefined takes either.
function isIterable(it, isAsync = undefined) {
  if (it == null) return false;
  return (isAsync !== false && isFunction(it[Symbol.asyncIterator])) ||
    (isAsync !== true && isFunction(it[Symbol.iterator]));
}

function isOutgoingMessage(stream) {
  return isBoolean(stream._closed) && isBoolean(stream._defaultKeepAlive) &&
    isBoolean(stream._removedConnection) && isBoolean(stream._removedContLen);
}

function isServerResponse(stream) {
  return isBoolean(stream._sent100) && isOutgoingMessage(stream);
}

function isServerRequest(stream) {
  return isBoolean(stream._consuming) && isBoolean(stream._dumped) && stream.req?.upgradeOrConnect === undefined;
}

/// A request of a client, as `http` and packages like it make them.
function isRequest(stream) {
  return Boolean(stream && stream.setHeader && isFunction(stream.abort));
}

// How far is it?

function isDestroyed(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  return Boolean(stream.destroyed || stream[kIsDestroyed] || state?.destroyed);
}

function isWritableEnded(stream) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableEnded === true) return true;
  const state = stream._writableState;
  if (state?.errored) return false;
  return isBoolean(state?.ended) ? state.ended : null;
}

/// Unless `strict`, a stream with nothing left to do has finished, whether or not it said so.
function isWritableFinished(stream, strict = undefined) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableFinished === true) return true;
  const state = stream._writableState;
  if (state?.errored) return false;
  if (!isBoolean(state?.finished)) return null;
  return state.finished || (strict === false && state.ended === true && state.length === 0);
}

function isReadableEnded(stream) {
  if (!isReadableNodeStream(stream)) return null;
  if (stream.readableEnded === true) return true;
  const state = stream._readableState;
  if (!state || state.errored) return false;
  return isBoolean(state.ended) ? state.ended : null;
}

function isReadableFinished(stream, strict = undefined) {
  if (!isReadableNodeStream(stream)) return null;
  const state = stream._readableState;
  if (state?.errored) return false;
  if (!isBoolean(state?.endEmitted)) return null;
  return state.endEmitted || (strict === false && state.ended === true && state.length === 0);
}

function isReadable(stream) {
  if (stream && stream[kIsReadable] != null) return stream[kIsReadable];
  if (!isBoolean(stream?.readable)) return null;
  if (isDestroyed(stream)) return false;
  return isReadableNodeStream(stream) && stream.readable && !isReadableFinished(stream);
}

function isWritable(stream) {
  if (stream && stream[kIsWritable] != null) return stream[kIsWritable];
  if (!isBoolean(stream?.writable)) return null;
  if (isDestroyed(stream)) return false;
  return isWritableNodeStream(stream) && stream.writable && !isWritableEnded(stream);
}

function isFinished(stream, sides = undefined) {
  if (!isNodeStream(stream)) return null;
  if (isDestroyed(stream)) return true;
  if (sides?.readable !== false && isReadable(stream)) return false;
  if (sides?.writable !== false && isWritable(stream)) return false;
  return true;
}

function isWritableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.writableErrored || (stream._writableState?.errored ?? null);
}

function isReadableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.readableErrored || (stream._readableState?.errored ?? null);
}

function isClosed(stream) {
  if (!isNodeStream(stream)) return null;
  if (isBoolean(stream.closed)) return stream.closed;
  const written = stream._writableState?.closed;
  const read = stream._readableState?.closed;
  if (isBoolean(written) || isBoolean(read)) return written || read;
  if (isBoolean(stream._closed) && isOutgoingMessage(stream)) return stream._closed;
  return null;
}

function willEmitClose(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  if (!state) return isServerResponse(stream);
  return Boolean(state.autoDestroy && state.emitClose && state.closed === false);
}

function isDisturbed(stream) {
  return Boolean(stream && (stream[kIsDisturbed] ?? (stream.readableDidRead || stream.readableAborted)));
}

function isErrored(stream) {
  return Boolean(stream && (
    stream[kIsErrored] ?? stream.readableErrored ?? stream.writableErrored ??
    stream._readableState?.errorEmitted ?? stream._writableState?.errorEmitted ??
    stream._readableState?.errored ?? stream._writableState?.errored
  ));
}

module.exports = {
  kIsDestroyed, kIsErrored, kIsReadable, kIsWritable, kIsDisturbed, kIsClosedPromise, kControllerErrorFunction,
  isReadableNodeStream, isWritableNodeStream, isDuplexNodeStream, isNodeStream, isReadableStream, isWritableStream,
  isTransformStream, isWebStream, isIterable, isServerRequest, isRequest,
  isDestroyed, isWritableEnded, isWritableFinished, isReadableEnded, isReadableFinished, isReadable, isWritable,
  isFinished, isWritableErrored, isReadableErrored, isClosed, willEmitClose, isDisturbed, isErrored,
};
