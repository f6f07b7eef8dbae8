// Keys as JSON and as points, bits of an agreement, and algorithms that inherit.
import { generateKeyPairSync, createPrivateKey, createPublicKey } from 'node:crypto';
const s = crypto.subtle;
const t = async (n, f) => { try { const r = await f(); console.log(n, r instanceof ArrayBuffer ? Buffer.from(r).toString('hex') : r); } catch (e) { console.log(n, 'ERR', e.name, '|', e.message, '|', e.code); } };
const ed = { kty: 'OKP', crv: 'Ed25519', d: '89Gz6kAuAWldffXP8BrlULvZ-_33s9NF0gKSXQAWfyM', x: 'jvGxFjLHhz8QrfWaTujahhIlYqBfnzxAnCvB6vWAABU' };
const x = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
const own = createPublicKey(createPrivateKey({ key: ed, format: 'jwk' })).export({ format: 'jwk' });
for (const [name, jwk, usages] of [['Ed25519', { ...ed, x: own.x }, ['sign']], ['X25519', x, ['deriveBits']]]) {
  const get = (change, extractable = false) => s.importKey('jwk', { ...jwk, ...change }, name, extractable, usages).then((k) => k.type);
  await t(name, () => get({}));
  for (const alg of ['EdDSA', 'Ed25519', 'ES256', 'ed25519', 'X25519', '']) await t(`${name} alg ${alg}`, () => get({ alg }));
  await t(`${name} no x`, () => get({ x: undefined }));
  await t(`${name} x not a string`, () => get({ x: 3 }));
  await t(`${name} another x`, () => get({ x: 'AAAAFjLHhz8QrfWaTujahhIlYqBfnzxAnCvB6vWAABU' }));
  await t(`${name} short x`, () => get({ x: 'AAAA' }));
  await t(`${name} short d`, () => get({ d: jwk.d.slice(1) }));
  await t(`${name} short d 2`, () => get({ d: jwk.d.slice(4) }));
  await t(`${name} written`, () => s.importKey('jwk', jwk, name, true, usages).then((k) => s.exportKey('jwk', k)).then((k) => k.alg));
  await t(`${name} no d`, () => s.importKey('jwk', { kty: 'OKP', crv: name, x: jwk.x }, name, true, name === 'Ed25519' ? ['verify'] : []).then((k) => k.type));
}
for (const namedCurve of ['P-256', 'P-384', 'P-521']) {
  const ec = generateKeyPairSync('ec', { namedCurve });
  const jwk = ec.privateKey.export({ format: 'jwk' });
  const get = (change) => s.importKey('jwk', { ...jwk, ...change }, { name: 'ECDSA', namedCurve }, true, ['sign']).then((k) => k.type);
  const bytes = Buffer.from(jwk.d, 'base64url');
  await t(namedCurve, () => get({}));
  // Of the longest the first byte may be zero, and matters as little as one more.
  const cut = (text) => Buffer.from(text, 'base64url').subarray(2).toString('base64url');
  await t(`${namedCurve} short d`, () => get({ d: cut(jwk.d) }));
  await t(`${namedCurve} long d`, () => get({ d: Buffer.concat([Buffer.alloc(1), bytes]).toString('base64url') }));
  await t(`${namedCurve} short x`, () => get({ x: cut(jwk.x) }));
  await t(`${namedCurve} long y`, () => get({ y: Buffer.concat([Buffer.alloc(1), Buffer.from(jwk.y, 'base64url')]).toString('base64url') }));
  await t(`${namedCurve} no x`, () => get({ x: undefined }));
  await t(`${namedCurve} swapped`, () => get({ x: jwk.y, y: jwk.x }));
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(jwk.x, 'base64url'), Buffer.from(jwk.y, 'base64url')]);
  const small = Buffer.concat([Buffer.from([2 + (point.at(-1) & 1)]), Buffer.from(jwk.x, 'base64url')]);
  const raw = (data) => s.importKey('raw', data, { name: 'ECDSA', namedCurve }, true, ['verify']).then((k) => s.exportKey('raw', k)).then((r) => Buffer.from(r).equals(point));
  await t(`${namedCurve} raw`, () => raw(point));
  await t(`${namedCurve} compressed`, () => raw(small));
  await t(`${namedCurve} short`, () => raw(small.subarray(1)));
  await t(`${namedCurve} cut`, () => raw(small.subarray(0, -1)));
  await t(`${namedCurve} hybrid`, () => raw(Buffer.concat([Buffer.from([6 + (point.at(-1) & 1)]), point.subarray(1)])));
  await t(`${namedCurve} infinity`, () => raw(Buffer.from([0])));
  await t(`${namedCurve} beyond`, () => raw(Buffer.concat([Buffer.from([2]), Buffer.alloc(small.length - 1, 255)])));
}
for (const name of ['X25519', 'P-256', 'P-521']) {
  const algorithm = name === 'X25519' ? { name } : { name: 'ECDH', namedCurve: name };
  const pair = await s.generateKey(algorithm, true, ['deriveBits', 'deriveKey']);
  const bits = (length) => s.deriveBits({ ...algorithm, public: pair.publicKey }, pair.privateKey, length).then((b) => new Uint8Array(b));
  const all = await bits(null);
  for (const length of [0, 1, 7, 8, 9, 230, 255, 256, 257, 527, 528, 529]) {
    await t(`${name} ${length}`, async () => {
      const some = await bits(length);
      const rest = length % 8;
      const wanted = all.slice(0, some.length);
      if (rest > 0) wanted[some.length - 1] &= 0xff00 >> rest;
      return [some.length, Buffer.compare(some, wanted)];
    });
  }
}
const inherited = Object.create({ name: 'AES-GCM', length: 128 });
await t('inherited', () => s.generateKey(inherited, true, ['encrypt']).then((k) => k.algorithm));
const getters = { get name() { return 'AES-CBC'; }, get length() { return 256; } };
await t('getters', () => s.generateKey(getters, true, ['encrypt']).then((k) => k.algorithm));
await t('inherited hash', () => s.importKey('raw', new Uint8Array(8), Object.create({ name: 'HMAC', hash: Object.create({ name: 'SHA-256' }) }), true, ['sign']).then((k) => k.algorithm));

const refused = (n, act) => { try { console.log(n, act().type); } catch (error) { console.log(n, error.message, error.code); } };
const both = (n, key) => {
  refused(`${n} private`, () => createPrivateKey({ key, format: 'jwk' }));
  refused(`${n} public`, () => createPublicKey({ key, format: 'jwk' }));
};
for (const [kind, options] of [['rsa', { modulusLength: 1024 }], ['ec', { namedCurve: 'P-256' }], ['ed25519'], ['x25519']]) {
  const make = () => generateKeyPairSync(kind, options).privateKey.export({ format: 'jwk' });
  const [jwk, other] = [make(), make()];
  for (const name of Object.keys(jwk)) both(`${kind} without ${name}`, { ...jwk, [name]: undefined });
  if (kind === 'rsa') continue;
  both(`${kind} another x`, { ...jwk, x: other.x });
  both(`${kind} another d`, { ...jwk, d: other.d });
  both(`${kind} short x`, { ...jwk, x: 'AAAA' });
}
for (const kty of ['EC', 'OKP']) {
  for (const crv of ['nope', 'P-256', 'X448', 5]) {
    for (const change of [{}, { x: 5 }, { d: 5 }, { d: 'AAAA', x: 'AAAA', y: 'AAAA' }]) both(`${kty} ${crv}`, { kty, crv, ...change });
  }
}
