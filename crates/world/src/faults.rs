//! What may go wrong in a simulated world that would rather do as it is told.

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
