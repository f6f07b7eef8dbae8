//! Numbers that follow from a seed.

use hemiola_machine::Seeded;

/// A stream of numbers: the same seed, the same numbers, on every computer.
#[derive(Clone, Debug)]
pub struct Rng(Seeded);

impl Rng {
    /// The stream of one input: of a target, by the seed of a run and the number of the input in it.
    pub fn of_input(target: &str, seed: u64, number: u64) -> Self {
        let parts = target.bytes().map(u64::from).chain([number]);
        let mixed = parts.fold(seed, |mixed, part| Seeded::new(mixed).number() ^ part);
        Self(Seeded::new(mixed))
    }

    /// A number below that one; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.0.number() % end as u64) as usize }
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
        self.0.number() as u8
    }
}
