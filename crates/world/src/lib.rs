//! Simulated worlds for programs.
//!
//! [`Virtual`] has a clock that jumps, a wall clock that starts at a fixed date, and random numbers
//! that follow from a seed; what a program writes goes wherever its maker wants. Its files are an
//! [`Overlay`] over those of the disk.
#![forbid(unsafe_code)]

mod input;
mod names;
mod net;
mod overlay;
pub mod recording;

pub use input::Source;
pub use overlay::Overlay;

use hemiola_js::{Answer, Datum, Fault, Js, Request, files};
use hemiola_machine::{
    Chooser, Completion, Delay, Instant, Move, Operation, Seeded, Stream, World,
};
use input::Input;
use net::Net;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;

/// Where wall clocks start: the first second of 2024, in microseconds since 1970.
const WALL_ORIGIN: u64 = 1_704_067_200_000_000;

/// How many turns without a wait take one millisecond together.
const TURNS_PER_MILLISECOND: u32 = 1000;

/// How long an operation takes at most, in microseconds.
const LATENCY_US: usize = 2_000;

/// Keeps the stream of latencies apart from the numbers that the program draws.
const LATENCY_SEED: u64 = 0x6c61_7465_6e63_7921;

/// A world in virtual time.
pub struct Virtual<F> {
    now: Instant,
    until: Option<Instant>,
    /// How many turns have begun since time last passed.
    turns: u32,
    random: Seeded,
    latencies: Seeded,
    files: Arc<Overlay>,
    net: Net,
    /// What was asked for and takes until then; at one instant, in the order of asking.
    pending: BTreeMap<(Instant, Operation), Request>,
    /// What became of operations whose time has come.
    ready: VecDeque<Completion<Answer>>,
    write: F,
    input: Input,
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Virtual<F> {
    /// A world at the origin of time with those files; `write` takes what the program writes.
    pub fn new(seed: u64, files: Arc<Overlay>, write: F) -> Self {
        Self {
            now: Instant::ZERO,
            until: None,
            turns: 0,
            random: Seeded::new(seed),
            latencies: Seeded::new(seed ^ LATENCY_SEED),
            files,
            net: Net::new(seed),
            pending: BTreeMap::new(),
            ready: VecDeque::new(),
            write,
            input: Input::default(),
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

    fn answer_at(&self, instant: Instant, request: &Request) -> Answer {
        if request.kind == "compute" {
            return Ok(Datum::Undefined);
        }
        if request.kind.starts_with("dns.") {
            return names::perform(request);
        }
        if !request.kind.starts_with("fs.") {
            return Err(Fault::new("ENOSYS", format!("this world knows no {}", request.kind)));
        }
        self.files.set_time(WALL_ORIGIN + instant.as_micros());
        files::perform(&*self.files, request)
    }

    /// When the next thing happens that nobody has to ask for.
    fn next(&self) -> Option<Instant> {
        let answer = self.pending.keys().next().map(|&(instant, _)| instant);
        answer.into_iter().chain(self.net.next()).min()
    }

    /// Lets happen what should have by now, in the order of its instants.
    fn catch_up(&mut self) {
        while let Some(next) = self.next()
            && next <= self.now
        {
            if self.net.next() == Some(next) {
                self.net.happen();
                self.ready.extend(self.net.done());
            } else if let Some(((stamp, operation), request)) = self.pending.pop_first() {
                let answer = self.answer_at(stamp, &request);
                self.ready.push_back(Completion { operation, stamp, answer });
            }
        }
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

    /// Files, names and computations answer after a while that the seed decides, standard input at
    /// once; no signal comes.
    fn submit(&mut self, operation: Operation, request: Request) {
        if request.kind == "input.read" {
            let answer = self.input.read();
            self.ready.push_back(Completion { operation, stamp: self.now, answer });
        } else if Net::knows(&request.kind) {
            self.net.begin(self.now, operation, request, &*self.files);
            self.ready.extend(self.net.done());
        } else if matches!(request.kind.split('.').next(), Some("fs" | "dns" | "compute")) {
            let latency = Delay::from_micros(self.latencies.choose(LATENCY_US) as u64);
            self.pending.insert((self.now + latency, operation), request);
        }
    }

    fn perform(&mut self, request: Request) -> Answer {
        self.catch_up();
        if Net::knows(&request.kind) {
            return self.net.perform(self.now, request, &*self.files);
        }
        self.answer_at(self.now, &request)
    }

    fn cancel(&mut self, operation: Operation) {
        self.net.cancel(self.now, operation);
        if let Some(at) = self.ready.iter().position(|one| one.operation == operation)
            && let Some(unheard) = self.ready.remove(at)
        {
            self.net.abandon(self.now, &unheard.answer);
        }
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.catch_up();
        self.ready.pop_front()
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        if !self.ready.is_empty() {
            return true;
        }
        let Some(next) = until.into_iter().chain(self.next()).min() else { return false };
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
