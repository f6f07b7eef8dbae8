//! How a run is stopped from outside, whatever the program does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Asks a program to stop: seen by the engine within a few thousand steps of a loop, and by the
/// machine between two callbacks. Its copies are one; any thread, and a signal's handler, may ask.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    reason: Arc<AtomicUsize>,
    heard: Arc<AtomicBool>,
}

/// Why a program is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The user said so: Ctrl-C.
    Interrupted,
    /// The system asks it to end.
    Terminated,
    /// It has run for as long as it may.
    TimedOut,
    /// Its virtual time is over, and it still computes.
    PastTheEnd,
    /// It has used as much memory as it may.
    OutOfMemory,
    /// It is a worker that somebody ends, or whose parent is over.
    Ended,
}

impl Stop {
    /// Asks to stop.
    pub fn ask(&self, reason: Reason) {
        self.reason.store(reason.number(), Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn asked(&self) -> Option<Reason> {
        let number = self.reason.load(Ordering::Relaxed);
        [
            Reason::Interrupted,
            Reason::Terminated,
            Reason::TimedOut,
            Reason::PastTheEnd,
            Reason::OutOfMemory,
            Reason::Ended,
        ]
        .into_iter()
        .find(|reason| reason.number() == number)
    }

    /// Is told that the program knows, and is on its way out.
    pub fn hear(&self) {
        self.heard.store(true, Ordering::Relaxed);
    }

    /// Whether the program knows.
    pub fn is_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }

    /// Where the number of a reason is stored to ask for a stop; zero is none.
    pub fn cell(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.reason)
    }
}

impl Reason {
    /// What stands for it in [`Stop::cell`].
    pub const fn number(self) -> usize {
        match self {
            Self::Interrupted => 1,
            Self::Terminated => 2,
            Self::TimedOut => 3,
            Self::OutOfMemory => 4,
            Self::Ended => 5,
            Self::PastTheEnd => 6,
        }
    }

    /// The exit code of a program that was stopped, as shells and `timeout` have it.
    pub const fn exit_code(self) -> i32 {
        match self {
            Self::Interrupted => 130,
            Self::Terminated => 143,
            Self::TimedOut | Self::PastTheEnd => 124,
            // As Node, which aborts.
            Self::OutOfMemory => 134,
            Self::Ended => 1,
        }
    }
}
