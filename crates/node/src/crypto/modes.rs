//! Ways to use a cipher of blocks that only some programs want: feedback, CCM, OCB, and wrapping of keys.

use super::blocks::{Block, Counter, Keyed, xor};

/// What goes into the register from which the next bytes are mixed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fed {
    /// The result, a block at a time.
    Result,
    /// The result, byte by byte.
    ResultByte,
    /// What was mixed in, whatever the text is.
    Key,
}

/// Bytes that depend on those before them (SP 800-38A).
pub(super) struct Feedback {
    pub(super) keyed: Keyed,
    pub(super) register: Block,
    pub(super) fed: Fed,
    pub(super) encrypts: bool,
    key: Block,
    used: usize,
}

impl Feedback {
    pub(super) fn new(keyed: Keyed, register: Block, fed: Fed, encrypts: bool) -> Self {
        let used = keyed.width();
        Self { keyed, register, fed, encrypts, key: [0; 16], used }
    }

    pub(super) fn apply(&mut self, bytes: &mut [u8]) {
        let width = self.keyed.width();
        for byte in bytes {
            if self.used == width || self.fed == Fed::ResultByte {
                self.key = self.register;
                self.keyed.encrypt(&mut self.key[..width]);
                self.used = 0;
                if self.fed == Fed::Key {
                    self.register = self.key;
                }
            }
            let given = *byte;
            *byte ^= self.key[self.used];
            let result = if self.encrypts { *byte } else { given };
            match self.fed {
                Fed::Result => self.register[self.used] = result,
                Fed::ResultByte => {
                    self.register.copy_within(1..width, 0);
                    self.register[width - 1] = result;
                }
                Fed::Key => {}
            }
            self.used += 1;
        }
    }
}

/// A counter, and a seal that needs to know the length of the text before it begins (RFC 3610).
pub(super) struct Ccm {
    counter: Counter,
    mask: Block,
    nonce: Vec<u8>,
    tag_length: usize,
    pub(super) extra: Vec<u8>,
}

impl Ccm {
    /// The nonce has 7 to 13 bytes.
    pub(super) fn new(keyed: Keyed, nonce: &[u8], tag_length: usize) -> Option<Self> {
        let width = 15usize.checked_sub(nonce.len()).filter(|width| (2..=8).contains(width))?;
        let mut start = [0; 16];
        start[0] = (width - 1) as u8;
        start[1..=nonce.len()].copy_from_slice(nonce);
        let mut counter = Counter::new(keyed, start, width);
        let mut mask = [0; 16];
        counter.apply(&mut mask);
        Some(Self { counter, mask, nonce: nonce.to_vec(), tag_length, extra: Vec::new() })
    }

    /// Hides or shows the whole text, and gives the seal.
    pub(super) fn apply(&mut self, bytes: &mut [u8], encrypts: bool) -> Block {
        if !encrypts {
            self.counter.apply(bytes);
        }
        let width = 15 - self.nonce.len();
        let mut sum = [0; 16];
        let flags = u8::from(!self.extra.is_empty()) << 6;
        sum[0] = flags | (((self.tag_length - 2) / 2) << 3 | (width - 1)) as u8;
        sum[1..=self.nonce.len()].copy_from_slice(&self.nonce);
        let length = (bytes.len() as u64).to_be_bytes();
        sum[16 - width..].copy_from_slice(&length[8 - width..]);
        self.counter.keyed.encrypt(&mut sum);
        if !self.extra.is_empty() {
            let length = self.extra.len() as u32;
            let prefix = match u16::try_from(length) {
                Ok(short) if short < 0xff00 => short.to_be_bytes().to_vec(),
                _ => [&[0xff, 0xfe][..], &length.to_be_bytes()].concat(),
            };
            self.add(&mut sum, &[prefix, self.extra.clone()].concat());
        }
        self.add(&mut sum, bytes);
        if encrypts {
            self.counter.apply(bytes);
        }
        xor(&mut sum, &self.mask);
        sum
    }

    fn add(&self, sum: &mut Block, bytes: &[u8]) {
        for block in bytes.chunks(16) {
            xor(sum, block);
            self.counter.keyed.encrypt(sum);
        }
    }
}

/// Each block mixed with an offset of its own, before and after (RFC 7253).
pub(super) struct Ocb {
    keyed: Keyed,
    /// What the last, short block is mixed with, what the seal is, and what the others are.
    short: Block,
    sealing: Block,
    offset: Block,
    checksum: Block,
    count: u64,
    held: Vec<u8>,
    extra: Vec<u8>,
}

fn doubled(block: Block) -> Block {
    let number = u128::from_be_bytes(block);
    let over = if number >> 127 == 1 { 0x87 } else { 0 };
    (number << 1 ^ over).to_be_bytes()
}

impl Ocb {
    /// The nonce has 1 to 15 bytes.
    pub(super) fn new(keyed: Keyed, nonce: &[u8], tag_length: usize) -> Option<Self> {
        let free = 16usize.checked_sub(nonce.len() + 1)?;
        let mut short = [0; 16];
        keyed.encrypt(&mut short);
        let mut top = [0; 16];
        top[16 - nonce.len()..].copy_from_slice(nonce);
        top[free] |= 1;
        top[0] |= ((tag_length * 8 % 128) << 1) as u8;
        let bottom = usize::from(top[15] & 63);
        top[15] &= !63;
        keyed.encrypt(&mut top);
        let mut stretched = top.to_vec();
        stretched.extend((0..8).map(|at| top[at] ^ top[at + 1]));
        let mut offset = [0; 16];
        for (at, byte) in offset.iter_mut().enumerate() {
            let from = at + bottom / 8;
            let two = u16::from_be_bytes([stretched[from], *stretched.get(from + 1).unwrap_or(&0)]);
            *byte = (two << (bottom % 8) >> 8) as u8;
        }
        let sealing = doubled(short);
        let (checksum, held, extra) = ([0; 16], Vec::new(), Vec::new());
        Some(Self { keyed, short, sealing, offset, checksum, count: 0, held, extra })
    }

    pub(super) fn authenticate(&mut self, bytes: &[u8]) {
        self.extra.extend_from_slice(bytes);
    }

    /// The offset that the block of that number, from 1 on, adds.
    fn step(&self, number: u64) -> Block {
        (0..=number.trailing_zeros()).fold(self.sealing, |block, _| doubled(block))
    }

    pub(super) fn update(&mut self, bytes: &[u8], encrypts: bool) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        let held = self.held.split_off(self.held.len() / 16 * 16);
        let mut ready = std::mem::replace(&mut self.held, held);
        for block in ready.chunks_exact_mut(16) {
            self.count += 1;
            let step = self.step(self.count);
            xor(&mut self.offset, &step);
            if encrypts {
                xor(&mut self.checksum, block);
            }
            xor(block, &self.offset);
            if encrypts {
                self.keyed.encrypt(block);
            } else {
                self.keyed.decrypt(block);
            }
            xor(block, &self.offset);
            if !encrypts {
                xor(&mut self.checksum, block);
            }
        }
        ready
    }

    /// The rest of the text, and the seal.
    pub(super) fn finish(&mut self, encrypts: bool) -> (Vec<u8>, Block) {
        let mut rest = std::mem::take(&mut self.held);
        if !rest.is_empty() {
            xor(&mut self.offset, &self.short);
            let mut key = self.offset;
            self.keyed.encrypt(&mut key);
            let given = rest.clone();
            xor(&mut rest, &key);
            let plain = if encrypts { &given } else { &rest };
            xor(&mut self.checksum, plain);
            self.checksum[plain.len()] ^= 0x80;
        }
        let mut tag = self.checksum;
        xor(&mut tag, &self.offset);
        xor(&mut tag, &self.sealing);
        self.keyed.encrypt(&mut tag);
        xor(&mut tag, &self.extra_sum());
        (rest, tag)
    }

    fn extra_sum(&self) -> Block {
        let (mut sum, mut offset) = ([0; 16], [0; 16]);
        for (at, piece) in self.extra.chunks(16).enumerate() {
            let mut block = [0; 16];
            block[..piece.len()].copy_from_slice(piece);
            if piece.len() == 16 {
                xor(&mut offset, &self.step(at as u64 + 1));
            } else {
                xor(&mut offset, &self.short);
                block[piece.len()] = 0x80;
            }
            xor(&mut block, &offset);
            self.keyed.encrypt(&mut block);
            xor(&mut sum, &block);
        }
        sum
    }
}

/// Hides a key in another one, or shows it, if it was hidden so (RFC 3394).
pub(super) fn wrap(keyed: &Keyed, start: &[u8], bytes: &[u8], encrypts: bool) -> Option<Vec<u8>> {
    let least = if encrypts { 16 } else { 24 };
    if !bytes.len().is_multiple_of(8) || bytes.len() < least || start.len() != 8 {
        return None;
    }
    let mut output = if encrypts { [start, bytes].concat() } else { bytes.to_vec() };
    let count = output.len() as u64 / 8 - 1;
    let mut step = |number: u64| {
        let at = 8 * ((number - 1) % count + 1) as usize;
        let mut block = [0; 16];
        block[..8].copy_from_slice(&output[..8]);
        block[8..].copy_from_slice(&output[at..at + 8]);
        if encrypts {
            keyed.encrypt(&mut block);
            xor(&mut block[..8], &number.to_be_bytes());
        } else {
            xor(&mut block[..8], &number.to_be_bytes());
            keyed.decrypt(&mut block);
        }
        output[..8].copy_from_slice(&block[..8]);
        output[at..at + 8].copy_from_slice(&block[8..]);
    };
    if encrypts {
        (1..=6 * count).for_each(&mut step);
        return Some(output);
    }
    (1..=6 * count).rev().for_each(&mut step);
    let difference = output[..8].iter().zip(start).fold(0, |sum, (one, other)| sum | (one ^ other));
    (difference == 0).then(|| output.split_off(8))
}
