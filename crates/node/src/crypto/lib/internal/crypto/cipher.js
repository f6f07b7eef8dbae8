// Cipheriv and Decipheriv: bytes that only whoever has the key can read.
// Uses binding.cipherNew, cipherUpdate, cipherFinal, cipherAuthenticate, cipherTag.
'use strict';

const { codes } = require('internal/errors');
const { asBytes } = require('internal/crypto/bytes');
const { secretOf } = require('internal/crypto/keys');

binding.install?.('ciphers', binding);

const kCipher = Symbol('cipher');
const kDecoder = Symbol('decoder');
const kInfo = Symbol('info');
const kMake = Symbol('make');
const kState = Symbol('state');

// Name: mode, bytes of the key, bytes of the start, OpenSSL's number.
const ciphers = {
  '__proto__': null,
  'aes-128-cbc': ['cbc', 16, 16, 419], 'aes-192-cbc': ['cbc', 24, 16, 423], 'aes-256-cbc': ['cbc', 32, 16, 427],
  'aes-128-ctr': ['ctr', 16, 16, 904], 'aes-192-ctr': ['ctr', 24, 16, 905], 'aes-256-ctr': ['ctr', 32, 16, 906],
  'aes-128-ecb': ['ecb', 16, 0, 418], 'aes-192-ecb': ['ecb', 24, 0, 422], 'aes-256-ecb': ['ecb', 32, 0, 426],
  'aes-128-gcm': ['gcm', 16, 12, 895], 'aes-192-gcm': ['gcm', 24, 12, 898], 'aes-256-gcm': ['gcm', 32, 12, 901],
  'chacha20-poly1305': ['stream', 32, 12, 1018],
};
const aliases = {
  '__proto__': null,
  'aes128': 'aes-128-cbc', 'aes192': 'aes-192-cbc', 'aes256': 'aes-256-cbc',
  'id-aes128-gcm': 'aes-128-gcm', 'id-aes192-gcm': 'aes-192-gcm', 'id-aes256-gcm': 'aes-256-gcm',
};

function infoOf(name) {
  const lower = name.toLowerCase();
  const known = aliases[lower] ?? lower;
  if (ciphers[known] === undefined) return undefined;
  const [mode, keyLength, ivLength, nid] = ciphers[known];
  const isSealed = mode === 'gcm' || known === 'chacha20-poly1305';
  return { name: known, mode, keyLength, ivLength, nid, isSealed };
}

const getCiphers = () => Object.keys(ciphers).concat(Object.keys(aliases)).sort();

function getCipherInfo(nameOrNid, options) {
  if (typeof nameOrNid !== 'string' && typeof nameOrNid !== 'number') {
    throw new codes.ERR_INVALID_ARG_TYPE('nameOrNid', ['string', 'number'], nameOrNid);
  }
  if (options !== undefined) {
    const { validateInt32, validateObject } = require('internal/validators');
    validateObject(options, 'options');
    if (options.keyLength !== undefined) validateInt32(options.keyLength, 'options.keyLength');
    if (options.ivLength !== undefined) validateInt32(options.ivLength, 'options.ivLength');
  }
  const name = typeof nameOrNid === 'string' ? nameOrNid : Object.keys(ciphers).find((one) => ciphers[one][3] === nameOrNid);
  const found = name === undefined ? undefined : infoOf(name);
  if (found === undefined) return undefined;
  if (options?.keyLength !== undefined && options.keyLength !== found.keyLength) return undefined;
  let { ivLength } = found;
  if (options?.ivLength !== undefined) {
    if (!(found.isSealed ? options.ivLength > 0 : options.ivLength === ivLength)) return undefined;
    ({ ivLength } = options);
  }
  const info = { mode: found.mode, name: found.mode === 'gcm' ? `id-aes${found.keyLength * 8}-gcm` : found.name, nid: found.nid };
  if (found.mode !== 'stream') info.blockSize = found.mode === 'cbc' || found.mode === 'ecb' ? 16 : 1;
  if (ivLength > 0) info.ivLength = ivLength;
  info.keyLength = found.keyLength;
  return info;
}

function plainError(Type, message, code) {
  const error = new Type(message);
  if (code !== undefined) error.code = code;
  return error;
}

/// A key, or what may stand for one.
function keyBytes(key, encoding) {
  const secret = secretOf(key);
  if (secret !== undefined) return secret;
  if (typeof key === 'string') return new Uint8Array(require('buffer').Buffer.from(key, encoding));
  const bytes = asBytes(key);
  if (bytes === undefined) {
    throw new codes.ERR_INVALID_ARG_TYPE('key', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'KeyObject', 'CryptoKey'], key);
  }
  return new Uint8Array(bytes);
}

function setUp(self, name, key, iv, options, encrypts) {
  require('internal/validators').validateString(name, 'cipher');
  const encoding = options?.encoding;
  const secret = keyBytes(key, encoding);
  let start = null;
  if (typeof iv === 'string') start = new Uint8Array(require('buffer').Buffer.from(iv, encoding));
  else if (iv !== null) {
    const bytes = asBytes(iv);
    if (bytes === undefined) {
      throw new codes.ERR_INVALID_ARG_TYPE('iv', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], iv);
    }
    start = new Uint8Array(bytes);
  }
  const info = infoOf(name);
  if (info === undefined) throw plainError(Error, 'Unknown cipher', 'ERR_CRYPTO_UNKNOWN_CIPHER');
  if (secret.length !== info.keyLength) throw plainError(RangeError, 'Invalid key length', 'ERR_CRYPTO_INVALID_KEYLEN');
  if (start === null ? info.ivLength > 0 : info.isSealed ? start.length === 0 || (info.mode === 'stream' && start.length > 12) :
    start.length !== info.ivLength) {
    throw plainError(TypeError, 'Invalid initialization vector', 'ERR_CRYPTO_INVALID_IV');
  }
  let tagLength = options?.authTagLength;
  if (tagLength !== undefined && info.isSealed) {
    const fits = info.mode === 'gcm' ? tagLength === 4 || tagLength === 8 || (tagLength >= 12 && tagLength <= 16) : tagLength >= 1 && tagLength <= 16;
    if (!fits) throw plainError(TypeError, `Invalid authentication tag length: ${tagLength}`, 'ERR_CRYPTO_INVALID_AUTH_TAG');
  }
  tagLength ??= 16;
  const mode = info.mode === 'stream' ? info.name : info.mode;
  self[kInfo] = { ...info, encrypts, tagLength, wantedTag: undefined, explicitLength: options?.authTagLength !== undefined };
  self[kState] = 'ready';
  self[kDecoder] = undefined;
  // Whether padding is wanted is known when the first bytes come.
  self[kMake] = (pads) => binding.cipherNew(mode, secret, start ?? new Uint8Array(0), encrypts, pads);
  self[kCipher] = undefined;
  self._options = options;
}

function machine(self, pads = true) {
  self[kCipher] ??= self[kMake](pads);
  return self[kCipher];
}

function Cipheriv(cipher, key, iv, options) {
  if (!(this instanceof Cipheriv)) return new Cipheriv(cipher, key, iv, options);
  setUp(this, cipher, key, iv, options, true);
}

function Decipheriv(cipher, key, iv, options) {
  if (!(this instanceof Decipheriv)) return new Decipheriv(cipher, key, iv, options);
  setUp(this, cipher, key, iv, options, false);
}
require('internal/crypto/streaming').makeStreams(Cipheriv, Decipheriv);

const bufferOf = (bytes) => require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

function output(self, bytes, encoding, isLast) {
  const buffer = bufferOf(bytes);
  if (!encoding || encoding === 'buffer') return buffer;
  if (self[kDecoder] === undefined) {
    const { StringDecoder } = require('string_decoder');
    self[kDecoder] = new StringDecoder(encoding);
  } else {
    const known = require('internal/buffer/codec').normalizeEncoding(encoding);
    if (known === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    if (known !== self[kDecoder].encoding) throw new codes.ERR_INTERNAL_ASSERTION('Cannot change encoding');
  }
  return isLast ? self[kDecoder].end(buffer) : self[kDecoder].write(buffer);
}

function update(data, inputEncoding, outputEncoding) {
  let bytes;
  if (typeof data === 'string') {
    require('internal/validators').validateEncoding(data, inputEncoding);
    bytes = new Uint8Array(require('buffer').Buffer.from(data, inputEncoding));
  } else if (ArrayBuffer.isView(data)) {
    bytes = asBytes(data);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
  if (this[kState] === 'done') throw plainError(Error, 'Trying to add data in unsupported state');
  this[kState] = 'running';
  return output(this, binding.cipherUpdate(machine(this), bytes), outputEncoding, false);
}

function final(outputEncoding) {
  const info = this[kInfo];
  if (this[kState] === 'done') throw plainError(Error, 'Invalid state', 'ERR_CRYPTO_INVALID_STATE');
  this[kState] = 'done';
  const rest = binding.cipherFinal(machine(this));
  if (typeof rest === 'string') {
    const number = rest === 'bad decrypt' ? '1C800064' : '1C80006B';
    throw require('internal/tls/failure').tlsFailure({
      code: `ERR_OSSL_${rest.toUpperCase().replaceAll(' ', '_')}`, message: `error:${number}:Provider routines::${rest}`,
    });
  }
  if (info.isSealed && !info.encrypts) {
    const { wantedTag } = info;
    const made = binding.cipherTag(machine(this)).subarray(0, wantedTag?.length ?? 0);
    let difference = wantedTag === undefined ? 1 : 0;
    made.forEach((byte, at) => { difference |= byte ^ wantedTag[at]; });
    if (difference !== 0) throw plainError(Error, 'Unsupported state or unable to authenticate data');
  }
  return output(this, rest, outputEncoding, true);
}

function setAAD(buffer, options) {
  const bytes = typeof buffer === 'string' ? require('buffer').Buffer.from(buffer, options?.encoding) : asBytes(buffer);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], buffer);
  if (this[kState] !== 'ready' || !this[kInfo].isSealed) throw new codes.ERR_CRYPTO_INVALID_STATE('setAAD');
  binding.cipherAuthenticate(machine(this), new Uint8Array(bytes));
  return this;
}

function setAutoPadding(pads = true) {
  if (this[kCipher] !== undefined) throw new codes.ERR_CRYPTO_INVALID_STATE('setAutoPadding');
  machine(this, Boolean(pads));
  return this;
}

for (const Class of [Cipheriv, Decipheriv]) {
  Object.assign(Class.prototype, { update, final, setAAD, setAutoPadding });
  Class.prototype._transform = function(chunk, encoding, callback) {
    try {
      this.push(this.update(chunk, encoding === 'buffer' ? undefined : encoding));
      callback();
    } catch (error) {
      callback(error);
    }
  };
  Class.prototype._flush = function(callback) {
    try {
      this.push(this.final());
      callback();
    } catch (error) {
      callback(error);
    }
  };
}

Cipheriv.prototype.getAuthTag = function() {
  if (this[kState] !== 'done' || !this[kInfo].isSealed) throw new codes.ERR_CRYPTO_INVALID_STATE('getAuthTag');
  return bufferOf(binding.cipherTag(this[kCipher]).slice(0, this[kInfo].tagLength));
};

Decipheriv.prototype.setAuthTag = function(tag, encoding) {
  const bytes = typeof tag === 'string' ? require('buffer').Buffer.from(tag, encoding) : asBytes(tag);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], tag);
  const info = this[kInfo];
  if (!info.isSealed || this[kState] === 'done' || info.wantedTag !== undefined) throw new codes.ERR_CRYPTO_INVALID_STATE('setAuthTag');
  const { length } = bytes;
  const fits = info.explicitLength ? length === info.tagLength : info.mode !== 'gcm' ? length === 16 :
    length === 4 || length === 8 || (length >= 12 && length <= 16);
  if (!fits) throw plainError(TypeError, `Invalid authentication tag length: ${length}`, 'ERR_CRYPTO_INVALID_AUTH_TAG');
  info.wantedTag = new Uint8Array(bytes);
  return this;
};

module.exports = { Cipheriv, Decipheriv, getCiphers, getCipherInfo };
