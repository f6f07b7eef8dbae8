//! What a cluster keeps: rows of tables that all nodes share, and who keeps them.

use super::Heard;
use crate::roster::{Declaration, Declared, Kind, List, Millis, Rejection, State};
use hemiola_trace::cluster::Told;
use serde::{Deserialize, Serialize};

/// What there is one of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// How many facts there were: every change of a task or a node has a number of its own.
    pub facts: i64,
    /// The last fence that was given.
    pub fence: i64,
    /// The last incarnation that was given.
    pub incarnation: i64,
    /// The list in force, once there is one.
    pub force: Option<Force>,
}

/// The list in force (rule CLUS-6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Force {
    /// The greater, the younger.
    pub generation: i64,
    /// Stands for the list.
    pub digest: String,
    /// The node that gave it.
    pub by: String,
}

/// A process that has joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its number, which nobody had before.
    pub incarnation: i64,
    /// Its name.
    pub node: String,
    /// Until when it holds its lease (rule CLUS-4).
    pub until: Millis,
    /// For how long it gets it.
    pub lease: Millis,
    /// When it joined.
    pub joined: Millis,
    /// The generation of its list.
    pub generation: i64,
    /// Stands for its list.
    pub digest: String,
    /// What it has that tasks may want.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// The facts that it has told on, as it said when it renewed its lease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<Heard>,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is kept of it.
    pub kept: Kept,
    /// When somebody has to look at it.
    pub wake: Option<Millis>,
    /// The run that is under way.
    pub run: Option<Holder>,
}

/// What is kept of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// As it is declared in the list in force, or was in the last one that had it.
    pub declared: Declaration,
    /// How it stands.
    pub state: State,
    /// Until when a start is put off by chance, once that was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub put_off: Option<Millis>,
    /// Whether it is in no list any more, and is only kept until its run has ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
    /// Whether it is a job whose task is in no list any more: it waits until the task comes back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits_for_task: bool,
    /// The last fact about it, which goes with the next one: whoever should have told it may not have lived to. So do
    /// those before it that may not have been told either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Box<Told>>,
}

impl Kept {
    pub(super) fn new(declared: Declaration, state: State) -> Self {
        let (put_off, removed, waits_for_task, last) = (None, false, false, None);
        Self { declared, state, put_off, removed, waits_for_task, last }
    }
}

impl Row {
    /// A task as a store of one process keeps it: what is declared stands in its state. A job has that of its task.
    pub fn of_state(id: &str, state: State, parent: Option<&State>) -> Option<Self> {
        let written = if state.job.is_some() { &parent?.declared } else { &state.declared };
        let declared = Declaration::of_entry(&Declaration::entry_of_text(id, written)?);
        Some(Self { kept: Kept::new(declared, state), wake: None, run: None })
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.kept.declared.id
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        if self.kept.state.job.is_some() { Kind::Jobs } else { Kind::Tasks }
    }

    /// The task whose callback runs: its own id, unless it is a job.
    pub(super) fn task(&self) -> &str {
        self.kept.state.job.as_ref().map_or_else(|| self.id(), |job| &job.task)
    }

    /// What is declared, to be asked when it is due.
    pub(super) fn declared(&self) -> Result<Declared, Rejection> {
        let mut list = List::new(std::slice::from_ref(&self.kept.declared))?;
        Ok(list.0.pop().expect("a list of one task has one"))
    }
}

/// Who runs a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The node.
    pub incarnation: i64,
    /// The run.
    pub fence: i64,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It is under way.
    Running,
    /// It returned.
    Success,
    /// It failed.
    Failure,
    /// Its node lost its lease, or gave it back.
    Interrupted,
}

impl Outcome {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Interrupted => "interrupted",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Running, Self::Success, Self::Failure, Self::Interrupted]
            .into_iter()
            .find(|outcome| outcome.name() == name)
    }
}

/// A run, for those who ask what happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Its number: it grows with every start (rule CLUS-3).
    pub fence: i64,
    /// Of which task.
    pub task: String,
    /// Who ran it.
    pub node: String,
    /// For which due.
    pub due: Option<Millis>,
    /// Which try it was.
    pub attempt: u32,
    /// When it started, by the database's clock.
    pub start: Millis,
    /// When its end was written, or its loss noticed.
    pub end: Option<Millis>,
    /// How it ended.
    pub outcome: Outcome,
    /// What it failed with.
    pub error: Option<String>,
    /// Of which job, if it was one.
    #[serde(default)]
    pub job: Option<String>,
}

/// The tables of one cluster, within one transaction: all of it happens, or nothing.
pub trait Tables {
    /// Why they cannot be read or written.
    type Error;

    /// What there is one of, and what time it is by the clock of whoever keeps the tables. Who `changes` something
    /// is alone with them from here on; the clock is read after that.
    fn begin(&mut self, changes: bool) -> Result<(Head, Millis), Self::Error>;
    /// Keeps what there is one of.
    fn put_head(&mut self, head: &Head) -> Result<(), Self::Error>;

    /// All nodes, by incarnation.
    fn members(&mut self) -> Result<Vec<Member>, Self::Error>;
    /// Keeps a node.
    fn put_member(&mut self, member: &Member) -> Result<(), Self::Error>;
    /// Forgets a node.
    fn drop_member(&mut self, incarnation: i64) -> Result<(), Self::Error>;

    /// Is told which tasks and runs will be asked for one by one, so that it can read them at once.
    fn look_up(&mut self, ids: &[&str], fences: &[i64]) -> Result<(), Self::Error>;
    /// The task with that id.
    fn task(&mut self, id: &str) -> Result<Option<Row>, Self::Error>;
    /// All of a kind, by id.
    fn tasks(&mut self, kind: Kind) -> Result<Vec<Row>, Self::Error>;
    /// Those that have to be looked at, the earliest first and at most so many of each kind, without those ids.
    fn woken(
        &mut self,
        now: Millis,
        most: [u32; 2],
        but: &[String],
    ) -> Result<Vec<Row>, Self::Error>;
    /// Those that a node runs, by id.
    fn held_by(&mut self, incarnation: i64) -> Result<Vec<Row>, Self::Error>;
    /// When the first of some kinds has to be looked at, without those ids.
    fn next_wake(&mut self, kinds: &[Kind], but: &[String]) -> Result<Option<Millis>, Self::Error>;
    /// Keeps a task.
    fn put_task(&mut self, row: &Row) -> Result<(), Self::Error>;
    /// Forgets a task, and its runs.
    fn forget(&mut self, id: &str) -> Result<(), Self::Error>;

    /// A run by its fence.
    fn run(&mut self, fence: i64) -> Result<Option<Run>, Self::Error>;
    /// The newest runs of a task, newest first.
    fn runs(&mut self, id: &str, most: u32) -> Result<Vec<Run>, Self::Error>;
    /// Keeps a run.
    fn put_run(&mut self, run: &Run) -> Result<(), Self::Error>;
    /// Forgets all but the newest runs of a task.
    fn sweep(&mut self, id: &str, keep: u32) -> Result<(), Self::Error>;
}
