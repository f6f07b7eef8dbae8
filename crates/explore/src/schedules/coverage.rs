//! What a search may claim.

/// How many runs there were, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs of schedules by the number of their deviations.
    pub followed: u64,
    /// How many of them came to a known state, and were given up there.
    pub pruned: u64,
    /// How many runs, of all, went on for too long.
    pub cut: u64,
    /// Runs by random priorities.
    pub priorities: u64,
    /// Runs with random choices.
    pub random: u64,
    /// Runs that did not offer what an earlier run of the same schedule had offered.
    pub misfits: u64,
    /// Runs that had not ended when the time was up; they count for nothing else.
    pub interrupted: u64,
}

impl Counts {
    /// All runs but those that were interrupted.
    pub fn runs(&self) -> u64 {
        self.followed + self.priorities + self.random
    }
}

/// Which schedules the runs stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered {
    /// All there are.
    All,
    /// All with up to so many deviations, and of those with one more `tried` of `waiting + tried` that
    /// have been found so far.
    Deviations {
        /// Up to how many.
        up_to: u32,
        /// Of those with one more, how many were tried.
        tried: u64,
        /// And how many wait.
        waiting: u64,
    },
}
