// Without arguments: makes keys, signatures, secrets and ciphertexts, and prints them as JSON. With what another
// runtime has printed: uses all of it, and says what does not fit.
'use strict';

const c = require('crypto');

const data = Buffer.from('what is exchanged');
const passphrase = 'secret';
const pairs = {
  'P-256': ['ec', { namedCurve: 'P-256' }], 'P-384': ['ec', { namedCurve: 'P-384' }], 'P-521': ['ec', { namedCurve: 'P-521' }],
  'secp256k1': ['ec', { namedCurve: 'secp256k1' }], 'x25519': ['x25519'], 'ed25519': ['ed25519'], 'rsa': ['rsa', { modulusLength: 1024 }],
  'dh': ['dh', { group: 'modp5' }], 'dh by its length': ['dh', { primeLength: 512, generator: 5 }],
};
const sealed = [
  ...['aes-128-ccm', 'aes-256-ocb', 'aes-192-gcm', 'chacha20-poly1305'], ...['aes-128-cfb', 'aes-256-cfb8', 'aes-192-ofb', 'des-ede3-cbc'],
];
const key = (length) => Buffer.alloc(length, 'key');
const options = { authTagLength: 16 };

function make() {
  const made = { keys: {}, ciphers: {}, curves: {}, group: undefined };
  for (const [name, [type, how]] of Object.entries(pairs)) {
    const { privateKey, publicKey } = c.generateKeyPairSync(type, how);
    const forms = [publicKey.export({ type: 'spki', format: 'pem' })];
    for (const cipher of [undefined, 'aes-256-cbc', 'des-ede3-cbc']) {
      const hidden = cipher && { cipher, passphrase };
      forms.push(privateKey.export({ type: 'pkcs8', format: 'pem', ...hidden }));
      if (type === 'ec') forms.push(privateKey.export({ type: 'sec1', format: 'pem', ...hidden }));
      if (type === 'rsa') forms.push(privateKey.export({ type: 'pkcs1', format: 'pem', ...hidden }));
    }
    made.keys[name] = { type, forms, jwk: type === 'dh' ? undefined : privateKey.export({ format: 'jwk' }) };
    if (type === 'dh' || type === 'x25519' || type === 'ec') made.keys[name].common = c.diffieHellman({ privateKey, publicKey }).toString('hex');
    if (type !== 'dh' && type !== 'x25519') {
      made.keys[name].signatures = [null, 'sha1', 'sha512'].filter((hash) => (hash === null) === (type === 'ed25519')).map((hash) => [hash, c.sign(hash, data, privateKey).toString('hex')]);
    }
  }
  for (const name of sealed) {
    const { keyLength, ivLength } = c.getCipherInfo(name);
    const cipher = c.createCipheriv(name, key(keyLength), key(ivLength), options);
    made.ciphers[name] = [cipher.update(data, null, 'hex') + cipher.final('hex'), cipher.getAuthTag && /[cg]cm|ocb|poly/.test(name) ? cipher.getAuthTag().toString('hex') : null];
  }
  for (const curve of ['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1']) {
    const [one, other] = [c.createECDH(curve), c.createECDH(curve)];
    const point = other.generateKeys('hex', 'hybrid');
    one.generateKeys();
    made.curves[curve] = [one.getPrivateKey('hex'), point, one.computeSecret(point, 'hex', 'hex')];
  }
  const one = c.createDiffieHellman(512, 5);
  one.generateKeys();
  made.group = [one.getPrime('hex'), one.getPublicKey('hex')];
  return made;
}

const wrong = [];
function check(what, isRight) {
  try {
    if (!isRight()) wrong.push(what);
  } catch (error) {
    wrong.push(`${what}: ${error.message}`);
  }
}

function use(made) {
  for (const [name, { type, forms, jwk, common, signatures = [] }] of Object.entries(made.keys)) {
    const publicKey = c.createPublicKey(forms[0]);
    const privateKey = c.createPrivateKey(forms[1]);
    check(`${name}: its parts`, () => c.createPublicKey(privateKey).equals(publicKey));
    forms.slice(1).forEach((form, at) => check(`${name}: form ${at}`, () => c.createPrivateKey({ key: form, passphrase }).equals(privateKey)));
    if (jwk !== undefined) check(`${name}: as JSON`, () => c.createPrivateKey({ key: jwk, format: 'jwk' }).equals(privateKey));
    if (common !== undefined) check(`${name}: agreement`, () => c.diffieHellman({ privateKey, publicKey }).toString('hex') === common);
    for (const [hash, signature] of signatures) check(`${name}: ${type} with ${hash}`, () => c.verify(hash, data, publicKey, Buffer.from(signature, 'hex')));
  }
  for (const [name, [hidden, tag]] of Object.entries(made.ciphers)) {
    check(name, () => {
      const { keyLength, ivLength } = c.getCipherInfo(name);
      const decipher = c.createDecipheriv(name, key(keyLength), key(ivLength), options);
      if (tag !== null) decipher.setAuthTag(tag, 'hex');
      return decipher.update(hidden, 'hex', 'utf8') + decipher.final('utf8') === data.toString();
    });
  }
  for (const [curve, [secret, point, common]] of Object.entries(made.curves)) {
    check(curve, () => c.createECDH(curve).setPrivateKey(secret, 'hex').computeSecret(point, 'hex', 'hex') === common);
  }
  check('a group', () => {
    const own = c.createDiffieHellman(made.group[0], 'hex', 5);
    own.generateKeys();
    return own.verifyError === 0 && own.computeSecret(made.group[1], 'hex').length === 64;
  });
  return wrong.length === 0 ? 'all is well' : wrong.join('; ');
}

console.log(process.argv.length > 2 ? use(JSON.parse(process.argv[2])) : JSON.stringify(make()));
