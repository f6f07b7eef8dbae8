//! The next statement of a function, or of one that called it.

use super::goal::Stepping;
use super::session::Here;
use std::collections::BTreeSet;

/// Where a step over or out began.
///
/// How deep a call is, is told by the engine's own stack: a function that is called from another is
/// further down. What it is that runs is told by its frame, which an async function keeps while it waits.
pub(super) struct Start {
    stepping: Stepping,
    identity: usize,
    depth: usize,
    epoch: u64,
    is_async: bool,
    /// Whether the function waits before its next statement, if it has one.
    waits: bool,
    /// Async functions that were called since: who waited for the one that was stepped out of is none of
    /// them.
    younger: BTreeSet<usize>,
}

impl Start {
    pub(super) fn new(stepping: Stepping, here: &Here) -> Option<Self> {
        let activation = here.activation?;
        let is_async = activation.is_async();
        let waits = is_async && here.statement.suspends && stepping == Stepping::Over;
        // After its last statement a function has none.
        let ends = waits && here.statement.is_last;
        Some(Self {
            stepping: if ends { Stepping::Out } else { stepping },
            identity: activation.identity(),
            depth: here.depth,
            epoch: here.epoch,
            is_async,
            waits,
            younger: BTreeSet::new(),
        })
    }

    /// Whether the statement is the one.
    pub(super) fn is_reached(&mut self, here: &Here) -> bool {
        let Some(activation) = here.activation else { return true };
        let identity = activation.identity();
        let is_first = here.statement.is_first;
        let is_async = activation.is_async();
        if is_async && is_first {
            self.younger.insert(identity);
        }
        if identity == self.identity && !is_first && (self.is_async || here.epoch == self.epoch) {
            return self.stepping == Stepping::Over;
        }
        if here.epoch == self.epoch {
            return !self.waits && here.depth > self.depth;
        }
        if !self.is_async {
            return true;
        }
        let has_awaiter = is_async && !is_first && !self.younger.contains(&identity);
        has_awaiter && (self.stepping == Stepping::Out || !self.waits)
    }
}
