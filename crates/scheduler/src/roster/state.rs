//! What is kept of a task, through restarts and crashes.

use super::count::{Count, Millis};
use crate::Dues;
use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// It returned.
    Success,
    /// It failed, with that message.
    Failure(String),
}

/// The last run of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastRun {
    /// When it started.
    pub start: Millis,
    /// When it ended, and how; nothing while it runs, or after a crash.
    pub end: Option<(Millis, Ended)>,
}

/// What is known of a task id (rule SCHED-1). Everything that a restart must not forget is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// How its schedule was declared when it was last registered, to tell what changed.
    pub declared: String,
    /// Its last start, or when it was registered for the first time: only later dues are owed.
    pub since: Millis,
    /// If the clock was set since then: dues are owed that it shows after this, and those of what it has shown before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_at: Option<Millis>,
    /// What it has shown before, in stretches: after an instant, and up to another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<(Millis, Millis)>,
    /// Whether it was registered within a minute in which it is due, and has not started yet.
    pub boot: bool,
    /// When it is to be tried again after a failure.
    pub retry_at: Option<Millis>,
    /// Whether it is running; found in a store, that it was interrupted by a crash (rule SCHED-4).
    pub running: bool,
    /// Whether it was interrupted by a crash and has not started since.
    pub orphaned: bool,
    /// Whether somebody asked for a run beside its schedule.
    pub triggered: bool,
    /// Whether somebody asked for the run that is under way: its start may become durable before anybody
    /// is told that it was asked for.
    #[serde(default)]
    pub asked_for: bool,
    /// Whether it starts nothing until somebody resumes it.
    pub paused: bool,
    /// How many runs have failed since the last success.
    pub failures: u32,
    /// The due that the last run was for; a run that takes its place is for the same.
    pub due: Option<Millis>,
    /// Its last run.
    pub last: Option<LastRun>,
}

impl State {
    /// Which dues it owes.
    pub(crate) fn count(&self) -> Count {
        Count { since: self.since, set_at: self.set_at, shown: self.shown.clone() }
    }

    fn set_count(&mut self, Count { since, set_at, shown }: Count) {
        (self.since, self.set_at, self.shown) = (since, set_at, shown);
    }

    /// Somebody has set the clock. The delay of a retry takes as long as it takes.
    pub(crate) fn clock_set(&mut self, dues: &Dues, from: Millis, to: Millis) {
        let mut count = self.count();
        count.clock_set(dues, from, to);
        self.set_count(count);
        self.retry_at = self.retry_at.map(|at| at.saturating_add(to.saturating_sub(from)));
    }

    /// Is what a store knows. If that is from later than now, the clock was set back while nobody looked at it, from
    /// nobody knows when: as far as is known, from the latest that it has shown.
    pub(crate) fn found(&mut self, dues: &Dues, now: Millis) {
        let end = self.last.as_ref().and_then(|last| last.end.as_ref()).map(|(end, _)| *end);
        let latest =
            self.set_at.unwrap_or_else(|| end.map_or(self.since, |end| end.max(self.since)));
        if latest > now {
            self.clock_set(dues, latest, now);
        }
    }

    /// It counts as running from now on, for that due. Gives which try this is.
    pub(crate) fn claim(&mut self, due: Option<Millis>) -> u32 {
        self.running = true;
        // Whoever asks from now on asks for another run.
        self.asked_for = std::mem::take(&mut self.triggered);
        self.due = due;
        self.failures.saturating_add(1)
    }

    /// Its callback is entered at that time: whatever was owed until now is served by this run.
    pub(crate) fn started(&mut self, dues: &Dues, now: Millis) {
        let mut count = self.count();
        count.started(dues, now);
        self.set_count(count);
        (self.boot, self.retry_at, self.orphaned) = (false, None, false);
        self.last = Some(LastRun { start: now, end: None });
    }

    /// Its run ended at that time.
    pub(crate) fn end(&mut self, at: Millis, ended: Ended, retry_delay: i64) {
        (self.running, self.asked_for) = (false, false);
        match ended {
            Ended::Success => self.failures = 0,
            Ended::Failure(_) => {
                self.failures = self.failures.saturating_add(1);
                self.retry_at = Some(at.saturating_add(retry_delay));
            }
        }
        if let Some(last) = &mut self.last {
            last.end = Some((at, ended));
        }
    }

    /// A task that is registered for the first time.
    pub(crate) fn first_coming(declared: String, now: Millis, is_due: bool) -> Self {
        Self {
            declared,
            since: now,
            set_at: None,
            shown: Vec::new(),
            boot: is_due,
            retry_at: None,
            running: false,
            orphaned: false,
            triggered: false,
            asked_for: false,
            paused: false,
            failures: 0,
            due: None,
            last: None,
        }
    }
}
