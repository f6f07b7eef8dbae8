//! The scheduler's store in the virtual world: tables in memory, by the paths that they would have.
//!
//! They outlive the machine that uses them, so that a program can be started again after a crash with
//! what was durable then.

use hemiola_gate::{Answer, Datum, Fault, StoreCall};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All stores of a simulated computer.
#[derive(Clone, Debug, Default)]
pub struct Stores(Arc<Mutex<Tables>>);

#[derive(Debug, Default)]
struct Tables {
    stores: BTreeMap<String, Store>,
    /// Which store has which number while it is open.
    open: BTreeMap<u64, String>,
    count: u64,
    /// How many commits there were.
    commits: u64,
}

/// What is durable.
#[derive(Clone, Debug, Default)]
struct Store {
    tasks: BTreeMap<String, String>,
    /// The runs of each task, the newest last.
    runs: BTreeMap<String, Vec<Datum>>,
    is_held: bool,
}

impl Stores {
    /// Lets go of everything that was open, as the end of a process does.
    pub fn let_go(&self) {
        let mut tables = self.tables();
        tables.open.clear();
        tables.stores.values_mut().for_each(|store| store.is_held = false);
    }

    /// The same stores as they are now, with a life of their own.
    pub fn copy(&self) -> Self {
        let tables = self.tables();
        let Tables { stores, open, count, commits } = &*tables;
        let (stores, open) = (stores.clone(), open.clone());
        Self(Arc::new(Mutex::new(Tables { stores, open, count: *count, commits: *commits })))
    }

    /// How many commits there were.
    pub fn commits(&self) -> u64 {
        self.tables().commits
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn perform(&self, call: &StoreCall) -> Answer {
        let mut tables = self.tables();
        match call {
            StoreCall::Open { path } => match path.at().path.to_str() {
                Some(path) => tables.open(path),
                None => Err(Fault::new("EINVAL", "the path of a store must be text")),
            },
            StoreCall::Commit { store, changes, keep } => {
                let store = tables.find(*store)?;
                for change in changes {
                    store.apply(change, *keep as usize);
                }
                tables.commits += 1;
                Ok(Datum::Undefined)
            }
            StoreCall::Runs { store, task, limit } => {
                let runs = tables.find(*store)?.runs.get(task);
                let newest = runs.into_iter().flatten().rev().take(*limit as usize).cloned();
                Ok(Datum::List(newest.collect()))
            }
            StoreCall::Close { store } => {
                if let Some(path) = tables.open.remove(store)
                    && let Some(store) = tables.stores.get_mut(&path)
                {
                    store.is_held = false;
                }
                Ok(Datum::Undefined)
            }
        }
    }
}

impl Tables {
    fn open(&mut self, path: &str) -> Answer {
        let store = self.stores.entry(path.to_owned()).or_default();
        if std::mem::replace(&mut store.is_held, true) {
            let message = format!("{path} is held already: stop who holds it, or name another");
            return Err(Fault::new("ERR_STORE_LOCKED", message));
        }
        self.count += 1;
        self.open.insert(self.count, path.to_owned());
        let text = |text: &String| Datum::Text(text.clone());
        let tasks = store.tasks.iter().map(|(id, state)| Datum::List(vec![text(id), text(state)]));
        let tasks = Datum::List(tasks.collect());
        let record = [("store", Datum::Number(self.count as f64)), ("tasks", tasks)];
        Ok(Datum::Record(record.map(|(name, value)| (name.to_owned(), value)).into()))
    }

    fn find(&mut self, store: u64) -> Result<&mut Store, Fault> {
        let path = self.open.get(&store);
        let found = path.and_then(|path| self.stores.get_mut(path));
        found.ok_or_else(|| Fault::new("EBADF", "the store is closed"))
    }
}

impl Store {
    fn apply(&mut self, change: &Datum, keep: usize) {
        let Datum::List(words) = change else { return };
        match words.as_slice() {
            [Datum::Text(what), Datum::Text(id), Datum::Text(state)] if what == "task" => {
                self.tasks.insert(id.clone(), state.clone());
            }
            [Datum::Text(what), Datum::Text(id)] if what == "forget" => {
                self.tasks.remove(id);
                self.runs.remove(id);
            }
            [Datum::Text(what), Datum::Text(task), run @ ..] if what == "run" => {
                let runs = self.runs.entry(task.clone()).or_default();
                runs.push(Datum::List(run.to_vec()));
                let extra = runs.len().saturating_sub(keep);
                runs.drain(..extra);
            }
            _ => {}
        }
    }
}
