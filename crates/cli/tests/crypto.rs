//! `node:crypto` and the global `crypto`: published vectors, and random values that a seed decides.

use crate::common::{HEMIOLA, directory, hemiola, isolated};

fn shown(args: &[&str]) -> String {
    let output = isolated(HEMIOLA).args(args).output();
    let output = output.expect("the command can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

/// Hashes of `abc`, from FIPS 180-4 and 202, RFC 1321, RFC 7693 and the paper on RIPEMD-160.
const ABC: [(&str, &str); 11] = [
    ("md5", "900150983cd24fb0d6963f7d28e17f72"),
    ("sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("sha224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    ("sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        "sha384",
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
    ),
    (
        "sha512",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
         2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ),
    ("sha512-256", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    ("sha3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
    ("ripemd160", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
    (
        "blake2b512",
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1\
         7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
    ),
    ("blake2s256", "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"),
];

#[test]
fn hashes_have_the_published_values() {
    let program = "const { createHash } = require('crypto');
        for (const name of process.argv.slice(1)) {
          // In one piece, in three, and of a copy that was made on the way.
          const parts = createHash(name).update('a');
          const copy = parts.copy();
          console.log(createHash(name).update('abc').digest('hex'), parts.update('b').update('c').digest('hex'),
            copy.update(Buffer.from('6263', 'hex')).digest('hex'));
        }";
    let names = ABC.map(|(name, _)| name);
    let printed = shown(&[&["run", "-e", program], &names[..]].concat());
    for ((name, hash), line) in ABC.iter().zip(printed.lines()) {
        assert_eq!(line, format!("{hash} {hash} {hash}"), "{name}");
    }
    assert_eq!(printed.lines().count(), ABC.len());
}

#[test]
fn keyed_hashes_have_the_values_of_rfc_4231() {
    let program = "const { createHmac } = require('node:crypto');
        const show = (key, data) => console.log(createHmac('sha256', key).update(data).digest('hex'));
        show(Buffer.alloc(20, 0x0b), 'Hi There');
        show('Jefe', 'what do ya want for nothing?');
        show(Buffer.alloc(131, 0xaa), 'Test Using Larger Than Block-Size Key - Hash Key First');";
    let expected = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7\n\
        5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843\n\
        60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54\n";
    assert_eq!(shown(&["run", "-e", program]), expected);
}

#[test]
fn web_crypto_digests_and_signs() {
    let program = "const hex = (buffer) => Buffer.from(buffer).toString('hex');
        (async () => {
          console.log(hex(await crypto.subtle.digest('SHA-1', Buffer.from('abc'))));
          const algorithm = { name: 'HMAC', hash: 'SHA-256' };
          const key = await crypto.subtle.importKey('raw', Buffer.from('Jefe'), algorithm, false, ['sign', 'verify']);
          const signature = await crypto.subtle.sign('HMAC', key, Buffer.from('what do ya want for nothing?'));
          console.log(hex(signature).slice(0, 8), await crypto.subtle.verify('HMAC', key, signature, Buffer.from('no')));
          await crypto.subtle.digest('MD5', new Uint8Array()).catch((error) => console.log(error.name, error.message));
        })();";
    let expected = "a9993e364706816aba3e25717850c26c9cd0d89d\n5bdcc146 false\n\
        NotSupportedError Unrecognized algorithm name\n";
    assert_eq!(shown(&["run", "-e", program]), expected);
}

#[test]
fn a_seed_decides_random_values() {
    let program = "const crypto = require('crypto');
        console.log(crypto.randomUUID(), crypto.randomBytes(9).toString('hex'), crypto.randomInt(1e9),
          globalThis.crypto.getRandomValues(new Uint32Array(3)).join());
        crypto.randomFill(Buffer.alloc(5), (error, bytes) => console.log(error, bytes.toString('hex')));";
    let draw = |seed: &str| shown(&["simulate", "--seed", seed, "-e", program]);
    assert_eq!(draw("7"), draw("7"));
    assert_ne!(draw("7"), draw("8"));
    assert_ne!(shown(&["run", "-e", program]), shown(&["run", "-e", program]));
}

#[test]
fn random_numbers_are_spread_evenly() {
    let program = "const crypto = require('crypto');
        const counts = Array(10).fill(0);
        for (let i = 0; i < 20000; i++) counts[crypto.randomInt(-5, 5) + 5]++;
        const bits = Array(8).fill(0);
        for (const byte of crypto.randomBytes(8000)) for (let bit = 0; bit < 8; bit++) bits[bit] += (byte >> bit) & 1;
        console.log(counts.every((n) => n > 1700 && n < 2300), bits.every((n) => n > 3700 && n < 4300));";
    assert_eq!(shown(&["simulate", "-e", program]), "true true\n");
}

#[test]
fn states_and_sizes_are_checked() {
    let program = "const crypto = require('crypto');
        const used = crypto.createHash('md5');
        used.digest();
        for (const act of [() => used.update('x'), () => used.digest(), () => used.copy(), () => crypto.createHash('none'),
          () => crypto.createHmac('none', 'k'), () => crypto.randomInt(5, 5), () => crypto.randomBytes(-1),
          () => crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('ab')),
          () => globalThis.crypto.getRandomValues(new Uint8Array(65537))]) {
          try { act(); } catch (error) { console.log(error.code ?? error.message); }
        }";
    let expected = "ERR_CRYPTO_HASH_FINALIZED\nERR_CRYPTO_HASH_FINALIZED\nERR_CRYPTO_HASH_FINALIZED\n\
        Digest method not supported\nERR_CRYPTO_INVALID_DIGEST\nERR_OUT_OF_RANGE\nERR_OUT_OF_RANGE\n\
        ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH\n22\n";
    assert_eq!(shown(&["run", "-e", program]), expected);
}

/// CRYPTO-11, with the values of RFC 3394, RFC 5869, RFC 8032 and McGrew and Viega's paper on GCM.
#[test]
fn web_crypto_has_the_published_values() {
    let program = "const s = crypto.subtle;
        const bytes = (hex) => Buffer.from(hex, 'hex');
        const show = (value) => console.log(Buffer.from(value).toString('hex'));
        (async () => {
          const gcm = await s.importKey('raw', bytes('00'.repeat(16)), 'AES-GCM', false, ['encrypt']);
          show(await s.encrypt({ name: 'AES-GCM', iv: bytes('00'.repeat(12)) }, gcm, bytes('00'.repeat(16))));
          const wrapping = await s.importKey('raw', bytes('000102030405060708090a0b0c0d0e0f'), 'AES-KW', false, ['wrapKey']);
          const inner = await s.importKey('raw', bytes('00112233445566778899aabbccddeeff'), 'AES-CBC', true, ['encrypt']);
          show(await s.wrapKey('raw', inner, wrapping, 'AES-KW'));
          const base = await s.importKey('raw', bytes('0b'.repeat(22)), 'HKDF', false, ['deriveBits']);
          const salt = bytes('000102030405060708090a0b0c');
          show(await s.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info: bytes('f0f1f2f3f4f5f6f7f8f9') }, base, 336));
          const d = bytes('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60').toString('base64url');
          const x = bytes('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a').toString('base64url');
          const edwards = await s.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', d, x }, 'Ed25519', false, ['sign']);
          show(await s.sign('Ed25519', edwards, bytes('')));
        })();";
    assert_eq!(
        shown(&["run", "-e", program]),
        "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf\n\
         1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5\n\
         3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865\n\
         e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b\n"
    );
}

#[test]
fn keys_of_web_crypto_are_those_of_the_seed_and_of_the_recording() {
    let program = "(async () => {
          const s = crypto.subtle;
          const { privateKey, publicKey } = await s.generateKey({ name: 'ECDH', namedCurve: 'P-384' }, true, ['deriveKey']);
          const sealing = await s.deriveKey({ name: 'ECDH', public: publicKey }, privateKey, { name: 'AES-CTR', length: 256 }, true, ['encrypt']);
          console.log((await s.exportKey('jwk', sealing)).k, (await s.exportKey('jwk', privateKey)).d);
        })();";
    let simulated = |seed| shown(&["simulate", "--seed", seed, "-e", program]);
    assert_eq!(simulated("3"), simulated("3"));
    assert_ne!(simulated("3"), simulated("4"));
}

/// CRYPTO-15.
#[test]
fn primes_and_agreed_keys_are_those_of_the_seed_and_of_the_recording() {
    let program = "const crypto = require('crypto');
        const group = crypto.getDiffieHellman('modp5');
        const dh = crypto.generateKeyPairSync('dh', { primeLength: 512 }).publicKey;
        console.log(crypto.generatePrimeSync(96, { bigint: true }), group.generateKeys('hex'),
          crypto.createECDH('secp521r1').generateKeys('hex', 'compressed'), dh.export({ type: 'spki', format: 'pem' }));
        crypto.generatePrime(64, { safe: true, bigint: true }, (error, prime) => console.log(error, prime));
        const { privateKey } = crypto.generateKeyPairSync('x25519');
        console.log(privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }));";
    let simulated = |seed| shown(&["simulate", "--seed", seed, "-e", program]);
    assert_eq!(simulated("3"), simulated("3"));
    assert_ne!(simulated("3"), simulated("4"));
    let folder = directory("crypto_draws", &[("draws.js", program)]);
    let mut command = hemiola(&folder);
    command.args(["run", "--record", "--verify", "draws.js"]);
    command.env("HEMIOLA_RUNS", folder.join("runs"));
    let output = command.output().expect("the command can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
