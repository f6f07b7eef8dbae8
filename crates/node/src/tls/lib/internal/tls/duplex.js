// TLS over a stream of the program itself: what is to be sent is written to it, what it gives is heard.
// Uses binding.perform, request.
'use strict';

const { StreamHandle } = require('internal/net/handle');

/// The stream as the handle sees it. A package takes the class from `_handle._parentWrap` when it is loaded.
class JSStreamSocket {
  constructor(stream) {
    this.stream = stream;
  }
}

/// A handle of the plain text; the other side of TLS is the stream.
class DuplexHandle extends StreamHandle {
  constructor(stream) {
    super(binding.perform('tls.attach', []));
    this.stream = stream;
    stream.on('data', (chunk) => this.#feed(typeof chunk === 'string' ? require('buffer').Buffer.from(chunk) : chunk));
    stream.on('end', () => this.#feed(new Uint8Array(0)));
    stream.on('close', () => this.#feed(new Uint8Array(0)));
    this.#drain();
  }

  /// The stream may have something open; this has not.
  get resourceName() {
    return undefined;
  }

  #feed(bytes) {
    if (!this.closed) binding.perform('tls.feed', [this.id, bytes]);
  }

  /// Waits for what is to be sent.
  #drain() {
    const operation = binding.request('tls.drain', [this.id], (fault, bytes) => {
      if (fault !== null || this.closed) return;
      if (bytes.length === 0) {
        this.stream.end();
        return;
      }
      if (this.stream.destroyed || this.stream.writableEnded) return;
      this.stream.write(require('buffer').Buffer.from(bytes.buffer), () => this.#drain());
    });
    // Whoever waits for this is kept by what the program waits for.
    binding.referOperation(operation, false);
    this.draining = operation;
  }

  close(callback, reset) {
    if (!this.closed) binding.giveUpOperation(this.draining);
    super.close(callback, reset);
  }

  set() {}

  get _parentWrap() { return new JSStreamSocket(this.stream); }
}

module.exports = { DuplexHandle };
