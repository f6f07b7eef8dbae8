//! A store of one process as tables, for somebody who looks at it while no scheduler holds it.

use super::{Store, about};
use hemiola_gate::files::Links;
use hemiola_gate::{Datum, Fault};
use hemiola_scheduler::cluster::{Head, Member, Op, Outcome, Row, Run, Tables, perform};
use hemiola_scheduler::{Kind, Millis, State};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

/// A store that is held to look at it.
pub(crate) struct Held {
    store: Store,
    rows: BTreeMap<String, Row>,
}

impl Held {
    /// Opens a store that is there.
    pub(crate) fn open(path: &str) -> Result<Self, Fault> {
        if !Path::new(path).exists() {
            return Err(Fault::new("ERR_STORE_OPEN", format!("there is no store {path}")));
        }
        let (store, tasks) = Store::open(path, Links::Followed)?;
        let damaged = |id: &str| super::damaged(path, &format!("the state of {id}"));
        let mut states: BTreeMap<String, State> = BTreeMap::new();
        for task in tasks {
            let Datum::List(words) = task else { continue };
            let [Datum::Text(id), Datum::Text(state)] = words.as_slice() else { continue };
            let state = serde_json::from_str(state).map_err(|_| damaged(id))?;
            states.insert(id.clone(), state);
        }
        let mut rows = BTreeMap::new();
        for (id, state) in &states {
            let parent = state.job.as_ref().and_then(|job| states.get(&job.task));
            // A job whose task is in no list any more is not shown: nobody knows how it is tried.
            if let Some(row) = Row::of_state(id, state.clone(), parent) {
                rows.insert(id.clone(), row);
            }
        }
        Ok(Self { store, rows })
    }

    pub(crate) fn ask(&mut self, op: &Op) -> Result<Json, Fault> {
        let path = self.store.path.clone();
        let mut tables = Looked { held: self, changes: Vec::new() };
        let done = perform(&mut tables, op).map_err(|failure| {
            let mut fault = None;
            let (code, message) = failure.explain(|own: Fault| {
                let message = own.message.to_string();
                fault = Some(own);
                ("ERR_STORE", message)
            });
            fault.unwrap_or_else(|| Fault::new(code, message))
        })?;
        let changes = tables.changes;
        if !changes.is_empty() {
            self.store.commit(&changes, f64::MAX).map_err(|error| about(&error, &path))?;
        }
        Ok(done.reply)
    }
}

/// What is looked at, and what is to change.
struct Looked<'a> {
    held: &'a mut Held,
    changes: Vec<Datum>,
}

fn now() -> Millis {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// There are no nodes, nobody runs anything, and nothing has a wake.
impl Tables for Looked<'_> {
    type Error = Fault;

    fn begin(&mut self, _changes: bool) -> Result<(Head, Millis), Fault> {
        Ok((Head::default(), now()))
    }

    fn put_head(&mut self, _head: &Head) -> Result<(), Fault> {
        Ok(())
    }

    fn members(&mut self) -> Result<Vec<Member>, Fault> {
        Ok(Vec::new())
    }

    fn put_member(&mut self, _member: &Member) -> Result<(), Fault> {
        Ok(())
    }

    fn drop_member(&mut self, _incarnation: i64) -> Result<(), Fault> {
        Ok(())
    }

    fn look_up(&mut self, _: &[&str], _: &[i64]) -> Result<(), Fault> {
        Ok(())
    }

    fn task(&mut self, id: &str) -> Result<Option<Row>, Fault> {
        Ok(self.held.rows.get(id).cloned())
    }

    fn tasks(&mut self, kind: Kind) -> Result<Vec<Row>, Fault> {
        Ok(self.held.rows.values().filter(|row| row.kind() == kind).cloned().collect())
    }

    fn woken(&mut self, _now: Millis, _most: [u32; 2], _but: &[String]) -> Result<Vec<Row>, Fault> {
        Ok(Vec::new())
    }

    fn held_by(&mut self, _incarnation: i64) -> Result<Vec<Row>, Fault> {
        Ok(Vec::new())
    }

    fn next_wake(&mut self, _kinds: &[Kind], _but: &[String]) -> Result<Option<Millis>, Fault> {
        Ok(None)
    }

    fn put_task(&mut self, row: &Row) -> Result<(), Fault> {
        let state = serde_json::to_string(&row.kept.state).expect("a state can be written");
        let words = ["task", row.id(), &state].map(|word| Datum::Text(word.to_owned()));
        self.changes.push(Datum::List(words.into()));
        self.held.rows.insert(row.id().to_owned(), row.clone());
        Ok(())
    }

    fn forget(&mut self, id: &str) -> Result<(), Fault> {
        let words = ["forget", id].map(|word| Datum::Text(word.to_owned()));
        self.changes.push(Datum::List(words.into()));
        self.held.rows.remove(id);
        Ok(())
    }

    fn run(&mut self, _fence: i64) -> Result<Option<Run>, Fault> {
        Ok(None)
    }

    fn runs(&mut self, id: &str, most: u32) -> Result<Vec<Run>, Fault> {
        let Datum::List(runs) = self.held.store.runs(id, f64::from(most))? else {
            return Ok(Vec::new());
        };
        Ok(runs.iter().filter_map(|run| past(id, run)).collect())
    }

    fn put_run(&mut self, _run: &Run) -> Result<(), Fault> {
        Ok(())
    }

    fn sweep(&mut self, _id: &str, _keep: u32) -> Result<(), Fault> {
        Ok(())
    }
}

/// A run as the store keeps it.
fn past(task: &str, run: &Datum) -> Option<Run> {
    let Datum::List(words) = run else { return None };
    let [start, end, error, facts] = words.as_slice() else { return None };
    let (start, end) = (start.as_number()? as i64, end.as_number().map(|end| end as i64));
    let error = error.as_text().map(str::to_owned);
    // A run from before there were facts has none.
    let facts: Json =
        facts.as_text().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let outcome = match (&error, facts["interrupted"] == true) {
        (_, true) => Outcome::Interrupted,
        (Some(_), false) => Outcome::Failure,
        (None, false) => Outcome::Success,
    };
    let text = |name: &str| facts[name].as_str().map(str::to_owned);
    let (task, node, job) = (task.to_owned(), text("node").unwrap_or_default(), text("job"));
    let (fence, due) = (facts["fence"].as_i64().unwrap_or_default(), facts["due"].as_i64());
    let attempt = facts["attempt"].as_u64().and_then(|attempt| u32::try_from(attempt).ok());
    let attempt = attempt.unwrap_or_default();
    Some(Run { fence, task, node, due, attempt, start, end, outcome, error, job })
}
