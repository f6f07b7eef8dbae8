//! Datagrams that are under way between computers, for whoever decides in which order they arrive.

use super::{Datagrams, Event};
use crate::order::{Cargo, Number, UnderWay};
use hemiola_machine::Instant;

impl Datagrams {
    /// What is under way from one computer to another.
    pub(crate) fn under_way(&self, into: &mut Vec<UnderWay>) {
        for (&machine, events) in &self.events {
            for (&(at, number), event) in events {
                // Who sent it may have closed the socket since.
                if let Event::Datagram { from, bytes, there, .. } = event
                    && let Some(from) = self.traffic.roads().leads_to(*there, from.ip())
                    && from != *there
                {
                    let to = *there;
                    let (number, cargo) = (Number::Datagram(number), Cargo::Datagram(bytes.len()));
                    into.push(UnderWay { machine, at, number, from, to, cargo, channel: None });
                }
            }
        }
    }

    /// Lets one arrive later.
    pub(crate) fn hold_up(&mut self, what: &UnderWay, until: Instant) {
        if let Some(event) = self.take_back(what) {
            let Number::Datagram(number) = what.number else { return };
            self.events.entry(what.machine).or_default().insert((until, number), event);
        }
    }

    /// Lets one get lost.
    pub(crate) fn drop_one(&mut self, what: &UnderWay) {
        self.take_back(what);
    }

    /// Lets one arrive twice.
    pub(crate) fn double(&mut self, what: &UnderWay) {
        let Number::Datagram(number) = what.number else { return };
        let Some(events) = self.events.get_mut(&what.machine) else { return };
        if let Some(event) = events.get(&(what.at, number)).cloned() {
            self.sent += 1;
            events.insert((what.at, self.sent), event);
        }
    }

    fn take_back(&mut self, what: &UnderWay) -> Option<Event> {
        let Number::Datagram(number) = what.number else { return None };
        self.events.get_mut(&what.machine)?.remove(&(what.at, number))
    }
}
