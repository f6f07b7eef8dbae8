//! `node:crypto` and the global `crypto`: published vectors, and random values that a seed decides.

use crate::common::{HEMIOLA, isolated};

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
