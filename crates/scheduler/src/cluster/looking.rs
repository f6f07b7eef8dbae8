//! How a cluster stands, for those who look.

use super::{Kept, Outcomes, Shared, Tables, malformed};
use crate::roster::{Ended, Kind};
use serde_json::{Value as Json, json};

impl<T: Tables> Shared<'_, T> {
    pub(super) fn status(&mut self) -> Outcomes<T> {
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

    pub(super) fn runs(&mut self, id: &str, most: u32) -> Outcomes<T> {
        Ok(json!({ "runs": self.tables.runs(id, most)? }))
    }

    pub(super) fn nodes(&mut self) -> Outcomes<T> {
        let nodes: Vec<Json> = self
            .tables
            .members()?
            .iter()
            .map(|member| {
                json!({
                    "node": member.node, "joined": member.joined, "until": member.until,
                    "generation": member.generation, "alive": member.until > self.now,
                    "inForce": self.head.is_in_force(member), "labels": member.labels,
                })
            })
            .collect();
        Ok(json!({ "nodes": nodes, "force": self.head.force }))
    }
}
