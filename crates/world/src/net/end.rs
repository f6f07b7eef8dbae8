//! One end of a connection.

use crate::net::errno;
use crate::roads::Computer;
use crate::wires::UNTOLD;
use hemiola_gate::sockets::{CHUNK, Place, Settings};
use hemiola_gate::{Answer, Datum, Fault};
use hemiola_machine::{Delay, Instant, Operation};
use std::collections::VecDeque;

/// How many bytes may be under way or unread in one direction.
pub(crate) const CAPACITY: usize = 256 * 1024;

/// An end, as its program has it.
pub(crate) struct End {
    /// The machine whose program has it.
    pub(crate) owner: u64,
    /// The other end, which may be closed.
    pub(crate) peer: u64,
    /// Where that is.
    pub(crate) far: Computer,
    /// What has arrived and was not read.
    pub(crate) incoming: Vec<u8>,
    /// Which messages that was in, each with how many of its bytes are left.
    pub(crate) pieces: VecDeque<(u64, usize)>,
    /// What comes after it: the end, or an error that is told once.
    pub(crate) finish: Option<Result<(), i32>>,
    /// The message that said so.
    pub(crate) finish_by: u64,
    /// Who waits for bytes.
    pub(crate) asked: Option<Operation>,
    /// How many bytes the other end has not read yet.
    pub(crate) in_flight: usize,
    /// What waits until it has.
    pub(crate) outgoing: VecDeque<Outgoing>,
    /// Whether the other end was told that nothing more comes.
    pub(crate) finished: bool,
    /// Why nothing can be written any more.
    pub(crate) broken: Option<i32>,
    /// Nothing sent from here arrives before that.
    pub(crate) clear: Instant,
    /// Whether something that was sent from here never arrives.
    pub(crate) is_lost: bool,
    /// When something last came from the other side, and what is done about silence.
    pub(crate) heard: Instant,
    pub(crate) keep: KeepAlive,
    /// Which processes have it besides the one whose machine owns it.
    pub(crate) holders: Vec<u64>,
    /// Where it is and where its other end is, for who is given it.
    pub(crate) seen: (Option<Place>, Option<Place>),
    /// What it is an end of.
    pub(crate) kind: Kind,
    /// Ends of connections that came over it, and that nobody has taken.
    pub(crate) parcels: VecDeque<u64>,
}

/// How an end looks after a silent connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeepAlive {
    pub(crate) is_on: bool,
    /// After how much silence it asks, how long it waits for each answer, and how often it asks.
    pub(crate) idle: Delay,
    pub(crate) interval: Delay,
    pub(crate) count: u32,
    /// How often it has asked in vain.
    pub(crate) asked: u32,
    /// When it looks next; what was planned for another instant does not count any more.
    pub(crate) planned: Option<Instant>,
}

impl Default for KeepAlive {
    /// As Linux, if nobody says otherwise.
    fn default() -> Self {
        Self {
            is_on: false,
            idle: Delay::from_millis(7_200_000),
            interval: Delay::from_millis(75_000),
            count: 9,
            asked: 0,
            planned: None,
        }
    }
}

impl KeepAlive {
    /// Takes over what a program says, as libuv tells it to the system.
    pub(crate) fn set(&mut self, settings: Settings) {
        let Some(is_on) = settings.keep_alive else { return };
        self.is_on = is_on;
        if is_on && settings.keep_alive_delay > 0 {
            self.idle = Delay::from_millis(u64::from(settings.keep_alive_delay) * 1000);
            (self.interval, self.count) = (Delay::from_millis(1000), 10);
        }
    }
}

/// What an end is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A connection that somebody has asked for.
    Connection,
    /// A pipe between two processes.
    Pipe,
    /// A pipe for messages: it ends and never fails.
    Channel,
}

/// What waits to be sent.
pub(crate) enum Outgoing {
    Bytes { bytes: Vec<u8>, sent: usize, operation: Operation, length: usize },
    Finish { operation: Operation },
}

impl End {
    pub(crate) fn new(owner: u64, peer: u64, far: Computer) -> Self {
        Self {
            owner,
            peer,
            far,
            incoming: Vec::new(),
            pieces: VecDeque::new(),
            finish: None,
            finish_by: UNTOLD,
            asked: None,
            in_flight: 0,
            outgoing: VecDeque::new(),
            finished: false,
            broken: None,
            clear: Instant::ZERO,
            is_lost: false,
            heard: Instant::ZERO,
            keep: KeepAlive::default(),
            holders: Vec::new(),
            seen: (None, None),
            kind: Kind::Connection,
            parcels: VecDeque::new(),
        }
    }

    /// How many bytes may be sent now.
    pub(crate) fn room(&self) -> usize {
        CAPACITY.saturating_sub(self.in_flight)
    }

    /// Refuses to write where nobody can read: who was cut off hears that first.
    pub(crate) fn check_open(&mut self) -> Result<(), Fault> {
        if let Some(number) = self.broken {
            self.broken = Some(errno::PIPE);
            if matches!(number, errno::CONNRESET | errno::TIMEDOUT) {
                self.finish = Some(Ok(()));
            }
            return Err(Fault::system(number, "write"));
        }
        if self.finished {
            return Err(Fault::system(errno::PIPE, "write"));
        }
        Ok(())
    }

    /// Bytes have come, in that message.
    pub(crate) fn arrived(&mut self, message: u64, bytes: &[u8]) {
        self.incoming.extend_from_slice(bytes);
        self.pieces.push_back((message, bytes.len()));
    }

    /// Bytes that were taken already are to be taken again.
    pub(crate) fn put_back(&mut self, bytes: &[u8]) {
        self.incoming.splice(0..0, bytes.iter().copied());
        self.pieces.push_front((UNTOLD, bytes.len()));
    }

    /// What has come is not wanted.
    pub(crate) fn forget_incoming(&mut self) {
        self.incoming.clear();
        self.pieces.clear();
    }

    /// The messages that the first so many bytes were in.
    fn messages(&mut self, mut count: usize) -> Vec<u64> {
        let mut messages = Vec::new();
        while count > 0
            && let Some((message, left)) = self.pieces.front_mut()
        {
            messages.push(*message);
            let taken = count.min(*left);
            count -= taken;
            *left -= taken;
            if *left == 0 {
                self.pieces.pop_front();
            }
        }
        messages
    }

    /// What there is for whoever reads, and the messages that it came in.
    pub(crate) fn take(&mut self) -> Option<(Operation, Answer, Vec<u64>)> {
        self.asked?;
        let mut messages = Vec::new();
        let answer = if !self.incoming.is_empty() {
            let rest = self.incoming.split_off(self.incoming.len().min(CHUNK));
            messages = self.messages(self.incoming.len());
            Ok(Datum::Bytes(std::mem::replace(&mut self.incoming, rest)))
        } else {
            let finish = std::mem::replace(self.finish.as_mut()?, Ok(()));
            messages.push(std::mem::replace(&mut self.finish_by, UNTOLD));
            if finish.is_err() {
                self.broken = Some(errno::PIPE);
            }
            finish
                .map(|()| Datum::Bytes(Vec::new()))
                .map_err(|number| Fault::system(number, "read"))
        };
        self.asked.take().map(|operation| (operation, answer, messages))
    }

    /// The connection is no more, for that reason. Gives the writes that will not be done.
    pub(crate) fn reset(&mut self, reason: i32) -> Vec<Operation> {
        self.finish = Some(if self.kind == Kind::Channel { Ok(()) } else { Err(reason) });
        self.broken = Some(reason);
        let outgoing = std::mem::take(&mut self.outgoing);
        let operation = |outgoing| match outgoing {
            Outgoing::Bytes { operation, .. } | Outgoing::Finish { operation } => operation,
        };
        outgoing.into_iter().map(operation).collect()
    }
}
