// Hash, Hmac and the functions that make them.
// Uses binding.hashNew, hmacNew, hashUpdate, hashUpdateText, hashCopy, hashSize, hashDigest.
'use strict';

require('internal/crypto/natives');
const { codes } = require('internal/errors');
const { validateEncoding, validateString, validateUint32 } = require('internal/validators');
const { asBytes } = require('internal/crypto/bytes');

const { ERR_CRYPTO_HASH_FINALIZED, ERR_CRYPTO_INVALID_DIGEST, ERR_INVALID_ARG_TYPE } = codes;

const kHandle = Symbol('kHandle');
const kState = Symbol('kState');
const kFinalized = Symbol('kFinalized');

const names = [
  'blake2b512', 'blake2s256', 'md5', 'md5-sha1', 'ripemd160', 'sha1', 'sha224', 'sha256', 'sha3-224', 'sha3-256',
  'sha3-384', 'sha3-512', 'sha384', 'sha512', 'sha512-224', 'sha512-256', 'shake128', 'shake256',
];
// Other names that OpenSSL has for some of them.
const aliases = [
  ['RSA-MD5', 'md5'], ['RSA-RIPEMD160', 'ripemd160'], ['RSA-SHA1', 'sha1'], ['RSA-SHA1-2', 'sha1'],
  ['RSA-SHA224', 'sha224'], ['RSA-SHA256', 'sha256'], ['RSA-SHA3-224', 'sha3-224'], ['RSA-SHA3-256', 'sha3-256'],
  ['RSA-SHA3-384', 'sha3-384'], ['RSA-SHA3-512', 'sha3-512'], ['RSA-SHA384', 'sha384'], ['RSA-SHA512', 'sha512'],
  ['RSA-SHA512/224', 'sha512-224'], ['RSA-SHA512/256', 'sha512-256'],
  ['id-rsassa-pkcs1-v1_5-with-sha3-224', 'sha3-224'], ['id-rsassa-pkcs1-v1_5-with-sha3-256', 'sha3-256'],
  ['id-rsassa-pkcs1-v1_5-with-sha3-384', 'sha3-384'], ['id-rsassa-pkcs1-v1_5-with-sha3-512', 'sha3-512'],
  ['md5WithRSAEncryption', 'md5'], ['ripemd', 'ripemd160'], ['ripemd160WithRSA', 'ripemd160'], ['rmd160', 'ripemd160'],
  ['sha1WithRSAEncryption', 'sha1'], ['sha224WithRSAEncryption', 'sha224'], ['sha256WithRSAEncryption', 'sha256'],
  ['sha384WithRSAEncryption', 'sha384'], ['sha512-224WithRSAEncryption', 'sha512-224'],
  ['sha512-256WithRSAEncryption', 'sha512-256'], ['sha512WithRSAEncryption', 'sha512'], ['ssl3-md5', 'md5'],
  ['ssl3-sha1', 'sha1'],
];
const unlisted = [
  ['sha-1', 'sha1'], ['sha-224', 'sha224'], ['sha-256', 'sha256'], ['sha-384', 'sha384'], ['sha-512', 'sha512'],
  ['sha2-224', 'sha224'], ['sha2-256', 'sha256'], ['sha2-384', 'sha384'], ['sha2-512', 'sha512'],
  ['sha-512/224', 'sha512-224'], ['sha-512/256', 'sha512-256'], ['sha2-512/224', 'sha512-224'],
  ['sha2-512/256', 'sha512-256'], ['ripemd-160', 'ripemd160'], ['blake2b-512', 'blake2b512'],
  ['blake2s-256', 'blake2s256'], ['shake-128', 'shake128'], ['shake-256', 'shake256'],
];
let byName;

function canonicalName(name) {
  const lower = name.toLowerCase();
  if (names.includes(lower)) return lower;
  byName ??= new Map([...aliases, ...unlisted].map(([alias, name]) => [alias.toLowerCase(), name]));
  return byName.get(lower) ?? '';
}

function getHashes() {
  return [...names, ...aliases.map(([alias]) => alias)].sort();
}

// Feeds text or bytes to a hash.
function feed(handle, data, encoding) {
  if (typeof data === 'string') {
    validateEncoding(data, encoding);
    const { Buffer } = require('buffer');
    if (encoding === undefined || !Buffer.isEncoding(encoding) || /^utf-?8$/i.test(encoding)) {
      binding.hashUpdateText(handle, data);
    } else {
      binding.hashUpdate(handle, Buffer.from(data, encoding));
    }
  } else if (ArrayBuffer.isView(data)) {
    binding.hashUpdate(handle, asBytes(data));
  } else {
    throw new ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
}

// The result in an encoding; a name that means none gives the bytes.
function inEncoding(bytes, encoding) {
  const { Buffer } = require('buffer');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return encoding && encoding !== 'buffer' && Buffer.isEncoding(encoding) ? buffer.toString(encoding) : buffer;
}

const notThatLong = () => {
  const error = new Error('error:030000B2:digital envelope routines::not XOF or invalid length');
  return Object.assign(error, {
    library: 'digital envelope routines', reason: 'not XOF or invalid length', code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH',
  });
};

// How many bytes a hash is to give; only some let the program choose.
function outputLength(handle, options) {
  const wanted = options !== null && typeof options === 'object' ? options.outputLength : undefined;
  const size = binding.hashSize(handle);
  if (wanted === undefined) return Math.abs(size);
  validateUint32(wanted, 'options.outputLength');
  if (size > 0 && wanted !== size) throw notThatLong();
  return wanted;
}

function open(algorithm) {
  const handle = binding.hashNew(canonicalName(algorithm));
  if (handle === undefined) throw new Error('Digest method not supported');
  return handle;
}

function Hash(algorithm, options) {
  if (!new.target) return new Hash(algorithm, options);
  const isCopy = algorithm instanceof Hash;
  if (!isCopy) validateString(algorithm, 'algorithm');
  this._options = options;
  const wanted = options !== null && typeof options === 'object' ? options.outputLength : undefined;
  if (wanted !== undefined) validateUint32(wanted, 'options.outputLength');
  this[kHandle] = isCopy ? binding.hashCopy(algorithm[kHandle]) : open(algorithm);
  this[kState] = { [kFinalized]: false };
  Object.defineProperty(this[kState], 'length', { value: outputLength(this[kHandle], options), enumerable: false });
}

Hash.prototype.copy = function copy(options) {
  if (this[kState][kFinalized]) throw new ERR_CRYPTO_HASH_FINALIZED();
  return new Hash(this, options);
};

Hash.prototype._transform = function _transform(chunk, encoding, callback) {
  feed(this[kHandle], chunk, encoding === 'buffer' ? undefined : encoding);
  callback();
};

Hash.prototype._flush = function _flush(callback) {
  this.push(this.digest());
  callback();
};

Hash.prototype.update = function update(data, encoding) {
  if (this[kState][kFinalized]) throw new ERR_CRYPTO_HASH_FINALIZED();
  feed(this[kHandle], data, encoding);
  return this;
};

Hash.prototype.digest = function digest(outputEncoding) {
  const state = this[kState];
  if (state[kFinalized]) throw new ERR_CRYPTO_HASH_FINALIZED();
  state[kFinalized] = true;
  return inEncoding(binding.hashDigest(this[kHandle], state.length), outputEncoding);
};

function Hmac(hmac, key, options) {
  if (!new.target) return new Hmac(hmac, key, options);
  validateString(hmac, 'hmac');
  const bytes = keyBytes(key, options?.encoding);
  this._options = options;
  this[kHandle] = binding.hmacNew(canonicalName(hmac), bytes);
  if (this[kHandle] === undefined) throw new ERR_CRYPTO_INVALID_DIGEST(hmac);
  this[kState] = { [kFinalized]: false };
}

function keyBytes(key, encoding) {
  if (typeof key === 'string') return require('buffer').Buffer.from(key, encoding);
  const bytes = asBytes(key) ?? require('internal/crypto/keys').secretOf(key);
  if (bytes === undefined) {
    throw new ERR_INVALID_ARG_TYPE(
      'key', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'KeyObject', 'CryptoKey'], key);
  }
  return bytes;
}

Hmac.prototype.update = Hash.prototype.update;

// Unlike a hash, asked again it has nothing more to give.
Hmac.prototype.digest = function digest(outputEncoding) {
  const state = this[kState];
  const bytes = state[kFinalized] ? new Uint8Array() : binding.hashDigest(this[kHandle], 0);
  state[kFinalized] = true;
  return inEncoding(bytes, outputEncoding);
};

Hmac.prototype._transform = Hash.prototype._transform;
Hmac.prototype._flush = Hash.prototype._flush;

require('internal/crypto/streaming').makeStreams(Hash, Hmac);

function createHash(algorithm, options) {
  return new Hash(algorithm, options);
}

function createHmac(hmac, key, options) {
  return new Hmac(hmac, key, options);
}

/// The hash of one piece of data.
function hash(algorithm, data, outputEncoding = 'hex') {
  validateString(algorithm, 'algorithm');
  if (typeof data !== 'string' && !ArrayBuffer.isView(data)) {
    throw new ERR_INVALID_ARG_TYPE('input', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  const { Buffer } = require('buffer');
  if (outputEncoding !== 'buffer') {
    validateString(outputEncoding, 'outputEncoding');
    if (!Buffer.isEncoding(outputEncoding)) throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', outputEncoding);
  }
  const handle = open(algorithm);
  feed(handle, data);
  return inEncoding(binding.hashDigest(handle, Math.abs(binding.hashSize(handle))), outputEncoding);
}

module.exports = { Hash, Hmac, createHash, createHmac, getHashes, hash, canonicalName };
