//! What the database of a scheduler of several nodes did, as the node knows that asked for it (rule CLUS-7).

use crate::entry::TaskEntry;
use serde::{Deserialize, Serialize};

/// A fact, by the number that the database gave it: whoever has the traces of all nodes can put them in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Its number. Facts that change nothing have that of the last one before.
    pub n: i64,
    /// When, in milliseconds since 1970, by the database's clock.
    pub at: i64,
    /// What.
    #[serde(flatten)]
    pub what: ClusterFact,
}

/// The fact about the same task before, which the node that should have told it may not have lived to tell.
pub type Before = Option<Box<Told>>;

/// What a database did. `me` is the incarnation of the node that it is about: its number, which nobody had before.
#[allow(missing_docs, reason = "fields are what their names and types say")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "kebab-case")]
pub enum ClusterFact {
    /// A process became a node, with its list. `knows` has what the tables knew of tasks then.
    Joined {
        me: i64,
        node: String,
        lease: i64,
        until: i64,
        generation: i64,
        #[serde(rename = "inForce")]
        in_force: bool,
        list: Vec<TaskEntry>,
        knows: Vec<Known>,
    },
    /// A node keeps its lease until then. `nodes` are those that there are, and some of the youngest may be missing:
    /// whoever was older than one of them and is not among them is no more. So many tasks are `owed` a start.
    Renewed {
        me: i64,
        until: i64,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        nodes: Vec<i64>,
        #[serde(default, skip_serializing_if = "is_zero")]
        owed: u64,
    },
    /// A node could have started something at any instant since then: its list was in force, it had room, and the
    /// database answered.
    Served { me: i64, since: i64 },
    /// A node went.
    Left { me: i64 },
    /// The lease of a node ran out, or another one took its name. It ran these tasks.
    Lost { me: i64, until: i64, ran: Vec<String> },
    /// A node starts a task.
    Started {
        id: String,
        me: i64,
        fence: i64,
        due: Option<i64>,
        attempt: u32,
        until: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Before,
    },
    /// A run ended; a task that failed is to be tried again at `retry`.
    Ended {
        id: String,
        me: i64,
        fence: i64,
        until: i64,
        failed: bool,
        retry: Option<i64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Before,
    },
    /// An end does not count.
    Refused { id: String, me: i64, fence: i64 },
    /// A node does not run a task any more.
    Interrupted {
        id: String,
        me: i64,
        fence: i64,
        why: Why,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Before,
    },
    /// Somebody asked for a run beside the schedule.
    Triggered {
        id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Before,
    },
    /// A task starts nothing by itself any more.
    Paused {
        id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Before,
    },
    /// It does again.
    Resumed {
        id: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Before,
    },
    /// A due start is put off by chance.
    PutOff {
        id: String,
        until: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Before,
    },
}

/// Why a run was taken from its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// Its lease had run out.
    Lapsed,
    /// It went.
    Left,
    /// A node of the same name took its place.
    Replaced,
    /// It did not enter the callback.
    GivenBack,
    /// It did not know of the start, whose answer was lost.
    Unknown,
}

/// What the tables know of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// Its id.
    pub id: String,
    /// Its state, as a store keeps it.
    pub state: String,
    /// The node that runs it and the fence of the run.
    pub run: Option<(i64, i64)>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl ClusterFact {
    /// Its word.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Joined { .. } => "Joined",
            Self::Renewed { .. } => "Renewed",
            Self::Served { .. } => "Served",
            Self::Left { .. } => "Left",
            Self::Lost { .. } => "Lost",
            Self::Started { .. } => "Started",
            Self::Ended { failed: false, .. } => "Succeeded",
            Self::Ended { failed: true, .. } => "Failed",
            Self::Refused { .. } => "Refused",
            Self::Interrupted { .. } => "Interrupted",
            Self::Triggered { .. } => "Triggered",
            Self::Paused { .. } => "Paused",
            Self::Resumed { .. } => "Resumed",
            Self::PutOff { .. } => "PutOff",
        }
    }

    /// Whether it has a number of its own: it changes a task or a node.
    pub const fn is_numbered(&self) -> bool {
        match self {
            Self::Renewed { .. } | Self::Served { .. } | Self::Refused { .. } => false,
            Self::Joined { .. }
            | Self::Left { .. }
            | Self::Lost { .. }
            | Self::Started { .. }
            | Self::Ended { .. }
            | Self::Interrupted { .. }
            | Self::Triggered { .. }
            | Self::Paused { .. }
            | Self::Resumed { .. }
            | Self::PutOff { .. } => true,
        }
    }

    /// The task that it is about.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Started { id, .. }
            | Self::Ended { id, .. }
            | Self::Refused { id, .. }
            | Self::Interrupted { id, .. }
            | Self::Triggered { id, .. }
            | Self::Paused { id, .. }
            | Self::Resumed { id, .. }
            | Self::PutOff { id, .. } => Some(id),
            Self::Joined { .. }
            | Self::Renewed { .. }
            | Self::Served { .. }
            | Self::Left { .. }
            | Self::Lost { .. } => None,
        }
    }

    /// The fact about the same task before it.
    pub const fn before(&mut self) -> Option<&mut Before> {
        match self {
            Self::Started { before, .. }
            | Self::Ended { before, .. }
            | Self::Interrupted { before, .. }
            | Self::Triggered { before, .. }
            | Self::Paused { before, .. }
            | Self::Resumed { before, .. }
            | Self::PutOff { before, .. } => Some(before),
            Self::Joined { .. }
            | Self::Renewed { .. }
            | Self::Served { .. }
            | Self::Left { .. }
            | Self::Lost { .. }
            | Self::Refused { .. } => None,
        }
    }

    /// It in a few words, as `Started backup by node 3, fence 7`.
    pub fn describe(&self) -> String {
        let name = self.name();
        match self {
            Self::Joined { me, node, .. } => format!("{name} {} as node {me}", node.escape_debug()),
            Self::Renewed { me, .. }
            | Self::Served { me, .. }
            | Self::Left { me }
            | Self::Lost { me, .. } => format!("{name} node {me}"),
            Self::Started { id, me, fence, .. }
            | Self::Ended { id, me, fence, .. }
            | Self::Refused { id, me, fence }
            | Self::Interrupted { id, me, fence, .. } => {
                format!("{name} {} by node {me}, fence {fence}", id.escape_debug())
            }
            Self::Triggered { id, .. }
            | Self::Paused { id, .. }
            | Self::Resumed { id, .. }
            | Self::PutOff { id, .. } => format!("{name} {}", id.escape_debug()),
        }
    }
}
