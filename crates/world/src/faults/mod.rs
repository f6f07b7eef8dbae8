//! What may go wrong in a simulated world that would rather do as it is told.

mod files;
mod net;

pub(crate) use files::Faulty;
pub(crate) use net::{Broken, at_answer, at_once};

use hemiola_machine::{Chooser, Seeded};
use std::fmt;
use std::str::FromStr;

/// What goes wrong on request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Calls for files fail, or do less than they were asked for.
    pub fs: bool,
    /// Connections break or are refused, names are not found, less arrives than was sent.
    pub net: bool,
}

impl Faults {
    /// Nothing goes wrong that the program did not bring about.
    pub const NONE: Self = Self { fs: false, net: false };
}

/// Draws what goes wrong where a seed decides: now and then.
pub(crate) struct Luck {
    random: Seeded,
}

impl Luck {
    /// Keeps this stream apart from all other numbers.
    const SEED: u64 = 0x6261_646c_7563_6b21;

    /// Something goes wrong once in so many times on average.
    const ODDS: usize = 24;

    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Seeded::new(seed ^ Self::SEED) }
    }

    /// One of `count` alternatives: mostly the first.
    pub(crate) fn draw(&mut self, count: usize) -> usize {
        if count < 2 || self.random.choose(Self::ODDS) > 0 {
            return 0;
        }
        self.draw_fault(count)
    }

    /// The same, but never the first if there is another.
    pub(crate) fn draw_fault(&mut self, count: usize) -> usize {
        if count < 2 { 0 } else { 1 + self.random.choose(count - 1) }
    }
}

/// A text that names no faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFaults(String);

impl fmt::Display for UnknownFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there are no faults `{}`: write fs, net, or both with a comma", self.0)
    }
}

impl std::error::Error for UnknownFaults {}

impl FromStr for Faults {
    type Err = UnknownFaults;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut faults = Self::NONE;
        for part in text.split(',') {
            match part.trim() {
                "fs" => faults.fs = true,
                "net" => faults.net = true,
                part => return Err(UnknownFaults(part.to_owned())),
            }
        }
        Ok(faults)
    }
}
