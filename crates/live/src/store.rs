//! The scheduler's store: an SQLite database that one process holds.
//!
//! Opening it gives its number and the states of tasks; a commit makes changes durable, all or none of them.
//! Everything that is answered is on the disk: the journal is written ahead and
//! synchronised with every commit.

use hemiola_gate::{Answer, Datum, Fault, StoreCall};
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, params};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Says that a file is such a store: "hmla" in its header.
const APPLICATION: i32 = 0x686d_6c61;

/// The versions of the schema, each as what leads to it from the one before.
const MIGRATIONS: [&str; 1] = ["
    CREATE TABLE tasks (id TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE runs (
        number INTEGER PRIMARY KEY,
        task TEXT NOT NULL,
        start INTEGER NOT NULL,
        end INTEGER NOT NULL,
        error TEXT
    ) STRICT;
    CREATE INDEX runs_of_task ON runs (task, number);
"];

/// The stores that are open, by number.
#[derive(Clone, Default)]
pub(crate) struct Stores(Arc<Mutex<Opened>>);

#[derive(Default)]
struct Opened {
    stores: BTreeMap<u64, Arc<Mutex<Connection>>>,
    count: u64,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    // A change that panicked was not committed.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stores {
    pub(crate) fn perform(&self, call: &StoreCall) -> Answer {
        match call {
            StoreCall::Open { path } => match path.at().path.to_str() {
                Some(path) => self.open(path),
                None => Err(Fault::new("EINVAL", "the path of a store must be text")),
            },
            StoreCall::Commit { store, changes, keep } => {
                let store = self.find(*store)?;
                commit(&mut lock(&store), changes, *keep).map_err(|error| fault(&error))?;
                Ok(Datum::Undefined)
            }
            StoreCall::Runs { store, task, limit } => {
                let store = self.find(*store)?;
                runs(&lock(&store), task, *limit).map_err(|error| fault(&error))
            }
            StoreCall::Close { store } => {
                // The last reference closes it, and gives up the file.
                lock(&self.0).stores.remove(store);
                Ok(Datum::Undefined)
            }
        }
    }

    fn find(&self, store: u64) -> Result<Arc<Mutex<Connection>>, Fault> {
        let found = lock(&self.0).stores.get(&store).cloned();
        found.ok_or_else(|| Fault::new("EBADF", "the store is closed"))
    }

    fn open(&self, path: &str) -> Answer {
        let connection = connect(path)?;
        let tasks = tasks(&connection).map_err(|error| about(&error, path))?;
        let mut opened = lock(&self.0);
        opened.count += 1;
        let number = opened.count;
        opened.stores.insert(number, Arc::new(Mutex::new(connection)));
        let record = [("store", Datum::Number(number as f64)), ("tasks", Datum::List(tasks))];
        Ok(Datum::Record(record.map(|(name, value)| (name.to_owned(), value)).into()))
    }
}

/// Opens a store and makes it this process's own, or says why that cannot be.
fn connect(path: &str) -> Result<Connection, Fault> {
    let is_new = Path::new(path).metadata().map_or(true, |found| found.len() == 0);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags);
    let mut connection = opened.map_err(|error| about(&error, path))?;
    prepare(&mut connection, is_new, path)?;
    Ok(connection)
}

fn prepare(connection: &mut Connection, is_new: bool, path: &str) -> Result<(), Fault> {
    let fail = |error: rusqlite::Error| about(&error, path);
    let number = |connection: &Connection, pragma: &str| -> Result<i32, Fault> {
        connection.pragma_query_value(None, pragma, |row| row.get(0)).map_err(fail)
    };
    // Who holds it does not let go of it soon.
    connection.busy_timeout(std::time::Duration::ZERO).map_err(fail)?;
    // Held from the first access to the end of the process, however that ends.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(fail)?;
    if !is_new {
        if number(connection, "application_id")? != APPLICATION {
            let message = format!("{path} is a database, but no store of tasks: name another file");
            return Err(Fault::new("ERR_STORE_FOREIGN", message));
        }
        let version = number(connection, "user_version")?;
        if version > MIGRATIONS.len() as i32 {
            let message = format!(
                "{path} was written by a newer Hemiola (version {version} of the store, this one knows \
                 {}): use that one, or another file",
                MIGRATIONS.len()
            );
            return Err(Fault::new("ERR_STORE_NEWER", message));
        }
        let check: String =
            connection.pragma_query_value(None, "quick_check", |row| row.get(0)).map_err(fail)?;
        if check != "ok" {
            return Err(damaged(path, &check));
        }
    }
    connection.pragma_update(None, "journal_mode", "WAL").map_err(fail)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(fail)?;
    let version = number(connection, "user_version")? as usize;
    let change = connection.transaction().map_err(fail)?;
    for step in &MIGRATIONS[version..] {
        change.execute_batch(step).map_err(fail)?;
    }
    change.pragma_update(None, "application_id", APPLICATION).map_err(fail)?;
    change.pragma_update(None, "user_version", MIGRATIONS.len() as i32).map_err(fail)?;
    change.commit().map_err(fail)
}

fn tasks(connection: &Connection) -> rusqlite::Result<Vec<Datum>> {
    let mut all = connection.prepare("SELECT id, state FROM tasks ORDER BY id")?;
    let rows = all.query_map((), |row| {
        Ok(Datum::List(vec![Datum::Text(row.get(0)?), Datum::Text(row.get(1)?)]))
    })?;
    rows.collect()
}

/// Changes are `['task', id, state]`, `['forget', id]` and `['run', task, start, end, error]`.
fn commit(connection: &mut Connection, changes: &[Datum], keep: f64) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for change in changes {
        if let Datum::List(words) = change {
            apply(&transaction, words, keep)?;
        }
    }
    transaction.commit()
}

fn apply(transaction: &Transaction<'_>, words: &[Datum], keep: f64) -> rusqlite::Result<()> {
    match words {
        [Datum::Text(what), Datum::Text(id), Datum::Text(state)] if what == "task" => {
            let mut put = transaction.prepare("INSERT OR REPLACE INTO tasks VALUES (?1, ?2)")?;
            put.execute(params![id, state])?;
        }
        [Datum::Text(what), Datum::Text(id)] if what == "forget" => {
            transaction.execute("DELETE FROM tasks WHERE id = ?1", params![id])?;
            transaction.execute("DELETE FROM runs WHERE task = ?1", params![id])?;
        }
        [Datum::Text(what), Datum::Text(task), start, end, error] if what == "run" => {
            let whole = |value: &Datum| value.as_number().unwrap_or_default() as i64;
            let mut put = transaction
                .prepare("INSERT INTO runs (task, start, end, error) VALUES (?1, ?2, ?3, ?4)")?;
            put.execute(params![task, whole(start), whole(end), error.as_text()])?;
            let mut sweep = transaction.prepare(
                "DELETE FROM runs WHERE task = ?1 AND number <= \
                 (SELECT number FROM runs WHERE task = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)",
            )?;
            sweep.execute(params![task, keep.min(1e15) as i64])?;
        }
        _ => {}
    }
    Ok(())
}

fn runs(connection: &Connection, task: &str, limit: f64) -> rusqlite::Result<Datum> {
    let mut newest = connection.prepare(
        "SELECT start, end, error FROM runs WHERE task = ?1 ORDER BY number DESC LIMIT ?2",
    )?;
    let rows = newest.query_map(params![task, limit.min(1e15) as i64], |row| {
        let (start, end): (i64, i64) = (row.get(0)?, row.get(1)?);
        let error: Option<String> = row.get(2)?;
        let error = error.map_or(Datum::Undefined, Datum::Text);
        Ok(Datum::List(vec![Datum::Number(start as f64), Datum::Number(end as f64), error]))
    })?;
    rows.collect::<rusqlite::Result<Vec<Datum>>>().map(Datum::List)
}

/// What an error means to whoever declared tasks, and what to do about it.
fn about(error: &rusqlite::Error, path: &str) -> Fault {
    let code = error.sqlite_error_code();
    match code {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            let message = format!(
                "another process holds {path}: stop it, or give this one a store of its own"
            );
            Fault::new("ERR_STORE_LOCKED", message)
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            damaged(path, &error.to_string())
        }
        _ => {
            let fault = fault(error);
            Fault::new(fault.code.clone(), format!("{path}: {}", fault.message))
        }
    }
}

fn damaged(path: &str, what: &str) -> Fault {
    let message = format!(
        "{path} is damaged ({what}): put back a copy, or move it away to begin with an empty store"
    );
    Fault::new("ERR_STORE_DAMAGED", message)
}

fn fault(error: &rusqlite::Error) -> Fault {
    let (code, help) = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => ("ENOSPC", "the disk is full: make room"),
        Some(ErrorCode::ReadOnly) => ("EROFS", "it cannot be written: change its permissions"),
        Some(ErrorCode::CannotOpen) => {
            ("ERR_STORE_OPEN", "it cannot be opened: see that its directory exists and is writable")
        }
        Some(ErrorCode::SystemIoFailure) => ("EIO", "the system cannot write it"),
        _ => ("ERR_STORE", "the store failed"),
    };
    Fault::new(code, format!("{help} ({error})"))
}
