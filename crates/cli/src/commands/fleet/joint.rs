//! The joined trace of a fleet, as it is written.

use super::conditions::Conditions;
use super::file::Description;
use crate::input;
use crate::report::Failure;
use crate::shell;
use hemiola_machine::{Delay, Event, Instant};
use hemiola_trace::FleetFact;
use hemiola_trace::joined::{self, Header};
use hemiola_world::fleet::{Ended, Fault, Kind};
use hemiola_world::{News, Party};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::Path;

/// The lines of a joined trace.
pub(super) struct Joint {
    lines: Vec<u8>,
    hosts: Vec<String>,
    /// What goes wrong and has not been told yet.
    faults: VecDeque<(Instant, Event)>,
}

/// What the joined trace of a run is of.
pub(super) fn header(file: &Path, description: &Description, conditions: &Conditions) -> Header {
    let names = names(description, conditions);
    let host = |&at: &usize| {
        let plan = &description.hosts[at];
        joined::Host {
            name: plan.name.clone(),
            drift: plan.pace.drift,
            offset: plan.pace.offset,
            programs: plan.programs.iter().map(|program| program.name.clone()).collect(),
        }
    };
    Header {
        fleet: file.display().to_string(),
        seed: conditions.seed,
        until: conditions.until,
        faults: conditions.faults.iter().map(|fault| fault.written(&names)).collect(),
        hosts: conditions.hosts.iter().map(host).collect(),
        schedule: None,
    }
}

/// Writes a trace to a file.
pub(super) fn write(path: &Path, trace: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, trace).map_err(|error| {
        let reason = input::reason(&error);
        Failure::new(format!("cannot write the trace to {}: {reason}", path.display()))
            .help("choose another file: --trace FILE")
    })
}

/// The line that makes the run of a trace again.
pub(in crate::commands) fn command(header: &Header) -> String {
    let hosts = header.hosts.iter().map(|host| host.name.clone()).collect();
    Again {
        fleet: &header.fleet,
        seed: header.seed,
        faults: &header.faults,
        until: Some(header.until),
        hosts: Some(hosts),
        spec: None,
        schedule: header.schedule.clone(),
    }
    .line()
}

/// What it takes to make a run again.
pub(super) struct Again<'a> {
    pub(super) fleet: &'a str,
    pub(super) seed: u64,
    pub(super) faults: &'a [String],
    pub(super) until: Option<Delay>,
    pub(super) hosts: Option<Vec<String>>,
    pub(super) spec: Option<&'a str>,
    pub(super) schedule: Option<String>,
}

impl Again<'_> {
    /// The line that does.
    pub(super) fn line(&self) -> String {
        let mut words: Vec<String> = ["hemiola", "fleet", "simulate"].map(str::to_owned).into();
        words.push(self.fleet.to_owned());
        let mut flag = |name: &str, value: String| words.extend([name.to_owned(), value]);
        flag("--seed", self.seed.to_string());
        flag("--faults", given(self.faults));
        if let Some(until) = self.until {
            let (micros, millis) = (until.as_micros(), until.as_millis());
            let is_whole = micros == millis * 1000;
            flag("--until", if is_whole { format!("{millis}ms") } else { format!("{micros}us") });
        }
        if let Some(hosts) = &self.hosts {
            flag("--hosts", hosts.join(","));
        }
        if let Some(spec) = self.spec {
            flag("--spec", spec.to_owned());
        }
        if let Some(schedule) = &self.schedule {
            flag("--schedule", schedule.clone());
        }
        shell::line(words.into_iter().map(OsString::from))
    }
}

/// Faults as `--faults` takes them.
pub(super) fn given(faults: &[String]) -> String {
    match faults {
        [] => "none".to_owned(),
        some => some.join("; "),
    }
}

/// The names of the hosts that are there.
pub(super) fn names(description: &Description, conditions: &Conditions) -> Vec<String> {
    conditions.hosts.iter().map(|&at| description.hosts[at].name.clone()).collect()
}

impl Joint {
    pub(super) fn new(header: &Header, faults: &[Fault]) -> Self {
        let hosts: Vec<String> = header.hosts.iter().map(|host| host.name.clone()).collect();
        let mut faults: Vec<(Instant, Event)> =
            faults.iter().map(|fault| (fault.at, told(fault, &hosts))).collect();
        faults.sort_by_key(|&(at, _)| at);
        Self { lines: header.line().into_bytes(), hosts, faults: faults.into() }
    }

    /// Takes an event of a process; `at` is the fleet's time if the event says when it is.
    pub(super) fn event(&mut self, of: (&str, u32), at: Option<Instant>, event: &Event) {
        if let Some(at) = at {
            self.pass(at);
        }
        joined::push(&mut self.lines, Some(of), event);
    }

    /// Takes what happened between processes.
    pub(super) fn news(&mut self, news: News) {
        let (who, at, fact) = match news {
            News::Sent { message, from, operation, to, cargo, at, arrives } => {
                let (by, by_worker) = (None, from.is_worker);
                let to = self.host(to);
                let fact =
                    FleetFact::Sent { message, by, operation, by_worker, to, cargo, at, arrives };
                (from, at, fact)
            }
            News::Received { messages, by, operation, at } => {
                (by, at, FleetFact::Received { messages, operation, at })
            }
            News::Stopped { who, ended } => match ended {
                Ended::With(at, code) => (who, at, FleetFact::Stopped { code: Some(code), at }),
                Ended::Killed(at) => (who, at, FleetFact::Stopped { code: None, at }),
                Ended::No => return,
            },
        };
        // A worker's operations have numbers of their own, and no events.
        if who.is_worker && matches!(fact, FleetFact::Received { .. }) {
            return;
        }
        let Party { host, process, .. } = who;
        let host = self.host(host);
        self.event((&host, process), Some(at), &Event::Fleet(fact));
    }

    fn host(&self, number: usize) -> String {
        self.hosts.get(number).cloned().unwrap_or_default()
    }

    /// Tells what has gone wrong by then.
    fn pass(&mut self, now: Instant) {
        while let Some((_, fault)) = self.faults.pop_front_if(|&mut (at, _)| at <= now) {
            joined::push(&mut self.lines, None, &fault);
        }
    }

    /// All lines of a run that ended then.
    pub(super) fn finish(mut self, end: Instant) -> Vec<u8> {
        self.pass(end);
        self.lines
    }
}

/// A fault as an event.
fn told(fault: &Fault, names: &[String]) -> Event {
    let (hosts, lasts) = match &fault.kind {
        Kind::Crash { host, down, .. } | Kind::Power { host, down } => (vec![*host], *down),
        Kind::Pause { host, length, .. } | Kind::Disk { host, length } => (vec![*host], *length),
        Kind::Cut { side, length } => (side.clone(), *length),
        Kind::Clock { host, .. } => (vec![*host], Delay::ZERO),
        Kind::Database { length, .. } => (Vec::new(), *length),
        Kind::DatabaseClock { .. } => (Vec::new(), Delay::ZERO),
    };
    Event::Fleet(FleetFact::Fault {
        what: fault.written(names),
        hosts: hosts.iter().filter_map(|&host| names.get(host).cloned()).collect(),
        at: fault.at,
        lasts,
    })
}
