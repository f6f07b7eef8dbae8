//! A task, as traces have it.

use serde::{Deserialize, Serialize};

/// A task as a program declared it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskEntry {
    /// Its id.
    pub id: String,
    /// Its cron expression.
    pub cron: String,
    /// The zone on whose clock it is due.
    pub zone: String,
    /// Whether a fixed time that a clock skips or repeats is due once.
    pub once: bool,
    /// After how many milliseconds it is tried again.
    #[serde(rename = "rd")]
    pub retry_delay: i64,
}
