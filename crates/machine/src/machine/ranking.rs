//! Levels of timers, and the candidates of the strategy that ranks.

use super::Machine;
use crate::host::Host;
use crate::language::Language;
use crate::priority::{Estimate, Level, Rank, Site};
use crate::strategy::{Batch, Candidate, Fit};
use crate::timers::Handle;
use hemiola_lineage::Row;
use hemiola_time::Instant;

impl<L: Language> Machine<L> {
    /// Notes the level that a new timer inherits.
    pub(crate) fn note_level(&mut self, handle: Handle) {
        if self.current.level != Level::default() {
            self.levels.insert(handle, self.current.level);
        }
    }

    pub(super) fn level_of(&self, handle: Handle) -> Level {
        self.levels.get(&handle).copied().unwrap_or_default()
    }

    /// Forgets what is noted of a timer that will not run again.
    pub(crate) fn forget(&mut self, handle: Handle) {
        self.set_referenced(handle, true);
        if !self.levels.is_empty() {
            self.levels.remove(&handle);
        }
    }

    /// What is known of the costs of a site's callbacks: time, network and disk, of their own and with
    /// what they cause (rule PRIO-3). Only strategies that rank keep accounts.
    pub fn account(&self, site: Site) -> Option<&Row> {
        self.learned.account(site)
    }

    /// What is known of the time that callbacks of a site take (rule PRIO-3).
    pub fn estimate(&self, site: Site) -> Option<Estimate> {
        self.learned.estimate(site)
    }

    /// Gathers what is able to run, and says at what time it must be looked at again because of a
    /// deadline of something that is held back (rule PRIO-4).
    pub(super) fn rank(
        &mut self,
        now: Instant,
        due: bool,
        host: &impl Host<Language = L>,
        candidates: &mut Vec<Candidate>,
    ) -> Option<Instant> {
        let head = self.timers.head().map(|head| head.key.time);
        let next = head.filter(|_| !due);
        let timed = self.timers.first_of_head().map(|handle| self.level_of(handle));
        if due && let (Some(time), Some(level)) = (head, timed) {
            let rank = Rank { level, deadline: time, begins: false };
            let (batch, fit) = (Batch::Timed, Fit::Fits);
            candidates.push(Candidate { batch, rank, order: 0, fit });
        }
        let mut wake = None;
        let actions = self.actions;
        for (class, at, ready) in self.queues.all() {
            let urgency = ready.urgency;
            let rank = urgency.rank(now);
            // Only what is at least as urgent can ask to be waited for.
            let hinders = rank.level != Level::High
                && timed.is_some_and(|level| level <= rank.level)
                && next.is_some_and(|time| {
                    now + self.learned.expected(host.site(&ready.callback)) > time
                });
            let fit = if !hinders {
                Fit::Fits
            } else if *ready.held_at.get_or_insert(actions) == actions {
                Fit::Late
            } else {
                Fit::Patient
            };
            if fit == Fit::Late {
                wake = wake.into_iter().chain(urgency.deadline).chain(next).min();
            }
            let batch = Batch::Nth(class, at);
            candidates.push(Candidate { batch, rank, order: ready.task.0, fit });
        }
        wake
    }
}
