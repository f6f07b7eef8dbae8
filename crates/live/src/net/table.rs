//! What is open, by the numbers that the program knows.

use crate::net::listener::Listener;
use crate::net::stream::Stream;
use hemiola_gate::{Datum, sockets};
use hemiola_machine::Operation;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The table that both threads use.
#[derive(Default)]
pub(crate) struct Shared(Mutex<Table>);

/// Numbers are never used twice, so that one of something closed means nothing else.
#[derive(Default)]
pub(crate) struct Table {
    last: u64,
    pub(crate) streams: BTreeMap<u64, Arc<Stream>>,
    pub(crate) listeners: BTreeMap<u64, Arc<Listener>>,
    /// Connections whose arrival the program has not heard of yet, by who asked for them.
    pub(crate) arriving: BTreeMap<Operation, u64>,
}

impl Shared {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Table> {
        // Whoever panicked while holding it left it whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in a connection that somebody asked for; gives the answer for them.
    pub(crate) fn enter(&self, operation: Operation, stream: Arc<Stream>) -> Datum {
        let (near, far) = stream.ends();
        let mut table = self.lock();
        let id = table.add(stream);
        table.arriving.insert(operation, id);
        sockets::connection(id, near.as_ref(), far.as_ref())
    }

    pub(crate) fn stream(&self, id: u64) -> Option<Arc<Stream>> {
        self.lock().streams.get(&id).cloned()
    }
}

impl Table {
    pub(crate) fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub(crate) fn add(&mut self, stream: Arc<Stream>) -> u64 {
        let id = self.number();
        self.streams.insert(id, stream);
        id
    }
}
