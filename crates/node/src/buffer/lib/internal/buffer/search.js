// Finding a byte, bytes or text in a Buffer, forwards and backwards.
//
// Taken from `binding` where present: indexOf(haystack, needle, offset, forward), where needle is
// a non-empty Uint8Array and offset lies within the haystack: the first match at or after the
// offset, or the last match at or before it; -1 if there is none.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING } } = require('internal/errors');
const { validateBuffer } = require('internal/validators');
const { isUint8Array } = require('internal/util/types');
const { lookup, encodings } = require('internal/buffer/codec');

const bytesOf = (view) => (
  isUint8Array(view) ? view : new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
);

// Where a search starts, from what the caller gave: a negative offset counts from the end, and
// one beyond either end still finds what lies in the direction of the search. -1: no match.
function startOf(length, offset, needleLength, forward) {
  if (offset < 0) {
    if (offset + length >= 0) return offset + length;
    return forward || needleLength === 0 ? 0 : -1;
  }
  if (offset + needleLength <= length) return offset;
  if (needleLength === 0) return length;
  return forward ? -1 : length - 1;
}

function matchesAt(haystack, needle, at) {
  for (let i = 0; i < needle.length; i++) {
    if (haystack[at + i] !== needle[i]) return false;
  }
  return true;
}

function scan(haystack, needle, offset, forward) {
  const last = haystack.length - needle.length;
  if (forward) {
    for (let at = offset; at <= last; at++) {
      at = Uint8Array.prototype.indexOf.call(haystack, needle[0], at);
      if (at < 0 || at > last) return -1;
      if (matchesAt(haystack, needle, at)) return at;
    }
    return -1;
  }
  for (let at = Math.min(offset, last); at >= 0; at--) {
    if (matchesAt(haystack, needle, at)) return at;
  }
  return -1;
}

function searchBytes(haystack, needle, offset, forward) {
  const start = startOf(haystack.length, offset, needle.length, forward);
  if (needle.length === 0) return start;
  if (!canMatch(haystack, needle, start, forward)) return -1;
  if (binding.indexOf !== undefined) return binding.indexOf(haystack, needle, start, forward);
  return scan(haystack, needle, start, forward);
}

function canMatch(haystack, needle, start, forward) {
  if (start < 0 || needle.length > haystack.length) return false;
  return !forward || start + needle.length <= haystack.length;
}

// Where units of two bytes stand among others, from a place on forwards, or up to it backwards. After Knuth, Morris and
// Pratt: none of them is looked at again once it was left behind.
function scanUnits(haystack, needle, offset, forward) {
  const count = needle.length / 2;
  const end = forward ? haystack.length / 2 : Math.min(haystack.length / 2, offset / 2 + count);
  const unit = (bytes, at) => bytes[2 * at] | bytes[2 * at + 1] << 8;
  const wanted = (at) => unit(needle, forward ? at : count - 1 - at);
  // How much of the needle has come at each place of it, if it does not go on there.
  const fallBack = [0];
  for (let at = 1, known = 0; at < count; at++) {
    while (known > 0 && wanted(at) !== wanted(known)) known = fallBack[known - 1];
    if (wanted(at) === wanted(known)) known++;
    fallBack[at] = known;
  }
  const first = forward ? offset / 2 : 0;
  for (let at = first, known = 0; at < end; at++) {
    const one = unit(haystack, forward ? at : end - 1 - at);
    while (known > 0 && one !== wanted(known)) known = fallBack[known - 1];
    if (one === wanted(known)) known++;
    if (known === count) return 2 * (forward ? at - count + 1 : end - 1 - at);
  }
  return -1;
}

const wholeUnits = (bytes) => bytes.subarray(0, bytes.length & ~1);

// UTF-16 is searched unit by unit: only an even place can match.
function searchUnits(haystack, needle, offset, forward) {
  const start = startOf(haystack.length, offset, needle.length, forward);
  if (needle.length === 0) return start;
  if (!canMatch(haystack, needle, start, forward) || needle.length < 2) return -1;
  const found = scanUnits(wholeUnits(haystack), wholeUnits(needle), start & ~1, forward);
  // Node takes the end of the units for a match where a byte follows it.
  return found < 0 && haystack.length % 2 === 1 ? haystack.length - 1 : found;
}

function searchByte(haystack, byte, offset, forward) {
  const start = startOf(haystack.length, offset, 1, forward);
  if (start < 0 || haystack.length === 0) return -1;
  const find = forward ? Uint8Array.prototype.indexOf : Uint8Array.prototype.lastIndexOf;
  return find.call(haystack, byte, start);
}

const clamp = (offset) => Math.max(-0x80000000, Math.min(0x7fffffff, offset));

/// indexOf and lastIndexOf of Buffer.prototype.
exports.search = (buffer, value, offset, encoding, forward) => {
  validateBuffer(buffer);
  const haystack = bytesOf(buffer);
  if (typeof offset === 'string') {
    encoding = offset;
    offset = undefined;
  }
  offset = Math.trunc(clamp(+offset));
  if (Number.isNaN(offset)) offset = forward ? 0 : haystack.length;
  else offset += 0; // Not the negative zero, which would come back as a place.

  if (typeof value === 'number') return searchByte(haystack, value & 0xff, offset, forward);
  const known = encoding === undefined ? encodings.utf8 : lookup(encoding);
  if (typeof value === 'string') {
    if (known === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
    const needle = known.encode(value);
    if (known !== encodings.utf16le) return searchBytes(haystack, needle, offset, forward);
    return searchUnits(wholeUnits(haystack), needle, offset, forward);
  }
  if (isUint8Array(value)) {
    return (known === encodings.utf16le ? searchUnits : searchBytes)(haystack, value, offset, forward);
  }
  throw new ERR_INVALID_ARG_TYPE('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
};
