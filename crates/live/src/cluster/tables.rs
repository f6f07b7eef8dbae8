//! The tables of a cluster in a transaction of PostgreSQL.
//!
//! Whoever changes something locks the cluster's row first, and reads the clock then: decisions follow each other, and
//! so do their times, unless somebody sets the clock of the database.

use super::faults::Trouble;
use hemiola_scheduler::cluster::{Head, Holder, Member, Outcome, Row, Run, Tables};
use hemiola_scheduler::{Kind, Millis};
use postgres::types::ToSql;
use postgres::{Row as Record, Statement, Transaction};
use std::collections::BTreeMap;

/// Statements that the connection knows already.
#[derive(Default)]
pub(super) struct Statements(BTreeMap<&'static str, Statement>);

/// One transaction.
pub(super) struct Transacted<'a> {
    transaction: Transaction<'a>,
    statements: &'a mut Statements,
    cluster: &'a str,
}

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

impl<'a> Transacted<'a> {
    pub(super) fn new(
        transaction: Transaction<'a>,
        statements: &'a mut Statements,
        cluster: &'a str,
    ) -> Self {
        Self { transaction, statements, cluster }
    }

    /// Makes it durable, and tells whoever listens on a channel.
    pub(super) fn commit(mut self, tell: Option<&str>) -> Result<(), Trouble> {
        if let Some(channel) = tell {
            let cluster = self.cluster;
            self.execute("SELECT pg_notify($1, $2)", &[&channel, &cluster])?;
        }
        Ok(self.transaction.commit()?)
    }

    fn statement(&mut self, text: &'static str) -> Result<Statement, Trouble> {
        if let Some(known) = self.statements.0.get(text) {
            return Ok(known.clone());
        }
        let made = self.transaction.prepare(text)?;
        self.statements.0.insert(text, made.clone());
        Ok(made)
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

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Trouble> {
    serde_json::from_str(text).map_err(|error| Trouble::Damaged(error.to_string()))
}

fn write<T: serde::Serialize>(value: &T) -> String {
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
            let lock = "SELECT head FROM hemiola.clusters WHERE name = $1 FOR UPDATE";
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
            self.query("SELECT head FROM hemiola.clusters WHERE name = $1", &[&cluster])?
        };
        let head = found.pop().map(|record| read(record.get(0))).transpose()?.unwrap_or_default();
        let time = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        let now = self.query(time, &[])?;
        Ok((head, now.first().map(|record| record.get(0)).unwrap_or_default()))
    }

    fn put_head(&mut self, head: &Head) -> Result<(), Trouble> {
        let cluster = self.cluster;
        let text = "UPDATE hemiola.clusters SET head = $2 WHERE name = $1";
        self.execute(text, &[&cluster, &write(head)])
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

    fn task(&mut self, id: &str) -> Result<Option<Row>, Trouble> {
        let cluster = self.cluster;
        let text = "SELECT kept, wake, incarnation, fence FROM hemiola.tasks WHERE cluster = $1 AND id = $2";
        self.query(text, &[&cluster, &id])?.first().map(task).transpose()
    }

    fn tasks(&mut self, kind: Kind) -> Result<Vec<Row>, Trouble> {
        let (cluster, job) = (self.cluster, kind == Kind::Jobs);
        let text = "SELECT kept, wake, incarnation, fence FROM hemiola.tasks \
                    WHERE cluster = $1 AND job = $2 ORDER BY id COLLATE \"C\"";
        self.query(text, &[&cluster, &job])?.iter().map(task).collect()
    }

    fn woken(
        &mut self,
        now: Millis,
        kinds: &[Kind],
        most: u32,
        but: &[String],
    ) -> Result<Vec<Row>, Trouble> {
        let (cluster, kinds) = (self.cluster, are_jobs(kinds));
        let text = "SELECT kept, wake, incarnation, fence FROM hemiola.tasks \
                    WHERE cluster = $1 AND wake <= $2 AND id <> ALL ($4) AND job = ANY ($5) \
                    ORDER BY wake, id COLLATE \"C\" LIMIT $3";
        let rows = self.query(text, &[&cluster, &now, &i64::from(most), &but, &kinds])?;
        rows.iter().map(task).collect()
    }

    fn held_by(&mut self, incarnation: i64) -> Result<Vec<Row>, Trouble> {
        let cluster = self.cluster;
        let text = "SELECT kept, wake, incarnation, fence FROM hemiola.tasks \
                    WHERE cluster = $1 AND incarnation = $2 ORDER BY id COLLATE \"C\"";
        self.query(text, &[&cluster, &incarnation])?.iter().map(task).collect()
    }

    fn next_wake(&mut self, kinds: &[Kind], but: &[String]) -> Result<Option<Millis>, Trouble> {
        let (cluster, kinds) = (self.cluster, are_jobs(kinds));
        let text = "SELECT min(wake) FROM hemiola.tasks \
                    WHERE cluster = $1 AND wake IS NOT NULL AND id <> ALL ($2) AND job = ANY ($3)";
        let rows = self.query(text, &[&cluster, &but, &kinds])?;
        Ok(rows.first().and_then(|record| record.get(0)))
    }

    fn put_task(&mut self, row: &Row) -> Result<(), Trouble> {
        let (cluster, id, job) = (self.cluster, row.id(), row.kind() == Kind::Jobs);
        let (incarnation, fence) = row.run.map(|run| (run.incarnation, run.fence)).unzip();
        self.execute(
            "INSERT INTO hemiola.tasks (cluster, id, kept, wake, incarnation, fence, job) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (cluster, id) DO UPDATE SET \
             kept = excluded.kept, wake = excluded.wake, incarnation = excluded.incarnation, \
             fence = excluded.fence",
            &[&cluster, &id, &write(&row.kept), &row.wake, &incarnation, &fence, &job],
        )
    }

    fn forget(&mut self, id: &str) -> Result<(), Trouble> {
        let cluster = self.cluster;
        let tasks = "DELETE FROM hemiola.tasks WHERE cluster = $1 AND id = $2";
        self.execute(tasks, &[&cluster, &id])?;
        let runs = "DELETE FROM hemiola.runs WHERE cluster = $1 AND task = $2";
        self.execute(runs, &[&cluster, &id])
    }

    fn run(&mut self, fence: i64) -> Result<Option<Run>, Trouble> {
        let cluster = self.cluster;
        let text = "SELECT fence, task, node, due, attempt, start, ended, outcome, error, job \
                    FROM hemiola.runs WHERE cluster = $1 AND fence = $2";
        self.query(text, &[&cluster, &fence])?.first().map(run).transpose()
    }

    fn runs(&mut self, id: &str, most: u32) -> Result<Vec<Run>, Trouble> {
        let cluster = self.cluster;
        let text = "SELECT fence, task, node, due, attempt, start, ended, outcome, error, job \
                    FROM hemiola.runs WHERE cluster = $1 AND task = $2 ORDER BY fence DESC LIMIT $3";
        self.query(text, &[&cluster, &id, &i64::from(most)])?.iter().map(run).collect()
    }

    fn put_run(&mut self, run: &Run) -> Result<(), Trouble> {
        let cluster = self.cluster;
        let outcome = run.outcome.name();
        self.execute(
            "INSERT INTO hemiola.runs \
             (cluster, fence, task, node, due, attempt, start, ended, outcome, error, job) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (cluster, fence) DO UPDATE SET \
             ended = excluded.ended, outcome = excluded.outcome, error = excluded.error",
            &[
                &cluster, &run.fence, &run.task, &run.node, &run.due, &i64::from(run.attempt),
                &run.start, &run.end, &outcome, &run.error, &run.job,
            ],
        )
    }

    fn sweep(&mut self, id: &str, keep: u32) -> Result<(), Trouble> {
        let cluster = self.cluster;
        self.execute(
            "DELETE FROM hemiola.runs WHERE cluster = $1 AND task = $2 AND fence <= (SELECT fence \
             FROM hemiola.runs WHERE cluster = $1 AND task = $2 ORDER BY fence DESC LIMIT 1 OFFSET $3)",
            &[&cluster, &id, &i64::from(keep)],
        )
    }
}
