// What a certificate says, in the form that `getPeerCertificate` gives.
'use strict';

binding.install?.('certificates', binding);

/// The colon-separated hash of bytes.
function fingerprint(algorithm, bytes) {
  const digest = require('internal/crypto/hash').createHash(algorithm).update(bytes).digest('hex').toUpperCase();
  return digest.match(/../g).join(':');
}

/// Kinds and values by turns, as an object; a kind that comes again has a list of values.
function attributes(list) {
  const object = { __proto__: null };
  for (let at = 0; at < list.length; at += 2) {
    const [kind, value] = [list[at], list[at + 1]];
    if (object[kind] === undefined) object[kind] = value;
    else if (Array.isArray(object[kind])) object[kind].push(value);
    else object[kind] = [object[kind], value];
  }
  return object;
}

/// `OCSP - URI:http://…` by what is before the colon; a value in quotes is JSON.
function access(places) {
  const object = { __proto__: null };
  for (const place of places) {
    const colon = place.indexOf(':');
    const [key, text] = [place.slice(0, colon), place.slice(colon + 1)];
    const value = text.startsWith('"') ? JSON.parse(text) : text;
    (object[key] ??= []).push(value);
  }
  return object;
}

function legacyObject(read) {
  const { Buffer } = require('buffer');
  const buffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const object = { subject: attributes(read.subjectAttributes), issuer: attributes(read.issuerAttributes) };
  if (read.subjectAltName !== undefined) object.subjectaltname = read.subjectAltName;
  if (read.infoAccess !== undefined) object.infoAccess = access(read.infoAccess);
  object.ca = read.ca;
  if (read.modulus !== undefined) {
    Object.assign(object, { modulus: read.modulus, bits: read.bits, exponent: read.exponent, pubkey: buffer(read.publicKey) });
  } else if (read.point !== undefined) {
    Object.assign(object, { bits: read.bits, pubkey: buffer(read.point), asn1Curve: read.asn1Curve });
    if (read.nistCurve !== undefined) object.nistCurve = read.nistCurve;
  }
  object.valid_from = read.validFrom;
  object.valid_to = read.validTo;
  object.fingerprint = fingerprint('sha1', read.der);
  object.fingerprint256 = fingerprint('sha256', read.der);
  object.fingerprint512 = fingerprint('sha512', read.der);
  if (read.purposes !== undefined) object.ext_key_usage = read.purposes;
  object.serialNumber = read.serialNumber;
  object.raw = buffer(read.der);
  return object;
}

/// The object for a certificate in DER; with `issuers`, also for those who signed it, in their order. The
/// last is its own issuer if it signed itself.
function describe(der, issuers) {
  const read = binding.certificateRead(der);
  if (read === undefined) return undefined;
  const first = legacyObject(read);
  if (issuers === undefined) return first;
  let last = first;
  let lastRead = read;
  for (const issuer of issuers) {
    lastRead = binding.certificateRead(issuer);
    const object = legacyObject(lastRead);
    last.issuerCertificate = object;
    last = object;
  }
  if (lastRead.subject === lastRead.issuer) last.issuerCertificate = last;
  return first;
}

module.exports = { describe, legacyObject, fingerprint };
