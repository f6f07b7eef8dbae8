//! The online monitor: what is kept about a trace while it happens.
//!
//! For every id, every registration and every open call there is an instance with one bit for each
//! formula, now and at the position before, and with one small state for each demand of an axiom. An
//! instance is looked at only when something happens to it, when it has not come to rest, or when
//! something changes that is shared by all.
//!
//! That ids are kept apart from registrations is rule SCHED-1; what crashes, stops and new lists do to
//! them (SCHED-2, SCHED-4, SCHED-6) is said by the theory, not here.

mod judge;
mod values;

use super::atoms::Atom;
use super::compile::{Level, Node, Params, Theory};
use super::events::{List, Position, Task, What};
use super::report::{self, Report, Violation};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

/// How many of the latest events of an instance are remembered, to be shown.
const RECENT: usize = 4;

/// What is kept for one id, registration or call, or once.
#[derive(Clone, Debug, Default)]
struct Instance {
    now: Box<[u64]>,
    before: Box<[u64]>,
    /// What happens to it at this position.
    atoms: u32,
    /// The delay of the retry, if it failed at this position.
    failed: Option<i64>,
    /// The tasks in the list of the call.
    size: usize,
    counts: Box<[u32]>,
    deadlines: Box<[Option<i64>]>,
    pending: Box<[Pending]>,
    recent: Vec<u32>,
    /// The step at which it was last looked at.
    seen: u64,
}

/// Where a demand stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pending {
    /// The event, or the one before the position, from which on something is awaited.
    since: Option<u32>,
    /// The units of compute by which it must have come.
    limit: Option<u64>,
    /// The units that there were before, if a budget counts from then; kept also when that is spent.
    onset: Option<u64>,
    /// Of what should recur: seen at all; seen in the part that repeats.
    ever: bool,
    again: bool,
}

/// Holds a trace to a theory while it happens.
#[derive(Clone, Debug)]
pub struct Watch<'t> {
    theory: &'t Theory,
    params: Params,
    tasks: Vec<Task>,
    lists: Vec<List>,
    /// The id of each task, by its number among the ids.
    id_of: Vec<usize>,
    /// The tasks of each id.
    tasks_of: Vec<Vec<usize>>,
    /// The numbers of the ids.
    numbers: BTreeMap<String, usize>,
    global: Instance,
    ids: Vec<Instance>,
    registrations: Vec<Instance>,
    calls: BTreeMap<u32, Instance>,
    /// An id, a registration and a call that nothing happened to: what one that appears later begins as.
    untouched: [Instance; 3],
    /// For each `some`, how many instances make it true.
    some: Vec<usize>,
    in_force: Option<usize>,
    deadlines: BTreeSet<(i64, usize)>,
    /// The limits of compute, with the rule and the instance they are for.
    limits: BTreeSet<(u64, usize, usize)>,
    /// What has not come to rest.
    restless: BTreeSet<(Level, usize)>,
    /// What is shared and changed at the last position.
    shook: Vec<usize>,
    /// Whether everybody has to be looked at.
    stir: bool,
    step: u64,
    last_event: Option<u32>,
    repeats: bool,
    violations: Vec<Option<Violation>>,
    /// Whether what happens is held to the theory, and not only known.
    judges: bool,
    /// How many units there were up to the last position, and how many anything awaited took at most.
    granted: u64,
    needs: u64,
}

impl<'t> Watch<'t> {
    /// A watch over tasks and lists that are known from the start.
    pub fn new(theory: &'t Theory, params: Params, tasks: Vec<Task>, lists: Vec<List>) -> Self {
        let mut watch = Self {
            theory,
            params,
            global: fresh(theory, Level::Global),
            ids: Vec::new(),
            registrations: Vec::new(),
            calls: BTreeMap::new(),
            untouched: [Level::Id, Level::Task, Level::Call].map(|level| fresh(theory, level)),
            some: vec![0; theory.somes],
            restless: BTreeSet::new(),
            tasks: Vec::new(),
            lists,
            id_of: Vec::new(),
            tasks_of: Vec::new(),
            numbers: BTreeMap::new(),
            in_force: None,
            deadlines: BTreeSet::new(),
            limits: BTreeSet::new(),
            shook: Vec::new(),
            stir: false,
            step: 0,
            last_event: None,
            repeats: false,
            violations: vec![None; theory.axioms.len()],
            judges: true,
            granted: 0,
            needs: 0,
        };
        for task in tasks {
            watch.add_task(task);
        }
        watch
    }

    /// A task that is known from now on: its past is that of one to which nothing happened. Gives its
    /// number.
    pub fn add_task(&mut self, task: Task) -> usize {
        let number = self.tasks.len();
        let id = match self.numbers.get(&task.id) {
            Some(id) => *id,
            None => {
                let id = self.ids.len();
                self.numbers.insert(task.id.clone(), id);
                self.tasks_of.push(Vec::new());
                let instance = self.adopted(Level::Id, id);
                self.ids.push(instance);
                id
            }
        };
        self.tasks_of[id].push(number);
        self.id_of.push(id);
        self.tasks.push(task);
        let instance = self.adopted(Level::Task, number);
        self.registrations.push(instance);
        self.restless.extend([(Level::Id, id), (Level::Task, number)]);
        number
    }

    /// A list that is known from now on. Gives its number.
    pub fn add_list(&mut self, list: List) -> usize {
        self.lists.push(list);
        self.lists.len() - 1
    }

    /// Whether what happens from now on is held to the theory; if not, it is only known, as what was
    /// before a trace.
    pub fn set_judging(&mut self, judges: bool) {
        self.judges = judges;
    }

    /// The violations so far, of each axiom the first.
    pub fn violations(&self) -> &[Option<Violation>] {
        &self.violations
    }

    /// The numbers of all events that a report may still name.
    pub fn remembered(&self) -> BTreeSet<u32> {
        let instances = self.ids.iter().chain(&self.registrations).chain(self.calls.values());
        let known = instances.chain([&self.global]).flat_map(|of| {
            let since = of.pending.iter().filter_map(|pending| pending.since);
            of.recent.iter().copied().chain(since)
        });
        let shown = self.violations.iter().flatten().flat_map(|of| of.events.iter().copied());
        known.chain(shown).chain(self.last_event).collect()
    }

    /// When the next delay of a retry is over: that instant needs a position of its own.
    pub fn next_deadline(&self) -> Option<i64> {
        self.deadlines.first().map(|(time, _)| *time)
    }

    /// The next position.
    pub fn step(&mut self, position: &Position) {
        self.step += 1;
        self.granted = position.granted + u64::from(position.computes);
        if position.repeats && !self.repeats {
            self.repeats = true;
            self.stir = true;
        }
        let mut dirty = take(&mut self.restless);
        self.happen(position, &mut dirty);
        while let Some((time, id)) =
            self.deadlines.first().copied().filter(|(time, _)| *time <= position.time)
        {
            self.deadlines.remove(&(time, id));
            self.mark(id, &mut dirty);
        }
        if take(&mut self.stir) {
            self.mark_all(&[Level::Id, Level::Task, Level::Call], &mut dirty);
        }
        let last = take(&mut self.shook);
        for stage in 0..self.theory.stages {
            self.evaluate(Level::Global, 0, stage, position);
            self.shake(stage, &last, &mut dirty);
            for &(level, index) in &dirty {
                self.evaluate(level, index, stage, position);
            }
            for level in [Level::Id, Level::Task, Level::Call] {
                self.evaluate(level, UNTOUCHED, stage, position);
            }
        }
        self.judge(&dirty, position);
        self.settle(dirty);
    }

    /// Finds out whom a change of something shared concerns, now or at the last position.
    fn shake(&mut self, stage: usize, last: &[usize], dirty: &mut BTreeSet<(Level, usize)>) {
        let theory = self.theory;
        for (number, shared) in theory.shared.iter().enumerate() {
            let node = &theory.nodes[shared.node];
            let changed = node.stage <= stage
                && bit(&self.global.now, node.slot) != bit(&self.global.before, node.slot);
            if !changed && !last.contains(&number) {
                continue;
            }
            if changed && node.stage == stage {
                self.shook.push(number);
            }
            self.mark_all(&shared.ruled, dirty);
            for &reader in &shared.readers {
                let reader = &theory.nodes[reader];
                if reader.stage == stage {
                    self.ask(reader, dirty);
                }
            }
        }
    }

    /// Marks the instances at rest in which a formula has another value than before.
    fn ask(&self, node: &Node, dirty: &mut BTreeSet<(Level, usize)>) {
        let differs = |index: usize, instance: &Instance| {
            let value = self.pure(node, instance, node.level, index);
            value.is_none_or(|value| value != bit(&instance.now, node.slot))
        };
        match node.level {
            Level::Global => {}
            Level::Id => {
                for (id, instance) in self.ids.iter().enumerate() {
                    if !dirty.contains(&(Level::Id, id)) && differs(id, instance) {
                        self.mark(id, dirty);
                    }
                }
            }
            Level::Task => {
                let tasks = self.registrations.iter().enumerate();
                dirty.extend(
                    tasks
                        .filter(|(task, of)| differs(*task, of))
                        .map(|(task, _)| (Level::Task, task)),
                );
            }
            Level::Call => {
                let calls = self.calls.iter().map(|(call, of)| (*call as usize, of));
                dirty.extend(
                    calls
                        .filter(|(call, of)| differs(*call, of))
                        .map(|(call, _)| (Level::Call, call)),
                );
            }
        }
    }

    fn mark_all(&self, levels: &[Level], dirty: &mut BTreeSet<(Level, usize)>) {
        for level in levels {
            match level {
                Level::Global => {}
                Level::Id => (0..self.ids.len()).for_each(|id| self.mark(id, dirty)),
                Level::Task => dirty.extend((0..self.tasks.len()).map(|task| (Level::Task, task))),
                Level::Call => {
                    dirty.extend(self.calls.keys().map(|call| (Level::Call, *call as usize)));
                }
            }
        }
    }

    /// Says what became of every axiom, if the trace ends here.
    pub fn finish(self) -> Report {
        let needs = Params { a: 0, b: self.needed(), tlag: 0 };
        report::report(self.theory, self.params, needs, self.waits(), self.violations)
    }

    /// Tells every instance what happens to it.
    fn happen(&mut self, position: &Position, dirty: &mut BTreeSet<(Level, usize)>) {
        let mut actions = 0;
        self.last_event = position.event.or(self.last_event);
        if position.computes {
            self.global.atoms |= Atom::Compute.bit();
        }
        for &(number, what) in &position.events {
            actions += usize::from(what.is_action());
            match what {
                What::InitStart { call, list } => {
                    self.happens_to_call(number, call, list, Atom::InitStart, dirty);
                }
                What::InitFailure { call, list } => {
                    self.happens_to_call(number, call, list, Atom::InitFailure, dirty);
                }
                What::InitSuccess { call, list } => {
                    self.happens_to_call(number, call, list, Atom::CallSuccess, dirty);
                    self.global.atoms |= Atom::InitSuccess.bit();
                }
                What::StopStart => self.global.atoms |= Atom::StopStart.bit(),
                What::StopEnd => self.global.atoms |= Atom::StopEnd.bit(),
                What::Crash => self.global.atoms |= Atom::Crash.bit(),
                What::Minute => self.global.atoms |= Atom::MinuteStart.bit(),
                What::Due(task) => {
                    self.global.atoms |= Atom::MinuteStart.bit();
                    self.happens_to(number, task, Atom::Due, dirty);
                }
                What::Triggered(task) => self.happens_to(number, task, Atom::Triggered, dirty),
                What::Paused(task) => self.happens_to(number, task, Atom::Paused, dirty),
                What::Resumed(task) => self.happens_to(number, task, Atom::Resumed, dirty),
                What::Interrupted(task) => self.happens_to(number, task, Atom::Interrupted, dirty),
                What::Lapsed(task) => self.happens_to(number, task, Atom::Lapsed, dirty),
                What::Refused(task) => self.happens_to(number, task, Atom::Refused, dirty),
                What::Leased(task) => self.qualifies(task, Atom::Leased),
                What::Fenced(task) => self.qualifies(task, Atom::Fenced),
                What::Excused(task) => self.qualifies(task, Atom::Excused),
                What::SetBack => self.global.atoms |= Atom::SetBack.bit(),
                What::RunStart(task) => self.happens_to(number, task, Atom::RunStart, dirty),
                What::RunSuccess(task) => self.happens_to(number, task, Atom::RunSuccess, dirty),
                What::RunFailure(task) => {
                    self.happens_to(number, task, Atom::RunFailure, dirty);
                    let delay = match self.tasks[task].retry_delay {
                        delay @ 0.. => (delay - position.late).max(0),
                        negative => negative,
                    };
                    let failed = &mut self.ids[self.id_of[task]].failed;
                    *failed = Some(failed.map_or(delay, |known| known.min(delay)));
                }
            }
            if !matches!(what, What::Due(_) | What::Minute) {
                remember(&mut self.global.recent, number);
            }
        }
        if actions > 0 {
            self.global.atoms |= Atom::Action.bit();
        }
        if actions > 1 {
            self.global.atoms |= Atom::Simultaneous.bit();
        }
        let success = position.events.iter().rev().find_map(|(_, what)| match what {
            What::InitSuccess { list, .. } => Some(*list),
            _ => None,
        });
        if let Some(list) = success {
            self.register(list, dirty);
        }
    }

    fn happens_to(
        &mut self,
        event: u32,
        task: usize,
        atom: Atom,
        dirty: &mut BTreeSet<(Level, usize)>,
    ) {
        let id = self.id_of[task];
        self.registrations[task].atoms |= atom.bit();
        self.ids[id].atoms |= atom.bit();
        remember(&mut self.ids[id].recent, event);
        remember(&mut self.registrations[task].recent, event);
        self.mark(id, dirty);
    }

    /// Says more of what happens to a task at this position.
    fn qualifies(&mut self, task: usize, atom: Atom) {
        self.registrations[task].atoms |= atom.bit();
        self.ids[self.id_of[task]].atoms |= atom.bit();
    }

    fn happens_to_call(
        &mut self,
        event: u32,
        call: u32,
        list: usize,
        atom: Atom,
        dirty: &mut BTreeSet<(Level, usize)>,
    ) {
        let valid = if self.lists[list].valid { Atom::Valid.bit() } else { 0 };
        if !self.calls.contains_key(&call) {
            let instance = self.adopted(Level::Call, call as usize);
            self.calls.insert(call, instance);
        }
        let Some(instance) = self.calls.get_mut(&call) else { return };
        instance.atoms |= atom.bit() | valid;
        instance.size = self.lists[list].tasks.len();
        remember(&mut instance.recent, event);
        dirty.insert((Level::Call, call as usize));
    }

    /// A list comes into force.
    fn register(&mut self, list: usize, dirty: &mut BTreeSet<(Level, usize)>) {
        let before = self.in_force.map(|list| &self.lists[list].tasks);
        if before != Some(&self.lists[list].tasks) {
            self.global.atoms |= Atom::NewList.bit();
            // Budgets depend on it.
            self.stir = true;
        }
        self.in_force = Some(list);
        for task in self.lists[list].tasks.clone() {
            self.registrations[task].atoms |= Atom::Listed.bit();
            self.ids[self.id_of[task]].atoms |= Atom::Listed.bit();
            self.mark(self.id_of[task], dirty);
        }
    }

    /// An id has to be looked at, and with it its registrations.
    fn mark(&self, id: usize, dirty: &mut BTreeSet<(Level, usize)>) {
        dirty.insert((Level::Id, id));
        dirty.extend(self.tasks_of[id].iter().map(|task| (Level::Task, *task)));
    }

    fn instance(&mut self, level: Level, index: usize) -> Option<&mut Instance> {
        match level {
            Level::Global => Some(&mut self.global),
            _ if index == UNTOUCHED => Some(&mut self.untouched[level as usize - 1]),
            Level::Id => self.ids.get_mut(index),
            Level::Task => self.registrations.get_mut(index),
            Level::Call => self.calls.get_mut(&(index as u32)),
        }
    }

    /// Notes who has come to rest, and forgets calls that are over.
    fn settle(&mut self, dirty: BTreeSet<(Level, usize)>) {
        self.global.atoms = 0;
        for (level, index) in dirty {
            let Some(instance) = self.instance(level, index) else { continue };
            instance.failed = None;
            let restless = take(&mut instance.atoms) != 0 || instance.now != instance.before;
            if restless {
                self.restless.insert((level, index));
                if level == Level::Id {
                    let tasks = self.tasks_of[index].iter();
                    self.restless.extend(tasks.map(|task| (Level::Task, *task)));
                }
            } else if level == Level::Call && self.is_over(index as u32) {
                self.forget(index as u32);
            }
        }
    }

    /// Whether a call is as if it had never been.
    fn is_over(&self, call: u32) -> bool {
        let (instance, untouched) = (&self.calls[&call], self.untouched(Level::Call));
        let waits = |pending: &Pending| pending.since.is_some() || pending.onset.is_some();
        let waits = instance.pending.iter().any(waits);
        !waits
            && instance.now == untouched.now
            && instance.before == untouched.before
            && instance.counts == untouched.counts
    }

    fn untouched(&self, level: Level) -> &Instance {
        &self.untouched[level as usize - 1]
    }

    /// What appears now begins as one that nothing happened to.
    fn adopted(&mut self, level: Level, index: usize) -> Instance {
        let instance = self.untouched(level).clone();
        for (id, node) in self.theory.nodes.iter().enumerate() {
            if node.level == level {
                self.count(id, level, false, bit(&instance.now, node.slot));
            }
        }
        for (number, rule) in self.theory.rules.iter().enumerate() {
            if rule.level == level {
                let limit = instance.pending[rule.place].limit;
                self.limits.extend(limit.map(|limit| (limit, number, index)));
            }
        }
        instance
    }

    fn forget(&mut self, call: u32) {
        let Some(instance) = self.calls.remove(&call) else { return };
        for (id, node) in self.theory.nodes.iter().enumerate() {
            if node.level == Level::Call {
                self.count(id, Level::Call, bit(&instance.now, node.slot), false);
            }
        }
    }
}

/// The number of an id, a registration or a call that was never mentioned.
const UNTOUCHED: usize = usize::MAX;

fn fresh(theory: &Theory, level: Level) -> Instance {
    let layout = &theory.layouts[level as usize];
    let words = layout.slots.div_ceil(64);
    Instance {
        now: vec![0; words].into(),
        before: vec![0; words].into(),
        counts: vec![0; layout.counts].into(),
        deadlines: vec![None; layout.deadlines].into(),
        pending: vec![Pending::default(); layout.rules].into(),
        ..Instance::default()
    }
}

fn remember(recent: &mut Vec<u32>, event: u32) {
    if recent.len() == RECENT {
        recent.remove(0);
    }
    recent.push(event);
}

fn bit(words: &[u64], slot: usize) -> bool {
    words[slot / 64] >> (slot % 64) & 1 == 1
}

fn set(words: &mut [u64], slot: usize, value: bool) {
    let mask = 1 << (slot % 64);
    if value {
        words[slot / 64] |= mask;
    } else {
        words[slot / 64] &= !mask;
    }
}

#[cfg(test)]
mod tests;
