//! A scheduler of several nodes (rules CLUS-1 to CLUS-7): every decision is one transaction on tables that all nodes
//! share, by the clock of whoever keeps them.
//!
//! [`perform`] makes one decision: a node joins with its list, renews its lease, claims what is to start, reports an
//! end. It is the same over a database and in a simulated world; only the [`Tables`] differ.

mod address;
mod jobs;
mod memory;
mod rows;

pub use address::Address;
pub use memory::Memory;
pub use rows::{Force, Head, Holder, Kept, Member, Outcome, Row, Run, Tables};

use crate::Dst;
use crate::roster::{
    Declaration, Differences, Ended, Kind, List, Millis, Rejection, Retries, State,
};
use hemiola_trace::TaskEntry;
use hemiola_trace::cluster::{Before, ClusterFact, Known, Told, Why};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// What is asked of a cluster. `me` is the incarnation of the node that asks.
#[allow(missing_docs, reason = "fields are what their names and types say")]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Op {
    /// A process becomes a node, with its list. A list without a generation is younger than all others.
    Join { node: String, lease: Millis, list: Vec<Declaration>, generation: Option<i64> },
    /// A node keeps its lease.
    Renew { me: i64 },
    /// A node starts what is to start, at most so many tasks and jobs, and none of those. If an answer was lost on the way,
    /// `holds` has the fences of what it runs: nobody runs what it was given besides.
    Claim {
        me: i64,
        most: u32,
        #[serde(default)]
        jobs: u32,
        but: Vec<String>,
        holds: Option<Vec<i64>>,
    },
    /// A run has ended; so many runs of the task are kept.
    End { me: i64, id: String, fence: i64, error: Option<String>, keep: u32 },
    /// Runs have ended, as one question: a node that ends many at once does not ask for each.
    Ends { me: i64, ends: Vec<Over>, keep: u32 },
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

/// A run that has ended.
#[allow(missing_docs, reason = "fields are what their names and types say")]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Over {
    pub id: String,
    pub fence: i64,
    pub error: Option<String>,
}

impl Over {
    fn ended(&self) -> Ended {
        self.error.clone().map_or(Ended::Success, Ended::Failure)
    }
}

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
    let mut shared = Shared { tables, head, now, tells: false, facts: Vec::new() };
    let mut reply = match op {
        Op::Join { node, lease, list, generation } => shared.join(node, *lease, list, *generation),
        Op::Renew { me } => shared.renew(*me),
        Op::Claim { me, most, jobs, but, holds } => {
            shared.claim(*me, [*most, *jobs], but, holds.as_deref())
        }
        Op::End { me, id, fence, error, keep } => {
            let (id, error) = (id.clone(), error.clone());
            shared.end(*me, &Over { id, fence: *fence, error }, *keep)
        }
        Op::Ends { me, ends, keep } => shared.ends(*me, ends, *keep),
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
        reply["facts"] = json!(facts);
    }
    Ok(Done { reply, tells })
}

struct Shared<'a, T> {
    tables: &'a mut T,
    head: Head,
    now: Millis,
    tells: bool,
    /// What happens, to be told by whoever asked (rule CLUS-7).
    facts: Vec<Told>,
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
        self.facts.push(Told { n: self.head.facts, at: self.now, what });
    }

    /// Something happens to a task. Jobs are no part of the theory: nothing is told of them.
    fn happens_to(&mut self, row: &mut Row, what: impl FnOnce(Before) -> ClusterFact) {
        if row.kept.state.job.is_some() {
            return;
        }
        self.happens(what(row.kept.last.take()));
        let mut told = self.facts.last().expect("it was just told").clone();
        told.what.before().map(Option::take);
        row.kept.last = Some(Box::new(told));
    }

    /// Buries the nodes whose lease has run out (rule CLUS-4), and gives the others.
    fn alive(&mut self) -> Result<Vec<Member>, Failure<T::Error>> {
        let (alive, gone): (Vec<Member>, Vec<Member>) =
            self.tables.members()?.into_iter().partition(|member| member.until > self.now);
        for member in gone {
            self.bury(&member, Why::Lapsed)?;
        }
        Ok(alive)
    }

    /// The node that asks, if it holds its lease.
    fn me(&mut self, me: i64) -> Result<Option<Member>, Failure<T::Error>> {
        Ok(self.alive()?.into_iter().find(|member| member.incarnation == me))
    }

    /// A node is no more: nobody runs what it ran.
    fn bury(&mut self, member: &Member, why: Why) -> Result<(), Failure<T::Error>> {
        let rows = self.tables.held_by(member.incarnation)?;
        let ran = rows.iter().map(|row| row.id().to_owned()).collect();
        for row in rows {
            self.orphan(row, why)?;
        }
        let Member { incarnation: me, until, .. } = *member;
        self.happens(match why {
            Why::Left => ClusterFact::Left { me },
            Why::Lapsed | Why::Replaced | Why::GivenBack | Why::Unknown => {
                ClusterFact::Lost { me, until, ran }
            }
        });
        Ok(self.tables.drop_member(me)?)
    }

    /// Nobody runs a task any more, which has to start again.
    fn orphan(&mut self, mut row: Row, why: Why) -> Result<(), Failure<T::Error>> {
        let Some(Holder { fence, incarnation: me }) = row.run.take() else { return Ok(()) };
        if let Some(run) = self.tables.run(fence)? {
            let end = Some(self.now);
            self.tables.put_run(&Run { end, outcome: Outcome::Interrupted, ..run })?;
        }
        let id = row.id().to_owned();
        self.happens_to(&mut row, |before| ClusterFact::Interrupted { id, me, fence, why, before });
        self.tells = true;
        (row.kept.state.running, row.kept.state.orphaned) = (false, true);
        self.keep(row)
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
        let declared = row.declared().map_err(|error| malformed(&error))?;
        row.wake = declared.next(&row.kept.state, row.kept.put_off, self.now);
        Ok(self.tables.put_task(&row)?)
    }

    fn is_in_force(&self, member: &Member) -> bool {
        self.head.force.as_ref().is_some_and(|force| force.digest == member.digest)
    }

    fn join(
        &mut self,
        node: &str,
        lease: Millis,
        list: &[Declaration],
        generation: Option<i64>,
    ) -> Outcomes<T> {
        let accepted = List::new(list).map_err(|error| malformed(&error))?;
        for member in self.alive()?.iter().filter(|member| member.node == node) {
            // It was started again: what it ran before has no one else who could know of its end.
            self.bury(member, Why::Replaced)?;
        }
        let digest = digest(list);
        let latest = self.head.force.as_ref().map(|force| force.generation);
        let youngest = latest.map_or(self.now, |latest| self.now.max(latest + 1));
        let mut differences = Differences::default();
        let generation = match &self.head.force {
            Some(force) if force.digest == digest => {
                force.generation.max(generation.unwrap_or(force.generation))
            }
            Some(Force { generation: latest, by, .. }) if generation == Some(*latest) => {
                return Err(Failure::OtherList { generation: *latest, by: by.clone() });
            }
            Some(_) | None => generation.unwrap_or(youngest),
        };
        if latest.is_none_or(|latest| latest <= generation) {
            let is_new = self.head.force.as_ref().is_none_or(|force| force.digest != digest);
            let by = node.to_owned();
            self.head.force = Some(Force { generation, digest: digest.clone(), by });
            if is_new {
                differences = self.replace(list, accepted)?;
                self.tells = true;
            }
        }
        self.head.incarnation += 1;
        let (incarnation, now) = (self.head.incarnation, self.now);
        let (node, until) = (node.to_owned(), now.saturating_add(lease));
        let member = Member { incarnation, node, until, lease, joined: now, generation, digest };
        self.tables.put_member(&member)?;
        let rows = self.tables.tasks(Kind::Tasks)?;
        let orphaned = rows.iter().filter(|row| row.kept.state.orphaned);
        let orphaned: Vec<String> = orphaned.map(|row| row.id().to_owned()).collect();
        let Differences { added, removed, changed, .. } = differences;
        let changed: Vec<Json> = changed
            .into_iter()
            .map(|(id, before, now)| json!({ "id": id, "before": before, "now": now }))
            .collect();
        let in_force = self.is_in_force(&member);
        self.happens(ClusterFact::Joined {
            me: incarnation,
            node: member.node.clone(),
            lease,
            until,
            generation,
            in_force,
            list: list.iter().map(entry).collect(),
            knows: rows.iter().map(known).collect(),
        });
        Ok(json!({
            "me": incarnation, "generation": generation, "until": until,
            "force": self.force(&member),
            "differences": {
                "added": added, "removed": removed, "changed": changed, "orphaned": orphaned,
            },
        }))
    }

    /// The list in force as a node has to know it.
    fn force(&self, member: &Member) -> Json {
        let Some(force) = &self.head.force else { return Json::Null };
        json!({ "mine": self.is_in_force(member), "generation": force.generation, "by": force.by })
    }

    /// A list takes the place of the one in force (rules SCHED-7, CLUS-6).
    fn replace(
        &mut self,
        list: &[Declaration],
        accepted: List,
    ) -> Result<Differences, Failure<T::Error>> {
        let mut differences = Differences::default();
        let known = self.tables.tasks(Kind::Tasks)?;
        let mut known: BTreeMap<String, Row> =
            known.into_iter().map(|row| (row.id().to_owned(), row)).collect();
        for (task, declared) in list.iter().zip(accepted.0) {
            let (text, more) = (declared.text.clone(), declared.more.clone());
            let now = self.now;
            let before = known.remove(&task.id);
            let row = match before {
                Some(mut row) if !row.kept.removed => {
                    row.kept.state.found(&declared.dues, now);
                    if let Some((before, now)) = row.kept.state.declare(&text, &more) {
                        differences.changed.push((task.id.clone(), before, now));
                    }
                    row.kept.declared = task.clone();
                    row
                }
                // Somebody may still run it, from before it was removed.
                before => {
                    differences.added.push(task.id.clone());
                    let (run, last) = before.map_or((None, None), |row| (row.run, row.kept.last));
                    let is_due = declared.is_due_in_minute_of(now);
                    let mut state = State::first_coming(text, more, now, is_due);
                    state.running = run.is_some();
                    let declared = task.clone();
                    let kept = Kept { last, ..Kept::new(declared, state) };
                    Row { kept, wake: None, run }
                }
            };
            self.keep(row)?;
        }
        for mut row in known.into_values().filter(|row| !row.kept.removed) {
            differences.removed.push(row.id().to_owned());
            row.kept.removed = true;
            self.keep(row)?;
        }
        self.declare_jobs(list)?;
        Ok(differences)
    }

    fn renew(&mut self, me: i64) -> Outcomes<T> {
        let Some(mut member) = self.me(me)? else { return Ok(lost()) };
        member.until = self.now.saturating_add(member.lease);
        self.tables.put_member(&member)?;
        self.happens(ClusterFact::Renewed { me, until: member.until });
        let next = self.tables.next_wake(&ALL, &[])?;
        Ok(json!({ "until": member.until, "force": self.force(&member), "next": next }))
    }

    /// Starts what is to start (rules CLUS-2, CLUS-3).
    fn claim(
        &mut self,
        me: i64,
        mut room: [u32; 2],
        but: &[String],
        holds: Option<&[i64]>,
    ) -> Outcomes<T> {
        let Some(member) = self.me(me)? else { return Ok(lost()) };
        if let Some(holds) = holds {
            for row in self.tables.held_by(me)? {
                if row.run.is_some_and(|run| !holds.contains(&run.fence)) {
                    self.orphan(row, Why::Unknown)?;
                }
            }
        }
        let mut starts = Vec::new();
        let with_room = |room: &[u32; 2]| -> Vec<Kind> {
            ALL.into_iter().zip(room).filter(|(_, room)| **room > 0).map(|(kind, _)| kind).collect()
        };
        while self.is_in_force(&member) {
            let kinds = with_room(&room);
            // So few that there is room for them, whatever they are.
            let Some(most) = room.into_iter().filter(|room| *room > 0).min() else { break };
            let woken = self.tables.woken(self.now, &kinds, most, but)?;
            if woken.is_empty() {
                break;
            }
            for row in woken {
                let kind = row.kind() as usize;
                if let Some(start) = self.start(&member, row)? {
                    room[kind] -= 1;
                    starts.push(start);
                }
            }
        }
        let next = self.tables.next_wake(&ALL, but)?;
        // Who has no room leaves the rest to others.
        self.tells |= !starts.is_empty() && next.is_some_and(|next| next <= self.now);
        let kinds = with_room(&room);
        let next = match next {
            Some(next) if kinds.len() < ALL.len() && next <= self.now => {
                self.tables.next_wake(&kinds, but)?
            }
            next => next,
        };
        Ok(json!({ "starts": starts, "next": next, "force": self.force(&member) }))
    }

    /// Starts a task, if it is owed.
    fn start(&mut self, member: &Member, mut row: Row) -> Result<Option<Json>, Failure<T::Error>> {
        let declared = row.declared().map_err(|error| malformed(&error))?;
        let Kept { state, put_off, .. } = &mut row.kept;
        state.found(&declared.dues, self.now);
        let Some((pending, due)) = declared.pending(state, self.now) else {
            self.keep(row)?;
            return Ok(None);
        };
        let jitter = declared.jitter;
        if pending == crate::Pending::Due && put_off.is_none() && jitter > 0 {
            let until = self.now.saturating_add(chance(&declared.id, due, jitter));
            *put_off = Some(until);
            let id = declared.id;
            self.happens_to(&mut row, |before| ClusterFact::PutOff { id, until, before });
            self.keep(row)?;
            return Ok(None);
        }
        *put_off = None;
        let attempt = state.claim(due);
        state.started(&declared.dues, self.now);
        self.head.fence += 1;
        let fence = self.head.fence;
        row.run = Some(Holder { incarnation: member.incarnation, fence });
        let (id, task, node) = (declared.id, row.task().to_owned(), member.node.clone());
        let (start, outcome) = (self.now, Outcome::Running);
        let job = row.kept.state.job.clone();
        let (of_job, end, error) = (job.as_ref().map(|_| id.clone()), None, None);
        let run = Run { fence, task, node, due, attempt, start, end, outcome, error, job: of_job };
        self.tables.put_run(&run)?;
        let (told_id, me, until) = (id.clone(), member.incarnation, member.until);
        self.happens_to(&mut row, |before| ClusterFact::Started {
            id: told_id,
            me,
            fence,
            due,
            attempt,
            until,
            before,
        });
        self.keep(row)?;
        let mut started = json!({
            "id": id, "pending": pending.name(), "due": due, "attempt": attempt, "fence": fence,
        });
        if let Some(job) = job {
            started["job"] = json!({ "task": job.task, "payload": job.payload, "key": job.key });
        }
        Ok(Some(started))
    }

    /// The task that a node runs with that fence.
    fn held(
        &mut self,
        member: Option<&Member>,
        id: &str,
        fence: i64,
    ) -> Result<Option<Row>, Failure<T::Error>> {
        let Some(member) = member else { return Ok(None) };
        let mine = Holder { incarnation: member.incarnation, fence };
        Ok(self.tables.task(id)?.filter(|row| row.run == Some(mine)))
    }

    fn end(&mut self, me: i64, over: &Over, keep: u32) -> Outcomes<T> {
        let member = self.me(me)?;
        let mut ended = self.over(me, member.as_ref(), over, keep)?;
        ended["next"] = self.tables.next_wake(&ALL, &[])?.into();
        Ok(ended)
    }

    fn ends(&mut self, me: i64, ends: &[Over], keep: u32) -> Outcomes<T> {
        let member = self.me(me)?;
        let mut ended = Vec::with_capacity(ends.len());
        for over in ends {
            ended.push(self.over(me, member.as_ref(), over, keep)?);
        }
        Ok(json!({ "ended": ended, "next": self.tables.next_wake(&ALL, &[])? }))
    }

    /// A run has ended, unless somebody else runs the task by now, or may (rule CLUS-5).
    fn over(&mut self, me: i64, member: Option<&Member>, over: &Over, keep: u32) -> Outcomes<T> {
        let (id, fence, ended) = (over.id.as_str(), over.fence, over.ended());
        let Some(mut row) = self.held(member, id, fence)? else {
            // Told a second time, because the first answer was lost.
            let run = self.tables.run(fence)?;
            let known = run.is_some_and(|run| match run.outcome {
                Outcome::Success | Outcome::Failure => true,
                Outcome::Running | Outcome::Interrupted => false,
            });
            if !known {
                self.happens(ClusterFact::Refused { id: id.to_owned(), me, fence });
            }
            return Ok(json!({ "accepted": known }));
        };
        let until = member.map_or(self.now, |member| member.until);
        row.run = None;
        if let Some(run) = self.tables.run(fence)? {
            let (outcome, error) = match &ended {
                Ended::Success => (Outcome::Success, None),
                Ended::Failure(error) => (Outcome::Failure, Some(error.clone())),
            };
            self.tables.put_run(&Run { end: Some(self.now), outcome, error, ..run })?;
            self.tables.sweep(row.task(), keep)?;
        }
        let failed = matches!(ended, Ended::Failure(_));
        let Kept { state, declared, .. } = &mut row.kept;
        state.end(self.now, ended, &Retries::of(declared));
        let (retry_at, dead) = (state.retry_at, state.dead.is_some());
        let (is_done, told_id) = (state.is_done(), id.to_owned());
        let retry = retry_at.filter(|_| failed);
        self.happens_to(&mut row, |before| ClusterFact::Ended {
            id: told_id,
            me,
            fence,
            until,
            failed,
            retry,
            before,
        });
        if is_done {
            self.tables.forget(id)?;
        } else {
            self.keep(row)?;
        }
        Ok(json!({ "accepted": true, "retryAt": retry_at, "dead": dead }))
    }

    fn give_back(&mut self, me: i64, id: &str, fence: i64) -> Outcomes<T> {
        let member = self.me(me)?;
        if let Some(row) = self.held(member.as_ref(), id, fence)? {
            self.orphan(row, Why::GivenBack)?;
        }
        Ok(json!({}))
    }

    fn leave(&mut self, me: i64) -> Outcomes<T> {
        if let Some(member) = self.me(me)? {
            self.bury(&member, Why::Left)?;
        }
        Ok(json!({}))
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

    fn status(&mut self) -> Outcomes<T> {
        let nodes = self.tables.members()?;
        let name = |of: i64| nodes.iter().find(|member| member.incarnation == of);
        let mut tasks = Vec::new();
        for row in self.tables.tasks(Kind::Tasks)?.into_iter().filter(|row| !row.kept.removed) {
            let declared = row.declared().map_err(|error| malformed(&error))?;
            let Kept { declared: written, state, .. } = &row.kept;
            let last = state.last.as_ref();
            let (end, error) = match last.and_then(|last| last.end.as_ref()) {
                Some((end, Ended::Success)) => (Some(*end), None),
                Some((end, Ended::Failure(error))) => (Some(*end), Some(error.clone())),
                None => (None, None),
            };
            let node = row.run.and_then(|run| name(run.incarnation));
            tasks.push(json!({
                "id": row.id(),
                "cron": written.cron,
                "declared": format!("{}{}", state.declared, state.more),
                "zone": written.zone,
                "running": state.running,
                "paused": state.paused,
                "pending": declared.pending(state, self.now).map(|(pending, _)| pending.name()),
                "nextDue": declared.next_due(state, self.now),
                "retryAt": state.retry_at,
                "failures": state.failures,
                "orphaned": state.orphaned,
                "dead": state.dead,
                "lastStart": last.map(|last| last.start),
                "lastEnd": end,
                "lastError": error,
                "node": node.map(|member| member.node.as_str()),
                "fence": row.run.map(|run| run.fence),
            }));
        }
        Ok(json!({ "tasks": tasks, "force": self.head.force }))
    }

    fn runs(&mut self, id: &str, most: u32) -> Outcomes<T> {
        Ok(json!({ "runs": self.tables.runs(id, most)? }))
    }

    fn nodes(&mut self) -> Outcomes<T> {
        let nodes: Vec<Json> = self
            .tables
            .members()?
            .iter()
            .map(|member| {
                json!({
                    "node": member.node, "joined": member.joined, "until": member.until,
                    "generation": member.generation, "alive": member.until > self.now,
                    "inForce": self.is_in_force(member),
                })
            })
            .collect();
        Ok(json!({ "nodes": nodes, "force": self.head.force }))
    }
}

const ALL: [Kind; 2] = [Kind::Tasks, Kind::Jobs];

/// The node has no lease any more.
fn lost() -> Json {
    json!({ "lost": true })
}

/// A task as traces have it.
fn entry(task: &Declaration) -> TaskEntry {
    TaskEntry {
        id: task.id.clone(),
        cron: task.cron.clone(),
        zone: task.zone.clone(),
        once: task.dst == Dst::Once,
        retry_delay: task.retry_delay,
    }
}

/// What is known of a task, for traces.
fn known(row: &Row) -> Known {
    let state = serde_json::to_string(&row.kept.state).expect("a state can be written");
    let run = row.run.map(|run| (run.incarnation, run.fence));
    Known { id: row.id().to_owned(), state, run }
}

/// Stands for a list, whatever the order of its tasks: two nodes with the same one have the same list.
fn digest(list: &[Declaration]) -> String {
    let mut tasks: Vec<String> = list
        .iter()
        .map(|task| serde_json::to_string(task).expect("a declaration can be written"))
        .collect();
    tasks.sort_unstable();
    format!("{:016x}-{}", fnv(tasks.iter().map(String::as_bytes)), list.len())
}

/// By how much a start is put off: any number below `most`, another one for every due.
fn chance(id: &str, due: Option<Millis>, most: i64) -> i64 {
    let due = due.unwrap_or_default().to_le_bytes();
    let number = fnv([id.as_bytes(), &due].into_iter());
    ((number ^ number >> 32) % most.unsigned_abs().max(1)) as i64
}

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
