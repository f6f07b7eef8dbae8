// Hash, Hmac and the functions that make them (rules CRYPTO-5 to CRYPTO-10).
// Uses binding.hashNew, hmacNew, hashUpdate, hashUpdateText, hashCopy, hashSize, hashDigest.
'use strict';

require('internal/crypto/natives');
const {
  codes: { ERR_CRYPTO_HASH_FINALIZED, ERR_CRYPTO_INVALID_DIGEST, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { validateEncoding, validateString, validateUint32 } = require('internal/validators');
const { asBytes } = require('internal/crypto/bytes');

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

const isUtf8 = (encoding) =>
  encoding === undefined || /^utf-?8$/i.test(encoding) || !require('buffer').Buffer.isEncoding(encoding);

/// Feeds a string or a view to a hash (rule CRYPTO-6).
function feed(handle, data, encoding) {
  if (ArrayBuffer.isView(data)) return binding.hashUpdate(handle, asBytes(data));
  if (typeof data !== 'string') throw new ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  validateEncoding(data, encoding);
  if (isUtf8(encoding)) binding.hashUpdateText(handle, data);
  else binding.hashUpdate(handle, require('buffer').Buffer.from(data, encoding));
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

/// The length that the options ask for (rule CRYPTO-8).
function wantedLength(options) {
  const wanted = options !== null && typeof options === 'object' ? options.outputLength : undefined;
  if (wanted !== undefined) validateUint32(wanted, 'options.outputLength');
  return wanted;
}

/// The length that a hash gives: its own, which is negative if the program may choose another one.
function givenLength(handle, wanted) {
  const own = binding.hashSize(handle);
  if (wanted === undefined) return Math.abs(own);
  if (own > 0 && own !== wanted) throw notThatLong();
  return wanted;
}

function open(algorithm, message = 'Digest method not supported') {
  const handle = binding.hashNew(canonicalName(algorithm));
  if (handle === undefined) throw new Error(message);
  return handle;
}

/// Sets up what hashes and HMACs have. What is hidden in the state is not shown to who inspects it.
function begin(one, options, handle, length) {
  one._options = options;
  one[kHandle] = handle;
  one[kState] = Object.defineProperty({ [kFinalized]: false }, 'length', { value: length });
}

/// The native hash of one that was not asked for its value yet (rule CRYPTO-7).
function live(one) {
  if (one[kState][kFinalized]) throw new ERR_CRYPTO_HASH_FINALIZED();
  return one[kHandle];
}

/// An encoding may be an object that says its name.
const nameOf = (encoding) => (encoding && encoding !== 'buffer' ? `${encoding}` : encoding);

function finish(one, encoding) {
  const handle = live(one);
  one[kState][kFinalized] = true;
  return inEncoding(binding.hashDigest(handle, one[kState].length), encoding);
}

// What both can do; the first two make streams of them (rule CRYPTO-9).
const shared = {
  _transform(chunk, encoding, callback) {
    feed(this[kHandle], chunk, encoding === 'buffer' ? undefined : encoding);
    callback();
  },
  _flush(callback) {
    // The value of a hash whose stream has ended can be asked for once more.
    const value = this instanceof Hash ? binding.hashDigest(binding.hashCopy(this[kHandle]), this[kState].length) : this.digest();
    this.push(inEncoding(value));
    callback();
  },
  update(data, encoding) {
    feed(live(this), data, encoding);
    return this;
  },
};

function Hash(algorithm, options) {
  if (!new.target) return createHash(algorithm, options);
  const other = algorithm instanceof Hash ? algorithm[kHandle] : undefined;
  if (other === undefined) validateString(algorithm, 'algorithm');
  const wanted = wantedLength(options);
  const handle = other === undefined ? open(algorithm) : binding.hashCopy(other);
  begin(this, options, handle, givenLength(handle, wanted));
}

Object.assign(Hash.prototype, {
  copy(options) {
    live(this);
    return createHash(this, options);
  },
  ...shared,
  digest(outputEncoding) {
    return finish(this, nameOf(outputEncoding));
  },
});

const keyKinds = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'KeyObject', 'CryptoKey'];

function keyBytes(key, encoding) {
  if (typeof key === 'string') return require('buffer').Buffer.from(key, encoding);
  const bytes = asBytes(key) ?? require('internal/crypto/keys').secretOf(key);
  if (bytes !== undefined) return bytes;
  throw new ERR_INVALID_ARG_TYPE('key', keyKinds, key);
}

function Hmac(hmac, key, options) {
  if (!new.target) return createHmac(hmac, key, options);
  validateString(hmac, 'hmac');
  const secret = keyBytes(key, options?.encoding);
  const handle = binding.hmacNew(canonicalName(hmac), secret);
  if (handle === undefined) throw new ERR_CRYPTO_INVALID_DIGEST(hmac);
  begin(this, options, handle, 0);
}

Object.assign(Hmac.prototype, {
  ...shared,
  digest(outputEncoding) {
    const encoding = nameOf(outputEncoding);
    return this[kState][kFinalized] ? inEncoding(new Uint8Array(), encoding) : finish(this, encoding);
  },
});

require('internal/crypto/streaming').makeStreams(Hash, Hmac);

function createHash(algorithm, options) {
  return new Hash(algorithm, options);
}

function createHmac(hmac, key, options) {
  return new Hmac(hmac, key, options);
}

/// Rule CRYPTO-10.
function hash(algorithm, data, outputEncoding = 'hex') {
  validateString(algorithm, 'algorithm');
  const isData = typeof data === 'string' || ArrayBuffer.isView(data);
  if (!isData) throw new ERR_INVALID_ARG_TYPE('input', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  if (outputEncoding !== 'buffer') checkEncoding(outputEncoding);
  const handle = open(algorithm, `Digest method ${algorithm} is not supported`);
  feed(handle, data);
  return inEncoding(binding.hashDigest(handle, givenLength(handle)), outputEncoding);
}

function checkEncoding(encoding) {
  validateString(encoding, 'outputEncoding');
  if (!require('buffer').Buffer.isEncoding(encoding)) throw new ERR_INVALID_ARG_VALUE('outputEncoding', encoding);
}

module.exports = { Hash, Hmac, createHash, createHmac, getHashes, hash, canonicalName };
