//! Holds what a scheduler tells of itself to its theory, while it happens.
//!
//! A [`Contract`] is told the facts of one run, or of several processes one after the other, and passes them
//! on to a monitor. What the theory takes from the environment it derives: dues from the lists, the
//! beginning of minutes, crashes from processes that end without a stop. What was before the first fact is
//! known from the store that is opened then.
//!
//! Beside what the monitor keeps, it keeps as much for every task and nothing for the length of the run.

mod cluster;
mod past;
mod pulses;

use crate::roster::count::{Count, is_due_in_minute_of};
use crate::roster::{Declaration, List, Millis};
use crate::{Cron, Dst, Dues, Zone};
use hemiola_monitor::theory::{
    AxiomInfo, Environment, Grants, List as WatchedList, Params, Phenomenon, Position, Report,
    Story, Task, Theory, Violation, Watch, What,
};
use hemiola_trace::{TaskEntry, TaskFact};
use std::collections::{BTreeMap, BTreeSet};

/// The witnesses of our scheduler's budgets. They grow with the list: where only some tasks may run at
/// once, the others wait for their turn.
pub const PARAMS: Params = Params { a: 1, b: 100, tlag: 20 };

/// So many of the latest calls of `initialize` are known by their names.
const MOST_CALLS: usize = 64;

/// How the kind of a phenomenon begins that is one of the store.
const OF_STORE: &str = "store: ";

/// How many facts wait at most to learn what the store knows.
const MOST_WAITING: usize = 64;

/// So many texts of events are kept before those that no report can name are looked for.
const FEW_TEXTS: usize = 1024;

/// A scheduler and its environment, held to a theory.
#[derive(Clone, Debug)]
pub struct Contract<'t> {
    theory: &'t Theory,
    params: Params,
    watch: Watch<'t>,
    /// The registrations by the numbers that the monitor knows them by.
    registrations: Vec<Registration>,
    numbers: BTreeMap<TaskEntry, usize>,
    /// The lists likewise.
    lists: BTreeMap<ListKey, usize>,
    /// The calls of `initialize` that are open in this process, by their numbers there.
    calls: BTreeMap<u32, Call>,
    /// The numbers in their processes of all calls, by the numbers that the monitor knows them by.
    call_names: BTreeMap<u32, u32>,
    call_count: u32,
    /// What is known of the ids in the list that is in force.
    ids: BTreeMap<String, Id>,
    is_up: bool,
    is_stopping: bool,
    /// The next due of every registration in the list in force or in one that may come into force, as the clock on
    /// the wall shows it.
    dues: BTreeSet<(Millis, usize)>,
    /// When tasks are not put off any more.
    holds: BTreeSet<(Millis, String)>,
    /// The time of the last position. It is that of the clock on the wall, until somebody sets that.
    time: Millis,
    /// By how much it is ahead of that clock.
    ahead: Millis,
    /// The latest that the clock has shown, as far as it was told, since it was set.
    latest: Millis,
    /// No action is before this instant.
    floor: Millis,
    /// The last minute of which the monitor was told, as the clock shows it.
    minute: Millis,
    /// At how many instants something was computed, and the last of them.
    units: u64,
    computed: Option<Millis>,
    /// The first and the last instant of what is being granted, of which nothing is in `units` yet.
    granting: Option<(Millis, Millis)>,
    /// What was granted, if somebody wants to know what kind of environment this is, and the time of the
    /// first position.
    granted: Option<Vec<(Millis, Millis)>>,
    first: Option<Millis>,
    /// Of several nodes: all that was granted.
    grants: Option<Grants>,
    nodes: cluster::Nodes,
    /// What no theory knows of.
    supernatural: Vec<Phenomenon>,
    /// Facts that wait until it is known what the store knows.
    waiting: Vec<(Millis, TaskFact)>,
    /// Whether the process before has ended without a stop, and the monitor does not know yet.
    has_ended: bool,
    /// Whether the store has failed since it was opened: it may not know what was told.
    store_has_failed: bool,
    /// The store of the last list, if there was a list and if it had one.
    store: Option<Option<String>>,
    /// How many events the monitor was told of, and those that a report may name.
    events: u32,
    texts: BTreeMap<u32, (Millis, String)>,
    /// At how many texts to look for those that no report can name.
    most_texts: usize,
    reported: Vec<bool>,
}

/// What tells lists apart: their registrations, whether they are valid, and how many may run at once.
type ListKey = (Vec<usize>, bool, Option<u64>);

/// A task as it was declared.
#[derive(Clone, Debug)]
struct Registration {
    id: String,
    /// How the store writes its schedule.
    text: String,
    /// Nothing for a task that cannot be due.
    dues: Option<Dues>,
}

/// A call of `initialize` that is open.
#[derive(Clone, Debug)]
struct Call {
    number: u32,
    list: usize,
    members: Vec<usize>,
}

/// What is known of an id.
#[derive(Clone, Debug)]
struct Id {
    registration: usize,
    /// Which dues are owed: those after its last start, or after its first coming.
    count: Count,
    /// Whether it came within a minute in which it was due, and has not started yet.
    boot: bool,
    /// When its run started, as it was told.
    running: Option<Millis>,
    is_triggered: bool,
    is_paused: bool,
    /// Until when a start is put off.
    put_off: Option<Millis>,
}

impl<'t> Contract<'t> {
    /// Nothing has happened yet.
    pub fn new(theory: &'t Theory, params: Params) -> Self {
        Self {
            theory,
            params,
            watch: Watch::new(theory, params, Vec::new(), Vec::new()),
            registrations: Vec::new(),
            numbers: BTreeMap::new(),
            lists: BTreeMap::new(),
            calls: BTreeMap::new(),
            call_names: BTreeMap::new(),
            call_count: 0,
            ids: BTreeMap::new(),
            is_up: false,
            is_stopping: false,
            dues: BTreeSet::new(),
            holds: BTreeSet::new(),
            time: Millis::MIN,
            ahead: 0,
            latest: Millis::MIN,
            floor: Millis::MIN,
            minute: Millis::MIN,
            units: 0,
            computed: None,
            granting: None,
            granted: None,
            first: None,
            grants: None,
            nodes: cluster::Nodes::default(),
            supernatural: Vec::new(),
            waiting: Vec::new(),
            has_ended: false,
            store_has_failed: false,
            store: None,
            events: 0,
            texts: BTreeMap::new(),
            most_texts: FEW_TEXTS,
            reported: vec![false; theory.axioms().len()],
        }
    }

    /// A fact, at an instant by the clock on the wall.
    pub fn tell(&mut self, at: Millis, what: &TaskFact) {
        match what {
            TaskFact::Stored { store, tasks } => self.stored(at, store, tasks),
            TaskFact::Supernatural(kind) => {
                self.store_has_failed |= kind.starts_with(OF_STORE);
                Phenomenon::add(&mut self.supernatural, kind, at);
            }
            // What is granted to nobody is of no use to anybody.
            TaskFact::Compute { since } if self.waiting.is_empty() && !self.has_ended => {
                self.grant(*since, at);
            }
            // Those of several nodes are judged together, when all are known.
            TaskFact::Compute { .. } | TaskFact::Cluster { .. } => {}
            // What the store knows is from before that.
            TaskFact::ClockSet { .. } if !self.waiting.is_empty() => {
                self.waiting.push((at, what.clone()));
            }
            _ if self.waiting.is_empty()
                && !self.has_ended
                && !(self.is_idle() && matches!(what, TaskFact::InitStart { .. })) =>
            {
                self.happen(at, what);
            }
            _ => {
                self.waiting.push((at, what.clone()));
                // Whoever failed needs no store; but a crash before may still be explained by one.
                let is_over = !self.has_ended && !matches!(what, TaskFact::InitStart { .. });
                if is_over || self.waiting.len() >= MOST_WAITING {
                    self.stop_waiting();
                }
            }
        }
    }

    /// The process ends here, and what is told next is of another one that takes its place.
    pub fn end_process(&mut self) {
        // Who ended before it could open its store did nothing, and what the one before left in it is still unknown.
        if self.has_ended {
            self.waiting.clear();
            return;
        }
        self.stop_waiting();
        self.has_ended = !self.is_idle();
    }

    /// Nothing is under way any more, and yet there was time to compute at that instant and before: what
    /// should happen within its budget has happened.
    pub fn rest(&mut self, at: Millis) {
        self.stop_waiting();
        let time = self.moment(self.instant(at));
        let Params { a, b, tlag } = self.params;
        let input = 64 * self.ids.len() as u64 + 65;
        let enough =
            a.saturating_mul(input).saturating_add(b).saturating_add(tlag).min(1 << 40) + 1;
        self.units += enough;
        self.computed = Some(time);
        let number = self.note(time, format!("Compute {enough}"));
        let granted = self.units - 1;
        let event = Some(number);
        self.watch.step(&Position { time, event, computes: true, granted, ..Position::default() });
    }

    /// Keeps what is granted from now on, for [`Contract::environment`].
    pub fn keep_grants(&mut self) {
        self.granted.get_or_insert_default();
    }

    /// What kind of environment this is, if grants were kept and there were any positions.
    pub fn environment(&self) -> Option<Environment> {
        let granted = self.granted.clone()?;
        Some(Environment::of_intervals(granted, self.first?, self.time))
    }

    /// The violations that nobody has asked for yet.
    pub fn violations(&mut self) -> Vec<(&'t AxiomInfo, Violation)> {
        let mut found = Vec::new();
        for (at, violation) in self.watch.violations().iter().enumerate() {
            if let Some(violation) = violation
                && !std::mem::replace(&mut self.reported[at], true)
            {
                found.push((&self.theory.axioms()[at], violation.clone()));
            }
        }
        found
    }

    /// Whether nothing was told at all.
    pub fn is_empty(&self) -> bool {
        self.events == 0 && self.waiting.is_empty()
    }

    /// What became of every axiom, if nothing more comes.
    pub fn report(&mut self) -> Report {
        self.stop_waiting();
        self.watch.clone().finish()
    }

    /// Whether there is no scheduler.
    fn is_idle(&self) -> bool {
        !self.is_up && !self.is_stopping && self.calls.is_empty()
    }

    /// What the store knows will not be told.
    fn stop_waiting(&mut self) {
        if !self.waiting.is_empty() && std::mem::take(&mut self.has_ended) {
            self.crash(self.time);
        }
        if let Some(&(begin, _)) = self.waiting.first() {
            self.is_set_back(begin);
        }
        for (at, what) in std::mem::take(&mut self.waiting) {
            self.happen(at, &what);
        }
    }

    /// A fact that is known to come next.
    fn happen(&mut self, at: Millis, what: &TaskFact) {
        if let TaskFact::ClockSet { from } = what {
            return self.clock_set(*from, at);
        }
        self.latest = self.latest.max(at);
        let time = self.moment(self.instant(at));
        let text = what.describe();
        match what {
            TaskFact::Stored { .. }
            | TaskFact::Compute { .. }
            | TaskFact::ClockSet { .. }
            | TaskFact::Supernatural(_)
            | TaskFact::Cluster { .. } => {}
            TaskFact::InitStart { call, list, valid, concurrency } => {
                let declared: Vec<Declaration> = list.iter().map(Declaration::of_entry).collect();
                let valid = *valid && List::new(&declared).is_ok();
                // What is no list of tasks can have none of them.
                let entries = if valid { list.as_slice() } else { &[] };
                let members = entries.iter().map(|entry| self.registration(entry)).collect();
                let list = self.list(members, valid, *concurrency);
                self.call_count += 1;
                let number = self.call_count;
                self.call_names.insert(number, *call);
                if self.call_names.len() > MOST_CALLS {
                    self.call_names.pop_first();
                }
                let members = self.members(list);
                self.follow(&members, time);
                self.act(time, What::InitStart { call: number, list }, text);
                self.calls.insert(*call, Call { number, list, members });
            }
            TaskFact::InitSuccess { call } => {
                let open = self.open_call(*call);
                self.come_into_force(&open, time);
                let what = What::InitSuccess { call: open.number, list: open.list };
                self.act(time, what, text);
            }
            TaskFact::InitFailure { by_store: true, .. } | TaskFact::StopFailure => {
                // The theory knows no store that fails: it ends the scheduler as a crash would.
                self.crash(time);
            }
            TaskFact::InitFailure { call, .. } => {
                let Call { number: call, list, .. } = self.open_call(*call);
                self.act(time, What::InitFailure { call, list }, text);
                self.unfollow();
            }
            TaskFact::StopStart => {
                self.is_stopping = true;
                self.act(time, What::StopStart, text);
            }
            TaskFact::StopEnd => {
                (self.is_stopping, self.is_up) = (false, false);
                self.act(time, What::StopEnd, text);
            }
            TaskFact::RunStart(id) => {
                let registration = self.known(id);
                self.start(id, registration, at, time);
                self.act(time, What::RunStart(registration), text);
            }
            TaskFact::RunSuccess(id) | TaskFact::RunFailure(id) => {
                let x = self.known(id);
                if let Some(id) = self.ids.get_mut(id) {
                    id.running = None;
                }
                let is_success = matches!(what, TaskFact::RunSuccess(_));
                let what = if is_success { What::RunSuccess(x) } else { What::RunFailure(x) };
                self.act_late(time, time - self.instant(at), what, text);
            }
            TaskFact::Triggered(id) => {
                let registration = self.known(id);
                if let Some(id) = self.ids.get_mut(id) {
                    id.is_triggered = true;
                }
                self.pulse(time, vec![(What::Triggered(registration), text)]);
            }
            TaskFact::Paused(id) => self.change_hold(id, time, |id| id.is_paused = true),
            TaskFact::Resumed(id) => self.change_hold(id, time, |id| id.is_paused = false),
            TaskFact::PutOff { id, until } => {
                let until = Some(self.instant(*until)).filter(|until| *until > time);
                self.change_hold(id, time, |id| id.put_off = until);
            }
        }
    }

    /// A task starts, and serves what it owes.
    fn start(&mut self, id: &str, registration: usize, at: Millis, time: Millis) {
        let dues = self.registrations[registration].dues.clone();
        self.change_hold(id, time, |id| {
            (id.running, id.is_triggered) = (Some(at), false);
            (id.boot, id.put_off) = (false, None);
            match dues {
                Some(dues) => id.count.started(&dues, at),
                None => id.count = Count::new(at),
            }
        });
    }

    /// A task is held back while it is paused or put off; the monitor is told when that changes.
    fn change_hold(&mut self, id: &str, time: Millis, change: impl FnOnce(&mut Id)) {
        let Some(known) = self.ids.get_mut(id) else { return };
        let is_held = |id: &Id| id.is_paused || id.put_off.is_some();
        let (was, before) = (is_held(known), known.put_off);
        change(known);
        let (is, now, registration) = (is_held(known), known.put_off, known.registration);
        if before != now {
            before.map(|before| self.holds.remove(&(before, id.to_owned())));
            self.holds.extend(now.map(|now| (now, id.to_owned())));
        }
        if was != is {
            let (what, word) = match is {
                true => (What::Paused(registration), "Paused"),
                false => (What::Resumed(registration), "Resumed"),
            };
            self.pulse(time, vec![(what, format!("{word} {}", id.escape_debug()))]);
        }
    }

    /// The process or its scheduler ends without a stop.
    fn crash(&mut self, at: Millis) {
        // Nothing is computed at the instant of a crash, and what comes next is later.
        let after = self.computed.map_or(Millis::MIN, |computed| computed + 1);
        let time = self.moment(at.max(after));
        self.floor = time + 1;
        self.pulse(time, vec![(What::Crash, "Crash".to_owned())]);
        (self.is_up, self.is_stopping) = (false, false);
        self.calls.clear();
        let put_off: Vec<String> = self.holds.iter().map(|(_, id)| id.clone()).collect();
        for id in put_off {
            self.change_hold(&id, time, |id| id.put_off = None);
        }
        self.ids.values_mut().for_each(|id| id.running = None);
        self.unfollow();
    }

    /// A list comes into force (rules SCHED-2 and SCHED-7).
    fn come_into_force(&mut self, call: &Call, time: Millis) {
        let mut before = std::mem::take(&mut self.ids);
        for &registration in &call.members {
            let id = self.registrations[registration].id.clone();
            let dues = self.registrations[registration].dues.as_ref();
            let shown = self.wall(time);
            let known = match before.remove(&id) {
                Some(known) => Id { registration, ..known },
                None => {
                    let boot = dues.is_some_and(|dues| is_due_in_minute_of(dues, shown));
                    Id { boot, ..Id::new(registration, Count::new(shown)) }
                }
            };
            self.ids.insert(id, known);
        }
        for (id, forgotten) in before {
            forgotten.put_off.map(|until| self.holds.remove(&(until, id)));
        }
        self.is_up = true;
        self.unfollow();
    }

    /// Ends a call; one that never began has no tasks.
    fn open_call(&mut self, call: u32) -> Call {
        self.calls.remove(&call).unwrap_or_else(|| {
            self.call_count += 1;
            self.call_names.insert(self.call_count, call);
            let list = self.list(Vec::new(), true, None);
            Call { number: self.call_count, list, members: Vec::new() }
        })
    }

    /// The registration of an id that is in force; a task that nobody declared gets one.
    fn known(&mut self, id: &str) -> usize {
        match self.ids.get(id) {
            Some(known) => known.registration,
            None => {
                let empty = String::new;
                let (cron, zone) = (empty(), empty());
                let id = id.to_owned();
                self.registration(&TaskEntry { id, cron, zone, once: false, retry_delay: 0 })
            }
        }
    }

    /// The number of a registration.
    fn registration(&mut self, entry: &TaskEntry) -> usize {
        if let Some(number) = self.numbers.get(entry) {
            return *number;
        }
        let TaskEntry { id, cron, zone, once, retry_delay } = entry;
        let dst = if *once { Dst::Once } else { Dst::Theory };
        let dues = Cron::read(cron).ok().zip(Zone::named(zone));
        let dues = dues.map(|(cron, zone)| Dues::new(cron, zone, dst));
        let text = Declaration::of_entry(entry).text();
        let empty = String::new;
        let least = TaskEntry {
            id: id.clone(),
            cron: empty(),
            zone: empty(),
            once: false,
            retry_delay: i64::MIN,
        };
        let is_first = self.numbers.range(least..).next().is_none_or(|(known, _)| known.id != *id);
        let name = if is_first { id.clone() } else { format!("{id} ({text})") };
        let task = Task { name, id: id.clone(), retry_delay: *retry_delay };
        let number = self.watch.add_task(task);
        self.registrations.push(Registration { id: id.clone(), text, dues });
        self.numbers.insert(entry.clone(), number);
        number
    }

    /// The number of a list.
    fn list(&mut self, tasks: Vec<usize>, valid: bool, concurrency: Option<u64>) -> usize {
        let key = (tasks, valid, concurrency);
        if let Some(number) = self.lists.get(&key) {
            return *number;
        }
        let name = format!("R{}", self.lists.len() + 1);
        let tasks = key.0.clone();
        let number = self.watch.add_list(WatchedList { name, tasks, valid, concurrency });
        self.lists.insert(key, number);
        number
    }

    fn members(&self, list: usize) -> Vec<usize> {
        let found = self.lists.iter().find(|(_, number)| **number == list);
        found.map(|((members, ..), _)| members.clone()).unwrap_or_default()
    }

    /// Numbers an event and keeps its text as long as a report may name it.
    fn note(&mut self, time: Millis, text: String) -> u32 {
        let number = self.events;
        self.events = self.events.wrapping_add(1);
        self.texts.insert(number, (self.wall(time), text));
        if self.texts.len() > self.most_texts {
            let alive = self.watch.remembered();
            self.texts.retain(|known, _| *known == number || alive.contains(known));
            self.most_texts = FEW_TEXTS + 2 * self.texts.len();
        }
        number
    }
}

impl Id {
    fn new(registration: usize, count: Count) -> Self {
        Self {
            registration,
            count,
            boot: false,
            running: None,
            is_triggered: false,
            is_paused: false,
            put_off: None,
        }
    }
}

impl Story for Contract<'_> {
    fn position(&self, event: u32) -> Option<(usize, i64)> {
        self.texts.get(&event).map(|(time, _)| (event as usize, *time))
    }

    fn describe(&self, event: u32) -> String {
        self.texts.get(&event).map_or_else(|| "nothing".into(), |(_, text)| text.clone())
    }

    fn call(&self, call: u32) -> String {
        self.call_names.get(&call).map_or_else(|| "?".into(), u32::to_string)
    }

    fn supernatural(&self) -> Vec<Phenomenon> {
        self.supernatural.clone()
    }
}
