//! What a program showed.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// One observed value: a number or a name.
///
/// Numbers sort before names, so that sorted sets of traces read the same everywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Observation {
    /// A whole number.
    Number(i64),
    /// A name, or any other text.
    Name(Arc<str>),
}

impl Observation {
    /// The observation of a name.
    pub fn name(name: impl Into<Arc<str>>) -> Self {
        Self::Name(name.into())
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl From<i64> for Observation {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Observation {
    fn from(name: &str) -> Self {
        Self::name(name)
    }
}
