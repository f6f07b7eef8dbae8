//! What goes over the wires of a fleet, told to whoever wants to know which action of one program led to which of
//! another.

use crate::roads::{Computer, is_worker, number_of_process, process_of};
use hemiola_machine::{Cargo, Instant, Operation};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a process came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It still ran when the world ended, or waited.
    No,
    /// By itself, then, with that exit code.
    With(Instant, i32),
    /// It was killed then.
    Killed(Instant),
}

/// Who sends or gets something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    /// The number of its host, from 0 on.
    pub host: usize,
    /// The number of its process among all of the fleet.
    pub process: u32,
    /// Whether it is a worker of it.
    pub is_worker: bool,
}

impl Party {
    /// The machine of that number.
    pub(crate) fn of(machine: u64) -> Self {
        Self {
            host: host_of(Computer::of(machine)),
            process: number_of_process(machine),
            is_worker: is_worker(machine),
        }
    }
}

fn host_of(computer: Computer) -> usize {
    usize::from(computer.0).saturating_sub(1)
}

/// Something that happened between the processes of a fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Something was sent to another process, or to whoever is at a host.
    Sent {
        /// Its number.
        message: u64,
        /// Who sent it.
        from: Party,
        /// By what operation, if by one.
        operation: Option<Operation>,
        /// The host that it goes to.
        to: usize,
        /// What it is.
        cargo: Cargo,
        /// When.
        at: Instant,
        /// When it arrives, if it does.
        arrives: Option<Instant>,
    },
    /// An operation was answered with what was sent.
    Received {
        /// The numbers of what was sent, in the order of arrival.
        messages: Vec<u64>,
        /// Who got it.
        by: Party,
        /// What it was asked for with.
        operation: Operation,
        /// When.
        at: Instant,
    },
    /// A process is no more.
    Stopped {
        /// Which, and on which host.
        who: Party,
        /// How it ended, and when.
        ended: Ended,
    },
}

/// Who is told.
pub type Tap = Arc<dyn Fn(News) + Send + Sync>;

/// Tells of what goes over the wires, if anybody wants to know. Its copies count together.
#[derive(Clone, Default)]
pub(crate) struct Wires {
    tap: Option<Tap>,
    count: Arc<AtomicU64>,
}

/// The number of what nobody is told of.
pub(crate) const UNTOLD: u64 = 0;

impl Wires {
    pub(crate) fn told(tap: Option<Tap>) -> Self {
        Self { tap, count: Arc::default() }
    }

    /// A machine sends something to a computer; gives its number.
    pub(crate) fn sent(
        &self,
        (from, operation): (u64, Option<Operation>),
        to: Computer,
        cargo: Cargo,
        at: Instant,
        arrives: Option<Instant>,
    ) -> u64 {
        let Some(tap) = &self.tap else { return UNTOLD };
        let message = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let (from, to) = (Party::of(from), host_of(to));
        tap(News::Sent { message, from, operation, to, cargo, at, arrives });
        message
    }

    /// The same for something that goes to a machine: what stays within a process is nobody's business.
    pub(crate) fn sent_to(
        &self,
        from: (u64, Option<Operation>),
        to: (Computer, Option<u64>),
        cargo: Cargo,
        at: Instant,
        arrives: Option<Instant>,
    ) -> u64 {
        let (computer, machine) = to;
        match machine.is_some_and(|to| process_of(to) == process_of(from.0)) {
            true => UNTOLD,
            false => self.sent(from, computer, cargo, at, arrives),
        }
    }

    /// An operation of a machine is answered with what was sent.
    pub(crate) fn received(
        &self,
        by: u64,
        operation: Operation,
        mut messages: Vec<u64>,
        at: Instant,
    ) {
        messages.retain(|&message| message != UNTOLD);
        messages.dedup();
        if let Some(tap) = &self.tap
            && !messages.is_empty()
        {
            tap(News::Received { messages, by: Party::of(by), operation, at });
        }
    }
}
