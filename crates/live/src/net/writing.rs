//! The direction of a stream that goes out.

use crate::deliveries::Sender;
use crate::net::stream::Shared;
use crate::reactor::{Ready, failed};
use hemiola_gate::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use rustix::io::Errno;
use std::collections::VecDeque;

/// What the system has not taken yet.
pub(crate) struct Writing {
    /// Nothing once the stream is closed.
    pub(crate) fd: Option<Shared>,
    pub(crate) outgoing: VecDeque<Outgoing>,
    /// Whether the system takes nothing, and tells when it does again.
    is_full: bool,
}

/// Something that waits until the system takes it.
pub(crate) enum Outgoing {
    Bytes { bytes: Vec<u8>, sent: usize, operation: Operation },
    Shutdown { operation: Operation },
}

impl Writing {
    pub(crate) fn new(fd: Shared) -> Self {
        Self { fd: Some(fd), outgoing: VecDeque::new(), is_full: false }
    }

    pub(crate) fn fd(&self) -> Result<&Shared, Fault> {
        const EBADF: i32 = 9;
        self.fd.as_ref().ok_or_else(|| Fault::system(EBADF, "write"))
    }

    /// Hands bytes to the system until it takes no more, and says how many it took.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let mut sent = 0;
        while sent < bytes.len() {
            match rustix::io::write(self.fd()?, &bytes[sent..]) {
                Ok(count) => sent += count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    self.is_full = true;
                    break;
                }
                // What was taken before counts; the error comes again with the rest.
                Err(_) if sent > 0 => break,
                Err(error) => return Err(failed(&error.into(), "write")),
            }
        }
        Ok(sent)
    }

    /// Lets something wait until the system takes it.
    pub(crate) fn wait(&mut self, next: Outgoing) {
        self.outgoing.push_back(next);
        if let (false, Some(fd)) = (self.is_full, &self.fd) {
            fd.again();
        }
    }

    /// Hands on what waits, until nothing does or the system takes no more. `read_first` hears what has
    /// arrived: a peer that is gone is told by reading, not by writing, as long as both could tell.
    pub(crate) fn ready(
        &mut self,
        ready: Ready,
        sender: &Sender,
        read_first: impl Fn(),
        half_close: impl Fn(&mut Self) -> Answer,
    ) {
        self.is_full &= !ready.write;
        if !self.is_full && !self.outgoing.is_empty() {
            read_first();
        }
        while !self.is_full && self.fd.is_some() {
            let Some(next) = self.outgoing.pop_front() else { return };
            match next {
                Outgoing::Shutdown { operation } => {
                    let answer = half_close(self);
                    sender.deliver(operation, answer);
                }
                Outgoing::Bytes { bytes, sent, operation } => match self.send(&bytes[sent..]) {
                    Err(fault) => sender.deliver(operation, Err(fault)),
                    Ok(count) if sent + count == bytes.len() => {
                        sender.deliver(operation, Ok(Datum::Number(bytes.len() as f64)));
                    }
                    Ok(count) => {
                        let sent = sent + count;
                        self.outgoing.push_front(Outgoing::Bytes { bytes, sent, operation });
                    }
                },
            }
        }
    }
}
