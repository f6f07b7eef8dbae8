//! What can be asked of a program in either language.

use crate::observed::Observed;
use hemiola_explore::{
    End, Endless, Graph, Limits, Next, Progress, Script, System, Waiting, explore, find,
};
use hemiola_machine::{Chooser, Event, Observation, Schedule, Sink};
use std::collections::BTreeSet;

/// How a program is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Following {
    /// Whether one of its callbacks is watched for starving.
    pub hunting: bool,
    /// Whether no bound cuts it, and nothing is counted: only where it stands matters.
    pub endless: bool,
    /// Whether every answer must be able to come, wherever the program is.
    pub fair: bool,
}

/// A program, how it is read, and how far it is followed.
pub trait Study {
    /// An execution of it.
    type Execution: Execution;

    /// An execution at its start.
    fn start(&self, following: Following) -> Self::Execution;

    /// Explores every execution up to the bounds.
    fn executions(&self, limits: Limits, report: &mut dyn FnMut(Progress)) -> Graph {
        explore(Explored(self.start(Following::default())), limits, report)
    }

    /// The names of the callbacks that starve: that sit in a queue for the whole window before a cut.
    ///
    /// Every execution is followed once more for each queued callback, with that one watched.
    fn starving(&self, limits: Limits, report: &mut dyn FnMut(Progress)) -> BTreeSet<String> {
        let hunting = Following { hunting: true, ..Following::default() };
        explore(Explored(self.start(hunting)), limits, report).starved()
    }

    /// All executions, without bounds, if the program has finitely many configurations and no more
    /// than the limits allow. With `fair`, executions in which every answer comes are among them;
    /// with `hunting`, one callback is watched, to know which can wait in a queue for ever.
    fn endless(
        &self,
        fair: bool,
        hunting: bool,
        limits: Limits,
        report: &mut dyn FnMut(Progress),
    ) -> Option<Endless> {
        let following = Following { endless: true, fair, hunting };
        Endless::of(Explored(self.start(following)), limits, report)
    }

    /// A schedule with which the program shows this trace and ends in this way; without an end, after
    /// which it has shown the trace.
    fn schedule_of(&self, trace: &[Observation], end: Option<&End>) -> Option<Schedule> {
        find(Explored(self.start(Following::default())), trace, end)
    }

    /// Runs the program once and gives its whole trace and its end.
    fn run(&self, chooser: &mut impl Chooser) -> (Vec<Event>, End) {
        let mut execution = self.start(Following::default());
        let mut events = Vec::new();
        loop {
            match execution.take_step(chooser, &mut events) {
                Next::Configuration => {}
                Next::End(end) => return (events, end),
                Next::Endless { .. } => unreachable!("bounds cut what never ends"),
            }
        }
    }
}

/// A program on the machine, with all that decides its future.
pub trait Execution: Clone {
    /// Takes one step.
    fn take_step(&mut self, chooser: &mut impl Chooser, sink: &mut impl Sink) -> Next;

    /// Appends everything on which the future depends, the same for equal futures.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Tells what it waits for from outside, each answer that is still to come once. Equal ones need
    /// not be told apart.
    fn awaited(&self, tell: &mut dyn FnMut(&[u8]));

    /// The name of the callback that is watched, if it sits in a queue.
    fn watched(&self) -> Option<&str>;
}

#[derive(Clone)]
struct Explored<E>(E);

impl<E: Execution> System for Explored<E> {
    fn step(&mut self, script: &mut Script, observed: &mut Vec<Observation>) -> Next {
        self.0.take_step(script, &mut Observed(observed))
    }

    fn configuration(&self, bytes: &mut Vec<u8>) {
        self.0.write(bytes);
    }
}

impl<E: Execution> Waiting for Explored<E> {
    fn awaited(&self, tell: &mut dyn FnMut(&[u8])) {
        self.0.awaited(tell);
    }

    fn queued(&self) -> Option<&str> {
        self.0.watched()
    }
}
