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
  'aes-128-ccm': ['ccm', 16, 12, 896], 'aes-192-ccm': ['ccm', 24, 12, 899], 'aes-256-ccm': ['ccm', 32, 12, 902],
  'aes-128-cfb': ['cfb', 16, 16, 421], 'aes-192-cfb': ['cfb', 24, 16, 425], 'aes-256-cfb': ['cfb', 32, 16, 429],
  'aes-128-cfb8': ['cfb', 16, 16, 653], 'aes-192-cfb8': ['cfb', 24, 16, 654], 'aes-256-cfb8': ['cfb', 32, 16, 655],
  'aes-128-ctr': ['ctr', 16, 16, 904], 'aes-192-ctr': ['ctr', 24, 16, 905], 'aes-256-ctr': ['ctr', 32, 16, 906],
  'aes-128-ecb': ['ecb', 16, 0, 418], 'aes-192-ecb': ['ecb', 24, 0, 422], 'aes-256-ecb': ['ecb', 32, 0, 426],
  'aes-128-gcm': ['gcm', 16, 12, 895], 'aes-192-gcm': ['gcm', 24, 12, 898], 'aes-256-gcm': ['gcm', 32, 12, 901],
  'aes-128-ocb': ['ocb', 16, 12, 958], 'aes-192-ocb': ['ocb', 24, 12, 959], 'aes-256-ocb': ['ocb', 32, 12, 960],
  'aes-128-ofb': ['ofb', 16, 16, 420], 'aes-192-ofb': ['ofb', 24, 16, 424], 'aes-256-ofb': ['ofb', 32, 16, 428],
  'chacha20-poly1305': ['stream', 32, 12, 1018],
  'des-ede': ['ecb', 16, 0, 32], 'des-ede-cbc': ['cbc', 16, 8, 43], 'des-ede-cfb': ['cfb', 16, 8, 60], 'des-ede-ofb': ['ofb', 16, 8, 62],
  'des-ede3': ['ecb', 24, 0, 33], 'des-ede3-cbc': ['cbc', 24, 8, 44], 'des-ede3-cfb': ['cfb', 24, 8, 61],
  'des-ede3-cfb8': ['cfb', 24, 8, 659], 'des-ede3-ofb': ['ofb', 24, 8, 63],
  'id-aes128-wrap': ['wrap', 16, 8, 788], 'id-aes192-wrap': ['wrap', 24, 8, 789], 'id-aes256-wrap': ['wrap', 32, 8, 790],
};
const aliases = {
  '__proto__': null,
  'aes128': 'aes-128-cbc', 'aes192': 'aes-192-cbc', 'aes256': 'aes-256-cbc',
  'aes128-wrap': 'id-aes128-wrap', 'aes192-wrap': 'id-aes192-wrap', 'aes256-wrap': 'id-aes256-wrap',
  'des-ede-ecb': 'des-ede', 'des-ede3-ecb': 'des-ede3', 'des3': 'des-ede3-cbc',
  'id-aes128-ccm': 'aes-128-ccm', 'id-aes192-ccm': 'aes-192-ccm', 'id-aes256-ccm': 'aes-256-ccm',
  'id-aes128-gcm': 'aes-128-gcm', 'id-aes192-gcm': 'aes-192-gcm', 'id-aes256-gcm': 'aes-256-gcm',
};
// Names that OpenSSL writes with other letters.
const spelled = { '__proto__': null, 'id-aes128-ccm': 'id-aes128-CCM', 'id-aes192-ccm': 'id-aes192-CCM', 'id-aes256-ccm': 'id-aes256-CCM' };

// Modes that seal what they hide, and the lengths that their starts and seals may have.
const sealing = {
  '__proto__': null,
  'ccm': { starts: [7, 13], seals: (length) => length >= 4 && length <= 16 && length % 2 === 0, needsLength: true },
  'gcm': { starts: [1, Infinity], seals: (length) => length === 4 || length === 8 || (length >= 12 && length <= 16) },
  'ocb': { starts: [1, 15], seals: (length) => length >= 1 && length <= 16, needsLength: true },
  'stream': { starts: [1, 12], seals: (length) => length >= 1 && length <= 16 },
};

const fits = ([least, most], length) => length >= least && length <= most;

function infoOf(name) {
  const lower = name.toLowerCase();
  const known = aliases[lower] ?? lower;
  if (ciphers[known] === undefined) return undefined;
  const [mode, keyLength, ivLength, nid] = ciphers[known];
  return { name: known, mode, keyLength, ivLength, nid, seal: sealing[mode] };
}

/// The mode by the name that the native functions have for it.
function nativeMode({ name, mode }) {
  if (mode === 'stream') return name;
  const inner = name.endsWith('cfb8') ? 'cfb8' : mode;
  return name.startsWith('des-') ? `des-${inner}` : inner;
}

function blockSizeOf({ name, mode }) {
  if (mode === 'wrap') return 8;
  if (mode === 'ocb') return 16;
  if (mode !== 'cbc' && mode !== 'ecb') return 1;
  return name.startsWith('des-') ? 8 : 16;
}

const getCiphers = () => Object.keys(ciphers).concat(Object.keys(aliases)).map((name) => spelled[name] ?? name).sort();

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
    if (!(found.seal ? fits(found.seal.starts, options.ivLength) : options.ivLength === ivLength)) return undefined;
    ({ ivLength } = options);
  }
  const isNamedByAlgorithm = found.mode === 'gcm' || found.mode === 'ccm';
  const shown = isNamedByAlgorithm ? `id-aes${found.keyLength * 8}-${found.mode}` : found.name;
  const info = { mode: found.mode, name: shown, nid: found.nid };
  if (found.mode !== 'stream') info.blockSize = blockSizeOf(found);
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
  const { seal } = info;
  if (start === null ? info.ivLength > 0 : seal ? !fits(seal.starts, start.length) : start.length !== info.ivLength) {
    throw plainError(TypeError, 'Invalid initialization vector', 'ERR_CRYPTO_INVALID_IV');
  }
  const wanted = options?.authTagLength;
  if (seal && wanted !== undefined && !seal.seals(wanted)) {
    throw plainError(TypeError, `Invalid authentication tag length: ${wanted}`, 'ERR_CRYPTO_INVALID_AUTH_TAG');
  }
  if (seal?.needsLength && wanted === undefined) {
    throw plainError(TypeError, `authTagLength required for ${name}`, 'ERR_CRYPTO_INVALID_AUTH_TAG');
  }
  const tagLength = wanted ?? 16;
  const mode = nativeMode(info);
  self[kInfo] = {
    ...info, encrypts, tagLength, wantedTag: undefined, explicitLength: wanted !== undefined, startLength: start?.length,
    plaintextLength: undefined, isForged: false,
  };
  self[kState] = 'ready';
  self[kDecoder] = undefined;
  // Whether padding is wanted is known when the first bytes come.
  self[kMake] = (pads) => binding.cipherNew(mode, secret, start ?? new Uint8Array(0), encrypts, pads, tagLength);
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
  if (this[kInfo].mode === 'ccm') return output(this, updateWhole(this, bytes), outputEncoding, false);
  this[kState] = 'running';
  return output(this, binding.cipherUpdate(machine(this), bytes) ?? cannotAdd(), outputEncoding, false);
}

const cannotAdd = () => { throw plainError(Error, 'Trying to add data in unsupported state'); };

/// CCM takes all of a text at once.
function updateWhole(self, bytes) {
  const info = self[kInfo];
  // The shorter the start, the longer may be the text.
  if (bytes.length >= 2 ** (8 * (15 - info.startLength))) {
    throw plainError(RangeError, 'Invalid message length', 'ERR_CRYPTO_INVALID_MESSAGELEN');
  }
  if (self[kState] !== 'ready' || (info.plaintextLength !== undefined && info.plaintextLength !== bytes.length)) cannotAdd();
  self[kState] = 'running';
  const text = binding.cipherUpdate(machine(self), bytes);
  if (info.encrypts || isSealRight(self)) return text;
  info.isForged = true;
  return new Uint8Array(0);
}

/// Whether the seal that was given is the one that was made.
function isSealRight(self) {
  const { wantedTag } = self[kInfo];
  const made = binding.cipherTag(machine(self))?.subarray(0, wantedTag?.length ?? 0);
  let difference = wantedTag === undefined || made === undefined ? 1 : 0;
  made?.forEach((byte, at) => { difference |= byte ^ wantedTag[at]; });
  return difference === 0;
}

function final(outputEncoding) {
  const info = this[kInfo];
  if (this[kState] === 'done') throw plainError(Error, 'Invalid state', 'ERR_CRYPTO_INVALID_STATE');
  if (info.mode === 'ccm' && info.encrypts && this[kState] === 'ready') {
    throw require('internal/tls/failure').tlsFailure({ code: 'ERR_OSSL_TAG_NOT_SET', message: 'error:1C800077:Provider routines::tag not set' });
  }
  const isUnread = info.mode === 'ccm' && this[kState] === 'ready';
  this[kState] = 'done';
  const rest = binding.cipherFinal(machine(this));
  if (typeof rest === 'string') {
    const number = rest === 'bad decrypt' ? '1C800064' : '1C80006B';
    throw require('internal/tls/failure').tlsFailure({
      code: `ERR_OSSL_${rest.toUpperCase().replaceAll(' ', '_')}`, message: `error:${number}:Provider routines::${rest}`,
    });
  }
  if (info.seal && !info.encrypts && !isUnread && (info.isForged || !isSealRight(this))) {
    throw plainError(Error, 'Unsupported state or unable to authenticate data');
  }
  return output(this, rest, outputEncoding, true);
}

function setAAD(buffer, options) {
  const bytes = typeof buffer === 'string' ? require('buffer').Buffer.from(buffer, options?.encoding) : asBytes(buffer);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], buffer);
  const info = this[kInfo];
  if (this[kState] !== 'ready' || !info.seal) throw new codes.ERR_CRYPTO_INVALID_STATE('setAAD');
  const plaintextLength = options?.plaintextLength;
  if (plaintextLength !== undefined) require('internal/validators').validateInt32(plaintextLength, 'options.plaintextLength', 0);
  if (info.mode === 'ccm') {
    if (plaintextLength === undefined) {
      throw plainError(TypeError, 'options.plaintextLength required for CCM mode with AAD', 'ERR_MISSING_ARGS');
    }
    info.plaintextLength = plaintextLength;
  }
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
  if (this[kState] !== 'done' || !this[kInfo].seal) throw new codes.ERR_CRYPTO_INVALID_STATE('getAuthTag');
  return bufferOf(binding.cipherTag(this[kCipher]).slice(0, this[kInfo].tagLength));
};

Decipheriv.prototype.setAuthTag = function(tag, encoding) {
  const bytes = typeof tag === 'string' ? require('buffer').Buffer.from(tag, encoding) : asBytes(tag);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], tag);
  const info = this[kInfo];
  if (!info.seal || this[kState] === 'done' || info.wantedTag !== undefined) throw new codes.ERR_CRYPTO_INVALID_STATE('setAuthTag');
  const { length } = bytes;
  const isRight = info.explicitLength ? length === info.tagLength : info.mode === 'gcm' ? info.seal.seals(length) : length === 16;
  if (!isRight) throw plainError(TypeError, `Invalid authentication tag length: ${length}`, 'ERR_CRYPTO_INVALID_AUTH_TAG');
  info.wantedTag = new Uint8Array(bytes);
  return this;
};

module.exports = { Cipheriv, Decipheriv, getCiphers, getCipherInfo };
