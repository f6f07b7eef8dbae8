//! Ciphers of blocks with their keys, and the counter that most uses of them need.

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};

pub(super) type Block = [u8; 16];

/// A cipher of blocks with its key: AES with a key of any length, or three times DES.
pub(super) enum Keyed {
    A128(Box<aes::Aes128>),
    A192(Box<aes::Aes192>),
    A256(Box<aes::Aes256>),
    Des(Box<des::TdesEde3>),
}

/// Runs a macro with the cipher and the blocks that it takes.
macro_rules! with_cipher {
    ($keyed:expr, $block:expr, $act:ident) => {{
        const RIGHT: &str = "blocks have the cipher's length";
        match $keyed {
            Keyed::A128(aes) => aes.$act($block.try_into().expect(RIGHT)),
            Keyed::A192(aes) => aes.$act($block.try_into().expect(RIGHT)),
            Keyed::A256(aes) => aes.$act($block.try_into().expect(RIGHT)),
            Keyed::Des(des) => des.$act($block.try_into().expect(RIGHT)),
        }
    }};
}

impl Keyed {
    pub(super) fn aes(key: &[u8]) -> Option<Self> {
        Some(match key.len() {
            16 => Self::A128(Box::new(aes::Aes128::new_from_slice(key).ok()?)),
            24 => Self::A192(Box::new(aes::Aes192::new_from_slice(key).ok()?)),
            32 => Self::A256(Box::new(aes::Aes256::new_from_slice(key).ok()?)),
            _ => return None,
        })
    }

    /// With two keys, the first is also the third.
    pub(super) fn des(key: &[u8]) -> Option<Self> {
        let key = if key.len() == 16 { [key, &key[..8]].concat() } else { key.to_vec() };
        Some(Self::Des(Box::new(des::TdesEde3::new_from_slice(&key).ok()?)))
    }

    /// How many bytes a block has.
    pub(super) fn width(&self) -> usize {
        if matches!(self, Self::Des(_)) { 8 } else { 16 }
    }

    pub(super) fn encrypt(&self, block: &mut [u8]) {
        with_cipher!(self, block, encrypt_block)
    }

    pub(super) fn decrypt(&self, block: &mut [u8]) {
        with_cipher!(self, block, decrypt_block)
    }
}

pub(super) fn xor(into: &mut [u8], with: &[u8]) {
    for (byte, other) in into.iter_mut().zip(with) {
        *byte ^= other;
    }
}

/// A counter that is made unreadable block by block, and mixed with the bytes.
pub(super) struct Counter {
    pub(super) keyed: Keyed,
    counter: Block,
    /// How many bytes of the counter count.
    width: usize,
    key: Block,
    used: usize,
}

impl Counter {
    pub(super) fn new(keyed: Keyed, counter: Block, width: usize) -> Self {
        Self { keyed, counter, width, key: [0; 16], used: 16 }
    }

    pub(super) fn apply(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            if self.used == 16 {
                self.key = self.counter;
                self.keyed.encrypt(&mut self.key);
                self.used = 0;
                for digit in self.counter[16 - self.width..].iter_mut().rev() {
                    *digit = digit.wrapping_add(1);
                    if *digit != 0 {
                        break;
                    }
                }
            }
            *byte ^= self.key[self.used];
            self.used += 1;
        }
    }
}
