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

/// Whether a byte is the last of the fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    GoesOn,
    Last,
}

type Taken = Result<Line, Refusal>;

fn refuse(code: &'static str, reason: &'static str, at: usize) -> Taken {
    Err(Refusal::new(code, reason, at))
}

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
        loop {
            at += self.pass_over(&bytes[at..]);
            let Some(&byte) = bytes.get(at) else { break };
            let line = self.take(byte, at, most)?;
            at += 1;
            if line == Line::Last {
                return Ok(Some(at));
            }
        }
        self.check_size(most, bytes.len())?;
        Ok(None)
    }

    /// Takes the bytes of a value that nobody has to understand. Says how many there are.
    #[inline]
    fn pass_over(&mut self, bytes: &[u8]) -> usize {
        if self.state != State::Value || self.meaning != Name::Other {
            return 0;
        }
        let count = bytes.iter().take_while(|&&byte| is_value(byte)).count();
        self.size += count;
        count
    }

    #[inline]
    fn take(&mut self, byte: u8, at: usize, most: usize) -> Taken {
        match self.state {
            State::Start { first } => self.take_start(first, byte, at),
            State::Name => self.take_name(byte, at, most),
            State::BeforeValue => self.before_value(byte, at, most),
            State::AfterEmptyCr => self.after_empty_cr(byte, at),
            State::AfterEmpty => self.after_empty(byte, at),
            State::Value => self.take_value(byte, at, most),
            State::AfterCr => self.after_cr(byte, at),
            State::AfterLf => self.after_lf(byte, at),
            State::EndCr if byte == b'\n' => Ok(Line::Last),
            State::EndCr => refuse("HPE_STRICT", "Expected LF after headers", at),
        }
    }

    fn go_on(&mut self, state: State) -> Taken {
        self.state = state;
        Ok(Line::GoesOn)
    }

    fn take_start(&mut self, first: bool, byte: u8, at: usize) -> Taken {
        match byte {
            b'\r' => self.go_on(State::EndCr),
            b'\n' if self.lenient => Ok(Line::Last),
            b'\n' => refuse(TOKEN, "Invalid header field char", at + 1),
            b' ' if first && !self.lenient => {
                refuse("HPE_UNEXPECTED_SPACE", "Unexpected space after start line", at + 1)
            }
            _ if is_token(byte) => {
                self.name_length = 0;
                self.name_goes_on(byte);
                self.go_on(State::Name)
            }
            b' ' if first => Ok(Line::GoesOn),
            _ => refuse(TOKEN, "Invalid header token", at),
        }
    }

    #[inline]
    fn take_name(&mut self, byte: u8, at: usize, most: usize) -> Taken {
        if is_token(byte) {
            self.name_goes_on(byte);
            return Ok(Line::GoesOn);
        }
        if byte != b':' {
            return refuse(TOKEN, "Invalid header token", at);
        }
        self.check_size(most, at + 1)?;
        self.named(at + 1)?;
        self.go_on(State::BeforeValue)
    }

    #[inline]
    fn name_goes_on(&mut self, byte: u8) {
        if let Some(place) = self.name.get_mut(self.name_length) {
            *place = byte.to_ascii_lowercase();
        }
        self.name_length += 1;
        self.size += 1;
    }

    fn before_value(&mut self, byte: u8, at: usize, most: usize) -> Taken {
        match byte {
            b' ' | b'\t' => Ok(Line::GoesOn),
            b'\r' => self.go_on(State::AfterEmptyCr),
            b'\n' if self.lenient => self.go_on(State::AfterEmpty),
            b'\n' => refuse(TOKEN, BAD_VALUE, at + 1),
            _ => {
                self.value_begins(at)?;
                self.state = State::Value;
                self.take_value(byte, at, most)
            }
        }
    }

    fn after_empty_cr(&mut self, byte: u8, at: usize) -> Taken {
        if byte != b'\n' {
            return refuse("HPE_STRICT", "Expected LF after CR", at);
        }
        self.go_on(State::AfterEmpty)
    }

    fn after_empty(&mut self, byte: u8, at: usize) -> Taken {
        if matches!(byte, b' ' | b'\t') {
            if !self.lenient {
                return refuse(TOKEN, BAD_VALUE, at + 1);
            }
            return self.go_on(State::BeforeValue);
        }
        if self.meaning == Name::Length {
            return refuse(LENGTH, "Empty Content-Length", at);
        }
        self.take_start(false, byte, at)
    }

    #[inline]
    fn take_value(&mut self, byte: u8, at: usize, most: usize) -> Taken {
        match byte {
            b'\r' => {
                self.check_size(most, at + 1)?;
                self.value_ends();
                self.go_on(State::AfterCr)
            }
            b'\n' if self.lenient => {
                self.value_ends();
                self.go_on(State::AfterLf)
            }
            b'\n' => refuse("HPE_CR_EXPECTED", "Missing expected CR after header value", at),
            _ => {
                self.size += 1;
                self.value_goes_on(byte, at)?;
                Ok(Line::GoesOn)
            }
        }
    }

    fn after_cr(&mut self, byte: u8, at: usize) -> Taken {
        if byte != b'\n' {
            return refuse("HPE_LF_EXPECTED", "Missing expected LF after header value", at);
        }
        self.go_on(State::AfterLf)
    }

    fn after_lf(&mut self, byte: u8, at: usize) -> Taken {
        if matches!(byte, b' ' | b'\t') {
            if !self.lenient {
                return refuse(TOKEN, "Unexpected whitespace after header value", at);
            }
            if self.meaning == Name::Length {
                return refuse("HPE_UNEXPECTED_CONTENT_LENGTH", "Duplicate Content-Length", at);
            }
            return self.go_on(State::Value);
        }
        self.take_start(false, byte, at)
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

    #[inline]
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
        let start = colon + 1;
        let end = start + memchr::memchr(b'\n', &rest[start..]).unwrap_or(rest.len() - start);
        let value = rest[start..end].trim_ascii();
        rest = &rest[(end + 1).min(rest.len())..];
        Some((name, value))
    })
}

/// The text of some fields with each value in one line: only a lenient parser lets values go on in the next
/// one. What ends a line goes, the blanks that begin the next one stay.
pub(crate) fn unfold(text: Vec<u8>) -> Vec<u8> {
    let goes_on = |&at: &usize| matches!(text.get(at + 1), Some(b' ' | b'\t'));
    let folds: Vec<usize> = memchr::memchr_iter(b'\n', &text).filter(goes_on).collect();
    if folds.is_empty() {
        return text;
    }
    let mut unfolded = Vec::with_capacity(text.len());
    let mut from = 0;
    for at in folds {
        let line = &text[from..at];
        unfolded.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        from = at + 1;
    }
    unfolded.extend_from_slice(&text[from..]);
    unfolded
}
