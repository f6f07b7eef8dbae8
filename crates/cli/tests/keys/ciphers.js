// Ciphers, and keys from passwords.
'use strict';

const crypto = require('crypto');
const { Readable } = require('stream');

const bytes = (length) => Buffer.from(Array.from({ length }, (_, at) => (at * 7) & 255));
const text = 'The quick brown fox jumps over the lazy dog, twice and thrice.';
const attempt = (action) => {
  try {
    const result = action();
    return result instanceof ArrayBuffer ? Buffer.from(result) : result;
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};

const names = ['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc', 'aes-128-ctr', 'aes-192-ctr', 'aes-256-ctr', 'aes-128-ecb', 'aes-256-ecb',
  'aes-128-gcm', 'aes-192-gcm', 'aes-256-gcm', 'chacha20-poly1305', 'aes128', 'AES-256-CBC'];
for (const name of names) {
  const info = crypto.getCipherInfo(name);
  console.log(name, info);
  for (const length of info.mode === 'gcm' ? [12, 16, 7] : [info.ivLength]) {
    const key = bytes(info.keyLength);
    const start = length ? bytes(length) : null;
    const isSealed = /gcm|poly/.test(name);
    const options = isSealed ? { authTagLength: 16 } : undefined;
    const cipher = crypto.createCipheriv(name, key, start, options);
    if (isSealed) cipher.setAAD(Buffer.from('header'));
    const hidden = [cipher.update(text.slice(0, 20), 'utf8', 'hex'), cipher.update(text.slice(20), 'utf8', 'hex'), cipher.final('hex')];
    console.log(hidden, isSealed ? cipher.getAuthTag() : '');
    const open = (header, change) => {
      const decipher = crypto.createDecipheriv(name, key, start, options);
      if (isSealed) decipher.setAAD(Buffer.from(header)).setAuthTag(cipher.getAuthTag());
      const whole = change(hidden.join(''));
      return [decipher.update(whole.slice(0, 30), 'hex', 'utf8'), decipher.update(whole.slice(30), 'hex', 'utf8'), decipher.final('utf8')];
    };
    console.log(open('header', (whole) => whole));
    if (isSealed) console.log(attempt(() => open('headex', (whole) => whole)), attempt(() => open('header', (whole) => `00${whole.slice(2)}`)));
    if (info.mode === 'cbc') console.log(attempt(() => open('', (whole) => whole.slice(0, -2))));
  }
}

const cbc = () => crypto.createCipheriv('aes-128-cbc', bytes(16), bytes(16));
const opener = (name = 'aes-128-gcm') => crypto.createDecipheriv(name, bytes(16), bytes(name.endsWith('gcm') ? 12 : 16));
for (const action of [
  () => crypto.createCipheriv('nope', bytes(16), bytes(16)), () => crypto.createCipheriv('aes-128-cbc', bytes(15), bytes(16)),
  () => crypto.createCipheriv('aes-128-cbc', bytes(16), bytes(15)), () => crypto.createCipheriv('aes-128-cbc', bytes(16), null),
  () => crypto.createCipheriv(5), () => crypto.createCipheriv('aes-128-cbc', 5, bytes(16)), () => crypto.createCipheriv('aes-128-cbc', bytes(16), 5),
  () => { const cipher = cbc(); cipher.final(); cipher.final(); }, () => { const cipher = cbc(); cipher.final(); cipher.update('x'); },
  () => { const cipher = cbc().setAutoPadding(false); cipher.update('x'); cipher.final(); },
  () => { const cipher = cbc().setAutoPadding(false); return Buffer.concat([cipher.update('x'.repeat(16)), cipher.final()]); },
  () => { const decipher = opener(); decipher.update('ab', 'hex'); decipher.final(); }, () => opener().setAuthTag(bytes(3)),
  () => { const decipher = opener('aes-128-cbc'); decipher.update('abcd', 'hex'); decipher.final(); },
  () => crypto.createCipheriv('aes-128-cbc', crypto.createSecretKey(bytes(16)), bytes(16)).final(),
  () => crypto.createCipheriv('aes-128-cbc', '0123456789abcdef', '0123456789abcdef').update('0123456789abcdef'),
  ...['sha1', 'sha256', 'sha512', 'md5', 'sha224', 'SHA384', 'ripemd160'].map((name) => () => crypto.pbkdf2Sync('password', 'salt', 10, 40, name)),
  () => crypto.pbkdf2Sync('p', 's', 1, 0, 'sha1'), () => crypto.pbkdf2Sync('p', 's', 0, 1, 'sha1'), () => crypto.pbkdf2Sync('p', 's', 1, -1, 'sha1'),
  () => crypto.pbkdf2Sync('p', 's', 1, 1, 'nope'), () => crypto.pbkdf2Sync(5, 's', 1, 1, 'sha1'), () => crypto.pbkdf2Sync('p', 's', 1, 1),
  () => crypto.scryptSync('password', 'salt', 32, { N: 16 }), () => crypto.scryptSync('password', 'salt', 64, { N: 32, r: 2, p: 3 }),
  () => crypto.scryptSync('', '', 0, { N: 2 }), () => crypto.scryptSync('p', 's', 8, { cost: 16, blockSize: 4, parallelization: 2 }),
  () => crypto.scryptSync('p', 's', 8, { N: 15 }), () => crypto.scryptSync('p', 's', 8, { N: 1 << 20 }), () => crypto.scryptSync('p', 's', 8, { N: 16, cost: 16 }),
  ...['sha1', 'sha256', 'sha512'].map((name) => () => crypto.hkdfSync(name, 'key', 'salt', 'info', 50)),
  () => crypto.hkdfSync('sha256', Buffer.from('k'), Buffer.alloc(0), Buffer.alloc(0), 16), () => crypto.hkdfSync('nope', 'k', 's', 'i', 5),
  () => crypto.hkdfSync('sha1', 'k', 's', 'i', 50_000),
]) {
  console.log(attempt(action));
}

crypto.pbkdf2('a', 'b', 1, 8, 'sha1', (...result) => {
  console.log(...result);
  crypto.scrypt('a', 'b', 8, { N: 2 }, (...result) => {
    console.log(...result);
    crypto.hkdf('sha1', 'a', 'b', 'c', 8, (...result) => {
      console.log(...result);
      let out = '';
      const pieces = [Buffer.from('a'.repeat(100)), Buffer.from('b'.repeat(33))];
      const end = Readable.from(pieces).pipe(cbc()).pipe(opener('aes-128-cbc'));
      end.on('data', (data) => { out += data; });
      end.on('end', () => console.log(out));
    });
  });
});
