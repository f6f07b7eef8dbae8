// Reading from and writing to open files, one buffer or several at a time.
// Uses binding.nextTick, beforeTrips.
'use strict';

const { onFile } = require('internal/fs/gate');
const { toBuffer, toFd, toPosition, toSpan, toView, toViews } = require('internal/fs/arguments');
const { validateFunction, validateInteger, validateEncoding, validateObject } = require('internal/validators');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { isArrayBufferView } = require('internal/util/types');

const MAX_LENGTH = 0x7fffffff;

function fill(views, bytes) {
  let at = 0;
  for (const view of views) {
    if (at >= bytes.length) break;
    const part = bytes.subarray(at, at + view.length);
    view.set(part);
    at += part.length;
  }
  return bytes.length;
}

const offsetOf = (offset) => {
  if (offset === undefined || offset === null) return 0;
  validateInteger(offset, 'offset', 0);
  return offset;
};

/// Reads into a part of a buffer; nothing to read into, nothing is asked.
function prepareRead(fd, buffer, offset, length, position) {
  const view = toView(buffer);
  const start = offsetOf(offset);
  const count = length | 0;
  const file = toFd(fd);
  if (count === 0) return undefined;
  if (view.length === 0) throw new ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  toSpan(start, count, view.length);
  const from = toPosition(position, 'position');
  const part = view.subarray(start, start + count);
  return onFile('read', [file, count, from ?? -1], (bytes) => fill([part], bytes));
}

// What an object of options says. A length that is left out is the rest of the buffer.
function spanOf(buffer, options) {
  const { offset = 0, length = buffer?.byteLength - offset, position = null } = options ?? {};
  return [buffer, offset, length, position];
}

const blank = () => require('buffer').Buffer.alloc(16384);

function optionsOf(value) {
  if (value !== null) validateObject(value, 'options');
  return value;
}

// How many arguments there are says which they are: read(fd), read(fd, options) or read(fd, buffer),
// read(fd, buffer, options), and with more of them each in its own place, where no length is none.
function readArguments(args) {
  const [buffer, options] = args;
  if (args.length === 0) return spanOf(blank(), {});
  if (args.length === 1 && !isArrayBufferView(buffer)) {
    const given = optionsOf(buffer);
    return spanOf(given?.buffer === undefined ? blank() : given.buffer, given);
  }
  if (args.length > 2) return args;
  return spanOf(buffer, args.length === 1 ? {} : optionsOf(options));
}

// At once the buffer is never left out, and options are known by being an object.
function readSyncArguments(args) {
  const [buffer, options] = args;
  if (args.length > 2 && (options === null || typeof options !== 'object')) return args;
  return spanOf(buffer, options === undefined ? {} : optionsOf(options));
}

/// The same for a file that is an object: there what is left out, or nothing, is the rest of the buffer, and a position
/// that is none is where the last one ended.
exports.readArgumentsOfHandle = (args) => {
  let [buffer, offset, length, position] = args;
  if (!isArrayBufferView(buffer)) [buffer, offset, length, position] = readArguments(buffer === undefined ? [] : [buffer]);
  else if (offset !== null && typeof offset === 'object') ({ offset = 0, length, position = null } = offset);
  const isPlace = Number.isSafeInteger(position) && position >= 0;
  return [buffer, offset, length ?? buffer.byteLength - (offset ?? 0), isPlace ? position : null];
};

exports.read = (fd, ...args) => {
  fd = toFd(fd);
  // A level may follow the callback. Without one, the last of few arguments stands in its place, or it is the fifth.
  let at = args.findLastIndex((arg) => typeof arg === 'function');
  if (at < 0) at = args.length > 3 ? 4 : Math.max(args.length - 1, 0);
  // The fourth is a position.
  const callback = at === 3 ? undefined : args[at];
  if (at < 2) validateFunction(callback, 'cb');
  const [buffer, offset, length, position] = readArguments(args.slice(0, at));
  if (at > 2) toView(buffer);
  validateFunction(callback, 'cb');
  const call = prepareRead(fd, buffer, offset, length, position);
  if (call === undefined) binding.nextTick(callback, null, 0, buffer);
  else call.request((error, count) => callback(error, count ?? 0, buffer));
};

/// The same for a stream, which has no buffer to be filled: the bytes are its own.
exports.readBytes = (fd, count, position, callback) => {
  onFile('read', [fd, count, position ?? -1], toBuffer).request(callback);
};

exports.readSync = (fd, ...args) => {
  fd = toFd(fd);
  const call = prepareRead(fd, ...readSyncArguments(args));
  return call === undefined ? 0 : call.perform();
};

/// The part of a view that is to be written, and where; the rest of the arguments may be in an object.
function partToWrite(buffer, offset, length, position) {
  const view = toView(buffer);
  if (offset !== null && typeof offset === 'object') ({ offset = 0, length, position = null } = offset);
  const start = typeof offset === 'function' ? 0 : offsetOf(offset);
  const count = typeof length === 'number' ? length : view.length - start;
  toSpan(start, count, view.length, true);
  return [view.subarray(start, start + count), position];
}

/// A string's bytes, and where to write them: write(fd, string[, position[, encoding]]).
function textToWrite(text, position, encoding) {
  if (typeof text !== 'string') throw new ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], text);
  const known = typeof encoding === 'string' ? encoding : 'utf8';
  validateEncoding(text, known);
  return [require('buffer').Buffer.from(text, known), position];
}

function prepareWrite(fd, data, ...rest) {
  const file = toFd(fd);
  const [bytes, position] = isArrayBufferView(data) ? partToWrite(data, ...rest) : textToWrite(data, ...rest);
  const isPlace = typeof position === 'number' || typeof position === 'bigint';
  return onFile('write', [file, bytes, isPlace ? Number(position) : -1], (count) => count);
}

exports.write = (fd, buffer, ...args) => {
  let at = args.findIndex((arg) => typeof arg === 'function');
  if (at < 0) at = args.length;
  const call = prepareWrite(fd, buffer, ...args.slice(0, at));
  const callback = args[at];
  validateFunction(callback, 'cb');
  call.request((error, count) => callback(error, count ?? 0, buffer));
};

exports.writeSync = (fd, buffer, offset, length, position) => prepareWrite(fd, buffer, offset, length, position).perform();

function prepareReadv(fd, buffers, position) {
  fd = toFd(fd);
  const views = toViews(buffers);
  const length = Math.min(views.reduce((sum, view) => sum + view.length, 0), MAX_LENGTH);
  return onFile('read', [fd, length, typeof position === 'number' ? position : -1], (bytes) => fill(views, bytes));
}

function prepareWritev(fd, buffers, position) {
  fd = toFd(fd);
  const bytes = require('buffer').Buffer.concat(toViews(buffers));
  return onFile('write', [fd, bytes, typeof position === 'number' ? position : -1], (count) => count);
}

function vectored(prepare) {
  return (fd, buffers, position, callback) => {
    if (typeof position === 'function') callback = position;
    const call = prepare(fd, buffers, position);
    validateFunction(callback, 'cb');
    call.request((error, count) => callback(error, count ?? 0, buffers));
  };
}

exports.readv = vectored(prepareReadv);
exports.readvSync = (fd, buffers, position) => prepareReadv(fd, buffers, position).perform();
const writev = vectored(prepareWritev);
exports.writev = (fd, buffers, position, callback) => {
  if (buffers?.length !== 0 || binding.beforeTrips) return writev(fd, buffers, position, callback);
  if (typeof position === 'function') callback = position;
  toFd(fd);
  validateFunction(callback, 'cb');
  binding.nextTick(callback, null, 0, buffers);
};
exports.writevSync = (fd, buffers, position) => (buffers?.length === 0 ? 0 : prepareWritev(fd, buffers, position).perform());

Object.assign(exports, { prepareRead, prepareReadv, prepareWrite, prepareWritev });
