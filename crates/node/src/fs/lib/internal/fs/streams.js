// Files as streams.
// Uses binding.nextTick.
'use strict';

const { Readable, Writable, finished } = require('stream');
const { toFd, toOptions, toPath } = require('internal/fs/arguments');
const { validateBoolean, validateFunction, validateInteger } = require('internal/validators');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_METHOD_NOT_IMPLEMENTED, ERR_OUT_OF_RANGE, ERR_STREAM_DESTROYED }, systemError } = require('internal/errors');

const { readBytes } = require('internal/fs/bytes');
const { own } = require('internal/fs/gate');

const EAGAIN = -11;

const kFile = Symbol('kFile');

/// The file of a stream: by whose functions it is used, and whether it is in use right now. The descriptor is the
/// stream's `fd`, where programs look for it.
class File {
  // The handle that the descriptor belongs to, if a program has one.
  handle;
  isBusy = false;
  // Who waits for the end of the use, to close it.
  #waiting = undefined;

  constructor(fs, handle) {
    this.fs = fs ?? (handle === undefined ? require('fs') : functionsOf(handle));
    this.handle = handle;
  }

  /// The use is over.
  leave(error) {
    this.isBusy = false;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(error);
  }

  /// Calls back when nobody uses it: a descriptor is not closed under whoever does.
  whenFree(callback) {
    if (this.isBusy) this.#waiting = callback;
    else callback(null);
  }

  close(fd, callback) {
    if (this.handle !== undefined) require('internal/fs/file_handle').inside.leave(this.handle);
    this.fs.close(fd, callback);
  }
}

/// What a stream does with the file of a handle is done by the handle's methods, which a program may have replaced.
function functionsOf(handle) {
  const callBack = (promise, answer, callback) =>
    promise.then((value) => binding.nextTick(callback, null, ...answer(value)), (error) => binding.nextTick(callback, error));
  return {
    read(fd, buffer, offset, length, position, callback) {
      callBack(handle.read(buffer, offset, length, position), ({ bytesRead, buffer: filled }) => [bytesRead, filled], callback);
    },
    write(fd, buffer, offset, length, position, callback) {
      callBack(handle.write(buffer, offset, length, position), ({ bytesWritten }) => [bytesWritten, buffer], callback);
    },
    writev(fd, buffers, position, callback) {
      callBack(handle.writev(buffers, position), ({ bytesWritten }) => [bytesWritten, buffers], callback);
    },
    fsync: (fd, callback) => callBack(handle.sync(), () => [], callback),
    close: (fd, callback) => callBack(handle.close(), () => [], callback),
  };
}

/// What a direction of streams is made of.
const reading = { Base: Readable, name: 'ReadStream', state: '_readableState', functions: ['open', 'read', 'close'] };
const writing = { Base: Writable, name: 'WriteStream', state: '_writableState', functions: ['open', 'write', 'writev', 'close'] };

function checkFunctions(fs, names) {
  for (const name of names) {
    // One may leave some out, but not the first.
    if (fs[name] !== undefined || name === 'open') validateFunction(fs[name], `options.fs.${name}`);
  }
}

/// The file behind a descriptor, or a handle, that the program has opened.
function adopt(stream, { fd, fs }) {
  if (typeof fd === 'number') {
    stream.fd = toFd(fd);
    return new File(fs || undefined);
  }
  const { FileHandle, inside } = require('internal/fs/file_handle');
  if (!(fd instanceof FileHandle)) throw new ERR_INVALID_ARG_TYPE('options.fd', ['number', 'FileHandle'], fd);
  if (fs) throw new ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
  const file = new File(undefined, fd);
  stream.fd = fd.fd;
  inside.use(fd);
  fd.once('close', () => stream.destroy());
  return file;
}

/// What both directions do with path and options, of which it gives a copy for the stream.
function setUp(stream, direction, path, given, flags) {
  const { fs, fd, ...rest } = given;
  if (fd === undefined || fd === null) {
    stream.fd = null;
    if (fs) checkFunctions(fs, direction.functions);
    stream[kFile] = new File(fs || undefined);
    stream.path = toPath(path);
    stream.flags = given.flags === undefined ? flags : given.flags;
    stream.mode = given.mode === undefined ? 0o666 : given.mode;
  } else {
    stream[kFile] = adopt(stream, given);
    stream.path = undefined;
  }
  const { autoClose = true, autoDestroy = autoClose, emitClose = true } = given;
  return { ...rest, autoDestroy, emitClose };
}

/// Where in the file to begin; undefined is where the descriptor stands.
function startOf(start) {
  if (start !== undefined) validateInteger(start, 'start', 0);
  return start;
}

function openPath(stream, callback) {
  const { path, flags, mode } = stream;
  stream[kFile].fs.open(path, flags, mode, (error, fd) => {
    if (error) return callback(error);
    stream.fd = fd;
    callback();
    stream.emit('open', fd);
    stream.emit('ready');
  });
}

/// Lets a package open the file in its own way, by an `open` from before streams could be constructed. It tells by
/// an event, which is listened for before anybody else hears of it.
function openByMethod(stream, callback) {
  const { emit } = stream;
  stream.emit = (event, ...details) => {
    if (event === 'open' || event === 'error') stream.emit = emit;
    if (event === 'error') return callback(details[0]);
    if (event === 'open') callback();
    return emit.call(stream, event, ...details);
  };
  stream.open();
}

function closeFile(stream, error, callback) {
  const { fd } = stream;
  if (fd === null || fd === undefined) return callback(error);
  stream[kFile].close(fd, (failure) => callback(failure || error));
  stream.fd = null;
}

function destroyFile(stream, error, callback) {
  stream[kFile].whenFree((failure) => closeFile(stream, error || failure, callback));
}

/// Makes a direction's class: its own methods, and what both have.
function complete(Class, { Base, name, state }, methods) {
  Object.setPrototypeOf(Class, Base);
  Object.setPrototypeOf(Class.prototype, Base.prototype);
  const open = require('internal/util/deprecate').deprecate(function() {
    openPath(this, (error) => error && this.destroy(error));
  }, `${name}.prototype.open() is deprecated`, 'DEP0135');
  const hidden = (name, descriptor) => Object.defineProperty(Class.prototype, name, { configurable: true, ...descriptor });
  hidden('autoClose', {
    get() { return this[state].autoDestroy; },
    set(value) { this[state].autoDestroy = value; },
  });
  Object.assign(Class.prototype, {
    open,
    _construct(callback) {
      if (typeof this.fd === 'number') callback();
      else if (this.open === open) openPath(this, callback);
      else openByMethod(this, callback);
    },
    ...methods,
  });
  hidden('pending', { get() { return this.fd === null; } });
}

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return createReadStream(path, options);
  const given = toOptions(options);
  const settings = setUp(this, reading, path, given, 'r');
  const { start, end, highWaterMark = 64 * 1024, encoding } = given;
  this.start = start;
  this.end = end ?? Infinity;
  this.pos = startOf(start);
  this.bytesRead = 0;
  if (this.end !== Infinity) validateInteger(this.end, 'end', 0);
  if (start > this.end) throw new ERR_OUT_OF_RANGE('start', `<= "end" (here: ${this.end})`, start);
  settings.highWaterMark = highWaterMark;
  Readable.call(this, settings);
  if (encoding) this.setEncoding(encoding);
}

/// A buffer that holds no more than what was read.
function trimmed(buffer, length) {
  if (buffer.length === length) return buffer;
  const copy = require('buffer').Buffer.allocUnsafeSlow(length);
  buffer.copy(copy, 0, 0, length);
  return copy;
}

function hasRead(stream, error, count, buffer) {
  stream[kFile].leave(error);
  if (stream.destroyed) return;
  if (error) return require('internal/streams/destroy').errorOrDestroy(stream, error);
  if (!(count > 0)) return stream.push(null);
  stream.bytesRead += count;
  if (stream.pos !== undefined) stream.pos += count;
  stream.push(trimmed(buffer, count));
}

complete(ReadStream, reading, {
  _read(size) {
    const { pos, end } = this;
    // The end belongs to it.
    const left = end + 1 - (pos ?? this.bytesRead);
    const count = left < size ? left : size;
    if (count <= 0) return void this.push(null);
    const file = this[kFile];
    file.isBusy = true;
    // Where nobody else has a say, nothing is copied.
    if (file.fs.read === own.read && typeof this.fd === 'number') {
      readBytes(this.fd, count, pos, (error, bytes) => hasRead(this, error, bytes?.length, bytes));
      return;
    }
    const room = require('buffer').Buffer.allocUnsafeSlow(count);
    file.fs.read(this.fd, room, 0, count, pos, (error, read, buffer) => hasRead(this, error, read, buffer));
  },

  _destroy(error, callback) {
    destroyFile(this, error, callback);
  },

  close(callback) {
    if (typeof callback === 'function') finished(this, callback);
    this.destroy();
  },
});

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return createWriteStream(path, options);
  const given = toOptions(options);
  const { start, encoding, fs, flush } = given;
  const settings = setUp(this, writing, path, given, start === undefined ? 'w' : 'r+');
  this.start = start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this.flush = flush ?? false;
  validateBoolean(this.flush, 'options.flush');
  this.pos = startOf(start);
  if (fs && !fs.writev) this._writev = null;
  settings.decodeStrings = true;
  Writable.call(this, settings);
  if (encoding) this.setDefaultEncoding(encoding);
}

// How often in a row nothing may be taken.
const RETRIES = 5;

/// Writes until all is written, or something fails. `put(bytes, done)` writes some of it; a file that takes nothing
/// at the moment is asked again.
function writeAll(stream, bytes, put, callback, retries = 0) {
  const file = stream[kFile];
  file.isBusy = true;
  put(bytes, (error, count = 0) => {
    if (error?.code === 'EAGAIN') [error, count] = retries < RETRIES ? [null, 0] : [error, 0];
    if (!error) {
      stream.bytesWritten += count;
      if (stream.pos !== undefined) stream.pos += count;
      const left = bytes.length - count;
      if (stream.destroyed) error = new ERR_STREAM_DESTROYED('write');
      else if (left > 0 && count === 0 && retries === RETRIES) error = systemError({ errno: EAGAIN, syscall: 'write' });
      else if (left > 0) return writeAll(stream, bytes.subarray(count), one(stream), callback, count === 0 ? retries + 1 : 0);
    }
    file.leave(error);
    callback(error || null);
  });
}

const one = (stream) => (bytes, done) => stream[kFile].fs.write(stream.fd, bytes, 0, bytes.length, stream.pos, done);
const many = (stream, parts) => (bytes, done) => stream[kFile].fs.writev(stream.fd, parts, stream.pos, done);

complete(WriteStream, writing, {
  _write(chunk, encoding, callback) {
    writeAll(this, chunk, one(this), callback);
  },

  _writev(chunks, callback) {
    const parts = chunks.map(({ chunk }) => chunk);
    writeAll(this, require('buffer').Buffer.concat(parts), many(this, parts), callback);
  },

  _destroy(error, callback) {
    if (error || !this.flush || typeof this.fd !== 'number') return destroyFile(this, error, callback);
    this[kFile].fs.fsync(this.fd, (failure) => destroyFile(this, failure, callback));
  },

  close(callback) {
    if (callback && this.closed) return void binding.nextTick(callback);
    if (callback) this.on('close', callback);
    // One that does not destroy itself at its end is destroyed here.
    if (!this.autoClose) this.on('finish', this.destroy);
    this.end();
  },

  destroySoon: Writable.prototype.end,
});

function createReadStream(path, options) {
  return new ReadStream(path, options);
}

function createWriteStream(path, options) {
  return new WriteStream(path, options);
}

module.exports = { ReadStream, WriteStream, createReadStream, createWriteStream };
