//! What is kept of a task, through restarts and crashes.

use super::count::{Count, Millis};
use super::job::Job;
use super::list::Retries;
use crate::Dues;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

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

/// A due that was given up: its task was tried as often as it may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dead {
    /// When.
    pub at: Millis,
    /// Which due, if there was one.
    pub due: Option<Millis>,
    /// How often it was tried.
    pub attempts: u32,
    /// What it failed with the last time.
    pub error: String,
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
    /// Whether that is later than its declared delay says, because it has failed before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backs_off: bool,
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
    /// What else was declared when it was last registered.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub more: String,
    /// The last number that a start of any task had when this one started, in a process of its own.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fence: u64,
    /// When its last start became known to its store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed: Option<Millis>,
    /// The due that was given up, until it succeeds or is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead: Option<Dead>,
    /// The job that it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<Job>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
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
        if self.job.is_none() {
            let mut count = self.count();
            count.clock_set(dues, from, to);
            self.set_count(count);
        }
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
    pub(crate) fn claim(&mut self, due: Option<Millis>, now: Millis) -> u32 {
        (self.running, self.claimed) = (true, Some(now));
        // Whoever asks from now on asks for another run.
        self.asked_for = std::mem::take(&mut self.triggered);
        self.due = due;
        self.failures.saturating_add(1)
    }

    /// Its callback is entered at that time: whatever was owed until now is served by this run.
    pub(crate) fn started(&mut self, dues: &Dues, now: Millis) {
        match &mut self.job {
            Some(job) => job.is_started = true,
            None => {
                let mut count = self.count();
                count.started(dues, now);
                self.set_count(count);
            }
        }
        (self.boot, self.retry_at, self.orphaned) = (false, None, false);
        self.last = Some(LastRun { start: now, end: None });
    }

    /// Its run ended at that time. What was tried as often as it may be is given up: the next due begins anew.
    pub(crate) fn end(&mut self, at: Millis, ended: Ended, retries: &Retries) {
        (self.running, self.asked_for) = (false, false);
        match &ended {
            Ended::Success => (self.failures, self.dead) = (0, None),
            Ended::Failure(error) => {
                let attempts = self.failures.saturating_add(1);
                let delay = retries.delay_after(attempts);
                self.retry_at = delay.map(|delay| at.saturating_add(delay));
                self.backs_off = delay.is_some_and(|delay| delay != retries.delay);
                self.failures = if delay.is_some() { attempts } else { 0 };
                if delay.is_none() {
                    let (due, error) = (self.due, error.clone());
                    self.dead = Some(Dead { at, due, attempts, error });
                }
            }
        }
        if let Some(last) = &mut self.last {
            last.end = Some((at, ended));
        }
    }

    /// Tries again what was given up, or waits to be tried again, at that time; whether there is such a thing.
    pub(crate) fn retry(&mut self, now: Millis) -> bool {
        let was_dead = self.dead.take().is_some();
        let is_known = was_dead || self.retry_at.is_some();
        if is_known && !self.running {
            (self.retry_at, self.backs_off) = (Some(now), true);
        }
        is_known && !self.running
    }

    /// Takes what is declared now, and gives both as text if that is new.
    pub(crate) fn declare(&mut self, text: &str, more: &str) -> Option<(String, String)> {
        let now = format!("{text}{more}");
        let before = format!("{}{}", self.declared, self.more);
        (self.declared, self.more) = (text.to_owned(), more.to_owned());
        (before != now).then_some((before, now))
    }

    /// A job that comes in at that time.
    pub(crate) fn of_job(job: Job, now: Millis) -> Self {
        Self { job: Some(job), ..Self::first_coming(String::new(), String::new(), now, false) }
    }

    /// How a job with that id stands; nothing if it is none.
    pub fn job_json(&self, id: &str, now: Millis) -> Option<Json> {
        let Job { task, at, payload, key, .. } = self.job.as_ref()?;
        let state = match (self.running, self.paused, &self.dead) {
            (true, _, _) => "running",
            (_, true, _) => "paused",
            (_, _, Some(_)) => "dead",
            (_, _, None) => "waiting",
        };
        Some(json!({
            "id": id, "task": task, "key": key, "payload": payload, "due": at, "state": state,
            "late": (now - at).max(0), "failures": self.failures, "retryAt": self.retry_at,
            "dead": self.dead, "lastError": self.last_error(),
        }))
    }

    /// What its last run failed with.
    pub fn last_error(&self) -> Option<&str> {
        match self.last.as_ref()?.end.as_ref()? {
            (_, Ended::Failure(error)) => Some(error),
            (_, Ended::Success) => None,
        }
    }

    /// Whether it is a job that has succeeded: there is nothing to keep of it.
    pub(crate) fn is_done(&self) -> bool {
        let ended = self.last.as_ref().and_then(|last| last.end.as_ref());
        self.job.is_some() && !self.running && matches!(ended, Some((_, Ended::Success)))
    }

    /// A task that is registered for the first time.
    pub(crate) fn first_coming(declared: String, more: String, now: Millis, is_due: bool) -> Self {
        Self {
            declared,
            more,
            fence: 0,
            claimed: None,
            dead: None,
            job: None,
            since: now,
            set_at: None,
            shown: Vec::new(),
            boot: is_due,
            retry_at: None,
            backs_off: false,
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
