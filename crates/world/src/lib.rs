//! Simulated worlds for programs.
//!
//! [`Virtual`] has a clock that jumps, a wall clock that starts at a fixed date, and random numbers
//! that follow from a seed; what a program writes goes wherever its maker wants.
#![forbid(unsafe_code)]

mod input;

pub use input::Source;

use hemiola_js::{Answer, Js, Request};
use hemiola_machine::{Completion, Delay, Instant, Move, Operation, Seeded, Stream, World};
use input::Input;
use std::collections::VecDeque;
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
    input: Input,
    /// Answers that the program has not taken yet.
    answered: VecDeque<Completion<Answer>>,
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Virtual<F> {
    /// A world at the origin of time; `write` takes what the program writes.
    pub fn new(seed: u64, write: F) -> Self {
        Self {
            now: Instant::ZERO,
            until: None,
            turns: 0,
            random: Seeded::new(seed),
            write,
            input: Input::default(),
            answered: VecDeque::new(),
        }
    }

    /// Lets the program read from there, once it asks for standard input; else that is empty.
    pub fn input(self, source: Source) -> Self {
        Self { input: Input::new(source), ..self }
    }

    /// Lets the world end after that time: nothing later happens.
    pub fn until(self, end: Delay) -> Self {
        Self { until: Some(Instant::ZERO + end), ..self }
    }
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> World<Js> for Virtual<F> {
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

    /// Little outside of the program exists here: standard input can be read, no signal comes.
    fn submit(&mut self, operation: Operation, request: Request) {
        if request.kind == "input.read" {
            let answer = self.input.read();
            self.answered.push_back(Completion { operation, stamp: self.now, answer });
        }
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.answered.pop_front()
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        if !self.answered.is_empty() {
            return true;
        }
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
