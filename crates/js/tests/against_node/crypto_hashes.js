// Hashes of random data in random pieces and encodings.
const crypto = require('crypto');

// The same numbers on both sides.
let state = 12345;
const draw = (below) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % below;
};
const bytes = (length) => Buffer.from(Array.from({ length }, () => draw(256)));
const pick = (list) => list[draw(list.length)];

const names = [
  'md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-224', 'sha512-256', 'sha3-224', 'sha3-256', 'sha3-384',
  'sha3-512', 'ripemd160', 'blake2b512', 'blake2s256', 'md5-sha1', 'RSA-SHA256', 'SHA-512', 'Sha1',
];
const encodings = ['hex', 'base64', 'base64url', 'latin1', 'utf8', 'ucs2', 'ascii', 'binary', undefined, 'buffer', 'none'];
const texts = ['', 'a', 'zażółć', '\ud800x', '😀'.repeat(40), 'x'.repeat(1000)];

function feed(hash) {
  for (let pieces = draw(5); pieces > 0; pieces--) {
    const kind = draw(4);
    if (kind === 0) hash.update(pick(texts), pick(['utf8', 'latin1', 'utf16le', undefined, 'ascii']));
    else if (kind === 1) hash.update(bytes(draw(40)).toString('hex'), 'hex');
    else if (kind === 2) hash.update(bytes(draw(300)).toString('base64'), 'base64');
    else hash.update(pick([(b) => b, (b) => new Uint8Array(b), (b) => new DataView(new Uint8Array(b).buffer)])(bytes(draw(300))));
  }
  return hash;
}
const show = (value) => (typeof value === 'string' ? JSON.stringify(value) : value.toString('hex'));

for (let length = 0; length < 300; length++) {
  const data = bytes(length);
  console.log(length, names.map((name) => crypto.createHash(name).update(data).digest('base64')).join(' '));
}
for (let round = 0; round < 600; round++) {
  const name = pick(names);
  const encoding = pick(encodings);
  if (draw(2) === 0) {
    const hash = feed(crypto.createHash(name));
    const copy = hash.copy();
    console.log(round, name, show(hash.digest(encoding)), show(feed(copy).digest(encoding)));
  } else {
    const key = pick([() => bytes(draw(300)), () => pick(texts), () => new Uint16Array([1, 2, 3]), () => new ArrayBuffer(7)])();
    console.log(round, name, show(feed(crypto.createHmac(name, key)).digest(encoding)));
  }
}
for (const name of ['shake128', 'shake256']) {
  for (const outputLength of [undefined, 0, 1, 16, 31, 200]) {
    console.log(name, crypto.createHash(name, { outputLength }).update(bytes(50)).digest('hex'));
  }
}
// CRYPTO-10.
console.log(crypto.hash('sha256', 'text'), crypto.hash('md5', bytes(9), 'base64'), crypto.hash('sha1', '', 'buffer'));

for (const args of [['none', ''], ['md5', 5], ['md5', new ArrayBuffer(2)], ['md5', '', 'none'], ['md5', '', 5], [5, '']]) {
  try {
    console.log(crypto.hash(...args));
  } catch (error) {
    console.log(error.code, error.message);
  }
}

(async () => {
  // CRYPTO-9.
  for (const hash of [crypto.createHash('md5'), crypto.createHmac('sha1', 'key')]) {
    hash.write('text');
    hash.write('c3a9', 'hex');
    hash.end(new Uint8Array(3));
    for await (const value of hash) console.log(value.toString('hex'));
  }
  // CRYPTO-1 to CRYPTO-3: with a callback.
  const { promisify } = require('util');
  console.log((await promisify(crypto.randomBytes)(5)).length, (await promisify(crypto.randomInt)(7, 8)));
  for (const rest of [[], [2], [1, 2], [1.5], [0.5, 1.5], [3, 3], [undefined], [1, undefined], [null]]) {
    const target = new Uint16Array(4);
    try {
      console.log(rest, (await promisify(crypto.randomFill)(target, ...rest)) === target);
    } catch (error) {
      console.log(rest, error.code, error.message);
    }
  }

  const { subtle } = globalThis.crypto;
  for (const name of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']) {
    for (const length of [0, 1, 64, 129]) {
      const data = bytes(length);
      const key = await subtle.importKey('raw', bytes(1 + draw(200)), { name: 'HMAC', hash: name }, true, ['sign', 'verify']);
      const signature = await subtle.sign('HMAC', key, data);
      console.log(
        name, Buffer.from(await subtle.digest(name, data)).toString('hex'), Buffer.from(signature).toString('hex'),
        await subtle.verify('HMAC', key, signature, data), await subtle.verify('HMAC', key, signature, Buffer.from('x')), key,
        await subtle.exportKey('jwk', key));
    }
  }
})();
