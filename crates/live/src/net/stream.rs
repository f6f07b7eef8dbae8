//! A stream of bytes: a connection, or an end of a pipe.
//!
//! What has arrived is read ahead of the program, as far as the buffer has room, so that a read mostly finds
//! what it wants. A write goes to the system at once; what it does not take waits until it can.

use crate::clock::Moment;
use crate::deliveries::Sender;
use crate::net::reading::Reading;
use crate::net::socket;
use crate::net::writing::{Outgoing, Writing};
use crate::reactor::{Ready, Source, Watched, failed};
use hemiola_gate::sockets::{Place, Settings};
use hemiola_gate::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use rustix::net::sockopt;
use std::cell::RefCell;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::Duration;

/// What is behind a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tcp,
    Unix,
    /// One end of a pipe, for one direction.
    Pipe,
}

/// A descriptor that both directions share. It is closed when both have given it up.
pub(crate) type Shared = Rc<Watched>;

/// A stream.
pub(crate) struct Stream {
    kind: Kind,
    sender: Sender,
    reading: RefCell<Reading>,
    writing: RefCell<Writing>,
}

impl Stream {
    pub(crate) fn new(fd: Watched, kind: Kind, sender: &Sender) -> Rc<Self> {
        let fd = Rc::new(fd);
        let stream = Rc::new(Self {
            kind,
            sender: sender.clone(),
            reading: RefCell::new(Reading::new(Rc::clone(&fd))),
            writing: RefCell::new(Writing::new(Rc::clone(&fd))),
        });
        fd.tell(Rc::clone(&stream) as Rc<dyn Source>);
        stream
    }

    /// Where its two ends are, of a socket.
    pub(crate) fn ends(&self) -> (Option<Place>, Option<Place>) {
        match &self.writing.borrow_mut().fd {
            Some(fd) if self.kind != Kind::Pipe => (socket::near(fd), socket::far(fd)),
            _ => (None, None),
        }
    }

    /// A second descriptor for it, for another process.
    pub(crate) fn descriptor(&self) -> std::io::Result<OwnedFd> {
        self.reading.borrow_mut().lend();
        match &self.writing.borrow_mut().fd {
            Some(fd) => fd.try_clone(),
            None => Err(rustix::io::Errno::BADF.into()),
        }
    }

    /// Begins to read ahead.
    pub(crate) fn start(&self) {
        self.reading.borrow_mut().start();
    }

    /// Asks for bytes. Gives the answer if it is known, and since when.
    pub(crate) fn read(&self, operation: Operation) -> Option<(Moment, Answer)> {
        self.reading.borrow_mut().ask(operation)
    }

    /// Takes back what was asked for; false if it has been answered, or nothing was.
    pub(crate) fn recall(&self) -> bool {
        self.reading.borrow_mut().asked.take().is_some()
    }

    /// Hands to the system what it takes at once.
    pub(crate) fn try_write(&self, bytes: &[u8]) -> Answer {
        let mut writing = self.writing.borrow_mut();
        let sent = if writing.outgoing.is_empty() { writing.send(bytes)? } else { 0 };
        Ok(Datum::Number(sent as f64))
    }

    /// Hands all of it to the system. Gives the answer if that is done.
    pub(crate) fn write(&self, operation: Operation, bytes: Vec<u8>) -> Option<Answer> {
        let mut writing = self.writing.borrow_mut();
        let mut sent = 0;
        if writing.outgoing.is_empty() {
            match writing.send(&bytes) {
                Err(fault) => return Some(Err(fault)),
                Ok(count) if count == bytes.len() => {
                    return Some(Ok(Datum::Number(count as f64)));
                }
                Ok(count) => sent = count,
            }
        }
        writing.wait(Outgoing::Bytes { bytes, sent, operation });
        None
    }

    /// Says that nothing more will be written. Gives the answer if that is done.
    pub(crate) fn shutdown(&self, operation: Operation) -> Option<Answer> {
        let mut writing = self.writing.borrow_mut();
        if writing.outgoing.is_empty() {
            return Some(self.half_close(&mut writing));
        }
        writing.wait(Outgoing::Shutdown { operation });
        None
    }

    /// Says the same if it can be said at once; false when writes still wait.
    pub(crate) fn try_shutdown(&self) -> Answer {
        let mut writing = self.writing.borrow_mut();
        if !writing.outgoing.is_empty() {
            return Ok(Datum::Bool(false));
        }
        self.half_close(&mut writing).map(|_| Datum::Bool(true))
    }

    fn half_close(&self, writing: &mut Writing) -> Answer {
        if self.kind == Kind::Pipe {
            // A pipe has one direction.
            writing.fd = None;
            self.reading.borrow_mut().fd = None;
            return Ok(Datum::Undefined);
        }
        let result = rustix::net::shutdown(writing.fd()?, rustix::net::Shutdown::Write);
        result.map(|()| Datum::Undefined).map_err(|error| failed(&error.into(), "shutdown"))
    }

    /// Frees the descriptor at once; with `reset` the peer is told that it was cut off.
    pub(crate) fn close(&self, reset: bool) -> Result<(), Fault> {
        let mut writing = self.writing.borrow_mut();
        let mut result = Ok(());
        if let (true, Ok(fd)) = (reset, writing.fd()) {
            result = sockopt::set_socket_linger(fd, Some(Duration::ZERO));
        }
        writing.fd = None;
        writing.outgoing.clear();
        drop(writing);
        let mut reading = self.reading.borrow_mut();
        reading.fd = None;
        reading.asked = None;
        reading.incoming = Vec::new();
        result.map_err(|error| failed(&error.into(), "setsockopt"))
    }

    pub(crate) fn set(&self, settings: Settings) -> Answer {
        if self.kind == Kind::Tcp {
            set_options(self.writing.borrow_mut().fd()?, settings)
                .map_err(|error| failed(&error.into(), "setsockopt"))?;
        }
        Ok(Datum::Undefined)
    }
}

impl Source for Stream {
    fn ready(self: Rc<Self>, ready: Ready) {
        self.reading.borrow_mut().ready(ready, &self.sender);
        let half_close = |writing: &mut Writing| self.half_close(writing);
        let read_first = || self.reading.borrow_mut().catch_up(&self.sender);
        self.writing.borrow_mut().ready(ready, &self.sender, read_first, half_close);
    }
}

fn set_options(fd: &Shared, settings: Settings) -> rustix::io::Result<()> {
    if let Some(no_delay) = settings.no_delay {
        sockopt::set_tcp_nodelay(fd, no_delay)?;
    }
    if let Some(keep_alive) = settings.keep_alive {
        sockopt::set_socket_keepalive(fd, keep_alive)?;
        if keep_alive && settings.keep_alive_delay > 0 {
            // As often and as long as libuv asks.
            sockopt::set_tcp_keepidle(fd, Duration::from_secs(settings.keep_alive_delay.into()))?;
            sockopt::set_tcp_keepintvl(fd, Duration::from_secs(1))?;
            sockopt::set_tcp_keepcnt(fd, 10)?;
        }
    }
    Ok(())
}
