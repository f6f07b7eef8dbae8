//! Lists: which one is in force, and what changes when another one comes (rules SCHED-7, CLUS-6).

use super::{Failure, Force, Head, Kept, Member, Outcomes, Row, Shared, Tables, fnv, malformed};
use crate::Dst;
use crate::roster::{Declaration, Differences, Kind, List, Millis, State};
use hemiola_trace::TaskEntry;
use hemiola_trace::cluster::{ClusterFact, Known, Why};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

impl Head {
    pub(super) fn is_in_force(&self, member: &Member) -> bool {
        self.force.as_ref().is_some_and(|force| force.digest == member.digest)
    }

    /// The list in force as a node has to know it.
    pub(super) fn force(&self, member: &Member) -> Json {
        let Some(force) = &self.force else { return Json::Null };
        json!({ "mine": self.is_in_force(member), "generation": force.generation, "by": force.by })
    }
}

impl<T: Tables> Shared<'_, T> {
    pub(super) fn join(
        &mut self,
        node: &str,
        lease: Millis,
        list: &[Declaration],
        generation: Option<i64>,
        labels: &[String],
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
        let (joined, labels, heard) = (now, labels.to_vec(), None);
        let member =
            Member { incarnation, node, until, lease, joined, generation, digest, labels, heard };
        self.tables.put_member(&member)?;
        let rows = self.tables.tasks(Kind::Tasks)?;
        let orphaned = rows.iter().filter(|row| row.kept.state.orphaned);
        let orphaned: Vec<String> = orphaned.map(|row| row.id().to_owned()).collect();
        let Differences { added, removed, changed, .. } = differences;
        let changed: Vec<Json> = changed
            .into_iter()
            .map(|(id, before, now)| json!({ "id": id, "before": before, "now": now }))
            .collect();
        let in_force = self.head.is_in_force(&member);
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
            "force": self.head.force(&member),
            "differences": {
                "added": added, "removed": removed, "changed": changed, "orphaned": orphaned,
            },
        }))
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
