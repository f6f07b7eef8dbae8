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

impl Chunks {
    pub(crate) fn new(lenient: bool) -> Self {
        Self { state: State::Size, size: 0, extensions: 0, lenient }
    }

    pub(crate) fn scan(&mut self, bytes: &[u8], mut at: usize) -> Result<Found, Refusal> {
        while let Some(&byte) = bytes.get(at) {
            let refuse = |code, reason, at| Err(Refusal::new(code, reason, at));
            match self.state {
                State::Size => {
                    let Some(digit) = char::from(byte).to_digit(16) else {
                        return refuse(SIZE, "Invalid character in chunk size", at);
                    };
                    self.size = digit.into();
                    self.state = State::Digits;
                }
                State::Digits => {
                    if let Some(digit) = char::from(byte).to_digit(16) {
                        if self.size >> 60 != 0 {
                            return refuse(SIZE, "Chunk size overflow", at + 1);
                        }
                        self.size = self.size << 4 | u64::from(digit);
                    } else {
                        match byte {
                            b'\r' => self.state = State::SizeCr,
                            b';' => self.state = State::Extensions,
                            b' ' if self.lenient => {}
                            b' ' => return refuse(SIZE, "Invalid character in chunk size", at + 1),
                            b'\n' if self.lenient => {
                                if let Some(last) = self.size_ends(at + 1) {
                                    return Ok(last);
                                }
                            }
                            b'\n' => {
                                return refuse(
                                    NO_CR,
                                    "Missing expected CR after chunk size",
                                    at + 1,
                                );
                            }
                            _ => return refuse(SIZE, "Invalid character in chunk size", at),
                        }
                    }
                }
                State::Extensions => match byte {
                    b' ' | b'\r' => {
                        return refuse(STRICT, "Invalid character in chunk extensions", at + 1);
                    }
                    _ => {
                        self.state = State::Name;
                        continue;
                    }
                },
                State::Name => match byte {
                    b'=' => self.state = State::Value,
                    b';' => self.state = State::Extensions,
                    b'\r' => self.state = State::SizeCr,
                    b'\n' => {
                        let reason = "Missing expected CR after chunk extension name";
                        return refuse(NO_CR, reason, at);
                    }
                    _ if is_token(byte) => self.count(at)?,
                    _ => {
                        return refuse(
                            STRICT,
                            "Invalid character in chunk extensions name",
                            at + 1,
                        );
                    }
                },
                State::Value => match byte {
                    b'"' => self.state = State::Quoted,
                    b';' => self.state = State::Extensions,
                    b'\r' => self.state = State::SizeCr,
                    b'\n' => {
                        let reason = "Missing expected CR after chunk extension value";
                        return refuse(NO_CR, reason, at);
                    }
                    _ if is_token(byte) => self.count(at)?,
                    _ => {
                        let reason = "Invalid character in chunk extensions value";
                        return refuse(STRICT, reason, at + 1);
                    }
                },
                State::Quoted => {
                    self.count(at)?;
                    match byte {
                        b'"' => self.state = State::AfterQuoted,
                        b'\\' => self.state = State::QuotedPair,
                        _ if is_quoted(byte) => {}
                        _ => {
                            let reason = "Invalid character in chunk extensions quoted value";
                            return refuse(STRICT, reason, at + 1);
                        }
                    }
                }
                State::QuotedPair => {
                    self.count(at)?;
                    if byte != b'\t' && (byte < b' ' || byte == 0x7f) {
                        let reason = "Invalid quoted-pair in chunk extensions quoted value";
                        return refuse(STRICT, reason, at + 1);
                    }
                    self.state = State::Quoted;
                }
                State::AfterQuoted => match byte {
                    b';' => self.state = State::Extensions,
                    b'\r' => self.state = State::SizeCr,
                    b'\n' => {
                        let reason = "Missing expected CR after chunk extension value";
                        return refuse(NO_CR, reason, at);
                    }
                    _ => {
                        let reason = "Invalid character in chunk extensions quote value";
                        return refuse(STRICT, reason, at);
                    }
                },
                State::SizeCr => {
                    if byte != b'\n' {
                        return refuse(STRICT, "Expected LF after chunk size", at);
                    }
                    if let Some(last) = self.size_ends(at + 1) {
                        return Ok(last);
                    }
                }
                State::Data(left) => {
                    let here = (bytes.len() - at) as u64;
                    let taken = left.min(here);
                    self.state =
                        if taken == left { State::DataEnd } else { State::Data(left - taken) };
                    return Ok(Found::Data { from: at, to: at + taken as usize });
                }
                State::DataEnd => match byte {
                    b'\r' => self.state = State::DataCr,
                    b'\n' if self.lenient => self.state = State::Size,
                    b'\n' => return refuse(NO_CR, "Missing expected CR after chunk data", at + 1),
                    _ if self.lenient => {
                        self.state = State::Size;
                        continue;
                    }
                    _ => return refuse(STRICT, "Expected LF after chunk data", at),
                },
                State::DataCr => {
                    if byte != b'\n' {
                        return refuse(STRICT, "Expected LF after chunk data", at);
                    }
                    self.state = State::Size;
                }
            }
            at += 1;
        }
        Ok(Found::More)
    }

    /// The line with the size ended before `at`.
    fn size_ends(&mut self, at: usize) -> Option<Found> {
        // Each chunk may have as many extensions, as in Node.
        self.extensions = 0;
        if self.size == 0 {
            return Some(Found::Last(at));
        }
        self.state = State::Data(self.size);
        None
    }

    fn count(&mut self, at: usize) -> Result<(), Refusal> {
        self.extensions += 1;
        if self.extensions > MOST_EXTENSIONS {
            let reason = "Chunk extensions overflow";
            return Err(Refusal::new("HPE_CHUNK_EXTENSIONS_OVERFLOW", reason, at));
        }
        Ok(())
    }
}
