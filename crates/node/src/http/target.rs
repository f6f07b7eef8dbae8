//! The target of a request: which bytes may follow which, as strict as Node's parser.

use super::chars::{is_authority, is_url};
use super::refusal::Refusal;

/// The part of a target that the next byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Blanks before it.
    Before {
        /// Whether only an authority may come, as after CONNECT.
        authority: bool,
    },
    Scheme,
    /// The colon and the slashes after a scheme.
    Slashes(u8),
    Authority {
        after_at: bool,
    },
    Path,
    Query,
    Fragment,
}

/// What a byte is to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    In(Part),
    /// It ends the target: a space, a carriage return or a line feed.
    End,
}

const INVALID: &str = "Invalid characters in url";

fn refuse(reason: &'static str, at: usize) -> Result<Next, Refusal> {
    Err(Refusal::new("HPE_INVALID_URL", reason, at))
}

impl Part {
    /// Takes the byte at `at`.
    #[inline]
    pub(super) fn take(self, byte: u8, at: usize) -> Result<Next, Refusal> {
        match self {
            Self::Path | Self::Query | Self::Fragment => self.path(byte, at),
            Self::Before { authority } => Self::first(authority, byte, at),
            Self::Scheme => Self::scheme(byte, at),
            Self::Slashes(count) => Self::slash(count, byte, at),
            Self::Authority { after_at } => Self::authority(after_at, byte, at),
        }
    }

    fn first(authority: bool, byte: u8, at: usize) -> Result<Next, Refusal> {
        match byte {
            b' ' => Ok(Next::In(Self::Before { authority })),
            _ if authority => Self::authority(false, byte, at),
            b'/' | b'*' => Ok(Next::In(Self::Path)),
            _ if byte.is_ascii_alphabetic() => Ok(Next::In(Self::Scheme)),
            b'\t' | 0x0c | b'\r' | b'\n' => refuse(INVALID, at + 1),
            _ => refuse("Unexpected start char in url", at),
        }
    }

    fn scheme(byte: u8, at: usize) -> Result<Next, Refusal> {
        match byte {
            _ if byte.is_ascii_alphabetic() => Ok(Next::In(Self::Scheme)),
            b':' => Ok(Next::In(Self::Slashes(0))),
            b' ' | b'\r' | b'\n' | b'\t' | 0x0c => refuse(INVALID, at + 1),
            _ => refuse("Unexpected char in url schema", at),
        }
    }

    fn slash(count: u8, byte: u8, at: usize) -> Result<Next, Refusal> {
        match byte {
            b'/' if count == 0 => Ok(Next::In(Self::Slashes(1))),
            b'/' => Ok(Next::In(Self::Authority { after_at: false })),
            b' ' | b'\r' | b'\n' | b'\t' | 0x0c if count == 0 => refuse(INVALID, at + 1),
            _ => refuse("Unexpected char in url schema", at),
        }
    }

    fn authority(after_at: bool, byte: u8, at: usize) -> Result<Next, Refusal> {
        match byte {
            b'/' => Ok(Next::In(Self::Path)),
            b'?' => Ok(Next::In(Self::Query)),
            b'@' if after_at => refuse("Double @ in url", at + 1),
            b'@' => Ok(Next::In(Self::Authority { after_at: true })),
            _ if is_authority(byte) => Ok(Next::In(Self::Authority { after_at: false })),
            b' ' | b'\r' | b'\n' => Ok(Next::End),
            b'\t' | 0x0c => refuse(INVALID, at + 1),
            _ => refuse("Unexpected char in url server", at),
        }
    }

    /// A byte of the path or of what comes behind it.
    #[inline]
    fn path(self, byte: u8, at: usize) -> Result<Next, Refusal> {
        match byte {
            _ if is_url(byte) => Ok(Next::In(self)),
            b' ' | b'\r' | b'\n' => Ok(Next::End),
            b'\t' | 0x0c => refuse(INVALID, at + 1),
            b'?' if self == Self::Path => Ok(Next::In(Self::Query)),
            b'?' => Ok(Next::In(self)),
            b'#' => Ok(Next::In(Self::Fragment)),
            _ if self == Self::Path => refuse("Invalid char in url path", at),
            _ if self == Self::Query => refuse("Invalid char in url query", at),
            _ => refuse("Invalid char in url fragment start", at),
        }
    }
}
