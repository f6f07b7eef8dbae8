// node:crypto. What more than a hash or a random number needs is loaded when it is asked for.
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
  secureHeapUsed() { return { total: 0, used: 0, utilization: 0, min: 0 }; },
  hash: hash.hash,
  Hash: hash.Hash,
  Hmac: hash.Hmac,
  constants: Object.freeze({
    ...require('internal/crypto/openssl_numbers'),
    __proto__: null,
    RSA_PKCS1_PADDING: 1,
    RSA_NO_PADDING: 3,
    RSA_PKCS1_OAEP_PADDING: 4,
    RSA_X931_PADDING: 5,
    RSA_PKCS1_PSS_PADDING: 6,
    RSA_PSS_SALTLEN_DIGEST: -1,
    RSA_PSS_SALTLEN_MAX_SIGN: -2,
    RSA_PSS_SALTLEN_AUTO: -2,
    defaultCoreCipherList: require('internal/tls/ciphers').list,
    TLS1_VERSION: 0x0301,
    TLS1_1_VERSION: 0x0302,
    TLS1_2_VERSION: 0x0303,
    TLS1_3_VERSION: 0x0304,
    POINT_CONVERSION_COMPRESSED: 2,
    POINT_CONVERSION_UNCOMPRESSED: 4,
    POINT_CONVERSION_HYBRID: 6,
    defaultCipherList: require('internal/tls/ciphers').list,
  }),
};

/// Gives the exports a function of another file, which is loaded when the function is first used.
function later(file, ...names) {
  for (const name of names) {
    Object.defineProperty(module.exports, name, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get() {
        const value = require(file)[name];
        Object.defineProperty(module.exports, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value });
        return value;
      },
      set(value) {
        Object.defineProperty(module.exports, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value });
      },
    });
  }
}
later('internal/crypto/cipher', 'Cipheriv', 'Decipheriv', 'getCiphers', 'getCipherInfo');
later('internal/crypto/derive', 'pbkdf2', 'pbkdf2Sync', 'scrypt', 'scryptSync', 'hkdf', 'hkdfSync');
later('internal/crypto/asymmetric', 'createPrivateKey', 'createPublicKey', 'generateKeyPair', 'generateKeyPairSync', 'generateKey', 'generateKeySync');
later('internal/crypto/sign', 'Sign', 'Verify', 'sign', 'verify', 'publicEncrypt', 'privateDecrypt', 'privateEncrypt',
  'publicDecrypt');
later('internal/crypto/x509', 'X509Certificate');
later('internal/crypto/spkac', 'Certificate');
later('internal/crypto/primes', 'checkPrime', 'checkPrimeSync', 'generatePrime', 'generatePrimeSync');
later('internal/crypto/agreement', 'DiffieHellman', 'DiffieHellmanGroup', 'ECDH', 'diffieHellman', 'getCurves');
Object.assign(module.exports, {
  createCipheriv(cipher, key, iv, options) { return new module.exports.Cipheriv(cipher, key, iv, options); },
  createDecipheriv(cipher, key, iv, options) { return new module.exports.Decipheriv(cipher, key, iv, options); },
  createSign(algorithm, options) { return new module.exports.Sign(algorithm, options); },
  createDiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
    return new module.exports.DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
  },
  createDiffieHellmanGroup(name) { return new module.exports.DiffieHellmanGroup(name); },
  createECDH(curve) { return new module.exports.ECDH(curve); },
  createVerify(algorithm, options) { return new module.exports.Verify(algorithm, options); },
});

module.exports.getDiffieHellman = module.exports.createDiffieHellmanGroup;

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

// Old names of one function.
for (const name of ['prng', 'pseudoRandomBytes', 'rng']) {
  Object.defineProperty(module.exports, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value: random.randomBytes });
}
