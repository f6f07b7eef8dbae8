// process.stdout and process.stderr: streams whose chunks are with the system when `write` returns. They
// outlive whoever ends or destroys them, as in Node. A terminal also knows its size and its colours.
// Uses binding.streamKind, writeStdout, writeStderr, writeBytes, nextTick.
'use strict';

const Writable = require('internal/streams/writable');
const process = require('internal/process');
const { errnoException, uvException } = require('internal/errors');
const { EPIPE, ignoreFailure } = require('internal/console');

class StandardStream extends Writable {
  // The error of a write that was tried without the ceremony below, and has not been told yet.
  #errno = 0;
  // Whether the program has ended it, and nobody at its other end reads any more.
  #shut = false;

  constructor(fd, type) {
    super({ decodeStrings: false });
    this.fd = fd;
    this._type = type;
    this._isStdio = true;
    this.destroySoon = this.destroy;
    // Files, pipes and terminals all tell that nothing is to be read of them.
    this.readable = false;
  }

  /// Text without a callback goes straight to the system: most of what is printed does.
  write(chunk, encoding, callback) {
    const isConsole = encoding === ignoreFailure;
    if (typeof chunk === 'string' && (isConsole || (encoding === undefined && callback === undefined)) && this.#isIdle()) {
      const errno = this.#shut ? EPIPE : this.#send(chunk, 'utf8');
      if (errno === 0) return true;
      // The console takes no notice of failures, except that nobody reads any more.
      if (isConsole && this.listenerCount('error') === 0) {
        if (errno === EPIPE && !this.#shut) leave(this);
        return false;
      }
      this.#errno = errno;
    }
    return super.write(chunk, encoding, callback);
  }

  #isIdle() {
    const state = this._writableState;
    return !(state.writing || state.corked > 0 || state.ending || state.destroyed || state.errored) &&
      state.defaultEncoding === 'utf8' && this._write === StandardStream.prototype._write;
  }

  #send(chunk, encoding) {
    if (typeof chunk === 'string') {
      if (encoding === 'utf8' || encoding === 'utf-8') return (this.fd === 2 ? binding.writeStderr : binding.writeStdout)(chunk);
      chunk = require('buffer').Buffer.from(chunk, encoding);
    }
    return binding.writeBytes(this.fd, chunk);
  }

  _write(chunk, encoding, callback) {
    const errno = this.#errno || (this.#shut ? EPIPE : this.#send(chunk, encoding));
    this.#errno = 0;
    if (errno === 0) callback();
    else callback(this._type === 'fs' ? uvException({ errno: -errno, syscall: 'write' }) : errnoException(-errno, 'write'));
  }

  _final(callback) {
    if (this._type === 'fs') {
      callback();
    } else {
      this.#shut = true;
      binding.nextTick(callback);
    }
  }

  _destroy(error, callback) {
    callback(error);
    this._undestroy();
  }

  /// A reader that wants no more, as `head` does, ends the program without a word.
  emit(event, ...args) {
    const isUnread = event === 'error' && args[0]?.errno === -EPIPE && !this.#shut;
    if (isUnread && this.listenerCount('error') === 0) process.exit();
    return super.emit(event, ...args);
  }
}

// Ends a program whose output nobody reads, unless it wants to know.
function leave(stream) {
  binding.nextTick(() => {
    if (stream.listenerCount('error') === 0) process.exit();
  });
}

function open(fd) {
  const type = binding.streamKind(fd);
  if (type !== 'tty') return new StandardStream(fd, type);
  const { WriteStream } = require('internal/process/terminal');
  return new WriteStream(fd);
}

function own(fd, name) {
  binding[name] = open(fd);
  binding.adoptConsole?.();
  return binding[name];
}

// Opened when they are first asked for. From then on the console writes through them, for programs that
// replace their `write`.
for (const [fd, name] of [[1, 'stdout'], [2, 'stderr']]) {
  let stream;
  Object.defineProperty(exports, name, { __proto__: null, enumerable: true, get: () => stream ??= own(fd, name) });
}
exports.StandardStream = StandardStream;
/// The console has found out that nobody reads what it writes to a stream.
exports.leave = (name) => leave(exports[name]);
