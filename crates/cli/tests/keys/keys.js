// Keys of two parts: their forms, signatures, messages.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

const read = (name) => fs.readFileSync(path.join(__dirname, '../tls/certificates', name));
const hash = (...parts) => parts.reduce((hash, part) => hash.update(part), crypto.createHash('sha1')).digest('hex');
const attempt = (action) => {
  try {
    return action();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};

// Forms.
for (const name of ['server.key', 'server.pkcs1.key', 'ec.key', 'ec.sec1.key', 'p384.key', 'ed.key']) {
  const key = crypto.createPrivateKey(read(name));
  const other = crypto.createPublicKey(key);
  console.log(key, name);
  console.log(key.type, key.asymmetricKeyType, key.asymmetricKeyDetails, other.type, other.asymmetricKeyType, other.asymmetricKeyDetails);
  console.log(hash(key.export({ format: 'pem', type: 'pkcs8' }), key.export({ format: 'der', type: 'pkcs8' })));
  console.log(hash(other.export({ format: 'pem', type: 'spki' }), other.export({ format: 'der', type: 'spki' })));
  console.log(hash(JSON.stringify(key.export({ format: 'jwk' }))), other.export({ format: 'jwk' }));
  if (key.asymmetricKeyType === 'rsa') console.log(hash(key.export({ format: 'pem', type: 'pkcs1' }), other.export({ format: 'pem', type: 'pkcs1' })));
  if (key.asymmetricKeyType === 'ec') console.log(hash(key.export({ format: 'pem', type: 'sec1' })));
  const again = crypto.createPrivateKey({ key: key.export({ format: 'jwk' }), format: 'jwk' });
  const otherAgain = crypto.createPublicKey({ key: other.export({ format: 'jwk' }), format: 'jwk' });
  console.log(again.equals(key), otherAgain.equals(other), key.equals(other));
}
for (const bad of [
  'x', 5, {}, { key: 'x' }, { key: read('server.key'), format: 'der' }, { key: read('server.key'), format: 'x' }, read('server.pkcs8.key'),
  { key: read('server.pkcs8.key'), passphrase: 'x' }, { key: Buffer.from('x'), format: 'der', type: 'pkcs8' },
  { key: Buffer.from('x'), format: 'der', type: 'x' },
]) {
  console.log(attempt(() => crypto.createPrivateKey(bad)), attempt(() => crypto.createPublicKey(bad)));
}
const rsa = crypto.createPrivateKey({ key: read('server.pkcs8.key'), passphrase: 'secret' });
console.log(rsa.equals(crypto.createPrivateKey(read('server.key'))), crypto.createPublicKey(read('server.pem')).asymmetricKeyType);

// Signatures.
const rsaPublic = crypto.createPublicKey(rsa);
const data = Buffer.from('what is signed');
for (const name of ['RSA-SHA256', 'sha256', 'sha384', 'SHA512', 'sha1', 'md5']) {
  const signature = crypto.createSign(name).update('what is ').update('signed').sign(rsa, 'hex');
  const is = (text) => crypto.createVerify(name).update(text).verify(rsaPublic, signature, 'hex');
  console.log(name, signature, is('what is signed'), is('what was signed'));
}
for (const [name, algorithm, size] of [['server.key', 'sha256', 256], ['ec.key', 'sha256'], ['p384.key', 'sha384'], ['ed.key', null, 64]]) {
  const key = crypto.createPrivateKey(read(name));
  const other = crypto.createPublicKey(key);
  const signature = crypto.sign(algorithm, data, key);
  console.log(name, size === undefined || signature.length === size, crypto.verify(algorithm, data, other, signature),
    crypto.verify(algorithm, Buffer.from('x'), other, signature), crypto.verify(algorithm, data, other, signature.subarray(1)));
}
const plain = { key: read('ec.key'), dsaEncoding: 'ieee-p1363' };
const short = crypto.sign('sha256', data, plain);
console.log(short.length, crypto.verify('sha256', data, { ...plain, key: read('ec.pem') }, short));
for (const saltLength of [32, undefined, crypto.constants.RSA_PSS_SALTLEN_DIGEST]) {
  const padding = crypto.constants.RSA_PKCS1_PSS_PADDING;
  const signature = crypto.sign('sha256', data, { key: rsa, padding, saltLength });
  const is = (options) => crypto.verify('sha256', data, { key: rsaPublic, ...options }, signature);
  console.log(is({ padding, saltLength }), is({ padding }), is({}));
}
console.log(attempt(() => crypto.createSign('nope')), attempt(() => crypto.createSign('sha256').sign()), attempt(() => crypto.createSign('sha256').sign(5)));
crypto.sign('sha256', data, rsa, (error, signature) => console.log(error, crypto.verify('sha256', data, rsaPublic, signature)));

// Messages.
for (const options of [{}, { oaepHash: 'sha256' }, { oaepHash: 'sha512', oaepLabel: Buffer.from('label') }]) {
  const hidden = crypto.publicEncrypt({ key: rsaPublic, ...options }, data);
  console.log(hidden.length, crypto.privateDecrypt({ key: rsa, ...options }, hidden).toString());
}
console.log(attempt(() => crypto.privateDecrypt({ key: rsa, padding: crypto.constants.RSA_PKCS1_PADDING }, Buffer.alloc(256))));
console.log(crypto.publicDecrypt(rsaPublic, crypto.privateEncrypt(rsa, data)).toString());

// New ones.
for (const [type, options] of [['ec', { namedCurve: 'P-256' }], ['ec', { namedCurve: 'secp384r1' }], ['ed25519', {}]]) {
  const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
  const algorithm = type === 'ec' ? 'sha384' : null;
  console.log(type, publicKey.asymmetricKeyDetails, crypto.verify(algorithm, data, publicKey, crypto.sign(algorithm, data, privateKey)));
}
const written = crypto.generateKeyPairSync('ec', {
  namedCurve: 'P-256', publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
console.log(written.publicKey.split('\n')[0], written.privateKey.split('\n')[0]);
console.log(attempt(() => crypto.generateKeyPairSync('ec', { namedCurve: 'nope' })));
crypto.generateKeyPair('ed25519', {}, (error, publicKey, privateKey) => console.log(error, publicKey.type, privateKey.type));
