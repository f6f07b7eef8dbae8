// How messages are written on a channel: one JSON text on a line, or with a length before it.
'use strict';

/// Lines of JSON.
class Json {
  #decoder;
  #rest = '';

  make(message) {
    return require('buffer').Buffer.from(`${JSON.stringify(message)}\n`);
  }

  /// The messages that bytes complete.
  take(bytes) {
    const { StringDecoder } = require('string_decoder');
    this.#decoder ??= new StringDecoder('utf8');
    const { Buffer } = require('buffer');
    const lines = this.#decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).split('\n');
    lines[0] = this.#rest + lines[0];
    this.#rest = lines.pop();
    return lines.map((line) => JSON.parse(line));
  }
}

/// What the structured clone algorithm can copy, as V8 writes it.
class Advanced {
  #kept = [];
  #size = 0;

  make(message) {
    const { Buffer } = require('buffer');
    const body = require('internal/child_process/advanced').serializeMessage(message);
    const head = Buffer.allocUnsafe(4);
    head.writeUInt32BE(body.length);
    return Buffer.concat([head, body]);
  }

  take(bytes) {
    const { Buffer } = require('buffer');
    this.#kept.push(bytes);
    this.#size += bytes.length;
    const messages = [];
    // Pieces are put together once there are enough of them: a long message comes in many.
    while (this.#size >= 4) {
      if (this.#kept[0].length < 4) this.#join();
      const [first] = this.#kept;
      const length = 4 + Buffer.from(first.buffer, first.byteOffset, 4).readUInt32BE(0);
      if (this.#size < length) break;
      const whole = this.#join();
      messages.push(require('internal/child_process/advanced').deserializeMessage(whole.subarray(4, length)));
      this.#kept = [whole.subarray(length)];
      this.#size -= length;
    }
    return messages;
  }

  #join() {
    const { Buffer } = require('buffer');
    if (this.#kept.length > 1) this.#kept = [Buffer.concat(this.#kept)];
    return this.#kept[0];
  }
}

exports.formats = { __proto__: null, json: Json, advanced: Advanced };
