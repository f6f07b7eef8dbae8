//! Whether a file is a store that can be used. Nothing of it is written before that is known, so that what is refused
//! is left as it is.

use super::faults::{about, damaged};
use super::log;
use super::schema::{
    APPLICATION, LATEST, WITH_FACTS, WITH_SUMS, expected_parts, parts, run_sum, task_sum,
};
use hemiola_gate::{Datum, Fault};
use rusqlite::Connection;
use std::fs::{self, File};
use std::io::Read;

/// What a database begins with, as far as it matters before it is opened.
const HEADER: usize = 100;

/// Looks at a file before the database is opened, which would carry on what it finds beside it.
pub(super) fn check_file(path: &str) -> Result<(), Fault> {
    let mut header = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEADER as u64).read_to_end(&mut header));
    read.map_err(|error| {
        let message = format!("{path}: it cannot be opened ({error}): name another file");
        Fault::new("ERR_STORE_OPEN", message)
    })?;
    if header.len() < HEADER || !header.starts_with(b"SQLite format 3\0") {
        return Err(damaged(path, "file is not a database"));
    }
    // A store always has a log.
    if header[18..20] == [2, 2] {
        return Ok(());
    }
    Err(match header[68..72] == APPLICATION.to_be_bytes() {
        true => damaged(path, "its header was changed"),
        false => foreign(path),
    })
}

fn foreign(path: &str) -> Fault {
    let message = format!("{path} is a database, but no store of tasks: name another file");
    Fault::new("ERR_STORE_FOREIGN", message)
}

/// Looks at all of an open database and gives the version of the store; that is 0 if nothing is in it yet.
pub(super) fn check(connection: &Connection, path: &str) -> Result<usize, Fault> {
    let fail = |error: rusqlite::Error| unreadable(&error, path);
    let number = |pragma: &str| -> Result<i32, Fault> {
        connection.pragma_query_value(None, pragma, |row| row.get(0)).map_err(fail)
    };
    // The first access: from now on nobody else has it.
    let application = number("application_id")?;
    let log = fs::read(log_of(path)).unwrap_or_default();
    if !log::is_whole(&log) {
        return Err(damaged(path, "its log was changed"));
    }
    let found = parts(connection).map_err(fail)?;
    let version = number("user_version")?;
    if application == 0 && version == 0 && found.is_empty() {
        // Who made it has got no further.
        return Ok(0);
    }
    if application != APPLICATION {
        return Err(foreign(path));
    }
    if version > LATEST as i32 {
        let message = format!(
            "{path} was written by a newer Hemiola (version {version} of the store, this one knows \
             {LATEST}): use that one, or another file"
        );
        return Err(Fault::new("ERR_STORE_NEWER", message));
    }
    let known = usize::try_from(version).ok().filter(|version| *version > 0);
    let version = known.ok_or_else(|| damaged(path, "its version was changed"))?;
    if found != expected_parts(version).map_err(fail)? {
        return Err(damaged(path, "its tables are not those of a store"));
    }
    let check: String =
        connection.pragma_query_value(None, "integrity_check", |row| row.get(0)).map_err(fail)?;
    if check != "ok" {
        return Err(damaged(path, &check));
    }
    if version >= WITH_SUMS && !are_rows_whole(connection, version).map_err(fail)? {
        return Err(damaged(path, "a row was changed"));
    }
    Ok(version)
}

/// The name of the log beside a store.
pub(super) fn log_of(path: &str) -> String {
    format!("{path}-wal")
}

fn are_rows_whole(connection: &Connection, version: usize) -> rusqlite::Result<bool> {
    let mut tasks = connection.prepare("SELECT id, state, sum FROM tasks")?;
    let tasks = tasks.query_map((), |row| {
        let (id, state): (String, String) = (row.get(0)?, row.get(1)?);
        Ok(task_sum(&id, &state) == row.get::<_, i64>(2)?)
    })?;
    for is_whole in tasks {
        if !is_whole? {
            return Ok(false);
        }
    }
    let facts = if version < WITH_FACTS { "NULL" } else { "facts" };
    let text = format!("SELECT task, start, end, error, sum, {facts} FROM runs");
    let mut runs = connection.prepare(&text)?;
    let runs = runs.query_map((), |row| {
        let (task, error): (String, Option<String>) = (row.get(0)?, row.get(3)?);
        let (sum, facts): (i64, Option<String>) = (row.get(4)?, row.get(5)?);
        let (error, facts) = (error.as_deref(), facts.as_deref());
        Ok(run_sum(&task, row.get(1)?, row.get(2)?, error, facts) == sum)
    })?;
    for is_whole in runs {
        if !is_whole? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The ids that a store knows, each with its state.
pub(super) fn tasks(connection: &Connection, path: &str) -> Result<Vec<Datum>, Fault> {
    let read = || -> rusqlite::Result<Vec<Datum>> {
        let mut all = connection.prepare("SELECT id, state FROM tasks ORDER BY id")?;
        let rows = all.query_map((), |row| {
            Ok(Datum::List(vec![Datum::Text(row.get(0)?), Datum::Text(row.get(1)?)]))
        })?;
        rows.collect()
    };
    read().map_err(|error| unreadable(&error, path))
}

/// What an error means while a store is read: whoever cannot read what is there finds it damaged.
fn unreadable(error: &rusqlite::Error, path: &str) -> Fault {
    let fault = about(error, path);
    if &*fault.code == "ERR_STORE" { damaged(path, &error.to_string()) } else { fault }
}
