//! Traces as people write them: JSON, with named tasks and lists.

mod read;

use super::compile::{Params, Theory};
use super::compute::Grants;
use super::environment::Environment;
use super::events::{List, Position, Task, What};
use super::report::{Phenomenon, Report, Story};
use super::watch::Watch;
use hemiola_trace::source::SourceError;

/// A trace with what its events refer to.
#[derive(Clone, Debug)]
pub struct Trace {
    tasks: Vec<Task>,
    lists: Vec<List>,
    events: Vec<Event>,
    calls: Vec<Call>,
    params: [Option<u64>; 3],
    /// The time from which on everything repeats.
    repeats: Option<i64>,
    /// What no axiom knows of.
    supernatural: Vec<Phenomenon>,
}

/// An event as it was written.
#[derive(Clone, Debug)]
struct Event {
    time: i64,
    kind: Kind,
    /// The position that it was written for.
    position: usize,
    computes: bool,
}

/// An event, or what is written like one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Happens(What),
    /// The end of a retry's delay; it is derived, whatever is written.
    RetryDue,
    /// That many units, the last one now.
    Compute(i64),
    /// Something that no axiom knows of.
    Supernatural,
}

/// Calls with one number and different lists are different calls.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    name: String,
    list: usize,
}

impl Trace {
    /// Reads a trace.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        read::trace(text)
    }

    /// The witnesses: those that are given, else the trace's own, else the theory's.
    pub fn params(&self, theory: &Theory, given: [Option<u64>; 3]) -> Params {
        let of = |at: usize, published: u64| given[at].or(self.params[at]).unwrap_or(published);
        let Params { a, b, tlag } = theory.params();
        Params { a: of(0, a), b: of(1, b), tlag: of(2, tlag) }
    }

    /// Holds it to a theory.
    pub fn check(&self, theory: &Theory, params: Params) -> Report {
        let mut watch = Watch::new(theory, params, self.tasks.clone(), self.lists.clone());
        let grants = self.grants();
        let at = |time: i64| {
            let (granted, computes) = grants.at(time);
            let repeats = self.repeats.is_some_and(|from| time >= from);
            Position { time, computes, granted, repeats, ..Position::default() }
        };
        for Written { time, is_pulse, event, events } in self.positions() {
            while let Some(deadline) = watch.next_deadline()
                && (deadline < time || deadline == time && !is_pulse)
            {
                watch.step(&at(deadline));
            }
            watch.step(&Position { event: Some(event), events, ..at(time) });
        }
        watch.finish()
    }

    /// The environment that it was in, as far as it tells; nothing of a trace without events.
    pub fn environment(&self) -> Option<Environment> {
        let (first, last) = (self.events.first()?.time, self.events.last()?.time);
        Some(Environment::of(&self.grants(), first, last))
    }

    /// The tasks as they were registered.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// How many events are written.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether none is written.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    fn grants(&self) -> Grants {
        let intervals = self.events.iter().flat_map(|event| {
            let own = event.computes.then_some((event.time, event.time));
            let more = match event.kind {
                Kind::Compute(units @ 1..) => {
                    Some((event.time.saturating_sub(units - 1), event.time))
                }
                _ => None,
            };
            own.into_iter().chain(more)
        });
        Grants::new(intervals.collect())
    }

    /// The positions with their times. By rule SCHED-3 all pulses of an instant come first, on one
    /// position, whether or not they were written so.
    fn positions(&self) -> Vec<Written> {
        let mut positions = Vec::new();
        let known = |(_, event): &(u32, &Event)| event.kind != Kind::Supernatural;
        let numbered: Vec<(u32, &Event)> = (0..).zip(&self.events).filter(known).collect();
        let is_pulse = |event: &Event| {
            matches!(event.kind, Kind::RetryDue | Kind::Happens(What::Due(_) | What::Minute))
        };
        let mut push = |time: i64, is_pulse: bool, of: &[(u32, &Event)]| {
            let happens = |(number, event): &(u32, &Event)| match event.kind {
                Kind::Happens(what) => Some((*number, what)),
                _ => None,
            };
            if let Some(&(event, _)) = of.last() {
                let events = of.iter().filter_map(happens).collect();
                positions.push(Written { time, is_pulse, event, events });
            }
        };
        for instant in numbered.chunk_by(|(_, left), (_, right)| left.time == right.time) {
            let time = instant[0].1.time;
            let (pulses, rest): (Vec<_>, Vec<_>) =
                instant.iter().copied().partition(|(_, event)| is_pulse(event));
            push(time, true, &pulses);
            for position in rest.chunk_by(|(_, left), (_, right)| left.position == right.position) {
                push(time, false, position);
            }
        }
        positions
    }
}

impl Story for Trace {
    fn position(&self, event: u32) -> Option<(usize, i64)> {
        self.events.get(event as usize).map(|event| (event.position, event.time))
    }

    fn describe(&self, event: u32) -> String {
        let Some(event) = self.events.get(event as usize) else { return "nothing".into() };
        let init = |word: &str, call: u32, list: usize| {
            format!("{word} {} (call {})", self.lists[list].name, self.call(call))
        };
        let task = |word: &str, task: usize| format!("{word} {}", self.tasks[task].name);
        match event.kind {
            Kind::RetryDue => "RetryDue".into(),
            Kind::Compute(units) => format!("Compute {units}"),
            Kind::Supernatural => "Supernatural".into(),
            Kind::Happens(what) => match what {
                What::InitStart { call, list } => init("InitStart", call, list),
                What::InitSuccess { call, list } => init("InitSuccess", call, list),
                What::InitFailure { call, list } => init("InitFailure", call, list),
                What::StopStart => "StopStart".into(),
                What::StopEnd => "StopEnd".into(),
                What::RunStart(x) => task("RunStart", x),
                What::RunSuccess(x) => task("RunSuccess", x),
                What::RunFailure(x) => task("RunFailure", x),
                What::Due(x) => task("Due", x),
                What::Minute => "Minute".into(),
                What::Crash => "Crash".into(),
                What::Triggered(x) => task("Triggered", x),
                What::Paused(x) => task("Paused", x),
                What::Resumed(x) => task("Resumed", x),
                What::Interrupted(x) => task("Interrupted", x),
                What::Lapsed(x) => task("Lapsed", x),
                What::Refused(x) => task("Refused", x),
                What::Leased(x) => task("Leased", x),
                What::Fenced(x) => task("Fenced", x),
                What::Excused(x) => task("Excused", x),
                What::SetBack => "SetBack".into(),
            },
        }
    }

    fn call(&self, call: u32) -> String {
        self.calls.get(call as usize).map_or_else(|| "?".into(), |call| call.name.clone())
    }

    fn supernatural(&self) -> Vec<Phenomenon> {
        self.supernatural.clone()
    }
}

/// A position as the monitor is told of it.
struct Written {
    time: i64,
    is_pulse: bool,
    /// The last event that was written for it.
    event: u32,
    events: Vec<(u32, What)>,
}
