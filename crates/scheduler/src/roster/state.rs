//! What is kept of a task, through restarts and crashes.

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970.
pub type Millis = i64;

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
    /// Its run ended at that time.
    pub(super) fn end(&mut self, at: Millis, ended: Ended, retry_delay: i64) {
        self.running = false;
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
    pub(super) fn first_coming(declared: String, now: Millis, is_due: bool) -> Self {
        Self {
            declared,
            since: now,
            boot: is_due,
            retry_at: None,
            running: false,
            orphaned: false,
            triggered: false,
            paused: false,
            failures: 0,
            due: None,
            last: None,
        }
    }
}
