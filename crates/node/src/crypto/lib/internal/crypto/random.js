// Random bytes and numbers (rules CRYPTO-1 to CRYPTO-4); all of them come from the world, so that a seed decides them.
// Uses binding.randomFill, randomBelow, randomUUID, queueMessage, nextTick.
'use strict';

require('internal/crypto/natives');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateBoolean, validateFunction, validateNumber, validateObject } = require('internal/validators');
const { asBytes } = require('internal/crypto/bytes');

const LONGEST = 2 ** 31 - 1;
const WIDEST = 2 ** 48 - 1;

/// How many bytes so many elements are, of at most `most` bytes.
function countBytes(name, elements, unit, most) {
  validateNumber(elements, name);
  const bytes = elements * unit;
  if (bytes >= 0 && bytes <= most) return bytes;
  throw new ERR_OUT_OF_RANGE(name, `>= 0 && <= ${most}`, bytes);
}

function bytesOf(target) {
  const bytes = asBytes(target);
  if (bytes === undefined) throw new ERR_INVALID_ARG_TYPE('buf', ['ArrayBuffer', 'ArrayBufferView'], target);
  return bytes;
}

/// Fills the part that begins at an offset, up to the end if no size is given.
function fill(target, offset, size) {
  const { buffer, byteOffset, length } = bytesOf(target);
  const unit = target.BYTES_PER_ELEMENT ?? 1;
  const from = countBytes('offset', offset, unit, Math.min(length, LONGEST));
  const first = Math.trunc(from);
  let count = length - first;
  if (size !== undefined) {
    const wanted = countBytes('size', size, unit, LONGEST);
    if (from + wanted > length) throw new ERR_OUT_OF_RANGE('size + offset', `<= ${length}`, from + wanted);
    count = Math.trunc(wanted);
  }
  if (count > 0) binding.randomFill(new Uint8Array(buffer, byteOffset + first, count));
  return target;
}

const deliver = (callback, value) => {
  binding.queueMessage(() => callback(null, value), 0, true, 'RANDOMBYTESREQUEST');
};

function randomBytes(size, callback) {
  const count = Math.trunc(countBytes('size', size, 1, LONGEST));
  const isLater = callback !== undefined;
  if (isLater) validateFunction(callback, 'callback');
  const bytes = require('buffer').Buffer.alloc(count);
  binding.randomFill(bytes);
  return isLater ? deliver(callback, bytes) : bytes;
}

function randomFillSync(buf, offset = 0, size) {
  return fill(buf, offset, size);
}

function randomFill(buf, offset, size, callback) {
  bytesOf(buf);
  // Offset and size may be left out.
  if (typeof offset === 'function') return deliver(offset, fill(buf, 0));
  if (typeof size === 'function') return deliver(size, fill(buf, offset));
  validateFunction(callback, 'callback');
  deliver(callback, fill(buf, offset, size));
}

const checkBound = (name, value) => {
  if (!Number.isSafeInteger(value)) throw new ERR_INVALID_ARG_TYPE(name, 'a safe integer', value);
};

/// A number from `low` up to `high`, which does not belong to them; `width` is what the message calls their distance.
function draw(low, high, width) {
  checkBound('min', low);
  checkBound('max', high);
  const distance = high - low;
  if (distance <= 0) throw new ERR_OUT_OF_RANGE('max', `greater than the value of "min" (${low})`, high);
  if (distance > WIDEST) throw new ERR_OUT_OF_RANGE(width, `<= ${WIDEST}`, distance);
  return low + binding.randomBelow(distance);
}

function randomInt(min, max, callback) {
  const isBelow = typeof max === 'function' || max === undefined;
  const then = isBelow ? max : callback;
  if (then !== undefined) validateFunction(then, 'callback');
  const number = isBelow ? draw(0, min, 'max') : draw(min, max, 'max - min');
  if (then === undefined) return number;
  binding.nextTick(then, undefined, number);
}

function randomUUID(options) {
  if (options !== undefined) {
    validateObject(options, 'options');
    const { disableEntropyCache: isFresh = false } = options;
    validateBoolean(isFresh, 'options.disableEntropyCache');
  }
  return binding.randomUUID();
}

module.exports = { randomBytes, randomFill, randomFillSync, randomInt, randomUUID };
