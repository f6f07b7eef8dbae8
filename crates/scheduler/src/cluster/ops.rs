//! What is asked of a cluster.

use crate::roster::{Declaration, Ended, Millis};
use serde::{Deserialize, Serialize};

/// What is asked of a cluster. `me` is the incarnation of the node that asks.
#[allow(missing_docs, reason = "fields are what their names and types say")]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Op {
    /// A process becomes a node, with its list. A list without a generation is younger than all others.
    Join {
        node: String,
        lease: Millis,
        list: Vec<Declaration>,
        generation: Option<i64>,
        #[serde(default)]
        labels: Vec<String>,
    },
    /// A node keeps its lease.
    Renew { me: i64, heard: Option<Heard> },
    /// A node starts what is to start, at most so many tasks and jobs, and none of those. If an answer was lost on the way,
    /// `holds` has the fences of what it runs: nobody runs what it was given besides.
    Claim {
        me: i64,
        most: u32,
        #[serde(default)]
        jobs: u32,
        but: Vec<String>,
        holds: Option<Vec<i64>>,
        /// Whether it leaves their share to the other nodes.
        #[serde(default)]
        spread: bool,
        heard: Option<Heard>,
    },
    /// A run has ended; so many runs of the task are kept.
    End { me: i64, id: String, fence: i64, error: Option<String>, keep: u32 },
    /// Runs have ended, as one question: a node that ends many at once does not ask for each.
    Ends { me: i64, ends: Vec<Over>, keep: u32, heard: Option<Heard> },
    /// A run is not entered after all.
    GiveBack { me: i64, id: String, fence: i64 },
    /// A node is no more.
    Leave { me: i64 },
    /// Somebody asks for a run beside the schedule.
    Trigger { id: String },
    /// A task is tried again that was given up, or waits to be tried again.
    Retry { id: String },
    /// A task starts nothing, or again what it owes.
    Pause { id: String, paused: bool },
    /// Somebody asks for one run of a task, at a time or after a delay, unless there is one with that key.
    Enqueue {
        id: String,
        payload: Option<String>,
        key: Option<String>,
        at: Option<Millis>,
        delay: Option<Millis>,
    },
    /// A job is not wanted any more.
    Cancel { id: String },
    /// The jobs of a task, or of all.
    Jobs { id: Option<String>, most: u32 },
    /// How the tasks stand.
    Status,
    /// The newest runs of a task.
    Runs { id: String, most: u32 },
    /// Who has joined.
    Nodes,
}

impl Op {
    /// Reads what the library asks.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Who has heard what, as far as it says that.
    pub(super) fn heard(&self) -> Option<(i64, Heard)> {
        match self {
            Self::Renew { me, heard }
            | Self::Claim { me, heard, .. }
            | Self::Ends { me, heard, .. } => heard.map(|heard| (*me, heard)),
            Self::Join { .. }
            | Self::End { .. }
            | Self::GiveBack { .. }
            | Self::Leave { .. }
            | Self::Trigger { .. }
            | Self::Retry { .. }
            | Self::Pause { .. }
            | Self::Enqueue { .. }
            | Self::Cancel { .. }
            | Self::Jobs { .. }
            | Self::Status
            | Self::Runs { .. }
            | Self::Nodes => None,
        }
    }

    /// Whether it may change something.
    pub fn changes(&self) -> bool {
        match self {
            Self::Join { .. }
            | Self::Renew { .. }
            | Self::Claim { .. }
            | Self::End { .. }
            | Self::Ends { .. }
            | Self::GiveBack { .. }
            | Self::Leave { .. }
            | Self::Trigger { .. }
            | Self::Retry { .. }
            | Self::Pause { .. }
            | Self::Enqueue { .. }
            | Self::Cancel { .. } => true,
            Self::Jobs { .. } | Self::Status | Self::Runs { .. } | Self::Nodes => false,
        }
    }
}

/// The facts that a node was told and has told on: those after the first number, up to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard(pub i64, pub i64);

/// A run that has ended.
#[allow(missing_docs, reason = "fields are what their names and types say")]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Over {
    pub id: String,
    pub fence: i64,
    pub error: Option<String>,
}

impl Over {
    pub(super) fn ended(&self) -> Ended {
        self.error.clone().map_or(Ended::Success, Ended::Failure)
    }
}
