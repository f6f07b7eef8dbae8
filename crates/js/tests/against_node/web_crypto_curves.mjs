// P-521 and X25519 in Web Crypto (CRYPTO-11).
const { subtle } = crypto;
const t = async (f) => {
  try { console.log(String(f), '=>', await f()); } catch (error) { console.log(String(f), 'throws', error.name, error.code, error.message); }
};
const data = new Uint8Array([1, 2, 3]);
for (const algorithm of [{ name: 'ECDH', namedCurve: 'P-521' }, { name: 'X25519' }, 'x25519', { name: 'ECDSA', namedCurve: 'P-521' }]) {
  const usages = algorithm.name === 'ECDSA' ? ['sign', 'verify'] : ['deriveBits', 'deriveKey'];
  await t(async () => {
    const { publicKey, privateKey } = await subtle.generateKey(algorithm, true, usages);
    const shown = [publicKey.algorithm, publicKey.usages, privateKey.usages];
    for (const [format, key] of [['raw', publicKey], ['spki', publicKey], ['jwk', publicKey], ['pkcs8', privateKey], ['jwk', privateKey]]) {
      const exported = await subtle.exportKey(format, key);
      const again = await subtle.importKey(format, exported, algorithm, true, key.usages);
      const twice = await subtle.exportKey(format, again);
      shown.push(format, exported.byteLength ?? Object.keys(exported).sort().join(), exported.alg, again.type);
      shown.push(format === 'jwk' ? JSON.stringify(twice) === JSON.stringify(exported) : Buffer.from(twice).equals(Buffer.from(exported)));
    }
    return shown;
  });
  await t(async () => {
    const { publicKey, privateKey } = await subtle.generateKey(algorithm, true, usages);
    if (algorithm.name === 'ECDSA') {
      const how = { name: 'ECDSA', hash: 'SHA-256' };
      const signature = await subtle.sign(how, privateKey, data);
      return [signature.byteLength, await subtle.verify(how, publicKey, signature, data)];
    }
    const how = { ...privateKey.algorithm, public: publicKey };
    const whole = await subtle.deriveBits(how, privateKey, null);
    const half = await subtle.deriveBits(how, privateKey, 128);
    const key = await subtle.deriveKey(how, privateKey, { name: 'AES-GCM', length: 256 }, true, ['encrypt']);
    return [whole.byteLength, half.byteLength, (await subtle.exportKey('raw', key)).byteLength];
  });
  await t(() => subtle.generateKey(algorithm, true, []));
  await t(() => subtle.generateKey(algorithm, true, ['encrypt']));
  await t(() => subtle.importKey('raw', data, algorithm, true, []));
  await t(() => subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }, algorithm, true, []));
}
await t(async () => {
  const one = await subtle.generateKey('X25519', true, ['deriveBits']);
  const zero = await subtle.importKey('raw', new Uint8Array(32), 'X25519', true, []);
  return subtle.deriveBits({ name: 'X25519', public: zero }, one.privateKey, 256);
});
await t(async () => {
  const one = await subtle.generateKey('X25519', true, ['deriveBits']);
  const other = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-521' }, true, ['deriveBits']);
  return subtle.deriveBits({ name: 'X25519', public: other.publicKey }, one.privateKey, 256);
});
