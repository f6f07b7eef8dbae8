// What functions of crypto make of their arguments: encodings of texts, paddings, and what is refused.
'use strict';
const crypto = require('crypto');
const { PassThrough } = require('stream');

const show = (act) => {
  try {
    const value = act();
    console.log(Buffer.isBuffer(value) ? value.toString('hex') : value);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};

// A hash that was a stream tells its value once more, and an HMAC does not.
for (const one of [crypto.createHash('sha1'), crypto.createHmac('sha1', 'key')]) {
  const source = new PassThrough();
  source.pipe(one).on('finish', () => {
    show(() => one.digest('hex'));
    show(() => one.digest('hex'));
    show(() => one.read());
  });
  source.end('text');
}

const says = (name) => ({ toString: () => name });
const throws = { toString() { throw new Error('no name'); } };
for (const encoding of ['nonsense', null, 5, 'buffer', says('hex'), throws]) {
  show(() => crypto.createHash('md5').digest(encoding));
  show(() => crypto.createHmac('md5', 'key').digest(encoding));
}

const cipher = () => crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16));
for (const [first, second] of [['hex', 'base64'], ['hex', 'HEX'], ['hex', 'nonsense'], ['utf8', 'utf-8'], ['hex', undefined]]) {
  const one = cipher();
  one.update('sixteen letters.', 'utf8', first);
  show(() => one.update('sixteen letters.', 'utf8', second));
  show(() => one.final(second));
}

const { publicKey, privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
const hex = Buffer.from('message').toString('hex');
const label = Buffer.from('label');
show(() => crypto.privateDecrypt(privateKey, crypto.publicEncrypt({ key: publicKey, encoding: 'hex' }, hex)).toString());
show(() => crypto.privateDecrypt({ key: privateKey, encoding: 'base64' }, crypto.publicEncrypt(publicKey, 'message').toString('base64')).toString());
show(() => crypto.privateDecrypt({ key: privateKey, oaepLabel: label.toString('hex'), encoding: 'hex' },
  crypto.publicEncrypt({ key: publicKey, oaepLabel: label }, 'message')).toString());
show(() => crypto.publicDecrypt({ key: publicKey, encoding: 'hex' },
  crypto.privateEncrypt({ key: privateKey, encoding: 'hex' }, hex).toString('hex')).toString());
show(() => crypto.publicEncrypt({ key: publicKey, encoding: 'nonsense' }, 'message'));
show(() => crypto.publicEncrypt({ key: publicKey, oaepLabel: 5 }, 'message'));
for (const wrong of [5, null, {}]) {
  show(() => crypto.publicEncrypt(publicKey, wrong));
  show(() => crypto.privateDecrypt(privateKey, wrong));
  show(() => crypto.privateEncrypt(privateKey, wrong));
  show(() => crypto.publicDecrypt(publicKey, wrong));
}
for (const padding of [0, 1, 2, 4, 99]) {
  show(() => crypto.publicEncrypt({ key: publicKey, padding }, 'message').length);
  show(() => crypto.privateDecrypt({ key: privateKey, padding }, Buffer.alloc(256)));
  show(() => crypto.privateEncrypt({ key: privateKey, padding }, 'message').length);
  show(() => crypto.createSign('sha256').update('message').sign({ key: privateKey, padding }).length);
  show(() => crypto.createVerify('sha256').update('message').verify({ key: publicKey, padding }, Buffer.alloc(256)));
}

for (const options of [null, '', 1, true, {}, { keyLength: 16 }, { keyLength: 12 }, { ivLength: 12 }, { keyLength: null }, { ivLength: [] }]) {
  show(() => crypto.getCipherInfo('aes-128-cbc', options));
}
for (const options of [undefined, null, '', [], 1, {}, { length: '128' }, { length: 100 }]) {
  show(() => crypto.generateKeySync('aes', options));
  show(() => crypto.generateKeySync('hmac', options).symmetricKeySize);
  show(() => crypto.generateKey('aes', options, () => {}));
}
