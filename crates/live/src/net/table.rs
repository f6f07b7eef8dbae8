//! What is open, by the numbers that the program knows.

use crate::net::listener::Listener;
use crate::net::stream::Stream;
use crate::zones;
use hemiola_gate::{Datum, sockets};
use hemiola_machine::Operation;
use std::cell::{RefCell, RefMut};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The table that a program's sockets share.
#[derive(Default)]
pub(crate) struct Shared(RefCell<Table>);

/// Numbers are never used twice, so that one of something closed means nothing else.
#[derive(Default)]
pub(crate) struct Table {
    last: u64,
    pub(crate) streams: BTreeMap<u64, Rc<Stream>>,
    pub(crate) listeners: BTreeMap<u64, Rc<Listener>>,
    /// Connections whose arrival the program has not heard of yet, by who asked for them.
    pub(crate) arriving: BTreeMap<Operation, u64>,
}

impl Shared {
    pub(crate) fn table(&self) -> RefMut<'_, Table> {
        self.0.borrow_mut()
    }

    /// Takes in a connection that somebody asked for; gives the answer for them.
    pub(crate) fn enter(&self, operation: Operation, stream: Rc<Stream>) -> Datum {
        let (near, far) = stream.ends();
        let mut table = self.table();
        let id = table.add(stream);
        table.arriving.insert(operation, id);
        zones::named(sockets::connection(id, near.as_ref(), far.as_ref()))
    }

    pub(crate) fn stream(&self, id: u64) -> Option<Rc<Stream>> {
        self.table().streams.get(&id).cloned()
    }
}

impl Table {
    pub(crate) fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub(crate) fn add(&mut self, stream: Rc<Stream>) -> u64 {
        let id = self.number();
        self.streams.insert(id, stream);
        id
    }
}
