//! Why bytes are no HTTP, in the words of Node's parser.

use std::fmt;

/// What is wrong with a message, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Node's name for it.
    pub(crate) code: &'static str,
    /// Node's words for it.
    pub(crate) reason: &'static str,
    /// How many of the given bytes were taken before.
    pub(crate) at: usize,
}

impl Refusal {
    pub(crate) const fn new(code: &'static str, reason: &'static str, at: usize) -> Self {
        Self { code, reason, at }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after {} bytes: {}", self.code, self.at, self.reason)
    }
}

pub(crate) const CLOSED_CONNECTION: (&str, &str) =
    ("HPE_CLOSED_CONNECTION", "Data after `Connection: close`");
pub(crate) const END: (&str, &str) = ("HPE_INVALID_EOF_STATE", "Invalid EOF state");
pub(crate) const OVERFLOW: (&str, &str) = ("HPE_HEADER_OVERFLOW", "Header overflow");
