//! How a run is stopped from outside, whatever the program does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Asks a program to stop: seen by the engine within a few thousand steps of a loop, and by the
/// machine between two callbacks. Its copies are one; any thread, and a signal's handler, may ask.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    reason: Arc<AtomicUsize>,
    heard: Arc<AtomicBool>,
    line: Arc<Line>,
}

/// A line of a prompt that is computed: it is given up alone.
#[derive(Debug, Default)]
struct Line {
    /// Whether one is computed.
    runs: AtomicBool,
    /// Whether the one that is computed, or was last, is given up.
    is_given_up: AtomicBool,
    /// Whether somebody asked to give it up.
    asked: Arc<AtomicBool>,
    /// How often, since anybody heard.
    times: AtomicUsize,
}

impl Line {
    fn hears(&self) -> bool {
        let is_asked = self.asked.swap(false, Ordering::Relaxed);
        if is_asked {
            self.times.store(0, Ordering::Relaxed);
        }
        is_asked
    }
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
    #[inline]
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

    /// A line of a prompt begins: who interrupts the program means that line.
    pub fn begin_line(&self) {
        self.line.is_given_up.store(false, Ordering::Relaxed);
        self.line.runs.store(true, Ordering::Relaxed);
    }

    /// It has ended; whether somebody asked to give it up, even if it ended before it heard.
    pub fn end_line(&self) -> bool {
        self.gives_up_line();
        self.line.runs.store(false, Ordering::Relaxed);
        self.line.is_given_up.load(Ordering::Relaxed)
    }

    /// Whether what is computed is a line that somebody asked to give up.
    pub fn gives_up_line(&self) -> bool {
        let is_given_up = self.line.runs.load(Ordering::Relaxed) && self.line.hears();
        if is_given_up {
            self.line.is_given_up.store(true, Ordering::Relaxed);
        }
        is_given_up
    }

    /// Whether somebody asked who can only mean the prompt: no line is computed.
    pub fn interrupts_prompt(&self) -> bool {
        !self.line.runs.load(Ordering::Relaxed) && self.line.hears()
    }

    /// Is told that somebody asked to give up a line. Who does so a third time before anybody has heard asks for a stop.
    pub fn insist(&self) {
        let is_heard = !self.line.asked.load(Ordering::Relaxed);
        if !is_heard && self.line.times.fetch_add(1, Ordering::Relaxed) >= 2 {
            self.ask(Reason::Interrupted);
        }
    }

    /// What is set to ask for the end of a line.
    pub fn line_cell(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.line.asked)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn press(stop: &Stop) {
        stop.line_cell().store(true, Ordering::Relaxed);
        stop.insist();
    }

    #[test]
    fn who_interrupts_a_line_after_its_end_means_the_prompt() {
        let stop = Stop::default();
        stop.begin_line();
        press(&stop);
        assert!(!stop.interrupts_prompt(), "it means the line");
        assert!(stop.gives_up_line());
        assert!(stop.end_line());
        press(&stop);
        press(&stop);
        assert!(!stop.gives_up_line(), "there is no line any more");
        assert!(stop.interrupts_prompt());
        assert!(!stop.interrupts_prompt());
        assert_eq!(stop.asked(), None);
    }

    #[test]
    fn a_line_that_ends_before_it_hears_is_given_up() {
        let stop = Stop::default();
        press(&stop);
        stop.begin_line();
        assert!(stop.end_line());
        assert!(!stop.interrupts_prompt());
    }

    #[test]
    fn a_third_time_ends_what_hears_nothing() {
        let stop = Stop::default();
        stop.begin_line();
        press(&stop);
        press(&stop);
        assert_eq!(stop.asked(), None);
        press(&stop);
        assert_eq!(stop.asked(), Some(Reason::Interrupted));
    }
}
