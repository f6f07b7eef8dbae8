//! A program of either language, with everything that decides its executions.

use crate::args::{LFlags, LasyncFlags, Search};
use crate::report::Failure;
use crate::source::Source;
use hemiola_calculus::Study as _;
use hemiola_calculus::{l, lasync};
use hemiola_explore::{End, Endless, Graph, Limits, Progress};
use hemiola_machine::{Chooser, Event, Named, Observation, Schedule};
use std::collections::BTreeSet;

/// A program that can be explored and run.
#[derive(Debug)]
pub(crate) enum Program {
    L { program: l::syntax::Program, mode: l::Mode, bounds: l::Bounds },
    Lasync { program: lasync::syntax::Program, strategy: Named, bounds: lasync::Bounds },
}

impl Program {
    /// Reads a program in L.
    pub(crate) fn l(source: Source, flags: &LFlags, search: &Search) -> Result<Self, Failure> {
        let bounds = flags.bounds(search)?;
        match l::parse(&source.text) {
            Ok(program) => Ok(Self::L { program, mode: flags.mode(), bounds }),
            Err(error) => Err(Failure::at(source, error)),
        }
    }

    /// Reads a program in λasync, which may use only what its strategy has.
    pub(crate) fn lasync(
        source: Source,
        flags: &LasyncFlags,
        search: &Search,
    ) -> Result<Self, Failure> {
        let strategy = flags.strategy;
        let parsed = lasync::parse(&source.text)
            .and_then(|program| lasync::unsupported(&program, strategy).map_or(Ok(program), Err));
        match parsed {
            Ok(program) => Ok(Self::Lasync { program, strategy, bounds: flags.bounds(search) }),
            Err(error) => Err(Failure::at(source, error)),
        }
    }

    /// The command that lists what the program can show.
    pub(crate) fn command(&self) -> &'static str {
        match self {
            Self::L { .. } => "machine",
            Self::Lasync { .. } => "lasync",
        }
    }

    /// Explores every execution.
    pub(crate) fn executions(&self, limits: Limits, report: &mut dyn FnMut(Progress)) -> Graph {
        match self {
            Self::L { program, mode, bounds } => {
                l::Study { program, mode: *mode, bounds }.executions(limits, report)
            }
            Self::Lasync { program, strategy, bounds } => {
                lasync::Study { program, strategy: *strategy, bounds }.executions(limits, report)
            }
        }
    }

    /// All executions, without bounds, if there are finitely many configurations and no more than the
    /// limits allow; with `hunting`, a callback of each is watched.
    pub(crate) fn endless(
        &self,
        fair: bool,
        hunting: bool,
        limits: Limits,
        report: &mut dyn FnMut(Progress),
    ) -> Option<Endless> {
        match self {
            Self::L { program, mode, bounds } => {
                let study = l::Study { program, mode: *mode, bounds };
                study.endless(fair, hunting, limits, report)
            }
            Self::Lasync { program, strategy, bounds } => {
                let study = lasync::Study { program, strategy: *strategy, bounds };
                study.endless(fair, hunting, limits, report)
            }
        }
    }

    /// The flags that bound a run.
    pub(crate) fn bounds(&self) -> &'static [&'static str] {
        match self {
            Self::L { .. } => &["max-obs", "max-calls", "max-dispatch"],
            Self::Lasync { .. } => &["max-ticks", "max-callbacks", "max-logs"],
        }
    }

    /// The callbacks that starve.
    pub(crate) fn starving(
        &self,
        limits: Limits,
        report: &mut dyn FnMut(Progress),
    ) -> BTreeSet<String> {
        match self {
            Self::L { program, mode, bounds } => {
                l::Study { program, mode: *mode, bounds }.starving(limits, report)
            }
            Self::Lasync { program, strategy, bounds } => {
                lasync::Study { program, strategy: *strategy, bounds }.starving(limits, report)
            }
        }
    }

    /// A schedule with which it shows this trace and ends in this way; without an end, after which it
    /// has shown the trace.
    pub(crate) fn schedule_of(&self, trace: &[Observation], end: Option<&End>) -> Option<Schedule> {
        match self {
            Self::L { program, mode, bounds } => {
                l::Study { program, mode: *mode, bounds }.schedule_of(trace, end)
            }
            Self::Lasync { program, strategy, bounds } => {
                lasync::Study { program, strategy: *strategy, bounds }.schedule_of(trace, end)
            }
        }
    }

    /// Runs it once.
    pub(crate) fn run(&self, chooser: &mut impl Chooser) -> (Vec<Event>, End) {
        match self {
            Self::L { program, mode, bounds } => {
                l::Study { program, mode: *mode, bounds }.run(chooser)
            }
            Self::Lasync { program, strategy, bounds } => {
                lasync::Study { program, strategy: *strategy, bounds }.run(chooser)
            }
        }
    }

    /// The flag that sets a bound of the language, and its value; none for one that is fixed.
    pub(crate) fn bound(&self, name: &str) -> Option<(&'static str, u64)> {
        match self {
            Self::L { bounds, .. } => match name {
                l::Bounds::OBSERVATIONS => Some(("max-obs", bounds.observations.into())),
                l::Bounds::CALLS => Some(("max-calls", bounds.calls.into())),
                l::Bounds::DISPATCHES => Some(("max-dispatch", bounds.dispatches.into())),
                _ => None,
            },
            Self::Lasync { bounds, .. } => match name {
                lasync::Bounds::TICKS => Some(("max-ticks", bounds.ticks)),
                lasync::Bounds::CALLBACKS => Some(("max-callbacks", bounds.callbacks.into())),
                lasync::Bounds::LOGS => Some(("max-logs", bounds.logs.into())),
                _ => None,
            },
        }
    }
}
