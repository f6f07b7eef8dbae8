//! The first line of a message, byte by byte, as strict as Node's parser.

use super::method::{self, Protocol};
use super::refusal::{OVERFLOW, Refusal};
use super::target::{Next, Part};
use std::ops::Range;

/// Which side sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Request,
    Response,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Empty lines before a message are passed over.
    Blank,
    Method,
    Preface,
    Target(Part),
    TargetCr,
    BeforeProtocol,
    Protocol,
    Major,
    Dot,
    Minor,
    AfterVersion,
    VersionCr,
    Status(u8),
    AfterStatus,
    Reason,
    ReasonCr,
}

/// Reads a first line. Places are counted from its first byte, empty lines before it not included.
#[derive(Debug)]
pub(crate) struct Start {
    kind: Kind,
    state: State,
    /// The word that is being read: a method, the name of a protocol, a preface.
    word: Vec<u8>,
    /// How many bytes of the line came in packets before this one.
    base: usize,
    pub(crate) method: usize,
    pub(crate) protocol: Protocol,
    pub(crate) version: (u8, u8),
    pub(crate) status: u16,
    /// The target of a request or the reason of a response.
    pub(crate) text: Range<usize>,
    lenient: bool,
}

const URL: &str = "HPE_INVALID_URL";
const VERSION: &str = "HPE_INVALID_VERSION";
const CONSTANT: &str = "HPE_INVALID_CONSTANT";
const METHOD: &str = "HPE_INVALID_METHOD";
const STATUS: &str = "HPE_INVALID_STATUS";
const PREFACE: &[u8] = b"* HTTP/2.0\r\n\r\nSM\r\n\r\n";
const PROTOCOLS: [(&[u8], Protocol); 3] =
    [(b"HTTP/", Protocol::Http), (b"RTSP/", Protocol::Rtsp), (b"ICE/", Protocol::Ice)];

/// How far the line goes in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// Nothing but empty lines.
    Nothing,
    /// To the end of the packet; the line begins at `from`.
    More { from: usize },
    /// To `end`; the line, as far as it is in the packet, begins at `from`.
    Line { from: usize, end: usize },
}

/// Where a byte is.
#[derive(Clone, Copy)]
struct Place {
    /// In the packet, by which refusals count.
    at: usize,
    /// In the line, by which texts are found again.
    line: usize,
}

/// Whether a byte is the last of the line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    GoesOn,
    Ends,
}

type Taken = Result<Line, Refusal>;

fn refuse<T>(code: &'static str, reason: &'static str, at: usize) -> Result<T, Refusal> {
    Err(Refusal::new(code, reason, at))
}

/// The byte has to be the line feed that ends the line.
fn line_feed(byte: u8, code: &'static str, reason: &'static str, at: usize) -> Taken {
    if byte == b'\n' { Ok(Line::Ends) } else { refuse(code, reason, at) }
}

impl Start {
    pub(crate) fn new(kind: Kind, lenient: bool) -> Self {
        Self {
            kind,
            state: State::Blank,
            word: Vec::new(),
            base: 0,
            method: 0,
            protocol: Protocol::Http,
            version: (0, 9),
            status: 0,
            text: 0..0,
            lenient,
        }
    }

    pub(crate) fn restart(&mut self) {
        self.state = State::Blank;
        self.base = 0;
        self.word.clear();
        self.version = (0, 9);
        self.text = 0..0;
    }

    /// Whether anything of a line was seen.
    pub(crate) fn is_blank(&self) -> bool {
        self.state == State::Blank
    }

    /// Takes bytes from `at` on; the target and the reason may have so many bytes.
    pub(crate) fn scan(
        &mut self,
        bytes: &[u8],
        mut at: usize,
        most: usize,
    ) -> Result<Reached, Refusal> {
        if self.state == State::Blank {
            while matches!(bytes.get(at), Some(b'\r' | b'\n')) {
                at += 1;
            }
            if at == bytes.len() {
                return Ok(Reached::Nothing);
            }
            self.state = match self.kind {
                Kind::Request => State::Method,
                Kind::Response => State::Protocol,
            };
        }
        let from = at;
        for (line, &byte) in (self.base..).zip(&bytes[from..]) {
            if self.take(byte, Place { at, line }, most)? == Line::Ends {
                return Ok(Reached::Line { from, end: at + 1 });
            }
            at += 1;
        }
        self.base += at - from;
        if self.is_in_text() {
            check_size(self.base - self.text.start, most, at)?;
        }
        Ok(Reached::More { from })
    }

    /// Whether the target or the reason has begun and not ended.
    fn is_in_text(&self) -> bool {
        self.state == State::Reason || (self.text.start > 0 && self.text.is_empty())
    }

    #[inline]
    fn take(&mut self, byte: u8, place: Place, most: usize) -> Taken {
        let at = place.at;
        match self.state {
            State::Blank => unreachable!("something was found"),
            State::Method => self.take_method(byte, at),
            State::Preface => self.take_preface(byte, at),
            State::Target(part) => self.take_target(part, byte, place, most),
            State::TargetCr => line_feed(byte, URL, "Expected CRLF", at),
            State::BeforeProtocol => self.take_space(byte, at),
            State::Protocol => self.take_protocol(byte, at),
            State::Major => self.take_major(byte, at),
            State::Dot => self.take_dot(byte, at),
            State::Minor => self.take_minor(byte, at),
            State::AfterVersion => match self.kind {
                Kind::Request => self.after_version(byte, at),
                Kind::Response => self.before_status(byte, at),
            },
            State::VersionCr => line_feed(byte, "HPE_STRICT", "Expected CRLF after version", at),
            State::Status(digits) => self.take_status(digits, byte, at),
            State::AfterStatus => self.after_status(byte, place),
            State::Reason => self.take_reason(byte, place, most),
            State::ReasonCr => line_feed(byte, "HPE_STRICT", "Expected LF after CR", at),
        }
    }

    fn go_on(&mut self, state: State) -> Taken {
        self.state = state;
        Ok(Line::GoesOn)
    }

    fn take_method(&mut self, byte: u8, at: usize) -> Taken {
        self.word.push(byte);
        if method::begins(&self.word) {
            return Ok(Line::GoesOn);
        }
        self.word.pop();
        let Some(known) = method::number(&self.word) else {
            return refuse(METHOD, "Invalid method encountered", at);
        };
        if byte != b' ' {
            return refuse(METHOD, "Expected space after method", at);
        }
        self.method = known;
        self.word.clear();
        self.go_on(match known {
            method::PRI => State::Preface,
            _ => State::Target(Part::Before { authority: known == method::CONNECT }),
        })
    }

    fn take_preface(&mut self, byte: u8, at: usize) -> Taken {
        self.word.push(byte);
        if !PREFACE.starts_with(&self.word) {
            return refuse(VERSION, "Expected HTTP/2 Connection Preface", at);
        }
        if self.word.len() == PREFACE.len() {
            return refuse("HPE_PAUSED_H2_UPGRADE", "Pause on PRI/Upgrade", at + 1);
        }
        Ok(Line::GoesOn)
    }

    #[inline]
    fn take_target(&mut self, part: Part, byte: u8, place: Place, most: usize) -> Taken {
        if matches!(part, Part::Before { .. }) {
            self.text = place.line..place.line;
        }
        match part.take(byte, place.at)? {
            Next::In(part) => self.go_on(State::Target(part)),
            Next::End => {
                self.text.end = place.line;
                check_size(self.text.len(), most, place.at)?;
                match byte {
                    b' ' => self.go_on(State::BeforeProtocol),
                    b'\r' => self.go_on(State::TargetCr),
                    // A request without a protocol is one of HTTP/0.9.
                    _ => Ok(Line::Ends),
                }
            }
        }
    }

    fn take_space(&mut self, byte: u8, at: usize) -> Taken {
        match byte {
            b' ' => Ok(Line::GoesOn),
            b'\t' | 0x0c => refuse(URL, "Invalid characters in url", at + 1),
            _ => {
                self.state = State::Protocol;
                self.take_protocol(byte, at)
            }
        }
    }

    fn take_protocol(&mut self, byte: u8, at: usize) -> Taken {
        self.word.push(byte);
        let begun = PROTOCOLS.into_iter().find(|(name, _)| name.starts_with(&self.word));
        let Some((name, protocol)) = begun else {
            return refuse(CONSTANT, "Expected HTTP/, RTSP/ or ICE/", at);
        };
        if self.word.len() < name.len() {
            return Ok(Line::GoesOn);
        }
        self.word.clear();
        self.protocol = protocol;
        if self.kind == Kind::Request
            && let Some(reason) = method::refuse(self.method, protocol)
        {
            return refuse(CONSTANT, reason, at + 1);
        }
        self.go_on(State::Major)
    }

    fn take_major(&mut self, byte: u8, at: usize) -> Taken {
        if !byte.is_ascii_digit() {
            return refuse(VERSION, "Invalid major version", at);
        }
        self.version.0 = byte - b'0';
        self.go_on(State::Dot)
    }

    fn take_dot(&mut self, byte: u8, at: usize) -> Taken {
        if byte == b'.' { self.go_on(State::Minor) } else { refuse(VERSION, "Expected dot", at) }
    }

    fn take_minor(&mut self, byte: u8, at: usize) -> Taken {
        if !byte.is_ascii_digit() {
            return refuse(VERSION, "Invalid minor version", at);
        }
        self.version.1 = byte - b'0';
        let known = matches!(self.version, (0, 9) | (1, 0) | (1, 1) | (2, 0));
        if !known && !self.lenient {
            return refuse(VERSION, "Invalid HTTP version", at + 1);
        }
        self.go_on(State::AfterVersion)
    }

    fn after_version(&mut self, byte: u8, at: usize) -> Taken {
        match byte {
            b'\r' => self.go_on(State::VersionCr),
            b'\n' if self.lenient => Ok(Line::Ends),
            b'\n' => refuse(VERSION, "Expected CRLF after version", at + 1),
            _ => refuse(VERSION, "Expected CRLF after version", at),
        }
    }

    fn before_status(&mut self, byte: u8, at: usize) -> Taken {
        if byte != b' ' {
            return refuse(VERSION, "Expected space after version", at);
        }
        self.status = 0;
        self.go_on(State::Status(0))
    }

    fn take_status(&mut self, digits: u8, byte: u8, at: usize) -> Taken {
        if !byte.is_ascii_digit() {
            return refuse(STATUS, "Invalid status code", at);
        }
        self.status = self.status * 10 + u16::from(byte - b'0');
        self.go_on(if digits == 2 { State::AfterStatus } else { State::Status(digits + 1) })
    }

    fn after_status(&mut self, byte: u8, Place { at, line }: Place) -> Taken {
        self.text = line + 1..line + 1;
        match byte {
            b' ' => self.go_on(State::Reason),
            b'\r' => self.go_on(State::ReasonCr),
            b'\n' if self.lenient => Ok(Line::Ends),
            b'\n' => refuse(STATUS, "Invalid response status", at + 1),
            _ => refuse(STATUS, "Invalid response status", at),
        }
    }

    fn take_reason(&mut self, byte: u8, Place { at, line }: Place, most: usize) -> Taken {
        match byte {
            b'\r' => {
                self.text.end = line;
                check_size(self.text.len(), most, at + 1)?;
                self.go_on(State::ReasonCr)
            }
            b'\n' if self.lenient => {
                self.text.end = line;
                Ok(Line::Ends)
            }
            b'\n' => refuse("HPE_CR_EXPECTED", "Missing expected CR after response line", at + 1),
            _ => Ok(Line::GoesOn),
        }
    }
}

fn check_size(size: usize, most: usize, at: usize) -> Result<(), Refusal> {
    let (code, reason) = OVERFLOW;
    if size >= most { refuse(code, reason, at) } else { Ok(()) }
}
