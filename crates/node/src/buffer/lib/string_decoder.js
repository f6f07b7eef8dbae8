// The module `string_decoder`: bytes that arrive in pieces, turned into text without splitting a
// character. What is left of an unfinished character waits for the next piece.
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_UNKNOWN_ENCODING } } = require('internal/errors');
const { encodings, normalizeEncoding } = require('internal/buffer/codec');

// The state is seven bytes, as in Node, where an inspected decoder shows them: up to four bytes
// that wait, how many more are missing, how many wait, and the number of the encoding.
const kState = Symbol('kNativeDecoder');
const MISSING = 4;
const WAITING = 5;
const ENCODING = 6;
const STATE_LENGTH = 7;

function StringDecoder(encoding) {
  const isNamed = encoding !== undefined && encoding !== null && encoding !== '';
  const name = isNamed ? normalizeEncoding(encoding) : 'utf8';
  if (name === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  this.encoding = name;
  const state = Buffer.alloc(STATE_LENGTH);
  state[ENCODING] = encodings[name].id;
  this[kState] = state;
}

function bytesOf(view) {
  if (ArrayBuffer.isView(view)) return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  throw new ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], view);
}

Object.assign(StringDecoder.prototype, {
  /// The text that is complete with these bytes.
  write(buf) {
    if (typeof buf === 'string') return buf;
    const bytes = bytesOf(buf);
    if (this[kState] === undefined) throw new ERR_INVALID_THIS('StringDecoder');
    return decode(this[kState], bytes);
  },

  /// The text of these last bytes, and of what waits, complete or not.
  end(buf) {
    const last = buf === undefined ? '' : this.write(buf);
    const state = this[kState];
    return state[WAITING] === 0 ? last : last + flush(state);
  },

  /// The text of the bytes from `offset` on, whatever came before them.
  text(buf, offset) {
    this[kState].fill(0, MISSING, ENCODING);
    return this.write(buf.slice(offset));
  },
});

const accessors = {
  lastChar() {
    return this[kState].subarray(0, MISSING);
  },
  lastNeed() {
    return this[kState][MISSING];
  },
  lastTotal() {
    return this[kState][WAITING] + this[kState][MISSING];
  },
};
for (const [name, get] of Object.entries(accessors)) {
  Object.defineProperty(StringDecoder.prototype, name, { configurable: true, enumerable: true, get });
}

const byId = { __proto__: null };
for (const name in encodings) byId[encodings[name].id] = encodings[name];

function decode(state, bytes) {
  const encoding = byId[state[ENCODING]];
  const tailOf = tails[encoding.name];
  if (tailOf === undefined) return encoding.decode(bytes, 0, bytes.length);

  let text = '';
  if (state[MISSING] > 0) {
    const used = complete(state, bytes, encoding);
    bytes = bytes.subarray(used);
    if (state[MISSING] === 0) {
      text = encoding.decode(state, 0, state[WAITING]);
      state[WAITING] = 0;
    }
  }
  if (bytes.length === 0) return text;

  const [waiting, missing] = tailOf(bytes);
  const whole = bytes.length - waiting;
  if (waiting > 0) state.set(bytes.subarray(whole));
  state[WAITING] = waiting;
  state[MISSING] = missing;
  return text + encoding.decode(bytes, 0, whole);
}

// Adds what these bytes give to the waiting character; tells how many of them it took.
function complete(state, bytes, encoding) {
  let used = Math.min(state[MISSING], bytes.length);
  let missing = state[MISSING] - used;
  if (encoding === encodings.utf8) {
    // A byte that cannot go on with the character ends it, and begins one of its own.
    const stranger = bytes.subarray(0, used).findIndex((byte) => (byte & 0xc0) !== 0x80);
    if (stranger >= 0) {
      used = stranger;
      missing = 0;
    }
  }
  state.set(bytes.subarray(0, used), state[WAITING]);
  state[WAITING] += used;
  state[MISSING] = missing;
  return used;
}

// By the name of an encoding with characters of several bytes: how many bytes at the end have to
// wait, and for how many more.
const tails = {
  utf8: utf8Tail,
  ucs2: utf16Tail,
  base64: base64Tail,
  base64url: base64Tail,
};

// Looks only at what the first byte promises: whether the others keep it is for the decoder.
function utf8Tail(bytes) {
  const end = bytes.length;
  for (let waiting = 1; waiting <= 4 && waiting <= end; waiting++) {
    const byte = bytes[end - waiting];
    if ((byte & 0xc0) === 0x80) continue;
    let size = 1;
    if ((byte & 0xe0) === 0xc0) size = 2;
    else if ((byte & 0xf0) === 0xe0) size = 3;
    else if ((byte & 0xf8) === 0xf0) size = 4;
    return waiting < size ? [waiting, size - waiting] : [0, 0];
  }
  return [0, 0];
}

function utf16Tail(bytes) {
  if (bytes.length % 2 === 1) return [1, 1];
  return (bytes[bytes.length - 1] & 0xfc) === 0xd8 ? [2, 2] : [0, 0];
}

function base64Tail(bytes) {
  const waiting = bytes.length % 3;
  return waiting === 0 ? [0, 0] : [waiting, 3 - waiting];
}

function flush(state) {
  // Half a unit of UTF-16 is no text.
  const length = byId[state[ENCODING]] === encodings.utf16le ? state[WAITING] & ~1 : state[WAITING];
  const text = byId[state[ENCODING]].decode(state, 0, length);
  state[WAITING] = 0;
  state[MISSING] = 0;
  return text;
}

module.exports = { StringDecoder };
