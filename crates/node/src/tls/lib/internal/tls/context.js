// SecureContext: the keys and certificates of a side, whom it trusts, and what it speaks.
// Uses binding.perform.
'use strict';

const { codes } = require('internal/errors');

const { isOn, valueOf } = require('internal/flags');

const defaults = {
  ciphers: valueOf('--tls-cipher-list') ?? require('internal/tls/ciphers').list,
  curve: 'auto',
  minVersion: isOn('--tls-min-v1.3') ? 'TLSv1.3' : 'TLSv1.2',
  maxVersion: isOn('--tls-max-v1.2') ? 'TLSv1.2' : 'TLSv1.3',
};

const versions = { '__proto__': null, 'TLSv1': 0x0301, 'TLSv1.1': 0x0302, 'TLSv1.2': 0x0303, 'TLSv1.3': 0x0304 };

// What OpenSSL's methods allow: the oldest and the newest version.
const methods = {
  __proto__: null,
  SSLv23_method: ['TLSv1', 'TLSv1.2'], TLS_method: ['TLSv1', 'TLSv1.3'],
  TLSv1_method: ['TLSv1', 'TLSv1'], TLSv1_1_method: ['TLSv1.1', 'TLSv1.1'], TLSv1_2_method: ['TLSv1.2', 'TLSv1.2'],
};
for (const name of Object.keys(methods)) {
  for (const side of ['client', 'server']) methods[name.replace('method', `${side}_method`)] = methods[name];
}

/// The range of versions that options ask for.
function versionsOf({ minVersion, maxVersion, secureProtocol }) {
  if (secureProtocol) {
    for (const version of [minVersion, maxVersion]) {
      if (version != null) throw new codes.ERR_TLS_PROTOCOL_VERSION_CONFLICT(version, secureProtocol);
    }
    const { validateString } = require('internal/validators');
    validateString(secureProtocol, 'secureProtocol');
    const method = methods[secureProtocol];
    if (method === undefined) {
      const error = new TypeError(/^SSLv[23]_/.test(secureProtocol) ?
        `${secureProtocol.slice(0, 5)} methods disabled` : `Unknown method: ${secureProtocol}`);
      error.code = 'ERR_TLS_INVALID_PROTOCOL_METHOD';
      throw error;
    }
    return [versions[method[0]], versions[method[1]]];
  }
  const oldest = versions[minVersion ?? defaults.minVersion];
  if (oldest === undefined) throw new codes.ERR_TLS_INVALID_PROTOCOL_VERSION(minVersion, 'minimum');
  const newest = versions[maxVersion ?? defaults.maxVersion];
  if (newest === undefined) throw new codes.ERR_TLS_INVALID_PROTOCOL_VERSION(maxVersion, 'maximum');
  return [oldest, newest];
}

/// Throws unless the value is a text or bytes.
function checkBytes(value, name) {
  if (typeof value !== 'string' && !ArrayBuffer.isView(value)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
  }
}

/// What may leave the program: texts as they are, all views as plain bytes.
function bytes(value) {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

const listOf = (value) => (Array.isArray(value) ? value : [value]);

function gather(options) {
  const { validateInt32, validateNumber, validateObject, validateString } = require('internal/validators');
  validateObject(options, 'options');
  const { ca, cert, key, passphrase, pfx, ciphers, ecdhCurve, sigalgs, dhparam, crl, ticketKeys } = options;
  const asked = {};
  [asked.oldest, asked.newest] = versionsOf(options);
  if (options.secureOptions !== undefined) validateInteger(options.secureOptions);
  if (ca) {
    for (const one of listOf(ca)) checkBytes(one, 'options.ca');
    asked.authorities = listOf(ca).map(bytes);
  }
  if (cert) {
    for (const one of listOf(cert)) checkBytes(one, 'options.cert');
    asked.certificates = listOf(cert).map(bytes);
  }
  if (key) {
    if (passphrase != null) validateString(passphrase, 'options.passphrase');
    asked.keys = listOf(key).map((one) => {
      const pem = Array.isArray(key) && one?.pem !== undefined ? one.pem : one;
      const secret = Array.isArray(key) && one?.passphrase !== undefined ? one.passphrase : passphrase;
      checkBytes(pem, 'options.key');
      return { pem: bytes(pem), passphrase: secret ?? undefined };
    });
  }
  if (sigalgs !== undefined && sigalgs !== null) {
    validateString(sigalgs, 'options.sigalgs');
    if (sigalgs === '') throw new codes.ERR_INVALID_ARG_VALUE('options.sigalgs', sigalgs);
  }
  if (options.privateKeyIdentifier !== undefined || options.privateKeyEngine !== undefined) {
    const { privateKeyIdentifier: identifier, privateKeyEngine: engine } = options;
    if (engine === undefined) throw new codes.ERR_INVALID_ARG_VALUE('options.privateKeyEngine', engine);
    if (identifier === undefined) throw new codes.ERR_INVALID_ARG_VALUE('options.privateKeyIdentifier', identifier);
    throw new codes.ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED();
  }
  if (ciphers !== undefined && ciphers !== null) validateString(ciphers, 'options.ciphers');
  if (ciphers) asked.ciphers = ciphers;
  if (ecdhCurve !== undefined) validateString(ecdhCurve, 'options.ecdhCurve');
  if (ecdhCurve) asked.curves = ecdhCurve;
  if (dhparam !== undefined && dhparam !== null && dhparam !== 'auto') checkBytes(dhparam, 'options.dhparam');
  if (crl !== undefined && crl !== null) {
    for (const one of listOf(crl)) {
      checkBytes(one, 'options.crl');
      if (!/-----BEGIN X509 CRL-----/.test(require('buffer').Buffer.from(bytes(one)).toString('latin1'))) {
        throw withCode(new Error('Failed to parse CRL'), 'ERR_CRYPTO_OPERATION_FAILED');
      }
    }
    throw withCode(new Error('lists of revoked certificates (crl) are not supported: check serial numbers in checkServerIdentity'),
      'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM');
  }
  if (options.sessionIdContext !== undefined && options.sessionIdContext !== null) {
    validateString(options.sessionIdContext, 'options.sessionIdContext');
  }
  if (pfx !== undefined && pfx !== null) {
    asked.archives = listOf(pfx).map((one) => {
      const buf = Array.isArray(pfx) && one?.buf !== undefined ? one.buf : one;
      const secret = one?.passphrase || passphrase;
      checkBytes(buf, 'PFX certificate');
      return { pfx: bytes(buf), passphrase: secret === undefined || secret === null ? undefined : `${secret}` };
    });
  }
  const engine = options.clientCertEngine;
  if (engine !== undefined && engine !== null) {
    if (typeof engine !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE('options.clientCertEngine', ['string', 'null', 'undefined'], engine);
    }
    throw new codes.ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED();
  }
  if (ticketKeys !== undefined && ticketKeys !== null) checkTicketKeys(ticketKeys);
  if (options.sessionTimeout !== undefined && options.sessionTimeout !== null) {
    validateInt32(options.sessionTimeout, 'options.sessionTimeout', 0);
  }
  return asked;

  function validateInteger(value) {
    validateNumber(value, 'secureOptions');
  }
}

function checkTicketKeys(keys) {
  if (!ArrayBuffer.isView(keys)) {
    throw new codes.ERR_INVALID_ARG_TYPE('options.ticketKeys', ['Buffer', 'TypedArray', 'DataView'], keys);
  }
  if (keys.byteLength !== 48) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.ticketKeys', keys.byteLength, 'must be exactly 48 bytes');
  }
}

function withCode(error, code) {
  error.code = code;
  return error;
}

// The world keeps a context as long as the program has it.
let kept;

/// What the world knows a context by.
class NativeContext {
  constructor(asked) {
    try {
      this.id = binding.perform('tls.context', [asked]);
    } catch (fault) {
      throw require('internal/tls/failure').tlsFailure(fault);
    }
    kept ??= new FinalizationRegistry((id) => binding.perform('tls.forget', [id]));
    kept.register(this, this.id);
  }

  getCertificate() {
    return binding.perform('tls.certificate', [this.id]);
  }
}

function SecureContext(secureProtocol, secureOptions, minVersion, maxVersion) {
  if (!(this instanceof SecureContext)) return new SecureContext(secureProtocol, secureOptions, minVersion, maxVersion);
  versionsOf({ secureProtocol, minVersion, maxVersion });
  if (secureOptions !== undefined) require('internal/validators').validateInteger(secureOptions, 'secureOptions');
  this.context = undefined;
}

function createSecureContext(options) {
  options ??= {};
  const asked = gather(options);
  const made = Object.create(SecureContext.prototype);
  made.context = new NativeContext(asked);
  return made;
}

module.exports = { SecureContext, createSecureContext, defaults };
