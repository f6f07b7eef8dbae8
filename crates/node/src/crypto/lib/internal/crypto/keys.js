// Keys: KeyObject of node:crypto and CryptoKey of Web Crypto. Puts isKeyObject and isCryptoKey on
// binding, for util.types.
'use strict';

const { codes } = require('internal/errors');
const { asBytes } = require('internal/crypto/bytes');
const { kClone, kWire } = require('internal/transfer');

const bytesOf = (value) => require('buffer').Buffer.from(value);
const kInspect = Symbol.for('nodejs.util.inspect.custom');

class KeyObject {
  #type;
  #material;

  /// `material`: the bytes of a secret key; of others, the private and the public part in DER.
  constructor(type, material) {
    if (type !== 'secret' && type !== 'public' && type !== 'private') throw new codes.ERR_INVALID_ARG_VALUE('type', type);
    if (material === null || typeof material !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('handle', 'object', material);
    this.#type = type;
    this.#material = material;
  }

  static from(key) {
    if (!(key instanceof CryptoKey)) throw new codes.ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    return revive({ type: key.type, material: secretOf(key) });
  }

  static materialOf(key) {
    return #material in key ? key.#material : undefined;
  }

  get type() { return this.#type; }

  [kClone]() { return revive({ type: this.#type, material: this.#material }); }

  [kWire]() { return ['Key', { type: this.#type, material: this.#material }]; }

  equals(other) {
    if (!(other instanceof KeyObject)) throw new codes.ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', other);
    if (this.#type !== other.#type) return false;
    const part = (key) => bytesOf(key.#type === 'secret' ? key.#material : key.#material[key.#type]);
    return part(this).equals(part(other));
  }
}
const { materialOf } = KeyObject;
delete KeyObject.materialOf;

/// The bytes of a secret key, or undefined for anything else.
function secretOfKeyObject(key) {
  const material = materialOf(key);
  return material instanceof Uint8Array ? material : undefined;
}

class SecretKeyObject extends KeyObject {
  constructor(type, secret) {
    super(type, secret);
    nameAs(this, 'SecretKeyObject');
  }

  get symmetricKeySize() { return materialOf(this).length; }

  export(options) {
    if (options?.format === 'jwk') return { kty: 'oct', k: bytesOf(materialOf(this)).toString('base64url') };
    return bytesOf(materialOf(this));
  }
}

const kKeyType = Symbol('kKeyType');

/// Lets the key be shown as Node shows it.
function nameAs(key, name) {
  Object.defineProperty(key, kInspect, {
    __proto__: null,
    value: (depth, options) => `${name} [KeyObject] ${require('internal/util/inspect').inspect({ [kKeyType]: key.type }, options)}`,
  });
}

const kMake = {};

class CryptoKey {
  #secret;
  #extractable;
  #algorithm;
  #usages;
  #type;

  constructor(token, secret, algorithm, extractable, usages, type) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#secret = secret;
    this.#algorithm = algorithm;
    this.#extractable = extractable;
    this.#usages = usages;
    this.#type = type;
  }

  static secretOf(key) {
    return #secret in key ? key.#secret : undefined;
  }

  [kClone]() { return revive(this[kWire]()[1]); }

  [kWire]() {
    const { type, algorithm, extractable, usages } = this;
    return ['Key', { type, material: this.#secret, algorithm, extractable, usages }];
  }

  get type() { return this.#type; }
  get extractable() { return this.#extractable; }
  get algorithm() { return this.#algorithm; }
  get usages() { return this.#usages; }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { type, extractable, algorithm, usages } = this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `CryptoKey ${require('internal/util/inspect').inspect({ type, extractable, algorithm, usages }, inner)}`;
  }
}
const { secretOf: secretOfCryptoKey } = CryptoKey;
delete CryptoKey.secretOf;
for (const name of ['type', 'extractable', 'algorithm', 'usages']) {
  Object.defineProperty(CryptoKey.prototype, name, { enumerable: true });
}

const isA = (secretOf) => (value) => value !== null && typeof value === 'object' && secretOf(value) !== undefined;
binding.isKeyObject = isA(materialOf);
binding.isCryptoKey = isA(secretOfCryptoKey);

/// The bytes of a key, or undefined for anything else.
function secretOf(key) {
  if (key === null || typeof key !== 'object') return undefined;
  return secretOfKeyObject(key) ?? secretOfCryptoKey(key);
}

function createSecretKey(key, encoding) {
  const bytes = typeof key === 'string' ? require('buffer').Buffer.from(key, encoding) : asBytes(key);
  if (bytes === undefined) {
    throw new codes.ERR_INVALID_ARG_TYPE('key', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], key);
  }
  return new SecretKeyObject('secret', new Uint8Array(bytes));
}

/// `secret`: the bytes of a secret key; of others, the private and the public part in DER.
const createCryptoKey = (secret, algorithm, extractable, usages, type = 'secret') =>
  new CryptoKey(kMake, secret, algorithm, extractable, usages, type);

/// A key made anew of what it is; with an algorithm it is one of Web Crypto.
function revive({ type, material, algorithm, extractable, usages }) {
  if (algorithm !== undefined) return createCryptoKey(material, { ...algorithm }, extractable, [...usages], type);
  if (type === 'secret') return new SecretKeyObject(type, material);
  return require('internal/crypto/asymmetric').keyOf(type, material);
}

Object.defineProperty(KeyObject.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'KeyObject' });

module.exports = { KeyObject, CryptoKey, createSecretKey, createCryptoKey, secretOf, materialOf, nameAs, revive };
