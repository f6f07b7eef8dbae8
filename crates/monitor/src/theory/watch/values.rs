//! The values of formulas, position by position.

use super::{Instance, UNTOUCHED, Watch, bit, set};
use crate::theory::compile::{Level, Node, NodeId, Op};
use crate::theory::events::Position;
use std::mem::take;

impl Watch<'_> {
    /// Computes the formulas of one stage for an instance.
    pub(super) fn evaluate(
        &mut self,
        level: Level,
        index: usize,
        stage: usize,
        position: &Position,
    ) {
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

    /// Keeps what `some` and `full` ask for.
    pub(super) fn count(&mut self, id: NodeId, level: Level, old: bool, new: bool) {
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
        if let Some(value) = self.pure(node, instance, level, index) {
            return value;
        }
        let now = |id: NodeId| self.read(id, instance, level, index, false);
        match node.op {
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
            _ => unreachable!("every other formula keeps nothing but its value"),
        }
    }

    /// The value of a formula that keeps nothing but its value.
    pub(super) fn pure(
        &self,
        node: &Node,
        instance: &Instance,
        level: Level,
        index: usize,
    ) -> Option<bool> {
        let now = |id: NodeId| self.read(id, instance, level, index, false);
        Some(match node.op {
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
                self.some[node.extra] > 0
                    || level == Level::Call && bit(&self.untouched(level).now, slot)
            }
            Op::Full(_) => {
                let list = self.in_force.map(|list| &self.lists[list]);
                let most = list.and_then(|list| list.concurrency);
                most.is_some_and(|most| self.some[node.extra] as u64 >= most)
            }
            Op::Balance(..) | Op::Expired(_) => return None,
        })
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
    pub(super) fn read(
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
            (Level::Id, Level::Task) if index == UNTOUCHED => self.untouched(Level::Id),
            (Level::Id, Level::Task) => &self.ids[self.id_of[index]],
            (from, to) => unreachable!("a formula of {to:?} does not ask for one of {from:?}"),
        };
        // What was not looked at did not change.
        bit(if before && of.seen == self.step { &of.before } else { &of.now }, node.slot)
    }
}
