//! Which dues a task owes, on a clock that somebody may set (rule SCHED-8).
//!
//! A minute happens when the clock comes to show it: at its beginning, or in its midst if the clock was set into it.
//! So what is skipped does not happen, and what is shown again happens again. A task that is due `once` makes up for
//! what is skipped, and has nothing again.

use crate::cron::Dues;

/// Milliseconds since 1970.
pub type Millis = i64;

const MINUTE: Millis = 60_000;

/// So many stretches of time are kept that the clock has shown since the last start; each takes somebody who sets it
/// over the end of a minute.
const MOST_STRETCHES: usize = 64;

/// Which dues are owed: those of what the clock has shown since an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// The last start, or the first coming.
    pub(crate) since: Millis,
    /// If the clock was set since: it shows what is after this.
    pub(crate) set_at: Option<Millis>,
    /// What it has shown before: after an instant, and up to another.
    pub(crate) shown: Vec<(Millis, Millis)>,
}

impl Count {
    pub(crate) fn new(since: Millis) -> Self {
        Self { since, set_at: None, shown: Vec::new() }
    }

    /// The instant after which the clock, as it stands, shows what counts.
    pub(crate) fn after(&self) -> Millis {
        self.set_at.unwrap_or(self.since)
    }

    /// The last due that is owed at an instant.
    pub(crate) fn owed_at(&self, dues: &Dues, now: Millis) -> Option<Millis> {
        let within = |after: Millis, end: Millis| last_due(dues, end).filter(|due| *due > after);
        let before = || self.shown.iter().rev().find_map(|&(after, end)| within(after, end));
        within(self.after(), now).or_else(before)
    }

    /// A run starts, and serves all that is owed. What `once` has seen is not due again, though the clock was set back.
    pub(crate) fn started(&mut self, dues: &Dues, now: Millis) {
        let seen = Some(self.after()).filter(|after| dues.is_once() && *after > now);
        *self = Self { since: now, set_at: seen, shown: Vec::new() };
    }

    /// The clock, which would show `from`, shows `to` instead.
    pub(crate) fn clock_set(&mut self, dues: &Dues, from: Millis, to: Millis) {
        if dues.is_once() {
            // What was skipped is made up for, and nothing counts that was seen before.
            if to < from {
                self.has_shown(from);
                self.set_at = Some(self.after().max(from));
            }
        } else {
            self.has_shown(from);
            let is_same = minute_of(from) == minute_of(to);
            self.set_at = Some(if is_same { to } else { minute_of(to) - 1 });
        }
    }

    fn has_shown(&mut self, end: Millis) {
        let after = self.after();
        match self.shown.last_mut() {
            // Nothing is due between them.
            Some((first, last)) if *first <= after && minute_of(after) <= minute_of(*last) => {
                *last = end.max(*last);
            }
            _ if after < end => self.shown.push((after, end)),
            _ => {}
        }
        if self.shown.len() > MOST_STRETCHES {
            self.shown.remove(0);
        }
    }
}

/// The beginning of the minute of an instant.
pub(crate) fn minute_of(time: Millis) -> Millis {
    time.saturating_sub(time.rem_euclid(MINUTE))
}

/// The last due at or before an instant.
pub(crate) fn last_due(dues: &Dues, now: Millis) -> Option<Millis> {
    dues.before(now.div_euclid(1000) + 1).map(|due| due * 1000)
}

/// The first due after an instant.
pub(crate) fn next_due(dues: &Dues, now: Millis) -> Option<Millis> {
    dues.at_or_after(now.div_euclid(1000) + 1).map(|due| due * 1000)
}

/// Whether an instant is in a minute in which something is due.
pub(crate) fn is_due_in_minute_of(dues: &Dues, now: Millis) -> bool {
    last_due(dues, now).is_some_and(|due| due >= minute_of(now))
}
