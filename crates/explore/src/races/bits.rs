//! Sets of small numbers.

/// A set of small numbers, as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Whether a number is in the set.
    pub(super) fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Puts a number into the set.
    pub(super) fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Puts all of another set into this one.
    pub(super) fn insert_all(&mut self, others: &Self) {
        if self.0.len() < others.0.len() {
            self.0.resize(others.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }

    /// The set of all numbers below this one.
    pub(super) fn below(number: usize) -> Self {
        let mut bits = Self(vec![u64::MAX; number / 64]);
        for number in number / 64 * 64..number {
            bits.insert(number);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_into_it() {
        let mut some = Bits::default();
        for number in [0, 63, 64, 300] {
            assert!(!some.contains(number));
            some.insert(number);
        }
        let held: Vec<usize> = (0..400).filter(|&number| some.contains(number)).collect();
        assert_eq!(held, [0, 63, 64, 300]);
        let mut all = Bits::below(130);
        assert!((0..130).all(|number| all.contains(number)) && !all.contains(130));
        all.insert_all(&some);
        assert!(all.contains(300) && all.contains(129) && !all.contains(299));
    }
}
