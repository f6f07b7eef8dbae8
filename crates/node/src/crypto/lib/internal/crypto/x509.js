// X509Certificate: a certificate and what can be asked of it.
// Uses binding.certificateRead, certificateIsSignedBy, certificateNamesIssuer.
'use strict';

const { codes } = require('internal/errors');
const { fingerprint, legacyObject } = require('internal/tls/certificate');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const bufferOf = (bytes) => require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

class X509Certificate {
  #read;
  #issuer;

  constructor(buffer) {
    if (typeof buffer === 'string') buffer = require('buffer').Buffer.from(buffer);
    if (!ArrayBuffer.isView(buffer)) {
      throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
    }
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    this.#read = binding.certificateRead(bytes);
    if (this.#read === undefined) {
      const isText = bufferOf(bytes).includes('-----BEGIN ');
      throw require('internal/tls/failure').tlsFailure(isText ?
        { code: 'ERR_OSSL_ASN1_HEADER_TOO_LONG', message: 'error:0680007B:asn1 encoding routines::header too long' } :
        { code: 'ERR_OSSL_PEM_NO_START_LINE', message: 'error:0480006C:PEM routines::no start line' });
    }
  }

  static chained(certificate, issuer) {
    certificate.#issuer = issuer;
    return certificate;
  }

  get subject() { return this.#read.subject; }
  get subjectAltName() { return this.#read.subjectAltName; }
  get issuer() { return this.#read.issuer; }
  get issuerCertificate() { return this.#issuer; }
  get infoAccess() { return this.#read.infoAccess?.join('\n'); }
  get validFrom() { return this.#read.validFrom; }
  get validTo() { return this.#read.validTo; }
  get fingerprint() { return fingerprint('sha1', this.#read.der); }
  get fingerprint256() { return fingerprint('sha256', this.#read.der); }
  get fingerprint512() { return fingerprint('sha512', this.#read.der); }
  get keyUsage() { return this.#read.purposes; }
  get serialNumber() { return this.#read.serialNumber; }
  get raw() { return bufferOf(this.#read.der); }
  get ca() { return this.#read.ca; }

  get publicKey() {
    const { PublicKeyObject } = require('internal/crypto/asymmetric');
    return new PublicKeyObject({ private: undefined, public: this.#read.publicKey });
  }

  toString() {
    const lines = this.raw.toString('base64').match(/.{1,64}/g);
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  }

  toJSON() { return this.toString(); }
  toLegacyObject() { return legacyObject(this.#read); }

  checkHost(name, options) {
    const { subject, wildcards } = checkOptions(name, options);
    const names = this.#names('DNS:');
    const wanted = name.toLowerCase();
    const match = (pattern) => {
      const lower = pattern.toLowerCase();
      // A name that begins with a dot stands for all under it.
      if (wanted.startsWith('.')) return lower.endsWith(wanted) && lower.length > wanted.length && !lower.includes('*');
      if (lower === wanted) return wanted !== '';
      return wildcards && require('internal/tls/identity').matches(wanted.split('.'), lower);
    };
    const found = names.find(match);
    if (found !== undefined) return found;
    const asksSubject = subject === 'always' || (subject === 'default' && names.length === 0);
    if (!asksSubject) return undefined;
    return this.#common().find(match);
  }

  checkEmail(email, options) {
    require('internal/validators').validateString(email, 'email');
    checkOptions(email, options);
    const split = (address) => {
      const at = address.lastIndexOf('@');
      return [address.slice(0, at), address.slice(at + 1).toLowerCase()].join('@');
    };
    return this.#names('email:').some((one) => split(one) === split(email)) ? email : undefined;
  }

  checkIP(ip) {
    require('internal/validators').validateString(ip, 'ip');
    const { canonicalIP } = require('internal/tls/identity');
    const wanted = canonicalIP(ip);
    return wanted !== undefined && this.#names('IP Address:').some((one) => canonicalIP(one) === wanted) ? ip : undefined;
  }

  checkIssued(otherCert) {
    if (!(otherCert instanceof X509Certificate)) throw new codes.ERR_INVALID_ARG_TYPE('otherCert', 'X509Certificate', otherCert);
    return binding.certificateNamesIssuer(this.#read.der, otherCert.#read.der);
  }

  checkPrivateKey(pkey) {
    const material = needKey(pkey);
    if (pkey.type !== 'private') throw new codes.ERR_INVALID_ARG_VALUE('pkey', pkey);
    return bufferOf(material.public).equals(this.#read.publicKey);
  }

  verify(pkey) {
    const material = needKey(pkey);
    if (pkey.type !== 'public') throw new codes.ERR_INVALID_ARG_VALUE('pkey', pkey);
    return binding.certificateIsSignedBy(this.#read.der, material.public);
  }

  #names(prefix) {
    const all = this.#read.subjectAltName?.split(', ') ?? [];
    return all.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  }

  #common() {
    const { subjectAttributes: list } = this.#read;
    return list.filter((value, at) => at % 2 === 1 && list[at - 1] === 'CN');
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { subject, subjectAltName, issuer, infoAccess, validFrom, validTo, fingerprint, fingerprint256, fingerprint512, keyUsage,
      serialNumber } = this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `X509Certificate ${require('internal/util/inspect').inspect({
      subject, subjectAltName, issuer, infoAccess, validFrom, validTo, fingerprint, fingerprint256, fingerprint512, keyUsage, serialNumber,
    }, inner)}`;
  }
}
const { chained } = X509Certificate;
delete X509Certificate.chained;

function needKey(pkey) {
  if (!binding.isKeyObject(pkey)) throw new codes.ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', pkey);
  return require('internal/crypto/keys').materialOf(pkey);
}

function checkOptions(name, options = {}) {
  const validators = require('internal/validators');
  validators.validateString(name, 'name');
  validators.validateObject(options, 'options');
  const { subject = 'default', wildcards = true } = options;
  validators.validateString(subject, 'options.subject');
  validators.validateBoolean(wildcards, 'options.wildcards');
  if (!['default', 'always', 'never'].includes(subject)) throw new codes.ERR_INVALID_ARG_VALUE('options.subject', subject);
  return { subject, wildcards };
}

/// A certificate in DER, each with the one that follows as its issuer.
function chain(der, issuers) {
  const [first, ...rest] = issuers;
  const certificate = new X509Certificate(der);
  return first === undefined ? certificate : chained(certificate, chain(first, rest));
}

module.exports = { X509Certificate, chain };
