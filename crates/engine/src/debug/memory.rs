//! Which statement each function on the stack began last.

use super::engine::Activation;
use super::session::Here;
use std::collections::BTreeMap;

/// What was remembered since the goal said so.
#[derive(Default)]
pub(super) struct Memory {
    /// The functions on the stack that have begun a statement, the innermost last.
    stack: Vec<Entry>,
    /// The last statements of async functions and generators, which leave the stack and come back.
    suspended: BTreeMap<usize, u64>,
}

struct Entry {
    identity: usize,
    depth: usize,
    epoch: u64,
    /// The statement that it is in, and the one before.
    last: u64,
    before: Option<u64>,
}

impl Memory {
    pub(super) fn forget(&mut self) {
        self.stack.clear();
        self.suspended.clear();
    }

    pub(super) fn note(&mut self, here: &Here) {
        let Some(activation) = here.activation else { return };
        let Here { step, depth, epoch, .. } = *here;
        let identity = activation.identity();
        // What is deeper has ended, and so has what ran in another callback.
        while self.stack.last().is_some_and(|top| top.epoch != epoch || top.depth < depth) {
            self.stack.pop();
        }
        let is_new = here.statement.is_first;
        let mut before = self.suspended.insert(identity, step).filter(|_| activation.suspends());
        if self.stack.last().is_some_and(|top| top.depth == depth) {
            let top = self.stack.pop();
            before = top.filter(|top| top.identity == identity).map(|top| top.last).or(before);
        }
        if !activation.suspends() {
            self.suspended.remove(&identity);
        }
        let before = before.filter(|_| !is_new);
        self.stack.push(Entry { identity, depth, epoch, last: step, before });
    }

    /// The statement that a function began last.
    pub(super) fn statement(&self, activation: Activation) -> Option<u64> {
        let identity = activation.identity();
        let entry = self.stack.iter().rfind(|entry| entry.identity == identity);
        entry.map(|entry| entry.last).or_else(|| self.suspended.get(&identity).copied())
    }

    /// The statement that one of these functions, the innermost first, began last before a step.
    pub(super) fn previous(
        &self,
        activations: impl Iterator<Item = Activation>,
        step: u64,
    ) -> Option<u64> {
        let entries = activations.filter_map(|activation| {
            let identity = activation.identity();
            let entry = self.stack.iter().rfind(|entry| entry.identity == identity)?;
            Some(entry.last).filter(|&last| last < step).or(entry.before)
        });
        entries.max()
    }
}
