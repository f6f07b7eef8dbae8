//! Levels of timers, and the candidates of the strategy that ranks.

use super::{Machine, Outstanding};
use crate::host::Host;
use crate::language::Language;
use crate::priority::{Awaited, Estimate, Level, Rank, Site, Standing};
use crate::strategy::{Batch, Candidate, Fit};
use crate::timers::Handle;
use hemiola_lineage::Row;
use hemiola_time::Instant;
use hemiola_trace::Medium;

impl<L: Language> Machine<L> {
    /// Notes what a new timer inherits.
    pub(crate) fn note_standing(&mut self, handle: Handle) {
        if self.current.standing != Standing::default() {
            self.standings.insert(handle, self.current.standing);
        }
    }

    pub(super) fn standing_of(&self, handle: Handle) -> Standing {
        self.standings.get(&handle).copied().unwrap_or_default()
    }

    /// Promotes what waits and is less urgent, and all that it will cause (rule PRIO-2); false when it does not
    /// wait any more.
    pub(crate) fn raise(&mut self, what: Awaited, level: Level) -> bool {
        match what {
            Awaited::Queued(task) | Awaited::Continued(task) => self.queues.raise(task, level),
            Awaited::Operation(operation) => match self.outstanding.get_mut(&operation) {
                Some(outstanding) => {
                    outstanding.standing = outstanding.standing.raised_to(level);
                    true
                }
                None => self.queues.raise_answered(operation, level),
            },
            Awaited::Timer(handle) => {
                let before = self.standing_of(handle);
                let raised = before.raised_to(level);
                let is_pending = self.is_pending(handle);
                if is_pending && raised != before {
                    self.standings.insert(handle, raised);
                }
                is_pending
            }
        }
    }

    /// Forgets what is noted of a timer that will not run again.
    pub(crate) fn forget(&mut self, handle: Handle) {
        self.set_referenced(handle, true);
        if !self.standings.is_empty() {
            self.standings.remove(&handle);
        }
    }

    /// What is known of the costs of a site's callbacks: time, network and disk, of their own and with
    /// what they cause (rule PRIO-3). Only strategies that rank keep accounts.
    pub fn account(&self, site: Site) -> Option<&Row> {
        self.learned.account(site)
    }

    /// Where the callback was written that runs, or whose tail does; only strategies that rank note it.
    pub fn running_site(&self) -> Option<Site> {
        self.learned.running_site()
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
        if let Some(time) = head.filter(|_| due) {
            // Its instant is its deadline, which has passed: nothing less urgent than that goes first.
            let rank = Rank { level: Level::High, deadline: time, begins: false };
            let (batch, fit) = (Batch::Timed, Fit::Fits);
            candidates.push(Candidate { batch, rank, order: 0, fit });
        }
        let mut wake = None;
        let mut under_way = None;
        let Self { actions, ref learned, ref outstanding, ref mut queues, .. } = *self;
        for (class, at, ready) in queues.all() {
            let rank = ready.rank(now);
            let fit = if rank.level == Level::High {
                Fit::Fits
            } else {
                let site = host.site(&ready.callback);
                let hinders = next.is_some_and(|time| now + learned.expected(site) > time);
                let mut burdens = |medium| {
                    learned.burdens(site, medium)
                        && under_way
                            .get_or_insert_with(|| most_urgent(outstanding.values()))
                            .get(medium as usize)
                            .is_some_and(|&level| level.is_some_and(|level| level < rank.level))
                };
                if hinders {
                    match ready.held_at(actions) == actions {
                        true => Fit::Late,
                        false => Fit::Patient,
                    }
                } else if burdens(Medium::Network) || burdens(Medium::Disk) {
                    Fit::Burdens
                } else {
                    Fit::Fits
                }
            };
            if fit == Fit::Late {
                let deadline = ready.urgency().deadline.into_iter();
                let deadline = deadline.chain(ready.standing().promotion());
                wake = wake.into_iter().chain(deadline).chain(next).min();
            }
            let batch = Batch::Nth(class, at);
            candidates.push(Candidate { batch, rank, order: ready.task.0, fit });
        }
        wake
    }
}

/// The most urgent of the operations that use the network, and of those that use the disk.
fn most_urgent<'a, C: 'a>(
    operations: impl Iterator<Item = &'a Outstanding<C>>,
) -> [Option<Level>; 2] {
    let mut levels = [None; 2];
    for Outstanding { medium, standing, .. } in operations {
        if let Some(medium) = *medium {
            let most = &mut levels[medium as usize];
            *most = Some(most.map_or(standing.level, |most: Level| most.min(standing.level)));
        }
    }
    levels
}
