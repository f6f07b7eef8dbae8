// Frames of a WebSocket as they come from a server: taken apart, checked, put together to messages. Knows
// nothing of sockets; what it finds it tells its listener:
//   message(opcode, bytes)  ping(bytes)  pong(bytes)  close(bytes)
'use strict';

const { Buffer } = require('buffer');

const CONTINUATION = 0x0;
const TEXT = 0x1;
const BINARY = 0x2;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

// More is not taken in one message.
const MOST_BYTES = 2 ** 31 - 1;

/// What a server must not send.
class Violation extends Error {}

class Receiver {
  #listener;
  // How to undo compression, or undefined if none was agreed on.
  #inflate;
  #chunks = [];
  #length = 0;
  // The head of the frame whose payload is not all there.
  #frame;
  // The message of which there are fragments: opcode, whether compressed, pieces, their length.
  #message;
  #closed = false;

  constructor(listener, inflate = undefined) {
    this.#listener = listener;
    this.#inflate = inflate;
  }

  /// Takes bytes. Throws a `Violation` when they are not what a server may send.
  push(chunk) {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (!this.#closed) {
      this.#frame ??= this.#readHead();
      if (this.#frame === undefined || this.#length < this.#frame.length) return;
      const frame = this.#frame;
      this.#frame = undefined;
      this.#take(frame, this.#read(frame.length));
    }
  }

  /// The next bytes as one piece, which stay where they are.
  #peek(count) {
    if (this.#chunks.length > 1 && this.#chunks[0].length < count) {
      const first = [];
      for (let size = 0; size < count;) {
        const chunk = this.#chunks.shift();
        first.push(chunk);
        size += chunk.length;
      }
      this.#chunks.unshift(Buffer.concat(first));
    }
    return this.#chunks[0];
  }

  #read(count) {
    if (count === 0) return Buffer.alloc(0);
    const first = this.#peek(count);
    this.#length -= count;
    if (first.length === count) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(count);
    return first.subarray(0, count);
  }

  #readHead() {
    if (this.#length < 2) return undefined;
    const [first, second] = this.#peek(2);
    const short = second & 0x7f;
    const size = short === 126 ? 4 : short === 127 ? 10 : 2;
    const frame = { final: (first & 0x80) !== 0, compressed: (first & 0x40) !== 0, opcode: first & 0x0f, length: short };
    this.#check(frame, first, second, short);
    if (this.#length < size) return undefined;
    const head = this.#peek(size);
    if (size === 4) frame.length = head.readUInt16BE(2);
    else if (size === 10) frame.length = head.readUInt32BE(2) * 2 ** 32 + head.readUInt32BE(6);
    this.#read(size);
    if (frame.length + (this.#message?.length ?? 0) > MOST_BYTES) throw new Violation('Received payload length > 2^31 bytes.');
    return frame;
  }

  #check({ final, compressed, opcode }, first, second, short) {
    const isData = opcode === TEXT || opcode === BINARY;
    const isControl = opcode === CLOSE || opcode === PING || opcode === PONG;
    if (!isData && !isControl && opcode !== CONTINUATION) throw new Violation('Invalid opcode received');
    if (second & 0x80) throw new Violation('Frame cannot be masked');
    if (compressed && this.#inflate === undefined) throw new Violation('Expected RSV1 to be clear.');
    if (first & 0x30) throw new Violation('RSV1, RSV2, RSV3 must be clear');
    if (isData && this.#message !== undefined) throw new Violation('Expected continuation frame');
    if (isControl && (short > 125 || !final)) throw new Violation('Control frame either too large or fragmented');
    if (compressed && !isData) throw new Violation('Expected RSV1 to be clear.');
    if (opcode === CONTINUATION && this.#message === undefined) throw new Violation('Unexpected continuation frame');
  }

  #take({ final, compressed, opcode }, payload) {
    switch (opcode) {
      case PING: return this.#listener.ping(payload);
      case PONG: return this.#listener.pong(payload);
      case CLOSE:
        this.#closed = true;
        return this.#listener.close(payload);
    }
    const message = this.#message ??= { opcode, compressed, pieces: [], length: 0 };
    message.pieces.push(payload);
    message.length += payload.length;
    if (!final) return undefined;
    this.#message = undefined;
    let bytes = message.pieces.length === 1 ? message.pieces[0] : Buffer.concat(message.pieces);
    if (message.compressed) bytes = this.#inflate(bytes);
    return this.#listener.message(message.opcode, bytes);
  }
}

module.exports = { Receiver, Violation, TEXT, BINARY, CLOSE, PONG };
