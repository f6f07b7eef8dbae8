// Private and public keys: reading them in all their forms, writing them, making new ones.
// Uses binding.keyRead, keyOfNumbers, keyFacts, keySecrets, keyOwnForm, keyGenerate, nextTick.
'use strict';

const { codes } = require('internal/errors');
const { KeyObject, materialOf, nameAs, secretOf } = require('internal/crypto/keys');
const { asBytes } = require('internal/crypto/bytes');

binding.install?.('keys', binding);

const messages = {
  '__proto__': null,
  'ERR_OSSL_UNSUPPORTED': 'error:1E08010C:DECODER routines::unsupported',
  'ERR_OSSL_BAD_DECRYPT': 'error:1C800064:Provider routines::bad decrypt',
  'ERR_OSSL_ASN1_HEADER_TOO_LONG': 'error:0680007B:asn1 encoding routines::header too long',
  'ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED': 'error:07880109:common libcrypto routines::interrupted or cancelled',
  'ERR_CRYPTO_INVALID_CURVE': 'Invalid EC curve name',
};

const bufferOf = (bytes) => require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/// The key that the world read, or its complaint as an error.
function material(read) {
  if (typeof read !== 'string') return read;
  throw require('internal/tls/failure').tlsFailure({ code: read, message: messages[read] ?? read });
}

class AsymmetricKeyObject extends KeyObject {
  #facts;

  get asymmetricKeyType() { return this.facts().kind; }

  get asymmetricKeyDetails() {
    const { kind, bits, curve, e } = this.facts();
    if (kind === 'rsa' || kind === 'rsa-pss') {
      return { modulusLength: bits, publicExponent: BigInt(`0x${bufferOf(e).toString('hex')}`) };
    }
    return kind === 'ec' ? { namedCurve: curve } : {};
  }

  facts() {
    this.#facts ??= binding.keyFacts(materialOf(this).public) ?? {};
    return this.#facts;
  }
}
Object.defineProperty(AsymmetricKeyObject.prototype, 'facts', { enumerable: false });

const base64url = (bytes) => bufferOf(bytes).toString('base64url');

/// The numbers of a key as JSON.
function toJwk(key, facts, isPrivate) {
  const { kind } = facts;
  if (kind === 'rsa') {
    const jwk = { kty: 'RSA', n: base64url(facts.n), e: base64url(facts.e) };
    if (!isPrivate) return jwk;
    const names = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];
    binding.keySecrets(materialOf(key).private).forEach((number, at) => { jwk[names[at]] = base64url(number); });
    return jwk;
  }
  if (kind === 'ec') {
    const size = (facts.point.length - 1) / 2;
    const jwk = {
      kty: 'EC', x: base64url(facts.point.subarray(1, 1 + size)), y: base64url(facts.point.subarray(1 + size)), crv: facts.crv,
    };
    if (isPrivate) jwk.d = base64url(binding.keySecrets(materialOf(key).private)[0]);
    return jwk;
  }
  if (kind === 'ed25519') {
    const jwk = { crv: 'Ed25519' };
    if (isPrivate) jwk.d = base64url(binding.keySecrets(materialOf(key).private)[0]);
    jwk.x = base64url(facts.point);
    jwk.kty = 'OKP';
    return jwk;
  }
  throw new codes.ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE();
}

function written(label, der, format) {
  if (format === 'der') return bufferOf(der);
  const lines = bufferOf(der).toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function checkEncoding(options, types, name) {
  const { validateObject } = require('internal/validators');
  validateObject(options, name);
  const { format, type } = options;
  if (format !== 'pem' && format !== 'der') throw new codes.ERR_INVALID_ARG_VALUE(`${name}.format`, format);
  if (!types.includes(type)) throw new codes.ERR_INVALID_ARG_VALUE(`${name}.type`, type);
  if (options.cipher != null) {
    throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('encrypted export of keys');
  }
}

class PublicKeyObject extends AsymmetricKeyObject {
  constructor(material) {
    super('public', material);
    nameAs(this, 'PublicKeyObject');
  }

  export(options) {
    const facts = this.facts();
    if (options?.format === 'jwk') return toJwk(this, facts, false);
    checkEncoding(options, facts.kind === 'rsa' ? ['pkcs1', 'spki'] : ['spki'], 'options');
    if (options.type === 'pkcs1') return written('RSA PUBLIC KEY', facts.pkcs1, options.format);
    return written('PUBLIC KEY', materialOf(this).public, options.format);
  }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  constructor(material) {
    super('private', material);
    nameAs(this, 'PrivateKeyObject');
  }

  export(options) {
    const facts = this.facts();
    if (options?.format === 'jwk') return toJwk(this, facts, true);
    const types = { rsa: ['pkcs1', 'pkcs8'], ec: ['pkcs8', 'sec1'] }[facts.kind] ?? ['pkcs8'];
    checkEncoding(options, types, 'options');
    if (options.type === 'pkcs8') return written('PRIVATE KEY', materialOf(this).private, options.format);
    const label = options.type === 'pkcs1' ? 'RSA PRIVATE KEY' : 'EC PRIVATE KEY';
    return written(label, binding.keyOwnForm(materialOf(this).private), options.format);
  }
}

const keyOf = (type, material) => (type === 'private' ? new PrivateKeyObject(material) : new PublicKeyObject(material));

const fromBase64url = (text) => new Uint8Array(require('buffer').Buffer.from(text, 'base64url'));

function fromJwk(jwk, wantsPrivate) {
  const { validateObject, validateOneOf, validateString } = require('internal/validators');
  validateObject(jwk, 'key.key');
  validateOneOf(jwk.kty, 'key.key.kty', ['RSA', 'EC', 'OKP']);
  const isPrivate = wantsPrivate && jwk.d !== undefined;
  const take = (...names) => names.map((name) => {
    validateString(jwk[name], `key.key.${name}`);
    return fromBase64url(jwk[name]);
  });
  if (wantsPrivate) validateString(jwk.d, 'key.key.d');
  if (jwk.kty === 'RSA') {
    return binding.keyOfNumbers('rsa', isPrivate ? take('n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi') : take('n', 'e'));
  }
  if (jwk.kty === 'EC') {
    validateOneOf(jwk.crv, 'key.key.crv', ['P-256', 'secp256k1', 'P-384', 'P-521']);
    return binding.keyOfNumbers(jwk.crv, isPrivate ? take('d') : take('x', 'y'));
  }
  validateOneOf(jwk.crv, 'key.key.crv', ['Ed25519', 'Ed448', 'X25519', 'X448']);
  if (jwk.crv !== 'Ed25519') throw new codes.ERR_CRYPTO_INVALID_JWK();
  return binding.keyOfNumbers(isPrivate ? 'ed25519' : 'ed25519-public', isPrivate ? take('d') : take('x'));
}

/// The key of what a program gives: a text, bytes, options with them, or a key.
function readKey(given, wantsPrivate, takesKeys) {
  const wanted = wantsPrivate ? [] : ['KeyObject', 'CryptoKey'];
  const types = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', ...(takesKeys ? ['KeyObject', 'CryptoKey'] : wanted)];
  const known = keyFrom(given);
  if (known !== undefined) return known;
  if (typeof given === 'string' || asBytes(given) !== undefined) return material(parse(given, 'pem'));
  if (given === null || typeof given !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('key', types, given);
  const { key, format = 'pem', type, passphrase, encoding } = given;
  const inner = keyFrom(key);
  if (inner !== undefined) return inner;
  if (format === 'jwk') return material(fromJwk(key, wantsPrivate));
  if (typeof key !== 'string' && asBytes(key) === undefined) throw new codes.ERR_INVALID_ARG_TYPE('key.key', types, key);
  if (format !== 'pem' && format !== 'der') throw new codes.ERR_INVALID_ARG_VALUE('options.format', format);
  const secret = passphrase == null ? undefined : toBytes(passphrase, encoding);
  if (format === 'pem') return material(parse(key, 'pem', secret, encoding));
  const forms = wantsPrivate ? ['pkcs1', 'pkcs8', 'sec1'] : ['pkcs1', 'spki', 'pkcs8', 'sec1'];
  if (!forms.includes(type)) throw new codes.ERR_INVALID_ARG_VALUE('options.type', type);
  return material(parse(key, type, secret, encoding));
}

function keyFrom(value) {
  if (value === null || typeof value !== 'object') return undefined;
  const found = binding.isKeyObject(value) ? materialOf(value) : binding.isCryptoKey(value) ? secretOf(value) : undefined;
  if (found instanceof Uint8Array) {
    throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE('secret', 'private or public');
  }
  return found;
}

const toBytes = (value, encoding) =>
  (typeof value === 'string' ? new Uint8Array(require('buffer').Buffer.from(value, encoding)) : new Uint8Array(asBytes(value)));

function parse(key, form, passphrase, encoding) {
  return binding.keyRead(toBytes(key, encoding), form, passphrase);
}

/// A private key, or an error.
function privateMaterial(given, takesKeys = true) {
  const found = readKey(given, true, takesKeys);
  if (found.private !== undefined) return found;
  if (binding.isKeyObject(given) || binding.isKeyObject(given?.key)) {
    throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE('public', 'private');
  }
  return material('ERR_OSSL_UNSUPPORTED');
}

function createPrivateKey(key) {
  if (binding.isKeyObject(key)) {
    throw new codes.ERR_INVALID_ARG_TYPE('key', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], key);
  }
  return new PrivateKeyObject(privateMaterial(key, false));
}

function createPublicKey(key) {
  if (binding.isKeyObject(key) && key.type === 'public') {
    throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE('public', 'private');
  }
  const { public: part } = readKey(key, false, true);
  return new PublicKeyObject({ private: undefined, public: part });
}

// Making new ones.

const curves = {
  '__proto__': null, 'P-256': 'P-256', 'prime256v1': 'P-256', 'secp256r1': 'P-256', 'P-384': 'P-384', 'secp384r1': 'P-384',
};

function make(type, options) {
  const validators = require('internal/validators');
  validators.validateString(type, 'type');
  let made;
  if (type === 'rsa') {
    validators.validateObject(options, 'options');
    validators.validateUint32(options.modulusLength, 'options.modulusLength');
    const exponent = options.publicExponent ?? 0x10001;
    validators.validateUint32(exponent, 'options.publicExponent');
    made = binding.keyGenerate('rsa', options.modulusLength, exponent);
  } else if (type === 'ec') {
    validators.validateObject(options, 'options');
    validators.validateString(options.namedCurve, 'options.namedCurve');
    const curve = curves[options.namedCurve];
    if (curve === undefined) throw new codes.ERR_CRYPTO_INVALID_CURVE();
    made = binding.keyGenerate(curve, 0, 0);
  } else if (type === 'ed25519') {
    made = binding.keyGenerate('ed25519', 0, 0);
  } else {
    throw new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  }
  const found = material(made);
  const publicKey = new PublicKeyObject({ private: undefined, public: found.public });
  const privateKey = new PrivateKeyObject(found);
  const encoded = (key, encoding) => (encoding == null ? key : key.export(encoding));
  return { publicKey: encoded(publicKey, options?.publicKeyEncoding), privateKey: encoded(privateKey, options?.privateKeyEncoding) };
}

function generateKeyPairSync(type, options) {
  return make(type, options);
}

function generateKeyPair(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  require('internal/validators').validateFunction(callback, 'callback');
  const { publicKey, privateKey } = make(type, options);
  require('timers').setImmediate(callback, null, publicKey, privateKey);
}
Object.defineProperty(generateKeyPair, require('util').promisify.custom, {
  __proto__: null,
  value: async (type, options) => make(type, options),
});

function generateKeySync(type, options) {
  const { validateInteger, validateObject, validateOneOf, validateString } = require('internal/validators');
  validateString(type, 'type');
  validateObject(options, 'options');
  const { length } = options;
  if (type === 'hmac') validateInteger(length, 'options.length', 8, 2 ** 31 - 1);
  else if (type === 'aes') validateOneOf(length, 'options.length', [128, 192, 256]);
  else throw new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  const { randomBytes } = require('internal/crypto/random');
  return require('internal/crypto/keys').createSecretKey(randomBytes(Math.floor(length / 8)));
}

function generateKey(type, options, callback) {
  require('internal/validators').validateFunction(callback, 'callback');
  require('timers').setImmediate(callback, null, generateKeySync(type, options));
}

module.exports = {
  createPrivateKey, createPublicKey, generateKeyPair, generateKeyPairSync, generateKey, generateKeySync, keyOf, privateMaterial,
  readKey, bufferOf, PublicKeyObject,
};
