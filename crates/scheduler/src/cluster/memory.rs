//! The tables of a cluster in memory, for simulated worlds: whoever asks is alone with them.

use super::{Head, Member, Row, Run, Tables};
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
}

impl Tables for Memory {
    type Error = Infallible;

    fn begin(&mut self, _changes: bool) -> Result<(Head, Millis), Infallible> {
        Ok((self.head.clone(), self.now))
    }

    fn put_head(&mut self, head: &Head) -> Result<(), Infallible> {
        self.head = head.clone();
        Ok(())
    }

    fn members(&mut self) -> Result<Vec<Member>, Infallible> {
        Ok(self.members.values().cloned().collect())
    }

    fn put_member(&mut self, member: &Member) -> Result<(), Infallible> {
        self.members.insert(member.incarnation, member.clone());
        Ok(())
    }

    fn drop_member(&mut self, incarnation: i64) -> Result<(), Infallible> {
        self.members.remove(&incarnation);
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
        kinds: &[Kind],
        most: u32,
        but: &[String],
    ) -> Result<Vec<Row>, Infallible> {
        let woken = |row: &&Row| {
            row.wake.is_some_and(|wake| wake <= now)
                && kinds.contains(&row.kind())
                && !but.iter().any(|id| id == row.id())
        };
        let mut rows: Vec<Row> = self.tasks.values().filter(woken).cloned().collect();
        rows.sort_by(|a, b| (a.wake, a.id()).cmp(&(b.wake, b.id())));
        rows.truncate(most as usize);
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
        self.tasks.insert(row.id().to_owned(), row.clone());
        Ok(())
    }

    fn forget(&mut self, id: &str) -> Result<(), Infallible> {
        self.tasks.remove(id);
        self.runs.retain(|_, run| run.task != id);
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
        self.runs.insert(run.fence, run.clone());
        Ok(())
    }

    fn sweep(&mut self, id: &str, keep: u32) -> Result<(), Infallible> {
        let runs = self.runs.values().rev().filter(|run| run.task == id);
        let oldest: Vec<i64> = runs.skip(keep as usize).map(|run| run.fence).collect();
        oldest.iter().for_each(|fence| drop(self.runs.remove(fence)));
        Ok(())
    }
}
