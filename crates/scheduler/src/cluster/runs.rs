//! Runs: what starts, and whether an end counts (rules CLUS-2, CLUS-3, CLUS-5).

use super::members::lost;
use super::{
    ALL, Failure, Holder, Kept, Member, Outcome, Outcomes, Over, Row, Run, Shared, Tables, fnv,
    malformed,
};
use crate::roster::{Ended, Kind, Millis, Retries};
use hemiola_trace::cluster::{ClusterFact, Why};
use serde_json::{Value as Json, json};

impl<T: Tables> Shared<'_, T> {
    /// Starts what is to start (rules CLUS-2, CLUS-3).
    pub(super) fn claim(
        &mut self,
        me: i64,
        mut room: [u32; 2],
        but: &[String],
        holds: Option<&[i64]>,
        spread: bool,
    ) -> Outcomes<T> {
        let Some(member) = self.me(me)? else { return Ok(lost()) };
        if let Some(holds) = holds {
            for row in self.tables.held_by(me)? {
                if row.run.is_some_and(|run| !holds.contains(&run.fence)) {
                    self.orphan(row, Why::Unknown)?;
                }
            }
        }
        // What it has not the labels for is left to others.
        let mut but = but.to_vec();
        let mut starts = Vec::new();
        let with_room = |room: &[u32; 2]| -> Vec<Kind> {
            ALL.into_iter().zip(room).filter(|(_, room)| **room > 0).map(|(kind, _)| kind).collect()
        };
        while self.head.is_in_force(&member) {
            let asked = room;
            if asked == [0, 0] {
                break;
            }
            let mut woken = self.tables.woken(self.now, asked, &but)?;
            let mut found = [0; 2];
            woken.iter().for_each(|row| found[row.kind() as usize] += 1);
            if spread && !woken.is_empty() {
                // The others are told of the rest, and take theirs.
                woken.truncate(woken.len().div_ceil(self.peers(&member)?));
            }
            // One that does not start now may have to be looked at again.
            let mut again = false;
            for row in woken {
                let kind = row.kind() as usize;
                if !row.kept.declared.labels.iter().all(|label| member.labels.contains(label)) {
                    but.push(row.id().to_owned());
                    continue;
                }
                if let Some(start) = self.start(&member, row)? {
                    room[kind] -= 1;
                    starts.push(start);
                } else {
                    again = true;
                }
            }
            // Whoever found as many as it has asked for, and has room all the same, may find more.
            let is_left = |kind: usize| found[kind] == asked[kind] && room[kind] > 0;
            if spread && !starts.is_empty() || !again && !is_left(0) && !is_left(1) {
                break;
            }
        }
        let next = self.tables.next_wake(&ALL, &but)?;
        // Who has no room leaves the rest to others.
        self.tells |= !starts.is_empty() && next.is_some_and(|next| next <= self.now);
        let kinds = with_room(&room);
        let next = match next {
            Some(next) if kinds.len() < ALL.len() && next <= self.now => {
                self.tables.next_wake(&kinds, &but)?
            }
            next => next,
        };
        Ok(json!({ "starts": starts, "next": next, "force": self.head.force(&member) }))
    }

    /// How many nodes could start what a node could.
    fn peers(&mut self, member: &Member) -> Result<usize, Failure<T::Error>> {
        let members = self.tables.members()?;
        let is_peer = |other: &&Member| other.until > self.now && other.digest == member.digest;
        Ok(members.iter().filter(is_peer).count().max(1))
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
        let attempt = state.claim(due, self.now);
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

    pub(super) fn end(&mut self, me: i64, over: &Over, keep: u32) -> Outcomes<T> {
        let member = self.me(me)?;
        let mut ended = self.over(me, member.as_ref(), over, keep)?;
        ended["next"] = self.tables.next_wake(&ALL, &[])?.into();
        Ok(ended)
    }

    pub(super) fn ends(&mut self, me: i64, ends: &[Over], keep: u32) -> Outcomes<T> {
        let member = self.me(me)?;
        let (ids, fences): (Vec<&str>, Vec<i64>) =
            ends.iter().map(|over| (over.id.as_str(), over.fence)).unzip();
        self.tables.look_up(&ids, &fences)?;
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
                return Ok(json!({ "accepted": false }));
            }
            let row = self.tables.task(id)?;
            let state = row.as_ref().map(|row| &row.kept.state);
            let retry_at = state.and_then(|state| state.retry_at);
            let dead = state.is_some_and(|state| state.dead.is_some());
            return Ok(json!({ "accepted": true, "retryAt": retry_at, "dead": dead }));
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

    pub(super) fn give_back(&mut self, me: i64, id: &str, fence: i64) -> Outcomes<T> {
        let member = self.me(me)?;
        if let Some(row) = self.held(member.as_ref(), id, fence)? {
            self.orphan(row, Why::GivenBack)?;
        }
        Ok(json!({}))
    }
}

/// By how much a start is put off: any number below `most`, another one for every due.
fn chance(id: &str, due: Option<Millis>, most: i64) -> i64 {
    let due = due.unwrap_or_default().to_le_bytes();
    let number = fnv([id.as_bytes(), &due].into_iter());
    ((number ^ number >> 32) % most.unsigned_abs().max(1)) as i64
}
