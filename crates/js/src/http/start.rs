//! The first line of a message, byte by byte, as strict as Node's parser.

use super::chars::{is_authority, is_url};
use super::method::{self, Protocol};
use super::refusal::{OVERFLOW, Refusal};
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
    BeforeTarget,
    Scheme,
    /// The colon and the slashes after a scheme.
    Slashes(u8),
    /// Whether the byte before was an `@`.
    Authority(bool),
    Path,
    Query,
    Fragment,
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
const PREFACE: &[u8] = b"* HTTP/2.0\r\n\r\nSM\r\n\r\n";

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
        // Places in the line are places in the packet, shifted.
        let line = |at: usize, base: usize| base + at - from;
        while let Some(&byte) = bytes.get(at) {
            let refuse = |code, reason, at| Err(Refusal::new(code, reason, at));
            let here = line(at, self.base);
            match self.state {
                State::Blank => unreachable!("something was found"),
                State::Method => {
                    self.word.push(byte);
                    if !method::begins(&self.word) {
                        self.word.pop();
                        let Some(known) = method::number(&self.word) else {
                            return refuse(METHOD, "Invalid method encountered", at);
                        };
                        if byte != b' ' {
                            return refuse(METHOD, "Expected space after method", at);
                        }
                        self.method = known;
                        self.word.clear();
                        self.state =
                            if known == method::PRI { State::Preface } else { State::BeforeTarget };
                    }
                }
                State::Preface => {
                    self.word.push(byte);
                    if !PREFACE.starts_with(&self.word) {
                        return refuse(VERSION, "Expected HTTP/2 Connection Preface", at);
                    }
                    if self.word.len() == PREFACE.len() {
                        return refuse("HPE_PAUSED_H2_UPGRADE", "Pause on PRI/Upgrade", at + 1);
                    }
                }
                State::BeforeTarget => {
                    self.text = here..here;
                    match byte {
                        b' ' => {}
                        _ if self.method == method::CONNECT => {
                            self.state = State::Authority(false);
                            continue;
                        }
                        b'/' | b'*' => self.state = State::Path,
                        _ if byte.is_ascii_alphabetic() => self.state = State::Scheme,
                        b'\t' | 0x0c | b'\r' | b'\n' => {
                            return refuse(URL, "Invalid characters in url", at + 1);
                        }
                        _ => return refuse(URL, "Unexpected start char in url", at),
                    }
                }
                State::Scheme => match byte {
                    _ if byte.is_ascii_alphabetic() => {}
                    b':' => self.state = State::Slashes(0),
                    b' ' | b'\r' | b'\n' | b'\t' | 0x0c => {
                        return refuse(URL, "Invalid characters in url", at + 1);
                    }
                    _ => return refuse(URL, "Unexpected char in url schema", at),
                },
                State::Slashes(count) => match byte {
                    b'/' if count == 0 => self.state = State::Slashes(1),
                    b'/' => self.state = State::Authority(false),
                    b' ' | b'\r' | b'\n' | b'\t' | 0x0c if count == 0 => {
                        return refuse(URL, "Invalid characters in url", at + 1);
                    }
                    _ => return refuse(URL, "Unexpected char in url schema", at),
                },
                State::Authority(after_at) => match byte {
                    b'/' => self.state = State::Path,
                    b'?' => self.state = State::Query,
                    b'@' if after_at => return refuse(URL, "Double @ in url", at + 1),
                    b'@' => self.state = State::Authority(true),
                    _ if is_authority(byte) => self.state = State::Authority(false),
                    b' ' | b'\r' | b'\n' => self.target_ends(byte, here, at, most)?,
                    b'\t' | 0x0c => return refuse(URL, "Invalid characters in url", at + 1),
                    _ => return refuse(URL, "Unexpected char in url server", at),
                },
                State::Path | State::Query | State::Fragment => match byte {
                    _ if is_url(byte) => {}
                    b' ' | b'\r' | b'\n' => self.target_ends(byte, here, at, most)?,
                    b'\t' | 0x0c => return refuse(URL, "Invalid characters in url", at + 1),
                    b'?' => {
                        self.state = match self.state {
                            State::Path => State::Query,
                            other => other,
                        }
                    }
                    b'#' => self.state = State::Fragment,
                    _ => {
                        let reason = match self.state {
                            State::Path => "Invalid char in url path",
                            State::Query => "Invalid char in url query",
                            _ => "Invalid char in url fragment start",
                        };
                        return refuse(URL, reason, at);
                    }
                },
                State::TargetCr => {
                    if byte != b'\n' {
                        return refuse(URL, "Expected CRLF", at);
                    }
                    return Ok(Reached::Line { from, end: at + 1 });
                }
                State::BeforeProtocol => match byte {
                    b' ' => {}
                    b'\t' | 0x0c => return refuse(URL, "Invalid characters in url", at + 1),
                    _ => {
                        self.state = State::Protocol;
                        continue;
                    }
                },
                State::Protocol => {
                    self.word.push(byte);
                    let names = [
                        ("HTTP/", Protocol::Http),
                        ("RTSP/", Protocol::Rtsp),
                        ("ICE/", Protocol::Ice),
                    ];
                    let begun = |name: &str| name.as_bytes().starts_with(&self.word);
                    let Some((name, protocol)) = names.into_iter().find(|(name, _)| begun(name))
                    else {
                        return refuse(CONSTANT, "Expected HTTP/, RTSP/ or ICE/", at);
                    };
                    if self.word.len() == name.len() {
                        self.word.clear();
                        self.protocol = protocol;
                        if self.kind == Kind::Request
                            && let Some(reason) = method::refuse(self.method, protocol)
                        {
                            return refuse(CONSTANT, reason, at + 1);
                        }
                        self.state = State::Major;
                    }
                }
                State::Major => {
                    if !byte.is_ascii_digit() {
                        return refuse(VERSION, "Invalid major version", at);
                    }
                    self.version.0 = byte - b'0';
                    self.state = State::Dot;
                }
                State::Dot => {
                    if byte != b'.' {
                        return refuse(VERSION, "Expected dot", at);
                    }
                    self.state = State::Minor;
                }
                State::Minor => {
                    if !byte.is_ascii_digit() {
                        return refuse(VERSION, "Invalid minor version", at);
                    }
                    self.version.1 = byte - b'0';
                    let known = matches!(self.version, (0, 9) | (1, 0) | (1, 1) | (2, 0));
                    if !known && !self.lenient {
                        return refuse(VERSION, "Invalid HTTP version", at + 1);
                    }
                    self.state = State::AfterVersion;
                }
                State::AfterVersion if self.kind == Kind::Response => {
                    if byte != b' ' {
                        return refuse(VERSION, "Expected space after version", at);
                    }
                    self.status = 0;
                    self.state = State::Status(0);
                }
                State::AfterVersion => match byte {
                    b'\r' => self.state = State::VersionCr,
                    b'\n' if self.lenient => return Ok(Reached::Line { from, end: at + 1 }),
                    b'\n' => return refuse(VERSION, "Expected CRLF after version", at + 1),
                    _ => return refuse(VERSION, "Expected CRLF after version", at),
                },
                State::VersionCr => {
                    if byte != b'\n' {
                        return refuse("HPE_STRICT", "Expected CRLF after version", at);
                    }
                    return Ok(Reached::Line { from, end: at + 1 });
                }
                State::Status(digits) => {
                    if !byte.is_ascii_digit() {
                        return refuse("HPE_INVALID_STATUS", "Invalid status code", at);
                    }
                    self.status = self.status * 10 + u16::from(byte - b'0');
                    self.state =
                        if digits == 2 { State::AfterStatus } else { State::Status(digits + 1) };
                }
                State::AfterStatus => {
                    let next = line(at + 1, self.base);
                    self.text = next..next;
                    match byte {
                        b' ' => self.state = State::Reason,
                        b'\r' => self.state = State::ReasonCr,
                        b'\n' if self.lenient => return Ok(Reached::Line { from, end: at + 1 }),
                        b'\n' => {
                            return refuse("HPE_INVALID_STATUS", "Invalid response status", at + 1);
                        }
                        _ => return refuse("HPE_INVALID_STATUS", "Invalid response status", at),
                    }
                }
                State::Reason => match byte {
                    b'\r' => {
                        self.text.end = here;
                        check_size(self.text.len(), most, at + 1)?;
                        self.state = State::ReasonCr;
                    }
                    b'\n' if self.lenient => {
                        self.text.end = here;
                        return Ok(Reached::Line { from, end: at + 1 });
                    }
                    b'\n' => {
                        let reason = "Missing expected CR after response line";
                        return refuse("HPE_CR_EXPECTED", reason, at + 1);
                    }
                    _ => {}
                },
                State::ReasonCr => {
                    if byte != b'\n' {
                        return refuse("HPE_STRICT", "Expected LF after CR", at);
                    }
                    return Ok(Reached::Line { from, end: at + 1 });
                }
            }
            if self.is_over() {
                return Ok(Reached::Line { from, end: at + 1 });
            }
            at += 1;
        }
        self.base += at - from;
        if matches!(self.state, State::Reason)
            || (self.text.start > 0 && self.text.end == self.text.start)
        {
            check_size(self.base - self.text.start, most, at)?;
        }
        Ok(Reached::More { from })
    }

    /// Whether the target ended with a line feed.
    fn is_over(&self) -> bool {
        self.state == State::Blank
    }

    fn target_ends(
        &mut self,
        byte: u8,
        here: usize,
        at: usize,
        most: usize,
    ) -> Result<(), Refusal> {
        self.text.end = here;
        check_size(self.text.len(), most, at)?;
        self.state = match byte {
            b' ' => State::BeforeProtocol,
            b'\r' => State::TargetCr,
            // The mark of a line that is complete.
            _ => State::Blank,
        };
        Ok(())
    }
}

fn check_size(size: usize, most: usize, at: usize) -> Result<(), Refusal> {
    let (code, reason) = OVERFLOW;
    if size >= most { Err(Refusal::new(code, reason, at)) } else { Ok(()) }
}
