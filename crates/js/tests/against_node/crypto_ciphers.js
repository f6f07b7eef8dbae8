// Ciphers beside those of crates/cli/tests/keys: feedback, CCM (CRYPTO-19), OCB, wrapped keys, 3DES. And keys that a
// passphrase hides (CRYPTO-18), and other forms of keys (CRYPTO-17).
const c = require('crypto');
const t = (f) => {
  try { console.log(String(f), '=>', f()); } catch (e) { console.log(String(f), 'throws', e.name, e.code, e.message, e.library, e.reason); }
};
const key = (length) => Buffer.from(Array.from({ length }, (_, at) => at * 7));
const nonce = (length) => Buffer.alloc(length, 9);
const text = Buffer.from('some text that is to be hidden, longer than two blocks');
const names = [
  'aes-128-ccm', 'aes-256-ccm', 'AES-128-CCM', 'id-aes192-CCM', 'aes-192-ocb', 'id-aes128-wrap', 'aes256-wrap', 'des-ede3-cbc', 'des3', 'des-ede3',
  'des-ede3-ecb', 'des-ede-cbc', 'des-ede', 'aes-128-cfb', 'aes-128-cfb8', 'aes-128-ofb', 'des-ede3-cfb', 'des-ede3-ofb', 'des-ede3-cfb8',
];
for (const name of names) t(() => c.getCipherInfo(name));
for (const [name, ivLength] of [['aes-128-ccm', 6], ['aes-128-ccm', 13], ['aes-128-ccm', 14], ['aes-128-ocb', 15], ['aes-128-ocb', 16]]) {
  t(() => c.getCipherInfo(name, { ivLength }));
}
// Piece by piece.
for (const name of [
  'des-ede3-cbc', 'des-ede3', 'des-ede-cbc', 'des-ede', 'aes-128-cfb', 'aes-192-cfb8', 'aes-256-ofb', 'des-ede3-cfb', 'des-ede3-cfb8', 'des-ede3-ofb',
  'des-ede-cfb', 'des-ede-ofb',
]) {
  const { keyLength, ivLength } = c.getCipherInfo(name);
  const start = ivLength ? nonce(ivLength) : null;
  t(() => {
    const cipher = c.createCipheriv(name, key(keyLength), start);
    const hidden = cipher.update(text.subarray(0, 7), null, 'hex') + cipher.update(text.subarray(7), null, 'hex') + cipher.final('hex');
    const decipher = c.createDecipheriv(name, key(keyLength), start);
    return [name, hidden, decipher.update(hidden, 'hex', 'utf8') + decipher.final('utf8')];
  });
}
t(() => c.createDecipheriv('des-ede3-cbc', key(24), nonce(8)).update('00'.repeat(16), 'hex') + '');
t(() => { const cut = c.createDecipheriv('des-ede3-cbc', key(24), nonce(8)); cut.update('000000', 'hex'); cut.final(); });
// Wrapped keys, RFC 3394.
for (const name of ['id-aes128-wrap', 'id-aes192-wrap', 'id-aes256-wrap']) {
  const { keyLength } = c.getCipherInfo(name);
  t(() => c.createCipheriv(name, key(keyLength), nonce(8)).update(text.subarray(0, 24), null, 'hex'));
  t(() => c.createCipheriv(name, key(keyLength), nonce(8)).update(text.subarray(0, 23), null, 'hex'));
  t(() => c.createDecipheriv(name, key(keyLength), nonce(8)).update(text.subarray(0, 24), null, 'hex'));
  t(() => {
    const wrapped = c.createCipheriv(name, key(keyLength), nonce(8)).update(text.subarray(0, 40));
    return c.createDecipheriv(name, key(keyLength), nonce(8)).update(wrapped, null, 'utf8');
  });
}
// Sealed.
const sealed = (name, iv, options, extra, extraOptions, hidden = text) => {
  const cipher = c.createCipheriv(name, key(16), iv, options);
  if (extra) cipher.setAAD(extra, extraOptions);
  return `${cipher.update(hidden, null, 'hex')}${cipher.final('hex')} ${cipher.getAuthTag().toString('hex')}`;
};
const plaintextLength = text.length;
for (const [start, authTagLength, extra, extraOptions] of [
  [12, 16], [7, 4, text, { plaintextLength }], [13, 14, text.subarray(0, 5), { plaintextLength }], [13, 14, text.subarray(0, 5), { plaintextLength: 3 }],
  [13, 14, text.subarray(0, 5)], [12, 16, Buffer.alloc(70_000, 1), { plaintextLength }], [6, 16], [14, 16], [12], [12, 5], [12, 18],
]) {
  t(() => [start, authTagLength, sealed('aes-128-ccm', nonce(start), authTagLength && { authTagLength }, extra, extraOptions)]);
}
t(() => sealed('aes-128-ccm', nonce(13), { authTagLength: 16 }, undefined, undefined, Buffer.alloc(65536)));
t(() => sealed('aes-128-ccm', nonce(12), { authTagLength: 16 }, undefined, undefined, Buffer.alloc(0)));
t(() => { const twice = c.createCipheriv('aes-128-ccm', key(16), nonce(12), { authTagLength: 16 }); twice.update('a'); twice.update('b'); });
t(() => c.createCipheriv('aes-128-ccm', key(16), nonce(12), { authTagLength: 16 }).final());
for (const [start, authTagLength] of [[12, 16], [1, 8], [15, 12], [16, 12], [0, 12], [12], [12, 17]]) {
  t(() => [start, authTagLength, sealed('aes-128-ocb', nonce(start), authTagLength && { authTagLength }, text)]);
}
for (const length of [0, 1, 15, 16, 17, 32, 40]) {
  for (const extra of [0, 1, 16, 33]) {
    t(() => [length, extra, sealed('aes-128-ocb', nonce(12), { authTagLength: 16 }, text.subarray(0, extra), undefined, text.subarray(0, length))]);
  }
}
for (const name of ['aes-128-ccm', 'aes-128-ocb']) {
  const opened = (change) => {
    const options = { authTagLength: 16 };
    const cipher = c.createCipheriv(name, key(16), nonce(12), options);
    cipher.setAAD(text, { plaintextLength });
    const hidden = Buffer.concat([cipher.update(text), cipher.final()]);
    const parts = { hidden, tag: cipher.getAuthTag(), extra: Buffer.from(text) };
    change(parts);
    const decipher = c.createDecipheriv(name, key(16), nonce(12), options);
    decipher.setAuthTag(parts.tag);
    decipher.setAAD(parts.extra, { plaintextLength });
    return decipher.update(parts.hidden, null, 'utf8') + decipher.final('utf8');
  };
  t(() => [name, opened(() => {})]);
  t(() => opened(({ hidden }) => { hidden[3] ^= 1; }));
  t(() => opened(({ tag }) => { tag[15] ^= 1; }));
  t(() => opened(({ extra }) => { extra[0] ^= 1; }));
  t(() => opened((parts) => { parts.tag = parts.tag.subarray(1); }));
}
// Keys that a passphrase hides.
const ec = c.generateKeyPairSync('ec', { namedCurve: 'secp521r1' });
const rsa = c.generateKeyPairSync('rsa', { modulusLength: 512 });
const x = c.generateKeyPairSync('x25519');
const passphrase = 'secret';
for (const cipher of ['aes-128-cbc', 'AES-192-CBC', 'aes256', 'des-ede3-cbc']) {
  for (const [pair, type] of [[ec, 'pkcs8'], [ec, 'sec1'], [rsa, 'pkcs1'], [x, 'pkcs8']]) {
    t(() => {
      const pem = pair.privateKey.export({ type, format: 'pem', cipher, passphrase });
      const lines = pem.split('\n');
      return [cipher, type, lines[0], lines[1].startsWith('Proc') ? [lines[1], lines[2].replace(/,.*/, '')] : lines.length, c.createPrivateKey({ key: pem, passphrase }).equals(pair.privateKey)];
    });
  }
}
t(() => x.privateKey.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase }).subarray(0, 35).toString('hex'));
const hidden = ec.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
const old = rsa.privateKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase });
for (const pem of [hidden, old]) {
  t(() => c.createPrivateKey(pem));
  t(() => c.createPrivateKey({ key: pem, passphrase: 5 }));
  t(() => c.createPrivateKey({ key: pem, passphrase: 'x'.repeat(1025) }));
}
// Damaged: the message tells where, which is not the same everywhere.
const whole = Buffer.from(hidden.split('\n').slice(1, -2).join(''), 'base64');
t(() => [0, 1, 5, 40, 100, whole.length - 1].filter((end) => {
  try { return c.createPrivateKey({ key: whole.subarray(0, end), format: 'der', type: 'pkcs8', passphrase }); } catch { return false; }
}));
for (const options of [
  undefined, {}, { format: 'pem' }, { format: 'pem', type: 'spki' }, { format: 'der', type: 'pkcs1' }, { format: 'x', type: 'pkcs8' },
  { format: 'der', type: 'sec1', cipher: 'aes-256-cbc', passphrase }, { format: 'jwk', cipher: 'aes-256-cbc', passphrase },
  ...[['nope', passphrase], [5, passphrase], ['aes-256-cbc'], ['aes-256-cbc', 5], [undefined, passphrase], ['aes-256-gcm', passphrase], ['aes-256-ctr', passphrase], [null, null]]
    .map(([cipher, passphrase]) => ({ format: 'pem', type: 'pkcs8', cipher, passphrase })),
]) {
  t(() => [options, ec.privateKey.export(options)]);
}
for (const options of [{ format: 'x', type: 'spki' }, { format: 'pem' }, { format: 'pem', type: 'pkcs8' }, { format: 'der', type: 'pkcs1' }]) t(() => x.publicKey.export(options));
for (const privateKeyEncoding of [5, { type: 'x', format: 'pem' }, { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc' }, { type: 'pkcs8', format: 'x' }]) {
  t(() => c.generateKeyPairSync('rsa', { modulusLength: 512, privateKeyEncoding }));
}
for (const publicKeyEncoding of [5, { type: 'pkcs8', format: 'pem' }, { type: 'spki', format: 'x' }]) t(() => c.generateKeyPairSync('x25519', { publicKeyEncoding }));
// Forms.
t(() => [x.publicKey.asymmetricKeyType, x.publicKey.asymmetricKeyDetails, Object.keys(x.privateKey.export({ format: 'jwk' })), x.publicKey.export({ type: 'spki', format: 'der' }).subarray(0, 12)]);
t(() => [ec.publicKey.asymmetricKeyDetails, Object.keys(ec.publicKey.export({ format: 'jwk' })), ec.publicKey.export({ format: 'jwk' }).crv]);
t(() => c.sign(null, text, x.privateKey));
t(() => c.verify('sha256', text, x.publicKey, Buffer.alloc(64)));
for (const hash of ['sha1', 'sha256', 'sha512']) t(() => c.verify(hash, text, ec.publicKey, c.sign(hash, text, ec.privateKey)));
t(() => {
  // The same point with one coordinate.
  const { x: across, y } = ec.publicKey.export({ format: 'jwk' });
  const short = Buffer.concat([Buffer.from([2 | (Buffer.from(y, 'base64url').at(-1) & 1)]), Buffer.from(across, 'base64url')]);
  const algorithm = ec.publicKey.export({ type: 'spki', format: 'der' }).subarray(3, 21);
  const spki = Buffer.concat([Buffer.from([0x30, algorithm.length + 3 + short.length]), algorithm, Buffer.from([3, short.length + 1, 0]), short]);
  return c.verify('sha256', text, c.createPublicKey({ key: spki, format: 'der', type: 'spki' }), c.sign('sha256', text, ec.privateKey));
});
// RSASSA-PSS.
const pss = (options) => c.generateKeyPairSync('rsa-pss', { modulusLength: 1024, ...options });
for (const options of [
  {}, { hashAlgorithm: 'sha256' }, { hashAlgorithm: 'sha256', saltLength: 200 }, { saltLength: 16 }, { hashAlgorithm: 'sha1', mgf1HashAlgorithm: 'sha256' },
  { hashAlgorithm: 'sha512', mgf1HashAlgorithm: 'sha1', saltLength: 20 }, { hashAlgorithm: 'sha1', saltLength: 20 },
]) {
  t(() => {
    const { publicKey, privateKey } = pss(options);
    const start = publicKey.export({ type: 'spki', format: 'der' }).subarray(4, 19).toString('hex');
    return [options, publicKey.asymmetricKeyType, privateKey.asymmetricKeyDetails, start, c.createPublicKey(privateKey).equals(publicKey)];
  });
}
for (const options of [
  { hashAlgorithm: 5 }, { hashAlgorithm: 'nope' }, { mgf1HashAlgorithm: 'nope' }, { mgf1HashAlgorithm: 5 }, { saltLength: -1 }, { saltLength: 'x' }, { hash: 5 },
  { hash: 'sha256', hashAlgorithm: 'sha1' },
]) {
  t(() => pss(options));
}
const limited = pss({ hashAlgorithm: 'sha256', saltLength: 16 });
t(() => limited.privateKey.export({ format: 'jwk' }));
t(() => limited.privateKey.export({ type: 'pkcs1', format: 'pem' }));
for (const [hash, options] of [['sha256'], ['sha512'], ['sha256', { saltLength: 8 }], ['sha256', { saltLength: 20 }], ['sha256', { padding: c.constants.RSA_PKCS1_PADDING }]]) {
  t(() => c.verify(hash, text, limited.publicKey, c.sign(hash, text, { key: limited.privateKey, ...options })));
}
t(() => c.publicEncrypt(limited.publicKey, text));
const zeros = Buffer.alloc(32).toString('base64url');
t(() => c.createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: zeros, y: zeros }, format: 'jwk' }));
t(() => c.createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: 'AAAA' }, format: 'jwk' }));
t(() => c.createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', x: zeros, d: 'AAAA' }, format: 'jwk' }));
