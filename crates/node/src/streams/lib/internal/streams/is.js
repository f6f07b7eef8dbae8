// What can be told of a stream of any make. null means that it cannot be told.
'use strict';

const kIsDestroyed = Symbol.for('nodejs.stream.destroyed');
const kIsErrored = Symbol.for('nodejs.stream.errored');
const kIsReadable = Symbol.for('nodejs.stream.readable');
const kIsWritable = Symbol.for('nodejs.stream.writable');
const kIsDisturbed = Symbol.for('nodejs.stream.disturbed');
const kIsClosedPromise = Symbol.for('nodejs.webstream.isClosedPromise');
const kControllerErrorFunction = Symbol.for('nodejs.webstream.controllerErrorFunction');

/// Whether all of these are methods of it.
function can(it, ...names) {
  return Boolean(it) && names.every((name) => typeof it[name] === 'function');
}

function areBooleans(it, ...names) {
  return names.every((name) => typeof it[name] === 'boolean');
}

// Kinds.

function isReadableNodeStream(it, strict = false) {
  if (!can(it, 'pipe', 'on') || (strict && !can(it, 'pause', 'resume'))) return false;
  if (!it._writableState) return true;
  return Boolean(it._readableState) && it._readableState.readable !== false;
}

function isWritableNodeStream(it) {
  return can(it, 'write', 'on') && (!it._readableState || it._writableState?.writable !== false);
}

function isDuplexNodeStream(it) {
  return can(it, 'pipe', 'on', 'write') && Boolean(it._readableState);
}

function isNodeStream(it) {
  if (!it) return false;
  return Boolean(it._readableState || it._writableState) || can(it, 'write', 'on') || can(it, 'pipe', 'on');
}

function isReadableStream(it) {
  return can(it, 'pipeThrough', 'getReader', 'cancel') && !isNodeStream(it);
}

function isWritableStream(it) {
  return can(it, 'getWriter', 'abort') && !isNodeStream(it);
}

function isTransformStream(it) {
  return Boolean(it) && typeof it.readable === 'object' && typeof it.writable === 'object' && !isNodeStream(it);
}

function isWebStream(it) {
  return isReadableStream(it) || isWritableStream(it) || isTransformStream(it);
}

function isIterable(it, isAsync) {
  if (it == null) return false;
  const kinds = isAsync === undefined ? [Symbol.asyncIterator, Symbol.iterator] : [isAsync ? Symbol.asyncIterator : Symbol.iterator];
  return kinds.some((kind) => typeof it[kind] === 'function');
}

// Messages of HTTP, which are streams with ways of their own.

function isRequest(it) {
  return can(it, 'abort') && Boolean(it.setHeader);
}

function isServerRequest(it) {
  return areBooleans(it, '_consuming', '_dumped') && it.req?.upgradeOrConnect === undefined;
}

function isOutgoingMessage(it) {
  return areBooleans(it, '_closed', '_defaultKeepAlive', '_removedConnection', '_removedContLen');
}

// How far each side has come. `told` is the stream's own word for it, `noted` the name in its state.

function reached(state, told, noted) {
  if (told === true) return true;
  if (!state || state.errored) return false;
  return typeof state[noted] === 'boolean' ? state[noted] : null;
}

/// Whether a side that is not through has nothing left that keeps it from getting there.
function isDry(state) {
  return state.ended && state.length === 0;
}

function isReadableFinished(stream, strict) {
  if (!isReadableNodeStream(stream)) return null;
  const state = stream._readableState;
  if (!state) return null;
  const is = reached(state, false, 'endEmitted');
  return is === false && strict === false && !state.errored ? isDry(state) : is;
}

function isWritableEnded(stream) {
  if (!isWritableNodeStream(stream)) return null;
  const state = stream._writableState;
  return state || stream.writableEnded === true ? reached(state, stream.writableEnded, 'ended') : null;
}

function isWritableFinished(stream, strict) {
  if (!isWritableNodeStream(stream)) return null;
  const state = stream._writableState;
  if (!state && stream.writableFinished !== true) return null;
  const is = reached(state, stream.writableFinished, 'finished');
  return is === false && strict === false && !state.errored ? isDry(state) : is;
}

function isReadable(stream) {
  const said = stream?.[kIsReadable];
  if (said != null) return said;
  if (typeof stream?.readable !== 'boolean') return null;
  return !isDestroyed(stream) && stream.readable && isReadableNodeStream(stream) && !isReadableFinished(stream);
}

function isWritable(stream) {
  const said = stream?.[kIsWritable];
  if (said != null) return said;
  if (typeof stream?.writable !== 'boolean') return null;
  return !isDestroyed(stream) && stream.writable && isWritableNodeStream(stream) && !isWritableEnded(stream);
}

// How the whole has ended.

function isDestroyed(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  return Boolean(stream.destroyed || stream[kIsDestroyed] || state?.destroyed);
}

/// Whether nothing of it is left to do, on the sides that are asked for.
function isFinished(stream, sides) {
  if (!isNodeStream(stream)) return null;
  if (isDestroyed(stream)) return true;
  const isOpen = (sides?.readable !== false && isReadable(stream)) || (sides?.writable !== false && isWritable(stream));
  return !isOpen;
}

function errorOf(stream, told, stateName) {
  if (!isNodeStream(stream)) return null;
  return stream[told] || (stream[stateName]?.errored ?? null);
}

function isReadableErrored(stream) {
  return errorOf(stream, 'readableErrored', '_readableState');
}

function isWritableErrored(stream) {
  return errorOf(stream, 'writableErrored', '_writableState');
}

function isClosed(stream) {
  if (!isNodeStream(stream)) return null;
  if (typeof stream.closed === 'boolean') return stream.closed;
  const words = [stream._writableState?.closed, stream._readableState?.closed];
  if (words.some((word) => typeof word === 'boolean')) return words.some(Boolean);
  return isOutgoingMessage(stream) ? stream._closed : null;
}

function willEmitClose(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  if (!state) return isOutgoingMessage(stream) && typeof stream._sent100 === 'boolean';
  return Boolean(state.autoDestroy && state.emitClose) && state.closed === false;
}

function isDisturbed(stream) {
  return Boolean(stream?.[kIsDisturbed] ?? (stream?.readableDidRead || stream?.readableAborted));
}

function isErrored(stream) {
  if (!stream) return false;
  const { _readableState: readable, _writableState: writable } = stream;
  return Boolean(stream[kIsErrored] ?? stream.readableErrored ?? stream.writableErrored ??
    readable?.errorEmitted ?? writable?.errorEmitted ?? readable?.errored ?? writable?.errored);
}

module.exports = {
  kIsDestroyed, kIsErrored, kIsReadable, kIsDisturbed, kIsClosedPromise, kControllerErrorFunction,
  isReadableNodeStream, isWritableNodeStream, isDuplexNodeStream, isNodeStream, isReadableStream, isWritableStream,
  isTransformStream, isWebStream, isIterable, isServerRequest, isRequest,
  isDestroyed, isWritableEnded, isWritableFinished, isReadableFinished, isReadable, isWritable,
  isFinished, isWritableErrored, isReadableErrored, isClosed, willEmitClose, isDisturbed, isErrored,
};
