// Keys of Web Crypto: making them, reading and writing them.
// Uses binding.curveReadPoint, keyFacts, keyOfNumbers, randomFill.
'use strict';

const { attempt, checkUsages, fail, failOperation, hashes, normalize } = require('internal/crypto/algorithms');
const { createCryptoKey, materialOf, secretOf } = require('internal/crypto/keys');

binding.install?.('curves', binding);

const base64url = (bytes) => require('buffer').Buffer.from(bytes).toString('base64url');
const fromBase64url = (text) => new Uint8Array(require('buffer').Buffer.from(text, 'base64url'));

// What keys can be used for: the secret or the public ones, and the private ones.
const sealing = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const signing = [['verify'], ['sign']];
const usagesOf = {
  '__proto__': null,
  'HMAC': [['sign', 'verify']],
  'AES-GCM': [sealing], 'AES-CBC': [sealing], 'AES-CTR': [sealing], 'AES-KW': [['wrapKey', 'unwrapKey']],
  'HKDF': [['deriveKey', 'deriveBits']], 'PBKDF2': [['deriveKey', 'deriveBits']],
  'RSASSA-PKCS1-v1_5': signing, 'RSA-PSS': signing, 'ECDSA': signing, 'Ed25519': signing,
  'RSA-OAEP': [['encrypt', 'wrapKey'], ['decrypt', 'unwrapKey']],
  'ECDH': [[], ['deriveKey', 'deriveBits']], 'X25519': [[], ['deriveKey', 'deriveBits']],
};

const isAes = (name) => name.startsWith('AES-');
const isRsa = (name) => name.startsWith('RSA');
const isCurved = (name) => name.startsWith('EC');
const isAgreeing = (name) => name === 'ECDH' || name === 'X25519';
const isDerivation = (name) => name === 'HKDF' || name === 'PBKDF2';

// The other name of each curve, and how long a coordinate is.
const curves = { '__proto__': null, 'P-256': ['prime256v1', 32], 'P-384': ['secp384r1', 48], 'P-521': ['secp521r1', 66] };

function checkCurve(namedCurve) {
  if (curves[namedCurve] === undefined) fail('Unrecognized namedCurve', 'NotSupportedError');
}

// Making new ones.

function randomKey(bits, algorithm, extractable, usages) {
  const secret = new Uint8Array(Math.ceil(bits / 8));
  binding.randomFill(secret);
  return createCryptoKey(secret, algorithm, extractable, usages);
}

function exponentOf(bytes) {
  const number = bytes.reduce((before, byte) => before * 256 + byte, 0);
  return number < 3 || number % 2 === 0 || number > 0xffff_ffff ? failOperation() : number;
}

function generatePair(algorithm, extractable, usages) {
  const { name } = algorithm;
  const { generateKeyPairSync } = require('internal/crypto/asymmetric');
  const kind = isRsa(name) ? 'a RSA' : `an ${name}`;
  if (isCurved(name)) checkCurve(algorithm.namedCurve);
  const [ofPublic, ofPrivate] = usagesOf[name];
  checkUsages(usages, [...ofPublic, ...ofPrivate], kind);
  let made = { name };
  let pair;
  if (isRsa(name)) {
    const { modulusLength, publicExponent, hash } = algorithm;
    made = { name, modulusLength, publicExponent: new Uint8Array(publicExponent), hash };
    const exponent = exponentOf(made.publicExponent);
    pair = attempt(() => generateKeyPairSync('rsa', { modulusLength, publicExponent: exponent }));
  } else if (isCurved(name)) {
    made = { name, namedCurve: algorithm.namedCurve };
    pair = generateKeyPairSync('ec', { namedCurve: algorithm.namedCurve });
  } else {
    pair = generateKeyPairSync(name.toLowerCase());
  }
  const chosen = (allowed) => allowed.filter((usage) => usages.includes(usage));
  if (chosen(ofPrivate).length === 0) fail('Usages cannot be empty when creating a key.', 'SyntaxError');
  return {
    __proto__: null,
    publicKey: createCryptoKey(materialOf(pair.publicKey), made, true, chosen(ofPublic), 'public'),
    privateKey: createCryptoKey(materialOf(pair.privateKey), made, extractable, chosen(ofPrivate), 'private'),
  };
}

const isAesLength = (length) => length === 128 || length === 192 || length === 256;

function generate(given, extractable, usages) {
  const algorithm = normalize(given, 'generateKey');
  const { name } = algorithm;
  if (usagesOf[name].length === 2) return generatePair(algorithm, extractable, usages);
  const chosen = checkUsages(usages, usagesOf[name][0], isAes(name) ? 'an AES' : 'an HMAC');
  let { length } = algorithm;
  if (isAes(name)) {
    if (!isAesLength(length)) fail('AES key length must be 128, 192, or 256 bits', 'OperationError');
  } else {
    length ??= hashes[algorithm.hash.name][1];
    if (length === 0) fail('Zero-length key is not supported', 'OperationError');
  }
  if (chosen.length === 0) fail('Usages cannot be empty when creating a key.', 'SyntaxError');
  const made = isAes(name) ? { name, length } : { name, hash: algorithm.hash, length };
  return randomKey(length, made, extractable, chosen);
}

/// How many bits a derived key needs; null if it takes as many as there are.
function lengthOf(given) {
  const { name, length, hash } = normalize(given, 'keyLength');
  if (isDerivation(name)) return null;
  if (isAes(name)) return isAesLength(length) ? length : fail('Invalid key length', 'OperationError');
  if (length === undefined) return hashes[hash.name][1];
  return length > 0 ? length : fail('Zero-length key is not supported', 'OperationError');
}

// Reading them.

const invalid = () => fail('Invalid keyData', 'DataError');

/// What a JSON key says about itself must agree with what it is read for.
function checkJwk(jwk, kty, extractable, usages, use) {
  if (jwk === null || typeof jwk !== 'object' || jwk.kty === undefined) invalid();
  if (jwk.kty !== kty) fail('Invalid JWK "kty" Parameter', 'DataError');
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) fail('Invalid JWK "use" Parameter', 'DataError');
  const { key_ops: operations } = jwk;
  if (operations !== undefined && (!Array.isArray(operations) || usages.some((usage) => !operations.includes(usage)))) {
    fail('Key operations and usage mismatch', 'DataError');
  }
  if (jwk.ext === false && extractable) fail('JWK "ext" Parameter and extractable mismatch', 'DataError');
}

function checkJwkAlgorithm(jwk, ...wanted) {
  if (jwk.alg !== undefined && !wanted.includes(jwk.alg)) fail('JWK "alg" does not match the requested algorithm', 'DataError');
}

/// Of RSA only the hash counts: a key for one scheme can be read for another.
function checkRsaAlgorithm({ alg }, hash) {
  if (alg === undefined) return;
  const digits = /^RSA-OAEP$/i.test(alg) ? '1' : /^(?:RS|PS|RSA-OAEP-)(\d+)$/i.exec(alg)?.[1];
  if (digits !== hash.name.slice(4)) fail('JWK "alg" does not match the requested algorithm', 'DataError');
}

const jwkNameOf = ({ name, length, hash, namedCurve }) => {
  const digits = hash?.name.slice(4);
  switch (name) {
    case 'HMAC': return `HS${digits}`;
    case 'RSASSA-PKCS1-v1_5': return `RS${digits}`;
    case 'RSA-PSS': return `PS${digits}`;
    case 'RSA-OAEP': return digits === '1' ? 'RSA-OAEP' : `RSA-OAEP-${digits}`;
    case 'ECDSA': return namedCurve === 'P-521' ? 'ES512' : `ES${namedCurve.slice(2)}`;
    case 'Ed25519': return name;
    default: return `A${length}${name.slice(4)}`;
  }
};

function importSecret(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  const kind = isAes(name) ? 'an AES' : name === 'HMAC' ? 'an HMAC' : `a ${name}`;
  const chosen = checkUsages(usages, usagesOf[name][0], kind);
  if (isDerivation(name) && extractable) fail(`${name} keys are not extractable`, 'SyntaxError');
  let secret = data;
  if (format === 'jwk' && !isDerivation(name)) {
    checkJwk(data, 'oct', extractable, usages, name === 'HMAC' ? 'sig' : 'enc');
    if (typeof data.k !== 'string') invalid();
    secret = fromBase64url(data.k);
  } else if (format !== 'raw') {
    fail(`Unable to import ${isAes(name) ? 'AES' : name} key with format ${format}`, 'NotSupportedError');
  }
  let made = { name };
  if (isAes(name)) {
    made.length = secret.length * 8;
    if (!isAesLength(made.length)) fail('Invalid key length', 'DataError');
  } else if (name === 'HMAC') {
    const { hash, length = secret.length * 8 } = algorithm;
    if (length === 0) fail('Zero-length key is not supported', 'DataError');
    if (length > secret.length * 8 || length <= secret.length * 8 - 8) fail('Invalid key length', 'DataError');
    made = { name, hash, length };
  }
  if (format === 'jwk') checkJwkAlgorithm(data, jwkNameOf(made));
  if (chosen.length === 0) fail('Usages cannot be empty when importing a secret key.', 'SyntaxError');
  return createCryptoKey(secret, made, extractable, chosen);
}

/// A public key that is nothing but its point.
function pointOf(bytes, { name, namedCurve }) {
  if (namedCurve === undefined) {
    if (bytes.length !== 32) fail(`${name} raw keys must be exactly 32-bytes`, 'DataError');
    return binding.keyOfNumbers(`${name.toLowerCase()}-public`, [bytes]);
  }
  const [curve, size] = curves[namedCurve];
  const point = binding.curveReadPoint(curve, bytes) ?? invalid();
  return binding.keyOfNumbers(namedCurve, [point.subarray(1, 1 + size), point.subarray(1 + size)]);
}

/// Whether the public part of a private JSON key belongs to it: the coordinates are numbers of any length.
function isPointOf({ x, y }, point) {
  const digits = (bytes) => require('buffer').Buffer.from(bytes).toString('hex').replace(/^0+/, '');
  const isNumber = (text, bytes) => digits(fromBase64url(text)) === digits(bytes);
  if (y === undefined) return base64url(fromBase64url(x)) === base64url(point);
  const middle = (point.length + 1) / 2;
  return isNumber(x, point.subarray(1, middle)) && isNumber(y, point.subarray(middle));
}

function importPart(format, data, algorithm, extractable, usages) {
  const { name, namedCurve, hash } = algorithm;
  const { readKey } = require('internal/crypto/asymmetric');
  const kty = isRsa(name) ? 'RSA' : isCurved(name) ? 'EC' : 'OKP';
  if (isCurved(name)) checkCurve(namedCurve);
  if (format === 'raw' && isRsa(name)) fail('Unable to import RSA key with format raw', 'NotSupportedError');
  const isPrivate = format === 'pkcs8' || (format === 'jwk' && data?.d !== undefined);
  const type = isPrivate ? 'private' : 'public';
  const check = () => checkUsages(usages, usagesOf[name][isPrivate ? 1 : 0], isRsa(name) ? `an ${name}` : `a ${name}`);
  let chosen;
  let found;
  if (format === 'jwk') {
    checkJwk(data, kty, extractable, [], '');
    const isOkp = kty === 'OKP';
    const curve = isOkp ? name : namedCurve;
    if (curve !== undefined && data.crv !== curve) {
      fail(isOkp ? 'JWK "crv" Parameter and algorithm name mismatch' : 'JWK "crv" does not match the requested algorithm',
        'DataError');
    }
    chosen = check();
    checkJwk(data, kty, extractable, usages, name === 'RSA-OAEP' || isAgreeing(name) ? 'enc' : 'sig');
    if (isRsa(name)) checkRsaAlgorithm(data, hash);
    else if (name === 'Ed25519') checkJwkAlgorithm(data, name, 'EdDSA');
    else if (!isAgreeing(name)) checkJwkAlgorithm(data, jwkNameOf(algorithm));
    if (isOkp && data.x === undefined) fail('Invalid JWK', 'DataError');
    found = attempt(() => readKey({ key: data, format }, isPrivate), 'Invalid keyData', 'DataError');
    if (isPrivate && !isRsa(name) && !isPointOf(data, binding.keyFacts(found.public).point)) invalid();
  } else {
    chosen = check();
    found = attempt(() => {
      const read = format === 'raw' ? pointOf(data, algorithm) : readKey({ key: data, format: 'der', type: format }, isPrivate);
      if (typeof read === 'string' || (read.private !== undefined) !== isPrivate) throw new Error(read);
      return read;
    }, format === 'raw' && kty === 'OKP' ? `${name} raw keys must be exactly 32-bytes` : 'Invalid keyData', 'DataError');
  }
  const facts = binding.keyFacts(found.public);
  if (facts?.kind !== { RSA: 'rsa', EC: 'ec', OKP: name.toLowerCase() }[kty]) fail('Invalid key type', 'DataError');
  if (isCurved(name) && facts.crv !== namedCurve) fail('Named curve mismatch', 'DataError');
  if (isPrivate && chosen.length === 0) fail('Usages cannot be empty when importing a private key.', 'SyntaxError');
  let made = { name };
  if (isRsa(name)) made = { name, modulusLength: facts.bits, publicExponent: new Uint8Array(facts.e), hash };
  else if (isCurved(name)) made = { name, namedCurve };
  return createCryptoKey(found, made, extractable, chosen, type);
}

function importKey(format, data, given, extractable, usages) {
  const algorithm = normalize(given, 'importKey');
  if (usagesOf[algorithm.name].length === 1) return importSecret(format, data, algorithm, extractable, usages);
  return importPart(format, data, algorithm, extractable, usages);
}

// Writing them.

const exactly = (bytes) => new Uint8Array(bytes).buffer;

function exportKey(format, key) {
  const { type, algorithm, extractable, usages } = key;
  const { name } = algorithm;
  if (!extractable) fail('key is not extractable', 'InvalidAccessException');
  const secret = secretOf(key);
  if (type === 'secret') {
    if (format === 'raw') return exactly(secret);
    if (format !== 'jwk') fail(`Unable to export a raw ${name} secret key`, 'InvalidAccessError');
    return { key_ops: usages, ext: extractable, kty: 'oct', k: base64url(secret), alg: jwkNameOf(algorithm) };
  }
  const object = require('internal/crypto/asymmetric').keyOf(type, secret);
  if (format === 'jwk') {
    const jwk = { key_ops: usages, ext: extractable, ...object.export({ format }) };
    return isCurved(name) || isAgreeing(name) ? jwk : { ...jwk, alg: jwkNameOf(algorithm) };
  }
  if (format === 'pkcs8') {
    if (type !== 'private') fail(`Unable to export a pkcs8 ${name} ${type} key`, 'InvalidAccessError');
    return exactly(secret.private);
  }
  if (type !== 'public' || (format === 'raw' && isRsa(name))) fail(`Unable to export a raw ${name} ${type} key`, 'InvalidAccessError');
  return exactly(format === 'raw' ? binding.keyFacts(secret.public).point : secret.public);
}

module.exports = { exportKey, generate, importKey, lengthOf };
