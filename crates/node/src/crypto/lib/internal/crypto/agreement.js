// Key agreement: two who show each other a number or a point each, and so have a secret in common.
// Uses binding.primeGenerate, groupCheck, groupPower, curvePoint, curveReadPoint, curveAgree, curveDraw,
// randomFill, keyFacts, keyAgree.
'use strict';

require('internal/crypto/natives');
const { codes } = require('internal/errors');
const { asBytes } = require('internal/crypto/bytes');
const { tlsFailure } = require('internal/tls/failure');
const { validateInt32, validateObject, validateString } = require('internal/validators');

binding.install?.('numbers', binding);
binding.install?.('curves', binding);

const kHandle = Symbol('kHandle');

const kinds = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

/// The bytes of a key or a number; a text is in an encoding.
function bytesOf(value, name, encoding, allowed = kinds) {
  if (typeof value === 'string') return new Uint8Array(require('buffer').Buffer.from(value, encoding));
  const bytes = asBytes(value);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE(name, allowed, value);
  return new Uint8Array(bytes);
}

/// Bytes as a buffer, or as a text in an encoding.
function shown(bytes, encoding) {
  const { Buffer } = require('buffer');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!encoding || encoding === 'buffer') return buffer;
  if (!Buffer.isEncoding(encoding)) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return buffer.toString(encoding);
}

/// Without zeros in front.
function trimmed(bytes) {
  let at = 0;
  while (at < bytes.length && bytes[at] === 0) at++;
  return new Uint8Array(bytes.slice(at));
}

function faultOf(Type, code, message) {
  const error = new Type(message);
  error.code = code;
  return error;
}

const wrong = (code, message) => tlsFailure({ code, message });
const tooSmall = () => wrong('ERR_OSSL_DH_MODULUS_TOO_SMALL', 'error:0280007E:Diffie-Hellman routines::modulus too small');
const tooLarge = () => wrong('ERR_OSSL_DH_MODULUS_TOO_LARGE', 'error:02800067:Diffie-Hellman routines::modulus too large');
const badGenerator = () => wrong('ERR_OSSL_DH_BAD_GENERATOR', 'error:02800065:Diffie-Hellman routines::bad generator');
const noInverse = () => wrong('ERR_OSSL_BN_NO_INVERSE', 'error:0180006C:bignum routines::no inverse');

// Diffie and Hellman.

const LEAST_BITS = 512;
const MOST_BITS = 10_000;

/// How many bits a number has that has no zeros in front.
function bitsOf(number) {
  let bits = number.length * 8;
  for (let first = number[0] ?? 0x80; first < 0x80; first *= 2) bits--;
  return bits;
}

/// Compares numbers without zeros in front.
function compare(left, right) {
  if (left.length !== right.length) return left.length - right.length;
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at === -1 ? 0 : left[at] - right[at];
}

/// A safe prime for a generator, so that the generator's powers are many.
function safePrime(bits, generator) {
  if (bits > MOST_BITS) throw tooLarge();
  const [add, rem] = { __proto__: null, 2: [24, 23], 5: [60, 59] }[generator] ?? [12, 11];
  const prime = binding.primeGenerate(bits, true, Uint8Array.of(add), Uint8Array.of(rem));
  if (typeof prime === 'string') throw new Error(prime);
  return prime;
}

/// A secret number of so many bits, the highest of which is set.
function drawSecret(bits) {
  const secret = new Uint8Array(Math.ceil(bits / 8));
  binding.randomFill(secret);
  const spare = secret.length * 8 - bits;
  secret[0] = (secret[0] & (0xff >> spare)) | (0x80 >> spare);
  return secret;
}

/// What both kinds of objects hide.
class Group {
  #prime;
  #generator;
  #secretBits;
  #secret;
  #open;
  #isKnown;

  /// `isKnown`: whether it is one that needs no proof.
  constructor(prime, generator, secretBits, isKnown = false) {
    this.#prime = trimmed(prime);
    this.#generator = trimmed(generator);
    this.#secretBits = secretBits ?? bitsOf(this.#prime) - 1;
    this.#isKnown = isKnown;
    Object.defineProperty(this, 'verifyError', {
      __proto__: null, configurable: true, enumerable: true, get: () => this.fault(),
    });
  }

  /// What is wrong with the group, in OpenSSL's bits.
  fault() { return this.#isKnown ? 0 : binding.groupCheck(this.#prime, this.#generator); }
  prime() { return this.#prime; }
  generator() { return this.#generator; }
  secret() { return this.#secret; }
  open() { return this.#open; }

  setSecret(bytes) { this.#secret = trimmed(bytes); }
  setOpen(bytes) { this.#open = trimmed(bytes); }

  generate() {
    if (bitsOf(this.#prime) < LEAST_BITS) throw tooSmall();
    if (bitsOf(this.#prime) > MOST_BITS) throw tooLarge();
    const secret = this.#secret ?? drawSecret(this.#secretBits);
    const open = binding.groupPower(this.#generator, secret, this.#prime);
    if (open === undefined) throw noInverse();
    this.#secret = secret;
    this.#open = trimmed(open);
    return this.#open;
  }

  agree(other) {
    const number = trimmed(other);
    // Node takes anything in groups that are too small to be of use, and gives nothing.
    if (bitsOf(this.#prime) < LEAST_BITS) return new Uint8Array(this.#prime.length);
    if (number.length === 0 || (number.length === 1 && number[0] === 1)) {
      throw faultOf(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Supplied key is too small');
    }
    const least = this.#prime.slice();
    least[least.length - 1] -= 1;
    if (compare(number, least) >= 0) throw faultOf(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Supplied key is too large');
    if (this.#secret === undefined) throw faultOf(RangeError, 'ERR_CRYPTO_INVALID_KEYTYPE', 'Invalid key type');
    return binding.groupPower(number, this.#secret, this.#prime) ?? new Uint8Array(this.#prime.length);
  }
}

/// The object under which a program finds what is hidden; `name` is shown by who inspects it.
function hidden(name, Base, ...args) {
  const handle = new ({ [name]: class extends Base {} })[name](...args);
  return handle;
}

const firstKinds = ['number', ...kinds];

function DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  if (!(this instanceof DiffieHellman)) return new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
  if (typeof sizeOrKey !== 'number' && typeof sizeOrKey !== 'string' && asBytes(sizeOrKey) === undefined) {
    throw new codes.ERR_INVALID_ARG_TYPE('sizeOrKey', firstKinds, sizeOrKey);
  }
  if (typeof sizeOrKey === 'number') validateInt32(sizeOrKey, 'sizeOrKey');
  const { Buffer } = require('buffer');
  const isEncoding = (value) => typeof value === 'string' && (value === 'buffer' || Buffer.isEncoding(value));
  if (keyEncoding && !isEncoding(keyEncoding)) {
    genEncoding = generator;
    generator = keyEncoding;
    keyEncoding = undefined;
  }
  const isNumber = typeof sizeOrKey === 'number';
  const prime = isNumber ? undefined : trimmed(bytesOf(sizeOrKey, 'sizeOrKey', keyEncoding === 'buffer' ? undefined : keyEncoding));
  let base = Uint8Array.of(2);
  if (generator) {
    if (typeof generator === 'number') {
      validateInt32(generator, 'generator');
      if (isNumber && sizeOrKey < LEAST_BITS) throw tooSmall();
      if (generator < 2) throw badGenerator();
      base = trimmed([generator >>> 24, generator >>> 16, generator >>> 8, generator]);
    } else {
      base = trimmed(bytesOf(generator, 'generator', isEncoding(genEncoding) ? genEncoding : undefined, firstKinds));
      if (isNumber) throw new Error('Initialization failed');
      if (base.length === 0 || (base.length === 1 && base[0] === 1)) throw badGenerator();
    }
  }
  if (isNumber && sizeOrKey < LEAST_BITS) throw tooSmall();
  if (prime !== undefined && asBytes(sizeOrKey)?.length === 0) {
    throw wrong('ERR_OSSL_BN_BITS_TOO_SMALL', 'error:01800076:bignum routines::bits too small');
  }
  setUp(this, hidden('DiffieHellman', Group, prime ?? safePrime(sizeOrKey, base.length === 1 ? base[0] : 0), base));
}

function setUp(self, handle) {
  self[kHandle] = handle;
  Object.defineProperty(self, 'verifyError', {
    __proto__: null, enumerable: true, value: handle.fault(),
  });
}

function DiffieHellmanGroup(name) {
  if (!(this instanceof DiffieHellmanGroup)) return new DiffieHellmanGroup(name);
  setUp(this, groupNamed(name, 'DiffieHellmanGroup'));
}

/// The group of that name, from RFC 2409 and RFC 3526.
function groupNamed(name, shownAs = 'Group') {
  if (typeof name !== 'string') throw faultOf(TypeError, 'ERR_INVALID_ARG_TYPE', 'Group name must be a string');
  const { primeOf, secretBits } = require('internal/crypto/dh_groups');
  const prime = primeOf(name.toLowerCase());
  if (prime === undefined) throw new codes.ERR_CRYPTO_UNKNOWN_DH_GROUP();
  return hidden(shownAs, Group, prime, Uint8Array.of(2), secretBits[name.toLowerCase()], true);
}

const missing = (what) => {
  throw faultOf(Error, 'ERR_CRYPTO_INVALID_STATE', `No ${what} key - did you forget to generate one?`);
};

const methods = {
  generateKeys(encoding) { return shown(this[kHandle].generate(), encoding); },
  computeSecret(key, inEnc, outEnc) { return shown(this[kHandle].agree(bytesOf(key, 'key', inEnc)), outEnc); },
  getPrime(encoding) { return shown(this[kHandle].prime(), encoding); },
  getGenerator(encoding) { return shown(this[kHandle].generator(), encoding); },
  getPublicKey(encoding) { return shown(this[kHandle].open() ?? missing('public'), encoding); },
  getPrivateKey(encoding) { return shown(this[kHandle].secret() ?? missing('private'), encoding); },
};
Object.assign(DiffieHellman.prototype, methods, {
  setPublicKey(key, encoding) {
    this[kHandle].setOpen(bytesOf(key, 'key', encoding));
    return this;
  },
  setPrivateKey(key, encoding) {
    this[kHandle].setSecret(bytesOf(key, 'key', encoding));
    return this;
  },
});
Object.assign(DiffieHellmanGroup.prototype, methods);

// The same on curves.

class Curve {
  #name;
  #secret;
  #point;

  constructor(name) {
    this.#name = name;
  }

  secret() { return this.#secret; }
  point() { return this.#point; }

  generate() {
    this.#secret = binding.curveDraw(this.#name);
    this.#point = binding.curvePoint(this.#name, this.#secret);
  }

  setSecret(bytes) {
    const point = binding.curvePoint(this.#name, bytes);
    if (point === undefined) {
      throw faultOf(RangeError, 'ERR_CRYPTO_INVALID_KEYTYPE', 'Private key is not valid for specified curve.');
    }
    this.#secret = bytes;
    this.#point = point;
  }

  setPoint(bytes) {
    this.#point = readPoint(this.#name, bytes);
  }

  agree(bytes) {
    const point = this.#secret === undefined ? undefined : binding.curvePoint(this.#name, this.#secret);
    if (point === undefined || this.#point.some((byte, at) => byte !== point[at])) throw new codes.ERR_CRYPTO_INVALID_KEYPAIR();
    if (bytes.length === 1 && bytes[0] === 0) throw operationFailed('Failed to compute ECDH key');
    const common = binding.curveAgree(this.#name, this.#secret, bytes);
    if (common === undefined) throw new codes.ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY();
    return common;
  }
}

const operationFailed = (message) => faultOf(Error, 'ERR_CRYPTO_OPERATION_FAILED', message);

const curves = ['prime256v1', 'secp256k1', 'secp384r1', 'secp521r1'];

const getCurves = () => [...curves];

function checkCurve(curve) {
  validateString(curve, 'curve');
  if (!curves.includes(curve)) throw new codes.ERR_CRYPTO_INVALID_CURVE();
}

function readPoint(curve, bytes) {
  return binding.curveReadPoint(curve, bytes) ?? (() => { throw operationFailed('Failed to convert Buffer to EC_POINT'); })();
}

/// A point with both coordinates, in another form.
function formed(point, format) {
  if (format === 'uncompressed' || !format) return point;
  const isOdd = point[point.length - 1] & 1;
  if (format !== 'compressed' && format !== 'hybrid') throw new codes.ERR_CRYPTO_ECDH_INVALID_FORMAT(format);
  const other = format === 'hybrid' ? point.slice() : point.slice(0, (point.length + 1) / 2);
  other[0] = (format === 'hybrid' ? 6 : 2) | isOdd;
  return other;
}

function ECDH(curve) {
  if (!(this instanceof ECDH)) return new ECDH(curve);
  checkCurve(curve);
  this[kHandle] = hidden('ECDH', Curve, curve);
}

Object.assign(ECDH.prototype, {
  computeSecret(key, inEnc, outEnc) {
    return shown(this[kHandle].agree(bytesOf(key, 'key', inEnc)), outEnc);
  },
  setPrivateKey(key, encoding) {
    this[kHandle].setSecret(trimmed(bytesOf(key, 'key', encoding)));
    return this;
  },
  setPublicKey(key, encoding) {
    this[kHandle].setPoint(bytesOf(key, 'key', encoding));
    return this;
  },
  getPrivateKey(encoding) {
    const secret = this[kHandle].secret();
    if (secret === undefined) throw operationFailed('Failed to get ECDH private key');
    return shown(trimmed(secret), encoding);
  },
  generateKeys(encoding, format) {
    this[kHandle].generate();
    return this.getPublicKey(encoding, format);
  },
  getPublicKey(encoding, format) {
    const point = this[kHandle].point();
    formed(Uint8Array.of(0), format);
    if (point === undefined) throw operationFailed('Failed to get ECDH public key');
    return shown(formed(point, format), encoding);
  },
});

ECDH.convertKey = function convertKey(key, curve, inEnc, outEnc, format) {
  checkCurve(curve);
  const point = readPoint(curve, bytesOf(key, 'key', inEnc));
  return shown(formed(point, format), outEnc);
};

// With keys that are objects.

const agreeing = ['dh', 'ec', 'x25519', 'x448'];

function diffieHellman(options) {
  validateObject(options, 'options');
  const { privateKey, publicKey } = options;
  const { KeyObject, materialOf } = require('internal/crypto/keys');
  if (!(privateKey instanceof KeyObject)) throw new codes.ERR_INVALID_ARG_VALUE('options.privateKey', privateKey);
  if (!(publicKey instanceof KeyObject)) throw new codes.ERR_INVALID_ARG_VALUE('options.publicKey', publicKey);
  if (privateKey.type !== 'private') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(privateKey.type, 'private');
  if (publicKey.type !== 'public' && publicKey.type !== 'private') {
    throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(publicKey.type, 'private or public');
  }
  const [own, other] = [privateKey.asymmetricKeyType, publicKey.asymmetricKeyType];
  if (own !== other || !agreeing.includes(own)) {
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY('key types for Diffie-Hellman', `${own} and ${other}`);
  }
  const [ours, theirs] = [materialOf(privateKey), materialOf(publicKey)];
  const common = binding.keyAgree(ours.private, theirs.public);
  if (common !== undefined) return shown(common);
  const isOfOther = binding.keyAgree(ours.private, ours.public) !== undefined && (own === 'ec' || own === 'dh');
  throw isOfOther ?
    wrong('ERR_OSSL_MISMATCHING_DOMAIN_PARAMETERS', 'error:1C8000CB:Provider routines::mismatching domain parameters') :
    wrong('ERR_OSSL_FAILED_DURING_DERIVATION', 'error:1C8000A4:Provider routines::failed during derivation');
}

module.exports = { DiffieHellman, DiffieHellmanGroup, ECDH, Group, diffieHellman, getCurves, groupNamed, safePrime };
