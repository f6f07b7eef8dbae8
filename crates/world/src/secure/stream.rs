//! One stream that TLS protects: what the program says and hears, and what goes over the wire.

use hemiola_gate::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use hemiola_tls::{Connection, Progress};
use std::collections::VecDeque;

/// As much is made unreadable at a time: no more waits in memory when the wire is slow.
pub(super) const PIECE: usize = 64 * 1024;

/// How reading ended: with the end of the stream, or with an error.
type End = Result<(), Fault>;

/// A stream that TLS protects.
pub(super) struct Stream {
    pub(super) connection: Connection,
    /// What is beneath: a stream of the world under the same number, or the program itself.
    pub(super) beneath: Beneath,
    /// Who waits for the client's first words.
    pub(super) hello: Option<Operation>,
    /// Who waits for the two sides to agree.
    pub(super) start: Option<Operation>,
    /// Who waits for the next bytes.
    pub(super) read: Option<Operation>,
    /// Who waits for new sessions, and those that nobody has heard of.
    pub(super) session: Option<Operation>,
    pub(super) sessions: Vec<Datum>,
    /// What the peer said and nobody asked for.
    plain: Vec<u8>,
    pub(super) end: Option<End>,
    /// What is to be sent, in order.
    pub(super) writes: VecDeque<Outgoing>,
    /// What is to go over the wire next.
    pub(super) wire: Vec<u8>,
    /// Whether the program has yet to say that it believes the peer: until then the peer is not told that
    /// the two sides agree.
    pub(super) held: bool,
    /// Whether the end was said to the peer.
    closed: bool,
    /// Why nothing can be sent any more.
    pub(super) broken: Option<Fault>,
}

/// What carries the bytes of a protected stream.
#[derive(Debug)]
pub(super) enum Beneath {
    /// A stream of the world; whether it is read from, and written to, at the moment.
    World { reading: bool, writing: bool },
    /// The program: it feeds what comes, and waits for what is to be sent. `busy` until it has sent what it
    /// was given last.
    Program { waiting: Option<Operation>, busy: bool },
}

/// Something that the program wants to be done in order.
pub(super) enum Outgoing {
    Bytes {
        bytes: Vec<u8>,
        sent: usize,
        operation: Operation,
    },
    /// All was said.
    Shutdown {
        operation: Operation,
    },
}

impl Stream {
    pub(super) fn new(connection: Connection, beneath: Beneath) -> Self {
        Self {
            connection,
            beneath,
            hello: None,
            start: None,
            read: None,
            session: None,
            sessions: Vec::new(),
            plain: Vec::new(),
            end: None,
            writes: VecDeque::new(),
            wire: Vec::new(),
            held: false,
            closed: false,
            broken: None,
        }
    }

    pub(super) fn is_established(&self) -> bool {
        self.connection.progress() == Progress::Established
    }

    /// Whether the wire has taken all that there was.
    pub(super) fn is_wire_free(&self) -> bool {
        self.wire.is_empty()
            && match &self.beneath {
                Beneath::World { writing, .. } => !writing,
                Beneath::Program { busy, .. } => !busy,
            }
    }

    /// Takes what came over the wire; no bytes are its end.
    pub(super) fn arrived(&mut self, answer: Answer) {
        if self.end.is_some() {
            return;
        }
        match answer {
            Ok(Datum::Bytes(bytes)) if bytes.is_empty() => self.end = Some(Ok(())),
            Ok(Datum::Bytes(bytes)) => {
                if let Err(failure) = self.connection.receive(&bytes, &mut self.plain) {
                    self.end = Some(Err(super::options::failed(failure)));
                } else if self.connection.has_peer_closed() {
                    self.end = Some(Ok(()));
                }
            }
            Ok(_) => {}
            Err(fault) => self.end = Some(Err(fault)),
        }
    }

    /// What is to be told to whoever reads.
    pub(super) fn take_plain(&mut self) -> Option<Answer> {
        if !self.plain.is_empty() {
            let rest = self.plain.split_off(self.plain.len().min(PIECE));
            return Some(Ok(Datum::Bytes(std::mem::replace(&mut self.plain, rest))));
        }
        // An error is told once; then the stream has ended.
        let end = self.end.as_mut()?;
        Some(std::mem::replace(end, Ok(())).map(|()| Datum::Bytes(Vec::new())))
    }

    /// Says as much to the peer as a piece holds; gives the count.
    pub(super) fn say(&mut self, bytes: &[u8]) -> usize {
        let piece = &bytes[..bytes.len().min(PIECE)];
        self.connection.send(piece);
        self.gather();
        piece.len()
    }

    /// Says to the peer that this was all, unless that was said before.
    pub(super) fn say_end(&mut self) -> bool {
        if self.closed {
            return false;
        }
        self.closed = true;
        self.connection.close();
        self.gather();
        true
    }

    /// Takes over what the connection has for the wire.
    pub(super) fn gather(&mut self) {
        let outgoing = self.connection.outgoing();
        if self.wire.is_empty() {
            self.wire = outgoing;
        } else {
            self.wire.extend_from_slice(&outgoing);
        }
    }

    /// Whether more has to come over the wire for somebody who waits.
    pub(super) fn wants_more(&self) -> bool {
        if self.end.is_some() {
            return false;
        }
        match self.connection.progress() {
            Progress::Greeted => false,
            Progress::Handshaking => self.start.is_some() || self.hello.is_some(),
            Progress::Established => self.read.is_some() && self.plain.is_empty(),
        }
    }

    /// Nobody waits for that operation any more.
    pub(super) fn forget(&mut self, operation: Operation) {
        for waiting in [&mut self.hello, &mut self.start, &mut self.read, &mut self.session] {
            if *waiting == Some(operation) {
                *waiting = None;
            }
        }
        if let Beneath::Program { waiting, .. } = &mut self.beneath
            && *waiting == Some(operation)
        {
            *waiting = None;
        }
    }
}
