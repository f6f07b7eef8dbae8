//! The direction of a stream that comes in.

use crate::clock::Moment;
use crate::deliveries::Sender;
use crate::net::stream::Shared;
use crate::reactor::{Ready, failed};
use hemiola_gate::sockets::CHUNK;
use hemiola_gate::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use rustix::io::Errno;
use std::cell::RefCell;

thread_local! {
    /// Where bytes are read to before it is known how many there are.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; CHUNK]);
}

/// What has arrived, and who waits for it.
pub(crate) struct Reading {
    /// Nothing once the stream is closed.
    pub(crate) fd: Option<Shared>,
    /// What was read and not asked for, and since when there is something.
    pub(crate) incoming: Vec<u8>,
    since: Moment,
    /// How reading ended: with the end of the stream, or with an error that is told once.
    end: Option<Result<(), Fault>>,
    /// Who waits for bytes.
    pub(crate) asked: Option<Operation>,
    /// Whether it is read ahead: not before the program wants it, and not while another process reads.
    started: bool,
    /// Whether the system may have more to give than was read.
    readable: bool,
    /// Whether that is followed by the end.
    closing: bool,
}

impl Reading {
    pub(crate) fn new(fd: Shared) -> Self {
        Self {
            fd: Some(fd),
            incoming: Vec::new(),
            since: Moment::now(),
            end: None,
            asked: None,
            started: false,
            readable: false,
            closing: false,
        }
    }

    /// Begins to read ahead.
    pub(crate) fn start(&mut self) {
        self.started = true;
        self.go_on();
    }

    /// Another process may read: what it is to have is not read ahead here, unless the program waits for it.
    pub(crate) fn lend(&mut self) {
        if self.asked.is_none() {
            self.started = false;
        }
    }

    /// Asks for bytes. Gives the answer if it is known, and since when.
    pub(crate) fn ask(&mut self, operation: Operation) -> Option<(Moment, Answer)> {
        let answer = self.take();
        if answer.is_none() {
            self.asked = Some(operation);
            self.started = true;
        }
        self.go_on();
        answer
    }

    /// Lets more be read before the next wait, if there may be something.
    fn go_on(&self) {
        if let (true, true, Some(fd)) = (self.started, self.readable, &self.fd) {
            fd.again();
        }
    }

    /// What has arrived, if anything has.
    fn take(&mut self) -> Option<(Moment, Answer)> {
        if !self.incoming.is_empty() {
            let bytes = std::mem::take(&mut self.incoming);
            return Some((self.since, Ok(Datum::Bytes(bytes))));
        }
        let end = std::mem::replace(self.end.as_mut()?, Ok(()));
        Some((self.since, end.map(|()| Datum::Bytes(Vec::new()))))
    }

    /// Reads ahead what is there.
    pub(crate) fn ready(&mut self, ready: Ready, sender: &Sender) {
        self.readable |= ready.read;
        self.closing |= ready.closing;
        while self.readable && self.started && self.read_once() {
            self.tell(sender);
        }
    }

    /// Reads what is there although the system has not told of it, if it is read ahead. What else happens to
    /// the stream is then heard after it.
    pub(crate) fn catch_up(&mut self, sender: &Sender) {
        if self.started && self.read_once() {
            self.tell(sender);
        }
    }

    /// Reads once, as much as there is room for. False when there is none, or nothing more will come.
    fn read_once(&mut self) -> bool {
        let room = CHUNK.saturating_sub(self.incoming.len());
        let (Some(fd), None, 1..) = (&self.fd, &self.end, room) else { return false };
        let fd = Shared::clone(fd);
        SCRATCH.with_borrow_mut(|scratch| {
            let result = rustix::io::read(&*fd, &mut scratch[..room]);
            self.took(result.map(|count| &scratch[..count]), room);
        });
        true
    }

    /// Notes what came of a read with that much room.
    fn took(&mut self, result: rustix::io::Result<&[u8]>, room: usize) {
        match result {
            Ok(bytes) => {
                // A stream that gave less has no more, but for its end.
                self.readable = self.closing || bytes.len() == room;
                self.arrived(bytes);
            }
            Err(Errno::AGAIN) => self.readable = false,
            Err(Errno::INTR) => {}
            Err(error) => self.end = Some(Err(failed(&error.into(), "read"))),
        }
    }

    /// Notes what the system gave; nothing means that the stream has ended.
    fn arrived(&mut self, bytes: &[u8]) {
        if self.incoming.is_empty() && self.asked.is_none() {
            self.since = Moment::now();
        }
        if bytes.is_empty() {
            self.end = Some(Ok(()));
        } else {
            self.incoming.extend_from_slice(bytes);
        }
    }

    /// Answers whoever waits for bytes, if there are any.
    fn tell(&mut self, sender: &Sender) {
        if self.asked.is_some()
            && let Some((_, answer)) = self.take()
            && let Some(operation) = self.asked.take()
        {
            sender.deliver(operation, answer);
        }
    }
}
