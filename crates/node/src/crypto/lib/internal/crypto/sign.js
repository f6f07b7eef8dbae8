// Signatures, and messages for whoever has the other part of a key.
// Uses binding.keySign, keyVerify, keyEncrypt, keyDecrypt, keyRecover, keyFacts.
'use strict';

const { codes } = require('internal/errors');
const { asBytes } = require('internal/crypto/bytes');
const { createHash, canonicalName } = require('internal/crypto/hash');
const { bufferOf, privateMaterial, readKey } = require('internal/crypto/asymmetric');

const RSA_PKCS1_PADDING = 1;
const RSA_NO_PADDING = 3;
const RSA_PKCS1_OAEP_PADDING = 4;
const RSA_PKCS1_PSS_PADDING = 6;
const SALT_DIGEST = -1;

const failed = (code, message) => require('internal/tls/failure').tlsFailure({ code, message });

const illegalPadding = () =>
  failed('ERR_OSSL_ILLEGAL_OR_UNSUPPORTED_PADDING_MODE', 'error:1C8000A5:Provider routines::illegal or unsupported padding mode');
const unknownPadding = () => failed('ERR_OSSL_RSA_UNKNOWN_PADDING_TYPE', 'error:02000076:rsa routines::unknown padding type');

// Keys that are for agreement only.
const agreeing = ['dh', 'x25519', 'x448'];
const notForThis = () => failed('ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE',
  'error:03000096:digital envelope routines::operation not supported for this keytype');

/// A key of RSASSA-PSS may be for one hash only, and for salts that are long enough: how long salts are.
function saltFor({ parameters }, name, saltLength) {
  if (parameters === undefined) return saltLength;
  const { hashAlgorithm, mgf1HashAlgorithm, saltLength: least } = require('internal/crypto/pss').read(parameters);
  if (hashAlgorithm !== mgf1HashAlgorithm) throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('RSASSA-PSS with two hashes');
  if (name !== undefined && name !== hashAlgorithm) {
    throw failed('ERR_OSSL_DIGEST_NOT_ALLOWED', 'error:1C8000AE:Provider routines::digest not allowed');
  }
  if (saltLength !== undefined && saltLength >= 0 && saltLength < least) {
    throw failed('ERR_OSSL_PSS_SALTLEN_TOO_SMALL', 'error:1C8000AC:Provider routines::pss saltlen too small');
  }
  return saltLength ?? least;
}

/// How the options of a key want signatures to be: padding, salt, and form.
function manner(given, facts, size) {
  const options = given !== null && typeof given === 'object' && !ArrayBuffer.isView(given) ? given : {};
  const { padding, saltLength, dsaEncoding = 'der' } = options;
  if (padding !== undefined && padding !== null && padding !== padding >> 0) throw new codes.ERR_INVALID_ARG_VALUE('options.padding', padding);
  if (saltLength !== undefined && saltLength !== null && saltLength !== saltLength >> 0) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.saltLength', saltLength);
  }
  if (dsaEncoding !== 'der' && dsaEncoding !== 'ieee-p1363') throw new codes.ERR_INVALID_ARG_VALUE('options.dsaEncoding', dsaEncoding);
  if (facts.n !== undefined && ![undefined, null, RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING].includes(padding)) {
    return { fault: padding === RSA_NO_PADDING ? failed('ERR_OSSL_INVALID_PADDING_MODE', 'error:1C8000A8:Provider routines::invalid padding mode') : illegalPadding() };
  }
  if (facts.kind === 'rsa-pss' && padding === RSA_PKCS1_PADDING) return { fault: illegalPadding() };
  const isPss = padding === RSA_PKCS1_PSS_PADDING || (facts.kind === 'rsa-pss' && padding == null);
  const most = facts.kind === 'ec' || facts.n === undefined ? 0 : facts.n.length - size - 2;
  return { padding: isPss ? 'pss' : 'pkcs1', saltLength: saltLength ?? undefined, most, isPlain: dsaEncoding === 'ieee-p1363' };
}

function sign(algorithm, data, given, hashed) {
  const found = privateMaterial(given);
  const facts = binding.keyFacts(found.public);
  if (facts.kind === 'ed25519') {
    if (algorithm) throw failed('ERR_OSSL_EVP_INVALID_DIGEST', 'error:1C800069:Provider routines::invalid digest');
    return bufferOf(binding.keySign(found.private, '', data, 'pkcs1', 0, false));
  }
  if (agreeing.includes(facts.kind)) throw notForThis();
  const name = canonicalName(algorithm ?? 'sha256');
  const digest = hashed ?? createHash(name).update(data).digest();
  const { fault, padding, saltLength: wanted, most, isPlain } = manner(given, facts, digest.length);
  if (fault !== undefined) throw fault;
  const saltLength = saltFor(facts, algorithm == null ? undefined : name, wanted);
  const salt = saltLength === undefined || saltLength < SALT_DIGEST ? most : saltLength === SALT_DIGEST ? digest.length : saltLength;
  const signature = binding.keySign(found.private, name, digest, padding, Math.max(salt, 0), isPlain);
  if (signature === undefined) {
    throw failed('ERR_OSSL_UNSUPPORTED', 'error:03000093:digital envelope routines::command not supported');
  }
  return bufferOf(signature);
}

function verify(algorithm, data, given, signature, hashed) {
  const found = readKey(given, false, true);
  const facts = binding.keyFacts(found.public);
  if (facts.kind === 'ed25519') return binding.keyVerify(found.public, '', data, 'pkcs1', 0, false, signature);
  if (agreeing.includes(facts.kind)) throw notForThis();
  const name = canonicalName(algorithm ?? 'sha256');
  const digest = hashed ?? createHash(name).update(data).digest();
  const { fault, padding, saltLength: wanted, isPlain } = manner(given, facts, digest.length);
  if (fault !== undefined) return false;
  const saltLength = saltFor(facts, undefined, wanted);
  const salt = saltLength === undefined || saltLength < SALT_DIGEST ? -1 : saltLength === SALT_DIGEST ? digest.length : saltLength;
  return binding.keyVerify(found.public, name, digest, padding, salt, isPlain, signature);
}

function checkDigest(algorithm) {
  require('internal/validators').validateString(algorithm, 'algorithm');
  if (canonicalName(algorithm) !== '') return;
  const error = new TypeError('Invalid digest');
  error.code = 'ERR_CRYPTO_INVALID_DIGEST';
  throw error;
}

const plainBytes = (value) => new Uint8Array(asBytes(value));

function needBytes(value, name) {
  if (asBytes(value) === undefined) throw new codes.ERR_INVALID_ARG_TYPE(name, ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
  return plainBytes(value);
}

/// Gathers what is to be signed, piece by piece; also a stream to write to.
function defineGathering(Class) {
  const { Writable } = require('stream');
  Object.setPrototypeOf(Class.prototype, Writable.prototype);
  Object.setPrototypeOf(Class, Writable);
  Class.prototype._write = function(chunk, encoding, callback) {
    this.update(chunk, encoding);
    callback();
  };
  Class.prototype.update = function(data, encoding) {
    this._hash.update(data, encoding === 'buffer' ? undefined : encoding);
    return this;
  };
}

function Gathering(self, algorithm, options) {
  checkDigest(algorithm);
  require('stream').Writable.call(self, options);
  Object.defineProperty(self, '_hash', { __proto__: null, value: createHash(canonicalName(algorithm)) });
  Object.defineProperty(self, '_algorithm', { __proto__: null, value: algorithm });
}

function Sign(algorithm, options) {
  if (!(this instanceof Sign)) return new Sign(algorithm, options);
  Gathering(this, algorithm, options);
}

function Verify(algorithm, options) {
  if (!(this instanceof Verify)) return new Verify(algorithm, options);
  Gathering(this, algorithm, options);
}
defineGathering(Sign);
defineGathering(Verify);

Sign.prototype.sign = function(key, encoding) {
  if (!key) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const signature = sign(this._algorithm, undefined, key, this._hash.digest());
  return encoding && encoding !== 'buffer' ? signature.toString(encoding) : signature;
};

Verify.prototype.verify = function(key, signature, encoding) {
  const bytes = typeof signature === 'string' ? new Uint8Array(require('buffer').Buffer.from(signature, encoding)) : needBytes(signature, 'signature');
  return verify(this._algorithm, undefined, key, bytes, this._hash.digest());
};

function signOneShot(algorithm, data, key, callback) {
  if (algorithm != null) checkDigest(algorithm);
  if (callback !== undefined) require('internal/validators').validateFunction(callback, 'callback');
  const bytes = needBytes(data, 'data');
  if (!key) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  return answer(() => sign(algorithm, bytes, key), callback);
}

function verifyOneShot(algorithm, data, key, signature, callback) {
  if (algorithm != null) checkDigest(algorithm);
  if (callback !== undefined) require('internal/validators').validateFunction(callback, 'callback');
  const bytes = needBytes(data, 'data');
  const signed = needBytes(signature, 'signature');
  return answer(() => verify(algorithm, bytes, key, signed), callback);
}

/// The result at once, or later to whoever gave a function for it.
function answer(compute, callback) {
  return callback === undefined ? compute() : require('internal/crypto/later').later(compute, callback);
}

const empty = new Uint8Array(0);

const kinds = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

/// The bytes of a message or a label; texts are in the encoding of the key's options.
function bytesIn(value, name, encoding) {
  if (typeof value === 'string') {
    const known = typeof encoding === 'string' && encoding !== 'buffer' ? encoding : 'utf8';
    return new Uint8Array(require('buffer').Buffer.from(value, known));
  }
  const bytes = asBytes(value);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE(name, kinds, value);
  return plainBytes(bytes);
}

/// Padding, hash, label and encoding for messages. No padding at all is not there.
function envelope(given, usual) {
  const options = given !== null && typeof given === 'object' && !ArrayBuffer.isView(given) ? given : {};
  const { oaepHash = 'sha1', oaepLabel, encoding } = options;
  const padding = options.padding || usual;
  if (padding === RSA_NO_PADDING) throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('crypto.constants.RSA_NO_PADDING');
  require('internal/validators').validateString(oaepHash, 'key.oaepHash');
  const label = oaepLabel === undefined ? empty : bytesIn(oaepLabel, 'key.oaepLabel', encoding);
  return { padding, hash: canonicalName(oaepHash), label, encoding };
}

const tooLarge = () => failed('ERR_OSSL_RSA_DATA_TOO_LARGE_FOR_KEY_SIZE', 'error:0200006E:rsa routines::data too large for key size');

/// Keys of RSASSA-PSS are for signatures only.
function checkHides(found) {
  if (binding.keyFacts(found.public)?.kind !== 'rsa-pss') return;
  throw failed('ERR_OSSL_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE',
    'error:1C8000B2:Provider routines::operation not supported for this keytype');
}

function publicEncrypt(key, buffer) {
  const { padding, hash, label, encoding } = envelope(key, RSA_PKCS1_OAEP_PADDING);
  const data = bytesIn(buffer, 'buffer', encoding);
  const found = readKey(key, false, true);
  checkHides(found);
  if (padding !== RSA_PKCS1_PADDING && padding !== RSA_PKCS1_OAEP_PADDING) throw unknownPadding();
  const hidden = binding.keyEncrypt(found.public, padding === RSA_PKCS1_PADDING ? 'pkcs1' : 'oaep', hash, label, data);
  if (hidden === undefined) throw tooLarge();
  return bufferOf(hidden);
}

function privateDecrypt(key, buffer) {
  const { padding, hash, label, encoding } = envelope(key, RSA_PKCS1_OAEP_PADDING);
  if (padding === RSA_PKCS1_PADDING) {
    const error = new TypeError('RSA_PKCS1_PADDING is no longer supported for private decryption, this can be reverted with ' +
      '--security-revert=CVE-2023-46809');
    error.code = 'ERR_INVALID_ARG_VALUE';
    throw error;
  }
  const data = bytesIn(buffer, 'buffer', encoding);
  const found = privateMaterial(key);
  checkHides(found);
  if (padding !== RSA_PKCS1_OAEP_PADDING) throw unknownPadding();
  const opened = binding.keyDecrypt(found.private, 'oaep', hash, label, data);
  if (opened === undefined) throw failed('ERR_OSSL_RSA_OAEP_DECODING_ERROR', 'error:02000079:rsa routines::oaep decoding error');
  return bufferOf(opened);
}

function privateEncrypt(key, buffer) {
  const { padding, encoding } = envelope(key, RSA_PKCS1_PADDING);
  const data = bytesIn(buffer, 'buffer', encoding);
  const found = privateMaterial(key);
  if (padding !== RSA_PKCS1_PADDING) throw illegalPadding();
  const signature = binding.keySign(found.private, '', data, 'raw', 0, false);
  if (signature === undefined) throw tooLarge();
  return bufferOf(signature);
}

function publicDecrypt(key, buffer) {
  const { padding, encoding } = envelope(key, RSA_PKCS1_PADDING);
  const data = bytesIn(buffer, 'buffer', encoding);
  const found = readKey(key, false, true);
  if (padding !== RSA_PKCS1_PADDING) throw illegalPadding();
  const opened = binding.keyRecover(found.public, data);
  if (opened === undefined) throw failed('ERR_OSSL_RSA_PADDING_CHECK_FAILED', 'error:02000072:rsa routines::padding check failed');
  return bufferOf(opened);
}

module.exports = { publicDecrypt, Sign, Verify, sign: signOneShot, verify: verifyOneShot, publicEncrypt, privateDecrypt, privateEncrypt };
