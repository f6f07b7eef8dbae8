//! The joined trace of a fleet, version 2 of the format: lines of several processes in the order in which things
//! happened, each with its host and the number of its process, which counts by itself.
//!
//! Whoever reads one gets the events of one run, woven together: numbers are those of the whole, times are the
//! fleet's, an event of another process is announced, callbacks do not overlap, and what a message made able to run is
//! caused by who sent it.

use crate::event::{Event, Location, Origin};
use crate::fields::Fields;
use crate::fleet::FleetFact;
use crate::line::{self, FORMAT, WireError};
use crate::numbers::{Invocation, Operation};
use hemiola_time::{Delay, Instant, Ordinal, Tag};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The version of joined traces.
pub const VERSION: u64 = line::JOINED;

/// What a joined trace is of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The file of the fleet, as it was named.
    pub fleet: String,
    /// The seed.
    pub seed: u64,
    /// When the world ends.
    pub until: Delay,
    /// What goes wrong, as people write it.
    pub faults: Vec<String>,
    /// The hosts that were there.
    pub hosts: Vec<Host>,
    /// In which order messages arrived, if not the seed decided that.
    pub schedule: Option<String>,
}

/// A host of a fleet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// How many microseconds too many its clocks count in a second.
    pub drift: i64,
    /// By how many microseconds its clock on the wall is ahead at first.
    pub offset: i64,
    /// Its programs, as the fleet names them.
    pub programs: Vec<String>,
}

impl Header {
    /// Its line.
    pub fn line(&self) -> String {
        let host = |host: &Host| {
            let mut object = json!({ "name": host.name, "programs": host.programs });
            if host.drift != 0 {
                object["drift"] = host.drift.into();
            }
            if host.offset != 0 {
                object["offset"] = host.offset.into();
            }
            object
        };
        let mut object = json!({
            "format": FORMAT,
            "version": VERSION,
            "fleet": self.fleet,
            "seed": self.seed,
            "until": self.until.as_micros(),
            "faults": self.faults,
            "hosts": self.hosts.iter().map(host).collect::<Vec<_>>(),
        });
        if let Some(schedule) = &self.schedule {
            object["schedule"] = schedule.as_str().into();
        }
        format!("{object}\n")
    }

    /// What the first line of a joined trace says; nothing if it is another one.
    pub fn read(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let is_one = value["format"] == FORMAT && value["version"].as_u64() == Some(VERSION);
        is_one.then(|| Self::of(&value))
    }

    /// What a program of a host is called: as its host, with its number if there are several.
    pub fn name(&self, host: &str, program: u32) -> String {
        match self.hosts.iter().find(|one| one.name == host) {
            Some(one) if one.programs.len() > 1 => format!("{host}/{program}"),
            _ => host.to_owned(),
        }
    }

    /// The same of a line that was read. What is missing is not needed to read the rest.
    pub(crate) fn of(value: &Value) -> Self {
        let texts = |value: &Value| -> Vec<String> {
            let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let host = |value: &Value| Host {
            name: text(&value["name"]),
            drift: value["drift"].as_i64().unwrap_or_default(),
            offset: value["offset"].as_i64().unwrap_or_default(),
            programs: texts(&value["programs"]),
        };
        Self {
            fleet: text(&value["fleet"]),
            seed: value["seed"].as_u64().unwrap_or_default(),
            until: Delay::from_micros(value["until"].as_u64().unwrap_or_default()),
            faults: texts(&value["faults"]),
            hosts: value["hosts"].as_array().into_iter().flatten().map(host).collect(),
            schedule: value["schedule"].as_str().map(str::to_owned),
        }
    }
}

/// Appends an event of a process as a line of a joined trace; without one, of the fleet.
pub fn push(line: &mut Vec<u8>, of: Option<(&str, u32)>, event: &Event) {
    let from = line.len();
    if let Some((host, process)) = of {
        line.extend_from_slice(
            format!("{{\"host\":{},\"process\":{process},", json!(host)).as_bytes(),
        );
    }
    let begins = line.len();
    line::push(line, event);
    if begins > from {
        line.remove(begins);
    }
}

/// Whether a program, by its name, is meant by the name of a host or by its own: `b/2` is of `b`.
pub fn is_of(program: &str, name: &str) -> bool {
    let number = program.strip_prefix(name).and_then(|rest| rest.strip_prefix('/'));
    program == name || number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A line of a joined trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The process that it is of and its host; nothing if it is of the fleet.
    pub of: Option<(String, u32)>,
    /// What happened, in the numbers of the process and by the clock of its host.
    pub event: Event,
}

/// Reads the object of a line.
pub fn line(value: &Value) -> Result<Line, String> {
    let fields = Fields(value.as_object().ok_or("not an object")?);
    let of = match fields.0.contains_key("process") {
        false => None,
        true => Some((fields.text("host")?.to_owned(), fields.small("process")?)),
    };
    Ok(Line { of, event: line::from_json(value)? })
}

/// The lines of a joined trace as objects, with what they are of.
pub(crate) fn woven(
    header: Header,
    lines: impl Iterator<Item = Result<Line, WireError>>,
) -> impl Iterator<Item = Result<Event, WireError>> {
    let mut weaver = Weaver::new(header);
    let mut lines = lines.fuse();
    std::iter::from_fn(move || {
        loop {
            if let Some(event) = weaver.out.pop_front() {
                return Some(Ok(event));
            }
            match lines.next() {
                Some(Ok(line)) => weaver.take(line),
                Some(Err(error)) => return Some(Err(error)),
                None if weaver.held.is_empty() => return None,
                None => weaver.finish(),
            }
        }
    })
}

/// What has a number of its own in every process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Numbered {
    Invocation,
    Operation,
    Domain,
    Release,
    Queued,
    Location,
    Site,
    Promise,
    Reaction,
}

/// Makes one run of the lines of several processes.
#[derive(Debug, Default)]
struct Weaver {
    header: Header,
    processes: BTreeMap<u32, Process>,
    numbers: BTreeMap<(Numbered, u32, u64), u64>,
    next: BTreeMap<Numbered, u64>,
    /// Who sent a message.
    senders: BTreeMap<u64, (u32, Invocation)>,
    /// What the answer to an operation is caused by, in the numbers of the whole.
    causes: BTreeMap<u64, Invocation>,
    /// Lines that wait until the callback of another process is over, in their order, and where those of each process
    /// are among them.
    held: BTreeMap<u64, Line>,
    queues: BTreeMap<Option<u32>, VecDeque<u64>>,
    taken: u64,
    /// The process whose callback runs.
    open: Option<u32>,
    /// The process that was announced last.
    announced: Option<u32>,
    out: VecDeque<Event>,
}

/// What is known of a process.
#[derive(Debug)]
struct Process {
    host: String,
    name: Arc<str>,
    drift: i64,
    /// The invocations that run, the innermost last, in the numbers of the whole.
    running: Vec<Invocation>,
    /// Who asked for an operation, by its own number.
    asked: BTreeMap<u64, Invocation>,
    /// Messages that came by operations that nobody asked for: those of TLS are the runtime's own.
    loose: Option<(Instant, Vec<u64>)>,
}

impl Weaver {
    fn new(header: Header) -> Self {
        Self { header, ..Self::default() }
    }

    fn take(&mut self, line: Line) {
        let process = line.of.as_ref().map(|(_, process)| *process);
        self.taken += 1;
        self.held.insert(self.taken, line);
        self.queues.entry(process).or_default().push_back(self.taken);
        self.drain();
    }

    /// No more lines come: whatever still runs does not end.
    fn finish(&mut self) {
        self.open = None;
        self.drain();
    }

    fn drain(&mut self) {
        loop {
            let next = match self.open {
                Some(process) => {
                    self.queues.get(&Some(process)).and_then(|queue| queue.front().copied())
                }
                None => self.held.keys().next().copied(),
            };
            let Some(line) = next.and_then(|next| self.held.remove(&next)) else { return };
            let process = line.of.as_ref().map(|(_, process)| *process);
            if let Some(queue) = self.queues.get_mut(&process) {
                queue.pop_front();
            }
            match (process, &line.event) {
                (Some(process), Event::Began { .. }) => self.open = Some(process),
                (Some(process), Event::Ended { .. } | Event::Fleet(FleetFact::Stopped { .. }))
                    if self.open == Some(process) =>
                {
                    self.open = None
                }
                _ => {}
            }
            self.weave(line);
        }
    }

    fn weave(&mut self, Line { of, event }: Line) {
        let Some((host, process)) = of else { return self.out.push_back(event) };
        if !self.processes.contains_key(&process) {
            self.meet(process, host, 1);
        }
        if let Event::Fleet(FleetFact::Started { program, .. }) = &event
            && let Some(known) = self.processes.remove(&process)
        {
            self.meet(process, known.host, *program);
        }
        if self.announced != Some(process) {
            self.announced = Some(process);
            let name = self.processes.get(&process).map(|one| Arc::clone(&one.name));
            let name = name.unwrap_or_default();
            self.out.push_back(Event::Fleet(FleetFact::Turned { process, name }));
        }
        let event = self.translated(process, event);
        self.out.push_back(event);
    }

    fn meet(&mut self, process: u32, host: String, program: u32) {
        let name = self.header.name(&host, program);
        let known = self.header.hosts.iter().find(|one| one.name == host);
        let drift = known.map_or(0, |one| one.drift);
        let (running, asked, loose) = (Vec::new(), BTreeMap::new(), None);
        let one = Process { host, name: name.into(), drift, running, asked, loose };
        self.processes.insert(process, one);
    }

    fn number(&mut self, what: Numbered, process: u32, number: u64) -> u64 {
        let next = self.next.entry(what).or_default();
        *self.numbers.entry((what, process, number)).or_insert_with(|| {
            *next += 1;
            *next
        })
    }
}

/// The instant of the fleet at which a clock shows that which counts so many microseconds too many in a second.
fn outside(drift: i64, shown: Instant) -> Instant {
    const SECOND: i128 = 1_000_000;
    if drift == 0 || shown == Instant::MAX {
        return shown;
    }
    let rate = (SECOND + i128::from(drift)).max(1);
    let micros = (i128::from(shown.as_micros()) * SECOND + rate - 1).div_euclid(rate);
    Instant::from_micros(micros.clamp(0, u64::MAX.into()) as u64)
}

/// Two clocks show the same instant if they differ by no more than what rounding does.
fn is_about(one: Instant, other: Instant) -> bool {
    one.as_micros().abs_diff(other.as_micros()) <= 2
}

impl Weaver {
    fn invocation(&mut self, process: u32, Invocation(number): Invocation) -> Invocation {
        Invocation(self.number(Numbered::Invocation, process, number))
    }

    fn operation(&mut self, process: u32, Operation(number): Operation) -> Operation {
        Operation(self.number(Numbered::Operation, process, number))
    }

    fn domain(&mut self, process: u32, Ordinal(number): Ordinal) -> Ordinal {
        Ordinal(self.number(Numbered::Domain, process, number))
    }

    fn release(&mut self, process: u32, Ordinal(number): Ordinal) -> Ordinal {
        Ordinal(self.number(Numbered::Release, process, number))
    }

    fn queued(&mut self, process: u32, Ordinal(number): Ordinal) -> Ordinal {
        Ordinal(self.number(Numbered::Queued, process, number))
    }

    fn site(&mut self, process: u32, site: u32) -> u32 {
        // The largest stands for the runtime itself, whoever runs.
        match site {
            u32::MAX => site,
            _ => self.number(Numbered::Site, process, site.into()) as u32,
        }
    }

    fn origin(&mut self, process: u32, origin: Origin) -> Origin {
        match origin {
            Origin::Release(release) => Origin::Release(self.release(process, release)),
            Origin::Queued(number) => Origin::Queued(self.queued(process, number)),
            Origin::Operation(operation) => Origin::Operation(self.operation(process, operation)),
        }
    }

    fn at(&self, process: u32, shown: Instant) -> Instant {
        outside(self.processes.get(&process).map_or(0, |one| one.drift), shown)
    }

    fn tag(&self, process: u32, tag: Tag) -> Tag {
        Tag { time: self.at(process, tag.time), ..tag }
    }

    fn change(&mut self, process: u32, change: impl FnOnce(&mut Process)) {
        if let Some(one) = self.processes.get_mut(&process) {
            change(one);
        }
    }

    /// Who sent the first of some messages that came from another process.
    fn sender(&self, process: u32, messages: &[u64]) -> Option<Invocation> {
        let mut known = messages.iter().filter_map(|message| self.senders.get(message));
        known.find(|(by, _)| *by != process).map(|&(_, invocation)| invocation)
    }

    /// An event of a process as one of the whole.
    fn translated(&mut self, process: u32, event: Event) -> Event {
        match event {
            Event::Opened { domain, label, origin } => Event::Opened {
                domain: self.domain(process, domain),
                label,
                origin: self.at(process, origin),
            },
            Event::Collected { domain } => {
                Event::Collected { domain: self.domain(process, domain) }
            }
            Event::Released { release, domain, tag, delay, period, by } => Event::Released {
                release: self.release(process, release),
                domain: domain.map(|domain| self.domain(process, domain)),
                tag: self.tag(process, tag),
                delay,
                period,
                by: self.invocation(process, by),
            },
            Event::Cleared { release } => {
                Event::Cleared { release: self.release(process, release) }
            }
            Event::Skipped { domain, count, until } => Event::Skipped {
                domain: self.domain(process, domain),
                count,
                until: self.at(process, until),
            },
            Event::Queued { number, class, link } => Event::Queued {
                number: self.queued(process, number),
                class,
                link: self.invocation(process, link),
            },
            Event::Requested { operation, by, what } => {
                let by = self.invocation(process, by);
                self.change(process, |one| {
                    one.asked.insert(operation.0, by);
                });
                Event::Requested { operation: self.operation(process, operation), by, what }
            }
            Event::Completed { operation, at } => self.completed(process, operation, at),
            Event::Dropped { what } => Event::Dropped { what: self.origin(process, what) },
            Event::Began { invocation, class, domain, tag, origin, link, cause, at } => {
                let invocation = self.invocation(process, invocation);
                self.change(process, |one| one.running = vec![invocation]);
                let origin = origin.map(|origin| self.origin(process, origin));
                let sender = match origin {
                    Some(Origin::Operation(operation)) => self.causes.remove(&operation.0),
                    _ => None,
                };
                let cause = self.invocation(process, cause);
                Event::Began {
                    invocation,
                    class,
                    domain: domain.map(|domain| self.domain(process, domain)),
                    tag: tag.map(|tag| self.tag(process, tag)),
                    origin,
                    link: self.invocation(process, link),
                    cause: sender.unwrap_or(cause),
                    at: self.at(process, at),
                }
            }
            Event::Ended { invocation, outcome } => {
                self.change(process, |one| one.running.clear());
                Event::Ended { invocation: self.invocation(process, invocation), outcome }
            }
            Event::Attached { reaction, promise } => Event::Attached {
                reaction: self.number(Numbered::Reaction, process, reaction),
                promise: promise.map(|promise| self.number(Numbered::Promise, process, promise)),
            },
            Event::Settled { promise } => {
                Event::Settled { promise: self.number(Numbered::Promise, process, promise) }
            }
            Event::Reacted { reaction } => {
                Event::Reacted { reaction: self.number(Numbered::Reaction, process, reaction) }
            }
            Event::Entered { invocation, link, cause } => {
                let invocation = self.invocation(process, invocation);
                self.change(process, |one| one.running.push(invocation));
                Event::Entered {
                    invocation,
                    link: self.invocation(process, link),
                    cause: self.invocation(process, cause),
                }
            }
            Event::Left { invocation } => {
                self.change(process, |one| {
                    one.running.pop();
                });
                Event::Left { invocation: self.invocation(process, invocation) }
            }
            Event::Lagged { domain, lag } => {
                Event::Lagged { domain: self.domain(process, domain), lag }
            }
            Event::Accessed { location, access, site } => Event::Accessed {
                location: Location(self.number(Numbered::Location, process, location.0)),
                access,
                site: self.site(process, site),
            },
            Event::Located { location, what } => Event::Located {
                location: Location(self.number(Numbered::Location, process, location.0)),
                what,
            },
            Event::Placed { site, place } => {
                Event::Placed { site: self.site(process, site), place }
            }
            Event::Fleet(fact) => Event::Fleet(self.fact(process, fact)),
            Event::Spent { .. }
            | Event::Transferred { .. }
            | Event::Labelled { .. }
            | Event::Observed(_)
            | Event::Wrote { .. }
            | Event::WroteBytes { .. }
            | Event::Site(_)
            | Event::Task { .. }
            | Event::Chose { .. } => event,
        }
    }

    fn completed(&mut self, process: u32, operation: Operation, at: Instant) -> Event {
        let at = self.at(process, at);
        let operation = self.operation(process, operation);
        let loose = self.processes.get_mut(&process).and_then(|one| one.loose.take());
        if let Some((_, messages)) = loose.filter(|(then, _)| is_about(*then, at))
            && let Some(sender) = self.sender(process, &messages)
        {
            self.causes.entry(operation.0).or_insert(sender);
        }
        Event::Completed { operation, at }
    }

    fn fact(&mut self, process: u32, fact: FleetFact) -> FleetFact {
        match fact {
            FleetFact::Sent { message, operation, by_worker, to, cargo, at, arrives, by: _ } => {
                let one = self.processes.get(&process);
                let asked = one
                    .zip(operation)
                    .and_then(|(one, operation)| one.asked.get(&operation.0).copied());
                let running = || one.and_then(|one| one.running.last().copied());
                let by = if by_worker { None } else { asked.or_else(running) };
                if let Some(by) = by {
                    self.senders.insert(message, (process, by));
                }
                let operation = operation.map(|operation| self.operation(process, operation));
                FleetFact::Sent { message, by, operation, by_worker, to, cargo, at, arrives }
            }
            FleetFact::Received { messages, operation, at } => {
                let is_known = self
                    .processes
                    .get(&process)
                    .is_some_and(|one| one.asked.contains_key(&operation.0));
                let number = self.operation(process, operation);
                if !is_known {
                    let messages = messages.clone();
                    self.change(process, |one| one.loose = Some((at, messages)));
                } else if let Some(sender) = self.sender(process, &messages) {
                    self.causes.insert(number.0, sender);
                }
                FleetFact::Received { messages, operation: number, at }
            }
            FleetFact::Started { .. }
            | FleetFact::Stopped { .. }
            | FleetFact::Turned { .. }
            | FleetFact::Fault { .. } => fact,
        }
    }
}
