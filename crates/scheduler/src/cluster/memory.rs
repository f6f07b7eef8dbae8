//! The tables of a cluster in memory, for simulated worlds: whoever asks is alone with them.

use super::{Done, Failure, Head, Member, Op, Row, Run, Tables, perform};
use crate::roster::{Kind, Millis};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// Tables in memory, with a clock that somebody sets.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// What the clock shows.
    pub now: Millis,
    head: Head,
    members: BTreeMap<i64, Member>,
    tasks: BTreeMap<String, Row>,
    runs: BTreeMap<i64, Run>,
    /// What was there before a decision that is being made, to be put back if nothing comes of it: the last change
    /// first.
    before: Vec<Was>,
}

/// Something before it was changed; nothing if it was not there.
#[derive(Clone, Debug)]
enum Was {
    Head(Head),
    Member(i64, Option<Member>),
    Task(String, Option<Box<Row>>),
    Run(i64, Option<Run>),
}

impl Memory {
    /// Makes one decision: all of it happens, or nothing.
    pub fn decide(&mut self, op: &Op) -> Result<Done, Failure<Infallible>> {
        let done = perform(self, op);
        if done.is_err() {
            while let Some(was) = self.before.pop() {
                self.put_back(was);
            }
        }
        self.before.clear();
        done
    }

    fn put_back(&mut self, was: Was) {
        fn put<K: Ord, V>(rows: &mut BTreeMap<K, V>, key: K, was: Option<V>) {
            match was {
                Some(row) => drop(rows.insert(key, row)),
                None => drop(rows.remove(&key)),
            }
        }
        match was {
            Was::Head(head) => self.head = head,
            Was::Member(incarnation, was) => put(&mut self.members, incarnation, was),
            Was::Task(id, was) => put(&mut self.tasks, id, was.map(|row| *row)),
            Was::Run(fence, was) => put(&mut self.runs, fence, was),
        }
    }

    fn drop_run(&mut self, fence: i64) {
        let was = self.runs.remove(&fence);
        self.before.push(Was::Run(fence, was));
    }
}

impl Tables for Memory {
    type Error = Infallible;

    fn begin(&mut self, _changes: bool) -> Result<(Head, Millis), Infallible> {
        self.before.clear();
        Ok((self.head.clone(), self.now))
    }

    fn put_head(&mut self, head: &Head) -> Result<(), Infallible> {
        let was = std::mem::replace(&mut self.head, head.clone());
        self.before.push(Was::Head(was));
        Ok(())
    }

    fn members(&mut self) -> Result<Vec<Member>, Infallible> {
        Ok(self.members.values().cloned().collect())
    }

    fn put_member(&mut self, member: &Member) -> Result<(), Infallible> {
        let was = self.members.insert(member.incarnation, member.clone());
        self.before.push(Was::Member(member.incarnation, was));
        Ok(())
    }

    fn drop_member(&mut self, incarnation: i64) -> Result<(), Infallible> {
        let was = self.members.remove(&incarnation);
        self.before.push(Was::Member(incarnation, was));
        Ok(())
    }

    fn look_up(&mut self, _: &[&str], _: &[i64]) -> Result<(), Infallible> {
        Ok(())
    }

    fn task(&mut self, id: &str) -> Result<Option<Row>, Infallible> {
        Ok(self.tasks.get(id).cloned())
    }

    fn tasks(&mut self, kind: Kind) -> Result<Vec<Row>, Infallible> {
        Ok(self.tasks.values().filter(|row| row.kind() == kind).cloned().collect())
    }

    fn woken(
        &mut self,
        now: Millis,
        mut most: [u32; 2],
        but: &[String],
    ) -> Result<Vec<Row>, Infallible> {
        let woken = |row: &&Row| {
            row.wake.is_some_and(|wake| wake <= now) && !but.iter().any(|id| id == row.id())
        };
        let mut rows: Vec<Row> = self.tasks.values().filter(woken).cloned().collect();
        rows.sort_by(|a, b| (a.wake, a.id()).cmp(&(b.wake, b.id())));
        rows.retain(|row| {
            let left = &mut most[row.kind() as usize];
            let is_one = *left > 0;
            *left = left.saturating_sub(1);
            is_one
        });
        Ok(rows)
    }

    fn held_by(&mut self, incarnation: i64) -> Result<Vec<Row>, Infallible> {
        let held = |row: &&Row| row.run.is_some_and(|run| run.incarnation == incarnation);
        Ok(self.tasks.values().filter(held).cloned().collect())
    }

    fn next_wake(&mut self, kinds: &[Kind], but: &[String]) -> Result<Option<Millis>, Infallible> {
        let others = self.tasks.values().filter(|row| !but.iter().any(|id| id == row.id()));
        Ok(others.filter(|row| kinds.contains(&row.kind())).filter_map(|row| row.wake).min())
    }

    fn put_task(&mut self, row: &Row) -> Result<(), Infallible> {
        let was = self.tasks.insert(row.id().to_owned(), row.clone());
        self.before.push(Was::Task(row.id().to_owned(), was.map(Box::new)));
        Ok(())
    }

    fn forget(&mut self, id: &str) -> Result<(), Infallible> {
        let was = self.tasks.remove(id);
        self.before.push(Was::Task(id.to_owned(), was.map(Box::new)));
        let of_task = self.runs.values().filter(|run| run.task == id);
        let fences: Vec<i64> = of_task.map(|run| run.fence).collect();
        fences.into_iter().for_each(|fence| self.drop_run(fence));
        Ok(())
    }

    fn run(&mut self, fence: i64) -> Result<Option<Run>, Infallible> {
        Ok(self.runs.get(&fence).cloned())
    }

    fn runs(&mut self, id: &str, most: u32) -> Result<Vec<Run>, Infallible> {
        let runs = self.runs.values().rev().filter(|run| run.task == id);
        Ok(runs.take(most as usize).cloned().collect())
    }

    fn put_run(&mut self, run: &Run) -> Result<(), Infallible> {
        let was = self.runs.insert(run.fence, run.clone());
        self.before.push(Was::Run(run.fence, was));
        Ok(())
    }

    fn sweep(&mut self, id: &str, keep: u32) -> Result<(), Infallible> {
        let runs = self.runs.values().rev().filter(|run| run.task == id);
        let oldest: Vec<i64> = runs.skip(keep as usize).map(|run| run.fence).collect();
        oldest.into_iter().for_each(|fence| self.drop_run(fence));
        Ok(())
    }
}
