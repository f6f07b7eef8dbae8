//! What the page shows of a fleet besides the actions of its programs: processes, messages and faults.

use hemiola_trace::{FleetFact, Operation};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a trace knows of a fleet; nothing if it is of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fleet {
    /// Its processes, in the order in which they were first heard of.
    pub processes: Vec<Process>,
    /// What went from one to another.
    pub messages: Vec<Message>,
    /// What went wrong.
    pub faults: Vec<Fault>,
}

/// A process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// What it is called: its host, and which of the host's programs it is if there are several.
    pub name: String,
    /// Its program, if that is known.
    pub file: String,
    /// When it began, in microseconds.
    pub started: Option<u64>,
    /// When it ended and with what exit code; without one it was killed.
    pub stopped: Option<(u64, Option<i32>)>,
}

/// Something that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The action that sent it, if that is known.
    pub from: Option<usize>,
    /// The action that got it first, if one did.
    pub to: Option<usize>,
    /// What it is, in words.
    pub what: String,
    /// The host that it went to.
    pub host: String,
    /// When it was sent, in microseconds.
    pub sent: u64,
    /// When it arrived, if it did.
    pub arrives: Option<u64>,
    /// The process that sent it.
    by: usize,
}

/// Something that went wrong for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What, as people write it.
    pub what: String,
    /// Which hosts it is about.
    pub hosts: Vec<String>,
    /// When it began, in microseconds.
    pub at: u64,
    /// How long it lasted.
    pub lasts: u64,
}

/// What is known while a trace is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    fleet: Fleet,
    /// The processes by their numbers.
    numbers: BTreeMap<u32, usize>,
    /// The process whose events come.
    current: Option<usize>,
    /// The messages by their numbers.
    messages: BTreeMap<u64, usize>,
    /// What operations are answered with.
    received: BTreeMap<u64, Vec<usize>>,
}

impl Seen {
    /// The process whose events come.
    pub(super) fn process(&self) -> usize {
        self.current.unwrap_or_default()
    }

    /// Takes a fact; `action` finds an action by the number of its invocation.
    pub(super) fn take(&mut self, fact: &FleetFact, action: impl Fn(u64) -> Option<usize>) {
        match fact {
            FleetFact::Turned { process, name } => {
                let next = self.fleet.processes.len();
                let index = *self.numbers.entry(*process).or_insert(next);
                if index == next {
                    let name = name.to_string();
                    self.fleet.processes.push(Process { name, ..Process::default() });
                }
                self.current = Some(index);
            }
            FleetFact::Started { file, at, .. } => {
                if let Some(process) = self.running() {
                    (process.file, process.started) = (file.clone(), Some(at.as_micros()));
                }
            }
            FleetFact::Stopped { code, at } => {
                if let Some(process) = self.running() {
                    process.stopped = Some((at.as_micros(), *code));
                }
            }
            FleetFact::Sent { message, by, to, cargo, at, arrives, .. } => {
                self.messages.insert(*message, self.fleet.messages.len());
                self.fleet.messages.push(Message {
                    from: by.and_then(|by| action(by.0)),
                    to: None,
                    what: cargo.describe(),
                    host: to.clone(),
                    sent: at.as_micros(),
                    arrives: arrives.map(|at| at.as_micros()),
                    by: self.process(),
                });
            }
            FleetFact::Received { messages, operation, .. } => {
                let known = messages.iter().filter_map(|message| self.messages.get(message));
                let known = known.copied().collect();
                self.received.insert(operation.0, known);
            }
            FleetFact::Fault { what, hosts, at, lasts } => self.fleet.faults.push(Fault {
                what: what.clone(),
                hosts: hosts.clone(),
                at: at.as_micros(),
                lasts: lasts.as_micros(),
            }),
        }
    }

    fn running(&mut self) -> Option<&mut Process> {
        self.current.and_then(|current| self.fleet.processes.get_mut(current))
    }

    /// An action began with the answer to an operation.
    pub(super) fn began(&mut self, operation: Operation, action: usize) {
        for message in self.received.remove(&operation.0).unwrap_or_default() {
            if let Some(message) = self.fleet.messages.get_mut(message) {
                message.to.get_or_insert(action);
            }
        }
    }

    /// What there is to show; `process` says whose an action is.
    pub(super) fn finish(mut self, process: impl Fn(usize) -> usize) -> Fleet {
        // What stays within a process is not between two.
        self.fleet
            .messages
            .retain(|message| message.to.is_none_or(|action| process(action) != message.by));
        self.fleet
    }
}

impl Fleet {
    /// As the page is given it.
    pub(super) fn json(&self) -> Value {
        if self.processes.is_empty() {
            return Value::Null;
        }
        let place = |index: Option<usize>| index.map_or(-1, |index| index as i64);
        let time = |micros: Option<u64>| micros.map_or(-1, |micros| micros.min(1 << 53) as i64);
        let processes = self.processes.iter().map(|one| {
            let stopped = one.stopped.map(|(at, code)| json!([time(Some(at)), code]));
            json!([one.name, one.file, time(one.started), stopped])
        });
        let messages = self.messages.iter().map(|one| {
            let (from, to) = (place(one.from), place(one.to));
            json!([from, to, one.what, one.host, time(Some(one.sent)), time(one.arrives)])
        });
        let faults = self.faults.iter().map(|one| {
            let [at, lasts] = [one.at, one.lasts].map(|micros| time(Some(micros)));
            json!([one.what, one.hosts, at, lasts])
        });
        json!({
            "processes": processes.collect::<Vec<_>>(),
            "messages": messages.collect::<Vec<_>>(),
            "faults": faults.collect::<Vec<_>>(),
        })
    }
}
