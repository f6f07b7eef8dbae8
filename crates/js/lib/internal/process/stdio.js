// process.stdout and process.stderr: small streams that can be written to. A terminal also knows its
// size and its colours.
// Uses binding.writeStdout, writeStderr, writeBytes, isTerminal, windowSize, nextTick, exit.
'use strict';

const EventEmitter = require('events');
const process = require('internal/process');
const { codes, errnoException } = require('internal/errors');

const { EPIPE, ignoreFailure } = require('internal/console');

class StandardStream extends EventEmitter {
  #write;
  #failed = false;

  constructor(fd, write) {
    super();
    this.#write = write;
    this.fd = fd;
    this._type = binding.isTerminal(fd) ? 'tty' : 'fs';
    this._isStdio = true;
    this.writable = true;
    this.writableEnded = false;
    this.writableFinished = false;
    this.destroyed = false;
  }

  get writableLength() { return 0; }
  get writableHighWaterMark() { return 16384; }
  get writableObjectMode() { return false; }
  get writableNeedDrain() { return false; }
  get writableCorked() { return 0; }

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') [encoding, callback] = [undefined, encoding];
    if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
    // Nobody reads any more; a program that still prints a lot need not pay for it.
    if (this.#failed && callback === ignoreFailure) return false;
    const bytes = toBytes(chunk, encoding);
    if (this.writableEnded) {
      this.#fail(new codes.ERR_STREAM_WRITE_AFTER_END(), callback);
      return false;
    }
    const errno = bytes === undefined ? this.#write(chunk) : binding.writeBytes(this.fd, bytes);
    if (errno !== 0) {
      this.#fail(errnoException(-errno, 'write'), callback);
      return false;
    }
    if (typeof callback === 'function') binding.nextTick(callback, null);
    return true;
  }

  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') [chunk, callback] = [undefined, chunk];
    else if (typeof encoding === 'function') [encoding, callback] = [undefined, encoding];
    if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    if (!this.writableEnded) {
      this.writableEnded = true;
      this.writable = false;
      binding.nextTick(() => {
        this.writableFinished = true;
        this.emit('finish');
        this.emit('close');
      });
    }
    if (typeof callback === 'function') binding.nextTick(callback);
    return this;
  }

  // The first error is told, to whoever listens.
  #fail(error, callback) {
    if (typeof callback === 'function') binding.nextTick(callback, error);
    // The console takes no notice of failures, except that nobody reads any more.
    if (this.#failed || (callback === ignoreFailure && error.errno !== -EPIPE)) return;
    this.#failed = true;
    binding.nextTick(() => {
      // A reader that wants no more, as `head` does, ends the program without a word.
      if (error.errno === -EPIPE && this.listenerCount('error') === 0) process.exit();
      this.emit('error', error);
    });
  }

  // The streams of the process outlive whoever wants to destroy them.
  destroy() { return this; }
  cork() {}
  uncork() {}
  setDefaultEncoding() { return this; }
  ref() { return this; }
  unref() { return this; }
}

// The bytes of a chunk; undefined for text that is written as it is.
function toBytes(chunk, encoding) {
  if (typeof chunk === 'string') {
    if (encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8') return undefined;
    const { Buffer } = require('buffer');
    if (!Buffer.isEncoding(encoding) && encoding !== 'buffer') throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    return Buffer.from(chunk, encoding);
  }
  if (ArrayBuffer.isView(chunk)) {
    return chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
}

class TerminalStream extends StandardStream {
  get isTTY() { return true; }
  get columns() { return this.getWindowSize()[0]; }
  get rows() { return this.getWindowSize()[1]; }

  getWindowSize() {
    return binding.windowSize(this.fd) ?? [80, 24];
  }

  getColorDepth(env) {
    return require('internal/process/colors').getColorDepth(env);
  }

  hasColors(count, env) {
    return require('internal/process/colors').hasColors(count, env);
  }

  clearLine(direction, callback) {
    const part = direction < 0 ? 1 : direction > 0 ? 0 : 2;
    return this.write(`\x1b[${part}K`, callback);
  }

  clearScreenDown(callback) {
    return this.write('\x1b[0J', callback);
  }

  cursorTo(x, y, callback) {
    if (typeof y === 'function') [y, callback] = [undefined, y];
    return this.write(typeof y === 'number' ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`, callback);
  }

  moveCursor(dx, dy, callback) {
    const step = (by, forth, back) => (by > 0 ? `\x1b[${by}${forth}` : by < 0 ? `\x1b[${-by}${back}` : '');
    return this.write(step(dx, 'C', 'D') + step(dy, 'B', 'A'), callback);
  }
}

const open = (fd, write) => new (binding.isTerminal(fd) ? TerminalStream : StandardStream)(fd, write);
exports.stdout = open(1, binding.writeStdout);
exports.stderr = open(2, binding.writeStderr);
// From now on the console writes through the streams, for programs that replace their `write`.
binding.stdout = exports.stdout;
binding.stderr = exports.stderr;
binding.adoptConsole();
