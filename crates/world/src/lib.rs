//! Simulated worlds for programs.
//!
//! [`Virtual`] has a clock that jumps, a wall clock that starts at a fixed date, and random numbers
//! that follow from a seed; what a program writes goes wherever its maker wants. Its files are an
//! [`Overlay`] over those of the disk.
#![forbid(unsafe_code)]

mod baton;
mod input;
mod names;
mod overlay;

pub use baton::{Baton, Seat};
pub use input::Source;
pub use overlay::Overlay;

use hemiola_js::{Answer, Datum, Fault, Hub, Js, Member, Request, files};
use hemiola_machine::{
    Chooser, Completion, Delay, Instant, Move, Operation, Seeded, Stream, World,
};
use input::Input;
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
    /// What was asked for and takes until then; at one instant, in the order of asking.
    pending: BTreeMap<(Instant, Operation), Request>,
    /// What became of operations whose time has come.
    ready: VecDeque<Completion<Answer>>,
    write: F,
    input: Input,
    /// Its place among the machines of the run, if there can be others.
    seat: Option<(Seat, Member)>,
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
            pending: BTreeMap::new(),
            ready: VecDeque::new(),
            write,
            input: Input::default(),
            seat: None,
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

    /// Lets it have workers, or be one: there it sits.
    pub fn seated(self, seat: Seat, member: Member) -> Self {
        member.hub.reach(member.machine, seat.post());
        Self { now: seat.now(), seat: Some((seat, member)), ..self }
    }

    /// Gives the place back, which the caller leaves.
    pub fn stand_up(self) -> Option<Seat> {
        self.seat.map(|(seat, _)| seat)
    }

    /// Lets others run until it is time; false if nothing will happen any more.
    fn pass(&mut self, next: Option<Instant>) -> bool {
        let now = match &self.seat {
            Some((seat, _)) => seat.pass(next),
            None => next,
        };
        if let Some(now) = now {
            self.now = self.now.max(now);
            self.turns = 0;
        }
        now.is_some()
    }

    /// `memory.wait [memory, offset, is_wide, value, limit in milliseconds]`: the others go on meanwhile.
    fn sleep_on_memory(&mut self, request: &Request) -> Answer {
        let Some((_, member)) = &self.seat else { return Err(unknown(request)) };
        let member = member.clone();
        let Some(sleep) = member.hub.fall_asleep(member.machine, request) else {
            return Ok(Datum::Text("not-equal".into()));
        };
        let limit = request.arguments.get(4).and_then(Datum::as_number);
        let end = limit.map(|ms| self.now + Delay::from_micros((ms * 1000.0) as u64));
        let answer = loop {
            if member.hub.is_awake(sleep) {
                break Ok(Datum::Text("ok".into()));
            }
            if end.is_some_and(|end| end <= self.now) {
                break Ok(Datum::Text("timed-out".into()));
            }
            let until = end.filter(|&end| !self.is_past_the_end(end));
            let woken = self.seat.as_ref().and_then(|(seat, _)| seat.sleep(until));
            if let Some(now) = woken {
                self.now = self.now.max(now);
            } else {
                break Err(Fault::new("EDEADLK", "nobody is left who could wake this Atomics.wait"));
            }
        };
        member.hub.wake_up(sleep);
        answer
    }

    fn is_past_the_end(&self, instant: Instant) -> bool {
        self.until.is_some_and(|end| instant > end)
    }

    fn answer_at(&self, instant: Instant, request: &Request) -> Answer {
        if request.kind.starts_with("dns.") {
            return names::perform(request);
        }
        if !request.kind.starts_with("fs.") {
            return Err(unknown(request));
        }
        self.files.set_time(WALL_ORIGIN + instant.as_micros());
        files::perform(&*self.files, request)
    }

    /// Does what should have been done by now, in the order of its instants.
    fn catch_up(&mut self) {
        let mut arrived = Vec::new();
        if let Some((seat, _)) = &self.seat {
            seat.take(self.now, &mut arrived);
        }
        while let Some(first) = self.pending.first_entry()
            && first.key().0 <= self.now
        {
            let ((stamp, operation), request) = first.remove_entry();
            let answer = self.answer_at(stamp, &request);
            arrived.push(Completion { operation, stamp, answer });
        }
        arrived.sort_by_key(|one| one.stamp);
        self.ready.extend(arrived);
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

    /// Files and names answer after a while that the seed decides, standard input at once; no signal comes.
    fn submit(&mut self, operation: Operation, request: Request) {
        if request.kind == "input.read" {
            let answer = self.input.read();
            self.ready.push_back(Completion { operation, stamp: self.now, answer });
        } else if request.kind.starts_with("fs.") || request.kind.starts_with("dns.") {
            let latency = Delay::from_micros(self.latencies.choose(LATENCY_US) as u64);
            self.pending.insert((self.now + latency, operation), request);
        } else if Hub::knows(&request.kind)
            && let Some((_, member)) = &self.seat
        {
            member.hub.submit(member.machine, operation, &request);
        }
    }

    fn perform(&mut self, request: Request) -> Answer {
        self.catch_up();
        if request.kind == "memory.wait" {
            return self.sleep_on_memory(&request);
        }
        if Hub::knows(&request.kind)
            && let Some((seat, member)) = &self.seat
        {
            seat.tell(self.now);
            return member.hub.perform(member.machine, &request);
        }
        self.answer_at(self.now, &request)
    }

    fn cancel(&mut self, operation: Operation) {
        if let Some((_, member)) = &self.seat {
            member.hub.cancel(member.machine, operation);
        }
    }

    /// Whoever computes for long does not keep other machines waiting for ever.
    fn breathe(&mut self) {
        if let Some(now) = self.seat.as_ref().and_then(|(seat, _)| seat.breathe(self.now)) {
            self.now = self.now.max(now);
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
        let answer = self.pending.keys().next().map(|&(instant, _)| instant);
        let next = until.into_iter().chain(answer).min();
        self.pass(next.filter(|&next| !self.is_past_the_end(next) && next != Instant::MAX))
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
        self.pass(Some(next))
    }

    fn moved(&mut self, taken: Move) {
        if let Move::Pass(until) = taken {
            self.now = self.now.max(until);
        }
    }
}

fn unknown(request: &Request) -> Fault {
    Fault::new("ENOSYS", format!("this world knows no {}", request.kind))
}
