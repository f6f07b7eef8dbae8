// Web Crypto: the global `crypto`. What its algorithms do is in internal/crypto/subtle.
// Uses binding.hashNew, hashUpdate, hashDigest, randomFill, queueMessage.
'use strict';

require('internal/crypto/natives');
const { codes } = require('internal/errors');
const { DOMException } = require('internal/domexception');
const { asBytes } = require('internal/crypto/bytes');
const { CryptoKey } = require('internal/crypto/keys');

const kMake = {};
const LONGEST = 65_536;
const integers = new Set([
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array',
  'BigUint64Array',
]);
const typedArrayName = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

const fail = (message, name) => { throw new DOMException(message, name); };

function needArguments(count, needed, method, type, least = needed) {
  if (count >= least) return;
  const error = new TypeError(
    `Failed to execute '${method}' on '${type}': ${needed} argument${needed > 1 ? 's' : ''} required, but only ${count} present.`);
  error.code = 'ERR_MISSING_ARGS';
  throw error;
}

function needBytes(value, method, place) {
  const bytes = asBytes(value);
  if (bytes !== undefined) return new Uint8Array(bytes);
  const error = new TypeError(`Failed to execute '${method}' on 'SubtleCrypto': ${place} argument is not instance of ` +
    'ArrayBuffer, Buffer, TypedArray, or DataView.');
  error.code = 'ERR_INVALID_ARG_TYPE';
  throw error;
}

const invalidType = (message, code) => {
  const error = new TypeError(message);
  error.code = code;
  throw error;
};

function needKey(value, method, place) {
  if (value instanceof CryptoKey) return;
  invalidType(`Failed to execute '${method}' on 'SubtleCrypto': ${place} argument is not of type CryptoKey.`, 'ERR_INVALID_ARG_TYPE');
}

function needObject(value, method) {
  if ((typeof value === 'object' || typeof value === 'function') && value !== null) return value;
  return invalidType(`Failed to execute '${method}' on 'SubtleCrypto': 2nd argument can not be converted to a dictionary`,
    'ERR_INVALID_ARG_TYPE');
}

const formats = ['raw', 'pkcs8', 'spki', 'jwk'];
const usages = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'];

function needFormat(format, method) {
  if (formats.includes(`${format}`)) return;
  invalidType(`Failed to execute '${method}' on 'SubtleCrypto': 1st argument value '${format}' is not a valid enum value of type ` +
    'KeyFormat.', 'ERR_INVALID_ARG_VALUE');
}

function needUsages(value, method, place) {
  const given = [...value];
  given.forEach((usage, at) => {
    if (usages.includes(`${usage}`)) return;
    invalidType(`Failed to execute '${method}' on 'SubtleCrypto': ${place} argument, index ${at} value '${usage}' is not a valid enum ` +
      'value of type KeyUsage.', 'ERR_INVALID_ARG_VALUE');
  });
  return given;
}

class Crypto {
  #subtle;

  constructor(token) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#subtle = new SubtleCrypto(kMake);
  }

  get subtle() {
    if (!(#subtle in this)) throw new codes.ERR_INVALID_THIS('Crypto');
    return this.#subtle;
  }

  getRandomValues(array) {
    if (!(#subtle in this)) throw new codes.ERR_INVALID_THIS('Crypto');
    needArguments(arguments.length, 1, 'getRandomValues', 'Crypto');
    if (!integers.has(Reflect.apply(typedArrayName, array, []))) {
      fail('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
    }
    if (array.byteLength > LONGEST) fail('The requested length exceeds 65,536 bytes', 'QuotaExceededError');
    binding.randomFill(asBytes(array));
    return array;
  }

  randomUUID() {
    if (!(#subtle in this)) throw new codes.ERR_INVALID_THIS('Crypto');
    return binding.randomUUID();
  }
}

// Results arrive as those of work that was done elsewhere: as completions.
const later = (result) => new Promise((resolve) => { binding.queueMessage(() => resolve(result), 0, true); });

class SubtleCrypto {
  #isSubtle = true;

  constructor(token) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  static check(value) {
    if (value === null || typeof value !== 'object' || !(#isSubtle in value)) throw new codes.ERR_INVALID_THIS('SubtleCrypto');
  }

  async digest(algorithm, data) {
    checkThis(this);
    needArguments(arguments.length, 2, 'digest', 'SubtleCrypto');
    const bytes = needBytes(data, 'digest', '2nd');
    const { hashes, normalize } = require('internal/crypto/algorithms');
    const handle = binding.hashNew(hashes[normalize(algorithm, 'digest').name][0]);
    binding.hashUpdate(handle, bytes);
    return later(binding.hashDigest(handle, 0).buffer);
  }

  async sign(algorithm, key, data) {
    checkThis(this);
    needArguments(arguments.length, 3, 'sign', 'SubtleCrypto');
    needKey(key, 'sign', '2nd');
    return later(require('internal/crypto/subtle').sign(algorithm, key, needBytes(data, 'sign', '3rd')));
  }

  async verify(algorithm, key, signature, data) {
    checkThis(this);
    needArguments(arguments.length, 4, 'verify', 'SubtleCrypto');
    needKey(key, 'verify', '2nd');
    const given = needBytes(signature, 'verify', '3rd');
    return later(require('internal/crypto/subtle').verify(algorithm, key, given, needBytes(data, 'verify', '4th')));
  }

  async encrypt(algorithm, key, data) {
    checkThis(this);
    needArguments(arguments.length, 3, 'encrypt', 'SubtleCrypto');
    needKey(key, 'encrypt', '2nd');
    const bytes = needBytes(data, 'encrypt', '3rd');
    return later(require('internal/crypto/subtle').cipher(true, algorithm, key, bytes, 'encrypt', 'encrypt'));
  }

  async decrypt(algorithm, key, data) {
    checkThis(this);
    needArguments(arguments.length, 3, 'decrypt', 'SubtleCrypto');
    needKey(key, 'decrypt', '2nd');
    const bytes = needBytes(data, 'decrypt', '3rd');
    return later(require('internal/crypto/subtle').cipher(false, algorithm, key, bytes, 'decrypt', 'decrypt'));
  }

  async deriveBits(algorithm, baseKey, length = null) {
    checkThis(this);
    needArguments(arguments.length, 2, 'deriveBits', 'SubtleCrypto');
    needKey(baseKey, 'deriveBits', '2nd');
    return later(require('internal/crypto/subtle').derive(algorithm, baseKey, length === null ? null : length >>> 0, 'deriveBits'));
  }

  async deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages) {
    checkThis(this);
    needArguments(arguments.length, 5, 'deriveKey', 'SubtleCrypto');
    needKey(baseKey, 'deriveKey', '2nd');
    const usages = needUsages(keyUsages, 'deriveKey', '5th');
    const { importKey, lengthOf } = require('internal/crypto/subtle_keys');
    const bits = require('internal/crypto/subtle').derive(algorithm, baseKey, () => lengthOf(derivedKeyType), 'deriveKey');
    return later(importKey('raw', new Uint8Array(bits), derivedKeyType, Boolean(extractable), usages));
  }

  async importKey(format, keyData, algorithm, extractable, keyUsages) {
    checkThis(this);
    needArguments(arguments.length, 5, 'importKey', 'SubtleCrypto', 4);
    needFormat(format, 'importKey');
    const data = format === 'jwk' ? needObject(keyData, 'importKey') : needBytes(keyData, 'importKey', '2nd');
    const usages = needUsages(keyUsages, 'importKey', '5th');
    return require('internal/crypto/subtle_keys').importKey(format, data, algorithm, Boolean(extractable), usages);
  }

  async exportKey(format, key) {
    checkThis(this);
    needArguments(arguments.length, 2, 'exportKey', 'SubtleCrypto');
    needFormat(format, 'exportKey');
    needKey(key, 'exportKey', '2nd');
    return require('internal/crypto/subtle_keys').exportKey(format, key);
  }

  async generateKey(algorithm, extractable, keyUsages) {
    checkThis(this);
    needArguments(arguments.length, 3, 'generateKey', 'SubtleCrypto');
    const usages = needUsages(keyUsages, 'generateKey', '3rd');
    return later(require('internal/crypto/subtle_keys').generate(algorithm, Boolean(extractable), usages));
  }

  async wrapKey(format, key, wrappingKey, algorithm) {
    checkThis(this);
    needArguments(arguments.length, 4, 'wrapKey', 'SubtleCrypto');
    needFormat(format, 'wrapKey');
    needKey(key, 'wrapKey', '2nd');
    needKey(wrappingKey, 'wrapKey', '3rd');
    const isOwn = require('internal/crypto/algorithms').has(algorithm, 'wrapKey');
    const written = require('internal/crypto/subtle_keys').exportKey(format, key);
    let bytes = format === 'jwk' ? require('buffer').Buffer.from(JSON.stringify(written)) : new Uint8Array(written);
    // AES-KW takes whole halves of blocks; spaces mean nothing in JSON.
    if (isOwn && format === 'jwk') bytes = require('buffer').Buffer.from(JSON.stringify(written).padEnd(Math.ceil(bytes.length / 8) * 8));
    const { cipher } = require('internal/crypto/subtle');
    return later(cipher(true, algorithm, wrappingKey, bytes, isOwn ? 'wrapKey' : 'encrypt', 'wrapKey'));
  }

  async unwrapKey(format, wrappedKey, unwrappingKey, unwrapAlgorithm, unwrappedKeyAlgorithm, extractable, keyUsages) {
    checkThis(this);
    needArguments(arguments.length, 7, 'unwrapKey', 'SubtleCrypto');
    needFormat(format, 'unwrapKey');
    const wrapped = needBytes(wrappedKey, 'unwrapKey', '2nd');
    needKey(unwrappingKey, 'unwrapKey', '3rd');
    const usages = needUsages(keyUsages, 'unwrapKey', '7th');
    const { attempt, has } = require('internal/crypto/algorithms');
    const isOwn = has(unwrapAlgorithm, 'unwrapKey');
    const { cipher } = require('internal/crypto/subtle');
    const opened = new Uint8Array(cipher(false, unwrapAlgorithm, unwrappingKey, wrapped, isOwn ? 'unwrapKey' : 'decrypt', 'unwrapKey'));
    const data = format !== 'jwk' ? opened :
      attempt(() => JSON.parse(require('buffer').Buffer.from(opened).toString()), 'Invalid wrapped JWK key', 'DataError');
    const { importKey } = require('internal/crypto/subtle_keys');
    return later(importKey(format, data, unwrappedKeyAlgorithm, Boolean(extractable), usages));
  }
}
const { check: checkThis } = SubtleCrypto;
delete SubtleCrypto.check;
for (const [type, names] of [
  [Crypto, ['subtle', 'getRandomValues', 'randomUUID']],
  [SubtleCrypto, Object.getOwnPropertyNames(SubtleCrypto.prototype).filter((name) => name !== 'constructor')],
]) {
  for (const name of names) Object.defineProperty(type.prototype, name, { enumerable: true });
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });
}
Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag, { value: 'CryptoKey', configurable: true });

module.exports = { Crypto, SubtleCrypto, CryptoKey, crypto: new Crypto(kMake) };
