//! Runs that somebody asked for once, each with what it is about.

use super::Millis;
use serde::{Deserialize, Serialize};

/// A run of a task that somebody asked for once. Its id begins with `@`, which no declared one does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The task whose callback it is for.
    pub task: String,
    /// When it is due.
    pub at: Millis,
    /// What its callback is given, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<String>,
    /// As long as it is there, no other job of the task has this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Whether it was started: from then on it is tried again like any other run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_started: bool,
}

impl Job {
    /// One that is due at that time.
    pub fn new(task: &str, at: Millis, payload: Option<String>, key: Option<String>) -> Self {
        Self { task: task.to_owned(), at, payload, key, is_started: false }
    }

    /// The id of a job of that task: by its key, or else by a number that no other has.
    pub fn id(task: &str, key: Option<&str>, number: impl std::fmt::Display) -> String {
        match key {
            Some(key) => format!("@{task}={key}"),
            None => format!("@{number}"),
        }
    }

    /// Its due, once that is reached and as long as nothing was started for it.
    pub(crate) fn owed_at(&self, now: Millis) -> Option<Millis> {
        (!self.is_started && self.at <= now).then_some(self.at)
    }

    /// Its due, as long as that is to come.
    pub(crate) fn next_due(&self, now: Millis) -> Option<Millis> {
        (!self.is_started && self.at > now).then_some(self.at)
    }
}

/// Two kinds of what starts: each has a limit of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Runs of the schedule, and what belongs to them.
    Tasks,
    /// Jobs.
    Jobs,
}
