// What Web Crypto does with keys: signatures, encryption, and keys made of other keys.
// Uses binding.hmacNew, hashUpdate, hashDigest, keyAgree.
'use strict';

const { attempt, fail, failOperation, hashes, normalize } = require('internal/crypto/algorithms');
const { secretOf } = require('internal/crypto/keys');

const RSA_PKCS1_OAEP_PADDING = 4;
const RSA_PKCS1_PSS_PADDING = 6;
const BLOCK = 16;

const exactly = (bytes) => new Uint8Array(bytes).buffer;
const hashOf = (hash) => hashes[hash.name][0];

// Signatures.

/// The hash of a signature, and the key with how it signs.
function signer(algorithm, key) {
  switch (algorithm.name) {
    case 'ECDSA': return [hashOf(algorithm.hash), { key, dsaEncoding: 'ieee-p1363' }];
    case 'RSA-PSS': return [hashOf(key.algorithm.hash), { key, padding: RSA_PKCS1_PSS_PADDING, saltLength: algorithm.saltLength }];
    case 'Ed25519': return [null, { key }];
    default: return [hashOf(key.algorithm.hash), { key }];
  }
}

function checkSigner(given, key, usage) {
  const algorithm = normalize(given, usage);
  if (algorithm.name !== key.algorithm.name || !key.usages.includes(usage)) {
    fail(`Unable to use this key to ${usage}`, 'InvalidAccessError');
  }
  return algorithm;
}

function mac(key, data) {
  const handle = binding.hmacNew(hashOf(key.algorithm.hash), secretOf(key));
  binding.hashUpdate(handle, data);
  return binding.hashDigest(handle, 0);
}

function sign(given, key, data) {
  const algorithm = checkSigner(given, key, 'sign');
  if (algorithm.name === 'HMAC') return mac(key, data).buffer;
  const [hash, how] = signer(algorithm, key);
  return attempt(() => exactly(require('internal/crypto/sign').sign(hash, data, how)));
}

function verify(given, key, signature, data) {
  const algorithm = checkSigner(given, key, 'verify');
  if (algorithm.name === 'HMAC') {
    const made = mac(key, data);
    return signature.length === made.length && signature.reduce((before, byte, at) => before | (byte ^ made[at]), 0) === 0;
  }
  const [hash, how] = signer(algorithm, key);
  return attempt(() => require('internal/crypto/sign').verify(hash, data, how, signature));
}

// Encryption.

/// All of the data through one of the ciphers of node:crypto.
function through(kind, isEncryption, key, iv, data, prepare) {
  const { Cipheriv, Decipheriv } = require('internal/crypto/cipher');
  const secret = secretOf(key);
  const name = `aes-${secret.length * 8}-${kind}`;
  const options = prepare?.options;
  const cipher = isEncryption ? new Cipheriv(name, secret, iv, options) : new Decipheriv(name, secret, iv, options);
  prepare?.start(cipher);
  const parts = [cipher.update(data), cipher.final()];
  if (prepare !== undefined && isEncryption) parts.push(cipher.getAuthTag());
  return joined(parts);
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const tagLengths = [32, 64, 96, 104, 112, 120, 128];

function gcm(isEncryption, { iv, additionalData, tagLength = 128 }, key, data) {
  if (!tagLengths.includes(tagLength)) fail(`${tagLength} is not a valid AES-GCM tag length`, 'OperationError');
  const authTagLength = tagLength / 8;
  if (!isEncryption && data.length < authTagLength) fail('The provided data is too small.', 'OperationError');
  const end = isEncryption ? data.length : data.length - authTagLength;
  return attempt(() => through('gcm', isEncryption, key, iv, data.subarray(0, end), {
    options: { authTagLength },
    start(cipher) {
      if (!isEncryption) cipher.setAuthTag(data.subarray(end));
      if (additionalData !== undefined) cipher.setAAD(additionalData);
    },
  }));
}

/// The last bits of the block count; the others stay as they are, also when all of these were used up.
function counted({ counter, length }, key, data) {
  if (counter.length !== BLOCK) fail('algorithm.counter must contain exactly 16 bytes', 'OperationError');
  if (!(length >= 1 && length <= 128)) fail('AES-CTR algorithm.length must be between 1 and 128', 'OperationError');
  const round = 1n << BigInt(length);
  const whole = counter.reduce((before, byte) => (before << 8n) | BigInt(byte), 0n);
  const count = whole % round;
  if (BigInt(Math.ceil(data.length / BLOCK)) > round) failOperation();
  const before = (round - count) * BigInt(BLOCK);
  if (before >= BigInt(data.length)) return through('ctr', true, key, counter, data);
  const cut = Number(before);
  const again = new Uint8Array(BLOCK);
  for (let at = BLOCK - 1, rest = whole - count; at >= 0; at--, rest >>= 8n) again[at] = Number(rest & 0xffn);
  return joined([through('ctr', true, key, counter, data.subarray(0, cut)), through('ctr', true, key, again, data.subarray(cut))]);
}

function crypt(isEncryption, algorithm, key, data) {
  switch (algorithm.name) {
    case 'AES-GCM': return gcm(isEncryption, algorithm, key, data);
    case 'AES-CBC':
      if (algorithm.iv.length !== BLOCK) fail('algorithm.iv must contain exactly 16 bytes', 'OperationError');
      return attempt(() => through('cbc', isEncryption, key, algorithm.iv, data));
    case 'AES-CTR': return counted(algorithm, key, data);
    case 'AES-KW': return wrap(isEncryption, key, data);
    default: {
      const { publicEncrypt, privateDecrypt } = require('internal/crypto/sign');
      const how = {
        key, padding: RSA_PKCS1_OAEP_PADDING, oaepHash: hashOf(key.algorithm.hash), oaepLabel: algorithm.label,
      };
      return attempt(() => (isEncryption ? publicEncrypt(how, data) : privateDecrypt(how, data)));
    }
  }
}

// Wrapping with AES, RFC 3394.

const ICV = new Uint8Array(8).fill(0xa6);

function wrap(isEncryption, key, data) {
  const { Cipheriv, Decipheriv } = require('internal/crypto/cipher');
  const secret = secretOf(key);
  return attempt(() => new (isEncryption ? Cipheriv : Decipheriv)(`id-aes${secret.length * 8}-wrap`, secret, ICV).update(data));
}

/// `operation`: how the algorithm is read; `usage`: what the key must allow.
function cipher(isEncryption, given, key, data, operation, usage) {
  const algorithm = normalize(given, operation);
  if (algorithm.name !== key.algorithm.name || !key.usages.includes(usage)) {
    fail('The requested operation is not valid for the provided key', 'InvalidAccessError');
  }
  return exactly(crypt(isEncryption, algorithm, key, data));
}

// Keys made of other keys.

function agreed({ public: other }, key, length) {
  if (other.type !== 'public') fail('algorithm.public must be a public key', 'InvalidAccessError');
  if (other.algorithm.name !== 'ECDH' && other.algorithm.name !== 'X25519') fail('Keys must be ECDH, X25519, or X448 keys', 'InvalidAccessError');
  if (key.algorithm.name !== other.algorithm.name) fail('The public and private keys must be of the same type', 'InvalidAccessError');
  if (key.algorithm.namedCurve !== other.algorithm.namedCurve) fail('Named curve mismatch', 'InvalidAccessError');
  const secret = binding.keyAgree(secretOf(key).private, secretOf(other).public) ?? failOperation();
  if (length === null) return exactly(secret);
  const size = Math.ceil(length / 8);
  if (size > secret.length) fail('derived bit length is too small', 'OperationError');
  const bits = secret.slice(0, size);
  if (length % 8 !== 0) bits[size - 1] &= 0xff00 >> (length % 8);
  return bits.buffer;
}

function derive(given, key, length, usage) {
  const algorithm = normalize(given, 'deriveBits');
  if (!key.usages.includes(usage)) fail(`baseKey does not have ${usage} usage`, 'InvalidAccessError');
  if (algorithm.name !== key.algorithm.name) fail('Key algorithm mismatch', 'InvalidAccessError');
  const bits = typeof length === 'function' ? length() : length;
  if (algorithm.name === 'ECDH' || algorithm.name === 'X25519') return agreed(algorithm, key, bits);
  if (bits === null) fail('length cannot be null', 'OperationError');
  if (bits % 8 !== 0) fail('length must be a multiple of 8', 'OperationError');
  const { hkdfSync, pbkdf2Sync } = require('internal/crypto/derive');
  const { hash, salt, info, iterations } = algorithm;
  const secret = secretOf(key);
  if (algorithm.name === 'HKDF') return attempt(() => exactly(new Uint8Array(hkdfSync(hashOf(hash), secret, salt, info, bits / 8))));
  if (iterations === 0) fail('iterations cannot be zero', 'OperationError');
  if (bits === 0) return new ArrayBuffer(0);
  return attempt(() => exactly(pbkdf2Sync(secret, salt, iterations, bits / 8, hashOf(hash))));
}

module.exports = { cipher, derive, sign, verify };
