//! The machine: the loop's state.
//!
//! What it does stands in the files of this folder: a [step](Step) runs what is left of the last one, or
//! finds out what may happen now (`pick`), and does it (`turn`, `run`).

mod alive;
mod alone;
mod in_line;
mod lateness;
mod operations;
mod pick;
mod ranking;
mod run;
mod step;
mod turn;
mod view;
mod watchdog;

use crate::compute::Compute;
use crate::current::Current;
use crate::domains::{DomainId, DomainIndex, Domains};
use crate::language::Language;
use crate::learned::Learned;
use crate::priority::Standing;
use crate::queues::{Group, Queues};
use crate::strategy::{Candidate, Phase, Pick};
use crate::timers::{Handle, Member, Timers};
use crate::world::Move;
use hemiola_time::{Instant, Label, Ordinal, Tag};
use hemiola_trace::{Class, Invocation, Medium, Operation};
use std::collections::{BTreeMap, BTreeSet};
pub use step::Step;
pub(crate) use watchdog::Fault;
use watchdog::Watchdog;

/// The state of one event loop.
///
/// It holds the domains with their pending releases, the ready queues and the outstanding
/// operations. It takes one step when told to, and has no clock, no thread and no randomness of its
/// own: the world, the chooser and the strategy are handed to it for each step.
pub struct Machine<L: Language> {
    pub(crate) timers: Timers<L::Callback>,
    pub(crate) domains: Domains<L::Callback>,
    pub(crate) queues: Queues<L>,
    outstanding: BTreeMap<Operation, Outstanding<L::Callback>>,
    operations: u64,
    pub(crate) invocations: u64,
    pub(crate) current: Current,
    /// Link and cause of the running callback.
    pub(crate) relations: (Invocation, Invocation),
    /// The cause of a job of which no event has told yet.
    pub(crate) unannounced: Option<Invocation>,
    /// Physical time as the running action sees it when it opens a domain (rule TIME-2).
    pub(crate) omega: Option<Instant>,
    /// The latest physical time that the loop knows of: a reading, or when an answer was ready.
    pub(crate) seen: Instant,
    /// What the program has read of physical time last.
    pub(crate) looked: Instant,
    /// What it has read off the wall last, and when that was.
    pub(crate) wall: Option<(u64, Instant)>,
    pub(crate) round: Round,
    /// Whether the step has only entered a phase.
    entered: bool,
    /// What the strategy says of tails.
    divides_tails: bool,
    unordered: bool,
    drifting: bool,
    /// Whether what would run in the order of registration may run in any.
    pub(crate) scattered: bool,
    watchdog: Watchdog,
    pub(crate) fault: Option<Fault<L::Callback>>,
    main: Option<L::Callback>,
    acting: Option<Acting>,
    action: Vec<Member>,
    paused: Option<Paused<L::Callback>>,
    /// Timers that do not keep the program alive.
    unreferenced: BTreeSet<Handle>,
    /// How many callbacks in the queues do not keep the program alive.
    pub(crate) unreferenced_ready: usize,
    /// How many parts of the program wait for something that only it can bring about.
    pub(crate) kept_alive: usize,
    /// Of which clocks it was told that they have endless zero delays.
    told_endless: BTreeSet<Label>,
    /// What timers hand on where it is not the usual.
    standings: BTreeMap<Handle, Standing>,
    pub(crate) learned: Learned,
    /// What a scheduler of declared tasks is granted (rule SCHED-9).
    pub(crate) compute: Compute,
    /// How many timed actions have begun.
    actions: u64,
    candidates: Vec<Candidate>,
    picks: Vec<Pick>,
    moves: Vec<Move>,
}

/// Where the loop stands between two callbacks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    turn: u64,
    phase: Phase,
    draining: bool,
    /// Whether what is left of a tail waits for the next callback.
    pub(crate) tail_waits: bool,
    /// Whether the turn still takes timed actions, and what belongs to it: what was due at that
    /// instant and released up to then.
    timed: bool,
    now: Instant,
    latest: Ordinal,
    /// The time and the domain's order of the labelled action that has just run.
    acted: Option<(Instant, u64)>,
    /// How many actions of that time and domain came straight after each other before it.
    microsteps: u32,
}

/// An atomic action of a labelled domain of which some callbacks have run.
#[derive(Clone, Copy, Debug)]
struct Acting {
    domain: DomainIndex,
    tag: Tag,
    next: usize,
}

#[derive(Clone)]
struct Outstanding<C> {
    class: Class,
    group: Group,
    callback: C,
    link: Invocation,
    domain: Option<DomainId>,
    standing: Standing,
    /// What it uses, if that is known.
    medium: Option<Medium>,
    /// Whether it keeps the program alive.
    referenced: bool,
}

/// What to do when the callback that stands still has ended.
#[derive(Clone)]
struct Paused<C> {
    timed: Option<(Member, C)>,
    hold: Option<DomainId>,
}

impl<L: Language> Default for Machine<L> {
    fn default() -> Self {
        Self {
            timers: Timers::default(),
            domains: Domains::default(),
            queues: Queues::default(),
            outstanding: BTreeMap::new(),
            operations: 0,
            invocations: 0,
            current: Current::default(),
            relations: (Invocation::MAIN, Invocation::MAIN),
            unannounced: None,
            omega: None,
            seen: Instant::ZERO,
            looked: Instant::ZERO,
            wall: None,
            round: Round::default(),
            entered: false,
            divides_tails: false,
            unordered: false,
            drifting: false,
            scattered: false,
            watchdog: Watchdog::default(),
            fault: None,
            main: None,
            acting: None,
            action: Vec::new(),
            paused: None,
            unreferenced: BTreeSet::new(),
            unreferenced_ready: 0,
            kept_alive: 0,
            told_endless: BTreeSet::new(),
            standings: BTreeMap::new(),
            learned: Learned::default(),
            compute: Compute::default(),
            actions: 0,
            candidates: Vec::new(),
            picks: Vec::new(),
            moves: Vec::new(),
        }
    }
}

impl<L: Language> Clone for Machine<L>
where
    L::Callback: Clone,
    L::Request: Clone,
    L::Answer: Clone,
{
    fn clone(&self) -> Self {
        Self {
            timers: self.timers.clone(),
            domains: self.domains.clone(),
            queues: self.queues.clone(),
            outstanding: self.outstanding.clone(),
            told_endless: self.told_endless.clone(),
            fault: self.fault.clone(),
            main: self.main.clone(),
            action: self.action.clone(),
            paused: self.paused.clone(),
            unreferenced: self.unreferenced.clone(),
            standings: self.standings.clone(),
            learned: self.learned.clone(),
            candidates: Vec::new(),
            picks: Vec::new(),
            moves: Vec::new(),
            watchdog: self.watchdog.clone(),
            ..*self
        }
    }
}

impl<L: Language> Machine<L> {
    /// A machine that will run `main` first.
    pub fn new(main: L::Callback) -> Self {
        Self { main: Some(main), ..Self::default() }
    }

    /// Runs a callback next, as the main program was: to be used when everything else has ended.
    pub fn go_on(&mut self, callback: L::Callback) {
        self.main = Some(callback);
    }

    /// Lets promises of equal priority run in any order, as the calculi have it (rule LOOP-9).
    pub fn unordered(self) -> Self {
        Self { unordered: true, ..self }
    }

    /// Lets an unlabelled interval come again one period after it ran, as in Node, and not on the grid of
    /// its periods (rule LOOP-7).
    pub fn drifting(self, drifting: bool) -> Self {
        Self { drifting, ..self }
    }

    /// Lets immediates that wait at the same time run in any order, and so ticks of a group that is not the
    /// default one and timers of one clock that are due at the same instant: to see what depends on the order in
    /// which they were registered.
    pub fn scattered(self) -> Self {
        Self { unordered: true, scattered: true, ..self }
    }
}
