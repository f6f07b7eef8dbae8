//! Where the user is in a run, and how to get elsewhere: forward by running, back by running from a
//! checkpoint.

use crate::breakpoints::{Breakpoints, HitRule};
use crate::checkpoints::{Checkpoint, Checkpoints};
use crate::model::{
    Answer, Breakpoint, Doing, Exceptions, Goal, Hit, Hits, Pace, Place, Question, Reason,
    Standing, Step, Stop, Thrown, Watched,
};
use crate::replica::{End, Halt, Listener, Replica, Trouble, Way, Wish};
use crate::sources::{Source, Sources};
use std::time::Instant;

/// How long a replica runs before somebody asks whether that is still wanted.
const SLICE_US: u64 = 20_000;
/// How many statements before its goal a long way has a checkpoint.
const NEAR: u64 = 500;
/// How long a replica runs from one checkpoint to the next, at most.
const MOST_SPACING_US: u64 = 200_000;
/// How many times longer than making a checkpoint it takes to run to the next.
const SPACING: u64 = 10;

/// A way to another position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// To the next position that counts.
    Continue,
    /// To the next statement of this function, or of one around it.
    Next,
    /// To the next statement.
    StepIn,
    /// Out of this function.
    StepOut,
    /// To the statement before in this function, or in one around it.
    Back,
    /// To the statement before.
    BackInto,
    /// To where this function was called.
    BackOut,
    /// To the last position before that counts.
    ReverseContinue,
    /// To the last one that counts in the running invocation, or in one of those that attached it one after
    /// the other.
    ReverseContinueChain,
    /// To where the running invocation was attached.
    Link,
    /// To where the running invocation was made able to run.
    Cause,
    /// To a position.
    Goto(Step),
}

/// A session: a run, a position in it, and what counts on the way to others.
pub struct Session<R> {
    checkpoints: Checkpoints<R>,
    /// The one that stands at the current position; none if it was lost.
    current: Option<R>,
    /// Another one at the same position, which answers questions: they may change a program.
    asked: Option<R>,
    at: Standing,
    reason: Reason,
    first: Step,
    /// Where the session begins.
    entry: Step,
    end: Option<End>,
    /// How long the last checkpoint took to make.
    fork_us: u64,
    /// How far checkpoints are apart at least.
    spacing_us: u64,
    /// So many bytes of the program's output have been told.
    printed: u64,
    /// The places at which to stop.
    pub breakpoints: Breakpoints,
    /// Exceptions at which to stop.
    pub exceptions: Exceptions,
    /// Values at whose change to stop.
    pub watches: Vec<Watched>,
    /// The invocations in which anything counts, in order; all of them if there are none.
    pub chain: Option<Vec<u64>>,
}

impl<R: Replica> Session<R> {
    /// A session at the first statement. The replica has not begun yet; a program without statements is
    /// over at once.
    pub fn start(
        mut replica: R,
        listener: &mut dyn Listener,
    ) -> Result<Result<Self, End>, Trouble> {
        let goal = Goal { pace: Pace::Each, ..Goal::default() };
        let stop = match replica.run(&goal, listener)? {
            Halt::Ended(end) => return Ok(Err(end)),
            Halt::Stopped(stop) => stop,
        };
        let printed = stop.printed;
        let first = stop.standing.step;
        let kept = replica.fork()?;
        Ok(Ok(Self {
            checkpoints: Checkpoints::new(kept, first),
            current: Some(replica),
            asked: None,
            at: stop.standing,
            reason: Reason::Entry,
            first,
            entry: first,
            end: None,
            fork_us: 0,
            spacing_us: SLICE_US,
            printed,
            breakpoints: Breakpoints::default(),
            exceptions: Exceptions::None,
            watches: Vec::new(),
            chain: None,
        }))
    }

    /// Lets checkpoints be so far apart at least, in microseconds of running, and ten times as long as
    /// it takes to make one.
    pub fn set_spacing(&mut self, spacing_us: u64) {
        self.spacing_us = spacing_us;
    }

    /// Where the program stands.
    pub fn at(&self) -> &Standing {
        &self.at
    }

    /// Why it stands there.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }

    /// How the run ended, once somebody has been there.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// The position of the first statement.
    pub fn first(&self) -> Step {
        self.first
    }

    /// The position at which the session begins: see [`Session::enter`].
    pub fn entry(&self) -> Step {
        self.entry
    }

    /// Goes from the first statement to the first of a file, and lets the session begin there; stays if
    /// there is none.
    pub fn enter(
        &mut self,
        source: &Source,
        sources: &Sources,
        listener: &mut dyn Listener,
    ) -> Result<(), Trouble> {
        if self.at.place.file == source.path {
            return Ok(());
        }
        let places = sources.statements(source).into_iter().map(|(line, column)| Place {
            file: source.path.clone(),
            line,
            column,
        });
        let breakpoints =
            (1..).zip(places).map(|(id, place)| Breakpoint { id, place, ..Breakpoint::default() });
        let goal = Goal { breakpoints: breakpoints.collect(), ..self.slices() };
        let replica = self.take_current(listener)?;
        let ran = self.run(replica, goal, listener)?;
        match &ran.halt {
            Halt::Stopped(stop) => {
                self.entry = stop.standing.step;
                self.arrive(ran, listener)?;
            }
            Halt::Ended(_) => self.seek(self.first, Reason::Entry, listener)?,
        }
        self.reason = Reason::Entry;
        Ok(())
    }

    /// The running invocation, and those that attached it one after the other, in order.
    pub fn links(&mut self) -> Result<Vec<u64>, Trouble> {
        match self.ask(&Question::Chain)? {
            Answer::Chain(links) => Ok(links),
            Answer::Refused(reason) => Err(Trouble::Refused(reason)),
            _ => Err(Trouble::Refused("the chain is not known".into())),
        }
    }

    /// How many checkpoints there are.
    pub fn checkpoints(&self) -> usize {
        self.checkpoints.len()
    }

    /// Goes to another position.
    pub fn go(&mut self, verb: Verb, listener: &mut dyn Listener) -> Result<(), Trouble> {
        match verb {
            Verb::Continue => self.forward(Pace::Free, listener),
            Verb::Next => self.forward(Pace::Over, listener),
            Verb::StepIn => self.forward(Pace::Each, listener),
            Verb::StepOut => self.forward(Pace::Out, listener),
            Verb::Back => self.before(0, listener),
            Verb::BackOut => self.before(1, listener),
            Verb::BackInto if self.at.step == self.first => {
                self.reason = Reason::Entry;
                Ok(())
            }
            Verb::BackInto => self.seek(self.at.step - 1, Reason::Step, listener),
            Verb::ReverseContinue => self.backward(listener),
            Verb::ReverseContinueChain => {
                let links = self.links()?;
                let outer = self.chain.replace(links);
                let went = self.backward(listener);
                self.chain = outer;
                went
            }
            Verb::Link | Verb::Cause => {
                let doing = self.origin(verb)?;
                let found = match doing.reaction {
                    Some(reaction) => self.settled_at(doing, reaction, listener)?,
                    None => self.statement_of(doing, listener)?,
                };
                match found {
                    Some(step) => self.seek(step, Reason::Step, listener),
                    None => {
                        self.reason = Reason::Pause;
                        Ok(())
                    }
                }
            }
            Verb::Goto(step) => self.seek(step.max(self.first), Reason::Step, listener),
        }
    }

    /// Whether a verb leads anywhere, and why not.
    pub fn check(&self, verb: Verb) -> Result<(), Trouble> {
        match verb {
            Verb::Link | Verb::Cause => self.origin(verb).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn origin(&self, verb: Verb) -> Result<Doing, Trouble> {
        let (at, what) = match verb {
            Verb::Link => (self.at.linked_at, "attached"),
            _ => (self.at.caused_at, "made able to run"),
        };
        at.ok_or_else(|| {
            Trouble::Refused(if self.at.invocation <= 1 {
                format!("this is the main program: nothing has {what} it")
            } else {
                format!("no statement of the program is known that has this invocation {what}")
            })
        })
    }

    /// What counts, beside a pace.
    fn goal(&self, pace: Pace) -> Goal {
        Goal {
            slice_us: Some(SLICE_US),
            breakpoints: self.breakpoints.stopping(),
            exceptions: self.exceptions,
            watches: self.watches.clone(),
            chain: self.chain.clone(),
            pace,
            ..Goal::default()
        }
    }

    fn forward(&mut self, pace: Pace, listener: &mut dyn Listener) -> Result<(), Trouble> {
        let replica = self.take_current(listener)?;
        let is_thrown = matches!(self.reason, Reason::Exception(_));
        let passed = is_thrown.then_some(self.at.step);
        let goal = Goal { passed, ..self.goal(pace) };
        let ran = self.run(replica, goal, listener)?;
        self.arrive(ran, listener)
    }

    /// The current replica, which is going to run on.
    fn take_current(&mut self, listener: &mut dyn Listener) -> Result<R, Trouble> {
        if let Some(replica) = self.current.take() {
            return Ok(replica);
        }
        let step = self.at.step;
        let (replica, from) = self.kept_before(step)?;
        if from == step {
            return Ok(replica);
        }
        let goal = Goal { until: Some(step), ..self.slices() };
        Ok(self.run(replica, goal, listener)?.replica)
    }

    /// Goes back to the last position that counts, or to the first.
    fn backward(&mut self, listener: &mut dyn Listener) -> Result<(), Trouble> {
        let here = self.at.step;
        // Only positions before the limit are looked at, from a checkpoint before the bound.
        let (mut limit, mut bound) = (here, here);
        while bound > self.first {
            let (replica, from) = self.kept_before(bound - 1)?;
            let goal = Goal { until: Some(limit), hits: Hits::Last, ..self.goal(Pace::Free) };
            let ran = self.run(replica, goal, listener)?;
            if ran.paused {
                self.reason = Reason::Pause;
                return Ok(());
            }
            if let Some(Hit { step, reason, .. }) = ran.last {
                let step = match &reason {
                    // What has changed a value is the statement before.
                    Reason::Changed(..) => step - 1,
                    Reason::Exception(Thrown { at: Some(at), .. }) => *at,
                    _ => step,
                };
                return self.seek(step, reason, listener);
            }
            (limit, bound) = (from + 1, from);
        }
        self.seek(self.first, Reason::Entry, listener)
    }

    /// Goes back to the statement that a frame, or one that called it, was at before.
    fn before(&mut self, frame: u32, listener: &mut dyn Listener) -> Result<(), Trouble> {
        let Standing { step, began_at, linked_at, .. } = self.at;
        if step == self.first {
            self.reason = Reason::Entry;
            return Ok(());
        }
        // Within an invocation, it is one of the same. A first statement may be what comes after an
        // `await`: then it is the one that attached this invocation, or it is no later than that.
        let linked = linked_at.map_or(began_at, |doing| doing.from);
        let from = if began_at < step { began_at } else { linked };
        let question = Question::Before(frame);
        match self.remembered(from.min(step - 1), step, &question, listener)? {
            Remembered::Paused => {
                self.reason = Reason::Pause;
                Ok(())
            }
            Remembered::At(found) if found < step => self.seek(found, Reason::Step, listener),
            // A callback begins here; what ran before it is another one.
            Remembered::At(_) | Remembered::Nothing => self.seek(step - 1, Reason::Step, listener),
        }
    }

    /// The position of the statement that did something, in its own function; nothing if somebody wants a
    /// pause before that is known.
    fn statement_of(
        &mut self,
        doing: Doing,
        listener: &mut dyn Listener,
    ) -> Result<Option<Step>, Trouble> {
        let Doing { step, mut from, functions, reaction: _ } = doing;
        loop {
            let question = Question::Statement(functions);
            match self.remembered(from, step, &question, listener)? {
                Remembered::Paused => return Ok(None),
                Remembered::At(found) => return Ok(Some(found.min(step))),
                Remembered::Nothing if from <= self.first => return Ok(Some(step)),
                // It waited for something before: it began in an earlier invocation.
                Remembered::Nothing => {
                    let further = (step - from).max(NEAR) * 2;
                    from = step.saturating_sub(further).max(self.first);
                }
            }
        }
    }

    /// The position of the statement that settled the promise of a reaction. The engine does not tell of
    /// those that are rejected: whoever remembers what runs looks at them before every statement.
    fn settled_at(
        &mut self,
        doing: Doing,
        reaction: u64,
        listener: &mut dyn Listener,
    ) -> Result<Option<Step>, Trouble> {
        let question = Question::Settled(reaction);
        match self.remembered(doing.from, doing.step, &question, listener)? {
            Remembered::Paused => Ok(None),
            Remembered::At(found) if found < doing.step => Ok(Some(found)),
            // It is this statement that does it.
            Remembered::At(_) | Remembered::Nothing => self.statement_of(doing, listener),
        }
    }

    /// Runs from one position to another, remembering what runs, and asks something there. What runs is
    /// thrown away.
    fn remembered(
        &mut self,
        from: Step,
        step: Step,
        question: &Question,
        listener: &mut dyn Listener,
    ) -> Result<Remembered, Trouble> {
        let (mut replica, _) = self.kept_before(from)?;
        for (until, remember) in [(from, false), (step, true)] {
            let stretch = Goal { until: Some(until), remember, printed: u64::MAX, ..self.slices() };
            while let Halt::Stopped(stop @ Stop { reason: Reason::Slice, .. }) =
                replica.run(&stretch, listener)?
            {
                match listener.wish(&Way::at(&stop, stretch.until)) {
                    Wish::GoOn => {}
                    Wish::Leave => return Err(Trouble::Left),
                    Wish::Pause => return Ok(Remembered::Paused),
                }
            }
        }
        Ok(match replica.ask(question)? {
            Answer::Position(Some(found)) => Remembered::At(found),
            _ => Remembered::Nothing,
        })
    }

    /// A goal that is nothing but slices.
    fn slices(&self) -> Goal {
        Goal { slice_us: Some(SLICE_US), ..Goal::default() }
    }

    /// Goes to a position; to the last one if there are not so many.
    fn seek(
        &mut self,
        step: Step,
        reason: Reason,
        listener: &mut dyn Listener,
    ) -> Result<(), Trouble> {
        if step == self.at.step {
            self.reason = reason;
            return Ok(());
        }
        let kept = self.checkpoints.at_or_before(step).step;
        let (mut replica, from) = if self.current.is_some() && (kept..step).contains(&self.at.step)
        {
            (self.take_current(listener)?, self.at.step)
        } else {
            self.kept_before(step)?
        };
        // Whoever comes from far is likely to look around: the next way back is to be short.
        let near = step.saturating_sub(NEAR);
        if near > from.saturating_add(NEAR) {
            let goal = Goal { until: Some(near), ..self.slices() };
            let mut ran = self.run(replica, goal, listener)?;
            match &ran.halt {
                Halt::Stopped(_) if !ran.paused => {}
                _ => return self.arrive(ran, listener),
            }
            self.keep(&mut ran.replica, near)?;
            replica = ran.replica;
        }
        let goal = Goal { until: Some(step), ..self.slices() };
        let mut ran = self.run(replica, goal, listener)?;
        if let Halt::Stopped(stop) = &mut ran.halt
            && !ran.paused
        {
            stop.reason = reason;
        }
        self.arrive(ran, listener)
    }

    /// A copy of the last checkpoint at a position or before it, and where that is.
    fn kept_before(&mut self, step: Step) -> Result<(R, Step), Trouble> {
        let kept = self.checkpoints.at_or_before(step);
        let from = kept.step;
        Ok((kept.replica.fork()?, from))
    }

    /// Keeps a copy of a replica that stands at a position, unless there is one.
    #[expect(clippy::disallowed_methods, reason = "as in `run`")]
    fn keep(&mut self, replica: &mut R, step: Step) -> Result<(), Trouble> {
        if self.checkpoints.lacks(step) {
            let began = Instant::now();
            let replica = replica.fork()?;
            self.fork_us = (self.fork_us + elapsed_us(began)).div_ceil(2);
            self.checkpoints.keep(Checkpoint { replica, step });
        }
        Ok(())
    }

    /// Runs a replica in slices, and keeps checkpoints on its way.
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a stretch takes decides where checkpoints are, never what a program does"
    )]
    fn run(
        &mut self,
        mut replica: R,
        goal: Goal,
        listener: &mut dyn Listener,
    ) -> Result<Ran<R>, Trouble> {
        let mut last = None;
        // How long it ran without a checkpoint.
        let mut spent_us = 0;
        let mut goal = Goal { printed: self.printed, ..goal };
        loop {
            let began = Instant::now();
            let halt = replica.run(&goal, listener)?;
            self.printed = self.printed.max(halt.printed());
            goal.printed = self.printed;
            spent_us += elapsed_us(began);
            let stop = match halt {
                Halt::Stopped(stop) => stop,
                halt @ Halt::Ended(_) => {
                    return Ok(Ran { replica, halt, last, paused: false });
                }
            };
            last = stop.last.clone().or(last);
            if stop.reason != Reason::Slice {
                let halt = Halt::Stopped(stop);
                return Ok(Ran { replica, halt, last, paused: false });
            }
            let spacing = self.spacing_us.max((SPACING * self.fork_us).min(MOST_SPACING_US));
            if spent_us >= spacing {
                self.keep(&mut replica, stop.standing.step)?;
                spent_us = 0;
            }
            match listener.wish(&Way::at(&stop, goal.until)) {
                Wish::GoOn => {}
                Wish::Leave => return Err(Trouble::Left),
                Wish::Pause => {
                    let halt = Halt::Stopped(Stop { reason: Reason::Pause, ..stop });
                    return Ok(Ran { replica, halt, last, paused: true });
                }
            }
        }
    }

    /// Takes a replica that has run for the current one.
    fn arrive(&mut self, ran: Ran<R>, listener: &mut dyn Listener) -> Result<(), Trouble> {
        match ran.halt {
            Halt::Stopped(Stop { standing, reason, .. }) => {
                self.current = Some(ran.replica);
                self.asked = None;
                self.at = standing;
                self.reason = reason;
                // That nobody caught something is known later than it was thrown.
                match self.reason.clone() {
                    Reason::Exception(Thrown { at: Some(at), .. }) if at < self.at.step => {
                        let reason = self.reason.clone();
                        self.seek(at, reason, listener)
                    }
                    _ => Ok(()),
                }
            }
            Halt::Ended(end) => {
                let last = end.steps.saturating_sub(1).max(self.first);
                self.end = Some(end);
                self.seek(last, Reason::End, listener)
            }
        }
    }

    /// Asks something about where the program stands.
    pub fn ask(&mut self, question: &Question) -> Result<Answer, Trouble> {
        if self.asked.is_none() {
            let mut current = self.take_current(&mut Unheard)?;
            let asked = current.fork();
            self.current = Some(current);
            self.asked = Some(asked?);
        }
        let asked = self.asked.as_mut().expect("it was made just now");
        let answer = asked.ask(question);
        if answer.is_err() {
            // The next question is for another one.
            self.asked = None;
        }
        answer
    }

    /// Whether a breakpoint counts at the first statement, where nothing has been run yet.
    pub fn is_hit_at_first(&mut self) -> bool {
        let here = self.at.place.clone();
        let points = self.breakpoints.stopping();
        let is_here =
            |point: &&Breakpoint| point.place.file == here.file && point.place.line == here.line;
        let Some(point) = points.iter().find(is_here) else { return false };
        if point.only.as_ref().is_some_and(|only| !only.contains(&self.at.step)) {
            return false;
        }
        let Some(condition) = &point.condition else { return true };
        let question = Question::Evaluate(0, format!("!!({condition})"));
        matches!(self.ask(&question), Ok(Answer::Value(value)) if value.value == "true")
    }

    /// Runs from the beginning to the end and tells of every position at which one of these counts. With
    /// `printing` all that the program prints is told in between.
    pub fn survey(
        &mut self,
        points: Vec<Breakpoint>,
        printing: bool,
        listener: &mut dyn Listener,
    ) -> Result<End, Trouble> {
        let (mut replica, _) = self.kept_before(self.first)?;
        let mut goal = Goal {
            breakpoints: points,
            hits: Hits::All,
            slice_us: Some(SLICE_US),
            printed: if printing { 0 } else { u64::MAX },
            ..Goal::default()
        };
        loop {
            let halt = replica.run(&goal, listener)?;
            goal.printed = goal.printed.max(halt.printed());
            match halt {
                Halt::Ended(end) => {
                    self.end = Some(end.clone());
                    return Ok(end);
                }
                Halt::Stopped(stop) => {
                    if listener.wish(&Way::at(&stop, None)) == Wish::Leave {
                        return Err(Trouble::Left);
                    }
                }
            }
        }
    }

    /// Finds the positions of breakpoints that count only the so-manieth time.
    pub fn count_hits(&mut self, listener: &mut dyn Listener) -> Result<(), Trouble> {
        let uncounted = self.breakpoints.uncounted();
        if uncounted.is_empty() {
            return Ok(());
        }
        let mut counting = Counting { hits: Vec::new(), listener };
        self.survey(
            uncounted.iter().map(|(point, _)| point.clone()).collect(),
            false,
            &mut counting,
        )?;
        let hits = counting.hits;
        for (point, rule) in uncounted {
            let mut count = 0;
            let mut only = Vec::new();
            for hit in &hits {
                let Reason::Breakpoint(ids) = &hit.reason else { continue };
                if ids.contains(&point.id) {
                    count += 1;
                    if HitRule::holds(&rule, count) {
                        only.push(hit.step);
                    }
                }
            }
            self.breakpoints.count(point.id, only);
        }
        Ok(())
    }
}

/// What a stretch that is remembered tells.
enum Remembered {
    /// This position.
    At(Step),
    /// Nothing: it is not known.
    Nothing,
    /// Somebody wants a pause.
    Paused,
}

/// What became of a stretch.
struct Ran<R> {
    replica: R,
    halt: Halt,
    last: Option<Hit>,
    paused: bool,
}

/// Nobody is told.
struct Unheard;

impl Listener for Unheard {
    fn printed(&mut self, _: bool, _: &str) {}

    fn hit(&mut self, _: Hit) {}

    fn wish(&mut self, _: &Way) -> Wish {
        Wish::GoOn
    }
}

/// Gathers positions.
struct Counting<'a> {
    hits: Vec<Hit>,
    listener: &'a mut dyn Listener,
}

impl Listener for Counting<'_> {
    fn printed(&mut self, _: bool, _: &str) {}

    fn hit(&mut self, hit: Hit) {
        self.hits.push(hit);
    }

    fn wish(&mut self, way: &Way) -> Wish {
        self.listener.wish(way)
    }

    fn is_leaving(&mut self) -> bool {
        self.listener.is_leaving()
    }
}

fn elapsed_us(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}
