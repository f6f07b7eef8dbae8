//! Numbers that follow from a seed.

/// A stream of numbers: the same seed, the same numbers, on every computer.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of one input: of a target, by the seed of a run and the number of the input in it.
    pub fn of_input(target: &str, seed: u64, number: u64) -> Self {
        let mut rng = Self(seed);
        for byte in target.bytes() {
            rng.0 = rng.next() ^ u64::from(byte);
        }
        rng.0 = rng.next() ^ number;
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below that one; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }

    /// Whether something happens that happens once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of those, of which there is at least one.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A range within a length: rarely long, most often short.
    pub fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = (length - start).min(1 << self.below(14));
        start..start + self.below(most + 1)
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        self.next() as u8
    }
}
