// Text to bytes and back, for every encoding a Buffer knows.
//
// Taken from `binding`, each where present (the functions below stand in for those that are not):
//   encodeUtf8(string), decodeUtf8(bytes, start, end), utf8Length(string)
//   encodeLatin1(string), decodeLatin1(bytes, start, end)
//   hexEncode(bytes, start, end), hexDecode(string)
//   base64Encode(bytes, start, end, url), base64Decode(string)
// An encoder gives a new Uint8Array, a decoder a string. The machines we build for are
// little-endian, which is what UTF-16LE by way of a Uint16Array relies on.
'use strict';

binding.install?.('bytes', binding);

const REPLACEMENT = 0xfffd;
// How many code units go into one String.fromCharCode call: below the engine's argument limit.
const CHUNK = 4096;

const isLead = (unit) => unit >= 0xd800 && unit <= 0xdbff;
const isTrail = (unit) => unit >= 0xdc00 && unit <= 0xdfff;

function unitsToString(units) {
  if (units.length <= CHUNK) return String.fromCharCode.apply(null, units);
  let text = '';
  for (let at = 0; at < units.length; at += CHUNK) {
    text += String.fromCharCode.apply(null, units.slice(at, at + CHUNK));
  }
  return text;
}

const plain = (bytes, start, end) => new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);

// UTF-8

function utf8Length(string) {
  let length = 0;
  for (let i = 0; i < string.length; i++) {
    const unit = string.charCodeAt(i);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    else if (isLead(unit) && isTrail(string.charCodeAt(i + 1))) {
      length += 4;
      i++;
    } else length += 3;
  }
  return length;
}

// A surrogate without its partner becomes U+FFFD, as does every character UTF-8 cannot hold.
function encodeUtf8(string) {
  const bytes = new Uint8Array(utf8Length(string));
  let at = 0;
  for (let i = 0; i < string.length; i++) {
    let point = string.charCodeAt(i);
    if (point < 0x80) {
      bytes[at++] = point;
      continue;
    }
    if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6);
      bytes[at++] = 0x80 | (point & 0x3f);
      continue;
    }
    if (isLead(point) && isTrail(string.charCodeAt(i + 1))) {
      point = 0x10000 + ((point - 0xd800) << 10) + (string.charCodeAt(++i) - 0xdc00);
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
    } else {
      if (point >= 0xd800 && point <= 0xdfff) point = REPLACEMENT;
      bytes[at++] = 0xe0 | (point >> 12);
    }
    bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
    bytes[at++] = 0x80 | (point & 0x3f);
  }
  return bytes;
}

// Where readSequence stopped, and whether it was the end of the input that stopped it.
let next = 0;
let ranOut = false;

// Reads the sequence of the non-ASCII byte at `at`: its code point, or -1 where it is not well
// formed. `next` is then past the longest prefix of a well-formed sequence found there, the
// "maximal subpart" that one U+FFFD replaces.
function readSequence(bytes, at, end) {
  const lead = bytes[at];
  let low = 0x80;
  let high = 0xbf;
  let missing = 0;
  let point = 0;
  ranOut = false;
  next = at + 1;
  if (lead >= 0xc2 && lead <= 0xdf) {
    missing = 1;
    point = lead & 0x1f;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    missing = 2;
    point = lead & 0x0f;
    if (lead === 0xe0) low = 0xa0;
    else if (lead === 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    missing = 3;
    point = lead & 0x07;
    if (lead === 0xf0) low = 0x90;
    else if (lead === 0xf4) high = 0x8f;
  } else return -1;
  for (; missing > 0; missing--) {
    if (next >= end) {
      ranOut = true;
      return -1;
    }
    const byte = bytes[next];
    if (byte < low || byte > high) return -1;
    point = (point << 6) | (byte & 0x3f);
    next++;
    low = 0x80;
    high = 0xbf;
  }
  return point;
}

function decodeUtf8(bytes, start, end) {
  let text = '';
  let units = [];
  for (let i = start; i < end;) {
    const byte = bytes[i];
    if (byte < 0x80) {
      units.push(byte);
      i++;
    } else {
      let point = readSequence(bytes, i, end);
      i = next;
      if (point < 0) point = REPLACEMENT;
      if (point > 0xffff) {
        units.push(0xd7c0 + (point >> 10));
        point = 0xdc00 | (point & 0x3ff);
      }
      units.push(point);
    }
    if (units.length >= CHUNK - 1) {
      text += unitsToString(units);
      units = [];
    }
  }
  return text + unitsToString(units);
}

// The first byte in the range that no well-formed sequence contains, or -1 if there is none.
function firstInvalidUtf8(bytes, start, end) {
  for (let i = start; i < end;) {
    if (bytes[i] < 0x80) i++;
    else if (readSequence(bytes, i, end) < 0) return i;
    else i = next;
  }
  return -1;
}

// How many bytes at the end of the range begin a sequence that more bytes could complete.
function utf8Tail(bytes, start, end) {
  for (let at = end - 1; at >= start && at >= end - 3; at--) {
    const byte = bytes[at];
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      readSequence(bytes, at, end);
      return ranOut ? end - at : 0;
    }
  }
  return 0;
}

// Latin-1 and ASCII

// Of a character beyond U+00FF the low byte is kept.
function encodeLatin1(string) {
  const bytes = new Uint8Array(string.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = string.charCodeAt(i);
  return bytes;
}

function decodeLatin1(bytes, start, end) {
  return unitsToString(plain(bytes, start, end));
}

function decodeAscii(bytes, start, end) {
  return exports.decodeLatin1(plain(bytes, start, end).map((byte) => byte & 0x7f), 0, end - start);
}

// UTF-16LE

function encodeUtf16(string) {
  const units = new Uint16Array(string.length);
  for (let i = 0; i < units.length; i++) units[i] = string.charCodeAt(i);
  return new Uint8Array(units.buffer);
}

// The bytes are copied because they may start at an odd address; an odd byte at the end is dropped.
function decodeUtf16(bytes, start, end) {
  const units = new Uint16Array((end - start) >> 1);
  new Uint8Array(units.buffer).set(plain(bytes, start, start + units.byteLength));
  return unitsToString(units);
}

// Hexadecimal

const HEX = '0123456789abcdef';

function hexEncode(bytes, start, end) {
  let text = '';
  for (let i = start; i < end; i++) text += HEX[bytes[i] >> 4] + HEX[bytes[i] & 0x0f];
  return text;
}

function hexDigit(code) {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  code |= 0x20;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

// Stops at the first pair that is not two digits. Only the low byte of a character counts, here
// and in base64Decode, because Node narrows the string before it looks at it.
function hexDecode(string) {
  const bytes = new Uint8Array(string.length >> 1);
  for (let i = 0; i < bytes.length; i++) {
    const high = hexDigit(string.charCodeAt(2 * i) & 0xff);
    const low = hexDigit(string.charCodeAt(2 * i + 1) & 0xff);
    if (high < 0 || low < 0) return bytes.slice(0, i);
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

// Base64

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64URL = BASE64.slice(0, 62) + '-_';
const BASE64_VALUES = new Int8Array(256).fill(-1);
for (const alphabet of [BASE64, BASE64URL]) {
  for (let i = 0; i < 64; i++) BASE64_VALUES[alphabet.charCodeAt(i)] = i;
}

function base64Encode(bytes, start, end, url) {
  const alphabet = url ? BASE64URL : BASE64;
  const whole = end - ((end - start) % 3);
  let text = '';
  for (let i = start; i < whole; i += 3) {
    const group = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    text += alphabet[group >> 18] + alphabet[(group >> 12) & 63] + alphabet[(group >> 6) & 63] + alphabet[group & 63];
  }
  if (end - whole === 1) {
    const byte = bytes[whole];
    text += alphabet[byte >> 2] + alphabet[(byte & 3) << 4] + (url ? '' : '==');
  } else if (end - whole === 2) {
    const pair = (bytes[whole] << 8) | bytes[whole + 1];
    text += alphabet[pair >> 10] + alphabet[(pair >> 4) & 63] + alphabet[(pair & 15) << 2] + (url ? '' : '=');
  }
  return text;
}

// Takes both alphabets, passes over what belongs to neither, and ends at the first `=`.
function base64Decode(string) {
  const bytes = new Uint8Array(Math.ceil(string.length * 3 / 4));
  let length = 0;
  let group = 0;
  let bits = 0;
  for (let i = 0; i < string.length; i++) {
    const code = string.charCodeAt(i) & 0xff;
    if (code === 0x3d) break;
    const value = BASE64_VALUES[code];
    if (value < 0) continue;
    group = ((group << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length++] = group >> bits;
    }
  }
  return length === bytes.length ? bytes : bytes.slice(0, length);
}

// What Buffer.byteLength answers: exact for well-formed base64, an upper bound otherwise.
function base64Length(string) {
  let length = string.length;
  if (length > 0 && string.charCodeAt(length - 1) === 0x3d) length--;
  if (length > 1 && string.charCodeAt(length - 1) === 0x3d) length--;
  return Math.floor(length * 3 / 4);
}

// The bytes of the longest prefix of `string` that fits in `limit` bytes without splitting a
// character. Cutting the string first keeps a long one from being encoded whole for a small room.
function fitting(string, limit, encode, unitsPerByte, wholeEnd) {
  if (string.length > limit * unitsPerByte) string = string.slice(0, limit * unitsPerByte);
  const bytes = encode(string);
  return bytes.length <= limit ? bytes : bytes.subarray(0, wholeEnd(bytes, limit));
}

const anywhere = (bytes, limit) => limit;
const evenly = (bytes, limit) => limit & ~1;
function betweenCharacters(bytes, limit) {
  while (limit > 0 && (bytes[limit] & 0xc0) === 0x80) limit--;
  return limit;
}

exports.encodeUtf8 = binding.encodeUtf8 ?? encodeUtf8;
exports.decodeUtf8 = binding.decodeUtf8 ?? decodeUtf8;
exports.utf8Length = binding.utf8Length ?? utf8Length;
exports.encodeLatin1 = binding.encodeLatin1 ?? encodeLatin1;
exports.decodeLatin1 = binding.decodeLatin1 ?? decodeLatin1;
exports.hexEncode = binding.hexEncode ?? hexEncode;
exports.hexDecode = binding.hexDecode ?? hexDecode;
exports.base64Encode = binding.base64Encode ?? base64Encode;
exports.base64Decode = binding.base64Decode ?? base64Decode;
exports.decodeUtf16 = decodeUtf16;
exports.firstInvalidUtf8 = firstInvalidUtf8;
exports.utf8Tail = utf8Tail;

// One entry per encoding, under the name Node normalizes it to. `name` is the stem of the
// methods that carry it (`ucs2Slice`), `id` its number in Node's native enumeration, which an
// inspected StringDecoder shows; `encodeUpTo` is `fitting` for it. Some of the functions are natives: no object
// here has what all objects have, which a program can change.
const entry = (name, id, { encode, decode, byteLength, unitsPerByte = 1, wholeEnd = anywhere }) => ({
  __proto__: null,
  name,
  id,
  encode,
  decode,
  byteLength,
  encodeUpTo: (string, limit) => fitting(string, limit, encode, unitsPerByte, wholeEnd),
});

const decodeBase64 = (bytes, start, end) => exports.base64Encode(bytes, start, end, false);
const decodeBase64Url = (bytes, start, end) => exports.base64Encode(bytes, start, end, true);
const ownLength = (string) => string.length;

const encodings = {
  __proto__: null,
  utf8: entry('utf8', 1, {
    __proto__: null,
    encode: exports.encodeUtf8,
    decode: exports.decodeUtf8,
    byteLength: exports.utf8Length,
    wholeEnd: betweenCharacters,
  }),
  utf16le: entry('ucs2', 3, {
    __proto__: null,
    encode: encodeUtf16,
    decode: decodeUtf16,
    byteLength: (string) => string.length * 2,
    wholeEnd: evenly,
  }),
  latin1: entry('latin1', 4, {
    __proto__: null,
    encode: exports.encodeLatin1,
    decode: exports.decodeLatin1,
    byteLength: ownLength,
  }),
  ascii: entry('ascii', 0, {
    __proto__: null,
    encode: exports.encodeLatin1,
    decode: decodeAscii,
    byteLength: ownLength,
  }),
  hex: entry('hex', 5, {
    __proto__: null,
    encode: exports.hexDecode,
    decode: exports.hexEncode,
    byteLength: (string) => string.length >>> 1,
    unitsPerByte: 2,
  }),
  // How many characters a byte of base64 takes is not known, as some are passed over.
  base64: entry('base64', 2, {
    __proto__: null,
    encode: exports.base64Decode,
    decode: decodeBase64,
    byteLength: base64Length,
    unitsPerByte: Infinity,
  }),
  base64url: entry('base64url', 7, {
    __proto__: null,
    encode: exports.base64Decode,
    decode: decodeBase64Url,
    byteLength: base64Length,
    unitsPerByte: Infinity,
  }),
};
exports.encodings = encodings;

const ALIASES = {
  '__proto__': null,
  'utf8': 'utf8',
  'utf-8': 'utf8',
  'ucs2': 'utf16le',
  'ucs-2': 'utf16le',
  'utf16le': 'utf16le',
  'utf-16le': 'utf16le',
  'latin1': 'latin1',
  'binary': 'latin1',
  'ascii': 'ascii',
  'hex': 'hex',
  'base64': 'base64',
  'base64url': 'base64url',
};

// Node's name for an encoding, whatever its case, or undefined for one it does not know. The
// first look-up is for the common spelling, which needs no lower-casing.
exports.normalizeEncoding = (encoding) => ALIASES[encoding] ?? ALIASES[`${encoding}`.toLowerCase()];

exports.lookup = (encoding) => {
  const name = exports.normalizeEncoding(encoding);
  return name === undefined ? undefined : encodings[name];
};
