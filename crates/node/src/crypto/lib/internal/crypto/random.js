// Random bytes and numbers; all of them come from the world, so that a seed decides them.
// Uses binding.randomFill, randomBelow, randomUUID, queueMessage.
'use strict';

require('internal/crypto/natives');
const { codes } = require('internal/errors');
const { validateBoolean, validateFunction, validateNumber, validateObject } = require('internal/validators');
const { asBytes } = require('internal/crypto/bytes');

const { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } = codes;

const LONGEST = 2 ** 31 - 1;
const WIDEST = 2 ** 48 - 1;

function checkSize(size, unit, offset, length) {
  validateNumber(size, 'size');
  size *= unit;
  if (Number.isNaN(size) || size > LONGEST || size < 0) throw new ERR_OUT_OF_RANGE('size', `>= 0 && <= ${LONGEST}`, size);
  if (size + offset > length) throw new ERR_OUT_OF_RANGE('size + offset', `<= ${length}`, size + offset);
  return size >>> 0;
}

function checkOffset(offset, unit, length) {
  validateNumber(offset, 'offset');
  offset *= unit;
  const last = Math.min(length, LONGEST);
  if (Number.isNaN(offset) || offset > last || offset < 0) throw new ERR_OUT_OF_RANGE('offset', `>= 0 && <= ${last}`, offset);
  return offset >>> 0;
}

function randomBytes(size, callback) {
  size = checkSize(size, 1, 0, Infinity);
  if (callback !== undefined) validateFunction(callback, 'callback');
  const { Buffer } = require('buffer');
  const bytes = Buffer.alloc(size);
  binding.randomFill(bytes);
  if (callback === undefined) return bytes;
  binding.queueMessage(() => callback(null, bytes), 0, true, 'RANDOMBYTESREQUEST');
}

function checkTarget(buf) {
  const bytes = asBytes(buf);
  if (bytes === undefined) throw new ERR_INVALID_ARG_TYPE('buf', ['ArrayBuffer', 'ArrayBufferView'], buf);
  return bytes;
}

// Offset and size count elements of the array, as its own methods do.
function fillPart(buf, offset, size) {
  const bytes = checkTarget(buf);
  const unit = buf.BYTES_PER_ELEMENT || 1;
  offset = checkOffset(offset, unit, bytes.length);
  size = size === undefined ? bytes.length - offset : checkSize(size, unit, offset, bytes.length);
  if (size > 0) binding.randomFill(new Uint8Array(bytes.buffer, bytes.byteOffset + offset, size));
}

function randomFillSync(buf, offset = 0, size) {
  fillPart(buf, offset, size);
  return buf;
}

function randomFill(buf, offset, size, callback) {
  checkTarget(buf);
  if (typeof offset === 'function') [offset, size, callback] = [0, undefined, offset];
  else if (typeof size === 'function') [size, callback] = [undefined, size];
  else validateFunction(callback, 'callback');
  fillPart(buf, offset, size);
  binding.queueMessage(() => callback(null, buf), 0, true, 'RANDOMBYTESREQUEST');
}

function randomInt(min, max, callback) {
  const hasNoMin = max === undefined || typeof max === 'function';
  if (hasNoMin) [min, max, callback] = [0, min, max];
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (!Number.isSafeInteger(min)) throw new ERR_INVALID_ARG_TYPE('min', 'a safe integer', min);
  if (!Number.isSafeInteger(max)) throw new ERR_INVALID_ARG_TYPE('max', 'a safe integer', max);
  if (max <= min) throw new ERR_OUT_OF_RANGE('max', `greater than the value of "min" (${min})`, max);
  const range = max - min;
  if (!(range <= WIDEST)) throw new ERR_OUT_OF_RANGE(hasNoMin ? 'max' : 'max - min', `<= ${WIDEST}`, range);
  const number = binding.randomBelow(range) + min;
  if (callback === undefined) return number;
  binding.nextTick(callback, undefined, number);
}

function randomUUID(options) {
  if (options !== undefined) validateObject(options, 'options');
  if (options?.disableEntropyCache !== undefined) validateBoolean(options.disableEntropyCache, 'options.disableEntropyCache');
  return binding.randomUUID();
}

module.exports = { randomBytes, randomFill, randomFillSync, randomInt, randomUUID };
