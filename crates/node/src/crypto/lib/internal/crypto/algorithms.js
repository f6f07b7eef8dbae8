// Algorithms of Web Crypto by their names: which operations each has, and what these must be told.
'use strict';

const { DOMException } = require('internal/domexception');
const { asBytes } = require('internal/crypto/bytes');
const { CryptoKey } = require('internal/crypto/keys');

const fail = (message, name) => { throw new DOMException(message, name); };
const refuseAlgorithm = () => fail('Unrecognized algorithm name', 'NotSupportedError');
const failOperation = () => fail('The operation failed for an operation-specific reason', 'OperationError');

/// Runs what can fail for reasons that are told to nobody.
function attempt(compute, message = 'The operation failed for an operation-specific reason', name = 'OperationError') {
  try {
    return compute();
  } catch {
    return fail(message, name);
  }
}

// Hashes: the name for us, and the size of a block in bits.
const hashes = {
  '__proto__': null,
  'SHA-1': ['sha1', 512], 'SHA-256': ['sha256', 512], 'SHA-384': ['sha384', 1024], 'SHA-512': ['sha512', 1024],
};

const none = [''];
const aes = {
  generateKey: ['AesKeyGenParams', 'length'], importKey: none, exportKey: none, keyLength: ['AesDerivedKeyParams', 'length'],
};
const aesWith = (...params) => ({ ...aes, encrypt: params, decrypt: params });
const rsa = {
  generateKey: ['RsaHashedKeyGenParams', 'modulusLength', 'publicExponent', 'hash'], importKey: ['RsaHashedImportParams', 'hash'],
  exportKey: none,
};
const curved = {
  generateKey: ['EcKeyGenParams', 'namedCurve'], importKey: ['EcKeyImportParams', 'namedCurve'], exportKey: none,
};
const derived = (...params) => ({ deriveBits: params, importKey: none, keyLength: none });

// For each operation the dictionary that it takes, and the members that must be there.
const algorithms = {
  '__proto__': null,
  ...Object.fromEntries(Object.keys(hashes).map((name) => [name, { digest: none }])),
  'HMAC': {
    sign: none, verify: none, generateKey: ['HmacKeyGenParams', 'hash'], importKey: ['HmacImportParams', 'hash'], exportKey: none,
    keyLength: ['HmacImportParams', 'hash'],
  },
  'AES-GCM': aesWith('AesGcmParams', 'iv'),
  'AES-CBC': aesWith('AesCbcParams', 'iv'),
  'AES-CTR': aesWith('AesCtrParams', 'counter', 'length'),
  'AES-KW': { ...aes, wrapKey: none, unwrapKey: none },
  'RSASSA-PKCS1-v1_5': { ...rsa, sign: none, verify: none },
  'RSA-PSS': { ...rsa, sign: ['RsaPssParams', 'saltLength'], verify: ['RsaPssParams', 'saltLength'] },
  'RSA-OAEP': { ...rsa, encrypt: ['RsaOaepParams'], decrypt: ['RsaOaepParams'] },
  'ECDSA': { ...curved, sign: ['EcdsaParams', 'hash'], verify: ['EcdsaParams', 'hash'] },
  'ECDH': { ...curved, deriveBits: ['EcdhKeyDeriveParams', 'public'] },
  'Ed25519': { generateKey: none, importKey: none, exportKey: none, sign: none, verify: none },
  'X25519': { generateKey: none, importKey: none, exportKey: none, deriveBits: ['EcdhKeyDeriveParams', 'public'] },
  'HKDF': derived('HkdfParams', 'hash', 'info', 'salt'),
  'PBKDF2': derived('Pbkdf2Params', 'hash', 'iterations', 'salt'),
};
const named = new Map(Object.keys(algorithms).map((name) => [name.toUpperCase(), name]));
const ofBytes = ['iv', 'counter', 'salt', 'info', 'additionalData', 'label'];
// What a dictionary of any operation may have. An object may inherit it.
const members = [
  ...ofBytes, 'hash', 'iterations', 'length', 'modulusLength', 'namedCurve', 'public', 'publicExponent', 'saltLength', 'tagLength',
];

function membersOf(algorithm) {
  const found = { name: algorithm.name };
  for (const member of members) {
    const value = algorithm[member];
    if (value !== undefined) found[member] = value;
  }
  return found;
}

function refuseMember(message, code) {
  const error = new TypeError(`Failed to normalize algorithm: ${message}`);
  error.code = code;
  throw error;
}

function hashNamed(hash) {
  const given = typeof hash === 'object' && hash !== null ? hash.name : hash;
  const name = `${given}`.toUpperCase();
  return hashes[name] === undefined ? refuseAlgorithm() : { name };
}

/// Whether an operation is one of this algorithm.
function has(algorithm, operation) {
  const given = typeof algorithm === 'object' && algorithm !== null ? algorithm.name : algorithm;
  return algorithms[named.get(`${given}`.toUpperCase())]?.[operation] !== undefined;
}

/// The algorithm under its own name, with the members that the operation needs.
function normalize(algorithm, operation) {
  const given = typeof algorithm === 'object' && algorithm !== null ? membersOf(algorithm) : { name: `${algorithm}` };
  const missing = (name, dictionary) => refuseMember(
    `passed algorithm can not be converted to '${dictionary}' because '${name}' is required in '${dictionary}'.`, 'ERR_MISSING_OPTION');
  if (given.name === undefined) missing('name', 'Algorithm');
  const name = named.get(`${given.name}`.toUpperCase()) ?? refuseAlgorithm();
  const [dictionary, ...required] = algorithms[name][operation] ?? refuseAlgorithm();
  for (const member of required) {
    if (given[member] === undefined) missing(member, dictionary);
  }
  for (const member of ofBytes) {
    if (given[member] === undefined) continue;
    const bytes = asBytes(given[member]);
    if (bytes === undefined) {
      refuseMember(`'${member}' of '${dictionary}' (passed algorithm) is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.`,
        'ERR_INVALID_ARG_TYPE');
    }
    given[member] = new Uint8Array(bytes);
  }
  if (required.includes('public') && !(given.public instanceof CryptoKey)) {
    refuseMember(`'public' of '${dictionary}' (passed algorithm) is not of type CryptoKey.`, 'ERR_INVALID_ARG_TYPE');
  }
  return required.includes('hash') ? { ...given, name, hash: hashNamed(given.hash) } : { ...given, name };
}

/// Each usage once, in the order in which they were given; none that these keys do not have.
function checkUsages(usages, allowed, kind) {
  if (usages.some((usage) => !allowed.includes(usage))) fail(`Unsupported key usage for ${kind} key`, 'SyntaxError');
  return usages.filter((usage, at) => usages.indexOf(usage) === at);
}

module.exports = { attempt, checkUsages, fail, failOperation, has, hashes, normalize };
