//! Whether a program is over.

use super::Machine;
use crate::language::Language;
use crate::timers::Handle;
use hemiola_trace::Class;

impl<L: Language> Machine<L> {
    /// Whether anything is outstanding that the program wants to wait for.
    pub(super) fn is_alive(&self) -> bool {
        self.timers.pending() > self.unreferenced.len()
            || self.outstanding.values().any(|operation| operation.referenced)
            || self.kept_alive > 0
    }

    /// Whether nothing keeps the program alive: then what is left does not run in another turn.
    pub(super) fn is_over(&self) -> bool {
        let lazy = self.unreferenced_ready > 0 || !self.unreferenced.is_empty();
        lazy && !self.is_alive()
            && Class::ALL.map(|class| self.queues.len(class)).iter().sum::<usize>()
                == self.unreferenced_ready
    }

    /// Says whether a pending timer keeps the program alive.
    pub(crate) fn set_referenced(&mut self, handle: Handle, referenced: bool) {
        if referenced {
            if !self.unreferenced.is_empty() {
                self.unreferenced.remove(&handle);
            }
        } else if self.timers.is_pending(handle) {
            self.unreferenced.insert(handle);
        }
    }
}
