//! What is under way between computers, for whoever decides in which order it arrives.

use super::{Event, Net};
use crate::order::{Cargo, Number, UnderWay};
use crate::roads::Computer;
use hemiola_gate::Datum;
use hemiola_machine::Instant;

impl Net {
    /// What is under way from one computer to another.
    pub(crate) fn under_way(&self, into: &mut Vec<UnderWay>) {
        for (&machine, events) in &self.events {
            for (&(at, number), event) in events {
                if let Some((from, to, cargo, channel)) = self.described(machine, event)
                    && from != to
                {
                    let number = Number::Stream(number);
                    into.push(UnderWay { machine, at, number, from, to, cargo, channel });
                }
            }
        }
    }

    /// Where something comes from and goes to, what it is, and the end that it must reach in order.
    fn described(
        &self,
        machine: u64,
        event: &Event,
    ) -> Option<(Computer, Computer, Cargo, Option<u64>)> {
        let reaches = |id: u64, cargo: Cargo| {
            let end = self.ends.get(&id)?;
            Some((end.far, Computer::of(end.owner), cargo, Some(id)))
        };
        match event {
            Event::Knock { there, .. } => {
                Some((Computer::of(machine), *there, Cargo::Request, None))
            }
            Event::Told { answer: Ok(answer), .. } => {
                reaches(answer.field("id").and_then(Datum::as_number)? as u64, Cargo::Welcome)
            }
            Event::Bytes { to, bytes, .. } => reaches(*to, Cargo::Bytes(bytes.len())),
            Event::Finish { to, .. } => reaches(*to, Cargo::End),
            Event::Reset { to, .. } => reaches(*to, Cargo::Reset),
            // Nobody sees when these come, or they are no messages.
            Event::Told { answer: Err(_), .. }
            | Event::GaveUp { .. }
            | Event::Ask { .. }
            | Event::Taken { .. }
            | Event::Visit { .. } => None,
        }
    }

    /// Lets something arrive later, and all that comes behind it over the same connection not before it.
    pub(crate) fn hold_up(&mut self, what: &UnderWay, until: Instant) {
        let Number::Stream(number) = what.number else { return };
        let Some(events) = self.events.get(&what.machine) else { return };
        let is_behind = |&&(at, behind): &&(Instant, u64)| at < until && behind >= number;
        let is_meant = |key: &(Instant, u64)| {
            let channel = self.described(what.machine, &events[key]).and_then(|one| one.3);
            key.1 == number || channel.is_some() && channel == what.channel
        };
        let held: Vec<(Instant, u64)> =
            events.keys().filter(is_behind).filter(|key| is_meant(key)).copied().collect();
        if let Some(events) = self.events.get_mut(&what.machine) {
            for key in held {
                if let Some(event) = events.remove(&key) {
                    events.insert((until, key.1), event);
                }
            }
        }
        let sender = what.channel.and_then(|id| self.ends.get(&id)).map(|end| end.peer);
        if let Some(end) = sender.and_then(|id| self.ends.get_mut(&id)) {
            end.clear = end.clear.max(until);
        }
    }
}
