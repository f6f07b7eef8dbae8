//! Bounds of how long callbacks run (rule TIME-14).

use super::Context;
use crate::language::Language;
use crate::machine::Fault;
use hemiola_time::{Delay, Label};

impl<L: Language> Context<'_, L> {
    /// Lets callbacks of a label's actions, and of their tails, run for that long at most; without a limit
    /// for ever. As all that is settled for a label, it holds whether the label is in use or not.
    pub fn set_watchdog(&mut self, label: &str, limit: Option<Delay>) {
        self.machine.domains.set_watchdog(label, limit);
    }

    /// Whether anything bounds how long callbacks run.
    pub fn is_watched(&self) -> bool {
        self.machine.is_watched()
    }

    /// How long the running callback may run.
    pub fn may_run(&self) -> Option<Delay> {
        self.machine.within()
    }

    /// Whether the running callback has spent all the time that it may run, and is only to be interrupted.
    pub fn has_spent_all(&mut self) -> bool {
        self.machine.has_spent_all() || {
            // Nothing else may look at the clock here: a recording has every look.
            self.machine.has_script() && self.machine.is_script_past(self.gate.now())
        }
    }

    /// Begins a script in the running callback that may run for that long at most: it alone is interrupted.
    pub fn begin_script(&mut self, limit: Delay) {
        let now = self.gate.now();
        self.machine.begin_script(now, limit);
    }

    /// Ends the innermost script that has a limit: whether it is the one that was interrupted.
    pub fn end_script(&mut self) -> bool {
        self.machine.end_script()
    }

    /// The label whose watchdog is told when the running callback is interrupted. Of its own handler
    /// nobody is.
    pub fn guarded_by(&self) -> Option<Label> {
        if self.machine.is_fault_handler() {
            return None;
        }
        let domain = self.machine.current.domain?;
        let (label, _) = self.machine.domains.watchdog(domain)?;
        Some(label.clone())
    }

    /// Notes that the running callback was interrupted. Its action ends with it: what of that has not run
    /// will not, but for periodic callbacks, which come again. The handler is the next action, before all
    /// that waits.
    pub fn interrupted(&mut self, handler: Option<L::Callback>) {
        for member in self.machine.end_action() {
            self.clear(member);
        }
        let Some(handler) = handler else { return };
        let (by, domain) = (self.machine.current.invocation, self.machine.current.domain);
        self.machine.domains.hold(domain);
        self.machine.fault = Some(Fault { handler, by, domain });
    }
}
