//! The online monitor: what is kept about a trace while it happens.
//!
//! For every id, every registration and every open call there is an instance with one bit for each
//! formula, now and at the position before, and with one small state for each demand of an axiom. An
//! instance is looked at only when something happens to it, when it has not come to rest, or when
//! something changes that is shared by all.

use super::compile::{Atom, Demand, Level, Node, NodeId, Op, Params, Theory};
use super::report::{Report, Subject, Violation, Wait};
use super::syntax::Size;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

/// A task as it was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The name by which events refer to this registration.
    pub name: String,
    /// The id.
    pub id: String,
    /// The delay of retries.
    pub retry_delay: i64,
}

/// A list of registrations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The name by which events refer to it.
    pub name: String,
    /// Its registrations, by their numbers.
    pub tasks: Vec<usize>,
    /// Whether a scheduler must accept it.
    pub valid: bool,
}

/// What happens. Tasks and lists are meant by their numbers; a call is one of initialize().
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are the events of the theory")]
pub enum What {
    InitStart { call: u32, list: usize },
    InitSuccess { call: u32, list: usize },
    InitFailure { call: u32, list: usize },
    StopStart,
    StopEnd,
    RunStart(usize),
    RunSuccess(usize),
    RunFailure(usize),
    Due(usize),
    Minute,
    Crash,
}

/// A position of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Its time.
    pub time: i64,
    /// What happens, each with the number by which a report names it.
    pub events: Vec<(u32, What)>,
    /// Whether there is a unit of compute at this time.
    pub computes: bool,
    /// How many units of compute there were before this time.
    pub granted: u64,
    /// Whether it belongs to the part that repeats for ever.
    pub repeats: bool,
}

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
    global: Instance,
    ids: Vec<Instance>,
    registrations: Vec<Instance>,
    calls: BTreeMap<u32, Instance>,
    /// A call that nothing happened to.
    untouched: Instance,
    /// For each `some`, how many instances make it true.
    some: Vec<usize>,
    in_force: Option<usize>,
    deadlines: BTreeSet<(i64, usize)>,
    /// The limits of compute, with the rule and the instance they are for.
    limits: BTreeSet<(u64, usize, usize)>,
    /// What has not come to rest.
    restless: BTreeSet<(Level, usize)>,
    /// Whether something that is shared changed at the last position.
    shook: bool,
    step: u64,
    last_event: Option<u32>,
    repeats: bool,
    violations: Vec<Option<Violation>>,
}

impl<'t> Watch<'t> {
    /// A watch over tasks and lists that are known from the start.
    pub fn new(theory: &'t Theory, params: Params, tasks: Vec<Task>, lists: Vec<List>) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut tasks_of: Vec<Vec<usize>> = Vec::new();
        let mut id_of = Vec::new();
        for (number, task) in tasks.iter().enumerate() {
            let id = *numbers.entry(&task.id).or_insert_with(|| {
                names.push(&task.id);
                tasks_of.push(Vec::new());
                names.len() - 1
            });
            id_of.push(id);
            tasks_of[id].push(number);
        }
        let fresh = |level: Level| fresh(theory, level);
        let restless = (0..tasks_of.len()).map(|id| (Level::Id, id));
        let restless = restless.chain((0..tasks.len()).map(|task| (Level::Task, task)));
        Self {
            theory,
            params,
            global: fresh(Level::Global),
            ids: vec![fresh(Level::Id); tasks_of.len()],
            registrations: vec![fresh(Level::Task); tasks.len()],
            calls: BTreeMap::new(),
            untouched: fresh(Level::Call),
            some: vec![0; theory.somes],
            restless: restless.collect(),
            tasks,
            lists,
            id_of,
            tasks_of,
            in_force: None,
            deadlines: BTreeSet::new(),
            limits: BTreeSet::new(),
            shook: true,
            step: 0,
            last_event: None,
            repeats: false,
            violations: vec![None; theory.axioms.len()],
        }
    }

    /// When the next delay of a retry is over: that instant needs a position of its own.
    pub fn next_deadline(&self) -> Option<i64> {
        self.deadlines.first().map(|(time, _)| *time)
    }

    /// The next position.
    pub fn step(&mut self, position: &Position) {
        self.step += 1;
        if position.repeats && !self.repeats {
            self.repeats = true;
            self.shook = true;
        }
        let mut dirty = take(&mut self.restless);
        self.happen(position, &mut dirty);
        while let Some((time, id)) =
            self.deadlines.first().copied().filter(|(time, _)| *time <= position.time)
        {
            self.deadlines.remove(&(time, id));
            self.mark(id, &mut dirty);
        }
        let mut all = self.shook;
        let mut shakes = false;
        for stage in 0..self.theory.stages {
            self.evaluate(Level::Global, 0, stage, position);
            shakes = self.theory.shared.iter().any(|&node| {
                let Node { slot, stage: of, .. } = self.theory.nodes[node];
                of <= stage && bit(&self.global.now, slot) != bit(&self.global.before, slot)
            });
            if (all || shakes) && dirty.len() < self.ids.len() + self.tasks.len() + self.calls.len()
            {
                all = true;
                dirty.extend((0..self.ids.len()).map(|id| (Level::Id, id)));
                dirty.extend((0..self.tasks.len()).map(|task| (Level::Task, task)));
                dirty.extend(self.calls.keys().map(|call| (Level::Call, *call as usize)));
            }
            for &(level, index) in &dirty {
                self.evaluate(level, index, stage, position);
            }
            self.evaluate(Level::Call, UNTOUCHED, stage, position);
        }
        self.shook = shakes;
        self.judge(&dirty, position);
        self.settle(dirty);
    }

    /// Says what became of every axiom, if the trace ends here.
    pub fn finish(self) -> Report {
        super::report::report(self.theory, self.params, self.waits(), self.violations)
    }

    /// Tells every instance what happens to it.
    fn happen(&mut self, position: &Position, dirty: &mut BTreeSet<(Level, usize)>) {
        let mut actions = 0;
        if position.computes {
            self.global.atoms |= Atom::Compute.bit();
        }
        for &(number, what) in &position.events {
            self.last_event = Some(number);
            let is_action = !matches!(what, What::Due(_) | What::Minute | What::Crash);
            actions += usize::from(is_action);
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
                What::RunStart(task) => self.happens_to(number, task, Atom::RunStart, dirty),
                What::RunSuccess(task) => self.happens_to(number, task, Atom::RunSuccess, dirty),
                What::RunFailure(task) => {
                    self.happens_to(number, task, Atom::RunFailure, dirty);
                    let delay = self.tasks[task].retry_delay;
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
            self.adopt(call);
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
            Level::Id => self.ids.get_mut(index),
            Level::Task => self.registrations.get_mut(index),
            Level::Call if index == UNTOUCHED => Some(&mut self.untouched),
            Level::Call => self.calls.get_mut(&(index as u32)),
        }
    }

    /// Computes the formulas of one stage for an instance.
    fn evaluate(&mut self, level: Level, index: usize, stage: usize, position: &Position) {
        let theory = self.theory;
        let nodes = &theory.layouts[level as usize].stages[stage];
        let step = self.step;
        let Some(place) = self.instance(level, index) else { return };
        let mut instance = take(place);
        if instance.seen != step {
            instance.seen = step;
            instance.before.copy_from_slice(&instance.now);
        }
        for &id in nodes {
            let node = &theory.nodes[id];
            let value = self.value(node, &mut instance, level, index, position);
            let old = bit(&instance.now, node.slot);
            set(&mut instance.now, node.slot, value);
            if index != UNTOUCHED {
                self.count(id, level, old, value);
            }
        }
        *self.instance(level, index).expect("it was just there") = instance;
    }

    /// Keeps what `some` asks for.
    fn count(&mut self, id: NodeId, level: Level, old: bool, new: bool) {
        if level == Level::Global || old == new {
            return;
        }
        if let Some(at) = self.theory.counted[id] {
            if new {
                self.some[at] += 1;
            } else {
                self.some[at] -= 1;
            }
        }
    }

    fn value(
        &mut self,
        node: &Node,
        instance: &mut Instance,
        level: Level,
        index: usize,
        position: &Position,
    ) -> bool {
        let now = |id: NodeId| self.read(id, instance, level, index, false);
        match node.op {
            Op::Const(value) => value,
            Op::Atom(atom, _) => instance.atoms & atom.bit() != 0,
            Op::Not(inner) => !now(inner),
            Op::And(left, right) => now(left) && now(right),
            Op::Or(left, right) => now(left) || now(right),
            Op::Previous(inner) => self.read(inner, instance, level, index, true),
            Op::Since(keep, from) => now(from) || bit(&instance.before, node.slot) && now(keep),
            Op::Some(inner) => {
                let Node { level, slot, .. } = self.theory.nodes[inner];
                // Calls that were never made exist, too.
                self.some[node.extra] > 0 || level == Level::Call && bit(&self.untouched.now, slot)
            }
            Op::Balance(up, down, reset) => {
                let (up, down, reset) = (now(up), now(down), now(reset));
                let count = &mut instance.counts[node.extra];
                *count =
                    if reset { 0 } else { (*count + u32::from(up)).saturating_sub(down.into()) };
                *count > 0
            }
            Op::Expired(cancel) => {
                let cancel = now(cancel);
                self.expired(node.extra, instance, index, cancel, position.time)
            }
        }
    }

    /// Whether a retry is due; sets and forgets its deadline.
    fn expired(
        &mut self,
        at: usize,
        instance: &mut Instance,
        id: usize,
        cancel: bool,
        time: i64,
    ) -> bool {
        let deadline = &mut instance.deadlines[at];
        let old = *deadline;
        let mut fires = false;
        if cancel {
            *deadline = None;
        } else if deadline.is_some_and(|deadline| deadline <= time) {
            *deadline = None;
            fires = true;
        }
        match instance.failed {
            Some(0) => fires = true,
            Some(delay @ 1..) => {
                let new = time.saturating_add(delay);
                *deadline = Some(deadline.map_or(new, |known| known.min(new)));
            }
            _ => {}
        }
        let deadline = *deadline;
        if deadline != old {
            old.map(|old| self.deadlines.remove(&(old, id)));
            self.deadlines.extend(deadline.map(|deadline| (deadline, id)));
        }
        fires
    }

    /// The value of a node as an instance sees it, now or at the position before.
    fn read(
        &self,
        id: NodeId,
        instance: &Instance,
        level: Level,
        index: usize,
        before: bool,
    ) -> bool {
        let node = &self.theory.nodes[id];
        let of = match (node.level, level) {
            (same, level) if same == level => instance,
            (Level::Global, _) => &self.global,
            (Level::Id, Level::Task) => &self.ids[self.id_of[index]],
            (from, to) => unreachable!("a formula of {to:?} does not ask for one of {from:?}"),
        };
        // What was not looked at did not change.
        bit(if before && of.seen == self.step { &of.before } else { &of.now }, node.slot)
    }

    /// Holds what was looked at to the demands.
    fn judge(&mut self, dirty: &BTreeSet<(Level, usize)>, position: &Position) {
        let granted = position.granted + u64::from(position.computes);
        let theory = self.theory;
        let mut met = Vec::new();
        for (number, rule) in theory.rules.iter().enumerate() {
            if rule.level == Level::Global {
                self.hold(number, 0, position, &mut met);
                continue;
            }
            for &(_, index) in dirty.iter().filter(|(level, _)| *level == rule.level) {
                self.hold(number, index, position, &mut met);
            }
        }
        // Compute may have run out for instances that nothing happened to.
        while let Some(&(limit, rule, index)) =
            self.limits.first().filter(|(limit, ..)| *limit < granted)
        {
            self.limits.remove(&(limit, rule, index));
            let place = theory.rules[rule].place;
            let level = theory.rules[rule].level;
            let pending = self.instance(level, index).map(|of| take(&mut of.pending[place]));
            let since = pending.and_then(|pending| pending.since);
            self.violate(rule, index, position, since);
        }
        for (rule, index) in met {
            let (place, level) = (theory.rules[rule].place, theory.rules[rule].level);
            let pending = self.instance(level, index).map(|of| take(&mut of.pending[place]));
            if let Some(limit) = pending.and_then(|pending| pending.limit) {
                self.limits.remove(&(limit, rule, index));
            }
        }
    }

    /// Holds one instance to one demand; notes in `met` what is awaited no more.
    fn hold(
        &mut self,
        number: usize,
        index: usize,
        position: &Position,
        met: &mut Vec<(usize, usize)>,
    ) {
        let rule = &self.theory.rules[number];
        let (level, place) = (rule.level, rule.place);
        let Some(instance) = self.instance(level, index).map(take) else { return };
        let mut instance = instance;
        let now = |id: NodeId| self.read(id, &instance, level, index, false);
        let mut violated = None;
        match rule.demand {
            Demand::Always(formula) => {
                if !now(formula) {
                    violated = Some(None);
                }
            }
            Demand::Recurs { often, never } => {
                let (often, never) = (now(often), never.is_some_and(now));
                let pending = &mut instance.pending[place];
                pending.ever |= never;
                pending.again |= often && position.repeats;
            }
            Demand::Eventually { from, goal, within, void } => {
                let (from, goal, void) = (now(from), now(goal), void.is_some_and(now));
                let size = match within {
                    Some(Size::Call) => instance.size,
                    _ => self.in_force.map_or(0, |list| self.lists[list].tasks.len()),
                };
                let limit = within.map(|_| self.limit(size, position));
                let pending = &mut instance.pending[place];
                if void && let Pending { since, limit: Some(limit), .. } = take(pending) {
                    self.limits.remove(&(limit, number, index));
                    let granted = position.granted + u64::from(position.computes);
                    violated = (limit < granted).then_some(since);
                }
                if from {
                    pending.since = pending.since.or(self.last_event).or(Some(0));
                    if let Some(limit) = limit
                        && pending.limit.is_none_or(|known| limit < known)
                    {
                        if let Some(known) = pending.limit.replace(limit) {
                            self.limits.remove(&(known, number, index));
                        }
                        self.limits.insert((limit, number, index));
                    }
                }
                if goal && pending.since.is_some() {
                    met.push((number, index));
                }
            }
            Demand::Until { from, keep, goal, .. } => {
                let (from, keep, goal) = (now(from), now(keep), now(goal));
                let pending = &mut instance.pending[place];
                if from {
                    pending.since = pending.since.or(self.last_event).or(Some(0));
                }
                if pending.since.is_some() && (goal || !keep) {
                    let since = take(pending).since;
                    violated = (!goal).then_some(since);
                }
            }
        }
        *self.instance(level, index).expect("it was just there") = instance;
        if let Some(since) = violated {
            self.violate(number, index, position, since);
        }
    }

    /// The units of compute, from the beginning, by which something must have come.
    fn limit(&self, size: usize, position: &Position) -> u64 {
        let Params { a, b, tlag } = self.params;
        let bits = 1 + u64::from(64 - position.time.unsigned_abs().leading_zeros());
        let input = (size as u64).saturating_mul(64).saturating_add(bits);
        let budget = a.saturating_mul(input).saturating_add(b).saturating_add(tlag);
        position.granted.saturating_add(budget)
    }

    fn violate(&mut self, rule: usize, index: usize, position: &Position, since: Option<u32>) {
        let rule = &self.theory.rules[rule];
        if self.violations[rule.axiom].is_some() {
            return;
        }
        let subject = self.subject(rule.level, index);
        let recent =
            self.instance(rule.level, index).map(|of| of.recent.clone()).unwrap_or_default();
        let mut events: BTreeSet<u32> = recent.into_iter().chain(since).collect();
        events.extend(position.events.iter().map(|(number, _)| *number));
        self.violations[rule.axiom] = Some(Violation {
            step: self.step,
            time: position.time,
            event: self.last_event,
            subject,
            events: events.into_iter().collect(),
            awaited: matches!(rule.demand, Demand::Eventually { .. }).then(|| rule.goal.clone()),
        });
    }

    fn subject(&self, level: Level, index: usize) -> Option<Subject> {
        match level {
            Level::Global => None,
            Level::Id => Some(Subject::Id(self.tasks[self.tasks_of[index][0]].id.clone())),
            Level::Task => Some(Subject::Task(self.tasks[index].name.clone())),
            Level::Call => Some(Subject::Call(index as u32)),
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
        let instance = &self.calls[&call];
        let waits = instance.pending.iter().any(|pending| pending.since.is_some());
        !waits
            && instance.now == self.untouched.now
            && instance.before == self.untouched.before
            && instance.counts == self.untouched.counts
    }

    /// A call begins as one that nothing happened to.
    fn adopt(&mut self, call: u32) {
        let instance = self.untouched.clone();
        for (id, node) in self.theory.nodes.iter().enumerate() {
            if node.level == Level::Call {
                self.count(id, Level::Call, false, bit(&instance.now, node.slot));
            }
        }
        self.calls.insert(call, instance);
    }

    fn forget(&mut self, call: u32) {
        let Some(instance) = self.calls.remove(&call) else { return };
        for (id, node) in self.theory.nodes.iter().enumerate() {
            if node.level == Level::Call {
                self.count(id, Level::Call, bit(&instance.now, node.slot), false);
            }
        }
    }

    /// What is still awaited by which axiom.
    fn waits(&self) -> Vec<Wait> {
        let mut waits = Vec::new();
        for rule in &self.theory.rules {
            let instances: Vec<(usize, &Instance)> = match rule.level {
                Level::Global => vec![(0, &self.global)],
                Level::Id => self.ids.iter().enumerate().collect(),
                Level::Task => self.registrations.iter().enumerate().collect(),
                Level::Call => self.calls.iter().map(|(call, of)| (*call as usize, of)).collect(),
            };
            let mut recurs = false;
            for (index, instance) in instances {
                let pending = &instance.pending[rule.place];
                let (awaits, violated) = match rule.demand {
                    Demand::Recurs { never, .. } => {
                        recurs = true;
                        let holds = pending.again || never.is_some() && !pending.ever;
                        (!self.repeats, self.repeats && !holds)
                    }
                    Demand::Until { weak: true, .. } => (false, false),
                    _ => (pending.since.is_some(), false),
                };
                if awaits || violated {
                    waits.push(Wait {
                        axiom: rule.axiom,
                        subject: self.subject(rule.level, index),
                        since: pending.since,
                        goal: rule.goal.clone(),
                        never: violated,
                    });
                }
            }
            // Without tasks there is nobody to wait for, and nobody to know that it will stay so.
            if matches!(rule.demand, Demand::Recurs { .. }) && !recurs && !self.repeats {
                let goal = rule.goal.clone();
                waits.push(Wait {
                    axiom: rule.axiom,
                    subject: None,
                    since: None,
                    goal,
                    never: false,
                });
            }
        }
        waits
    }
}

/// The number of a call that was never made.
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
