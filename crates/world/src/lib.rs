//! Simulated worlds for programs.
//!
//! [`Virtual`] has a clock that jumps, a wall clock that starts at a fixed date, and random numbers
//! that follow from a seed; what a program writes goes wherever its maker wants.
#![forbid(unsafe_code)]

use hemiola_machine::{Completion, Delay, Host, Instant, Move, Operation, Seeded, Stream, World};
use std::io;

/// Where wall clocks start: the first second of 2024, in microseconds since 1970.
const WALL_ORIGIN: u64 = 1_704_067_200_000_000;

/// How many turns without a wait take one millisecond together.
const TURNS_PER_MILLISECOND: u32 = 1000;

/// A world in virtual time.
pub struct Virtual<F> {
    now: Instant,
    until: Option<Instant>,
    /// How many turns have begun since time last passed.
    turns: u32,
    random: Seeded,
    write: F,
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Virtual<F> {
    /// A world at the origin of time; `write` takes what the program writes.
    pub fn new(seed: u64, write: F) -> Self {
        Self { now: Instant::ZERO, until: None, turns: 0, random: Seeded::new(seed), write }
    }

    /// Lets the world end after that time: nothing later happens.
    pub fn until(self, end: Delay) -> Self {
        Self { until: Some(Instant::ZERO + end), ..self }
    }
}

impl<H: Host, F: FnMut(Stream, &[u8]) -> io::Result<()>> World<H> for Virtual<F> {
    fn now(&mut self) -> Instant {
        self.now
    }

    fn wall_clock(&mut self) -> u64 {
        WALL_ORIGIN + self.now.as_micros()
    }

    fn random(&mut self) -> u64 {
        self.random.number()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        (self.write)(stream, bytes)
    }

    /// Nothing outside of the program exists here: no signal comes and nobody types.
    fn submit(&mut self, _: Operation, _: H::Request) {}

    fn receive(&mut self) -> Option<Completion<H::Answer>> {
        None
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let Some(next) = until else { return false };
        if self.until.is_some_and(|end| next > end) || next == Instant::MAX {
            return false;
        }
        self.now = self.now.max(next);
        self.turns = 0;
        true
    }

    /// A program that never waits gets on in time all the same (rule LOOP-7), and one that is always
    /// late meets the end of the world.
    fn go_round(&mut self, due: bool) -> bool {
        let is_over = |now: Instant| self.until.is_some_and(|end| now > end);
        if due {
            return !is_over(self.now);
        }
        self.turns += 1;
        if self.turns < TURNS_PER_MILLISECOND {
            return !is_over(self.now);
        }
        let next = self.now + Delay::from_millis(1);
        if is_over(next) {
            return false;
        }
        self.turns = 0;
        self.now = next;
        true
    }

    fn moved(&mut self, taken: Move) {
        if let Move::Pass(until) = taken {
            self.now = self.now.max(until);
        }
    }
}
