//! The scheduler's store: an SQLite database that one process holds.
//!
//! Opening it gives its number and the states of tasks; a commit makes changes durable, all or none of them.
//! Everything that is answered is on the disk: the journal is written ahead and
//! synchronised with every commit.

mod faults;
mod held;
mod log;
mod schema;
mod whole;

use faults::{LINKED, about, damaged};
pub(crate) use held::Held;
use hemiola_gate::files::Links;
use hemiola_gate::{Answer, Datum, Fault, Scope, StoreCall};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, params};
use schema::{LATEST, WITH_FACTS, WITH_SUMS, migrate, run_sum, task_sum};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The stores that are open, by number.
#[derive(Clone, Default)]
pub(crate) struct Stores(Arc<Mutex<Opened>>);

#[derive(Default)]
struct Opened {
    stores: BTreeMap<u64, Arc<Mutex<Store>>>,
    count: u64,
}

/// A store that is open.
struct Store {
    connection: Connection,
    path: String,
    /// The version of its schema: an older one becomes the latest with the first commit.
    version: usize,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    // A change that panicked was not committed.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stores {
    pub(crate) fn perform(&self, call: &StoreCall) -> Answer {
        match call {
            StoreCall::Open { path } => match path.at().path.to_str() {
                Some(place) => {
                    self.open(place, path.at().links).map_err(|fault| match &*fault.code {
                        // A link was put there since the path was checked.
                        LINKED => Scope::Write.refused(path.as_path().as_os_str().as_bytes()),
                        _ => fault,
                    })
                }
                None => Err(Fault::new("EINVAL", "the path of a store must be text")),
            },
            StoreCall::Commit { store, changes, keep } => {
                let store = self.find(*store)?;
                let mut store = lock(&store);
                store.commit(changes, *keep).map_err(|error| about(&error, &store.path))?;
                Ok(Datum::Undefined)
            }
            StoreCall::Runs { store, task, limit } => {
                let store = self.find(*store)?;
                lock(&store).runs(task, *limit)
            }
            StoreCall::Close { store } => {
                // The last reference closes it, and gives up the file.
                lock(&self.0).stores.remove(store);
                Ok(Datum::Undefined)
            }
        }
    }

    fn find(&self, store: u64) -> Result<Arc<Mutex<Store>>, Fault> {
        let found = lock(&self.0).stores.get(&store).cloned();
        found.ok_or_else(|| Fault::new("EBADF", "the store is closed"))
    }

    fn open(&self, path: &str, links: Links) -> Answer {
        let (store, tasks) = Store::open(path, links)?;
        let mut opened = lock(&self.0);
        opened.count += 1;
        let number = opened.count;
        opened.stores.insert(number, Arc::new(Mutex::new(store)));
        let record = [("store", Datum::Number(number as f64)), ("tasks", Datum::List(tasks))];
        Ok(Datum::Record(record.map(|(name, value)| (name.to_owned(), value)).into()))
    }
}

impl Store {
    /// Opens a store and makes it this process's own, or says why that cannot be. A store that is there already is
    /// only read; gives also what it knows of tasks.
    fn open(path: &str, links: Links) -> Result<(Self, Vec<Datum>), Fault> {
        if Path::new(path).metadata().is_ok_and(|found| found.len() > 0) {
            whole::check_file(path)?;
        }
        let log = whole::log_of(path);
        let has_log = Path::new(&log).exists();
        let opened = Self::connect(path, links);
        // Looking at a database leaves an empty log beside it.
        if opened.is_err() && !has_log && fs::metadata(&log).is_ok_and(|log| log.len() == 0) {
            let _ = fs::remove_file(&log);
        }
        opened
    }

    fn connect(path: &str, links: Links) -> Result<(Self, Vec<Datum>), Fault> {
        let fail = |error: rusqlite::Error| about(&error, path);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let flags = match links {
            Links::Followed => flags,
            Links::Refused => flags | OpenFlags::SQLITE_OPEN_NOFOLLOW,
        };
        let connection = Connection::open_with_flags(path, flags).map_err(fail)?;
        // Who holds it does not let go of it soon.
        connection.busy_timeout(std::time::Duration::ZERO).map_err(fail)?;
        // Held from the first access to the end of the process, however that ends.
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(fail)?;
        // What is refused is left as it is, with its log.
        let keep_log = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        connection.set_db_config(keep_log, true).map_err(fail)?;
        let version = whole::check(&connection, path)?;
        let mut store = Self { connection, path: path.to_owned(), version };
        if version == 0 {
            store.connection.pragma_update(None, "journal_mode", "WAL").map_err(fail)?;
        }
        store.connection.pragma_update(None, "synchronous", "FULL").map_err(fail)?;
        if version == 0 {
            store.commit(&[], 0.0).map_err(fail)?;
        }
        let tasks = whole::tasks(&store.connection, path)?;
        store.connection.set_db_config(keep_log, false).map_err(fail)?;
        Ok((store, tasks))
    }

    /// Changes are `['task', id, state]`, `['forget', id]` and `['run', task, start, end, error, facts]`.
    fn commit(&mut self, changes: &[Datum], keep: f64) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        migrate(&transaction, self.version)?;
        for change in changes {
            if let Datum::List(words) = change {
                apply(&transaction, words, keep)?;
            }
        }
        transaction.commit()?;
        self.version = LATEST;
        Ok(())
    }

    fn runs(&self, task: &str, limit: f64) -> Answer {
        let read = || -> rusqlite::Result<Vec<Option<Datum>>> {
            let facts = if self.version < WITH_FACTS { "NULL" } else { "facts" };
            let mut newest = self.connection.prepare(&format!(
                "SELECT start, end, error, sum, {facts} FROM runs WHERE task = ?1 \
                 ORDER BY number DESC LIMIT ?2",
            ))?;
            let rows = newest.query_map(params![task, limit.min(1e15) as i64], |row| {
                let (start, end): (i64, i64) = (row.get(0)?, row.get(1)?);
                let (error, facts): (Option<String>, Option<String>) = (row.get(2)?, row.get(4)?);
                let sum = run_sum(task, start, end, error.as_deref(), facts.as_deref());
                if sum != row.get::<_, i64>(3)? {
                    return Ok(None);
                }
                let [error, facts] =
                    [error, facts].map(|text| text.map_or(Datum::Undefined, Datum::Text));
                let [start, end] = [start, end].map(|at| Datum::Number(at as f64));
                let run = vec![start, end, error, facts];
                Ok(Some(Datum::List(run)))
            })?;
            rows.collect()
        };
        // Before the first commit there is nobody who asks.
        if self.version < WITH_SUMS {
            return Ok(Datum::List(Vec::new()));
        }
        let runs = read().map_err(|error| about(&error, &self.path))?;
        let runs = runs.into_iter().collect::<Option<Vec<Datum>>>();
        runs.map(Datum::List).ok_or_else(|| damaged(&self.path, "a row was changed"))
    }
}

fn apply(transaction: &Transaction<'_>, words: &[Datum], keep: f64) -> rusqlite::Result<()> {
    match words {
        [Datum::Text(what), Datum::Text(id), Datum::Text(state)] if what == "task" => {
            let mut put =
                transaction.prepare("INSERT OR REPLACE INTO tasks VALUES (?1, ?2, ?3)")?;
            put.execute(params![id, state, task_sum(id, state)])?;
        }
        [Datum::Text(what), Datum::Text(id)] if what == "forget" => {
            transaction.execute("DELETE FROM tasks WHERE id = ?1", params![id])?;
            transaction.execute("DELETE FROM runs WHERE task = ?1", params![id])?;
        }
        [Datum::Text(what), Datum::Text(task), start, end, error, facts] if what == "run" => {
            let whole = |value: &Datum| value.as_number().unwrap_or_default() as i64;
            let (start, end, error) = (whole(start), whole(end), error.as_text());
            let facts = facts.as_text();
            let sum = run_sum(task, start, end, error, facts);
            let mut put = transaction.prepare(
                "INSERT INTO runs (task, start, end, error, sum, facts) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            put.execute(params![task, start, end, error, sum, facts])?;
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

#[cfg(test)]
mod tests;
