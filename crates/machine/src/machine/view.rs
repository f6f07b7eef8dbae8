//! What can be seen of a machine from outside.

use super::Machine;
use crate::language::Language;
use crate::queues::{Group, Ready};
use crate::strategy::Phase;
use crate::timers::Handle;
use hemiola_time::{Instant, Ordinal};
use hemiola_trace::{Class, Operation};
use std::collections::VecDeque;

impl<L: Language> Machine<L> {
    /// How many turns have begun: batches, phases' rounds or single callbacks, as the strategy has it.
    pub fn turns(&self) -> u64 {
        self.round.turn
    }

    /// How many callbacks have begun, the main program included.
    pub fn invocations(&self) -> u64 {
        self.invocations
    }

    /// Outstanding timed callbacks.
    pub fn pending_timers(&self) -> usize {
        self.timers.pending()
    }

    /// Distinct instants at which timed callbacks are pending, counted for each domain.
    pub fn distinct_tags(&self) -> usize {
        self.timers.distinct_tags()
    }

    /// Whether a release has not run for the last time yet.
    pub fn is_pending(&self, handle: Handle) -> bool {
        self.timers.is_pending(handle)
    }

    /// The callback of a release that is pending; nothing while it runs.
    pub fn released(&self, handle: Handle) -> Option<&L::Callback> {
        self.timers.callback(handle)
    }

    /// The logical time of a clock; nothing for a label that is not in use (rule TIME-13).
    pub fn clock(&self, label: &str) -> Option<Instant> {
        self.domains.find(label).map(|index| self.domains.get(index).clock)
    }

    /// The callbacks of a class that are able to run, oldest first.
    pub fn ready(&self, class: Class) -> &VecDeque<Ready<L>> {
        self.queues.queue(class)
    }

    /// How many callbacks of a class belong to the current turn.
    pub fn frozen(&self, class: Class) -> usize {
        self.queues.frozen(class)
    }

    /// The group that the current turn is in the middle of.
    pub fn open_group(&self) -> Option<(Class, Group)> {
        self.queues.open_group()
    }

    /// The phase, and whether promise jobs are being drained.
    pub fn phase(&self) -> (Phase, bool) {
        (self.round.phase, self.round.draining)
    }

    /// Whether the current turn still takes timed actions, and which: due at that instant, and their
    /// tag not younger than that ordinal.
    pub fn timed_turn(&self) -> Option<(Instant, Ordinal)> {
        self.round.timed.then_some((self.round.now, self.round.latest))
    }

    /// The operations that the world has not answered, oldest first.
    pub fn outstanding(&self) -> impl Iterator<Item = (Operation, Class, &L::Callback)> + '_ {
        self.outstanding
            .iter()
            .map(|(&operation, outstanding)| (operation, outstanding.class, &outstanding.callback))
    }

    /// How many pending timers keep the program alive, those whose callback runs included.
    pub fn referenced_timers(&self) -> usize {
        self.timers.pending() - self.unreferenced.len()
    }

    /// The callbacks of operations that keep the program alive, answered ones last.
    pub fn referenced(&self) -> impl Iterator<Item = &L::Callback> + '_ {
        let outstanding = self.outstanding.values().filter(|operation| operation.referenced);
        let answered = self.queues.queue(Class::Io).iter();
        let answered = answered.filter(|ready| ready.operation() != Operation::default());
        outstanding
            .map(|operation| &operation.callback)
            .chain(answered.map(|ready| &ready.callback))
    }

    /// The pending timed callbacks with the time at which they are due, in no order.
    pub fn pending(&self) -> impl Iterator<Item = (Instant, &L::Callback)> + '_ {
        self.timers.iter().map(|(key, callback)| (key.time, callback))
    }

    /// Whether a callback stands still in the middle.
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Whether the main program has not begun.
    pub fn is_new(&self) -> bool {
        self.main.is_some()
    }

    /// Whether ticks or promise jobs are left that belong to the last callback's tail.
    pub fn tail_is_pending(&self) -> bool {
        self.queues.len(Class::Tick) + self.queues.len(Class::Promise) > 0
    }
}
