//! What a scheduler did, as numbers over time: starts, how late they were, failures, and how much is owed.
//!
//! A [`Meter`] is told the facts of one process and counts. What a process of its own owes it derives, as
//! [`crate::Contract`] does; of several nodes the database says how much they owe, whenever a lease is renewed.

use crate::roster::{Declaration, Declared, Ended, List, Millis, Roster, State};
use hemiola_trace::cluster::{ClusterFact, Told};
use hemiola_trace::{TaskEntry, TaskFact};
use std::collections::BTreeMap;

/// The limits of the classes of lateness, in milliseconds: whoever is later than the last is in a class beyond.
pub const LATENESS_BOUNDS: [u64; 14] =
    [0, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 30_000, 60_000, 600_000, 3_600_000];

/// So often the numbers are noted.
const PERIOD: Millis = 60_000;

/// Who did it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The file of the store of a process of its own, if it has one.
    pub store: Option<String>,
    /// Which scheduler of several nodes.
    pub cluster: Option<String>,
    /// Which node, if there are several.
    pub node: Option<String>,
    /// Which task; nothing for what is of all.
    pub task: Option<String>,
}

/// How late the first attempts for dues started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// How many there were.
    pub count: u64,
    /// All of it together, in milliseconds.
    pub sum: u64,
    /// By class: those up to each of the bounds, and those beyond.
    pub classes: [u64; LATENESS_BOUNDS.len() + 1],
}

impl Lateness {
    fn add(&mut self, late: u64) {
        let class = LATENESS_BOUNDS.iter().take_while(|bound| **bound < late).count();
        (self.count, self.sum) = (self.count + 1, self.sum.saturating_add(late));
        self.classes[class] += 1;
    }
}

/// All that was counted of a task up to an instant.
#[allow(missing_docs, reason = "fields are what their names and types say")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub starts: u64,
    pub failures: u64,
    pub lateness: Lateness,
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// When counting began.
    pub since: Millis,
    /// Of each task the counts, with when they were noted: at the end of each minute in which they changed.
    pub counts: BTreeMap<Origin, Vec<(Millis, Counts)>>,
    /// Of each scheduler how many tasks were owed a start, where that changed.
    pub owed: BTreeMap<Origin, Vec<(Millis, u64)>>,
}

/// Counts what a scheduler does.
#[derive(Debug, Default)]
pub struct Meter {
    measured: Measured,
    /// What was counted, and whether that is noted.
    counts: BTreeMap<Origin, (Counts, bool)>,
    owed: BTreeMap<Origin, u64>,
    /// The latest fact.
    latest: Option<Millis>,
    /// Lists that are being registered, by call, and what the store knows.
    calls: BTreeMap<u32, Vec<TaskEntry>>,
    store: Option<String>,
    stored: BTreeMap<String, State>,
    /// The tasks of a process of its own.
    known: BTreeMap<String, Known>,
    /// The names of nodes.
    nodes: BTreeMap<(String, i64), String>,
}

#[derive(Debug)]
struct Known {
    declared: Declared,
    state: State,
    put_off: Option<Millis>,
}

impl Known {
    fn is_owed(&self, at: Millis) -> bool {
        self.put_off.is_none_or(|until| until <= at)
            && self.declared.pending(&self.state, at).is_some()
    }
}

impl Meter {
    /// A fact, at an instant by the clock on the wall.
    pub fn tell(&mut self, at: Millis, what: &TaskFact) {
        self.pass(at);
        match what {
            TaskFact::InitStart { call, list, valid, .. } => {
                if *valid {
                    self.calls.insert(*call, list.clone());
                }
            }
            TaskFact::Stored { store, tasks } => {
                let states = tasks.iter().filter_map(|(id, state)| {
                    Some((id.clone(), serde_json::from_str(state).ok()?))
                });
                (self.store, self.stored) = (store.clone(), states.collect());
            }
            TaskFact::InitSuccess { call } => self.register(*call, at),
            TaskFact::InitFailure { call, .. } => drop(self.calls.remove(call)),
            TaskFact::StopEnd | TaskFact::StopFailure => self.known.clear(),
            TaskFact::RunStart(id) => self.start(id, at),
            TaskFact::RunSuccess(id) => self.end(id, at, Ended::Success),
            TaskFact::RunFailure(id) => {
                self.count(self.of_task(id), |counts| counts.failures += 1);
                self.end(id, at, Ended::Failure(String::new()));
            }
            TaskFact::Triggered(id) => self.change(id, |known| {
                (known.state.triggered, known.put_off) = (true, None);
            }),
            TaskFact::Paused(id) => self.change(id, |known| known.state.paused = true),
            TaskFact::Resumed(id) => self.change(id, |known| known.state.paused = false),
            TaskFact::PutOff { id, until } => {
                self.change(id, |known| known.put_off = Some(*until));
            }
            TaskFact::ClockSet { from } => {
                for Known { declared, state, .. } in self.known.values_mut() {
                    state.clock_set(&declared.dues, *from, at);
                }
            }
            TaskFact::Cluster { name, told } => self.told(name, told),
            TaskFact::StopStart | TaskFact::Compute { .. } | TaskFact::Supernatural(_) => {}
        }
    }

    /// What was measured, when nothing more comes.
    pub fn finish(mut self) -> Measured {
        if let Some(latest) = self.latest {
            self.note(latest);
        }
        self.measured
    }

    /// Notes what was counted, if a minute is over.
    fn pass(&mut self, at: Millis) {
        let Some(latest) = self.latest else {
            (self.latest, self.measured.since) = (Some(at), at);
            return;
        };
        // A clock that was set back goes on where it is.
        let end = latest.div_euclid(PERIOD).saturating_add(1).saturating_mul(PERIOD);
        if at >= end {
            self.note(end);
            let last = at.div_euclid(PERIOD).saturating_mul(PERIOD);
            if last > end {
                self.note(last);
            }
        }
        self.latest = Some(at.max(latest));
    }

    /// Notes what was counted, and what is owed: not yet what is due at this very instant.
    fn note(&mut self, at: Millis) {
        for (origin, (counts, is_noted)) in &mut self.counts {
            if !std::mem::replace(is_noted, true) {
                let points = self.measured.counts.entry(origin.clone()).or_default();
                points.push((at, *counts));
            }
        }
        if !self.known.is_empty() {
            let owed = self.known.values().filter(|known| known.is_owed(at - 1)).count() as u64;
            self.owe(Origin { store: self.store.clone(), ..Origin::default() }, at, owed);
        }
    }

    fn owe(&mut self, origin: Origin, at: Millis, owed: u64) {
        if self.owed.insert(origin.clone(), owed) != Some(owed) {
            self.measured.owed.entry(origin).or_default().push((at, owed));
        }
    }

    fn of_task(&self, id: &str) -> Origin {
        Origin { store: self.store.clone(), task: Some(id.to_owned()), ..Origin::default() }
    }

    fn count(&mut self, origin: Origin, add: impl FnOnce(&mut Counts)) {
        let (counts, is_noted) = self.counts.entry(origin).or_default();
        add(counts);
        *is_noted = false;
    }

    fn change(&mut self, id: &str, change: impl FnOnce(&mut Known)) {
        self.known.get_mut(id).map(change);
    }

    /// A list comes into force, over what its store knows.
    fn register(&mut self, call: u32, at: Millis) {
        let entries = self.calls.remove(&call).unwrap_or_default();
        let declared: Vec<Declaration> = entries.iter().map(Declaration::of_entry).collect();
        let (Ok(list), Ok(again)) = (List::new(&declared), List::new(&declared)) else { return };
        let stored = std::mem::take(&mut self.stored);
        let (roster, _) = Roster::new(list, stored, usize::MAX, at, 0);
        let known = again.0.into_iter().filter_map(|declared| {
            let state = roster.state(roster.find(&declared.id)?).clone();
            Some((declared.id.clone(), Known { declared, state, put_off: None }))
        });
        self.known = known.collect();
    }

    fn start(&mut self, id: &str, at: Millis) {
        let late = self.known.get_mut(id).and_then(|Known { declared, state, put_off }| {
            let due = declared.pending(state, at).and_then(|(_, due)| due);
            *put_off = None;
            let attempt = state.claim(due, at);
            state.started(&declared.dues, at);
            due.filter(|_| attempt == 1)
        });
        self.count(self.of_task(id), |counts| started(counts, late, at));
    }

    fn end(&mut self, id: &str, at: Millis, ended: Ended) {
        self.change(id, |Known { declared, state, .. }| state.end(at, ended, &declared.retries));
    }

    /// A fact of the database of several nodes. What others did they tell themselves.
    fn told(&mut self, cluster: &str, Told { at, what, .. }: &Told) {
        match what {
            ClusterFact::Joined { me, node, .. } => {
                self.nodes.insert((cluster.to_owned(), *me), node.clone());
            }
            ClusterFact::Renewed { me, owed, .. } => {
                self.owe(self.of_node(cluster, *me, None), *at, *owed);
            }
            ClusterFact::Started { id, me, due, attempt, .. } => {
                let due = due.filter(|_| *attempt == 1);
                let origin = self.of_node(cluster, *me, Some(id));
                self.count(origin, |counts| started(counts, due, *at));
            }
            ClusterFact::Ended { id, me, failed: true, .. } => {
                let origin = self.of_node(cluster, *me, Some(id));
                self.count(origin, |counts| counts.failures += 1);
            }
            ClusterFact::Ended { failed: false, .. }
            | ClusterFact::Served { .. }
            | ClusterFact::Left { .. }
            | ClusterFact::Lost { .. }
            | ClusterFact::Refused { .. }
            | ClusterFact::Interrupted { .. }
            | ClusterFact::Triggered { .. }
            | ClusterFact::Paused { .. }
            | ClusterFact::Resumed { .. }
            | ClusterFact::PutOff { .. } => {}
        }
    }

    fn of_node(&self, cluster: &str, me: i64, task: Option<&String>) -> Origin {
        let node = self.nodes.get(&(cluster.to_owned(), me)).cloned();
        Origin { store: None, cluster: Some(cluster.to_owned()), node, task: task.cloned() }
    }
}

fn started(counts: &mut Counts, due: Option<Millis>, at: Millis) {
    counts.starts += 1;
    if let Some(due) = due {
        counts.lateness.add(at.saturating_sub(due).max(0).unsigned_abs());
    }
}
