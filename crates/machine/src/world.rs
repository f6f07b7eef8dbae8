//! The gate: all that the outside decides.

use crate::language::{Language, Signal};
use crate::strategy::Phase;
use hemiola_time::{Delay, Instant};
use hemiola_trace::{Operation, Stream};
use std::io;

/// How long the running callback, or a script that it runs, may run, and how far it is (rule TIME-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// When a script began; nothing for the callback itself, of which the world knows when it did.
    pub began: Option<Instant>,
    /// How long it may run.
    pub within: Delay,
    /// How often it was asked about before: as a rule once for every 10,000 steps of the engine.
    pub looks: u64,
    /// How often the callback and its scripts were asked about before: by that a recording knows the question.
    pub question: u64,
}

impl Limit {
    /// Whether it is reached, for a callback that began then, where time passes while it computes.
    pub fn is_past(self, began: Instant, now: Instant) -> bool {
        self.began.unwrap_or(began) + self.within <= now
    }

    /// The same where computing takes no time: each look counts as a quarter of a millisecond, beside the time
    /// that did pass.
    pub fn is_reached(self, began: Instant, now: Instant) -> bool {
        self.is_past(began, now + Delay::from_micros(self.looks.saturating_mul(250)))
    }
}

/// The outside of a program: physical time, and what becomes of the operations it asks for.
///
/// A world is either *timed* (live, simulated, recorded): then [`World::receive`] and
/// [`World::wait`] say what happens when. Or it is an *oracle* that leaves everything open: then
/// [`World::moves`] lists what may happen now, and a chooser picks.
///
/// Nothing has a body here. A world that wraps another one and left something out would cut the program
/// off from the world behind it, and nobody would notice; as it is, it does not compile. A world that
/// does nothing says so.
pub trait World<L: Language> {
    /// Whether this is an oracle, which offers moves.
    const ORACLE: bool;

    /// Whether nothing comes in as long as no callback runs and the machine does not wait: then phases in
    /// which there is nothing to do need not be entered.
    const STILL: bool;

    /// Physical time; never runs backwards.
    fn now(&mut self) -> Instant;

    /// The same when it is the program that looks: what it sees may decide what it does.
    fn look(&mut self) -> Instant;

    /// Microseconds since the start of 1970, by the clock on the wall; may jump.
    fn wall_clock(&mut self) -> u64;

    /// A random number.
    fn random(&mut self) -> u64;

    /// Takes what the program writes to a standard stream.
    ///
    /// A world that gathers output before it passes it on tells an error with a later write.
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()>;

    /// A callback begins that may not run for ever: a [`Limit`] counts from here. That it does is no input.
    fn began(&mut self);

    /// Is called now and then while a callback computes for long: what should not wait for its end is
    /// done here. Says whether it is to be interrupted because it has reached its limit (rule TIME-14).
    fn breathe(&mut self, limit: Option<Limit>) -> bool;

    /// Takes an operation; its answer comes later.
    fn submit(&mut self, operation: Operation, request: L::Request);

    /// Answers an operation at once: the program does nothing else until it knows. Where it is open what
    /// comes of it, `draw` picks; without it, what usually happens does.
    fn perform(&mut self, request: L::Request, draw: Option<Draw<'_>>) -> L::Answer;

    /// Is told that nobody waits for an operation any more; its answer may come all the same.
    fn cancel(&mut self, operation: Operation);

    /// The next answer that is ready, in the order in which they became so.
    fn receive(&mut self) -> Option<Completion<L::Answer>>;

    /// Waits until an answer is ready, or until `until`. False when there is nothing to wait for.
    fn wait(&mut self, until: Option<Instant>) -> bool;

    /// Is told that a turn begins, and whether a timed callback is due. False when the world has come
    /// to its end.
    ///
    /// Real time passes in a turn. A world whose time passes only in waits lets a little of it pass
    /// now and then: a program that always has something ready would keep its timers waiting for ever.
    fn go_round(&mut self, due: bool) -> bool;

    /// What may happen now, if this world leaves that open.
    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>);

    /// Answers an operation that [`World::moves`] offered, or does a part of it; `draw` picks one of so
    /// many values.
    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<L::Answer>;

    /// Does what else [`World::moves`] offered: lets time pass, or notes that a signal was given.
    fn moved(&mut self, taken: Move);

    /// Is told that the loop has seen so many trips of an operation, and its callback has not run yet. A
    /// part that is seen to its end may be followed by the next one.
    fn seen(&mut self, operation: Operation, trips: u32);
}

/// Picks one of so many values.
pub type Draw<'a> = &'a mut dyn FnMut(usize) -> usize;

/// The answer to an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion<A> {
    /// Which operation.
    pub operation: Operation,
    /// When the answer became ready.
    pub stamp: Instant,
    /// The answer.
    pub answer: A,
    /// How often the poll phase sees the operation: the callback runs with the last time (rule LOOP-7).
    pub trips: u32,
}

impl<A> Completion<A> {
    /// The answer to an operation that the poll phase sees once.
    pub fn new(operation: Operation, stamp: Instant, answer: A) -> Self {
        Self { operation, stamp, answer, trips: 1 }
    }
}

/// What an oracle did about an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered<A> {
    /// It is done.
    Whole(Completion<A>),
    /// A part of it is, and it goes on when the poll phase has seen it that often.
    Part {
        /// How often; at least once.
        trips: u32,
    },
}

/// Between what the outside may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Two instructions of one callback.
    Instruction,
    /// Two callbacks of one batch or phase, or a callback and its tail.
    Callback,
    /// Two turns of the loop; there may be nothing to do in the next.
    Turn,
    /// Two phases: the next to be entered.
    Phase(Phase),
}

/// Something that an oracle may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Answer this operation, or do the next part of it.
    Answer(Operation),
    /// Let time pass until then.
    Pass(Instant),
    /// Something external.
    Signal(Signal),
}

impl Move {
    /// Whether a run may end instead of seeing this: nobody promised that it would come.
    pub(crate) fn is_optional(self) -> bool {
        matches!(self, Self::Signal(_))
    }
}
