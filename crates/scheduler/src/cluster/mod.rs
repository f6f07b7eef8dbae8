//! A scheduler of several nodes (rules CLUS-1 to CLUS-7): every decision is one transaction on tables that all nodes
//! share, by the clock of whoever keeps them.
//!
//! [`perform`] makes one decision: a node joins with its list, renews its lease, claims what is to start, reports an
//! end. It is the same over a database and in a simulated world; only the [`Tables`] differ.

mod address;
mod facts;
mod jobs;
mod lists;
mod looking;
mod members;
mod memory;
mod ops;
mod rows;
mod runs;

pub use address::Address;
pub use members::renewed;
pub use memory::Memory;
pub use ops::{Heard, Op, Over};
pub use rows::{Force, Head, Holder, Kept, Member, Outcome, Row, Run, Tables};

use crate::roster::{Kind, Millis, Rejection, State};
use facts::Facts;
use hemiola_trace::cluster::{Before, ClusterFact};
use serde_json::{Value as Json, json};

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// What is answered.
    pub reply: Json,
    /// Whether other nodes should look, too.
    pub tells: bool,
}

/// Why nothing came of it.
#[allow(missing_docs, reason = "fields are what their names and types say")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// The tables cannot be read or written.
    Tables(E),
    /// Another list of the same generation is in force, which that node gave.
    OtherList { generation: i64, by: String },
    /// A list that is none, or a task in the tables.
    List(String),
}

impl<E> Failure<E> {
    /// A code for it, and what it means to whoever declared tasks; `tables` says that of the tables.
    pub fn explain(
        self,
        tables: impl FnOnce(E) -> (&'static str, String),
    ) -> (&'static str, String) {
        match self {
            Self::Tables(error) => tables(error),
            Self::OtherList { generation, by } => {
                let message = format!(
                    "another list of generation {generation} is in force, given by node {by}: give a changed list a \
                     greater generation, or another cluster another name"
                );
                ("ERR_CLUSTER_LIST", message)
            }
            Self::List(what) => (
                "ERR_STORE_DAMAGED",
                format!("what the database keeps of a task cannot be read: {what}"),
            ),
        }
    }
}

impl<E> From<E> for Failure<E> {
    fn from(error: E) -> Self {
        Self::Tables(error)
    }
}

fn malformed<E>(error: &Rejection) -> Failure<E> {
    Failure::List(error.to_string())
}

/// Makes one decision. Whoever keeps the tables makes all of it durable before it is answered, or nothing.
pub fn perform<T: Tables>(tables: &mut T, op: &Op) -> Result<Done, Failure<T::Error>> {
    let (head, now) = tables.begin(op.changes())?;
    let before = head.clone();
    let facts = Facts::new(op.heard());
    let mut shared = Shared { tables, head, now, tells: false, facts };
    let mut reply = match op {
        Op::Join { node, lease, list, generation, labels } => {
            shared.join(node, *lease, list, *generation, labels)
        }
        Op::Renew { me, heard } => shared.renew(*me, *heard),
        Op::Claim { me, most, jobs, but, holds, spread, heard: _ } => {
            shared.claim(*me, [*most, *jobs], but, holds.as_deref(), *spread)
        }
        Op::End { me, id, fence, error, keep } => {
            let (id, error) = (id.clone(), error.clone());
            shared.end(*me, &Over { id, fence: *fence, error }, *keep)
        }
        Op::Ends { me, ends, keep, heard: _ } => shared.ends(*me, ends, *keep),
        Op::GiveBack { me, id, fence } => shared.give_back(*me, id, *fence),
        Op::Leave { me } => shared.leave(*me),
        Op::Trigger { id } => {
            let fact = |id, before| ClusterFact::Triggered { id, before };
            shared.change(id, fact, |state, _| {
                state.triggered = true;
                true
            })
        }
        // Somebody asks for a run.
        Op::Retry { id } => {
            shared.change(id, |id, before| ClusterFact::Triggered { id, before }, State::retry)
        }
        Op::Pause { id, paused } => {
            let fact = |id, before| match paused {
                true => ClusterFact::Paused { id, before },
                false => ClusterFact::Resumed { id, before },
            };
            shared.change(id, fact, |state, _| {
                state.paused = *paused;
                true
            })
        }
        Op::Enqueue { id, payload, key, at, delay } => {
            shared.enqueue(id, payload.clone(), key.clone(), *at, *delay)
        }
        Op::Cancel { id } => shared.cancel(id),
        Op::Jobs { id, most } => shared.jobs(id.as_deref(), *most),
        Op::Status => shared.status(),
        Op::Runs { id, most } => shared.runs(id, *most),
        Op::Nodes => shared.nodes(),
    }?;
    let Shared { tables, head, tells, facts, .. } = shared;
    if head != before {
        tables.put_head(&head)?;
    }
    reply["now"] = now.into();
    if op.changes() {
        reply["n"] = head.facts.into();
        reply["facts"] = json!(facts.told);
    }
    Ok(Done { reply, tells })
}

struct Shared<'a, T> {
    tables: &'a mut T,
    head: Head,
    now: Millis,
    tells: bool,
    /// What happens, to be told by whoever asked (rule CLUS-7).
    facts: Facts,
}

type Outcomes<T> = Result<Json, Failure<<T as Tables>::Error>>;

impl<T: Tables> Shared<'_, T> {
    /// The number of something that happens to a job, of which nothing is told.
    fn fact(&mut self) -> i64 {
        self.head.facts += 1;
        self.head.facts
    }

    /// Something happens now; it gets a number if it changes something.
    fn happens(&mut self, what: ClusterFact) {
        self.head.facts += i64::from(what.is_numbered());
        self.facts.tell(self.head.facts, self.now, what);
    }

    /// Something happens to a task. Jobs are no part of the theory: nothing is told of them.
    fn happens_to(&mut self, row: &mut Row, what: impl FnOnce(Before) -> ClusterFact) {
        if row.kept.state.job.is_some() {
            return;
        }
        let mut before = row.kept.last.take();
        let is_told = self.facts.shorten(before.as_deref_mut());
        self.happens(what(before));
        row.kept.last = self.facts.latest(is_told);
    }

    /// Keeps a task, with when it is to be looked at.
    fn keep(&mut self, mut row: Row) -> Result<(), Failure<T::Error>> {
        if row.kept.removed {
            return match row.run {
                Some(_) => Ok(self.tables.put_task(&Row { wake: None, ..row })?),
                None => Ok(self.tables.forget(row.id())?),
            };
        }
        if row.kept.waits_for_task && row.run.is_none() {
            return Ok(self.tables.put_task(&Row { wake: None, ..row })?);
        }
        row.wake = None;
        if !row.kept.state.running {
            let declared = row.declared().map_err(|error| malformed(&error))?;
            row.wake = declared.next(&row.kept.state, row.kept.put_off, self.now);
        }
        Ok(self.tables.put_task(&row)?)
    }

    fn change(
        &mut self,
        id: &str,
        fact: impl FnOnce(String, Before) -> ClusterFact,
        change: impl FnOnce(&mut State, Millis) -> bool,
    ) -> Outcomes<T> {
        let row = self.tables.task(id)?.filter(|row| !row.kept.removed);
        let Some(mut row) = row else { return Ok(json!({ "found": false })) };
        if !change(&mut row.kept.state, self.now) {
            return Ok(json!({ "found": true, "changed": false }));
        }
        row.kept.put_off = None;
        self.happens_to(&mut row, |before| fact(id.to_owned(), before));
        self.keep(row)?;
        self.tells = true;
        Ok(json!({ "found": true, "changed": true }))
    }
}

const ALL: [Kind; 2] = [Kind::Tasks, Kind::Jobs];

/// FNV-1a of the lengths and bytes of all parts.
fn fnv<'a>(parts: impl Iterator<Item = &'a [u8]>) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for byte in (part.len() as u64).to_le_bytes().iter().chain(part) {
            sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    sum
}
