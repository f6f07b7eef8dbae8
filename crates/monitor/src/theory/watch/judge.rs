//! The demands of the axioms, and what became of them.

use super::{Instance, Pending, UNTOUCHED, Watch};
use crate::theory::compile::{Demand, Level, NodeId, Params};
use crate::theory::events::Position;
use crate::theory::report::{Subject, Violation, Wait};
use crate::theory::syntax::Size;
use std::collections::BTreeSet;
use std::mem::take;

impl Watch<'_> {
    /// Holds what was looked at to the demands.
    pub(super) fn judge(&mut self, dirty: &BTreeSet<(Level, usize)>, position: &Position) {
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
            // Calls are forgotten when they are over, and so are what they began with.
            if rule.level != Level::Call {
                self.hold(number, UNTOUCHED, position, &mut met);
            }
        }
        // Compute may have run out for instances that nothing happened to.
        while let Some(&(limit, rule, index)) =
            self.limits.first().filter(|(limit, ..)| *limit < granted)
        {
            self.limits.remove(&(limit, rule, index));
            let place = theory.rules[rule].place;
            let level = theory.rules[rule].level;
            let since = self.instance(level, index).and_then(|of| {
                let Pending { since, onset, .. } = take(&mut of.pending[place]);
                of.pending[place].onset = onset;
                since
            });
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
        let mut took = None;
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
                let granted = position.granted + u64::from(position.computes);
                if void {
                    took = pending.onset.map(|onset| granted.saturating_sub(onset));
                }
                if void && let Pending { since, limit: Some(limit), .. } = take(pending) {
                    self.limits.remove(&(limit, number, index));
                    violated = (limit < granted).then_some(since);
                }
                if from {
                    pending.since = pending.since.or(self.last_event).or(Some(0));
                    pending.onset = pending.onset.or(limit.map(|_| position.granted));
                    if let Some(limit) = limit
                        && pending.limit.is_none_or(|known| limit < known)
                    {
                        if let Some(known) = pending.limit.replace(limit) {
                            self.limits.remove(&(known, number, index));
                        }
                        if index != UNTOUCHED {
                            self.limits.insert((limit, number, index));
                        }
                    }
                }
                if goal && (pending.since.is_some() || pending.onset.is_some()) {
                    took = took.max(pending.onset.map(|onset| granted.saturating_sub(onset)));
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
        if self.judges && index != UNTOUCHED {
            self.needs = self.needs.max(took.unwrap_or(0));
        }
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
        if self.violations[rule.axiom].is_some() || index == UNTOUCHED || !self.judges {
            return;
        }
        let subject = self.subject(rule.level, index);
        let recent =
            self.instance(rule.level, index).map(|of| of.recent.clone()).unwrap_or_default();
        let mut events: BTreeSet<u32> = recent.into_iter().chain(since).collect();
        events.extend(position.events.iter().map(|(number, _)| *number).chain(position.event));
        self.violations[rule.axiom] = Some(Violation {
            step: self.step,
            time: position.time,
            event: self.last_event,
            subject,
            events: events.into_iter().collect(),
            awaited: matches!(rule.demand, Demand::Eventually { .. }).then(|| rule.goal.clone()),
        });
    }

    /// How many units anything awaited took, or takes already: the least budget that nothing here exceeds.
    pub(super) fn needed(&self) -> u64 {
        let instances = self.ids.iter().chain(&self.registrations).chain(self.calls.values());
        let open = instances.chain([&self.global]).flat_map(|of| &of.pending);
        let spent = open.filter_map(|pending| pending.onset).map(|onset| self.granted - onset);
        spent.max().unwrap_or(0).max(self.needs)
    }

    fn subject(&self, level: Level, index: usize) -> Option<Subject> {
        match level {
            Level::Global => None,
            Level::Id => Some(Subject::Id(self.tasks[self.tasks_of[index][0]].id.clone())),
            Level::Task => Some(Subject::Task(self.tasks[index].name.clone())),
            Level::Call => Some(Subject::Call(index as u32)),
        }
    }

    /// What is still awaited by which axiom.
    pub(super) fn waits(&self) -> Vec<Wait> {
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
                        spent: pending.limit.zip(pending.onset).map(|(limit, onset)| {
                            (self.granted.saturating_sub(onset), limit.saturating_sub(onset))
                        }),
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
                    spent: None,
                    never: false,
                });
            }
        }
        waits
    }
}
