//! A world that leaves everything open (rule EXPL-2): what it may do next is listed, and a chooser picks.
//!
//! Nothing arrives by itself. Every operation that has something to deliver may be answered next, in
//! any order, and takes effect when it is; time passes when it is let pass. By default the program goes
//! on as long as it can, then the oldest answer comes, and time passes when there is none.

mod effects;

pub use effects::{Access, Effect, Location};

use crate::faults::Faults;
use crate::input::{Input, Source};
use crate::overlay::Overlay;
use crate::{WALL_ORIGIN, names, unknown};
use hemiola_js::{Answer, Datum, FixedSystem, Js, Request, files};
use hemiola_machine::{Completion, Gap, Instant, Move, Operation, Phase, Seeded, Stream, World};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;

/// After so many turns in which nothing came from outside something does, chosen or not: a program
/// that looks again and again whether it has come would never end.
const PATIENCE: u32 = 100;

/// The world for exploration.
pub struct Open<F> {
    now: Instant,
    random: Seeded,
    files: Arc<Overlay>,
    #[expect(dead_code, reason = "faults are drawn in the next step")]
    faults: Faults,
    /// What was asked for, by its number.
    pending: BTreeMap<Operation, Request>,
    write: F,
    input: Input,
    effects: Option<Box<dyn FnMut(Effect)>>,
    /// How many turns have begun since something last came from outside.
    turns: u32,
    /// When time would pass to, if it passed.
    next_due: Option<Instant>,
    /// What came although nobody chose it.
    forced: VecDeque<Completion<Answer>>,
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Open<F> {
    /// A world at the origin of time with those files; `write` takes what the program writes.
    pub fn new(seed: u64, files: Arc<Overlay>, faults: Faults, write: F) -> Self {
        Self {
            now: Instant::ZERO,
            random: Seeded::new(seed),
            files,
            faults,
            pending: BTreeMap::new(),
            write,
            input: Input::default(),
            effects: None,
            turns: 0,
            next_due: None,
            forced: VecDeque::new(),
        }
    }

    /// Lets the program read from there, once it asks for standard input; else that is empty.
    pub fn input(self, source: Source) -> Self {
        Self { input: Input::new(source), ..self }
    }

    /// Lets somebody hear of all that operations do outside, when they do it.
    pub fn effects(self, tap: impl FnMut(Effect) + 'static) -> Self {
        Self { effects: Some(Box::new(tap)), ..self }
    }

    /// What was asked for and not answered yet.
    pub fn pending(&self) -> impl Iterator<Item = (Operation, &Request)> + '_ {
        self.pending.iter().map(|(&operation, request)| (operation, request))
    }

    /// Whether an operation could be answered now.
    fn is_able(&self, request: &Request) -> bool {
        match request.kind.as_str() {
            "fs.awaitChanges" => {
                request.arguments == [Datum::Bool(true)] || self.files.has_changes()
            }
            kind => matches!(kind.split('.').next(), Some("fs" | "dns" | "compute" | "input")),
        }
    }

    /// The operations that could be answered now, oldest first.
    fn able(&self) -> impl Iterator<Item = Operation> + '_ {
        let able = self.pending.iter().filter(|(_, request)| self.is_able(request));
        able.map(|(&operation, _)| operation)
    }

    fn perform_now(&mut self, request: &Request) -> Answer {
        match request.kind.split('.').next() {
            Some("compute") => Ok(Datum::Undefined),
            Some("dns") => names::perform(request),
            Some("input") => self.input.read(),
            Some("fs") => {
                self.files.set_time(WALL_ORIGIN + self.now.as_micros());
                files::perform(&*self.files, request)
            }
            Some("system") => hemiola_js::system::perform(&FixedSystem, request),
            _ => Err(unknown(request)),
        }
    }

    fn complete(&mut self, operation: Operation) -> Completion<Answer> {
        self.turns = 0;
        let request = self.pending.remove(&operation).expect("an answer is for what was asked");
        let answer = self.perform_now(&request);
        Completion { operation, stamp: self.now, answer }
    }
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> World<Js> for Open<F> {
    const ORACLE: bool = true;

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

    fn submit(&mut self, operation: Operation, request: Request) {
        self.pending.insert(operation, request);
    }

    fn perform(&mut self, request: Request) -> Answer {
        self.perform_now(&request)
    }

    fn cancel(&mut self, operation: Operation) {
        self.pending.remove(&operation);
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.forced.pop_front()
    }

    /// Whatever could come is offered instead: there is nothing to wait for.
    fn wait(&mut self, _: Option<Instant>) -> bool {
        false
    }

    /// A program that never waits is served all the same, after a while.
    fn go_round(&mut self, due: bool) -> bool {
        self.turns += 1;
        if self.turns >= PATIENCE && !due {
            self.turns = 0;
            let first = self.able().next();
            match (first, self.next_due) {
                (Some(operation), _) => {
                    let completion = self.complete(operation);
                    self.forced.push_back(completion);
                }
                (None, Some(next)) => self.now = self.now.max(next),
                (None, None) => {}
            }
        }
        true
    }

    /// Completions matter when the poll phase looks for them, time when the timers phase does; to the
    /// other strategies both do when a turn begins.
    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        self.next_due = next_due;
        if matches!(gap, Gap::Turn | Gap::Phase(Phase::Poll)) {
            moves.extend(self.able().map(Move::Answer));
        }
        if matches!(gap, Gap::Turn | Gap::Phase(Phase::Timers)) {
            moves.extend(next_due.map(Move::Pass));
        }
    }

    fn answer(
        &mut self,
        operation: Operation,
        _draw: &mut dyn FnMut(usize) -> usize,
    ) -> Completion<Answer> {
        self.complete(operation)
    }

    fn moved(&mut self, taken: Move) {
        if let Move::Pass(until) = taken {
            self.turns = 0;
            self.now = self.now.max(until);
        }
    }
}
