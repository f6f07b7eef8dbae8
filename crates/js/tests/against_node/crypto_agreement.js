// Key agreement, primes, SPKAC: what is computed, and what is refused (CRYPTO-15, CRYPTO-16).
const c = require('crypto');
const t = (f) => {
  try { console.log(String(f), '=>', f()); } catch (e) { console.log(String(f), 'throws', e.name, e.code, e.message, e.library, e.reason); }
};
// Diffie and Hellman: what makes a group.
t(() => c.createDiffieHellman());
t(() => c.createDiffieHellman('x').verifyError);
t(() => c.createDiffieHellman(0));
t(() => c.createDiffieHellman(64));
t(() => c.createDiffieHellman(64, 1));
t(() => c.createDiffieHellman(10_001));
t(() => c.createDiffieHellman(2 ** 31 - 1, 5));
t(() => c.createDiffieHellman(Buffer.alloc(1251, 255)).generateKeys());
t(() => c.createDiffieHellman(64, Buffer.from([1])));
t(() => c.createDiffieHellman(64, '02', 'hex'));
t(() => c.createDiffieHellman(1.5));
t(() => c.createDiffieHellman(2 ** 31));
t(() => c.createDiffieHellman({}));
t(() => c.createDiffieHellman(Buffer.from([23]), 5));
t(() => c.createDiffieHellman(Buffer.from([24]), 5).verifyError);
t(() => c.createDiffieHellman(Buffer.from([13]), 2).verifyError);
t(() => c.createDiffieHellman(Buffer.from([0]), 2).verifyError);
t(() => c.createDiffieHellman(Buffer.from([]), 2).verifyError);
t(() => c.createDiffieHellman('17', 'hex', '02', 'hex').verifyError);
t(() => c.createDiffieHellman('17', 'hex', {}));
t(() => c.createDiffieHellman('abcdef', 'nope', 2).getPrime());
t(() => c.createDiffieHellman('23', '23').getGenerator());
t(() => c.getDiffieHellman('modp14'));
t(() => c.getDiffieHellman('modp14').setPrivateKey);
t(() => c.getDiffieHellman('MODP14').getGenerator());
t(() => c.getDiffieHellman('modp3'));
t(() => c.getDiffieHellman());
t(() => c.DiffieHellman('17', 'hex', 5).verifyError);
for (const name of ['modp1', 'modp2', 'modp5', 'modp14', 'modp15', 'modp16', 'modp17', 'modp18']) {
  t(() => name + c.createHash('sha1').update(c.DiffieHellmanGroup(name).getPrime()).digest('hex'));
}
// A safe prime, and numbers near it.
const prime = 'f4e513667dc0b004361f4ab89c1d813095d20ae4eaefad4b75fbcf0790279380561f706f72f6e8c06e2587abc22890531cb2f34a88c8c30c22375d066c21fc23';
const bytes = Buffer.from(prime, 'hex');
const big = BigInt(`0x${prime}`);
const digits = (number) => Buffer.from(number.toString(16).padStart(128, '0'), 'hex');
for (const generator of [2, 3, 5, 0, -1, 1, 1.5, true, null, '', Buffer.from([]), Buffer.from([0]), Buffer.from([1]), digits(big - 2n), digits(big - 1n), digits(big)]) {
  t(() => c.createDiffieHellman(bytes, generator).verifyError);
}
const d = c.createDiffieHellman(Buffer.concat([Buffer.alloc(2), bytes]));
t(() => d.verifyError);
t(() => d.getPrime('hex') === prime);
t(() => d.getPublicKey());
t(() => d.getPrivateKey());
t(() => d.computeSecret(digits(big - 5n)));
t(() => d.setPrivateKey(Buffer.from([0, 3])) === d);
t(() => d.getPrivateKey());
t(() => d.generateKeys('hex'));
t(() => d.getPublicKey('hex'));
t(() => d.computeSecret(Buffer.from([5]), null, 'hex'));
t(() => d.computeSecret('02', 'hex', 'base64url'));
t(() => d.computeSecret('02', 'hex', 'nope'));
// The small subgroups.
for (const number of [0n, 1n, 2n, big - 2n, big - 1n, big, big + 1n]) t(() => d.computeSecret(digits(number), null, 'hex'));
t(() => d.computeSecret(Buffer.alloc(0)));
t(() => d.computeSecret());
t(() => d.setPublicKey(5));
t(() => d.setPrivateKey(5));
t(() => d.setPublicKey('11', 'hex').getPublicKey('hex'));
t(() => d.getPublicKey('nope'));
t(() => d.getPublicKey('buffer'));
t(() => c.createDiffieHellman(digits(big - 1n)).generateKeys());
t(() => c.createDiffieHellman(digits(big - 2n)).generateKeys().length);
t(() => c.createDiffieHellman(Buffer.from([23]), 5).generateKeys());
for (const size of [512, 520]) {
  t(() => { const one = c.createDiffieHellman(size, 5); return [one.verifyError, one.getGenerator(), one.getPrime().length]; });
}
t(() => {
  const [one, other] = [c.getDiffieHellman('modp5'), c.getDiffieHellman('modp5')];
  one.generateKeys();
  other.generateKeys();
  return one.computeSecret(other.getPublicKey()).equals(other.computeSecret(one.getPublicKey()));
});
t(() => [c.createDiffieHellman, c.getDiffieHellman, c.DiffieHellman, c.diffieHellman, c.createECDH, c.ECDH].map((f) => [f.name, f.length]));
t(() => c.createDiffieHellmanGroup === c.getDiffieHellman);
for (const Class of [c.DiffieHellman, c.DiffieHellmanGroup, c.ECDH, c.Certificate]) t(() => Object.getOwnPropertyNames(Class.prototype));
// On curves.
t(() => c.createECDH());
t(() => c.createECDH('nope'));
t(() => c.createECDH('P-256'));
const e = c.createECDH('secp256k1');
t(() => e);
t(() => e.getPublicKey());
t(() => e.getPrivateKey());
t(() => e.computeSecret(Buffer.from([2])));
for (const secret of [Buffer.alloc(32), Buffer.alloc(33, 1), Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex'), 5]) {
  t(() => e.setPrivateKey(secret));
}
t(() => e.setPrivateKey('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140', 'hex') === e);
t(() => e.setPrivateKey('01', 'hex').getPrivateKey());
for (const format of [undefined, null, 'compressed', 'hybrid', 'uncompressed', 'x', 5]) t(() => e.getPublicKey('hex', format));
const point = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
// Beside the curve, and in forms that there are not.
for (const other of [`02${point}`, `03${point}`, `05${point}`, `02${point.slice(2)}`, `04${point}${point}`, `02${'f'.repeat(64)}`]) {
  t(() => e.computeSecret(other, 'hex', 'hex'));
  t(() => c.ECDH.convertKey(other, 'secp256k1', 'hex', 'hex', 'hybrid'));
}
t(() => c.ECDH.convertKey(c.ECDH.convertKey(`03${point}`, 'secp256k1', 'hex', 'hex', 'hybrid'), 'secp256k1', 'hex', 'hex', 'compressed'));
t(() => c.ECDH.convertKey(c.ECDH.convertKey(`03${point}`, 'secp256k1', 'hex', 'hex', 'hybrid').replace(/^07/, '06'), 'secp256k1', 'hex'));
t(() => e.computeSecret(5));
t(() => e.setPublicKey('02', 'hex'));
t(() => e.setPublicKey(`03${point}`, 'hex') === e);
t(() => e.computeSecret(`02${point}`, 'hex', 'hex'));
t(() => c.ECDH.convertKey());
t(() => c.ECDH.convertKey('02', 'nope'));
t(() => c.ECDH.convertKey(`02${point}`, 'secp256k1', 'hex', 'nope'));
for (const curve of ['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1']) {
  t(() => {
    const [one, other] = [c.createECDH(curve), c.createECDH(curve)];
    const shown = one.generateKeys(null, 'compressed');
    other.generateKeys();
    const common = other.computeSecret(shown);
    return [curve, shown.length, common.length, common.equals(one.computeSecret(other.getPublicKey()))];
  });
  t(() => c.createECDH(curve).setPrivateKey('0102030405', 'hex').getPublicKey('hex', 'compressed'));
}
// Keys that are objects.
const made = Object.fromEntries([
  ['ec', { namedCurve: 'P-256' }], ['x25519'], ['ed25519'], ['dh', { prime: bytes, generator: 5 }], ['dh', { group: 'modp5' }],
].map(([type, options], at) => [type + at, c.generateKeyPairSync(type, options)]));
t(() => c.diffieHellman());
t(() => c.diffieHellman({}));
for (const [own, { privateKey }] of Object.entries(made)) {
  for (const [other, { publicKey }] of Object.entries(made)) t(() => [own, other, c.diffieHellman({ privateKey, publicKey }).length]);
}
t(() => c.diffieHellman({ privateKey: made.ec0.publicKey, publicKey: made.ec0.publicKey }));
t(() => c.diffieHellman({ privateKey: made.ec0.privateKey, publicKey: c.createSecretKey(Buffer.from('a')) }));
t(() => c.diffieHellman({ privateKey: made.x255191.privateKey, publicKey: c.createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) }, format: 'jwk' }) }));
t(() => [made.dh3.publicKey.asymmetricKeyType, made.dh3.publicKey.asymmetricKeyDetails, made.dh3.publicKey.export({ type: 'spki', format: 'der' }).subarray(3, 88).toString('hex')]);
t(() => c.createPrivateKey(made.dh3.privateKey.export({ type: 'pkcs8', format: 'pem' })).equals(made.dh3.privateKey));
t(() => made.dh3.publicKey.export({ format: 'jwk' }));
for (const options of [undefined, {}, { group: 'x' }, { group: 5 }, { group: 'modp14', prime: bytes }, { group: 'modp14', generator: 5 }, { prime: bytes, primeLength: 5 }, { prime: 'x' }, { primeLength: 'x' }]) {
  t(() => c.generateKeyPairSync('dh', options));
}
// RFC 7748, 6.1.
t(() => {
  const text = (hex) => Buffer.from(hex, 'hex').toString('base64url');
  const x = text('8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a');
  const d = text('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb');
  const privateKey = c.createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', d, x } });
  const publicKey = c.createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x } });
  return [privateKey.export({ format: 'jwk' }).x, c.diffieHellman({ privateKey, publicKey }).toString('hex')];
});
// Primes.
for (const size of [undefined, 'x', 0, -1, 1.5, 2 ** 31, 1, 2]) t(() => c.generatePrimeSync(size));
for (const size of [1, 2, 3, 4, 5, 6]) t(() => size + typeof c.generatePrimeSync(size, { safe: true, bigint: true }));
for (const options of [5, { safe: 5 }, { bigint: 5 }, { add: 5 }, { rem: 5 }, { add: 5n, rem: 6n }, { add: 5n, rem: 5n }, { add: -5n }, { add: 5n, rem: -5n }, { add: 0n }, { add: 2n ** 40n }]) {
  t(() => c.generatePrimeSync(32, options));
}
for (const [size, options] of [[32, { add: 12n, rem: 11n }], [300, { add: 12n }], [100, { safe: true }], [64, { add: 24n, rem: 23n, safe: true }], [48, { rem: 11n }]]) {
  t(() => {
    const found = c.generatePrimeSync(size, { ...options, bigint: true });
    return [size, found.toString(2).length, options.add && found % options.add, c.checkPrimeSync(found), options.safe && c.checkPrimeSync(found / 2n)];
  });
}
t(() => c.generatePrimeSync(32, { add: Buffer.from([12]), rem: Buffer.from([11]) }).byteLength);
t(() => c.generatePrime(16));
t(() => c.generatePrime(16, 5, () => {}));
t(() => c.generatePrime(16, (...args) => console.log('made', args.length, args[0], args[1].constructor.name)));
for (const candidate of [undefined, 5, '5', -5n, 0n, 1n, 2n, 3n, 561n, 2n ** 521n - 1n, 2n ** 523n - 1n, 3825123056546413051n, new ArrayBuffer(0), Buffer.from([7]), new Uint16Array([7])]) {
  t(() => c.checkPrimeSync(candidate));
}
for (const checks of ['x', -1, 1.5, 2 ** 31, 0, 4]) t(() => c.checkPrimeSync(7n, { checks }));
t(() => c.checkPrime(7n));
t(() => c.checkPrime(7n, {}, (...args) => console.log('checked', args)));
// SPKAC.
t(() => c.Certificate());
t(() => c.Certificate.verifySpkac());
t(() => c.Certificate.verifySpkac('x'));
t(() => c.Certificate.exportPublicKey('x'));
t(() => c.Certificate.exportChallenge('x'));
