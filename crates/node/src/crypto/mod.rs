//! Hashes, keyed hashes and random bytes, for `node:crypto`.

mod blocks;
pub(crate) mod certificates;
pub(crate) mod ciphers;
pub(crate) mod curves;
mod draws;
pub(crate) mod keys;
mod modes;
pub(crate) mod numbers;

use hemiola_engine::beyond;
use hemiola_engine::bridge;
use hemiola_engine::bytes::{copy, fill, seen};
use hemiola_engine::class::{self, Instance, Kind};
use rquickjs::{Ctx, Function, Object, Result, TypedArray, Value};
use sha3::digest::{DynDigest, ExtendableOutput, Update, XofReader};
use std::fmt::Write as _;

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("hashNew", Function::new(ctx.clone(), new)?)?;
    function("hmacNew", Function::new(ctx.clone(), new_keyed)?)?;
    function("hashUpdate", Function::new(ctx.clone(), update)?)?;
    function("hashUpdateText", Function::new(ctx.clone(), update_text)?)?;
    function("hashCopy", Function::new(ctx.clone(), duplicate)?)?;
    function("hashSize", Function::new(ctx.clone(), size)?)?;
    function("hashDigest", Function::new(ctx.clone(), digest)?)?;
    function("randomFill", Function::new(ctx.clone(), random_fill)?)?;
    function("randomBelow", Function::new(ctx.clone(), random_below)?)?;
    function("randomUUID", Function::new(ctx.clone(), random_uuid)?)
}

/// A hash on its way.
#[derive(Clone)]
enum Hash {
    Fixed(Box<dyn DynDigest>),
    /// Two of them, one after the other.
    Both(Box<dyn DynDigest>, Box<dyn DynDigest>),
    Shake128(sha3::Shake128),
    Shake256(sha3::Shake256),
}

impl Hash {
    /// The hash of that name, and the size of its blocks if it can be keyed.
    fn named(name: &str) -> Option<(Self, Option<usize>)> {
        fn fixed(hash: impl DynDigest + 'static, block: usize) -> (Hash, Option<usize>) {
            (Hash::Fixed(Box::new(hash)), Some(block))
        }
        Some(match name {
            "md5" => fixed(md5::Md5::default(), 64),
            "sha1" => fixed(sha1::Sha1::default(), 64),
            "sha224" => fixed(sha2::Sha224::default(), 64),
            "sha256" => fixed(sha2::Sha256::default(), 64),
            "sha384" => fixed(sha2::Sha384::default(), 128),
            "sha512" => fixed(sha2::Sha512::default(), 128),
            "sha512-224" => fixed(sha2::Sha512_224::default(), 128),
            "sha512-256" => fixed(sha2::Sha512_256::default(), 128),
            "sha3-224" => fixed(sha3::Sha3_224::default(), 144),
            "sha3-256" => fixed(sha3::Sha3_256::default(), 136),
            "sha3-384" => fixed(sha3::Sha3_384::default(), 104),
            "sha3-512" => fixed(sha3::Sha3_512::default(), 72),
            "ripemd160" => fixed(ripemd::Ripemd160::default(), 64),
            "blake2b512" => fixed(blake2::Blake2b512::default(), 128),
            "blake2s256" => fixed(blake2::Blake2s256::default(), 64),
            "md5-sha1" => {
                let both: (Box<dyn DynDigest>, Box<dyn DynDigest>) =
                    (Box::new(md5::Md5::default()), Box::new(sha1::Sha1::default()));
                (Self::Both(both.0, both.1), Some(64))
            }
            "shake128" => (Self::Shake128(sha3::Shake128::default()), None),
            "shake256" => (Self::Shake256(sha3::Shake256::default()), None),
            _ => return None,
        })
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Fixed(hash) => hash.update(bytes),
            Self::Both(first, second) => {
                first.update(bytes);
                second.update(bytes);
            }
            Self::Shake128(hash) => hash.update(bytes),
            Self::Shake256(hash) => hash.update(bytes),
        }
    }

    /// How many bytes it gives when nobody asks for another number.
    fn size(&self) -> usize {
        match self {
            Self::Fixed(hash) => hash.output_size(),
            Self::Both(first, second) => first.output_size() + second.output_size(),
            Self::Shake128(_) => 16,
            Self::Shake256(_) => 32,
        }
    }

    fn finish(self, length: usize) -> Vec<u8> {
        let mut output = vec![0; length];
        match self {
            Self::Fixed(hash) => return hash.finalize().into_vec(),
            Self::Both(first, second) => return [first.finalize(), second.finalize()].concat(),
            Self::Shake128(hash) => hash.finalize_xof().read(&mut output),
            Self::Shake256(hash) => hash.finalize_xof().read(&mut output),
        }
        output
    }
}

/// A hash as JavaScript holds it; a keyed one hashes its result once more.
#[derive(Clone)]
pub(crate) struct Hasher {
    hash: Hash,
    outer: Option<Hash>,
}

impl Kind for Hasher {
    const NAME: &'static str = "Hash";
}

/// `hashNew(name)`: a hash, or undefined if there is none of that name.
fn new<'js>(ctx: Ctx<'js>, name: String) -> Result<Option<Instance<'js, Hasher>>> {
    let found = Hash::named(&name);
    found.map(|(hash, _)| class::make(ctx, Hasher { hash, outer: None })).transpose()
}

/// `hmacNew(name, key)`: a keyed hash, or undefined if there is none of that name.
fn new_keyed<'js>(
    ctx: Ctx<'js>,
    name: String,
    key: TypedArray<'js, u8>,
) -> Result<Option<Instance<'js, Hasher>>> {
    let Some((empty, Some(block))) = Hash::named(&name) else { return Ok(None) };
    let mut key = copy(&key, 0, usize::MAX);
    if key.len() > block {
        let mut hash = empty.clone();
        hash.update(&key);
        key = hash.finish(0);
    }
    key.resize(block, 0);
    let padded = |pad: u8| {
        let mut hash = empty.clone();
        hash.update(&key.iter().map(|byte| byte ^ pad).collect::<Vec<u8>>());
        hash
    };
    let hasher = Hasher { hash: padded(0x36), outer: Some(padded(0x5c)) };
    class::make(ctx, hasher).map(Some)
}

/// `hashUpdate(hash, bytes)`.
fn update<'js>(hasher: Instance<'js, Hasher>, bytes: TypedArray<'js, u8>) {
    hasher.borrow_mut().hash.update(seen(&bytes));
}

/// `hashUpdateText(hash, text)`, in UTF-8.
fn update_text<'js>(hasher: Instance<'js, Hasher>, text: Value<'js>) -> Result<()> {
    hasher.borrow_mut().hash.update(&beyond::utf8(&text)?);
    Ok(())
}

/// `hashCopy(hash)`.
fn duplicate<'js>(ctx: Ctx<'js>, hasher: Instance<'js, Hasher>) -> Result<Instance<'js, Hasher>> {
    let copy = Hasher::clone(&hasher.borrow());
    class::make(ctx, copy)
}

/// `hashSize(hash)`: how many bytes it gives; negative for one that can give any number.
fn size(hasher: Instance<'_, Hasher>) -> i32 {
    let hash = &hasher.borrow().hash;
    let size = hash.size() as i32;
    if matches!(hash, Hash::Shake128(_) | Hash::Shake256(_)) { -size } else { size }
}

/// `hashDigest(hash, length)`: the length is that of a hash which can give any number of bytes.
fn digest<'js>(
    ctx: Ctx<'js>,
    hasher: Instance<'js, Hasher>,
    length: usize,
) -> Result<TypedArray<'js, u8>> {
    let Hasher { hash, outer } = Hasher::clone(&hasher.borrow());
    let mut output = hash.finish(length);
    if let Some(mut outer) = outer {
        outer.update(&output);
        output = outer.finish(length);
    }
    TypedArray::new(ctx, output)
}

/// So many random bytes.
fn random_bytes(count: usize) -> impl Iterator<Item = u8> {
    let words = std::iter::repeat_with(|| bridge::with(|context| context.random()));
    words.flat_map(u64::to_le_bytes).take(count)
}

/// `randomFill(bytes)`: puts random bytes in place of all.
fn random_fill(array: TypedArray<'_, u8>) {
    fill(&array, |count| random_bytes(count).collect());
}

/// `randomBelow(range)`: a whole number from 0 up to, but not including, `range`, all equally likely;
/// `range` is at most 2^48.
fn random_below(range: f64) -> f64 {
    const NUMBERS: u64 = 1 << 48;
    let range = (range as u64).clamp(1, NUMBERS);
    // The last numbers, which do not make up a whole range, would favour the small results.
    let limit = NUMBERS - NUMBERS % range;
    loop {
        let drawn = bridge::with(|context| context.random()) >> 16;
        if drawn < limit {
            return (drawn % range) as f64;
        }
    }
}

/// `randomUUID()`: version 4.
fn random_uuid() -> String {
    let mut bytes: Vec<u8> = random_bytes(16).collect();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = String::with_capacity(36);
    for (at, byte) in bytes.into_iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        let _ = write!(text, "{byte:02x}");
    }
    text
}
