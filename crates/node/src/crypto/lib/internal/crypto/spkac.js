// Keys that show that somebody has their other part: SPKAC, which browsers sent for the element keygen.
'use strict';

const { codes } = require('internal/errors');
const { asBytes } = require('internal/crypto/bytes');
const { values } = require('internal/crypto/der');

// Signatures by the digits of their identifiers: the hash.
const hashes = {
  '__proto__': null,
  '2a864886f70d010104': 'md5', '2a864886f70d010105': 'sha1', '2a864886f70d01010b': 'sha256', '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512', '2a8648ce3d0401': 'sha1', '2a8648ce3d040302': 'sha256', '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};

/// The parts of one; undefined if it is none.
function read(spkac, encoding) {
  const { Buffer } = require('buffer');
  const bytes = typeof spkac === 'string' ? Buffer.from(spkac, encoding) : asBytes(spkac);
  if (bytes === undefined) {
    throw new codes.ERR_INVALID_ARG_TYPE('spkac', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], spkac);
  }
  const der = Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), 'base64');
  const [signed, algorithm, signature] = inner(values(der)?.[0]);
  const [key, challenge] = inner(signed);
  const [identifier] = inner(algorithm);
  if (challenge === undefined || signature === undefined || identifier === undefined) return undefined;
  return { signed: signed.whole, key: key.whole, challenge: challenge.body, identifier: identifier.body, signature: signature.body };
}

const inner = (item) => (item === undefined ? [] : values(item.body) ?? []);

function keyOf(parts) {
  return require('internal/crypto/asymmetric').createPublicKey({ key: parts.key, format: 'der', type: 'spki' });
}

function verifySpkac(spkac, encoding) {
  const parts = read(spkac, encoding);
  const hash = parts && hashes[require('buffer').Buffer.from(parts.identifier).toString('hex')];
  if (hash === undefined) return false;
  try {
    return require('internal/crypto/sign').verify(hash, parts.signed, keyOf(parts), parts.signature.subarray(1));
  } catch {
    return false;
  }
}

function exportPublicKey(spkac, encoding) {
  const parts = read(spkac, encoding);
  if (parts === undefined) return '';
  try {
    return require('buffer').Buffer.from(keyOf(parts).export({ format: 'pem', type: 'spki' }));
  } catch {
    return '';
  }
}

function exportChallenge(spkac, encoding) {
  const parts = read(spkac, encoding);
  return parts === undefined ? '' : require('buffer').Buffer.from(parts.challenge);
}

function Certificate() {
  if (!(this instanceof Certificate)) return new Certificate();
}
Object.assign(Certificate.prototype, { verifySpkac, exportPublicKey, exportChallenge });
Object.assign(Certificate, { exportChallenge, exportPublicKey, verifySpkac });

module.exports = { Certificate };
