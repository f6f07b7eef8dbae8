//! The databases of simulated worlds that schedulers of several nodes share (rule CLUS-1): tables in memory, by the
//! place, the database and the name of the cluster. Their clock is the world's own.

use hemiola_gate::{Answer, ClusterCall, Datum, Fault, Record};
use hemiola_scheduler::cluster::{Memory, Op, perform};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// All databases of a world; its copies are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Databases(Arc<Mutex<Shared>>);

#[derive(Debug, Default)]
struct Shared {
    clusters: BTreeMap<String, Memory>,
    /// Which cluster has which number for those who have opened it.
    open: BTreeMap<u64, String>,
    count: u64,
    /// How often something was asked.
    asked: u64,
}

impl Databases {
    /// How often something was asked of them.
    pub(crate) fn asked(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).asked
    }

    /// Does what is asked, when the database's clock shows that many milliseconds since 1970.
    pub(crate) fn perform(&self, call: &ClusterCall, now: i64) -> Answer {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.asked += 1;
        match call {
            ClusterCall::Open { place, options, password: _ } => {
                let cluster = named(place, options);
                shared.count += 1;
                let number = shared.count;
                shared.open.insert(number, cluster);
                Ok(Datum::Number(number as f64))
            }
            ClusterCall::Ask { cluster, question } => shared.ask(*cluster, question, now),
            // Nobody is told: nodes look by themselves, too.
            ClusterCall::Listen { .. } => Err(Fault::new("ENOSYS", "nobody is told here")),
            ClusterCall::Close { cluster } => {
                shared.open.remove(cluster);
                Ok(Datum::Undefined)
            }
        }
    }
}

impl Shared {
    fn ask(&mut self, cluster: u64, question: &str, now: i64) -> Answer {
        let closed = || Fault::new("EBADF", "the cluster is closed");
        let cluster = self.open.get(&cluster).ok_or_else(closed)?;
        let op = Op::read(question).map_err(|error| Fault::new("EINVAL", error.to_string()))?;
        let tables = self.clusters.entry(cluster.clone()).or_default();
        tables.now = now;
        // All of it happens, or nothing.
        let mut changed = tables.clone();
        let done = perform(&mut changed, &op).map_err(|failure| {
            let (code, message) = failure.explain(|never| match never {});
            Fault::new(code, message)
        })?;
        *tables = changed;
        Ok(Datum::Text(done.reply.to_string()))
    }
}

/// What tells one cluster from another.
fn named(place: &Record, options: &Record) -> String {
    let text = |record: &Record, name: &str| match record.field(name) {
        Some(Datum::Text(text)) => text.clone(),
        Some(Datum::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let place = ["path", "host", "port"].map(|name| text(place, name));
    let options = ["database", "name"].map(|name| text(options, name));
    format!("{place:?} {options:?}")
}
