//! A short stand-in for a configuration.

/// 128 bits of a configuration's written form.
///
/// Two different configurations have the same one with a chance of about one in 10^26 for a million
/// configurations, so an exploration may take equal ones for the same configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(u64, u64);

impl Fingerprint {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        // Two lanes of folded multiplication with different constants (digits of pi).
        let mut left = 0x243F_6A88_85A3_08D3 ^ bytes.len() as u64;
        let mut right = 0x1319_8A2E_0370_7344 ^ bytes.len() as u64;
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_le_bytes(word);
            left = fold(left ^ word, 0xA409_3822_299F_31D1);
            right = fold(right.rotate_left(23) ^ word, 0x082E_FA98_EC4E_6C89 | 1);
        }
        Self(fold(left, 0x4528_21E6_38D0_1377), fold(right ^ left, 0xBE54_66CF_34E9_0C6D))
    }
}

fn fold(word: u64, factor: u64) -> u64 {
    let product = u128::from(word ^ 0xC0AC_29B7_C97C_50DD) * u128::from(factor);
    (product as u64) ^ ((product >> 64) as u64) ^ word.rotate_left(32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn similar_configurations_differ() {
        let mut seen = BTreeSet::new();
        for length in 0..20 {
            for value in 0..=255u8 {
                for at in 0..length {
                    let mut bytes = vec![0; length];
                    bytes[at] = value;
                    let Fingerprint(left, right) = Fingerprint::of(&bytes);
                    if value > 0 || at == 0 {
                        assert!(seen.insert((left, right)), "{bytes:?} looks like another");
                        assert!(left != right);
                    }
                }
            }
        }
    }
}
