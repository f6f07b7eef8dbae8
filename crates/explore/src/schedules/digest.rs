//! Numbers that stand for what has happened.

use super::plan::State;

/// 128 bits of something; different things have different ones, as good as always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Digest(u128);

impl Digest {
    /// Of some words.
    pub(crate) fn of(words: &[u128]) -> Self {
        words.iter().fold(Self(words.len() as u128), |digest, &word| digest.and(word))
    }

    /// Of bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        bytes.chunks(16).fold(Self(bytes.len() as u128), |digest, chunk| {
            let mut word = [0; 16];
            word[..chunk.len()].copy_from_slice(chunk);
            digest.and(u128::from_le_bytes(word))
        })
    }

    /// Followed by a word.
    #[must_use]
    pub(crate) fn and(self, word: u128) -> Self {
        // Two lanes of folded multiplication with different constants (digits of pi); each takes in
        // all of the word, and both of what was before.
        let (low, high) = (word as u64, (word >> 64) as u64);
        let (left, right) = (self.0 as u64, (self.0 >> 64) as u64);
        let first = fold(left ^ low, 0xA409_3822_299F_31D1 ^ right.rotate_left(17));
        let second = fold(right ^ high ^ low.rotate_left(32), 0x082E_FA98_EC4E_6C89 ^ left);
        let (first, second) = (
            fold(first ^ high, 0x4528_21E6_38D0_1377 ^ second),
            fold(second ^ left, 0xBE54_66CF_34E9_0C6D ^ first.rotate_left(29)),
        );
        Self(u128::from(first) | u128::from(second) << 64)
    }

    /// Followed by another digest.
    #[must_use]
    pub(crate) fn then(self, other: Self) -> Self {
        self.and(other.0)
    }

    /// Together with another one, in either order.
    #[must_use]
    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// As the state of a run.
    pub(crate) fn state(self) -> State {
        State(self.0)
    }

    /// A number for whoever draws by it.
    pub(crate) fn number(self) -> u64 {
        self.0 as u64 ^ (self.0 >> 64) as u64
    }
}

fn fold(word: u64, factor: u64) -> u64 {
    let product = u128::from(word ^ 0xC0AC_29B7_C97C_50DD) * u128::from(factor | 1);
    (product as u64) ^ ((product >> 64) as u64) ^ word.rotate_left(32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn similar_things_differ() {
        let mut seen = BTreeSet::new();
        for first in 0..40 {
            for second in 0..40 {
                assert!(seen.insert(Digest::of(&[first, second])), "{first} {second}");
                assert!(seen.insert(Digest::of(&[(first + 1) << 64, second << 100 | 1])));
            }
            assert!(seen.insert(Digest::of_bytes(&vec![0; first as usize])));
        }
        let (one, other) = (Digest::of(&[1]), Digest::of(&[2]));
        assert_eq!(one.with(other), other.with(one));
        assert_ne!(one.then(other), other.then(one));
    }
}
