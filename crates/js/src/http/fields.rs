//! The lines of a head or a trailer, byte by byte, as strict as Node's parser; and what some of them
//! say about the message that they belong to.

use super::chars::{is_token, is_value};
use super::refusal::{OVERFLOW, Refusal};

/// What the fields of a message said about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) close: bool,
    pub(crate) keep_alive: bool,
    pub(crate) connection_upgrade: bool,
    pub(crate) upgrade: bool,
    /// Some transfer coding.
    pub(crate) coded: bool,
    /// The last of them is `chunked`.
    pub(crate) chunked: bool,
    pub(crate) length: Option<u64>,
    pub(crate) host: bool,
    pub(crate) expect: bool,
}

/// Names that have a meaning here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Other,
    Connection,
    Length,
    Coding,
    Upgrade,
}

const LONGEST_NAME: usize = "transfer-encoding".len();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Where a name or the end begins; in the first line nothing was before.
    Start {
        first: bool,
    },
    Name,
    /// Blanks after the colon.
    BeforeValue,
    /// A value without anything ended, and may have been meant to go on.
    AfterEmptyCr,
    AfterEmpty,
    Value,
    AfterCr,
    AfterLf,
    EndCr,
}

/// Reads fields up to and including the empty line.
#[derive(Debug)]
pub(crate) struct Fields {
    state: State,
    name: [u8; LONGEST_NAME],
    name_length: usize,
    meaning: Name,
    /// The value so far, where it matters.
    value: Vec<u8>,
    /// Bytes of names and values so far.
    pub(crate) size: usize,
    pub(crate) lenient: bool,
    pub(crate) said: Said,
}

const TOKEN: &str = "HPE_INVALID_HEADER_TOKEN";
const BAD_VALUE: &str = "Invalid header value char";
const LENGTH: &str = "HPE_INVALID_CONTENT_LENGTH";
const CODING: &str = "HPE_INVALID_TRANSFER_ENCODING";

impl Fields {
    pub(crate) fn new(lenient: bool) -> Self {
        Self {
            state: State::Start { first: true },
            name: [0; LONGEST_NAME],
            name_length: 0,
            meaning: Name::Other,
            value: Vec::new(),
            size: 0,
            lenient,
            said: Said::default(),
        }
    }

    /// Begins anew; what was said stays if these are trailers.
    pub(crate) fn restart(&mut self, trailers: bool) {
        self.state = State::Start { first: !trailers };
        self.size = 0;
        if !trailers {
            self.said = Said::default();
        }
    }

    /// Takes bytes from `at` on. Gives the place after the empty line, or nothing if more is needed.
    pub(crate) fn scan(
        &mut self,
        bytes: &[u8],
        mut at: usize,
        most: usize,
    ) -> Result<Option<usize>, Refusal> {
        while let Some(&byte) = bytes.get(at) {
            match self.state {
                State::Start { first } => match byte {
                    b'\r' => self.state = State::EndCr,
                    b'\n' if self.lenient => return Ok(Some(at + 1)),
                    b'\n' => return Err(Refusal::new(TOKEN, "Invalid header field char", at + 1)),
                    b' ' if first && !self.lenient => {
                        let reason = "Unexpected space after start line";
                        return Err(Refusal::new("HPE_UNEXPECTED_SPACE", reason, at + 1));
                    }
                    _ if is_token(byte) => {
                        self.name_length = 0;
                        self.state = State::Name;
                        continue;
                    }
                    b' ' if first => {}
                    _ => return Err(Refusal::new(TOKEN, "Invalid header token", at)),
                },
                State::Name => {
                    if is_token(byte) {
                        if let Some(place) = self.name.get_mut(self.name_length) {
                            *place = byte.to_ascii_lowercase();
                        }
                        self.name_length += 1;
                        self.size += 1;
                    } else if byte == b':' {
                        self.check_size(most, at + 1)?;
                        self.named(at + 1)?;
                        self.state = State::BeforeValue;
                    } else {
                        return Err(Refusal::new(TOKEN, "Invalid header token", at));
                    }
                }
                State::BeforeValue => match byte {
                    b' ' | b'\t' => {}
                    b'\r' => self.state = State::AfterEmptyCr,
                    b'\n' if self.lenient => self.state = State::AfterEmpty,
                    b'\n' => return Err(Refusal::new(TOKEN, BAD_VALUE, at + 1)),
                    _ => {
                        self.value_begins(at)?;
                        self.state = State::Value;
                        continue;
                    }
                },
                State::AfterEmptyCr => {
                    if byte != b'\n' {
                        return Err(Refusal::new("HPE_STRICT", "Expected LF after CR", at));
                    }
                    self.state = State::AfterEmpty;
                }
                State::AfterEmpty => {
                    if matches!(byte, b' ' | b'\t') {
                        if !self.lenient {
                            return Err(Refusal::new(TOKEN, BAD_VALUE, at + 1));
                        }
                        self.state = State::BeforeValue;
                    } else {
                        if self.meaning == Name::Length {
                            return Err(Refusal::new(LENGTH, "Empty Content-Length", at));
                        }
                        self.state = State::Start { first: false };
                        continue;
                    }
                }
                State::Value => match byte {
                    b'\r' => {
                        self.check_size(most, at + 1)?;
                        self.value_ends();
                        self.state = State::AfterCr;
                    }
                    b'\n' if self.lenient => {
                        self.value_ends();
                        self.state = State::AfterLf;
                    }
                    b'\n' => {
                        let reason = "Missing expected CR after header value";
                        return Err(Refusal::new("HPE_CR_EXPECTED", reason, at));
                    }
                    _ => {
                        self.size += 1;
                        self.value_goes_on(byte, at)?;
                    }
                },
                State::AfterCr => {
                    if byte != b'\n' {
                        let reason = "Missing expected LF after header value";
                        return Err(Refusal::new("HPE_LF_EXPECTED", reason, at));
                    }
                    self.state = State::AfterLf;
                }
                State::AfterLf => {
                    if matches!(byte, b' ' | b'\t') {
                        if !self.lenient {
                            let reason = "Unexpected whitespace after header value";
                            return Err(Refusal::new(TOKEN, reason, at));
                        }
                        self.state = State::Value;
                    } else {
                        self.state = State::Start { first: false };
                        continue;
                    }
                }
                State::EndCr => {
                    if byte != b'\n' {
                        return Err(Refusal::new("HPE_STRICT", "Expected LF after headers", at));
                    }
                    return Ok(Some(at + 1));
                }
            }
            at += 1;
        }
        self.check_size(most, bytes.len())?;
        Ok(None)
    }

    fn check_size(&self, most: usize, at: usize) -> Result<(), Refusal> {
        let (code, reason) = OVERFLOW;
        if self.size >= most { Err(Refusal::new(code, reason, at)) } else { Ok(()) }
    }

    /// A name is complete.
    fn named(&mut self, at: usize) -> Result<(), Refusal> {
        let name = self.name.get(..self.name_length).unwrap_or_default();
        self.meaning = match name {
            b"connection" | b"proxy-connection" => Name::Connection,
            b"content-length" => Name::Length,
            b"transfer-encoding" => Name::Coding,
            b"upgrade" => Name::Upgrade,
            _ => Name::Other,
        };
        match name {
            b"host" => self.said.host = true,
            b"expect" => self.said.expect = true,
            _ => {}
        }
        if self.lenient {
            return Ok(());
        }
        if self.meaning == Name::Length && self.said.coded {
            let reason = "Content-Length can't be present with Transfer-Encoding";
            return Err(Refusal::new(LENGTH, reason, at));
        }
        if self.meaning == Name::Coding && self.said.length.is_some() {
            let reason = "Transfer-Encoding can't be present with Content-Length";
            return Err(Refusal::new(CODING, reason, at));
        }
        Ok(())
    }

    fn value_begins(&mut self, at: usize) -> Result<(), Refusal> {
        self.value.clear();
        match self.meaning {
            Name::Other | Name::Connection => {}
            Name::Upgrade => self.said.upgrade = true,
            Name::Length => {
                if self.said.length.is_some() {
                    let reason = "Duplicate Content-Length";
                    return Err(Refusal::new("HPE_UNEXPECTED_CONTENT_LENGTH", reason, at));
                }
            }
            Name::Coding => {
                if self.said.chunked && !self.lenient {
                    let reason = "Invalid `Transfer-Encoding` header value";
                    return Err(Refusal::new(CODING, reason, at + 1));
                }
                self.said.coded = true;
                self.said.chunked = false;
            }
        }
        Ok(())
    }

    fn value_goes_on(&mut self, byte: u8, at: usize) -> Result<(), Refusal> {
        if self.meaning == Name::Length {
            return self.digit(byte, at);
        }
        if !is_value(byte) && !self.lenient {
            return Err(Refusal::new(TOKEN, BAD_VALUE, at));
        }
        match self.meaning {
            Name::Connection => self.value.push(byte.to_ascii_lowercase()),
            Name::Coding => {
                if byte == b',' {
                    if trim(&self.value) == b"chunked" && !self.lenient {
                        let reason = "Invalid `Transfer-Encoding` header value";
                        return Err(Refusal::new(CODING, reason, at + 1));
                    }
                    self.value.clear();
                } else {
                    self.value.push(byte.to_ascii_lowercase());
                }
            }
            Name::Other | Name::Upgrade | Name::Length => {}
        }
        Ok(())
    }

    /// One more digit of a length, or a blank behind it.
    fn digit(&mut self, byte: u8, at: usize) -> Result<(), Refusal> {
        if byte == b' ' && self.said.length.is_some() {
            self.value.push(byte);
            return Ok(());
        }
        if !byte.is_ascii_digit() || !self.value.is_empty() {
            let reason = "Invalid character in Content-Length";
            return Err(Refusal::new(LENGTH, reason, at));
        }
        let digit = u64::from(byte - b'0');
        let length = self.said.length.unwrap_or(0);
        let Some(length) = length.checked_mul(10).and_then(|length| length.checked_add(digit))
        else {
            return Err(Refusal::new(LENGTH, "Content-Length overflow", at + 1));
        };
        self.said.length = Some(length);
        Ok(())
    }

    fn value_ends(&mut self) {
        match self.meaning {
            Name::Connection => {
                for option in self.value.split(|&byte| byte == b',') {
                    match trim(option) {
                        b"close" => self.said.close = true,
                        b"keep-alive" => self.said.keep_alive = true,
                        b"upgrade" => self.said.connection_upgrade = true,
                        _ => {}
                    }
                }
            }
            Name::Coding => self.said.chunked = trim(&self.value) == b"chunked",
            Name::Other | Name::Length | Name::Upgrade => {}
        }
    }
}

/// Without spaces around it.
fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&byte| byte != b' ').unwrap_or(text.len());
    let end = text.iter().rposition(|&byte| byte != b' ').map_or(start, |last| last + 1);
    &text[start..end]
}

/// The fields of a text that was found to be some: names and values, without blanks around the values.
pub(crate) fn pairs(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let colon = memchr::memchr(b':', rest)?;
        let name = &rest[..colon];
        let mut end = colon + 1;
        let mut next;
        loop {
            let line = end + memchr::memchr(b'\n', &rest[end..]).unwrap_or(rest.len() - end);
            next = (line + 1).min(rest.len());
            end = line;
            // Only a lenient parser lets values go on in the next line.
            if !matches!(rest.get(next), Some(b' ' | b'\t')) {
                break;
            }
            end = next;
        }
        let value = rest[colon + 1..end].trim_ascii();
        rest = &rest[next..];
        Some((name, value))
    })
}
