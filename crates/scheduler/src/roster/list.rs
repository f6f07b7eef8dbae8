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
    /// When it is due; empty if it never is, and only runs what is enqueued.
    pub cron: String,
    /// On the clock of which zone.
    pub zone: String,
    /// What becomes of minutes that the clock skips or repeats.
    pub dst: Dst,
    /// How long after a failure it is tried again.
    pub retry_delay: i64,
    /// By how much a start may be put off at random.
    pub jitter: i64,
    /// By how much longer it waits after each further failure.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub backoff: i64,
    /// The longest that it waits; without it a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_retry_delay: Option<i64>,
    /// How often it is tried for a due before that is given up; without it for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// The labels that a node must have to run it.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
}

/// A factor that changes nothing.
fn one() -> i64 {
    1
}

fn is_one(factor: &i64) -> bool {
    *factor == 1
}

impl Default for Declaration {
    /// No task yet: one whose retries are as they are for whoever says nothing of them.
    fn default() -> Self {
        let (id, cron, zone) = (String::new(), String::new(), "UTC".to_owned());
        let (dst, retry_delay, jitter) = (Dst::Theory, 60_000, 0);
        let (backoff, max_retry_delay, attempts, labels) = (1, None, None, Vec::new());
        Self {
            id,
            cron,
            zone,
            dst,
            retry_delay,
            jitter,
            backoff,
            max_retry_delay,
            attempts,
            labels,
        }
    }
}

/// How a task is tried again that has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Retries {
    /// After the first failure.
    pub(crate) delay: i64,
    backoff: i64,
    longest: i64,
    attempts: Option<u32>,
}

/// The longest that a task waits whose delays grow, if it says nothing else.
const LONGEST_DELAY: i64 = 86_400_000;

impl Retries {
    pub(crate) fn of(task: &Declaration) -> Self {
        let longest = task.max_retry_delay.unwrap_or(LONGEST_DELAY).max(task.retry_delay);
        let (delay, backoff, attempts) = (task.retry_delay, task.backoff, task.attempts);
        Self { delay, backoff, longest, attempts }
    }

    /// How long it waits after so many failures one after the other; nothing if that is given up.
    pub(crate) fn delay_after(&self, failures: u32) -> Option<i64> {
        if self.attempts.is_some_and(|most| failures >= most) {
            return None;
        }
        let factor = self.backoff.saturating_pow(failures.saturating_sub(1));
        Some(self.delay.saturating_mul(factor).min(self.longest))
    }
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

    /// What else is declared of its retries, as text: empty if nothing is.
    pub(crate) fn more(&self) -> String {
        let backoff = (self.backoff != 1).then(|| format!(" | backoff {}", self.backoff));
        let longest = self.max_retry_delay.map(|longest| format!(" | at most {longest}"));
        let attempts = self.attempts.map(|most| format!(" | attempts {most}"));
        let labels = &self.labels;
        let labels = (!labels.is_empty()).then(|| format!(" | where {}", labels.join(", ")));
        [backoff, longest, attempts, labels].into_iter().flatten().collect()
    }

    /// The task of an entry of a trace.
    pub(crate) fn of_entry(entry: &TaskEntry) -> Self {
        Self {
            id: entry.id.clone(),
            cron: entry.cron.clone(),
            zone: entry.zone.clone(),
            dst: if entry.once { Dst::Once } else { Dst::Theory },
            retry_delay: entry.retry_delay,
            ..Self::default()
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
    pub(crate) retries: Retries,
    pub(crate) jitter: i64,
    pub(crate) text: String,
    pub(crate) more: String,
}

impl Declared {
    /// The same as a job of that id, whose start is not put off.
    pub(crate) fn of_job(&self, id: &str) -> Self {
        Self { id: id.to_owned(), jitter: 0, ..self.clone() }
    }

    /// Whether it is due at the beginning of the minute of an instant.
    pub(crate) fn is_due_in_minute_of(&self, now: Millis) -> bool {
        is_due_in_minute_of(&self.dues, now)
    }
}

/// A list of tasks that is valid as a whole.
#[derive(Clone, Debug, Default)]
pub struct List(pub(crate) Vec<Declared>);

/// What lets expressions have seconds and nicknames.
const SECONDS: &str =
    "pass { cron: { seconds: true } } to `initialize` to have seconds and nicknames";

impl List {
    /// Refuses expressions with seconds and nicknames, for whoever has not asked for them.
    pub fn refuse_seconds(declarations: &[Declaration]) -> Result<(), Rejection> {
        for (entry, task) in
            declarations.iter().enumerate().filter(|(_, task)| !task.cron.is_empty())
        {
            if let Err(error) = Cron::parse(&task.cron) {
                let hint = if Cron::read(&task.cron).is_ok() { SECONDS } else { &error.help };
                let message = format!("{}: {hint}", error.message);
                return Err(Rejection { entry, field: "cron", reason: Reason::Cron, message });
            }
        }
        Ok(())
    }

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
            let cron = match task.cron.as_str() {
                "" => Cron::NEVER,
                text => Cron::read(text)
                    .map_err(|error| reject("cron", Reason::Cron, error.message.to_string()))?,
            };
            let zone = Zone::named(&task.zone).ok_or_else(|| {
                let message =
                    format!("there is no zone `{}`; write one such as Europe/Paris", task.zone);
                reject("zone", Reason::Zone, message)
            })?;
            let longest = task.max_retry_delay.unwrap_or_default();
            for (field, value) in [
                ("retryDelay", task.retry_delay),
                ("jitter", task.jitter),
                ("maxRetryDelay", longest),
                ("backoff", task.backoff),
            ] {
                if value < 0 {
                    let message = format!("{value} ms is negative");
                    return Err(reject(field, Reason::Negative, message));
                }
            }
            tasks.push(Declared {
                id: task.id.clone(),
                dues: Dues::new(cron, zone, task.dst),
                retries: Retries::of(task),
                jitter: task.jitter,
                text: task.text(),
                more: task.more(),
            });
        }
        Ok(Self(tasks))
    }
}
