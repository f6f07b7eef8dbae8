// Secret keys: KeyObject of node:crypto and CryptoKey of Web Crypto. Puts isKeyObject and isCryptoKey on
// binding, for util.types.
'use strict';

const { codes } = require('internal/errors');
const { asBytes } = require('internal/crypto/bytes');

const bytesOf = (value) => require('buffer').Buffer.from(value);
const kInspect = Symbol.for('nodejs.util.inspect.custom');

class KeyObject {
  #secret;

  constructor(type, secret) {
    if (type !== 'secret' && type !== 'public' && type !== 'private') throw new codes.ERR_INVALID_ARG_VALUE('type', type);
    if (!(secret instanceof Uint8Array)) throw new codes.ERR_INVALID_ARG_TYPE('handle', 'object', secret);
    this.#secret = secret;
  }

  static from(key) {
    if (!(key instanceof CryptoKey)) throw new codes.ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    return new KeyObject('secret', secretOf(key));
  }

  static secretOf(key) {
    return #secret in key ? key.#secret : undefined;
  }

  get type() { return 'secret'; }
  get symmetricKeySize() { return this.#secret.length; }

  export(options) {
    if (options?.format === 'jwk') return { kty: 'oct', k: bytesOf(this.#secret).toString('base64url') };
    return bytesOf(this.#secret);
  }

  equals(other) {
    if (!(other instanceof KeyObject)) throw new codes.ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', other);
    return bytesOf(this.#secret).equals(other.#secret);
  }
}
const { secretOf: secretOfKeyObject } = KeyObject;
delete KeyObject.secretOf;

const kMake = {};

class CryptoKey {
  #secret;
  #extractable;
  #algorithm;
  #usages;

  constructor(token, secret, algorithm, extractable, usages) {
    if (token !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#secret = secret;
    this.#algorithm = algorithm;
    this.#extractable = extractable;
    this.#usages = usages;
  }

  static secretOf(key) {
    return #secret in key ? key.#secret : undefined;
  }

  get type() { return 'secret'; }
  get extractable() { return this.#extractable; }
  get algorithm() { return this.#algorithm; }
  get usages() { return [...this.#usages]; }

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
binding.isKeyObject = isA(secretOfKeyObject);
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
  return new KeyObject('secret', new Uint8Array(bytes));
}

const createCryptoKey = (secret, algorithm, extractable, usages) =>
  new CryptoKey(kMake, secret, algorithm, extractable, usages);

module.exports = { KeyObject, CryptoKey, createSecretKey, createCryptoKey, secretOf };
