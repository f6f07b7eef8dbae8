//! What invocations are grouped by.

use hemiola_trace::{Class, Place};
use std::fmt;

/// Where a callback was registered, as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Site {
    /// The main program.
    Main,
    /// What is called when the program ends.
    End,
    /// A callback that was registered there.
    Place(Class, Place),
    /// A callback of that class, registered by the library; for an operation, with its kind.
    Class(Class, String),
    /// A callback out of a queue of the program's own.
    Entered,
    /// Whatever came when there were too many sites already.
    Others,
}

impl Site {
    /// The same once it is known where it was registered.
    #[must_use]
    pub fn at(&self, place: Place) -> Self {
        match self {
            Self::Place(class, _) | Self::Class(class, _) => Self::Place(*class, place),
            other => other.clone(),
        }
    }

    /// What kind of callback it is, in a word.
    pub fn kind(&self) -> &str {
        match self {
            Self::Main => "main program",
            Self::End => "end of the program",
            Self::Place(class, _) => class.name(),
            Self::Class(class, what) if what.is_empty() => class.name(),
            Self::Class(_, what) => what,
            Self::Entered => "unpack",
            Self::Others => "other sites",
        }
    }

    /// Where it was registered.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Place(_, place) => Some(place),
            _ => None,
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            Some(place) => write!(f, "{} {place}", self.kind()),
            None => f.write_str(self.kind()),
        }
    }
}
