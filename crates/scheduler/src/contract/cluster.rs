//! What the nodes of a scheduler were told by their database, put together and held to the theory (rule CLUS-7).
//!
//! Nothing is taken from the order of files or from the nodes' clocks: facts are ordered by the numbers that the
//! database gave them, and their time is the database's. A node may be killed before it has told what it was told; the
//! next fact about the same task brings that along, and what was before it as far as nobody may have told that either.
//! A task that is paused may have no next fact: then whoever joins finds it so, or whoever renews a lease finds that
//! nothing is owed.

use super::Contract;
use crate::roster::{Millis, State};
use hemiola_monitor::theory::{Grants, Params, Phenomenon, Theory, What};
use hemiola_trace::cluster::{ClusterFact, Known, Told, Why};
use hemiola_trace::{TaskEntry, TaskFact};
use std::collections::{BTreeMap, BTreeSet};

/// What one node can judge without the others: they may have done what it does not know of.
const OF_ONE_NODE: [&str; 5] = ["D1", "C4", "C5", "C6", "C7"];

/// What is known of the nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    nodes: BTreeMap<i64, Node>,
    /// Who runs a task, and with which fence.
    holders: BTreeMap<String, (i64, i64)>,
    /// The highest fence of a task.
    highest: BTreeMap<String, i64>,
    /// The list in force.
    list: BTreeSet<TaskEntry>,
    lists: u32,
}

#[derive(Clone, Debug)]
struct Node {
    until: Millis,
    /// Whether it was told that its lease has run out.
    has_lapsed: bool,
    list: BTreeMap<String, TaskEntry>,
}

impl<'t> Contract<'t> {
    /// Holds all that the nodes of one scheduler told to a theory. The lease comes to the budget.
    pub fn of_cluster(theory: &'t Theory, params: Params, told: Vec<Told>) -> Self {
        let Ordered { facts, unfounded, mut unseen, grants, gaps, lease } = order(told);
        let b = params.b.saturating_add(lease.unsigned_abs());
        let mut contract = Self::new(theory, Params { b, ..params });
        let end = grants.intervals().map(|(_, last)| last).last();
        contract.grants = Some(grants);
        for (first, last) in &gaps {
            let which =
                if first == last { first.to_string() } else { format!("{first} to {last}") };
            let kind = format!("told by no trace: fact {which}");
            Phenomenon::add(&mut contract.supernatural, &kind, 0);
        }
        let mut nodes = Nodes::default();
        let mut silent = Silent::of(&facts);
        // What was before anybody joined of whom there is a trace, that one has found in the tables.
        let is_before = |fact: &&Told| !matches!(fact.what, ClusterFact::Joined { .. });
        let mut last: BTreeMap<String, i64> = BTreeMap::new();
        // The tasks of which it is not known whether somebody runs them.
        let mut unsure: BTreeSet<String> = BTreeSet::new();
        for fact in facts.iter().skip_while(is_before) {
            contract.reach(&mut nodes, fact.at);
            while let Some(passed) = unseen.first_entry().filter(|first| *first.key() <= fact.n) {
                for unseen in passed.remove() {
                    contract.unseen(&mut nodes, &unseen, fact.at);
                }
            }
            if let ClusterFact::Renewed { owed: 0, .. } = &fact.what {
                for id in silent.not_owed(fact.n, &gaps) {
                    let (start, run) = (None, None);
                    let paused = Unseen { id, start, run, is_orphaned: false, paused: Some(true) };
                    contract.unseen(&mut nodes, &paused, fact.at);
                }
            }
            // Of what only the fact after it tells, it may not be known what was before.
            let before = fact.what.id().and_then(|id| last.insert(id.to_owned(), fact.n));
            let is_between =
                |gap: &(i64, i64)| gap.0 < fact.n && before.is_none_or(|before| gap.1 > before);
            let is_unfounded = unfounded.contains(&fact.n) && gaps.iter().any(is_between);
            if let ClusterFact::Refused { id, me, fence } = &fact.what
                && nodes.counts(id, *me, *fence)
                && gaps.iter().any(is_between)
            {
                contract.watch.set_judging(false);
                contract.free_unseen(&mut nodes, id, true, fact.at);
                contract.watch.set_judging(true);
            }
            if let Some(id) = fact.what.id()
                && (is_unfounded || unsure.contains(id))
            {
                contract.watch.set_judging(false);
                if contract.suppose(&mut nodes, fact) {
                    unsure.remove(id);
                } else {
                    unsure.insert(id.to_owned());
                }
            }
            contract.fact(&mut nodes, fact);
            contract.watch.set_judging(true);
        }
        if let Some(end) = end {
            contract.reach(&mut nodes, end);
            let time = contract.moment(end);
            contract.step(time, 0, Vec::new());
        }
        contract
    }

    /// Something must have been before that nobody told: a run was interrupted, somebody asked for this one, and it was
    /// started. Says whether it is known now who runs the task.
    fn suppose(&mut self, nodes: &mut Nodes, Told { at, what, .. }: &Told) -> bool {
        let (id, run) = match what {
            ClusterFact::Started { id, .. } => (id, None),
            ClusterFact::Ended { id, me, fence, .. }
            | ClusterFact::Interrupted { id, me, fence, .. } => {
                if nodes.counts(id, *me, *fence) {
                    return true;
                }
                (id, Some((*me, *fence)))
            }
            ClusterFact::Refused { .. }
            | ClusterFact::Triggered { .. }
            | ClusterFact::Paused { .. }
            | ClusterFact::Resumed { .. }
            | ClusterFact::PutOff { .. } => return false,
            ClusterFact::Joined { .. }
            | ClusterFact::Renewed { .. }
            | ClusterFact::Served { .. }
            | ClusterFact::Left { .. }
            | ClusterFact::Lost { .. } => return true,
        };
        self.clear_unseen(nodes, id, *at);
        if let Some((me, fence)) = run {
            self.start_unseen(id, *at, *at);
            nodes.holders.insert(id.clone(), (me, fence));
            nodes.highest.insert(id.clone(), fence);
        }
        true
    }

    /// A run was interrupted if there was one, and somebody asked for another.
    fn clear_unseen(&mut self, nodes: &mut Nodes, id: &str, at: Millis) {
        let (time, x) = (self.moment(at), self.known(id));
        if nodes.holders.remove(id).is_some() {
            self.pulse(time, vec![(What::Interrupted(x), not_told("Interrupted", id))]);
        }
        self.pulse(time, vec![(What::Triggered(x), not_told("Triggered", id))]);
    }

    /// A task was started then, of which it is known at an instant.
    fn start_unseen(&mut self, id: &str, start: Millis, at: Millis) {
        let (time, x) = (self.moment(at), self.known(id));
        self.start(id, x, start, time);
        self.pulse(time, vec![(What::RunStart(x), not_told("Started", id))]);
    }

    /// The run under way was interrupted, or has ended well, and whoever did it did not tell.
    fn free_unseen(&mut self, nodes: &mut Nodes, id: &str, is_orphaned: bool, at: Millis) {
        self.free(nodes, id);
        let (time, x) = (self.moment(at), self.known(id));
        let (what, word) = match is_orphaned {
            true => (What::Interrupted(x), "Interrupted"),
            false => (What::RunSuccess(x), "Succeeded"),
        };
        self.pulse(time, vec![(what, not_told(word, id))]);
    }

    /// Nobody runs a task any more.
    fn free(&mut self, nodes: &mut Nodes, id: &str) {
        nodes.holders.remove(id);
        if let Some(known) = self.ids.get_mut(id) {
            known.running = None;
        }
    }

    /// What nobody told happened by then.
    fn unseen(&mut self, nodes: &mut Nodes, unseen: &Unseen, at: Millis) {
        let Unseen { id, start, run, is_orphaned, paused } = unseen;
        self.watch.set_judging(false);
        if let Some(start) = start {
            self.clear_unseen(nodes, id, at);
            self.start_unseen(id, *start, at);
            if let Some((me, fence)) = run {
                nodes.holders.insert(id.clone(), (*me, *fence));
                nodes.highest.insert(id.clone(), *fence);
            } else {
                self.free_unseen(nodes, id, *is_orphaned, at);
            }
        }
        match paused {
            Some(true) => self.happen(at, &TaskFact::Paused(id.clone())),
            Some(false) => self.happen(at, &TaskFact::Resumed(id.clone())),
            None => {}
        }
        self.watch.set_judging(true);
    }

    /// What one node tells while it happens, held to those axioms that need no other node.
    pub fn of_node(theory: &'t Theory) -> Self {
        let mut contract = Self::new(theory, theory.params());
        contract.grants = Some(Grants::default());
        for (axiom, reported) in theory.axioms().iter().zip(&mut contract.reported) {
            *reported = !OF_ONE_NODE.contains(&axiom.name.as_str());
        }
        contract
    }

    /// What its database told a node.
    pub fn tell_of_node(&mut self, told: &Told) {
        let mut nodes = std::mem::take(&mut self.nodes);
        if nodes.lists > 0 || matches!(told.what, ClusterFact::Joined { .. }) {
            let mut told = told.clone();
            if let Some(before) = told.what.before().and_then(Option::take) {
                nodes.know(&before.what);
            }
            self.fact(&mut nodes, &told);
        }
        self.nodes = nodes;
    }

    /// Whether one node has violated what it can judge.
    pub fn violates(&self) -> bool {
        let mut axioms = self.theory.axioms().iter().zip(self.watch.violations());
        axioms.any(|(axiom, found)| found.is_some() && OF_ONE_NODE.contains(&axiom.name.as_str()))
    }

    /// Lets leases run out up to an instant.
    fn reach(&mut self, nodes: &mut Nodes, at: Millis) {
        let over = |(_, node): &(&i64, &mut Node)| !node.has_lapsed && node.until <= at;
        let mut over: Vec<(&i64, &mut Node)> = nodes.nodes.iter_mut().filter(over).collect();
        over.sort_by_key(|(me, node)| (node.until, **me));
        for (me, node) in over {
            node.has_lapsed = true;
            let held = nodes.holders.iter().filter(|(_, (holder, _))| holder == me);
            let held: Vec<&str> = held.map(|(id, _)| id.as_str()).collect();
            if held.is_empty() {
                continue;
            }
            let time = self.moment(node.until);
            let pulses = held.iter().map(|id| {
                let text = format!("Lapsed {} by node {me}", id.escape_debug());
                (What::Lapsed(self.known(id)), text)
            });
            let pulses = pulses.collect();
            self.pulse(time, pulses);
        }
    }

    fn fact(&mut self, nodes: &mut Nodes, Told { n, at, what }: &Told) {
        let at = *at;
        if at < self.latest {
            let time = self.moment(self.time);
            self.pulse(time, vec![(What::SetBack, "SetBack".into())]);
            self.latest = at;
        }
        if let ClusterFact::Joined { me, until, in_force, list, knows, .. } = what {
            if self.is_empty() && *n > 1 {
                self.begin_in_the_midst(nodes, knows, at);
            }
            let by_id = list.iter().map(|entry| (entry.id.clone(), entry.clone())).collect();
            nodes.nodes.insert(*me, Node { until: *until, has_lapsed: false, list: by_id });
            let list: BTreeSet<TaskEntry> = list.iter().cloned().collect();
            if *in_force && (list != nodes.list || nodes.lists == 0) {
                nodes.lists += 1;
                let (call, list) = (nodes.lists, std::mem::replace(&mut nodes.list, list));
                drop(list);
                let list = nodes.list.iter().cloned().collect();
                let start = TaskFact::InitStart { call, list, valid: true, concurrency: None };
                self.happen(at, &start);
                self.happen(at, &TaskFact::InitSuccess { call });
            }
        }
        self.latest = self.latest.max(at);
        let time = self.moment(at);
        let text = format!("{n} {}", what.describe());
        match what {
            ClusterFact::Served { .. } => {}
            ClusterFact::Joined { knows, .. } => {
                let runs: BTreeMap<&str, Option<(i64, i64)>> =
                    knows.iter().map(|known| (known.id.as_str(), known.run)).collect();
                let is_known = |id: &str, run| runs.get(id).copied().flatten() == Some(run);
                self.end_unseen(nodes, time, |id, run| !is_known(id, run));
            }
            ClusterFact::Renewed { me, until, nodes: there, .. } => {
                nodes.renew(*me, *until);
                let youngest = there.iter().max().copied().unwrap_or_default();
                let is_gone = |me: i64| me < youngest && !there.contains(&me);
                nodes.nodes.retain(|me, _| !is_gone(*me));
                self.end_unseen(nodes, time, |_, (me, _)| is_gone(me));
            }
            ClusterFact::Left { me } => drop(nodes.nodes.remove(me)),
            ClusterFact::Lost { me, ran, .. } => {
                nodes.nodes.remove(me);
                let is_over = |id: &str| !ran.iter().any(|ran| ran == id);
                self.end_unseen(nodes, time, |id, (by, _)| by == *me && is_over(id));
            }
            ClusterFact::Started { id, me, fence, until, .. } => {
                nodes.renew(*me, *until);
                let entry = nodes.nodes.get(me).and_then(|node| node.list.get(id)).cloned();
                let x = match &entry {
                    Some(entry) => self.registration(entry),
                    None => self.known(id),
                };
                let highest = nodes.highest.get(id).copied().unwrap_or(i64::MIN);
                let mut events = vec![What::RunStart(x)];
                events.extend((*until > at).then_some(What::Leased(x)));
                events.extend((*fence > highest).then_some(What::Fenced(x)));
                self.start(id, x, at, time);
                nodes.holders.insert(id.clone(), (*me, *fence));
                nodes.highest.insert(id.clone(), highest.max(*fence));
                self.show(time, 0, events, text);
            }
            ClusterFact::Ended { id, me, fence, until, failed, retry, .. } => {
                nodes.renew(*me, *until);
                let x = self.known(id);
                // The delay of a retry is the one that the database said.
                let declared = self.retry_delay(id);
                let delay = retry.map_or(i64::MAX / 4, |retry| retry.saturating_sub(at));
                let late = if *failed { declared.saturating_sub(delay) } else { 0 };
                let mut events =
                    vec![if *failed { What::RunFailure(x) } else { What::RunSuccess(x) }];
                events.extend((*until > at).then_some(What::Leased(x)));
                events.extend(nodes.counts(id, *me, *fence).then_some(What::Fenced(x)));
                self.free(nodes, id);
                self.show(time, late, events, text);
            }
            ClusterFact::Refused { id, me, fence } => {
                let x = self.known(id);
                let mut events = vec![What::Refused(x)];
                events.extend(nodes.counts(id, *me, *fence).then_some(What::Fenced(x)));
                self.show(time, 0, events, text);
            }
            ClusterFact::Interrupted { id, me, fence, why, .. } => {
                let x = self.known(id);
                let is_over = nodes.nodes.get(me).is_none_or(|node| node.until <= at);
                let is_excused = nodes.counts(id, *me, *fence)
                    && match why {
                        Why::Lapsed => is_over,
                        Why::Left | Why::Replaced | Why::GivenBack | Why::Unknown => true,
                    };
                let mut events = vec![What::Interrupted(x)];
                events.extend(is_excused.then_some(What::Excused(x)));
                self.free(nodes, id);
                self.show(time, 0, events, text);
            }
            ClusterFact::Triggered { id, .. } => {
                self.change_hold(id, time, |known| known.put_off = None);
                self.happen(at, &TaskFact::Triggered(id.clone()));
            }
            ClusterFact::Paused { id, .. } => {
                self.happen(at, &TaskFact::Paused(id.clone()));
                self.change_hold(id, time, |known| known.put_off = None);
            }
            ClusterFact::Resumed { id, .. } => {
                self.change_hold(id, time, |known| known.put_off = None);
                self.happen(at, &TaskFact::Resumed(id.clone()));
            }
            ClusterFact::PutOff { id, until, .. } => {
                self.happen(at, &TaskFact::PutOff { id: id.clone(), until: *until });
            }
        }
    }

    /// Some runs are over, and whoever was told of their ends did not live to say how.
    fn end_unseen(
        &mut self,
        nodes: &mut Nodes,
        time: Millis,
        is_over: impl Fn(&str, (i64, i64)) -> bool,
    ) {
        let over = nodes.holders.iter().filter(|(id, run)| is_over(id, **run));
        let over: Vec<String> = over.map(|(id, _)| id.clone()).collect();
        if over.is_empty() {
            return;
        }
        self.watch.set_judging(false);
        for id in over {
            nodes.holders.remove(&id);
            let registration = self.known(&id);
            let text = format!("ended, nobody knows how: {}", id.escape_debug());
            self.pulse(time, vec![(What::RunSuccess(registration), text)]);
        }
        self.watch.set_judging(true);
    }

    /// Begins with what the tables knew when the first node joined of whom there is a trace.
    fn begin_in_the_midst(&mut self, nodes: &mut Nodes, knows: &[Known], at: Millis) {
        let states = knows.iter().filter_map(|known| {
            Some((known.id.as_str(), serde_json::from_str::<State>(&known.state).ok()?))
        });
        let states: BTreeMap<&str, State> = states.collect();
        self.begin_with(&states, at);
        let time = self.moment(at);
        self.watch.set_judging(false);
        for known in knows {
            let x = self.known(&known.id);
            match known.run {
                Some((me, fence)) => {
                    nodes.holders.insert(known.id.clone(), (me, fence));
                    nodes.highest.insert(known.id.clone(), fence);
                }
                None if states.get(known.id.as_str()).is_some_and(|state| state.orphaned) => {
                    let text = format!("before: Interrupted {}", known.id.escape_debug());
                    self.pulse(time, vec![(What::Interrupted(x), text)]);
                }
                None => {}
            }
        }
        self.watch.set_judging(true);
    }

    fn retry_delay(&self, id: &str) -> Millis {
        let of = |known: usize| {
            let mut entries = self.numbers.iter();
            entries.find(|(_, number)| **number == known).map_or(0, |(entry, _)| entry.retry_delay)
        };
        self.ids.get(id).map_or(0, |known| of(known.registration))
    }

    /// What happens at one position, in the words of one fact.
    fn show(&mut self, time: Millis, late: Millis, events: Vec<What>, text: String) {
        let number = self.note(time, text);
        self.step(time, late, events.into_iter().map(|what| (number, what)).collect());
    }
}

fn not_told(word: &str, id: &str) -> String {
    format!("not told: {word} {}", id.escape_debug())
}

impl Nodes {
    fn renew(&mut self, me: i64, until: Millis) {
        if let Some(node) = self.nodes.get_mut(&me)
            && node.until < until
        {
            (node.until, node.has_lapsed) = (until, false);
        }
    }

    /// Another node may have given a fence.
    fn know(&mut self, what: &ClusterFact) {
        if let ClusterFact::Started { id, fence, .. } | ClusterFact::Ended { id, fence, .. } = what
        {
            let highest = self.highest.entry(id.clone()).or_insert(*fence);
            *highest = (*highest).max(*fence);
        }
    }

    /// Whether a fence is the one of the run under way, and of that node.
    fn counts(&self, id: &str, me: i64, fence: i64) -> bool {
        self.holders.get(id) == Some(&(me, fence))
            && self.highest.get(id).is_none_or(|highest| *highest == fence)
    }
}

/// All facts in the order of the database.
struct Ordered {
    facts: Vec<Told>,
    /// Those that only the next fact about the same task tells, without what was before them.
    unfounded: BTreeSet<i64>,
    /// What nobody told, by the number before which it had not happened.
    unseen: BTreeMap<i64, Vec<Unseen>>,
    grants: Grants,
    /// The numbers that nobody told.
    gaps: Vec<(i64, i64)>,
    lease: Millis,
}

fn order(told: Vec<Told>) -> Ordered {
    let mut numbered: BTreeMap<i64, Told> = BTreeMap::new();
    let mut others = Vec::new();
    let mut founded = BTreeSet::new();
    let mut before = Vec::new();
    let mut served = Vec::new();
    let mut lease = 0;
    for mut told in told {
        let mut latest = told.what.before().and_then(Option::take);
        while let Some(mut earlier) = latest {
            latest = earlier.what.before().and_then(Option::take);
            if latest.is_some() {
                founded.insert(earlier.n);
            }
            before.push(earlier);
        }
        match &told.what {
            ClusterFact::Served { since, .. } => served.push((*since, told.at)),
            ClusterFact::Joined { lease: longest, .. } => lease = lease.max(*longest),
            _ => {}
        }
        if told.what.is_numbered() {
            numbered.insert(told.n, told);
        } else {
            others.push(told);
        }
    }
    // What was before the first that was told is no part of these traces.
    let first = numbered.first_key_value().map_or(1, |(first, _)| *first);
    let mut unfounded = BTreeSet::new();
    for told in before {
        if told.n >= first && !numbered.contains_key(&told.n) {
            if !founded.contains(&told.n) {
                unfounded.insert(told.n);
            }
            numbered.insert(told.n, *told);
        }
    }
    // The last facts may have been told by nobody, but others that change nothing have their number.
    let last = others.iter().map(|told| told.n + 1).max();
    let last = last.filter(|last| numbered.last_key_value().is_none_or(|(n, _)| n < last));
    let mut gaps = Vec::new();
    for (one, next) in numbered.keys().zip(numbered.keys().skip(1).chain(&last)) {
        if one + 1 < *next {
            gaps.push((one + 1, next - 1));
        }
    }
    let unseen = unseen(&numbered, &gaps);
    others.sort_by_key(|told| (told.n, told.at));
    let mut facts = Vec::with_capacity(numbered.len() + others.len());
    let mut others = others.into_iter().peekable();
    for (n, told) in numbered {
        while let Some(other) = others.next_if(|other| other.n < n) {
            facts.push(other);
        }
        facts.push(told);
    }
    facts.extend(others);
    Ordered { facts, unfounded, unseen, grants: Grants::new(served), gaps, lease }
}

/// What happened to tasks though nobody told it, as nodes that joined later found them: by one of the numbers that
/// nobody told, before which it had not happened.
fn unseen(numbered: &BTreeMap<i64, Told>, gaps: &[(i64, i64)]) -> BTreeMap<i64, Vec<Unseen>> {
    let mut known: BTreeMap<&str, LastKnown> = BTreeMap::new();
    let mut unseen: BTreeMap<i64, Vec<Unseen>> = BTreeMap::new();
    for (n, told) in numbered {
        if let ClusterFact::Joined { knows, .. } = &told.what {
            for task in knows {
                let Ok(state) = serde_json::from_str::<State>(&task.state) else { continue };
                let start = state.last.map(|last| last.start);
                let found = LastKnown { n: *n, start, is_paused: state.paused };
                let Some(before) = known.insert(&task.id, found) else { continue };
                let is_in = |gap: &&(i64, i64)| gap.1 > before.n && gap.0 < *n;
                let Some(gap) = gaps.iter().find(is_in) else { continue };
                let start = start.filter(|start| before.start.is_none_or(|was| was < *start));
                let paused = Some(state.paused).filter(|paused| *paused != before.is_paused);
                if start.is_some() || paused.is_some() {
                    let (id, run, is_orphaned) = (task.id.clone(), task.run, state.orphaned);
                    let what = Unseen { id, start, run, is_orphaned, paused };
                    unseen.entry(gap.0).or_default().push(what);
                }
            }
        } else if let Some(known) = told.what.id().and_then(|id| known.get_mut(id)) {
            known.n = *n;
            match &told.what {
                ClusterFact::Started { .. } => known.start = Some(told.at),
                ClusterFact::Paused { .. } => known.is_paused = true,
                ClusterFact::Resumed { .. } => known.is_paused = false,
                ClusterFact::Joined { .. }
                | ClusterFact::Renewed { .. }
                | ClusterFact::Served { .. }
                | ClusterFact::Left { .. }
                | ClusterFact::Lost { .. }
                | ClusterFact::Ended { .. }
                | ClusterFact::Refused { .. }
                | ClusterFact::Interrupted { .. }
                | ClusterFact::Triggered { .. }
                | ClusterFact::PutOff { .. } => {}
            }
        }
    }
    unseen
}

/// The tasks by the last fact that is told of them, be it that a node joined and found them.
struct Silent(Vec<(i64, String)>);

impl Silent {
    fn of(facts: &[Told]) -> Self {
        let mut last: BTreeMap<&str, i64> = BTreeMap::new();
        for fact in facts {
            if let ClusterFact::Joined { knows, .. } = &fact.what {
                last.extend(knows.iter().map(|known| (known.id.as_str(), fact.n)));
            } else if let Some(id) = fact.what.id().filter(|_| fact.what.is_numbered()) {
                last.insert(id, fact.n);
            }
        }
        Self(last.into_iter().map(|(id, n)| (n, id.to_owned())).collect())
    }

    /// Those that are held, if nothing is owed when the database has come to that number: something happened that nobody
    /// told, and nothing is told of them any more. Each is given once.
    fn not_owed(&mut self, n: i64, gaps: &[(i64, i64)]) -> Vec<String> {
        let has_gap = |last: i64| gaps.iter().any(|gap| gap.1 > last && gap.0 <= n);
        let is_held = |(last, _): &mut (i64, String)| *last <= n && has_gap(*last);
        self.0.extract_if(.., is_held).map(|(_, id)| id).collect()
    }
}

/// What is known of a task by the fact with that number, which brought along what was before it.
struct LastKnown {
    n: i64,
    start: Option<Millis>,
    is_paused: bool,
}

/// What nobody told of a task, and somebody who joined found.
#[derive(Clone, Debug)]
struct Unseen {
    id: String,
    /// It was started then.
    start: Option<Millis>,
    /// Who runs it.
    run: Option<(i64, i64)>,
    /// Whether the run was interrupted.
    is_orphaned: bool,
    /// It was paused, or resumed.
    paused: Option<bool>,
}
