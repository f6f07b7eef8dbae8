//! Ciphers that go piece by piece, and keys from passwords, for `node:crypto`.

use super::blocks::{Block, Counter, Keyed, xor};
use super::modes::{Ccm, Fed, Feedback, Ocb, wrap};
use aes::cipher::{KeyInit, KeyIvInit, StreamCipher, consts::U16};
use chacha20::ChaCha20;
use ghash::{GHash, universal_hash::UniversalHash};
use hemiola_engine::bytes::{array, copy, no_memory};
use hemiola_engine::class::{self, Instance, Kind};
use hemiola_engine::state::state;
use poly1305::Poly1305;
use rquickjs::{Ctx, Function, Object, Result, TypedArray};

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("cipherNew", Function::new(ctx.clone(), new)?)?;
    function("cipherUpdate", Function::new(ctx.clone(), update)?)?;
    function("cipherFinal", Function::new(ctx.clone(), finish)?)?;
    function("cipherAuthenticate", Function::new(ctx.clone(), authenticate)?)?;
    function("cipherTag", Function::new(ctx.clone(), tag)?)?;
    function("pbkdf2", Function::new(ctx.clone(), pbkdf2_derive)?)?;
    function("scrypt", Function::new(ctx.clone(), scrypt_derive)?)
}

/// Blocks one by one: as they are, or each mixed with the one before.
struct Blocks {
    keyed: Keyed,
    /// The block before, in the mode that mixes.
    before: Option<Block>,
    /// Bytes that do not fill a block; when padding is to be taken off, also the last block.
    held: Vec<u8>,
    encrypts: bool,
    pads: bool,
}

impl Blocks {
    fn one(&mut self, block: &mut [u8]) {
        let mut hidden = [0; 16];
        if self.encrypts {
            if let Some(before) = &self.before {
                xor(block, before);
            }
            self.keyed.encrypt(block);
            hidden[..block.len()].copy_from_slice(block);
        } else {
            hidden[..block.len()].copy_from_slice(block);
            self.keyed.decrypt(block);
            if let Some(before) = &self.before {
                xor(block, before);
            }
        }
        if let Some(before) = &mut self.before {
            *before = hidden;
        }
    }

    fn update(&mut self, bytes: &[u8]) -> Vec<u8> {
        let width = self.keyed.width();
        self.held.extend_from_slice(bytes);
        let mut whole = self.held.len() / width * width;
        if !self.encrypts && self.pads && whole == self.held.len() {
            whole = whole.saturating_sub(width);
        }
        let held = self.held.split_off(whole);
        let mut ready = std::mem::replace(&mut self.held, held);
        ready.chunks_exact_mut(width).for_each(|block| self.one(block));
        ready
    }

    fn finish(&mut self) -> std::result::Result<Vec<u8>, &'static str> {
        let width = self.keyed.width();
        let mut held = std::mem::take(&mut self.held);
        if !self.pads {
            return if held.is_empty() { Ok(held) } else { Err("wrong final block length") };
        }
        if self.encrypts {
            let missing = width - held.len();
            held.extend(std::iter::repeat_n(missing as u8, missing));
            self.one(&mut held);
            return Ok(held);
        }
        if held.len() != width {
            return Err("wrong final block length");
        }
        self.one(&mut held);
        let padding = usize::from(held[width - 1]);
        let is_right = (1..=width).contains(&padding)
            && held[width - padding..].iter().all(|byte| usize::from(*byte) == padding);
        held.truncate(width.saturating_sub(padding));
        if is_right { Ok(held) } else { Err("bad decrypt") }
    }
}

/// A hash over blocks, of which the last may not be full: either part is filled up with zeros.
#[derive(Clone)]
struct Padded<H> {
    hash: H,
    held: Vec<u8>,
    lengths: [u64; 2],
    in_text: bool,
}

impl<H: UniversalHash<BlockSize = U16>> Padded<H> {
    fn new(hash: H) -> Self {
        Self { hash, held: Vec::new(), lengths: [0, 0], in_text: false }
    }

    fn add(&mut self, bytes: &[u8], is_text: bool) {
        if is_text && !self.in_text {
            self.fill();
            self.in_text = true;
        }
        self.lengths[usize::from(is_text)] += bytes.len() as u64;
        self.held.extend_from_slice(bytes);
        let whole = self.held.len() / 16 * 16;
        self.hash.update_padded(&self.held[..whole]);
        self.held.drain(..whole);
    }

    fn fill(&mut self) {
        let held = std::mem::take(&mut self.held);
        self.hash.update_padded(&held);
    }

    fn finish(mut self, lengths: [[u8; 8]; 2]) -> Block {
        self.fill();
        self.hash.update_padded(&lengths.concat());
        self.hash.finalize().into()
    }
}

enum Cipher {
    Blocks(Box<Blocks>),
    Counter(Box<Counter>),
    Gcm { counter: Box<Counter>, hash: Box<Padded<GHash>>, mask: Block },
    ChaCha { stream: Box<ChaCha20>, hash: Box<Padded<Poly1305>> },
    Feedback(Box<Feedback>),
    Ccm(Box<Ccm>),
    Ocb(Box<Ocb>),
    Wrap { keyed: Keyed, start: Vec<u8> },
}

/// A cipher as JavaScript holds it.
pub(crate) struct Machine {
    cipher: Cipher,
    encrypts: bool,
    tag: Option<Block>,
}

impl Kind for Machine {
    const NAME: &'static str = "Cipher";
}

/// The cipher of that mode; lengths of keys, starts and seals have been checked.
fn cipher(
    mode: &str,
    key: &[u8],
    start: &[u8],
    encrypts: bool,
    pads: bool,
    tag_length: usize,
) -> Option<Cipher> {
    if mode == "chacha20-poly1305" {
        let mut nonce = [0; 12];
        // A short one is filled up in front.
        nonce[12 - start.len().min(12)..].copy_from_slice(&start[..start.len().min(12)]);
        let mut stream = ChaCha20::new_from_slices(key, &nonce).ok()?;
        let mut first = [0; 64];
        stream.apply_keystream(&mut first);
        let hash = Poly1305::new_from_slice(&first[..32]).ok()?;
        return Some(Cipher::ChaCha {
            stream: Box::new(stream),
            hash: Box::new(Padded::new(hash)),
        });
    }
    let (mode, keyed) = match mode.strip_prefix("des-") {
        Some(mode) => (mode, Keyed::des(key)?),
        None => (mode, Keyed::aes(key)?),
    };
    let block = || -> Option<Block> {
        let mut block = [0; 16];
        block.get_mut(..start.len())?.copy_from_slice(start);
        (start.len() == keyed.width()).then_some(block)
    };
    Some(match mode {
        "ecb" | "cbc" => {
            let before = if mode == "cbc" { Some(block()?) } else { None };
            Cipher::Blocks(Box::new(Blocks { keyed, before, held: Vec::new(), encrypts, pads }))
        }
        "cfb" | "cfb8" | "ofb" => {
            let fed = match mode {
                "cfb" => Fed::Result,
                "cfb8" => Fed::ResultByte,
                _ => Fed::Key,
            };
            let register = block()?;
            Cipher::Feedback(Box::new(Feedback::new(keyed, register, fed, encrypts)))
        }
        "ccm" => Cipher::Ccm(Box::new(Ccm::new(keyed, start, tag_length)?)),
        "ocb" => Cipher::Ocb(Box::new(Ocb::new(keyed, start, tag_length)?)),
        "wrap" => Cipher::Wrap { keyed, start: start.to_vec() },
        "ctr" => {
            let start = block()?;
            Cipher::Counter(Box::new(Counter::new(keyed, start, 16)))
        }
        "gcm" => {
            let mut key = [0; 16];
            keyed.encrypt(&mut key);
            let hash = GHash::new_from_slice(&key).ok()?;
            let mut counter = [0; 16];
            if start.len() == 12 {
                counter[..12].copy_from_slice(start);
                counter[15] = 1;
            } else {
                let mut start_hash = Padded::new(hash.clone());
                start_hash.add(start, false);
                let bits = (start.len() as u64 * 8).to_be_bytes();
                counter = start_hash.finish([[0; 8], bits]);
            }
            let mut counter = Counter::new(keyed, counter, 4);
            let mut mask = [0; 16];
            counter.apply(&mut mask);
            Cipher::Gcm { counter: Box::new(counter), hash: Box::new(Padded::new(hash)), mask }
        }
        _ => return None,
    })
}

/// `cipherNew(mode, key, start, encrypts, pads, tagLength)`: a cipher, or undefined if there is none of that kind.
fn new<'js>(
    ctx: Ctx<'js>,
    mode: String,
    key: TypedArray<'js, u8>,
    start: TypedArray<'js, u8>,
    encrypts: bool,
    pads: bool,
    tag_length: usize,
) -> Result<Option<Instance<'js, Machine>>> {
    let (key, start) = (copy(&key, 0, usize::MAX), copy(&start, 0, usize::MAX));
    let cipher = cipher(&mode, &key, &start, encrypts, pads, tag_length);
    cipher.map(|cipher| class::make(ctx, Machine { cipher, encrypts, tag: None })).transpose()
}

/// `cipherAuthenticate(cipher, bytes)`: bytes that are not made unreadable, but cannot be changed.
fn authenticate<'js>(machine: Instance<'js, Machine>, bytes: TypedArray<'js, u8>) {
    let bytes = copy(&bytes, 0, usize::MAX);
    match &mut machine.borrow_mut().cipher {
        Cipher::Gcm { hash, .. } => hash.add(&bytes, false),
        Cipher::ChaCha { hash, .. } => hash.add(&bytes, false),
        Cipher::Ccm(ccm) => ccm.extra.extend(bytes),
        Cipher::Ocb(ocb) => ocb.authenticate(&bytes),
        _ => {}
    }
}

/// `cipherUpdate(cipher, bytes)`: what comes of them, as far as it is known; undefined if these bytes are no
/// wrapped key, or none that can be wrapped.
fn update<'js>(
    ctx: Ctx<'js>,
    machine: Instance<'js, Machine>,
    bytes: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    let mut bytes = copy(&bytes, 0, usize::MAX);
    let machine: &mut Machine = &mut machine.borrow_mut();
    match &mut machine.cipher {
        Cipher::Blocks(blocks) => bytes = blocks.update(&bytes),
        Cipher::Counter(counter) => counter.apply(&mut bytes),
        Cipher::Gcm { counter, hash, .. } => {
            if !machine.encrypts {
                hash.add(&bytes, true);
            }
            counter.apply(&mut bytes);
            if machine.encrypts {
                hash.add(&bytes, true);
            }
        }
        Cipher::ChaCha { stream, hash } => {
            if !machine.encrypts {
                hash.add(&bytes, true);
            }
            stream.apply_keystream(&mut bytes);
            if machine.encrypts {
                hash.add(&bytes, true);
            }
        }
        Cipher::Feedback(feedback) => feedback.apply(&mut bytes),
        Cipher::Ccm(ccm) => machine.tag = Some(ccm.apply(&mut bytes, machine.encrypts)),
        Cipher::Ocb(ocb) => bytes = ocb.update(&bytes, machine.encrypts),
        Cipher::Wrap { keyed, start } => match wrap(keyed, start, &bytes, machine.encrypts) {
            Some(wrapped) => bytes = wrapped,
            None => return Ok(None),
        },
    }
    array(&ctx, bytes).map(Some)
}

/// `cipherFinal(cipher)`: the rest, or what is wrong, as a text.
fn finish<'js>(ctx: Ctx<'js>, machine: Instance<'js, Machine>) -> Result<rquickjs::Value<'js>> {
    use rquickjs::IntoJs;
    let machine: &mut Machine = &mut machine.borrow_mut();
    let rest = match &mut machine.cipher {
        Cipher::Blocks(blocks) => blocks.finish(),
        Cipher::Counter(_) | Cipher::Feedback(_) | Cipher::Ccm(_) | Cipher::Wrap { .. } => {
            Ok(Vec::new())
        }
        Cipher::Ocb(ocb) => {
            let (rest, tag) = ocb.finish(machine.encrypts);
            machine.tag = Some(tag);
            Ok(rest)
        }
        Cipher::Gcm { hash, mask, .. } => {
            let lengths = hash.lengths.map(|length| (length * 8).to_be_bytes());
            let mut tag = hash.clone().finish(lengths);
            xor(&mut tag, mask);
            machine.tag = Some(tag);
            Ok(Vec::new())
        }
        Cipher::ChaCha { hash, .. } => {
            let lengths = hash.lengths.map(u64::to_le_bytes);
            machine.tag = Some(hash.clone().finish(lengths));
            Ok(Vec::new())
        }
    };
    match rest {
        Ok(rest) => TypedArray::<u8>::new(ctx, rest).map(TypedArray::into_value),
        Err(what) => what.into_js(&ctx),
    }
}

/// `cipherTag(cipher)`: the seal over all, after the end.
fn tag<'js>(ctx: Ctx<'js>, machine: Instance<'js, Machine>) -> Result<Option<TypedArray<'js, u8>>> {
    let tag = machine.borrow().tag;
    tag.map(|tag| TypedArray::new(ctx, tag.to_vec())).transpose()
}

/// So many zeros; throws if there is no memory for them.
fn zeros(ctx: &Ctx<'_>, length: usize) -> Result<Vec<u8>> {
    if state(ctx).settings.budget.grants(length) {
        Ok(vec![0; length])
    } else {
        Err(no_memory(ctx))
    }
}

/// `pbkdf2(hash, password, salt, rounds, length)`: a key, or undefined if there is no such hash.
fn pbkdf2_derive<'js>(
    ctx: Ctx<'js>,
    hash: String,
    password: TypedArray<'js, u8>,
    salt: TypedArray<'js, u8>,
    rounds: u32,
    length: usize,
) -> Result<Option<TypedArray<'js, u8>>> {
    let (password, salt) = (copy(&password, 0, usize::MAX), copy(&salt, 0, usize::MAX));
    let mut key = zeros(&ctx, length)?;
    let (password, salt, output) = (&password[..], &salt[..], &mut key[..]);
    match hash.as_str() {
        "md5" => pbkdf2::pbkdf2_hmac::<md5::Md5>(password, salt, rounds, output),
        "sha1" => pbkdf2::pbkdf2_hmac::<sha1::Sha1>(password, salt, rounds, output),
        "sha224" => pbkdf2::pbkdf2_hmac::<sha2::Sha224>(password, salt, rounds, output),
        "sha256" => pbkdf2::pbkdf2_hmac::<sha2::Sha256>(password, salt, rounds, output),
        "sha384" => pbkdf2::pbkdf2_hmac::<sha2::Sha384>(password, salt, rounds, output),
        "sha512" => pbkdf2::pbkdf2_hmac::<sha2::Sha512>(password, salt, rounds, output),
        "ripemd160" => pbkdf2::pbkdf2_hmac::<ripemd::Ripemd160>(password, salt, rounds, output),
        _ => return Ok(None),
    }
    array(&ctx, key).map(Some)
}

/// `scrypt(password, salt, cost, blockSize, parallelization, length)`: a key, or undefined if the numbers
/// are none that there can be.
fn scrypt_derive<'js>(
    ctx: Ctx<'js>,
    password: TypedArray<'js, u8>,
    salt: TypedArray<'js, u8>,
    cost: f64,
    block: u32,
    parallel: u32,
    length: usize,
) -> Result<Option<TypedArray<'js, u8>>> {
    let (password, salt) = (copy(&password, 0, usize::MAX), copy(&salt, 0, usize::MAX));
    let Ok(parameters) = scrypt::Params::new((cost as u64).trailing_zeros() as u8, block, parallel)
    else {
        return Ok(None);
    };
    // What it computes with is as large as the program says.
    let wide = 128.0 * f64::from(block) * (cost + f64::from(parallel));
    if !state(&ctx).settings.budget.grants(wide as usize) {
        return Ok(None);
    }
    let mut key = zeros(&ctx, length)?;
    if length > 0 && scrypt::scrypt(&password, &salt, &parameters, &mut key).is_err() {
        return Ok(None);
    }
    array(&ctx, key).map(Some)
}
