//! What runs callbacks.

use crate::context::Context;
use crate::domains::DomainId;
use crate::language::{Language, Signal};
use crate::priority::Site;
use hemiola_time::Delay;
use hemiola_trace::Outcome;

/// What the host of this language can run.
type Callback<H> = <<H as Host>::Language as Language>::Callback;
/// What the host of this language is answered.
type Answer<H> = <<H as Host>::Language as Language>::Answer;

/// Runs one callback to completion (rule LOOP-1) and says what it released.
///
/// The machine calls it and hands it a [`Context`], through which it releases callbacks, asks the
/// world for operations, shows observations and draws values. A host has no other way out.
///
/// Only hints have a body, which a host may leave out and is slower.
pub trait Host: Sized {
    /// What it runs, asks and is answered.
    type Language: Language;

    /// Runs a callback, from its start, until it is done or pauses.
    fn run(
        &mut self,
        callback: &mut Callback<Self>,
        input: Input<Answer<Self>>,
        context: &mut Context<'_, Self::Language>,
    ) -> Progress;

    /// Says which callback will probably run soon, or very soon: of many timers that fall due together
    /// the next ones are seldom in the cache, and a host may fetch meanwhile what they need.
    fn expect(&self, _callback: &Callback<Self>, _very_soon: bool) {}

    /// Says where in the machine's memory the callback after those is kept: the machine itself will
    /// look there soon. Nobody may read from the address.
    fn fetch(&self, _place: *const u8) {}

    /// Where a callback was written, if the host can tell: what it takes is learned for the site.
    fn site(&self, callback: &Callback<Self>) -> Option<Site>;

    /// Gives up holds that [`Context::hold`] took, if the host can lose them between callbacks: what
    /// they were for is gone. Asked for before domains are collected.
    fn dropped_holds(&mut self) -> Vec<DomainId>;

    /// How a pending timed callback counts where the world leaves open whether time passes first.
    fn eagerness(&self, callback: &Callback<Self>) -> Eagerness;

    /// Is told that a batch begins. A host that gives many things to the machine as one callback notes
    /// what there is of them: what comes later does not belong to the batch (rule LOOP-3).
    fn begin_batch(&mut self);

    /// Whether a callback only stands for jobs of the host's own. It is no invocation then; each job
    /// is, between [`Context::begin_job`] and [`Context::end_job`].
    fn is_batch(&self, callback: &Callback<Self>) -> bool;

    /// Takes in what an oracle answers at once, where that only settles something of the host's own;
    /// gives back what has to wait for its turn as a callback.
    fn take_in(
        &mut self,
        callback: Callback<Self>,
        answer: Answer<Self>,
        context: &mut Context<'_, Self::Language>,
    ) -> Option<(Callback<Self>, Answer<Self>)>;

    /// Gives what tells the program that a clock has had very many zero delays in a row (rule TIME-8), if it
    /// wants to know.
    fn endless(&mut self, label: &str) -> Option<Callback<Self>>;

    /// Goes on with the callback that paused.
    fn resume(&mut self, context: &mut Context<'_, Self::Language>) -> Progress;

    /// Takes in something that the world did without being asked, such as an external event.
    fn signal(&mut self, signal: Signal, context: &mut Context<'_, Self::Language>);
}

/// Whether time may pass until a timed callback is due before something else happens (rule EXPL-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eagerness {
    /// It may at any time.
    Free,
    /// Only once nothing else can happen: it guards something that is done long before.
    Last,
}

/// What a callback is called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<A> {
    /// Nothing but what it has kept itself.
    Nothing,
    /// The answer to the operation that it waited for.
    Answer(A),
    /// How far its domain's clock is behind (rule TIME-14).
    Lag(Delay),
}

/// How far a callback got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Its stack is empty.
    Done(Outcome),
    /// It stands at a place where the outside may come first; [`Host::resume`] goes on.
    Paused,
    /// It cannot go on, and neither can the program: a bound was reached, or a rule does not apply.
    /// The host knows why.
    Halted,
}

impl Progress {
    /// Done, without an error.
    pub const RETURNED: Self = Self::Done(Outcome::Returned);
}
