// Files as streams.
// Uses binding.nextTick.
'use strict';

const { Readable, Writable, finished } = require('stream');
const { toFd, toOptions, toPath } = require('internal/fs/arguments');
const { validateBoolean, validateFunction, validateInteger } = require('internal/validators');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_METHOD_NOT_IMPLEMENTED, ERR_OUT_OF_RANGE } } = require('internal/errors');

const kFs = Symbol('kFs');
const kHandle = Symbol('kHandle');
const kIsPerformingIO = Symbol('kIsPerformingIO');
const kIoDone = Symbol('kIoDone');

function takeFd(stream, options) {
  if (typeof options.fd === 'number') {
    stream[kFs] = options.fs || require('fs');
    return toFd(options.fd);
  }
  const { FileHandle } = require('internal/fs/file_handle');
  if (options.fd instanceof FileHandle) {
    if (options.fs) throw new ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
    stream[kHandle] = options.fd;
    stream[kFs] = require('fs');
    options.fd.once('close', () => stream.destroy());
    return options.fd.fd;
  }
  throw new ERR_INVALID_ARG_TYPE('options.fd', ['number', 'FileHandle'], options.fd);
}

// What both kinds of streams do with their options first.
function begin(stream, path, options, methods, flags) {
  if (options.fd === undefined || options.fd === null) {
    stream.fd = null;
    stream[kFs] = options.fs || require('fs');
    for (const name of ['open', ...methods]) {
      if (options.fs && stream[kFs][name] !== undefined) validateFunction(stream[kFs][name], `options.fs.${name}`);
    }
    if (options.fs) validateFunction(stream[kFs].open, 'options.fs.open');
    stream.path = toPath(path);
    stream.flags = options.flags === undefined ? flags : options.flags;
    stream.mode = options.mode === undefined ? 0o666 : options.mode;
  } else {
    stream.fd = takeFd(stream, options);
    if (path !== undefined) stream.path = path;
  }
  if (options.autoDestroy === undefined) {
    options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  }
  if (options.emitClose === undefined) options.emitClose = true;
}

function construct(callback) {
  const stream = this;
  if (typeof stream.fd === 'number') {
    callback();
    return;
  }
  // Old packages open files in ways of their own, and tell by an event.
  if (stream.open !== (stream instanceof ReadStream ? openRead : openWrite)) {
    openOtherwise(stream, callback);
    return;
  }
  open(stream, callback);
}

function open(stream, callback) {
  stream[kFs].open(stream.path, stream.flags, stream.mode, (error, fd) => {
    if (error) {
      callback(error);
      return;
    }
    stream.fd = fd;
    callback();
    stream.emit('open', stream.fd);
    stream.emit('ready');
  });
}

function openOtherwise(stream, callback) {
  const { emit } = stream;
  stream.emit = function(...args) {
    const [event, detail] = args;
    if (event !== 'open' && event !== 'error') return Reflect.apply(emit, this, args);
    this.emit = emit;
    if (event === 'error') return callback(detail);
    callback();
    return Reflect.apply(emit, this, args);
  };
  stream.open();
}

const deprecatedOpen = (name) => require('internal/util/deprecate').deprecate(function() {
  open(this, (error) => {
    if (error) this.destroy(error);
  });
}, `${name}.prototype.open() is deprecated`, 'DEP0135');
const openRead = deprecatedOpen('ReadStream');
const openWrite = deprecatedOpen('WriteStream');

function close(stream, error, callback) {
  if (stream.fd === null || stream.fd === undefined) {
    callback(error);
    return;
  }
  const fd = stream.fd;
  stream.fd = null;
  if (stream[kHandle] !== undefined) {
    stream[kHandle].close().then(() => callback(error), (failure) => callback(failure || error));
    return;
  }
  stream[kFs].close(fd, (failure) => callback(failure || error));
}

function destroy(error, callback) {
  // A descriptor that is in use is not closed under whoever uses it.
  if (this[kIsPerformingIO]) this.once(kIoDone, (failure) => close(this, error || failure, callback));
  else close(this, error, callback);
}

function performed(stream, error) {
  stream[kIsPerformingIO] = false;
  if (stream.destroyed) {
    stream.emit(kIoDone, error);
    return true;
  }
  return false;
}

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  options = { ...toOptions(options, {}) };
  if (options.highWaterMark === undefined) options.highWaterMark = 64 * 1024;
  begin(this, path, options, ['read', 'close'], 'r');
  this.start = options.start;
  this.end = options.end ?? Infinity;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kIsPerformingIO] = false;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  if (this.end !== Infinity) {
    validateInteger(this.end, 'end', 0);
    if (this.start !== undefined && this.start > this.end) {
      throw new ERR_OUT_OF_RANGE('start', `<= "end" (here: ${this.end})`, this.start);
    }
  }
  Readable.call(this, options);
  if (options.encoding) this.setEncoding(options.encoding);
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);

Object.defineProperty(ReadStream.prototype, 'autoClose', {
  configurable: true,
  get() { return this._readableState.autoDestroy; },
  set(value) { this._readableState.autoDestroy = value; },
});

ReadStream.prototype.open = openRead;
ReadStream.prototype._construct = construct;

ReadStream.prototype._read = function(count) {
  const left = this.end - (this.pos === undefined ? this.bytesRead : this.pos) + 1;
  count = Math.min(left, count);
  if (count <= 0) {
    this.push(null);
    return;
  }
  const buffer = require('buffer').Buffer.allocUnsafeSlow(count);
  this[kIsPerformingIO] = true;
  this[kFs].read(this.fd, buffer, 0, count, this.pos, (error, bytesRead, filled) => {
    if (performed(this, error)) return;
    if (error) {
      require('internal/streams/destroy').errorOrDestroy(this, error);
    } else if (bytesRead > 0) {
      if (this.pos !== undefined) this.pos += bytesRead;
      this.bytesRead += bytesRead;
      if (bytesRead !== filled.length) {
        // What is not filled need not be kept.
        const copy = require('buffer').Buffer.allocUnsafeSlow(bytesRead);
        filled.copy(copy, 0, 0, bytesRead);
        filled = copy;
      }
      this.push(filled);
    } else {
      this.push(null);
    }
  });
};

ReadStream.prototype._destroy = destroy;

ReadStream.prototype.close = function(callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};

const pending = {
  configurable: true,
  get() { return this.fd === null; },
};
Object.defineProperty(ReadStream.prototype, 'pending', pending);

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  options = { ...toOptions(options, {}) };
  options.decodeStrings = true;
  begin(this, path, options, ['write', 'writev', 'close'], options.start === undefined ? 'w' : 'r+');
  this.start = options.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kIsPerformingIO] = false;
  this.flush = options.flush ?? false;
  validateBoolean(this.flush, 'options.flush');
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  if (options.fs && !options.fs.writev) this._writev = null;
  Writable.call(this, options);
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);

Object.defineProperty(WriteStream.prototype, 'autoClose', {
  configurable: true,
  get() { return this._writableState.autoDestroy; },
  set(value) { this._writableState.autoDestroy = value; },
});

WriteStream.prototype.open = openWrite;
WriteStream.prototype._construct = construct;

// Writes until all is written, or something fails.
function writeAll(stream, data, callback) {
  stream[kIsPerformingIO] = true;
  stream[kFs].write(stream.fd, data, 0, data.length, stream.pos, (error, count) => {
    if (error) {
      performed(stream, error);
      callback(error);
      return;
    }
    stream.bytesWritten += count;
    if (stream.pos !== undefined) stream.pos += count;
    if (count < data.length) {
      writeAll(stream, data.subarray(count), callback);
      return;
    }
    performed(stream, null);
    callback(null);
  });
}

WriteStream.prototype._write = function(data, encoding, callback) {
  writeAll(this, data, callback);
};

WriteStream.prototype._writev = function(chunks, callback) {
  writeAll(this, require('buffer').Buffer.concat(chunks.map(({ chunk }) => chunk)), callback);
};

WriteStream.prototype._destroy = function(error, callback) {
  if (!this.flush || error || typeof this.fd !== 'number') return Reflect.apply(destroy, this, [error, callback]);
  this[kFs].fsync(this.fd, (failure) => Reflect.apply(destroy, this, [failure || error, callback]));
};

WriteStream.prototype.close = function(callback) {
  if (callback) {
    if (this.closed) {
      binding.nextTick(callback);
      return;
    }
    this.on('close', callback);
  }
  // If it does not destroy itself at its end, somebody has to.
  if (!this.autoClose) this.on('finish', this.destroy);
  this.end();
};

WriteStream.prototype.destroySoon = WriteStream.prototype.end;
Object.defineProperty(WriteStream.prototype, 'pending', pending);

module.exports = {
  ReadStream,
  WriteStream,
  createReadStream: (path, options) => new ReadStream(path, options),
  createWriteStream: (path, options) => new WriteStream(path, options),
};
