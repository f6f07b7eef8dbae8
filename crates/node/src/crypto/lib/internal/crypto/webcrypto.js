// Web Crypto: the global `crypto` with random values, digests and HMAC.
// Uses binding.hashNew, hmacNew, hashUpdate, hashDigest, randomFill, queueMessage.
'use strict';

require('internal/crypto/natives');
const { codes } = require('internal/errors');
const { DOMException } = require('internal/domexception');
const { asBytes } = require('internal/crypto/bytes');
const { createCryptoKey, secretOf, CryptoKey } = require('internal/crypto/keys');

const kMake = {};
const LONGEST = 65_536;
const integers = new Set([
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array',
  'BigUint64Array',
]);
const typedArrayName = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

const fail = (message, name) => { throw new DOMException(message, name); };
const refuseAlgorithm = () => fail('Unrecognized algorithm name', 'NotSupportedError');

function needArguments(count, needed, method, type) {
  if (count >= needed) return;
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

// Hashes of Web Crypto: the name for us, and the size of a block in bits.
const hashes = {
  '__proto__': null,
  'SHA-1': ['sha1', 512], 'SHA-256': ['sha256', 512], 'SHA-384': ['sha384', 1024], 'SHA-512': ['sha512', 1024],
};

// The algorithm with its name in capitals, and its hash as an object.
function normalize(algorithm) {
  if (typeof algorithm !== 'object' || algorithm === null) algorithm = { name: `${algorithm}` };
  if (algorithm.name === undefined) {
    const error = new TypeError("Failed to normalize algorithm: passed algorithm can not be converted to 'Algorithm' because " +
      "'name' is required in 'Algorithm'.");
    error.code = 'ERR_MISSING_OPTION';
    throw error;
  }
  const name = `${algorithm.name}`.toUpperCase();
  return algorithm.hash === undefined ? { ...algorithm, name } : { ...algorithm, name, hash: normalize(algorithm.hash) };
}

function hmacAlgorithm(algorithm) {
  const { name, hash } = normalize(algorithm);
  if (name !== 'HMAC' || hashes[hash?.name] === undefined) refuseAlgorithm();
  return { name, hash: { name: hash.name } };
}

function checkUsages(usages) {
  if (usages.some((usage) => usage !== 'sign' && usage !== 'verify')) {
    fail('Unsupported key usage for an HMAC key', 'SyntaxError');
  }
  if (usages.length === 0) fail('Usages cannot be empty when importing a secret key.', 'SyntaxError');
  return ['sign', 'verify'].filter((usage) => usages.includes(usage));
}

function mac(algorithm, key, usage, data) {
  if (!(key instanceof CryptoKey)) throw new codes.ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
  if (normalize(algorithm).name !== key.algorithm.name) fail('Key algorithm mismatch', 'InvalidAccessError');
  if (!key.usages.includes(usage)) fail(`Unable to use this key to ${usage}`, 'InvalidAccessError');
  const handle = binding.hmacNew(hashes[key.algorithm.hash.name][0], secretOf(key));
  binding.hashUpdate(handle, data);
  return binding.hashDigest(handle, 0);
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
    const hash = hashes[normalize(algorithm).name] ?? refuseAlgorithm();
    const handle = binding.hashNew(hash[0]);
    binding.hashUpdate(handle, bytes);
    return later(binding.hashDigest(handle, 0).buffer);
  }

  async sign(algorithm, key, data) {
    checkThis(this);
    needArguments(arguments.length, 3, 'sign', 'SubtleCrypto');
    return later(mac(algorithm, key, 'sign', needBytes(data, 'sign', '3rd')).buffer);
  }

  async verify(algorithm, key, signature, data) {
    checkThis(this);
    needArguments(arguments.length, 4, 'verify', 'SubtleCrypto');
    const given = needBytes(signature, 'verify', '3rd');
    const made = mac(algorithm, key, 'verify', needBytes(data, 'verify', '4th'));
    return later(given.length === made.length && require('crypto').timingSafeEqual(given, made));
  }

  async importKey(format, keyData, algorithm, extractable, keyUsages) {
    checkThis(this);
    needArguments(arguments.length, 4, 'importKey', 'SubtleCrypto');
    const made = hmacAlgorithm(algorithm);
    let secret;
    if (format === 'raw') secret = needBytes(keyData, 'importKey', '2nd');
    else if (format === 'jwk' && keyData?.kty === 'oct') secret = new Uint8Array(require('buffer').Buffer.from(keyData.k, 'base64url'));
    else fail(`Unable to import HMAC key with format ${format}`, 'NotSupportedError');
    if (secret.length === 0) fail('Zero-length key is not supported', 'DataError');
    made.length = secret.length * 8;
    return createCryptoKey(secret, made, Boolean(extractable), checkUsages([...keyUsages]));
  }

  async exportKey(format, key) {
    checkThis(this);
    needArguments(arguments.length, 2, 'exportKey', 'SubtleCrypto');
    if (!key.extractable) fail('key is not extractable', 'InvalidAccessException');
    const secret = new Uint8Array(secretOf(key));
    if (format === 'raw') return secret.buffer;
    if (format !== 'jwk') fail(`Unable to export a raw key with format ${format}`, 'NotSupportedError');
    return {
      key_ops: key.usages, ext: key.extractable, kty: 'oct', k: require('buffer').Buffer.from(secret).toString('base64url'),
      alg: `HS${key.algorithm.hash.name.slice(4)}`,
    };
  }

  async generateKey(algorithm, extractable, keyUsages) {
    checkThis(this);
    needArguments(arguments.length, 3, 'generateKey', 'SubtleCrypto');
    const made = hmacAlgorithm(algorithm);
    made.length = algorithm.length ?? hashes[made.hash.name][1];
    if (made.length === 0) fail('Zero-length key is not supported', 'OperationError');
    const secret = new Uint8Array(Math.ceil(made.length / 8));
    binding.randomFill(secret);
    return later(createCryptoKey(secret, made, Boolean(extractable), checkUsages([...keyUsages])));
  }
}
const { check: checkThis } = SubtleCrypto;
delete SubtleCrypto.check;
for (const name of ['encrypt', 'decrypt', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey']) {
  SubtleCrypto.prototype[name] = {
    async [name]() {
      checkThis(this);
      return refuseAlgorithm();
    },
  }[name];
}

for (const [type, names] of [
  [Crypto, ['subtle', 'getRandomValues', 'randomUUID']],
  [SubtleCrypto, Object.getOwnPropertyNames(SubtleCrypto.prototype).filter((name) => name !== 'constructor')],
]) {
  for (const name of names) Object.defineProperty(type.prototype, name, { enumerable: true });
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });
}
Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag, { value: 'CryptoKey', configurable: true });

module.exports = { Crypto, SubtleCrypto, CryptoKey, crypto: new Crypto(kMake) };
