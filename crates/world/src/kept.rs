//! A world that lets in what comes from outside in an order that is known to be good.
//!
//! The order is the one in which callbacks ran under a schedule. What comes too early is held back, what is
//! late is waited for, and time stands still for timers that are not next; all of it as far as the outside
//! lets it: whoever waits longer than [`PATIENCE`] waits for something that does not come.

use hemiola_gate::{Answer, Checked, Gated};
use hemiola_machine::{
    Answered, Class, Completion, Delay, Draw, Event, Gap, Instant, Limit, Move, Operation, Origin,
    Stream, World,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::io;
use std::rc::Rc;

/// So long is waited for an answer that should be next.
const PATIENCE: Delay = Delay::from_millis(1_000);

/// The order in which callbacks are to run, and how far they have; its copies are one.
#[derive(Clone, Default)]
pub struct Order(Rc<RefCell<Inner>>);

/// A callback that is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Of an operation.
    Answer(Operation),
    /// Of a timer, by the number of its release.
    Timer(u64),
    /// Of what was queued: the how-manieth of those that are in no tail.
    Queued(u64),
}

#[derive(Default)]
struct Inner {
    steps: Vec<Step>,
    next: usize,
    /// Which of those in no tail has which number among all that were queued.
    queued: BTreeMap<u64, u64>,
    /// When timers are due next, and their periods.
    dues: BTreeMap<u64, (Instant, Option<Delay>)>,
    /// What operations are, in words.
    words: BTreeMap<Operation, String>,
    left: Option<Left>,
}

/// Where a run left its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// After how many callbacks.
    pub after: usize,
    /// What should have been next, in words.
    pub expected: String,
    /// What came instead; nothing if what was expected did not come.
    pub came: Option<String>,
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { after, expected, came } = self;
        let s = if *after == 1 { "" } else { "s" };
        write!(f, "after {after} callback{s}: ")?;
        match came {
            Some(came) => write!(f, "{came} came before {expected}"),
            None => write!(f, "{expected} did not come"),
        }
    }
}

impl Order {
    /// Takes an event of the run whose order it is.
    pub fn learn(&self, event: &Event) {
        let inner = &mut *self.0.borrow_mut();
        inner.count(event);
        if let Some(step) = inner.began(event) {
            inner.steps.push(step);
        }
    }

    /// Forgets the run whose order it is, but for the order.
    pub fn begin(&self) {
        self.0.borrow_mut().queued.clear();
    }

    /// Takes an event of the run that keeps to it.
    pub fn hear(&self, event: &Event) {
        let inner = &mut *self.0.borrow_mut();
        inner.count(event);
        match event {
            Event::Released { release, tag, period, .. } => {
                inner.dues.insert(release.0, (tag.time, period.map(|period| period.delay())));
            }
            Event::Requested { operation, what, .. } => {
                inner.words.insert(*operation, what.clone());
            }
            Event::Began { origin: Some(Origin::Release(release)), tag: Some(tag), .. } => {
                if let Some((due, Some(period))) = inner.dues.get_mut(&release.0) {
                    *due = tag.time + *period;
                }
            }
            _ => {}
        }
        if let Some(step) = inner.began(event) {
            inner.came(step);
        }
    }

    /// How many callbacks ran in this order, and where the run left it; what it did after the last of them is
    /// its own business.
    pub fn kept(&self) -> (usize, Option<Left>) {
        let inner = self.0.borrow();
        let missing = || {
            let expected = inner.describe(*inner.steps.get(inner.next)?);
            Some(Left { after: inner.next, expected, came: None })
        };
        (inner.next, inner.left.clone().or_else(missing))
    }

    fn next(&self) -> Option<Step> {
        let inner = self.0.borrow();
        if inner.left.is_some() { None } else { inner.steps.get(inner.next).copied() }
    }

    /// The first answer that is not let in yet, of those that come one after the other: they may share a poll
    /// phase.
    fn answer_after(&self, given: &BTreeSet<Operation>) -> Option<Operation> {
        let inner = self.0.borrow();
        for &step in &inner.steps[inner.next..] {
            match step {
                Step::Answer(operation) if given.contains(&operation) => {}
                Step::Answer(operation) => return Some(operation),
                Step::Timer(_) | Step::Queued(_) => return None,
            }
        }
        None
    }

    fn due(&self, release: u64) -> Option<Instant> {
        self.0.borrow().dues.get(&release).map(|&(due, _)| due)
    }

    /// Gives up: what should be next does not come.
    fn leave(&self) {
        let inner = &mut *self.0.borrow_mut();
        if let Some(&expected) = inner.steps.get(inner.next) {
            let expected = inner.describe(expected);
            inner.left.get_or_insert(Left { after: inner.next, expected, came: None });
        }
    }
}

impl Inner {
    /// Counts what is queued.
    fn count(&mut self, event: &Event) {
        if let Event::Queued { number, class, .. } = event
            && class.priority() > 0
        {
            let count = self.queued.len() as u64 + 1;
            self.queued.insert(number.0, count);
        }
    }

    /// What begins to run, unless it is the main program or in a tail.
    fn began(&self, event: &Event) -> Option<Step> {
        let Event::Began { class: Some(class), origin: Some(origin), .. } = event else {
            return None;
        };
        if matches!(class, Class::Tick | Class::Promise) {
            return None;
        }
        Some(match origin {
            Origin::Operation(operation) => Step::Answer(*operation),
            Origin::Release(release) => Step::Timer(release.0),
            Origin::Queued(number) => Step::Queued(*self.queued.get(&number.0)?),
        })
    }

    fn came(&mut self, step: Step) {
        if self.left.is_some() {
            return;
        }
        match self.steps.get(self.next) {
            None => {}
            Some(&expected) if expected == step => self.next += 1,
            Some(&expected) => {
                let (expected, came) = (self.describe(expected), Some(self.describe(step)));
                self.left = Some(Left { after: self.next, expected, came });
            }
        }
    }

    fn describe(&self, step: Step) -> String {
        match step {
            Step::Answer(operation) => match self.words.get(&operation) {
                Some(words) => format!("the answer to {words}"),
                None => format!("the answer to operation {}", operation.0),
            },
            Step::Timer(release) => format!("timer {release}"),
            Step::Queued(count) => format!("immediate {count}"),
        }
    }
}

/// Passes everything on to a world, and its answers in an order.
pub struct Kept<W> {
    world: W,
    order: Order,
    asked: BTreeSet<Operation>,
    /// Answers whose turn has not come.
    held: VecDeque<Completion<Answer>>,
    /// The answers that were let in.
    given: BTreeSet<Operation>,
    /// The answers that were waited for in vain.
    late: BTreeSet<Operation>,
    now: Instant,
}

impl<W> Kept<W> {
    /// That world, in that order.
    pub fn new(world: W, order: Order) -> Self {
        let (asked, given, late) = Default::default();
        Self { world, order, asked, held: VecDeque::new(), given, late, now: Instant::ZERO }
    }

    fn take_in<L: Gated>(&mut self)
    where
        W: World<L>,
    {
        while let Some(completion) = self.world.receive() {
            self.held.push_back(completion);
        }
    }

    /// Waits for an answer that should be next; nothing if it does not come.
    fn await_answer<L: Gated>(&mut self, operation: Operation) -> Option<Completion<Answer>>
    where
        W: World<L>,
    {
        let until = self.world.now() + PATIENCE;
        loop {
            self.take_in();
            if let Some(at) = self.held.iter().position(|one| one.operation == operation) {
                return self.held.remove(at);
            }
            if !self.asked.contains(&operation) || self.world.now() >= until {
                return None;
            }
            self.world.wait(Some(until));
        }
    }

    /// Waits until a timer that should be next is due.
    fn await_timer<L: Gated>(&mut self, release: u64)
    where
        W: World<L>,
    {
        let until = self.world.now() + PATIENCE;
        while let Some(due) = self.order.due(release)
            && due <= until
            && self.world.now() < due
        {
            self.world.wait(Some(due));
            self.take_in();
        }
    }
}

impl<L: Gated, W: World<L>> World<L> for Kept<W> {
    const ORACLE: bool = {
        assert!(!W::ORACLE, "an oracle is told by its chooser what to do");
        false
    };
    const STILL: bool = false;

    /// Timers that are not next do not become due.
    fn now(&mut self) -> Instant {
        if matches!(self.order.next(), None | Some(Step::Timer(_))) {
            self.now = self.now.max(self.world.now());
        }
        self.now
    }

    fn look(&mut self) -> Instant {
        self.world.look()
    }

    fn wall_clock(&mut self) -> u64 {
        self.world.wall_clock()
    }

    fn random(&mut self) -> u64 {
        self.world.random()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.world.write(stream, bytes)
    }

    fn began(&mut self) {
        self.world.began();
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        self.world.breathe(limit)
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        self.asked.insert(operation);
        self.world.submit(operation, request);
    }

    fn perform(&mut self, request: Checked, draw: Option<Draw<'_>>) -> Answer {
        self.world.perform(request, draw)
    }

    fn cancel(&mut self, operation: Operation) {
        self.asked.remove(&operation);
        self.held.retain(|one| one.operation != operation);
        self.world.cancel(operation);
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.take_in();
        match self.order.next() {
            None => self.held.pop_front(),
            Some(Step::Answer(next)) => {
                let operation = self.order.answer_after(&self.given)?;
                if !self.asked.contains(&operation) {
                    return None;
                }
                if !self.late.contains(&operation)
                    && let Some(completion) = self.await_answer(operation)
                {
                    self.given.insert(operation);
                    // Which callbacks come before it is settled.
                    return Some(Completion { trips: 1, ..completion });
                }
                self.late.insert(operation);
                if operation != next {
                    return None;
                }
                self.order.leave();
                self.held.pop_front()
            }
            Some(Step::Timer(release)) => {
                self.await_timer(release);
                None
            }
            Some(Step::Queued(_)) => None,
        }
    }

    /// Nothing is able to run: what should be next must come from outside, or does not come.
    fn wait(&mut self, until: Option<Instant>) -> bool {
        match self.order.next() {
            Some(Step::Timer(_)) if until.is_some() => {}
            Some(Step::Answer(operation)) if self.asked.contains(&operation) => return true,
            Some(_) => self.order.leave(),
            None => {}
        }
        !self.held.is_empty() && self.order.next().is_none() || self.world.wait(until)
    }

    fn go_round(&mut self, due: bool) -> bool {
        self.world.go_round(due)
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, _: &mut Vec<Move>) {
        // The world offers none.
    }

    fn answer(&mut self, _: Operation, _: Draw<'_>) -> Answered<Answer> {
        unreachable!("only a world that offers moves is asked to make one")
    }

    fn moved(&mut self, taken: Move) {
        self.world.moved(taken);
    }

    fn seen(&mut self, operation: Operation, trips: u32) {
        self.world.seen(operation, trips);
    }
}
