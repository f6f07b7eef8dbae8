//! The network of a world that leaves open who gets what when.
//!
//! Nothing is under way: what is sent has arrived, and waits. Whoever asked for it gets it when the world
//! is told to answer, as much as there is by then.

use super::Net;
use super::end::End;
use crate::open::{Access, Location};
use Access::{Read, Write};
use hemiola_gate::sockets::Place;
use hemiola_machine::{Instant, Operation};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

impl Net {
    /// Lets nothing take time from now on.
    pub(crate) fn leave_open(&mut self) {
        self.is_open = true;
    }

    /// Lets everything arrive that was sent.
    pub(crate) fn settle(&mut self) {
        while self.next(self.machine).is_some() {
            self.happen();
        }
    }

    /// Who waits for something that is there.
    pub(crate) fn able(&self, operations: &mut Vec<Operation>) {
        let has_something = |end: &&End| !end.incoming.is_empty() || end.finish.is_some();
        operations.extend(self.ends.values().filter(has_something).filter_map(|end| end.asked));
        let listeners = self.places.listeners().map(|(_, listener)| listener);
        let is_wanted = listeners.filter(|listener| !listener.waiting.is_empty());
        operations.extend(is_wanted.filter_map(|listener| listener.asked));
    }

    /// Whether somebody reads from an end and has not heard yet that the connection was cut.
    pub(crate) fn is_cut_for_reader(&self, id: u64) -> bool {
        let waits = |end: &End| end.asked.is_some() && matches!(end.finish, Some(Err(_)));
        self.ends.get(&id).is_some_and(waits)
    }

    /// Gives them what there is.
    pub(crate) fn deliver(&mut self, now: Instant, operation: Operation) {
        let reads = |(_, end): &(&u64, &End)| end.asked == Some(operation);
        let reader = self.ends.iter().find(reads).map(|(&id, _)| id);
        if let Some(id) = reader {
            return self.give(now, id);
        }
        let mut listeners = self.places.listeners();
        let listener = listeners.find(|(_, one)| one.asked == Some(operation)).map(|(id, _)| id);
        drop(listeners);
        if let Some(id) = listener {
            self.let_in(now, id);
        }
    }

    /// Nobody waits for that any more.
    pub(crate) fn forget(&mut self, operation: Operation) {
        for end in self.ends.values_mut() {
            end.asked = end.asked.filter(|&asked| asked != operation);
        }
        let listeners: Vec<u64> = self.places.listeners().map(|(id, _)| id).collect();
        for id in listeners {
            if let Some(listener) = self.places.listener(id) {
                listener.asked = listener.asked.filter(|&asked| asked != operation);
            }
        }
    }

    /// What is touched by who sends from an end of a connection: whether it is still there is known here.
    pub(crate) fn pipe(&self, stream: u64) -> Vec<(Location, Access)> {
        self.both_ends(stream, Read)
    }

    /// What is touched by who ends a connection at one end.
    pub(crate) fn connection(&self, stream: u64) -> Vec<(Location, Access)> {
        self.both_ends(stream, Write)
    }

    fn both_ends(&self, stream: u64, near: Access) -> Vec<(Location, Access)> {
        let peer = self.ends.get(&stream).map(|end| (Location::Pipe(end.peer), Write));
        std::iter::once((Location::Pipe(stream), near)).chain(peer).collect()
    }

    /// What an operation touches when it is answered.
    pub(crate) fn touches_of(&self, operation: Operation) -> Option<(Location, Access)> {
        let reads = |(_, end): &(&u64, &End)| end.asked == Some(operation);
        if let Some((&id, _)) = self.ends.iter().find(reads) {
            return Some((Location::Pipe(id), Write));
        }
        let mut listeners = self.places.listeners();
        let (id, _) = listeners.find(|(_, listener)| listener.asked == Some(operation))?;
        self.door_of(id).map(|door| door.lets_in())
    }

    /// Where a listener is.
    pub(crate) fn door_of(&self, listener: u64) -> Option<Door> {
        let mut listeners = self.places.listeners();
        listeners.find(|&(id, _)| id == listener).map(|(_, listener)| door(&listener.at))
    }
}

/// Where one listens, by its name; nothing for any port that is free.
pub(crate) struct Door(Option<String>);

/// Where one listens. Addresses overlap, so that only the port tells them apart.
pub(crate) fn door(place: &Place) -> Door {
    Door(match place {
        Place::Ip(address) if address.port() == 0 => None,
        Place::Ip(address) => Some(format!("port {}", address.port())),
        Place::Path(path) => {
            Some(format!("socket {}", Path::new(OsStr::from_bytes(path)).display()))
        }
        Place::Descriptor(fd) => Some(format!("socket {fd}")),
    })
}

impl Door {
    fn listener(&self) -> Location {
        self.0.clone().map_or(Location::FreePorts, Location::Listener)
    }

    fn waiting(&self) -> Location {
        self.0.clone().map_or(Location::FreePorts, Location::Waiting)
    }

    /// What is touched by who begins to listen.
    pub(crate) fn opens(&self) -> (Location, Access) {
        (self.listener(), Write)
    }

    /// What is touched by who connects: whether somebody listens is known here.
    pub(crate) fn knocks(&self) -> [(Location, Access); 2] {
        [(self.listener(), Read), (self.waiting(), Write)]
    }

    /// What is touched by who lets somebody in.
    pub(crate) fn lets_in(&self) -> (Location, Access) {
        (self.waiting(), Write)
    }

    /// What is touched by who listens no more.
    pub(crate) fn closes(&self) -> [(Location, Access); 2] {
        [(self.listener(), Write), (self.waiting(), Write)]
    }
}
