//! The instants at which an expression is due in a zone.

use super::fields::Cron;
use super::zone::{LAST_SECOND, Segment, Zone};
use serde::{Deserialize, Serialize};

/// What becomes of minutes that a clock skips or shows twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dst {
    /// As the theory has it: a skipped minute does not happen, a repeated one happens twice.
    #[default]
    Theory,
    /// A fixed time that is skipped is due right after the gap, and a repeated one is due once, the
    /// first time. An expression with a `*` in its minute or its hour goes by the theory all the same:
    /// it says how often, not when.
    Once,
}

/// When a task is due: whole seconds since 1970.
#[derive(Clone, Debug)]
pub struct Dues {
    cron: Cron,
    zone: Zone,
    once: bool,
}

impl Dues {
    /// An expression on the clock of a zone.
    pub fn new(cron: Cron, zone: Zone, dst: Dst) -> Self {
        let once = dst == Dst::Once && cron.has_fixed_time();
        Self { cron, zone, once }
    }

    /// The expression.
    pub fn cron(&self) -> &Cron {
        &self.cron
    }

    /// The zone.
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// Whether a time that a clock skips is due after the gap, and one that it repeats the first time only.
    pub fn is_once(&self) -> bool {
        self.once
    }

    /// The first due at or after an instant; none after [`LAST_SECOND`].
    pub fn at_or_after(&self, second: i64) -> Option<i64> {
        if self.cron.is_never() {
            return None;
        }
        let mut segment = self.zone.segment(second);
        let mut from = second.max(segment.start);
        // The first minute of the calendar at or after `searched`.
        let (mut searched, mut found) = (i64::MAX, i64::MIN);
        while from <= LAST_SECOND {
            let (first, gap) = self.bounds(segment);
            if gap && from == segment.start {
                return Some(from);
            }
            let local = (from + segment.offset).max(first);
            if !(searched..=found).contains(&local) {
                (searched, found) = (local, self.cron.second_from(local));
            }
            let due = found - segment.offset;
            if due < segment.end {
                return (due <= LAST_SECOND).then_some(due);
            }
            from = segment.end;
            segment = self.zone.segment(from);
        }
        None
    }

    /// The last due before an instant; none before the first second that zones know.
    pub fn before(&self, second: i64) -> Option<i64> {
        if self.cron.is_never() {
            return None;
        }
        let mut to = second.min(LAST_SECOND + 1);
        let mut segment = self.zone.segment(to.saturating_sub(1));
        loop {
            if to <= segment.start {
                return None;
            }
            let (first, gap) = self.bounds(segment);
            let local = to + segment.offset;
            let due = self.cron.second_before(local);
            if due >= first && due - segment.offset >= segment.start {
                return Some(due - segment.offset);
            }
            if gap {
                return Some(segment.start);
            }
            to = segment.start;
            segment = self.zone.segment(to - 1);
        }
    }

    /// The local time from which on a segment shows what no other showed before, and whether a time
    /// was skipped right before it. Both matter only to fixed times that are due once.
    fn bounds(&self, segment: Segment) -> (i64, bool) {
        let start = segment.start + segment.offset;
        if !self.once {
            return (start, false);
        }
        let shown = segment.start + segment.before;
        let skipped = shown < start && self.cron.second_from(shown) < start;
        (start.max(shown), skipped)
    }
}
