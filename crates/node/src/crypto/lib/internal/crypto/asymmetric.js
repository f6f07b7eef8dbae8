// Private and public keys: reading them in all their forms, writing them, making new ones.
// Uses binding.keyRead, keyOfNumbers, keyFacts, keySecrets, keyOwnForm, keyGenerate, keyOfGroup, keyOfPss.
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
  if (read === 'ERR_MISSING_PASSPHRASE') throw new codes.ERR_MISSING_PASSPHRASE('Passphrase required for encrypted key');
  throw require('internal/tls/failure').tlsFailure({ code: read, message: messages[read] ?? read });
}

class AsymmetricKeyObject extends KeyObject {
  #facts;

  get asymmetricKeyType() { return this.facts().kind; }

  get asymmetricKeyDetails() {
    const { kind, bits, curve, e, parameters } = this.facts();
    if (kind === 'rsa' || kind === 'rsa-pss') {
      const numbers = { modulusLength: bits, publicExponent: BigInt(`0x${bufferOf(e).toString('hex')}`) };
      return parameters === undefined ? numbers : { ...numbers, ...require('internal/crypto/pss').read(parameters) };
    }
    return kind === 'ec' ? { namedCurve: curve } : {};
  }

  facts() {
    this.#facts ??= binding.keyFacts(materialOf(this).public) ?? {};
    return this.#facts;
  }
}
Object.defineProperty(AsymmetricKeyObject.prototype, 'facts', { enumerable: false });

// Kinds of keys that have another name in JSON.
const okp = { __proto__: null, ed25519: 'Ed25519', x25519: 'X25519' };

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
  if (okp[kind] !== undefined) {
    const jwk = { crv: okp[kind] };
    if (isPrivate) jwk.d = base64url(binding.keySecrets(materialOf(key).private)[0]);
    jwk.x = base64url(facts.point);
    jwk.kty = 'OKP';
    return jwk;
  }
  throw new codes.ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE();
}

function written(label, der, format, headers = '') {
  if (format === 'der') return bufferOf(der);
  const lines = bufferOf(der).toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${headers}${lines.join('\n')}\n-----END ${label}-----\n`;
}

const incompatible = (type, how) => { throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, how); };

/// How a key is to be written; `name` is where the program says so.
function checkEncoding(options, name, types) {
  const { format, type, cipher, passphrase } = options;
  const refuse = (member, value) => { throw new codes.ERR_INVALID_ARG_VALUE(`${name}.${member}`, value); };
  const isPrivate = types.includes('pkcs8');
  const isHidden = isPrivate && (cipher !== undefined || passphrase !== undefined);
  if (format === 'jwk') {
    if (isHidden) incompatible('jwk', 'does not support encryption');
    return;
  }
  if (format !== 'pem' && format !== 'der') refuse('format', format);
  if (!types.includes(type)) refuse('type', type);
  if (!isHidden) return;
  if (typeof cipher !== 'string') refuse('cipher', cipher);
  if (format === 'der' && type !== 'pkcs8') incompatible(type, 'does not support encryption');
  if (typeof passphrase !== 'string' && asBytes(passphrase) === undefined) refuse('passphrase', passphrase);
}

const checkPublicEncoding = (options, name) => checkEncoding(options, name, ['pkcs1', 'spki']);
const checkPrivateEncoding = (options, name) => checkEncoding(options, name, ['pkcs1', 'pkcs8', 'sec1']);

/// Some forms are for keys of one kind only.
function checkKind(type, kind) {
  if (type === 'pkcs1' && kind !== 'rsa') incompatible(type, 'can only be used for RSA keys');
  if (type === 'sec1' && kind !== 'ec') incompatible(type, 'can only be used for EC keys');
}

class PublicKeyObject extends AsymmetricKeyObject {
  constructor(material) {
    super('public', material);
    nameAs(this, 'PublicKeyObject');
  }

  export(options) {
    require('internal/validators').validateObject(options, 'options');
    checkPublicEncoding(options, 'options');
    const facts = this.facts();
    if (options.format === 'jwk') return toJwk(this, facts, false);
    checkKind(options.type, facts.kind);
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
    require('internal/validators').validateObject(options, 'options');
    checkPrivateEncoding(options, 'options');
    const facts = this.facts();
    const { format, type, cipher, passphrase, encoding } = options;
    if (format === 'jwk') return toJwk(this, facts, true);
    checkKind(type, facts.kind);
    const { private: pkcs8 } = materialOf(this);
    const secret = cipher === undefined ? undefined : toBytes(passphrase, encoding);
    if (type === 'pkcs8') {
      if (secret === undefined) return written('PRIVATE KEY', pkcs8, format);
      return written('ENCRYPTED PRIVATE KEY', require('internal/crypto/key_sealing').seal(pkcs8, cipher, secret), format);
    }
    const label = type === 'pkcs1' ? 'RSA PRIVATE KEY' : 'EC PRIVATE KEY';
    const own = binding.keyOwnForm(pkcs8);
    if (secret === undefined) return written(label, own, format);
    const { headers, bytes } = require('internal/crypto/key_sealing').sealOld(own, cipher, secret);
    return written(label, bytes, format, headers);
  }
}

const keyOf = (type, material) => (type === 'private' ? new PrivateKeyObject(material) : new PublicKeyObject(material));

const fromBase64url = (text) => new Uint8Array(require('buffer').Buffer.from(text, 'base64url'));

function fromJwk(jwk, wantsPrivate) {
  const { validateObject, validateOneOf, validateString } = require('internal/validators');
  validateObject(jwk, 'key.key');
  validateOneOf(jwk.kty, 'key.kty', ['RSA', 'EC', 'OKP']);
  const take = (...names) => names.map((name) => {
    validateString(jwk[name], `key.${name}`);
    return fromBase64url(jwk[name]);
  });
  const checkCurve = (...known) => {
    validateString(jwk.crv, 'key.crv');
    validateOneOf(jwk.crv, 'key.crv', known);
  };
  if (jwk.kty === 'RSA') {
    return binding.keyOfNumbers('rsa', take('n', 'e', ...(wantsPrivate ? ['d', 'p', 'q', 'dp', 'dq', 'qi'] : [])));
  }
  if (jwk.kty === 'EC') {
    checkCurve('P-256', 'secp256k1', 'P-384', 'P-521');
    const point = take('x', 'y');
    const secret = wantsPrivate ? take('d') : undefined;
    const found = binding.keyOfNumbers(jwk.crv, point);
    // Of a private key the point must be one, though it need not be its own.
    return wantsPrivate && typeof found !== 'string' ? binding.keyOfNumbers(jwk.crv, secret) : found;
  }
  checkCurve('Ed25519', 'Ed448', 'X25519', 'X448');
  const kind = jwk.crv.toLowerCase();
  const point = take('x');
  const secret = wantsPrivate ? take('d') : undefined;
  if (okp[kind] === undefined) throw new codes.ERR_CRYPTO_INVALID_JWK();
  return wantsPrivate ? binding.keyOfNumbers(kind, secret) : binding.keyOfNumbers(`${kind}-public`, point);
}

/// The same, or what is wrong with the numbers.
function checkedJwk(jwk, wantsPrivate) {
  const found = fromJwk(jwk, wantsPrivate);
  if (typeof found !== 'string') return found;
  const error = new codes.ERR_CRYPTO_INVALID_JWK();
  if (jwk.kty !== 'OKP') error.message = `Invalid JWK ${jwk.kty} key`;
  throw error;
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
  if (format === 'jwk') return material(checkedJwk(key, wantsPrivate));
  if (typeof key !== 'string' && asBytes(key) === undefined) throw new codes.ERR_INVALID_ARG_TYPE('key.key', types, key);
  if (format !== 'pem' && format !== 'der') throw new codes.ERR_INVALID_ARG_VALUE('options.format', format);
  if (passphrase != null && typeof passphrase !== 'string' && asBytes(passphrase) === undefined) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.passphrase', passphrase);
  }
  let secret = passphrase == null ? undefined : toBytes(passphrase, encoding);
  // Longer ones are none.
  if (secret?.length > 1024) secret = undefined;
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
  '__proto__': null, 'P-256': 'prime256v1', 'prime256v1': 'prime256v1', 'P-384': 'secp384r1', 'secp384r1': 'secp384r1',
  'P-521': 'secp521r1', 'secp521r1': 'secp521r1', 'secp256k1': 'secp256k1',
};

/// A new key of a group of Diffie and Hellman.
function makeOfGroup(options) {
  const validators = require('internal/validators');
  validators.validateObject(options, 'options');
  const { group, prime, primeLength, generator } = options;
  const { Group, groupNamed, safePrime } = require('internal/crypto/agreement');
  let found;
  if (group != null) {
    for (const other of ['prime', 'primeLength', 'generator']) {
      if (options[other] != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('group', other);
    }
    validators.validateString(group, 'options.group');
    found = groupNamed(group);
  } else {
    if (prime != null) {
      if (primeLength != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('prime', 'primeLength');
      validators.validateBuffer(prime, 'options.prime');
    } else if (primeLength != null) {
      validators.validateInt32(primeLength, 'options.primeLength', 0);
    } else {
      throw new codes.ERR_MISSING_OPTION('At least one of the group, prime, or primeLength options');
    }
    if (generator != null) validators.validateInt32(generator, 'options.generator', 0);
    const base = generator ?? 2;
    found = new Group(prime != null ? new Uint8Array(asBytes(prime)) : safePrime(primeLength, base), [base >>> 24, base >>> 16, base >>> 8, base]);
  }
  found.generate();
  return binding.keyOfGroup(found.prime(), found.generator(), found.secret());
}

function make(type, options) {
  const validators = require('internal/validators');
  validators.validateString(type, 'type');
  if (options != null) {
    for (const [name, check] of [['publicKeyEncoding', checkPublicEncoding], ['privateKeyEncoding', checkPrivateEncoding]]) {
      const given = options[name];
      if (given == null) continue;
      if (typeof given !== 'object') throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, given);
      check(given, `options.${name}`);
    }
  }
  let made;
  if (type === 'rsa' || type === 'rsa-pss') {
    validators.validateObject(options, 'options');
    validators.validateUint32(options.modulusLength, 'options.modulusLength');
    const exponent = options.publicExponent ?? 0x10001;
    validators.validateUint32(exponent, 'options.publicExponent');
    const parameters = type === 'rsa-pss' ? require('internal/crypto/pss').written(options) : undefined;
    made = binding.keyGenerate('rsa', options.modulusLength, exponent);
    if (type === 'rsa-pss' && typeof made !== 'string') made = binding.keyOfPss(made.private, parameters);
  } else if (type === 'ec') {
    validators.validateObject(options, 'options');
    validators.validateString(options.namedCurve, 'options.namedCurve');
    const { paramEncoding } = options;
    if (paramEncoding != null && paramEncoding !== 'named' && paramEncoding !== 'explicit') {
      throw new codes.ERR_INVALID_ARG_VALUE('options.paramEncoding', paramEncoding);
    }
    const curve = curves[options.namedCurve];
    if (curve === undefined) throw new codes.ERR_CRYPTO_INVALID_CURVE();
    made = binding.keyGenerate(curve, 0, 0);
  } else if (okp[type] !== undefined) {
    made = binding.keyGenerate(type, 0, 0);
  } else if (type === 'dh') {
    made = makeOfGroup(options);
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
