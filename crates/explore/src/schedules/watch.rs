//! Chooser, sink and world of a run that is explored: they follow its plan, and know where it stands.

use super::decide::Decider;
use super::digest::Digest;
use super::history::{History, Reduction};
use super::plan::{Choice, Ended, Known, Outcome, Plan, Report};
use hemiola_machine::{
    Alternative, Alternatives, Answered, Chooser, Completion, Draw, Gap, Instant, Keep, Kept,
    Language, Limit, Move, Operation, Pick, World,
};
use hemiola_trace::{Access, Event, Observation, Sink, Stream};
use std::cell::RefCell;
use std::fmt;
use std::io;
use std::rc::Rc;
use std::sync::Arc;

/// How often a callback may breathe before it is taken for one that does not end. The engine breathes
/// after some ten thousand loops and calls, so this is about two hundred million of them, and some seconds: a
/// count and not a time, so that every run of a schedule comes to the same.
const ENDLESS: u64 = 20_000;

/// How long there is for runs, by a clock of whoever makes them.
#[derive(Clone, Default)]
pub struct TimeLimit(Option<Arc<IsUp>>);

type IsUp = dyn Fn() -> bool + Send + Sync;

impl TimeLimit {
    /// Until that says that the time is up.
    pub fn new(is_up: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_up)))
    }

    /// Whether it is.
    pub fn is_up(&self) -> bool {
        self.0.as_ref().is_some_and(|is_up| is_up())
    }
}

impl fmt::Debug for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TimeLimit").field(&self.0.is_some()).finish()
    }
}

/// What a run is told beside its plan.
#[derive(Clone, Debug)]
pub struct Watching {
    /// How states are told from each other.
    pub reduction: Reduction,
    /// The states that are known.
    pub known: Arc<Known>,
    /// Whether the program looks at clocks: then time itself is part of a state.
    pub clock: bool,
    /// Whether the world tells what operations do outside, by [`Watch::touched`]. Else all of them
    /// count as dependent.
    pub effects: bool,
    /// How many callbacks with their tails a run may have.
    pub steps: u64,
    /// Whether to note what the alternatives were that a run took, and what it left for them.
    pub explain: bool,
    /// Whether intervals without a label count from when they ran.
    pub drifting: bool,
    /// How long there is for this run and others.
    pub limit: TimeLimit,
}

/// A deviation in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// At which choice.
    pub choice: u32,
    /// What happened there.
    pub taken: String,
    /// What would have happened by default.
    pub instead: String,
}

/// A run that is explored.
///
/// Its parts go to the machine: [`Watch::chooser`], [`Watch::sink`], and [`Watch::world`] around the
/// world. When it is over, [`Watch::report`] tells of it.
pub struct Watch(Rc<RefCell<Core>>);

struct Core {
    decider: Decider,
    history: History,
    watching: Watching,
    /// From which choice on the run may be given up.
    fresh: usize,
    choices: Vec<Choice>,
    /// What could have come at the last choice, where the program went on instead.
    waiting: Option<Waiting>,
    deviations: Vec<Deviation>,
    /// Why the run was given up, if it was.
    over: Option<Ended>,
    /// How often the running callback has breathed; it is given up when that is too often.
    breaths: u64,
    /// How many callbacks its tail has so far.
    tail: u64,
    stop: Box<dyn Fn()>,
    observations: Vec<Observation>,
    out: Vec<u8>,
    err: Vec<u8>,
    thrown: Option<String>,
}

/// Answers that could have come before the callbacks that were ready. If nothing else has happened by
/// the time when they are offered again, they would have come to the same: behind those callbacks, and
/// with no more deviations.
#[derive(Clone)]
struct Waiting {
    choice: usize,
    moves: Vec<(u32, Move)>,
    barriers: u64,
}

impl Watch {
    /// A run that follows a plan. `stop` asks the program to stop: nothing that it does afterwards
    /// counts.
    pub fn new(plan: &Plan, watching: Watching, stop: impl Fn() + 'static) -> Self {
        let fresh = match plan {
            Plan::Follow(schedule) => schedule.pairs().last().map_or(0, |last| last.0 as usize + 1),
            // Whoever draws does so to the end.
            Plan::Priorities { .. } | Plan::Random { .. } => usize::MAX,
        };
        Self(Rc::new(RefCell::new(Core {
            decider: Decider::new(plan),
            history: History::new(watching.reduction, watching.explain, watching.drifting),
            watching,
            fresh,
            choices: Vec::new(),
            waiting: None,
            deviations: Vec::new(),
            over: None,
            breaths: 0,
            tail: 0,
            stop: Box::new(stop),
            observations: Vec::new(),
            out: Vec::new(),
            err: Vec::new(),
            thrown: None,
        })))
    }

    /// Who picks.
    pub fn chooser(&self) -> Choosing {
        Choosing(Rc::clone(&self.0))
    }

    /// Who listens.
    pub fn sink(&self) -> Listening {
        Listening(Rc::clone(&self.0))
    }

    /// The world, watched.
    pub fn world<W>(&self, world: W) -> Watched<W> {
        Watched { world, core: Rc::clone(&self.0) }
    }

    /// Who is to be told what operations do outside: the operation, or none for what a callback does
    /// itself, the names of what is read and written, and the fault that was chosen for it.
    #[expect(clippy::type_complexity, reason = "it is the signature of a function")]
    pub fn touched(
        &self,
    ) -> impl Fn(Option<Operation>, &[(String, Access)], Option<String>) + 'static {
        let core = Rc::clone(&self.0);
        move |operation, touches, fault| {
            let core = &mut *core.borrow_mut();
            let touches = touches.iter();
            let named = touches.map(|(name, access)| (Digest::of_bytes(name.as_bytes()), *access));
            core.history.touched(operation, named);
            if let (Some(fault), Some(last)) = (fault, core.deviations.last_mut()) {
                (last.taken, last.instead) = (fault, "it does as it is told".into());
            }
        }
    }

    /// What the run did, once it is over with that exit code. `judge` says in a line what is wrong with
    /// an outcome, if anything: it is given what was thrown last without being caught, and whether the
    /// run was cut. A run that was cut and is known to be wrong has an outcome all the same.
    pub fn report(
        &self,
        code: i32,
        judge: impl FnOnce(&Outcome, Option<&str>, bool) -> Option<String>,
    ) -> Report {
        let core = &mut *self.0.borrow_mut();
        let over = core.over.take().or_else(|| core.decider.misfit().map(Ended::Misfit));
        let ended = match over {
            Some(over @ (Ended::Known(_) | Ended::Misfit(_) | Ended::Interrupted)) => over,
            cut => {
                let mut outcome = Outcome {
                    failure: None,
                    code: if cut.is_none() { code } else { 0 },
                    observations: std::mem::take(&mut core.observations),
                    out: std::mem::take(&mut core.out),
                    err: std::mem::take(&mut core.err),
                };
                outcome.failure = match core.breaths {
                    ENDLESS => Some("a callback computes without end".to_owned()),
                    _ => judge(&outcome, core.thrown.as_deref(), cut.is_some()),
                };
                match cut {
                    Some(cut) if outcome.failure.is_none() => cut,
                    _ => Ended::Outcome(outcome),
                }
            }
        };
        let is_tail = core.tail > core.watching.steps;
        let starves = match ended {
            Ended::Cut => core.history.starving(is_tail),
            Ended::Outcome(_) | Ended::Known(_) | Ended::Misfit(_) | Ended::Interrupted => {
                Vec::new()
            }
        };
        let choices = std::mem::take(&mut core.choices);
        let (reads_clock, coarse) = (core.history.reads_clock(), core.history.is_coarse());
        Report { choices, ended, reads_clock, coarse, slow: false, starves }
    }

    /// The deviations from the default order, in words, if they were asked for.
    pub fn deviations(&self) -> Vec<Deviation> {
        std::mem::take(&mut self.0.borrow_mut().deviations)
    }
}

impl Core {
    fn give_up(&mut self, why: Ended) {
        if self.over.is_none() {
            self.over = Some(why);
            (self.stop)();
        }
    }

    /// Notes which of the answers that could have come before may come now.
    fn offer_again(&mut self, offers: impl Fn(Move) -> bool) {
        if let Some(waiting) = self.waiting.take()
            && waiting.barriers == self.history.barriers()
        {
            let again = waiting.moves.iter().filter(|(_, one)| offers(*one));
            self.choices[waiting.choice].later = again.map(|&(at, _)| at).collect();
        }
    }

    /// The answers that wait while the program goes on.
    fn wait(&mut self, choice: usize, open: &Alternatives<'_>, order: &[usize]) {
        let moves = order.iter().enumerate().filter_map(|(at, &real)| match open.get(real) {
            Some(Alternative::Move(one @ Move::Answer(_))) => Some((at as u32, one)),
            _ => None,
        });
        let (moves, barriers) = (moves.collect(), self.history.barriers());
        self.waiting = Some(Waiting { choice, moves, barriers });
    }

    /// Takes an alternative of so many, as the machine counts them.
    fn choose(&mut self, count: usize, open: Option<&Alternatives<'_>>) -> usize {
        if self.over.is_some() {
            return 0;
        }
        let order = open.map(|open| self.history.order(open));
        let open = open.zip(order.as_deref());
        let at = self.choices.len();
        let Watching { reduction, clock, explain, .. } = self.watching;
        let within = self.history.is_within(open.map(|(open, _)| open));
        if let Some((open, _)) = open.filter(|_| !within) {
            self.offer_again(|one| open.moves.contains(&one));
        }
        let state = (reduction != Reduction::None).then(|| self.history.state(count, open, clock));
        if at >= self.fresh && state.is_some_and(|state| self.watching.known.contains(state)) {
            self.give_up(Ended::Known(state));
            return 0;
        }
        let history = &self.history;
        let kind = |at: usize| open.map(|(open, order)| history.kind(open, order[at]));
        let taken = self.decider.decide(at as u32, count, kind);
        self.choices.push(Choice {
            count: count as u32,
            taken: taken as u32,
            state,
            later: Vec::new(),
        });
        if let Some((open, order)) = open.filter(|_| !within && reduction != Reduction::None)
            && taken == 0
            && !open.may_end
            && !open.picks.is_empty()
        {
            self.wait(at, open, order);
        }
        let history = &self.history;
        if taken > 0 && explain {
            let [taken, instead] = match open {
                Some((open, order)) => history.words_apart(open, [order[taken], order[0]]),
                None => [taken, 0].map(|at| format!("alternative {at} of {count}")),
            };
            self.deviations.push(Deviation { choice: at as u32, taken, instead });
        }
        let is_tail = |open: &Alternatives<'_>| match open.picks.first() {
            Some(Pick::Callback(class, _)) => class.priority() == 0,
            _ => false,
        };
        self.history.chosen(taken, open.is_some_and(|(open, _)| !is_tail(open)));
        open.map_or(taken, |(_, order)| order[taken])
    }

    /// The running callback computes for long.
    fn breathed(&mut self) {
        self.breaths += u64::from(self.breaths < ENDLESS);
        if self.breaths == ENDLESS {
            self.give_up(Ended::Cut);
        }
        self.look_at_clock();
    }

    /// Gives up the run when the time is up.
    fn look_at_clock(&mut self) {
        if self.over.is_none() && self.watching.limit.is_up() {
            self.give_up(Ended::Interrupted);
        }
    }

    fn event(&mut self, event: Event) {
        if self.over.is_some() {
            return;
        }
        match &event {
            Event::Observed(value) => self.observations.push(value.clone()),
            Event::Wrote { stream: Stream::Out, text } => {
                self.out.extend_from_slice(text.as_bytes())
            }
            Event::Wrote { stream: Stream::Err, text } => {
                self.err.extend_from_slice(text.as_bytes())
            }
            Event::WroteBytes { stream: Stream::Out, bytes } => self.out.extend_from_slice(bytes),
            Event::WroteBytes { stream: Stream::Err, bytes } => self.err.extend_from_slice(bytes),
            Event::Began { class, .. } => {
                self.breaths = 0;
                // A tail that never ends is no step, and lets none come.
                let is_tail = class.is_some_and(|class| class.priority() == 0);
                self.tail = if is_tail { self.tail + 1 } else { 0 };
            }
            Event::Ended { outcome: hemiola_trace::Outcome::Threw(message), .. } => {
                self.thrown = Some(message.clone());
            }
            _ => {}
        }
        let is_callback = matches!(event, Event::Began { .. });
        self.history.event(event);
        if is_callback {
            self.look_at_clock();
        }
        if self.history.transitions() > self.watching.steps || self.tail > self.watching.steps {
            self.give_up(Ended::Cut);
        }
    }
}

/// Who picks for a run that is explored.
pub struct Choosing(Rc<RefCell<Core>>);

impl Chooser for Choosing {
    fn choose(&mut self, count: usize) -> usize {
        self.0.borrow_mut().choose(count, None)
    }

    fn choose_from(&mut self, open: &Alternatives<'_>) -> usize {
        self.0.borrow_mut().choose(open.count(), Some(open))
    }
}

/// Who listens to a run that is explored.
pub struct Listening(Rc<RefCell<Core>>);

impl Sink for Listening {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        self.0.borrow_mut().event(event);
    }
}

/// What is known of a run in the middle of it.
struct Moment {
    history: History,
    breaths: u64,
    tail: u64,
    observations: Vec<Observation>,
    out: Vec<u8>,
    err: Vec<u8>,
    thrown: Option<String>,
    choices: Vec<Choice>,
    waiting: Option<Waiting>,
    deviations: Vec<Deviation>,
    effects: bool,
    clock: bool,
}

/// All that is known of the run, and what the world has. Who goes on from there has a plan that begins with the same
/// choices.
impl<W: Keep> Keep for Watched<W> {
    fn keep(&self) -> Option<Kept> {
        let core = &mut *self.core.borrow_mut();
        if core.over.is_some() {
            return None;
        }
        let world = self.world.keep()?;
        core.history.share();
        let moment = Moment {
            history: core.history.clone(),
            breaths: core.breaths,
            tail: core.tail,
            observations: core.observations.clone(),
            out: core.out.clone(),
            err: core.err.clone(),
            thrown: core.thrown.clone(),
            choices: core.choices.clone(),
            waiting: core.waiting.clone(),
            deviations: core.deviations.clone(),
            effects: core.watching.effects,
            clock: core.watching.clock,
        };
        Some(Kept::new((moment, world)))
    }

    fn fits(&self, kept: &Kept) -> bool {
        let core = &*self.core.borrow();
        kept.get::<(Moment, Kept)>().is_some_and(|(moment, world)| {
            moment.history.is_made_like(&core.history)
                && moment.effects == core.watching.effects
                && (moment.choices.is_empty() || moment.clock == core.watching.clock)
                && core.decider.begins_with(moment.choices.iter().map(|choice| choice.taken))
                && self.world.fits(world)
        })
    }

    fn go_on(&mut self, kept: &Kept) {
        let (moment, world) = kept.of::<(Moment, Kept)>();
        self.world.go_on(world);
        let core = &mut *self.core.borrow_mut();
        core.history = moment.history.clone();
        (core.breaths, core.tail) = (moment.breaths, moment.tail);
        core.observations.clone_from(&moment.observations);
        core.out.clone_from(&moment.out);
        core.err.clone_from(&moment.err);
        core.thrown.clone_from(&moment.thrown);
        core.decider.skip(moment.choices.len());
        core.choices.clone_from(&moment.choices);
        core.waiting.clone_from(&moment.waiting);
        core.deviations.clone_from(&moment.deviations);
    }

    fn parts(&self) -> bool {
        let core = self.core.borrow();
        core.over.is_none() && core.decider.deviates_at(core.choices.len() as u32)
    }
}

/// A world whose answers are noted.
pub struct Watched<W> {
    world: W,
    core: Rc<RefCell<Core>>,
}

impl<L: Language, W: World<L>> World<L> for Watched<W> {
    const ORACLE: bool = W::ORACLE;
    const STILL: bool = W::STILL;

    fn now(&mut self) -> Instant {
        self.world.now()
    }

    fn look(&mut self) -> Instant {
        let now = self.world.look();
        self.core.borrow_mut().history.read_clock(now.as_micros());
        now
    }

    fn wall_clock(&mut self) -> u64 {
        let clock = self.world.wall_clock();
        self.core.borrow_mut().history.read_clock(clock);
        clock
    }

    fn random(&mut self) -> u64 {
        self.core.borrow_mut().history.drew();
        self.world.random()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.world.write(stream, bytes)
    }

    fn began(&mut self) {
        self.world.began();
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        self.core.borrow_mut().breathed();
        self.world.breathe(limit)
    }

    fn submit(&mut self, operation: Operation, request: L::Request) {
        self.world.submit(operation, request);
    }

    fn perform(&mut self, request: L::Request, draw: Option<Draw<'_>>) -> L::Answer {
        {
            let core = &mut *self.core.borrow_mut();
            if !core.watching.effects {
                core.history.performed();
            }
        }
        self.world.perform(request, draw)
    }

    fn cancel(&mut self, operation: Operation) {
        self.world.cancel(operation);
    }

    fn receive(&mut self) -> Option<Completion<L::Answer>> {
        let came = self.world.receive();
        if let Some(completion) = &came {
            let history = &mut self.core.borrow_mut().history;
            history.came();
            history.sets_out(completion.operation, completion.trips - 1);
        }
        came
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let goes_on = self.world.wait(until);
        let now = self.world.now();
        self.core.borrow_mut().history.passed(now);
        goes_on
    }

    fn go_round(&mut self, due: bool) -> bool {
        self.core.borrow_mut().history.went_round();
        let goes_on = self.world.go_round(due);
        // The world may have let time pass by itself.
        let now = self.world.now();
        self.core.borrow_mut().history.passed(now);
        goes_on
    }

    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        self.world.moves(gap, next_due, moves);
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<L::Answer> {
        {
            let core = &mut *self.core.borrow_mut();
            core.offer_again(|one| one == Move::Answer(operation));
            core.history.answers(operation, core.watching.effects);
        }
        let answered = self.world.answer(operation, draw);
        let core = &mut *self.core.borrow_mut();
        core.history.answered();
        match &answered {
            Answered::Whole(completion) => core.history.sets_out(operation, completion.trips - 1),
            Answered::Part { trips } => core.history.sets_out(operation, *trips),
        }
        answered
    }

    fn moved(&mut self, taken: Move) {
        self.core.borrow_mut().offer_again(|one| one == taken);
        self.world.moved(taken);
        let now = self.world.now();
        self.core.borrow_mut().history.passed(now);
    }

    fn seen(&mut self, operation: Operation, trips: u32) {
        self.core.borrow_mut().history.seen(operation, trips);
        self.world.seen(operation, trips);
    }
}
