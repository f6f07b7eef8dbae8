//! Jobs: runs of tasks that somebody asked for once. Each is a row like that of a task.

use super::{Failure, Kept, Outcomes, Row, Shared, Tables};
use crate::roster::{Declaration, Job, Kind, Millis, State};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

impl<T: Tables> Shared<'_, T> {
    /// Adds a job, unless there is one with its key.
    pub(super) fn enqueue(
        &mut self,
        task: &str,
        payload: Option<String>,
        key: Option<String>,
        at: Option<Millis>,
        delay: Option<Millis>,
    ) -> Outcomes<T> {
        let is_task = |row: &Row| row.kind() == Kind::Tasks && !row.kept.removed;
        let Some(parent) = self.tables.task(task)?.filter(is_task) else {
            return Ok(json!({ "found": false }));
        };
        let fact = self.fact();
        let id = Job::id(task, key.as_deref(), fact);
        if self.tables.task(&id)?.is_some() {
            return Ok(json!({ "found": true, "job": id, "added": false }));
        }
        let at = at.unwrap_or_else(|| self.now.saturating_add(delay.unwrap_or_default()));
        let declared = declared(&parent.kept.declared, &id);
        let state = State::of_job(Job::new(task, at, payload, key), self.now);
        self.keep(Row { kept: Kept::new(declared, state), wake: None, run: None })?;
        self.tells = true;
        Ok(json!({ "found": true, "job": id, "added": true, "fact": fact }))
    }

    /// Forgets a job that nobody runs.
    pub(super) fn cancel(&mut self, id: &str) -> Outcomes<T> {
        let row = self.tables.task(id)?.filter(|row| row.kind() == Kind::Jobs);
        let Some(row) = row else { return Ok(json!({ "found": false })) };
        let is_idle = row.run.is_none();
        if is_idle {
            self.tables.forget(id)?;
            self.fact();
        }
        Ok(json!({ "found": true, "changed": is_idle }))
    }

    /// The jobs of a task, or of all.
    pub(super) fn jobs(&mut self, of: Option<&str>, most: u32) -> Outcomes<T> {
        let nodes = self.tables.members()?;
        let rows = self.tables.tasks(Kind::Jobs)?;
        let rows = rows.iter().filter(|row| of.is_none_or(|of| row.task() == of));
        let jobs = rows.take(most as usize).filter_map(|row| {
            let state = &row.kept.state;
            let node = row
                .run
                .and_then(|run| nodes.iter().find(|member| member.incarnation == run.incarnation));
            let mut shown = state.job_json(row.id(), self.now)?;
            shown["node"] = node.map(|member| member.node.as_str()).into();
            shown["fence"] = row.run.map(|run| run.fence).into();
            Some(shown)
        });
        let jobs: Vec<Json> = jobs.collect();
        Ok(json!({ "jobs": jobs }))
    }

    /// A list is in force: jobs follow what is declared of their tasks, and wait if those are not in it.
    pub(super) fn declare_jobs(&mut self, list: &[Declaration]) -> Result<(), Failure<T::Error>> {
        let list: BTreeMap<&str, &Declaration> =
            list.iter().map(|task| (task.id.as_str(), task)).collect();
        for mut row in self.tables.tasks(Kind::Jobs)? {
            let task = list.get(row.task());
            row.kept.waits_for_task = task.is_none();
            if let Some(task) = task {
                row.kept.declared = declared(task, row.id());
            }
            self.keep(row)?;
        }
        Ok(())
    }
}

/// A job is tried again as its task is, and its start is not put off.
fn declared(task: &Declaration, id: &str) -> Declaration {
    Declaration { id: id.to_owned(), jitter: 0, ..task.clone() }
}
