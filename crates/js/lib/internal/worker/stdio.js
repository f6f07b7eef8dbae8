// The standard streams of a worker, which are messages between it and its parent.
'use strict';

const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');

/// What the other side writes. `started()` is called when somebody first reads, `ended()` at the end.
class ReadableWorkerStdio extends Readable {
  #started;
  #isReading = false;

  constructor({ started = undefined, ended = undefined } = {}) {
    super();
    this.#started = started;
    this.on('end', () => ended?.());
  }

  _read() {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#started?.();
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

/// What the other side reads. `send(chunks)` posts it, nothing at the end.
class WritableWorkerStdio extends Writable {
  #send;

  constructor(send) {
    super({ decodeStrings: false });
    this.#send = send;
  }

  _writev(chunks, callback) {
    this.#send(chunks.map(({ chunk, encoding }) => ({ chunk, encoding })));
    callback();
  }

  _write(chunk, encoding, callback) {
    this.#send([{ chunk, encoding }]);
    callback();
  }

  _final(callback) {
    this.#send(null);
    callback();
  }
}

module.exports = { ReadableWorkerStdio, WritableWorkerStdio };
