// The functions of the buffer module that are not about Buffer: base64 of the Web, checks of
// encodings, and conversion from one encoding to another.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS }, genericNodeError } = require('internal/errors');
const { isAnyArrayBuffer, isTypedArray } = require('internal/util/types');
const codec = require('internal/buffer/codec');
const { FastBuffer, nativeError, validateBytes } = require('internal/buffer/prototype');

const invalidCharacter = (message) =>
  new (require('internal/domexception').DOMException)(message, 'InvalidCharacterError');

function btoa(input) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('input');
  const text = `${input}`;
  if (/[^\0-\xff]/.test(text)) throw invalidCharacter('Invalid character');
  const bytes = codec.encodeLatin1(text);
  return codec.base64Encode(bytes, 0, bytes.length, false);
}

// The "forgiving-base64 decode" of the Web: white space is passed over, padding is optional but
// must be right if it is there, and bits left over are dropped.
function atob(input) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('input');
  const text = `${input}`.replace(/[\t\n\f\r ]+/g, '');
  const [, digits, padding] = /^(.*?)(={0,2})$/s.exec(text);
  if (/[^A-Za-z0-9+/]/.test(digits)) throw invalidCharacter('Invalid character');
  if (digits.length % 4 === 1) throw invalidCharacter('The string to be decoded is not correctly encoded.');
  if (padding !== '' && (digits.length % 4 === 0 || (digits.length + padding.length) % 4 !== 0)) {
    throw invalidCharacter('Invalid character');
  }
  const bytes = codec.base64Decode(digits);
  return codec.decodeLatin1(bytes, 0, bytes.length);
}

function bytesToCheck(input) {
  if (isAnyArrayBuffer(input)) {
    if (input.detached) throw nativeError(Error, 'ERR_INVALID_STATE', 'Cannot validate on a detached buffer');
    return new Uint8Array(input);
  }
  if (!isTypedArray(input)) throw new ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
  // The view of a buffer that was transferred away is empty; no other view of it can be made.
  const { buffer, byteOffset, byteLength } = input;
  return byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer, byteOffset, byteLength);
}

// Decoding is the faster check where it is native, and settles all but texts with U+FFFD in them.
function isUtf8(input) {
  const bytes = bytesToCheck(input);
  if (binding.decodeUtf8 !== undefined && !binding.decodeUtf8(bytes, 0, bytes.length).includes('\ufffd')) return true;
  return codec.firstInvalidUtf8(bytes, 0, bytes.length) < 0;
}

function isAscii(input) {
  return bytesToCheck(input).every((byte) => byte < 0x80);
}

// What ICU's converters leave out instead of replacing: characters that show nothing.
const ignorable = new RegExp('[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f' +
  '\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8' +
  '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]', 'u');

function narrow(text, limit) {
  let narrowed = '';
  for (const character of text) {
    if (character.codePointAt(0) < limit) narrowed += character;
    else if (!ignorable.test(character)) narrowed += '?';
  }
  return codec.encodeLatin1(narrowed);
}

// Where the two Unicode encodings meet nothing is replaced: what is not well formed fails.
const illFormed = () => failure('U_INVALID_CHAR_FOUND', 10);

// How the bytes of each encoding are read; `to` is the encoding that they go to.
const readers = {
  utf8(bytes, to) {
    if (to === 'utf16le' && codec.firstInvalidUtf8(bytes, 0, bytes.length) >= 0) throw illFormed();
    return codec.decodeUtf8(bytes, 0, bytes.length);
  },
  latin1: (bytes) => codec.decodeLatin1(bytes, 0, bytes.length),
  ascii(bytes, to) {
    const text = codec.decodeLatin1(bytes, 0, bytes.length);
    return to === 'utf16le' ? text : text.replace(/[^\0-\x7f]/g, '\ufffd');
  },
  utf16le(bytes, to) {
    const text = codec.decodeUtf16(bytes, 0, bytes.length);
    if (to === 'utf8' && (text === '' || !text.isWellFormed())) throw illFormed();
    // A byte too many counts only when it goes back into UTF-16, and not on its own after a
    // unit that lacks its second half.
    const isOdd = to === 'utf16le' && bytes.length % 2 === 1;
    return isOdd && !/[\ud800-\udbff]$/.test(text) ? `${text}\ufffd` : text;
  },
};

const writers = {
  utf8: (text) => codec.encodeUtf8(text),
  utf16le: (text) => codec.encodings.utf16le.encode(text.toWellFormed()),
  latin1: (text) => narrow(text, 0x100),
  ascii: (text) => narrow(text, 0x80),
};

function failure(code, errno) {
  return genericNodeError(`Unable to transcode Buffer [${code}]`, { code, errno });
}

/// The encoding that a name means, if it is one that can be transcoded.
function transcodable(encoding) {
  const isNamed = encoding !== undefined && encoding !== null && encoding !== '';
  const name = isNamed ? codec.normalizeEncoding(encoding) : 'utf8';
  return Object.hasOwn(writers, name) ? name : undefined;
}

function transcode(source, fromEncoding, toEncoding) {
  validateBytes(source, 'source');
  if (source.length === 0) return new FastBuffer();
  const from = transcodable(fromEncoding);
  const to = transcodable(toEncoding);
  if (from === undefined || to === undefined) throw failure('U_ILLEGAL_ARGUMENT_ERROR', 1);
  const bytes = writers[to](readers[from](source, to));
  return new FastBuffer(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

module.exports = { atob, btoa, isAscii, isUtf8, transcode };
