//! Rust closures as a host: the machine as a library of its own.

use crate::chooser::{Chooser, First};
use crate::context::Context;
use crate::domains::DomainId;
use crate::host::{Eagerness, Host, Input, Progress};
use crate::language::{Language, Signal};
use crate::machine::{Machine, Step};
use crate::priority::Site;
use crate::queues::Group;
use crate::simulated::Simulated;
use crate::strategy::{Named, Strategy};
use crate::timers::Handle;
use crate::world::World;
use hemiola_time::{Delay, Period};
use hemiola_trace::{Class, Outcome, Place, Sink};

/// The host that runs Rust closures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Closures;

/// What a closure is handed: releases, clocks, observations.
pub type Turn<'a> = Context<'a, Closures>;

type Body = dyn FnMut(&mut Turn<'_>, Input<i64>) -> Result<(), String>;

/// A closure that the machine can run.
pub struct Task {
    body: Box<Body>,
    site: Option<Site>,
}

impl Task {
    /// A task that cannot fail.
    pub fn new(mut run: impl FnMut(&mut Turn<'_>) + 'static) -> Self {
        Self::with_input(move |turn, _| {
            run(turn);
            Ok(())
        })
    }

    /// A task that may throw.
    pub fn fallible(mut run: impl FnMut(&mut Turn<'_>) -> Result<(), String> + 'static) -> Self {
        Self::with_input(move |turn, _| run(turn))
    }

    /// A task that looks at what it is called with: an operation's answer, or a lag.
    pub fn with_input(
        run: impl FnMut(&mut Turn<'_>, Input<i64>) -> Result<(), String> + 'static,
    ) -> Self {
        Self { body: Box::new(run), site: None }
    }

    /// Says that it is one of those that were written there.
    pub fn at(self, site: Site) -> Self {
        Self { site: Some(site), ..self }
    }
}

/// An operation of the simulated outside: how long it takes, and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// How long.
    pub delay: Delay,
    /// The answer.
    pub answer: i64,
}

impl Language for Closures {
    type Callback = Task;
    type Request = Latency;
    type Answer = i64;

    fn describe(_: &Latency) -> String {
        String::new()
    }

    fn place() -> Option<Place> {
        None
    }
}

impl Host for Closures {
    type Language = Self;

    fn run(
        &mut self,
        Task { body, .. }: &mut Task,
        input: Input<i64>,
        context: &mut Turn<'_>,
    ) -> Progress {
        Progress::Done(match body(context, input) {
            Ok(()) => Outcome::Returned,
            Err(error) => Outcome::Threw(error),
        })
    }

    fn site(&self, task: &Task) -> Option<Site> {
        task.site
    }

    fn dropped_holds(&mut self) -> Vec<DomainId> {
        Vec::new()
    }

    fn eagerness(&self, _: &Task) -> Eagerness {
        Eagerness::Free
    }

    fn begin_batch(&mut self) {}

    fn is_batch(&self, _: &Task) -> bool {
        false
    }

    fn take_in(&mut self, task: Task, answer: i64, _: &mut Turn<'_>) -> Option<(Task, i64)> {
        Some((task, answer))
    }

    fn endless(&mut self, _: &str) -> Option<<Self::Language as Language>::Callback> {
        None
    }

    fn resume(&mut self, _: &mut Turn<'_>) -> Progress {
        unreachable!("a callback of this host runs to its end")
    }

    fn signal(&mut self, _: Signal, _: &mut Turn<'_>) {
        unreachable!("no world of this host does anything by itself")
    }
}

/// The names that a JavaScript program would use.
impl Context<'_, Closures> {
    /// Runs a closure once, `delay` after the current time of the clock.
    pub fn set_timeout(
        &mut self,
        label: &str,
        delay: Delay,
        run: impl FnMut(&mut Turn<'_>) + 'static,
    ) -> Handle {
        self.release(Some(label), delay, Task::new(run))
    }

    /// Runs a closure after every `period` of the clock; a period is at least one of its units.
    pub fn set_interval(
        &mut self,
        label: &str,
        period: Delay,
        run: impl FnMut(&mut Turn<'_>) + 'static,
    ) -> Handle {
        let period = Period::at_least_one(period, self.unit(label));
        self.release_every(Some(label), period, Task::new(run))
    }

    /// Runs a closure at the end of the running action, before anything else.
    pub fn next_tick(&mut self, run: impl FnMut(&mut Turn<'_>) + 'static) {
        self.queue(Class::Tick, Group::default(), Task::new(run));
    }

    /// Runs a closure in the check phase of the loop.
    pub fn set_immediate(&mut self, run: impl FnMut(&mut Turn<'_>) + 'static) {
        self.queue(Class::Immediate, Group::default(), Task::new(run));
    }

    /// Runs a closure when an operation that takes so long has been answered.
    pub fn after_io(&mut self, delay: Delay, run: impl FnMut(&mut Turn<'_>) + 'static) {
        let request = Latency { delay, answer: 0 };
        self.request(Class::Io, Group::default(), request, Task::new(run));
    }
}

/// Runs a program of closures to its end, in virtual time and in the order of `node-phases`.
///
/// The sink gets the trace; [`hemiola_trace::Silent`] does without.
pub fn simulate(main: impl FnOnce(&mut Turn<'_>) + 'static, sink: &mut impl Sink) {
    let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
    run_with(main, &Named::NodePhases, &mut world, &mut First, sink);
}

/// Runs a program of closures to its end.
pub fn run_with(
    main: impl FnOnce(&mut Turn<'_>) + 'static,
    strategy: &impl Strategy,
    world: &mut impl World<Closures>,
    chooser: &mut impl Chooser,
    sink: &mut impl Sink,
) {
    let mut main = Some(main);
    let main = move |turn: &mut Turn<'_>| {
        if let Some(main) = main.take() {
            main(turn);
        }
    };
    let mut machine = Machine::new(Task::new(main));
    while machine.step(&mut Closures, strategy, world, chooser, sink) == Step::Moved {}
}
