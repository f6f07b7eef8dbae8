//! A body in chunks: sizes, extensions that nobody reads, and data.

use super::chars::{is_quoted, is_token};
use super::refusal::Refusal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Where a size begins.
    Size,
    Digits,
    Extensions,
    Name,
    Value,
    Quoted,
    QuotedPair,
    AfterQuoted,
    SizeCr,
    Data(u64),
    DataEnd,
    DataCr,
}

/// Reads chunks up to the last one's size; trailers are not its business.
#[derive(Debug)]
pub(crate) struct Chunks {
    state: State,
    size: u64,
    /// Bytes of extensions in this body so far.
    extensions: usize,
    lenient: bool,
}

/// So many bytes of extensions are read for nothing, and no more.
const MOST_EXTENSIONS: usize = 16 * 1024;

/// What comes next in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Data {
        from: usize,
        to: usize,
    },
    /// The last chunk's size ended there.
    Last(usize),
    More,
}

const STRICT: &str = "HPE_STRICT";
const SIZE: &str = "HPE_INVALID_CHUNK_SIZE";
const NO_CR: &str = "HPE_CR_EXPECTED";
const NO_DIGIT: &str = "Invalid character in chunk size";

/// Something to tell of, if the byte that was taken ends it.
type Taken = Result<Option<Found>, Refusal>;

#[cold]
fn refuse(code: &'static str, reason: &'static str, at: usize) -> Taken {
    Err(Refusal::new(code, reason, at))
}

impl Chunks {
    pub(crate) fn new(lenient: bool) -> Self {
        Self { state: State::Size, size: 0, extensions: 0, lenient }
    }

    pub(crate) fn scan(&mut self, bytes: &[u8], mut at: usize) -> Result<Found, Refusal> {
        while let Some(&byte) = bytes.get(at) {
            let found = match self.state {
                State::Size => self.first_digit(byte, at),
                State::Digits => self.digit(byte, at),
                State::Extensions => self.extension(byte, at),
                State::Name => self.name(byte, at),
                State::Value => self.value(byte, at),
                State::Quoted => self.quoted(byte, at),
                State::QuotedPair => self.quoted_pair(byte, at),
                State::AfterQuoted => self.after_quoted(byte, at),
                State::SizeCr => self.size_cr(byte, at),
                State::Data(left) => return Ok(self.data(left, at, bytes.len())),
                State::DataEnd => self.data_end(byte, at),
                State::DataCr => self.data_cr(byte, at),
            }?;
            if let Some(found) = found {
                return Ok(found);
            }
            at += 1;
        }
        Ok(Found::More)
    }

    fn go_on(&mut self, state: State) -> Taken {
        self.state = state;
        Ok(None)
    }

    fn first_digit(&mut self, byte: u8, at: usize) -> Taken {
        let Some(digit) = char::from(byte).to_digit(16) else {
            return refuse(SIZE, NO_DIGIT, at);
        };
        self.size = digit.into();
        self.go_on(State::Digits)
    }

    fn digit(&mut self, byte: u8, at: usize) -> Taken {
        if let Some(digit) = char::from(byte).to_digit(16) {
            if self.size >> 60 != 0 {
                return refuse(SIZE, "Chunk size overflow", at + 1);
            }
            self.size = self.size << 4 | u64::from(digit);
            return Ok(None);
        }
        match byte {
            b'\r' => self.go_on(State::SizeCr),
            b';' => self.go_on(State::Extensions),
            b' ' if self.lenient => Ok(None),
            b' ' => refuse(SIZE, NO_DIGIT, at + 1),
            b'\n' if self.lenient => self.size_ends(at + 1),
            b'\n' => refuse(NO_CR, "Missing expected CR after chunk size", at + 1),
            _ => refuse(SIZE, NO_DIGIT, at),
        }
    }

    fn size_cr(&mut self, byte: u8, at: usize) -> Taken {
        if byte != b'\n' {
            return refuse(STRICT, "Expected LF after chunk size", at);
        }
        self.size_ends(at + 1)
    }

    /// The line with the size ended before `at`.
    fn size_ends(&mut self, at: usize) -> Taken {
        // Each chunk may have as many extensions, as in Node.
        self.extensions = 0;
        if self.size == 0 {
            return Ok(Some(Found::Last(at)));
        }
        self.go_on(State::Data(self.size))
    }

    /// The first byte of an extension.
    fn extension(&mut self, byte: u8, at: usize) -> Taken {
        if matches!(byte, b' ' | b'\r') {
            return refuse(STRICT, "Invalid character in chunk extensions", at + 1);
        }
        self.state = State::Name;
        self.name(byte, at)
    }

    fn name(&mut self, byte: u8, at: usize) -> Taken {
        match byte {
            b'=' => self.go_on(State::Value),
            b';' => self.go_on(State::Extensions),
            b'\r' => self.go_on(State::SizeCr),
            b'\n' => refuse(NO_CR, "Missing expected CR after chunk extension name", at),
            _ if is_token(byte) => self.count(at),
            _ => refuse(STRICT, "Invalid character in chunk extensions name", at + 1),
        }
    }

    fn value(&mut self, byte: u8, at: usize) -> Taken {
        match byte {
            b'"' => self.go_on(State::Quoted),
            b';' => self.go_on(State::Extensions),
            b'\r' => self.go_on(State::SizeCr),
            b'\n' => refuse(NO_CR, "Missing expected CR after chunk extension value", at),
            _ if is_token(byte) => self.count(at),
            _ => refuse(STRICT, "Invalid character in chunk extensions value", at + 1),
        }
    }

    fn quoted(&mut self, byte: u8, at: usize) -> Taken {
        self.count(at)?;
        match byte {
            b'"' => self.go_on(State::AfterQuoted),
            b'\\' => self.go_on(State::QuotedPair),
            _ if is_quoted(byte) => Ok(None),
            _ => refuse(STRICT, "Invalid character in chunk extensions quoted value", at + 1),
        }
    }

    fn quoted_pair(&mut self, byte: u8, at: usize) -> Taken {
        self.count(at)?;
        if byte != b'\t' && (byte < b' ' || byte == 0x7f) {
            let reason = "Invalid quoted-pair in chunk extensions quoted value";
            return refuse(STRICT, reason, at + 1);
        }
        self.go_on(State::Quoted)
    }

    fn after_quoted(&mut self, byte: u8, at: usize) -> Taken {
        match byte {
            b';' => self.go_on(State::Extensions),
            b'\r' => self.go_on(State::SizeCr),
            b'\n' => refuse(NO_CR, "Missing expected CR after chunk extension value", at),
            _ => refuse(STRICT, "Invalid character in chunk extensions quote value", at),
        }
    }

    /// One more byte of extensions.
    fn count(&mut self, at: usize) -> Taken {
        self.extensions += 1;
        if self.extensions > MOST_EXTENSIONS {
            return refuse("HPE_CHUNK_EXTENSIONS_OVERFLOW", "Chunk extensions overflow", at);
        }
        Ok(None)
    }

    /// So much of the data as the packet has, which ends at `end`.
    fn data(&mut self, left: u64, at: usize, end: usize) -> Found {
        let taken = left.min((end - at) as u64);
        self.state = if taken == left { State::DataEnd } else { State::Data(left - taken) };
        Found::Data { from: at, to: at + taken as usize }
    }

    fn data_end(&mut self, byte: u8, at: usize) -> Taken {
        match byte {
            b'\r' => self.go_on(State::DataCr),
            b'\n' if self.lenient => self.go_on(State::Size),
            b'\n' => refuse(NO_CR, "Missing expected CR after chunk data", at + 1),
            _ if self.lenient => self.first_digit(byte, at),
            _ => refuse(STRICT, "Expected LF after chunk data", at),
        }
    }

    fn data_cr(&mut self, byte: u8, at: usize) -> Taken {
        if byte != b'\n' {
            return refuse(STRICT, "Expected LF after chunk data", at);
        }
        self.go_on(State::Size)
    }
}
