// process.stdin: a stream over what the world reads. It is asked for more when somebody wants more, and
// keeps the program alive while it is.
// Uses binding.streamKind, request, referOperation, giveUpOperation, nextTick.
'use strict';

const Readable = require('internal/streams/readable');
const active = require('internal/active');
const { Buffer } = require('buffer');

// What it is to who asks what keeps the program alive.
const resourceNames = { __proto__: null, fs: 'FSReqCallback', pipe: 'PipeWrap', tty: 'TTYWrap' };

// How much is kept before the world is asked no more, by what the stream is.
const highWaterMarks = { __proto__: null, fs: 65536, pipe: 16384, tty: 0 };

class StandardInput extends Readable {
  // The operation that waits for the next bytes.
  #operation;
  // Bytes that came while nobody wanted them: `null` is the end.
  #kept;
  #isPaused = false;
  #isReferenced = true;

  constructor(fd, type) {
    super({ highWaterMark: highWaterMarks[type], emitClose: type !== 'fs' });
    this.fd = fd;
    active.opened(this, () => (this.#keepsAlive() ? resourceNames[type] : undefined));
    // A program that says it wants no more may end, whatever the world still waits for.
    this.on('pause', () => binding.nextTick(() => this.#stop()));
  }

  _read() {
    this.#isPaused = false;
    if (this.#kept !== undefined) {
      const kept = this.#kept;
      this.#kept = undefined;
      this.push(kept);
    } else if (this.#operation === undefined) {
      this.#operation = binding.request('input.read', [], (fault, bytes) => this.#take(fault, bytes));
    }
    this.#refer();
  }

  #stop() {
    if (!this.isPaused() || this.#operation === undefined) return;
    this.#isPaused = true;
    // So that the next one who reads asks again.
    this._readableState.reading = false;
    this.#refer();
  }

  #take(fault, bytes) {
    this.#operation = undefined;
    if (fault !== null) {
      this.destroy(Object.assign(new Error(`${fault.code}: ${fault.message}, read`), { code: fault.code, syscall: 'read' }));
      return;
    }
    const chunk = bytes.length === 0 ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.#isPaused) this.#kept = chunk;
    else this.push(chunk);
  }

  #refer() {
    if (this.#operation !== undefined) binding.referOperation(this.#operation, this.#isReferenced && !this.#isPaused);
  }

  #keepsAlive() {
    return this.#operation !== undefined && this.#isReferenced && !this.#isPaused;
  }

  ref() {
    this.#isReferenced = true;
    this.#refer();
    return this;
  }

  unref() {
    this.#isReferenced = false;
    this.#refer();
    return this;
  }

  _destroy(error, callback) {
    if (this.#operation !== undefined) binding.giveUpOperation(this.#operation);
    this.#operation = undefined;
    callback(error);
  }
}

let stdin;

function open() {
  const type = binding.streamKind(0);
  if (type !== 'tty') return new StandardInput(0, type);
  const { ReadStream } = require('internal/process/terminal');
  return new ReadStream(0);
}

exports.StandardInput = StandardInput;
exports.openStdin = function() {
  exports.stdin.resume();
  return exports.stdin;
};
Object.defineProperty(exports, 'stdin', { __proto__: null, enumerable: true, get: () => stdin ??= open() });
