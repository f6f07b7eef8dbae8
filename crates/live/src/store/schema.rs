//! The tables of a store, how older ones become like them, and the sums of their rows.
//!
//! The database notices when its pages do not fit together, but not when a byte of a text is another. So every row
//! has a sum of what it holds.

use rusqlite::{Connection, Transaction, params};

/// Says that a file is such a store: "hmla" in its header.
pub(super) const APPLICATION: i32 = 0x686d_6c61;

/// The versions of the schema, each as what leads to it from the one before.
const MIGRATIONS: [&str; 3] = [
    "
    CREATE TABLE tasks (id TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE runs (
        number INTEGER PRIMARY KEY,
        task TEXT NOT NULL,
        start INTEGER NOT NULL,
        end INTEGER NOT NULL,
        error TEXT
    ) STRICT;
    CREATE INDEX runs_of_task ON runs (task, number);
",
    "
    ALTER TABLE tasks ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
",
    "
    ALTER TABLE runs ADD COLUMN facts TEXT;
",
];

/// The version that this build writes.
pub(super) const LATEST: usize = MIGRATIONS.len();

/// The first version whose rows have sums.
pub(super) const WITH_SUMS: usize = 2;

/// The first version whose runs have more facts than their times and their error.
pub(super) const WITH_FACTS: usize = 3;

/// Makes a store of that version one of the latest.
pub(super) fn migrate(change: &Transaction<'_>, version: usize) -> rusqlite::Result<()> {
    if version >= LATEST {
        return Ok(());
    }
    for step in &MIGRATIONS[version..] {
        change.execute_batch(step)?;
    }
    if version < WITH_SUMS {
        sum_all(change)?;
    }
    change.pragma_update(None, "application_id", APPLICATION)?;
    change.pragma_update(None, "user_version", LATEST as i32)
}

fn sum_all(change: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut tasks = change.prepare("SELECT id, state FROM tasks")?;
    let tasks = tasks.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (id, state) in tasks.collect::<rusqlite::Result<Vec<(String, String)>>>()? {
        let sum = task_sum(&id, &state);
        change.execute("UPDATE tasks SET sum = ?2 WHERE id = ?1", params![id, sum])?;
    }
    let mut runs = change.prepare("SELECT number, task, start, end, error FROM runs")?;
    let runs = runs.query_map((), |row| {
        let number: i64 = row.get(0)?;
        let (task, error): (String, Option<String>) = (row.get(1)?, row.get(4)?);
        Ok((number, run_sum(&task, row.get(2)?, row.get(3)?, error.as_deref(), None)))
    })?;
    for (number, sum) in runs.collect::<rusqlite::Result<Vec<(i64, i64)>>>()? {
        change.execute("UPDATE runs SET sum = ?2 WHERE number = ?1", params![number, sum])?;
    }
    Ok(())
}

/// A table or an index: what it is, its name, that of its table, and its text.
type Part = (String, String, String, Option<String>);

/// What tables and indices a database has.
pub(super) fn parts(connection: &Connection) -> rusqlite::Result<Vec<Part>> {
    let text = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
    let mut all = connection.prepare(text)?;
    let rows = all.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    rows.collect()
}

/// Those of a store of that version.
pub(super) fn expected_parts(version: usize) -> rusqlite::Result<Vec<Part>> {
    let connection = Connection::open_in_memory()?;
    make(&connection, version)?;
    parts(&connection)
}

/// Makes the tables of that version.
pub(super) fn make(connection: &Connection, version: usize) -> rusqlite::Result<()> {
    MIGRATIONS[..version].iter().try_for_each(|step| connection.execute_batch(step))
}

/// The sum of the row of a task.
pub(super) fn task_sum(id: &str, state: &str) -> i64 {
    sum(&[b"task", id.as_bytes(), state.as_bytes()])
}

/// The sum of the row of a run.
pub(super) fn run_sum(
    task: &str,
    start: i64,
    end: i64,
    error: Option<&str>,
    facts: Option<&str>,
) -> i64 {
    let (start, end) = (start.to_le_bytes(), end.to_le_bytes());
    let mut fields = vec![&b"run"[..], task.as_bytes(), &start, &end];
    fields.extend(error.map(str::as_bytes));
    // A run without them has the sum that it had before there were any.
    fields.extend(facts.into_iter().flat_map(|facts| [&b"facts"[..], facts.as_bytes()]));
    sum(&fields)
}

/// FNV-1a of the lengths and bytes of all fields: no other byte at any place has the same.
fn sum(fields: &[&[u8]]) -> i64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for field in fields {
        for byte in (field.len() as u64).to_le_bytes().iter().chain(*field) {
            sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    sum as i64
}
