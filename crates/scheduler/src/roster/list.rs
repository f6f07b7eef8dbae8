//! The list of tasks that a program declares, and whether it is one.

use super::Millis;
use super::count::is_due_in_minute_of;
use crate::{Cron, Dst, Dues, Zone};
use hemiola_trace::TaskEntry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A task as a program declares it, with the time fields in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Declaration {
    /// Its name, under which its state is kept.
    pub id: String,
    /// When it is due.
    pub cron: String,
    /// On the clock of which zone.
    pub zone: String,
    /// What becomes of minutes that the clock skips or repeats.
    pub dst: Dst,
    /// How long after a failure it is tried again.
    pub retry_delay: i64,
    /// By how much a start may be put off at random.
    pub jitter: i64,
}

impl Declaration {
    /// Everything that makes its schedule, as text: for comparing two declarations.
    pub(crate) fn text(&self) -> String {
        let dst = match self.dst {
            Dst::Theory => "theory",
            Dst::Once => "once",
        };
        format!("{} | {} | {dst} | {}", self.cron, self.zone, self.retry_delay)
    }

    /// The task of an entry of a trace.
    pub(crate) fn of_entry(entry: &TaskEntry) -> Self {
        Self {
            id: entry.id.clone(),
            cron: entry.cron.clone(),
            zone: entry.zone.clone(),
            dst: if entry.once { Dst::Once } else { Dst::Theory },
            retry_delay: entry.retry_delay,
            jitter: 0,
        }
    }

    /// The entry of a task whose schedule is known as text.
    pub(crate) fn entry_of_text(id: &str, text: &str) -> Option<TaskEntry> {
        let [cron, zone, dst, delay] = text.split(" | ").collect::<Vec<_>>().try_into().ok()?;
        Some(TaskEntry {
            id: id.to_owned(),
            cron: cron.to_owned(),
            zone: zone.to_owned(),
            once: dst == "once",
            retry_delay: delay.parse().ok()?,
        })
    }
}

/// Why a list is rejected; nothing of it is taken then (rule SCHED-5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Which entry, counted from zero.
    pub entry: usize,
    /// Which of its fields.
    pub field: &'static str,
    /// The kind of mistake.
    pub reason: Reason,
    /// What is wrong with it, in words.
    pub message: String,
}

/// What can be wrong with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The id is empty.
    EmptyId,
    /// An earlier entry has the same id.
    DuplicateId,
    /// The cron expression cannot be read, or never matches.
    Cron,
    /// There is no such zone.
    Zone,
    /// A time is negative.
    Negative,
}

impl Reason {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EmptyId => "empty-id",
            Self::DuplicateId => "duplicate-id",
            Self::Cron => "cron",
            Self::Zone => "zone",
            Self::Negative => "negative",
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task {}: {}: {}", self.entry, self.field, self.message)
    }
}

impl std::error::Error for Rejection {}

/// A task of a list that was accepted.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) id: String,
    pub(crate) dues: Dues,
    pub(crate) retry_delay: i64,
    pub(crate) jitter: i64,
    pub(crate) text: String,
}

impl Declared {
    /// Whether it is due at the beginning of the minute of an instant.
    pub(crate) fn is_due_in_minute_of(&self, now: Millis) -> bool {
        is_due_in_minute_of(&self.dues, now)
    }
}

/// A list of tasks that is valid as a whole.
#[derive(Clone, Debug, Default)]
pub struct List(pub(crate) Vec<Declared>);

impl List {
    /// Accepts a whole list, or says what is wrong with its first bad entry.
    pub fn new(declarations: &[Declaration]) -> Result<Self, Rejection> {
        let mut known = BTreeMap::new();
        let mut tasks = Vec::with_capacity(declarations.len());
        for (entry, task) in declarations.iter().enumerate() {
            let reject =
                |field, reason, message: String| Rejection { entry, field, reason, message };
            if task.id.is_empty() {
                return Err(reject(
                    "id",
                    Reason::EmptyId,
                    "an id is at least one character".into(),
                ));
            }
            if let Some(earlier) = known.insert(&task.id, entry) {
                let message = format!("`{}` is the id of task {earlier} already", task.id);
                return Err(reject("id", Reason::DuplicateId, message));
            }
            let cron = Cron::parse(&task.cron)
                .map_err(|error| reject("cron", Reason::Cron, error.message.to_string()))?;
            let zone = Zone::named(&task.zone).ok_or_else(|| {
                let message =
                    format!("there is no zone `{}`; write one such as Europe/Paris", task.zone);
                reject("zone", Reason::Zone, message)
            })?;
            for (field, value) in [("retryDelay", task.retry_delay), ("jitter", task.jitter)] {
                if value < 0 {
                    let message = format!("{value} ms is negative");
                    return Err(reject(field, Reason::Negative, message));
                }
            }
            tasks.push(Declared {
                id: task.id.clone(),
                dues: Dues::new(cron, zone, task.dst),
                retry_delay: task.retry_delay,
                jitter: task.jitter,
                text: task.text(),
            });
        }
        Ok(Self(tasks))
    }
}
