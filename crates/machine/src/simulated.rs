//! The simplest simulated world: time jumps, and operations take as long as they say.

use crate::language::Language;
use crate::world::{Answered, Completion, Draw, Gap, Limit, Move, World};
use hemiola_time::{Delay, Instant};
use hemiola_trace::{Operation, Stream};
use std::collections::BTreeMap;
use std::io;

/// A world in virtual time.
///
/// `respond` says how long an operation takes and what its answer is. Waiting takes no time: the
/// clock jumps to whatever comes next. There is no luck, what is written is seen in the trace alone, and
/// nothing is answered at once.
pub struct Simulated<L: Language, F> {
    now: Instant,
    /// When the running callback began, if it has a limit.
    began: Instant,
    respond: F,
    answers: BTreeMap<(Instant, Operation), L::Answer>,
}

impl<L: Language, F: FnMut(L::Request) -> (Delay, L::Answer)> Simulated<L, F> {
    /// A world at the origin of time.
    pub fn new(respond: F) -> Self {
        Self { now: Instant::ZERO, began: Instant::ZERO, respond, answers: BTreeMap::new() }
    }
}

impl<L: Language, F: FnMut(L::Request) -> (Delay, L::Answer)> World<L> for Simulated<L, F> {
    const ORACLE: bool = false;
    const STILL: bool = true;

    fn now(&mut self) -> Instant {
        self.now
    }

    fn look(&mut self) -> Instant {
        self.now
    }

    fn wall_clock(&mut self) -> u64 {
        self.now.as_micros()
    }

    fn random(&mut self) -> u64 {
        0
    }

    fn write(&mut self, _: Stream, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn began(&mut self) {
        self.began = self.now;
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        limit.is_some_and(|limit| limit.is_reached(self.began, self.now))
    }

    fn submit(&mut self, operation: Operation, request: L::Request) {
        let (latency, answer) = (self.respond)(request);
        self.answers.insert((self.now + latency, operation), answer);
    }

    fn perform(&mut self, _: L::Request, _: Option<Draw<'_>>) -> L::Answer {
        unreachable!("programs of this world wait for their answers")
    }

    /// An answer that nobody waits for is dropped when it comes.
    fn cancel(&mut self, _: Operation) {}

    fn receive(&mut self) -> Option<Completion<L::Answer>> {
        let (&(stamp, operation), _) = self.answers.first_key_value()?;
        if stamp > self.now {
            return None;
        }
        let (_, answer) = self.answers.pop_first()?;
        Some(Completion::new(operation, stamp, answer))
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let answer = self.answers.first_key_value().map(|(&(stamp, _), _)| stamp);
        // What comes at the end of time does not come.
        let next = answer.into_iter().chain(until).min().filter(|&next| next < Instant::MAX);
        let Some(next) = next else { return false };
        self.now = self.now.max(next);
        true
    }

    fn go_round(&mut self, _: bool) -> bool {
        true
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, _: &mut Vec<Move>) {
        // It is settled when answers come: there is nothing to choose.
    }

    fn answer(&mut self, _: Operation, _: Draw<'_>) -> Answered<L::Answer> {
        unreachable!("only a world that offers moves is asked to make one")
    }

    fn moved(&mut self, taken: Move) {
        if let Move::Pass(until) = taken {
            self.now = self.now.max(until);
        }
    }

    fn seen(&mut self, _: Operation, _: u32) {}
}
