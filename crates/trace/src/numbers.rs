//! The numbers by which what happens in a run is known.

use std::fmt;

/// One run of one callback; the main program is number 1 (rule CTX-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Invocation(pub u64);

impl Invocation {
    /// The main program.
    pub const MAIN: Self = Self(1);
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// One operation asked of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Operation(pub u64);
