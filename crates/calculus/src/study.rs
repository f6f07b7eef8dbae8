//! What can be asked of a program in either language.

use crate::observed::Observed;
use hemiola_explore::{End, Graph, Limits, Next, Progress, Script, System, explore, find};
use hemiola_machine::{Chooser, Event, Observation, Schedule, Sink};
use std::collections::BTreeSet;

/// A program, how it is read, and how far it is followed.
pub trait Study {
    /// An execution of it.
    type Execution: Execution;

    /// An execution at its start; when `hunting`, one of its callbacks is watched for starving.
    fn start(&self, hunting: bool) -> Self::Execution;

    /// Explores every execution up to the bounds.
    fn executions(&self, limits: Limits, report: &mut dyn FnMut(Progress)) -> Graph {
        explore(Explored(self.start(false)), limits, report)
    }

    /// The names of the callbacks that starve: that sit in a queue for the whole window before a cut.
    ///
    /// Every execution is followed once more for each queued callback, with that one watched.
    fn starving(&self, limits: Limits, report: &mut dyn FnMut(Progress)) -> BTreeSet<String> {
        explore(Explored(self.start(true)), limits, report).starved()
    }

    /// A schedule with which the program shows this trace and ends in this way; without an end, after
    /// which it has shown the trace.
    fn schedule_of(&self, trace: &[Observation], end: Option<&End>) -> Option<Schedule> {
        find(Explored(self.start(false)), trace, end)
    }

    /// Runs the program once and gives its whole trace and its end.
    fn run(&self, chooser: &mut impl Chooser) -> (Vec<Event>, End) {
        let mut execution = self.start(false);
        let mut events = Vec::new();
        loop {
            if let Next::End(end) = execution.take_step(chooser, &mut events) {
                return (events, end);
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
