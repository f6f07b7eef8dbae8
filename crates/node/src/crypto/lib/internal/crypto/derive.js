// Keys from passwords and from other keys: PBKDF2, scrypt, HKDF.
// Uses binding.pbkdf2, scrypt.
'use strict';

const { codes } = require('internal/errors');
const { asBytes } = require('internal/crypto/bytes');
const { later } = require('internal/crypto/later');
const { canonicalName, createHmac, createHash } = require('internal/crypto/hash');
const { validateFunction, validateInteger, validateString, validateInt32, validateUint32 } = require('internal/validators');

binding.install?.('ciphers', binding);

const bufferOf = (bytes) => require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

function needBytes(value, name) {
  if (typeof value === 'string') return new Uint8Array(require('buffer').Buffer.from(value));
  const bytes = asBytes(value);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
  return new Uint8Array(bytes);
}

function checkPbkdf2(password, salt, iterations, keylen, digest) {
  validateString(digest, 'digest');
  const secret = needBytes(password, 'password');
  const seed = needBytes(salt, 'salt');
  validateInt32(iterations, 'iterations', 1);
  validateInt32(keylen, 'keylen', 0);
  const name = canonicalName(digest);
  if (name === '') throw new codes.ERR_CRYPTO_INVALID_DIGEST(digest);
  return () => {
    const key = binding.pbkdf2(name, secret, seed, iterations, keylen);
    if (key === undefined) throw new codes.ERR_CRYPTO_INVALID_DIGEST(digest);
    return bufferOf(key);
  };
}

function pbkdf2(password, salt, iterations, keylen, digest, callback) {
  if (typeof digest === 'function') {
    callback = digest;
    digest = undefined;
  }
  const compute = checkPbkdf2(password, salt, iterations, keylen, digest);
  validateFunction(callback, 'callback');
  later(compute, callback);
}

function pbkdf2Sync(password, salt, iterations, keylen, digest) {
  return checkPbkdf2(password, salt, iterations, keylen, digest)();
}

const defaults = { N: 16384, r: 8, p: 1, maxmem: 32 * 1024 * 1024 };

function checkScrypt(password, salt, keylen, options) {
  const secret = needBytes(password, 'password');
  const seed = needBytes(salt, 'salt');
  validateInt32(keylen, 'keylen', 0);
  const given = options ?? {};
  for (const [one, other] of [['N', 'cost'], ['r', 'blockSize'], ['p', 'parallelization']]) {
    if (given[one] === undefined || given[other] === undefined) continue;
    const error = new Error('Invalid scrypt parameter');
    error.code = 'ERR_CRYPTO_SCRYPT_INVALID_PARAMETER';
    throw error;
  }
  const take = (one, other) => {
    const value = given[one] ?? given[other];
    if (value === undefined) return defaults[one];
    validateUint32(value, one);
    return value || defaults[one];
  };
  const [N, r, p] = [take('N', 'cost'), take('r', 'blockSize'), take('p', 'parallelization')];
  let { maxmem } = defaults;
  if (given.maxmem !== undefined) {
    validateInteger(given.maxmem, 'maxmem', 0);
    maxmem = given.maxmem || maxmem;
  }
  const invalid = (detail) => {
    const error = new RangeError(`Invalid scrypt params${detail}`);
    error.code = 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS';
    return error;
  };
  if (N < 2 || (N & (N - 1)) !== 0) throw invalid('');
  if (128 * N * r + 128 * r * p + 32 * r * 4 > maxmem) throw invalid(': error:030000AC:digital envelope routines::memory limit exceeded');
  return () => {
    const key = binding.scrypt(secret, seed, N, r, p, keylen);
    if (key === undefined) throw invalid('');
    return bufferOf(key);
  };
}

function scrypt(password, salt, keylen, options, callback) {
  if (callback === undefined) {
    callback = options;
    options = undefined;
  }
  const compute = checkScrypt(password, salt, keylen, options);
  validateFunction(callback, 'callback');
  later(compute, callback);
}

function scryptSync(password, salt, keylen, options) {
  return checkScrypt(password, salt, keylen, options)();
}

function checkHkdf(digest, ikm, salt, info, keylen) {
  validateString(digest, 'digest');
  const { secretOf } = require('internal/crypto/keys');
  const secret = secretOf(ikm) ?? needBytes(ikm, 'ikm');
  const seed = needBytes(salt, 'salt');
  const context = needBytes(info, 'info');
  validateInteger(keylen, 'length', 0, 2 ** 31 - 1);
  if (context.length > 1024) throw new codes.ERR_OUT_OF_RANGE('info', 'must not contain more than 1024 bytes', context.length);
  const name = canonicalName(digest);
  if (name === '') throw new codes.ERR_CRYPTO_INVALID_DIGEST(digest);
  const { length: size } = createHash(name).digest();
  if (keylen > 255 * size) {
    const error = new RangeError('Invalid key length');
    error.code = 'ERR_CRYPTO_INVALID_KEYLEN';
    throw error;
  }
  return () => {
    const { Buffer } = require('buffer');
    const key = createHmac(name, seed.length === 0 ? new Uint8Array(size) : seed).update(secret).digest();
    const blocks = [];
    let block = Buffer.alloc(0);
    for (let count = 1; (count - 1) * size < keylen; count++) {
      block = createHmac(name, key).update(block).update(context).update(Uint8Array.of(count)).digest();
      blocks.push(block);
    }
    const whole = Buffer.concat(blocks).subarray(0, keylen);
    return whole.buffer.slice(whole.byteOffset, whole.byteOffset + keylen);
  };
}

function hkdf(digest, ikm, salt, info, keylen, callback) {
  const compute = checkHkdf(digest, ikm, salt, info, keylen);
  validateFunction(callback, 'callback');
  later(compute, callback);
}

function hkdfSync(digest, ikm, salt, info, keylen) {
  return checkHkdf(digest, ikm, salt, info, keylen)();
}

module.exports = { pbkdf2, pbkdf2Sync, scrypt, scryptSync, hkdf, hkdfSync };
