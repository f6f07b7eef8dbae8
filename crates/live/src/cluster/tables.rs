//! The tables of a cluster in a transaction of PostgreSQL.
//!
//! Whoever changes something locks the cluster's row first, and reads the clock then: decisions follow each other, and
//! so do their times, unless somebody sets the clock of the database.
//!
//! Nobody else writes meanwhile. So rows that were read or written are remembered, and those that were written become one
//! statement for each table when something is asked for that they may be part of, or in the end: a node that starts a
//! thousand tasks does not ask the server a thousand times.

use super::faults::Trouble;
use hemiola_scheduler::cluster::{Head, Holder, Member, Outcome, Row, Run, Tables};
use hemiola_scheduler::{Kind, Millis};
use postgres::types::ToSql;
use postgres::{Client, Row as Record, Statement, Transaction};
use std::collections::{BTreeMap, BTreeSet};

/// What has to be looked at: tasks, and jobs.
const WOKEN: &str = "\
    (SELECT kept, wake, incarnation, fence FROM hemiola.tasks \
     WHERE cluster = $1 AND wake <= $2 AND id <> ALL ($5) AND NOT job ORDER BY wake, id COLLATE \"C\" LIMIT $3) \
    UNION ALL (SELECT kept, wake, incarnation, fence FROM hemiola.tasks \
     WHERE cluster = $1 AND wake <= $2 AND id <> ALL ($5) AND job ORDER BY wake, id COLLATE \"C\" LIMIT $4)";
const NEXT_WAKE: &str = "\
    SELECT min(wake) FROM hemiola.tasks \
    WHERE cluster = $1 AND wake IS NOT NULL AND id <> ALL ($2) AND job = ANY ($3)";
const PUT_TASKS: &str = "\
    INSERT INTO hemiola.tasks (cluster, id, kept, wake, incarnation, fence, job) \
    SELECT $1::text, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], \
    $7::boolean[]) ON CONFLICT (cluster, id) DO UPDATE SET kept = excluded.kept, wake = excluded.wake, \
    incarnation = excluded.incarnation, fence = excluded.fence";
const PUT_RUNS: &str = "\
    INSERT INTO hemiola.runs \
    (cluster, fence, task, node, due, attempt, start, ended, outcome, error, job) \
    SELECT $1::text, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], \
    $7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::text[]) \
    ON CONFLICT (cluster, fence) DO UPDATE SET \
    ended = excluded.ended, outcome = excluded.outcome, error = excluded.error";
const PUT_HEAD: &str = "UPDATE hemiola.clusters SET head = $2 WHERE name = $1";
const PUT_HEAD_AND_TELL: &str =
    "UPDATE hemiola.clusters SET head = $2 WHERE name = $1 RETURNING pg_notify($3, $1)";

/// What a node needs when something is due: it is made ready before, because others wait meanwhile.
const READY: [&str; 6] = [WOKEN, NEXT_WAKE, PUT_TASKS, PUT_RUNS, PUT_HEAD, PUT_HEAD_AND_TELL];

/// Statements that the connection knows already.
#[derive(Default)]
pub(super) struct Statements(BTreeMap<&'static str, Statement>);

impl Statements {
    /// The one with that text, which is made if there is none yet.
    pub(super) fn get<E>(
        &mut self,
        text: &'static str,
        make: impl FnOnce(&str) -> Result<Statement, E>,
    ) -> Result<Statement, E> {
        if let Some(known) = self.0.get(text) {
            return Ok(known.clone());
        }
        let made = make(text)?;
        self.0.insert(text, made.clone());
        Ok(made)
    }

    /// Makes those that are wanted in a hurry.
    pub(super) fn make_ready(&mut self, client: &mut Client) -> Result<(), postgres::Error> {
        READY.into_iter().try_for_each(|text| self.get(text, |text| client.prepare(text)).map(drop))
    }
}

/// One transaction.
pub(super) struct Transacted<'a> {
    transaction: Transaction<'a>,
    statements: &'a mut Statements,
    cluster: &'a str,
    /// What there is one of, if that is to be written.
    head: Option<String>,
    tasks: Known<String, Row>,
    runs: Known<i64, Run>,
    /// Tasks that are forgotten, and those of which only so many runs are kept.
    forgotten: BTreeSet<String>,
    swept: BTreeMap<u32, BTreeSet<String>>,
}

/// Rows that were read or written in this transaction, and which of them the server does not know yet.
struct Known<K, R> {
    rows: BTreeMap<K, R>,
    written: BTreeSet<K>,
}

impl<K: Ord + Clone, R: Clone> Known<K, R> {
    const fn new() -> Self {
        Self { rows: BTreeMap::new(), written: BTreeSet::new() }
    }

    fn put(&mut self, key: K, row: R) {
        self.rows.insert(key.clone(), row);
        self.written.insert(key);
    }

    fn drop_one<Q: Ord + ?Sized>(&mut self, key: &Q)
    where
        K: std::borrow::Borrow<Q>,
    {
        self.rows.remove(key);
        self.written.remove(key);
    }

    /// What was written since the last time.
    fn unwritten(&mut self) -> Vec<(K, R)> {
        let written = std::mem::take(&mut self.written).into_iter();
        written.filter_map(|key| self.rows.get(&key).cloned().map(|row| (key, row))).collect()
    }
}

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

impl<'a> Transacted<'a> {
    pub(super) fn new(
        transaction: Transaction<'a>,
        statements: &'a mut Statements,
        cluster: &'a str,
    ) -> Self {
        let (tasks, runs) = (Known::new(), Known::new());
        let (forgotten, swept) = (BTreeSet::new(), BTreeMap::new());
        let head = None;
        Self { transaction, statements, cluster, head, tasks, runs, forgotten, swept }
    }

    /// Makes it durable, and tells whoever listens on a channel.
    pub(super) fn commit(mut self, tell: Option<&str>) -> Result<(), Trouble> {
        self.flush()?;
        let (cluster, head) = (self.cluster, self.head.take());
        match (&head, tell) {
            (Some(head), Some(channel)) => {
                self.execute(PUT_HEAD_AND_TELL, &[&cluster, head, &channel])?;
            }
            (Some(head), None) => self.execute(PUT_HEAD, &[&cluster, head])?,
            (None, Some(channel)) => {
                self.execute("SELECT pg_notify($1, $2)", &[&channel, &cluster])?;
            }
            (None, None) => {}
        }
        Ok(self.transaction.commit()?)
    }

    /// Writes what was gathered.
    fn flush(&mut self) -> Result<(), Trouble> {
        let cluster = self.cluster;
        let forgotten: Vec<String> = std::mem::take(&mut self.forgotten).into_iter().collect();
        if !forgotten.is_empty() {
            let tasks = "DELETE FROM hemiola.tasks WHERE cluster = $1 AND id = ANY ($2)";
            self.execute(tasks, &[&cluster, &forgotten])?;
            let runs = "DELETE FROM hemiola.runs WHERE cluster = $1 AND task = ANY ($2)";
            self.execute(runs, &[&cluster, &forgotten])?;
        }
        self.flush_tasks()?;
        self.flush_runs()?;
        for (keep, ids) in std::mem::take(&mut self.swept) {
            let ids: Vec<String> = ids.into_iter().collect();
            self.execute(
                "DELETE FROM hemiola.runs r USING unnest($2::text[]) AS swept(task) \
                 WHERE r.cluster = $1 AND r.task = swept.task AND r.fence <= (SELECT l.fence FROM hemiola.runs l \
                 WHERE l.cluster = $1 AND l.task = swept.task ORDER BY l.fence DESC LIMIT 1 OFFSET $3)",
                &[&cluster, &ids, &i64::from(keep)],
            )?;
        }
        Ok(())
    }

    fn flush_tasks(&mut self) -> Result<(), Trouble> {
        let (cluster, tasks) = (self.cluster, self.tasks.unwritten());
        if tasks.is_empty() {
            return Ok(());
        }
        let rows = || tasks.iter().map(|(_, row)| row);
        let ids: Vec<&str> = rows().map(Row::id).collect();
        let kept: Vec<String> = rows().map(|row| write(&row.kept)).collect();
        let wakes: Vec<Option<Millis>> = rows().map(|row| row.wake).collect();
        let (nodes, fences): (Vec<Option<i64>>, Vec<Option<i64>>) =
            rows().map(|row| row.run.map(|run| (run.incarnation, run.fence)).unzip()).unzip();
        let jobs: Vec<bool> = rows().map(|row| row.kind() == Kind::Jobs).collect();
        self.execute(PUT_TASKS, &[&cluster, &ids, &kept, &wakes, &nodes, &fences, &jobs])
    }

    fn flush_runs(&mut self) -> Result<(), Trouble> {
        let (cluster, runs) = (self.cluster, self.runs.unwritten());
        if runs.is_empty() {
            return Ok(());
        }
        let rows = || runs.iter().map(|(_, run)| run);
        let fences: Vec<i64> = rows().map(|run| run.fence).collect();
        let tasks: Vec<&str> = rows().map(|run| run.task.as_str()).collect();
        let nodes: Vec<&str> = rows().map(|run| run.node.as_str()).collect();
        let dues: Vec<Option<Millis>> = rows().map(|run| run.due).collect();
        let attempts: Vec<i64> = rows().map(|run| run.attempt.into()).collect();
        let starts: Vec<Millis> = rows().map(|run| run.start).collect();
        let ends: Vec<Option<Millis>> = rows().map(|run| run.end).collect();
        let outcomes: Vec<&str> = rows().map(|run| run.outcome.name()).collect();
        let errors: Vec<Option<&str>> = rows().map(|run| run.error.as_deref()).collect();
        let jobs: Vec<Option<&str>> = rows().map(|run| run.job.as_deref()).collect();
        self.execute(
            PUT_RUNS,
            &[
                &cluster, &fences, &tasks, &nodes, &dues, &attempts, &starts, &ends, &outcomes,
                &errors, &jobs,
            ],
        )
    }

    fn statement(&mut self, text: &'static str) -> Result<Statement, Trouble> {
        Ok(self.statements.get(text, |text| self.transaction.prepare(text))?)
    }

    fn query(&mut self, text: &'static str, values: Values<'_>) -> Result<Vec<Record>, Trouble> {
        let statement = self.statement(text)?;
        Ok(self.transaction.query(&statement, values)?)
    }

    fn execute(&mut self, text: &'static str, values: Values<'_>) -> Result<(), Trouble> {
        let statement = self.statement(text)?;
        self.transaction.execute(&statement, values)?;
        Ok(())
    }
}

pub(super) fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Trouble> {
    serde_json::from_str(text).map_err(|error| Trouble::Damaged(error.to_string()))
}

pub(super) fn write<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a row can be written")
}

/// Kinds as what the column of jobs may be.
fn are_jobs(kinds: &[Kind]) -> Vec<bool> {
    kinds.iter().map(|kind| *kind == Kind::Jobs).collect()
}

fn task(record: &Record) -> Result<Row, Trouble> {
    let (incarnation, fence): (Option<i64>, Option<i64>) = (record.get(2), record.get(3));
    let run = incarnation.zip(fence).map(|(incarnation, fence)| Holder { incarnation, fence });
    Ok(Row { kept: read(record.get(0))?, wake: record.get(1), run })
}

fn run(record: &Record) -> Result<Run, Trouble> {
    let outcome = Outcome::named(record.get(7));
    let attempt: i64 = record.get(4);
    Ok(Run {
        fence: record.get(0),
        task: record.get(1),
        node: record.get(2),
        due: record.get(3),
        attempt: u32::try_from(attempt).unwrap_or(u32::MAX),
        start: record.get(5),
        end: record.get(6),
        outcome: outcome.ok_or_else(|| Trouble::Damaged("a run has no such outcome".into()))?,
        error: record.get(8),
        job: record.get(9),
    })
}

impl Tables for Transacted<'_> {
    type Error = Trouble;

    fn begin(&mut self, changes: bool) -> Result<(Head, Millis), Trouble> {
        let cluster = self.cluster;
        let mut found = if changes {
            // The clock is read when the row is locked.
            let lock = "SELECT head, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM \
                        (SELECT head FROM hemiola.clusters WHERE name = $1 FOR UPDATE) AS locked";
            let found = self.query(lock, &[&cluster])?;
            if found.is_empty() {
                self.execute(
                    "INSERT INTO hemiola.clusters VALUES ($1, $2) ON CONFLICT DO NOTHING",
                    &[&cluster, &write(&Head::default())],
                )?;
                self.query(lock, &[&cluster])?
            } else {
                found
            }
        } else {
            let text = "SELECT (SELECT head FROM hemiola.clusters WHERE name = $1), \
                        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
            self.query(text, &[&cluster])?
        };
        let found = found.pop().ok_or_else(|| Trouble::Damaged("there is no cluster".into()))?;
        let head = found.get::<_, Option<&str>>(0).map(read).transpose()?;
        Ok((head.unwrap_or_default(), found.get(1)))
    }

    fn put_head(&mut self, head: &Head) -> Result<(), Trouble> {
        self.head = Some(write(head));
        Ok(())
    }

    fn members(&mut self) -> Result<Vec<Member>, Trouble> {
        let cluster = self.cluster;
        let text = "SELECT member FROM hemiola.nodes WHERE cluster = $1 ORDER BY incarnation";
        self.query(text, &[&cluster])?.iter().map(|record| read(record.get(0))).collect()
    }

    fn put_member(&mut self, member: &Member) -> Result<(), Trouble> {
        let cluster = self.cluster;
        self.execute(
            "INSERT INTO hemiola.nodes VALUES ($1, $2, $3) \
             ON CONFLICT (cluster, incarnation) DO UPDATE SET member = excluded.member",
            &[&cluster, &member.incarnation, &write(member)],
        )
    }

    fn drop_member(&mut self, incarnation: i64) -> Result<(), Trouble> {
        let cluster = self.cluster;
        let text = "DELETE FROM hemiola.nodes WHERE cluster = $1 AND incarnation = $2";
        self.execute(text, &[&cluster, &incarnation])
    }

    fn look_up(&mut self, ids: &[&str], fences: &[i64]) -> Result<(), Trouble> {
        let cluster = self.cluster;
        let is_new =
            |id: &&str| !self.tasks.rows.contains_key(*id) && !self.forgotten.contains(*id);
        let ids: Vec<&str> = ids.iter().copied().filter(is_new).collect();
        let is_new = |fence: &i64| !self.runs.rows.contains_key(fence);
        let fences: Vec<i64> = fences.iter().copied().filter(is_new).collect();
        if !ids.is_empty() {
            let text = "SELECT kept, wake, incarnation, fence FROM hemiola.tasks \
                        WHERE cluster = $1 AND id = ANY ($2)";
            for record in self.query(text, &[&cluster, &ids])? {
                let row = task(&record)?;
                self.tasks.rows.insert(row.id().to_owned(), row);
            }
        }
        if !fences.is_empty() {
            let text = "SELECT fence, task, node, due, attempt, start, ended, outcome, error, job \
                        FROM hemiola.runs WHERE cluster = $1 AND fence = ANY ($2)";
            for record in self.query(text, &[&cluster, &fences])? {
                let run = run(&record)?;
                self.runs.rows.insert(run.fence, run);
            }
        }
        Ok(())
    }

    fn task(&mut self, id: &str) -> Result<Option<Row>, Trouble> {
        if self.forgotten.contains(id) {
            return Ok(None);
        }
        if let Some(row) = self.tasks.rows.get(id) {
            return Ok(Some(row.clone()));
        }
        let cluster = self.cluster;
        let text = "SELECT kept, wake, incarnation, fence FROM hemiola.tasks WHERE cluster = $1 AND id = $2";
        self.query(text, &[&cluster, &id])?.first().map(task).transpose()
    }

    fn tasks(&mut self, kind: Kind) -> Result<Vec<Row>, Trouble> {
        self.flush()?;
        let (cluster, job) = (self.cluster, kind == Kind::Jobs);
        let text = "SELECT kept, wake, incarnation, fence FROM hemiola.tasks \
                    WHERE cluster = $1 AND job = $2 ORDER BY id COLLATE \"C\"";
        self.query(text, &[&cluster, &job])?.iter().map(task).collect()
    }

    fn woken(&mut self, now: Millis, most: [u32; 2], but: &[String]) -> Result<Vec<Row>, Trouble> {
        self.flush()?;
        let (cluster, [tasks, jobs]) = (self.cluster, most.map(i64::from));
        let rows = self.query(WOKEN, &[&cluster, &now, &tasks, &jobs, &but])?;
        let mut rows: Vec<Row> = rows.iter().map(task).collect::<Result<_, _>>()?;
        rows.sort_by(|a, b| (a.wake, a.id()).cmp(&(b.wake, b.id())));
        Ok(rows)
    }

    fn held_by(&mut self, incarnation: i64) -> Result<Vec<Row>, Trouble> {
        self.flush()?;
        let cluster = self.cluster;
        let text = "SELECT kept, wake, incarnation, fence FROM hemiola.tasks \
                    WHERE cluster = $1 AND incarnation = $2 ORDER BY id COLLATE \"C\"";
        self.query(text, &[&cluster, &incarnation])?.iter().map(task).collect()
    }

    fn next_wake(&mut self, kinds: &[Kind], but: &[String]) -> Result<Option<Millis>, Trouble> {
        self.flush()?;
        let (cluster, kinds) = (self.cluster, are_jobs(kinds));
        let rows = self.query(NEXT_WAKE, &[&cluster, &but, &kinds])?;
        Ok(rows.first().and_then(|record| record.get(0)))
    }

    fn put_task(&mut self, row: &Row) -> Result<(), Trouble> {
        if self.forgotten.contains(row.id()) {
            self.flush()?;
        }
        self.tasks.put(row.id().to_owned(), row.clone());
        Ok(())
    }

    fn forget(&mut self, id: &str) -> Result<(), Trouble> {
        self.tasks.drop_one(id);
        let runs = self.runs.rows.values().filter(|run| run.task == id);
        let runs: Vec<i64> = runs.map(|run| run.fence).collect();
        runs.iter().for_each(|fence| self.runs.drop_one(fence));
        self.forgotten.insert(id.to_owned());
        Ok(())
    }

    fn run(&mut self, fence: i64) -> Result<Option<Run>, Trouble> {
        if let Some(run) = self.runs.rows.get(&fence) {
            return Ok(Some(run.clone()));
        }
        let cluster = self.cluster;
        let text = "SELECT fence, task, node, due, attempt, start, ended, outcome, error, job \
                    FROM hemiola.runs WHERE cluster = $1 AND fence = $2";
        self.query(text, &[&cluster, &fence])?.first().map(run).transpose()
    }

    fn runs(&mut self, id: &str, most: u32) -> Result<Vec<Run>, Trouble> {
        self.flush()?;
        let cluster = self.cluster;
        let text = "SELECT fence, task, node, due, attempt, start, ended, outcome, error, job \
                    FROM hemiola.runs WHERE cluster = $1 AND task = $2 ORDER BY fence DESC LIMIT $3";
        self.query(text, &[&cluster, &id, &i64::from(most)])?.iter().map(run).collect()
    }

    fn put_run(&mut self, run: &Run) -> Result<(), Trouble> {
        self.runs.put(run.fence, run.clone());
        Ok(())
    }

    fn sweep(&mut self, id: &str, keep: u32) -> Result<(), Trouble> {
        self.swept.entry(keep).or_default().insert(id.to_owned());
        Ok(())
    }
}
