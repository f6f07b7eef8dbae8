// Private keys that a passphrase hides: PBES2 of PKCS #5, and the older way of PEM.
// Uses binding.pbkdf2, randomFill.
'use strict';

require('internal/crypto/natives');
const { OCTETS, OID, sequence, value } = require('internal/crypto/der');
const { Cipheriv, getCipherInfo } = require('internal/crypto/cipher');
const { tlsFailure } = require('internal/tls/failure');

binding.install?.('ciphers', binding);

const ROUNDS = 2048;

const identifiers = {
  '__proto__': null,
  'PBES2': [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13],
  'PBKDF2': [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 12],
  'HMAC with SHA-256': [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 9],
  'aes-128-cbc': [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 2],
  'aes-192-cbc': [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 22],
  'aes-256-cbc': [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 42],
  'des-ede3-cbc': [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 3, 7],
};
const identifier = (name) => value(OID, identifiers[name]);

function drawn(length) {
  const bytes = new Uint8Array(length);
  binding.randomFill(bytes);
  return bytes;
}

/// What is known of a cipher, if keys can be hidden with it.
function cipherNamed(name) {
  const info = getCipherInfo(name);
  if (info === undefined) {
    const error = new Error('Unknown cipher');
    error.code = 'ERR_CRYPTO_UNKNOWN_CIPHER';
    throw error;
  }
  if (identifiers[info.name] !== undefined) return info;
  throw info.mode === 'gcm' || info.mode === 'ccm' || info.mode === 'ocb' ?
    tlsFailure({ code: 'ERR_OSSL_EVP_CIPHER_PARAMETER_ERROR', message: 'error:0300007A:digital envelope routines::cipher parameter error' }) :
    tlsFailure({
      code: 'ERR_OSSL_ASN1_CIPHER_HAS_NO_OBJECT_IDENTIFIER',
      message: 'error:0680006C:asn1 encoding routines::cipher has no object identifier',
    });
}

function encrypted(name, key, start, bytes) {
  const cipher = new Cipheriv(name, key, start);
  return require('buffer').Buffer.concat([cipher.update(bytes), cipher.final()]);
}

/// An EncryptedPrivateKeyInfo of a key in PKCS #8.
function seal(pkcs8, cipherName, passphrase) {
  const { name, keyLength, ivLength } = cipherNamed(cipherName);
  const [salt, start] = [drawn(8), drawn(ivLength)];
  const key = binding.pbkdf2('sha256', passphrase, salt, ROUNDS, keyLength);
  const derivation = sequence(
    identifier('PBKDF2'),
    sequence(value(OCTETS, salt), value(2, [ROUNDS >> 8, ROUNDS & 0xff]), sequence(identifier('HMAC with SHA-256'), [5, 0])),
  );
  const algorithm = sequence(
    identifier('PBES2'), sequence(derivation, sequence(identifier(name), value(OCTETS, start))),
  );
  return sequence(algorithm, value(OCTETS, encrypted(name, key, start, pkcs8)));
}

/// The headers of an old PEM text, and what stands under them.
function sealOld(der, cipherName, passphrase) {
  const { name, keyLength, ivLength } = cipherNamed(cipherName);
  const { createHash } = require('internal/crypto/hash');
  const { Buffer } = require('buffer');
  const start = drawn(ivLength);
  let last = Buffer.alloc(0);
  let key = last;
  while (key.length < keyLength) {
    last = createHash('md5').update(last).update(passphrase).update(start.subarray(0, 8)).digest();
    key = Buffer.concat([key, last]);
  }
  const shown = Buffer.from(start).toString('hex').toUpperCase();
  return {
    headers: `Proc-Type: 4,ENCRYPTED\nDEK-Info: ${name.toUpperCase()},${shown}\n\n`,
    bytes: encrypted(name, key.subarray(0, keyLength), start, der),
  };
}

module.exports = { seal, sealOld };
