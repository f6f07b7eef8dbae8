// node:crypto: hashes, keyed hashes, random numbers, and the part of Web Crypto that needs no more.
'use strict';

const hash = require('internal/crypto/hash');
const random = require('internal/crypto/random');

function timingSafeEqual(buf1, buf2) {
  const { asBytes } = require('internal/crypto/bytes');
  const { codes: { ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH } } = require('internal/errors');
  const [left, right] = [[buf1, 'buf1'], [buf2, 'buf2']].map(([value, name]) => {
    const bytes = asBytes(value);
    if (bytes !== undefined) return bytes;
    // Made by hand: this message does not say what it received.
    const error = new TypeError(`The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`);
    error.code = 'ERR_INVALID_ARG_TYPE';
    throw error;
  });
  if (left.length !== right.length) throw new ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
  let difference = 0;
  for (let at = 0; at < left.length; at++) difference |= left[at] ^ right[at];
  return difference === 0;
}

module.exports = {
  createHash: hash.createHash,
  createHmac: hash.createHmac,
  createSecretKey(key, encoding) { return require('internal/crypto/keys').createSecretKey(key, encoding); },
  getHashes: hash.getHashes,
  randomBytes: random.randomBytes,
  randomFill: random.randomFill,
  randomFillSync: random.randomFillSync,
  randomInt: random.randomInt,
  randomUUID: random.randomUUID,
  timingSafeEqual,
  getFips() { return 0; },
  getCiphers() { return []; },
  getCurves() { return []; },
  hash: hash.hash,
  Hash: hash.Hash,
  Hmac: hash.Hmac,
  constants: Object.freeze({ __proto__: null }),
};

for (const [name, load] of [
  ['KeyObject', () => require('internal/crypto/keys').KeyObject],
  ['webcrypto', () => require('internal/crypto/webcrypto').crypto],
  ['subtle', () => require('internal/crypto/webcrypto').crypto.subtle],
  ['getRandomValues', () => {
    const { crypto } = require('internal/crypto/webcrypto');
    return function getRandomValues(array) { return crypto.getRandomValues(array); };
  }],
]) {
  Object.defineProperty(module.exports, name, { configurable: true, enumerable: true, get: load });
}
