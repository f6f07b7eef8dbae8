//! Messages from bytes, however these were cut into packets. Nothing here reads or waits.
//!
//! A head that is whole and ordinary is taken apart by `httparse`. What is cut, unusual or wrong goes
//! through our own scanners, which follow the letter of Node's parser: they know its names for what is
//! wrong, and refuse what a second reader could understand in another way.

use super::chunks::{Chunks, Found};
use super::fields::{Fields, Said};
use super::method;
use super::quick;
use super::refusal::{CLOSED_CONNECTION, END, Refusal};
pub(crate) use super::start::Kind;
use super::start::{Reached, Start};
use std::ops::Range;

/// The head of a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    /// The number of its method; 0 for a response.
    pub(crate) method: usize,
    /// Its status; 0 for a request.
    pub(crate) status: u16,
    pub(crate) version: (u8, u8),
    /// The target of a request, the reason of a response.
    pub(crate) text: &'a [u8],
    /// The lines of its fields; [`super::fields::pairs`] takes them apart.
    pub(crate) fields: &'a [u8],
    pub(crate) said: Said,
    pub(crate) upgrade: bool,
    pub(crate) keep_alive: bool,
}

/// What was found in a packet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event<'a> {
    /// Nothing more: all bytes were taken.
    More,
    Head(Head<'a>),
    /// Bytes of the body, where they are in the packet.
    Body(Range<usize>),
    /// A message is complete; with the lines of its trailers.
    Complete(&'a [u8]),
    /// What follows is another protocol's.
    Stopped,
}

/// What to do about a body, which only the reader of a head knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// As the head says.
    #[default]
    Ordinary,
    /// There is none, whatever the head says: a response to HEAD.
    NoBody,
    /// There is none, and what follows is another protocol's.
    Upgrade,
    /// As the head says, but for its wish to go on with another protocol.
    NoUpgrade,
}

#[derive(Debug)]
enum Phase {
    Line,
    Fields,
    AfterHead,
    Length(u64),
    UntilClose,
    Chunks(Chunks),
    Trailers,
    Complete,
    Closed,
    Stopped,
}

/// What a phase found. Bytes are not in it, so that the loop over phases borrows nothing.
enum Step {
    More,
    /// A head in the packet: where its text and its fields are.
    Head {
        text: Range<usize>,
        fields: Range<usize>,
    },
    /// A head that was gathered.
    PendingHead,
    Body(Range<usize>),
    Complete,
    /// The message is complete, and its trailers were gathered.
    PendingTrailers,
    Stopped,
}

/// Reads the messages of one side of a connection.
#[derive(Debug)]
pub(crate) struct Parser {
    kind: Kind,
    lenient: bool,
    /// Names, values and target may have fewer bytes than that together.
    most: usize,
    start: Start,
    fields: Fields,
    /// What came of a head in earlier packets, from its first line on.
    pending: Vec<u8>,
    line_end: usize,
    phase: Phase,
    method: usize,
    status: u16,
    version: (u8, u8),
    upgrade: bool,
    said: Said,
    verdict: Verdict,
}

/// More room than that is not kept for the next head.
const KEPT: usize = 1024;

impl Parser {
    pub(crate) fn new(kind: Kind, most: usize, lenient: bool) -> Self {
        Self {
            kind,
            lenient,
            most,
            start: Start::new(kind, lenient),
            fields: Fields::new(lenient),
            pending: Vec::new(),
            line_end: 0,
            phase: Phase::Line,
            method: 0,
            status: 0,
            version: (0, 9),
            upgrade: false,
            said: Said::default(),
            verdict: Verdict::Ordinary,
        }
    }

    /// Says what to do about the body of the message whose head was told last.
    pub(crate) fn decide(&mut self, verdict: Verdict) {
        self.verdict = verdict;
        match verdict {
            Verdict::Upgrade => self.upgrade = true,
            Verdict::NoUpgrade => self.upgrade = false,
            Verdict::Ordinary | Verdict::NoBody => {}
        }
    }

    /// Whether a head was told and no body can follow, so that the message is as good as complete.
    pub(crate) fn is_all(&self) -> bool {
        matches!(self.phase, Phase::AfterHead)
            && self.kind == Kind::Request
            && !self.said.coded
            && self.said.length.unwrap_or(0) == 0
            && !self.upgrade
    }

    /// Finds what comes next, from `at` on, which is moved behind it.
    pub(crate) fn next<'a>(
        &'a mut self,
        bytes: &'a [u8],
        at: &mut usize,
    ) -> Result<Event<'a>, Refusal> {
        let found = loop {
            if let Some(found) = self.advance(bytes, at)? {
                break found;
            }
        };
        Ok(match found {
            Step::More => Event::More,
            Step::Head { text, fields } => Event::Head(self.head(&bytes[text], &bytes[fields])),
            Step::PendingHead => {
                let (line, fields) = self.pending.split_at(self.line_end);
                Event::Head(self.head(&line[self.start.text.clone()], lines(fields)))
            }
            Step::Body(range) => Event::Body(range),
            Step::Complete => Event::Complete(&[]),
            Step::PendingTrailers => Event::Complete(lines(&self.pending)),
            Step::Stopped => Event::Stopped,
        })
    }

    /// Goes on with the phase it is in; nothing if the next one begins with nothing to tell.
    #[inline]
    fn advance(&mut self, bytes: &[u8], at: &mut usize) -> Result<Option<Step>, Refusal> {
        let is_empty = *at == bytes.len();
        match &mut self.phase {
            Phase::Line | Phase::Length(_) | Phase::UntilClose if is_empty => Ok(Some(Step::More)),
            Phase::Line => self.line(bytes, at),
            Phase::Fields => self.fields(bytes, at),
            Phase::AfterHead => {
                self.begin_body(*at)?;
                Ok(None)
            }
            Phase::Length(left) => {
                let taken = (*left).min((bytes.len() - *at) as u64);
                *left -= taken;
                if *left == 0 {
                    self.phase = Phase::Complete;
                }
                let from = *at;
                *at += taken as usize;
                Ok(Some(Step::Body(from..*at)))
            }
            Phase::UntilClose => {
                let from = std::mem::replace(at, bytes.len());
                Ok(Some(Step::Body(from..bytes.len())))
            }
            Phase::Chunks(chunks) => match chunks.scan(bytes, *at)? {
                Found::More => {
                    *at = bytes.len();
                    Ok(Some(Step::More))
                }
                Found::Data { from, to } => {
                    *at = to;
                    Ok(Some(Step::Body(from..to)))
                }
                Found::Last(end) => {
                    *at = end;
                    self.begin_trailers();
                    Ok(None)
                }
            },
            Phase::Trailers => self.trailers(bytes, at),
            Phase::Complete => {
                self.complete();
                Ok(Some(Step::Complete))
            }
            Phase::Closed => self.closed(bytes, at).map(Some),
            Phase::Stopped => Ok(Some(Step::Stopped)),
        }
    }

    /// Reads a head that is whole and ordinary, or else the first line of one.
    #[inline]
    fn line(&mut self, bytes: &[u8], at: &mut usize) -> Result<Option<Step>, Refusal> {
        if self.start.is_blank() {
            if !self.pending.is_empty() {
                // That was the message before.
                self.pending.clear();
                self.pending.shrink_to(KEPT);
            }
            if let Some(found) = quick::head(self.kind, &bytes[*at..], self.most, self.lenient) {
                return Ok(Some(self.quick_head(found, at)));
            }
        }
        match self.start.scan(bytes, *at, self.most)? {
            Reached::Nothing => {
                *at = bytes.len();
                Ok(Some(Step::More))
            }
            Reached::More { from } => {
                self.pending.extend_from_slice(&bytes[from..]);
                *at = bytes.len();
                Ok(Some(Step::More))
            }
            Reached::Line { from, end } => {
                self.pending.extend_from_slice(&bytes[from..end]);
                self.line_end = self.pending.len();
                *at = end;
                self.method = self.start.method;
                self.status = self.start.status;
                self.version = self.start.version;
                self.fields.restart(false);
                self.fields.size = self.start.text.len();
                self.phase = Phase::Fields;
                Ok(None)
            }
        }
    }

    #[inline]
    fn quick_head(&mut self, found: quick::Found, at: &mut usize) -> Step {
        let from = *at;
        let moved = |range: Range<usize>| from + range.start..from + range.end;
        *at += found.end;
        self.method = found.method;
        self.status = found.status;
        self.version = (1, found.minor);
        self.said = found.said;
        self.phase = Phase::AfterHead;
        self.settle();
        Step::Head { text: moved(found.text), fields: moved(found.fields) }
    }

    fn fields(&mut self, bytes: &[u8], at: &mut usize) -> Result<Option<Step>, Refusal> {
        if !self.gather(bytes, at)? {
            return Ok(Some(Step::More));
        }
        self.phase = Phase::AfterHead;
        self.said = self.fields.said;
        self.settle();
        Ok(Some(Step::PendingHead))
    }

    fn trailers(&mut self, bytes: &[u8], at: &mut usize) -> Result<Option<Step>, Refusal> {
        if !self.gather(bytes, at)? {
            return Ok(Some(Step::More));
        }
        self.complete();
        Ok(Some(Step::PendingTrailers))
    }

    /// Keeps the lines of fields that are in a packet. Says whether they are complete.
    fn gather(&mut self, bytes: &[u8], at: &mut usize) -> Result<bool, Refusal> {
        let end = self.fields.scan(bytes, *at, self.most)?;
        let from = std::mem::replace(at, end.unwrap_or(bytes.len()));
        self.pending.extend_from_slice(&bytes[from..*at]);
        Ok(end.is_some())
    }

    fn closed(&self, bytes: &[u8], at: &mut usize) -> Result<Step, Refusal> {
        while matches!(bytes.get(*at), Some(b'\r' | b'\n')) {
            *at += 1;
        }
        if *at == bytes.len() || self.lenient {
            *at = bytes.len();
            return Ok(Step::More);
        }
        let (code, reason) = CLOSED_CONNECTION;
        Err(Refusal::new(code, reason, *at + 1))
    }

    /// Whether it takes no more bytes.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Stopped)
    }

    /// Whether it is between two messages.
    pub(crate) fn is_idle(&self) -> bool {
        match self.phase {
            Phase::Line => self.start.is_blank(),
            Phase::Closed | Phase::Stopped => true,
            _ => false,
        }
    }

    /// Takes no more bytes.
    pub(crate) fn close(&mut self) {
        self.phase = Phase::Stopped;
    }

    /// No more bytes will come. Says whether that completes a message.
    pub(crate) fn finish(&mut self) -> Result<bool, Refusal> {
        match self.phase {
            Phase::UntilClose => {
                self.phase = Phase::Closed;
                Ok(true)
            }
            Phase::Line if self.start.is_blank() => Ok(false),
            Phase::Closed | Phase::Stopped => Ok(false),
            _ => {
                let (code, reason) = END;
                Err(Refusal::new(code, reason, 0))
            }
        }
    }

    fn head<'a>(&self, text: &'a [u8], fields: &'a [u8]) -> Head<'a> {
        let is_request = self.kind == Kind::Request;
        Head {
            method: if is_request { self.method } else { 0 },
            status: if is_request { 0 } else { self.status },
            version: self.version,
            text,
            fields,
            said: self.said,
            upgrade: self.upgrade,
            keep_alive: self.keeps_alive(),
        }
    }

    /// Draws the conclusions from a head.
    fn settle(&mut self) {
        self.verdict = Verdict::Ordinary;
        let asked = self.said.upgrade && self.said.connection_upgrade;
        self.upgrade = match self.kind {
            Kind::Request => asked || self.method == method::CONNECT,
            Kind::Response => asked && self.status == 101,
        };
    }

    /// Whether only the end of the connection ends the body.
    fn needs_end(&self) -> bool {
        if self.kind == Kind::Request
            || matches!(self.status, 100..=199 | 204 | 304)
            || matches!(self.verdict, Verdict::NoBody | Verdict::Upgrade)
        {
            return false;
        }
        if self.said.coded { !self.said.chunked } else { self.said.length.is_none() }
    }

    fn keeps_alive(&self) -> bool {
        let wanted = if self.version > (1, 0) && self.version.0 == 1 {
            !self.said.close
        } else {
            self.said.keep_alive
        };
        wanted && !self.needs_end()
    }

    fn begin_body(&mut self, at: usize) -> Result<(), Refusal> {
        let has_body = self.said.chunked || self.said.length.is_some_and(|length| length > 0);
        let skipped = matches!(self.verdict, Verdict::NoBody | Verdict::Upgrade);
        let is_response = self.kind == Kind::Response;
        let has_none = skipped || (is_response && matches!(self.status, 100 | 101 | 204 | 304));
        let goes_over = self.upgrade && (self.method == method::CONNECT || !has_body);
        self.phase = if has_none || goes_over {
            Phase::Complete
        } else if self.said.chunked {
            Phase::Chunks(Chunks::new(self.lenient))
        } else if self.said.coded {
            if !is_response && !self.lenient {
                let reason = "Request has invalid `Transfer-Encoding`";
                return Err(Refusal::new("HPE_INVALID_TRANSFER_ENCODING", reason, at));
            }
            Phase::UntilClose
        } else {
            match self.said.length {
                Some(0) => Phase::Complete,
                Some(length) => Phase::Length(length),
                None if self.needs_end() => Phase::UntilClose,
                None => Phase::Complete,
            }
        };
        Ok(())
    }

    fn begin_trailers(&mut self) {
        self.pending.clear();
        self.fields.said = self.said;
        self.fields.restart(true);
        self.phase = Phase::Trailers;
    }

    /// Gets ready for the next message, or for none.
    fn complete(&mut self) {
        let stops = self.upgrade || (self.kind == Kind::Response && self.status == 101);
        self.phase = if stops {
            Phase::Stopped
        } else if self.keeps_alive() {
            Phase::Line
        } else {
            Phase::Closed
        };
        self.start.restart();
    }
}

/// Without the empty line at the end.
fn lines(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.strip_suffix(b"\r").unwrap_or(text)
}
