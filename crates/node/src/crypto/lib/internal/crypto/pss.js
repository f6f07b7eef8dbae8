// What keys of RSASSA-PSS say of the signatures that are to be made with them (RFC 4055).
'use strict';

const { codes } = require('internal/errors');
const { OID, sequence, value, values } = require('internal/crypto/der');

const HASH = 0xa0;
const MASK = 0xa1;
const SALT = 0xa2;

// What nobody needs to say.
const usual = { hashAlgorithm: 'sha1', mgf1HashAlgorithm: 'sha1', saltLength: 20 };

const identifiers = {
  '__proto__': null,
  'sha1': [0x2b, 0x0e, 3, 2, 26],
  'sha224': [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 4], 'sha256': [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1],
  'sha384': [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2], 'sha512': [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3],
  'sha512-224': [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 5], 'sha512-256': [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 6],
};
const MGF1 = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 8];

const algorithm = (name) => sequence(value(OID, identifiers[name]), [5, 0]);

/// The parameters that the options of a new key ask for, in DER; undefined if they ask for nothing.
function written(options) {
  const { validateInt32, validateString } = require('internal/validators');
  const { canonicalName } = require('internal/crypto/hash');
  const { hash, mgf1Hash, saltLength } = options;
  if (saltLength != null) validateInt32(saltLength, 'options.saltLength', 0);
  if (options.hashAlgorithm != null) validateString(options.hashAlgorithm, 'options.hashAlgorithm');
  if (options.mgf1HashAlgorithm != null) validateString(options.mgf1HashAlgorithm, 'options.mgf1HashAlgorithm');
  const older = (old, name) => {
    if (options[old] === undefined) return;
    require('process').emitWarning(`"options.${old}" is deprecated, use "options.${name}" instead.`, 'DeprecationWarning', 'DEP0154');
    validateString(options[old], `options.${old}`);
    if (options[name] && options[old] !== options[name]) throw new codes.ERR_INVALID_ARG_VALUE(`options.${old}`, options[old]);
  };
  older('hash', 'hashAlgorithm');
  older('mgf1Hash', 'mgf1HashAlgorithm');
  const digest = options.hashAlgorithm ?? hash;
  const mask = options.mgf1HashAlgorithm ?? mgf1Hash;
  if (digest == null && mask == null && saltLength == null) return undefined;
  const known = (name, kind) => {
    if (name == null) return usual.hashAlgorithm;
    const found = canonicalName(name);
    if (identifiers[found] !== undefined) return found;
    const error = new codes.ERR_CRYPTO_INVALID_DIGEST(name);
    error.message = `Invalid ${kind}digest: ${name}`;
    throw error;
  };
  const hashed = known(digest, '');
  const masked = mask == null ? hashed : known(mask, 'MGF1 ');
  const salt = saltLength ?? require('internal/crypto/hash').createHash(hashed).digest().length;
  const parts = [];
  if (hashed !== usual.hashAlgorithm) parts.push(value(HASH, algorithm(hashed)));
  if (masked !== usual.mgf1HashAlgorithm) parts.push(value(MASK, sequence(value(OID, MGF1), algorithm(masked))));
  if (salt !== usual.saltLength) parts.push(value(SALT, value(2, integer(salt))));
  return sequence(...parts);
}

/// The digits of a number, with base 256.
function integer(number) {
  const digits = [];
  for (let rest = number; rest > 0 || digits.length === 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return digits[0] >= 0x80 ? [0, ...digits] : digits;
}

/// What the parameters of a key say, in the words of its details.
function read(parameters) {
  const details = { ...usual };
  for (const { tag, body } of values(values(parameters)?.[0]?.body ?? []) ?? []) {
    const [inner] = values(body) ?? [];
    const [first, second] = values(inner?.body ?? []) ?? [];
    if (tag === HASH) details.hashAlgorithm = named(first);
    else if (tag === MASK) details.mgf1HashAlgorithm = named(values(second?.body ?? [])?.[0]);
    else if (tag === SALT && inner !== undefined) details.saltLength = inner.body.reduce((sum, digit) => sum * 256 + digit, 0);
  }
  return details;
}

/// The hash of an identifier.
const named = (item) => Object.keys(identifiers).find((name) =>
  item !== undefined && item.body.length === identifiers[name].length && item.body.every((byte, at) => byte === identifiers[name][at]));

module.exports = { read, written };
