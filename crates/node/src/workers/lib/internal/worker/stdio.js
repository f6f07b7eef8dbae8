// The standard streams of a worker, which are messages between it and its parent.
'use strict';

const process = require('internal/process');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');

/// What the other side writes. `more()` is called when somebody wants to read, `ended()` at the end.
class ReadableWorkerStdio extends Readable {
  #more;

  constructor(more, ended = undefined) {
    super();
    this.#more = more;
    if (ended !== undefined) this.on('end', ended);
  }

  _read() {
    this.#more();
  }

  /// Takes the chunks of a message; nothing at the end.
  take(chunks) {
    if (chunks === null) {
      if (!this.readableEnded) this.push(null);
      return;
    }
    for (const { chunk, encoding } of chunks) {
      this.push(typeof chunk === 'string' ? chunk : require('buffer').Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), encoding);
    }
  }
}

/// What the other side reads. `send(chunks)` posts it, nothing at the end; `isWaiting(flag)` is told whether
/// the other side has something to read before more is posted.
class WritableWorkerStdio extends Writable {
  #send;
  #isWaiting;
  #callback;

  constructor(send, isWaiting) {
    super({ decodeStrings: false });
    this.#send = send;
    this.#isWaiting = isWaiting;
  }

  _writev(chunks, callback) {
    this.#send(chunks.map(({ chunk, encoding }) => ({ chunk, encoding })));
    // Nobody waits for the rest of a program that ends.
    if (process._exiting) {
      callback();
      return;
    }
    this.#callback = callback;
    this.#isWaiting(true);
  }

  _write(chunk, encoding, callback) {
    this._writev([{ chunk, encoding }], callback);
  }

  _final(callback) {
    this.#send(null);
    callback();
  }

  /// The other side wants more.
  more() {
    const callback = this.#callback;
    if (callback === undefined) return;
    this.#callback = undefined;
    this.#isWaiting(false);
    callback();
  }
}

module.exports = { ReadableWorkerStdio, WritableWorkerStdio };
