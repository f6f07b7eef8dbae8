//! Pipes between processes of one computer, and ends of connections that several of them have.
//!
//! A pipe is a connection that nobody had to ask for. An end belongs to one machine; other processes may hold it, too:
//! it is closed when the last of them closes it or is no more.

use super::end::{End, Kind};
use super::{Event, Net, errno};
use crate::roads::{Computer, Trip, first_machine_of, process_of};
use hemiola_gate::{Answer, Datum, Fault, sockets};
use hemiola_machine::Instant;
use std::collections::{BTreeMap, VecDeque};

/// Who holds an end that is on its way from one process to another.
const UNDER_WAY: u64 = u64::MAX;
/// The machine that such an end belongs to when whoever sent it has closed it.
const NOBODY: u64 = u64::MAX;

impl Net {
    /// A pipe from the machine that does something to another of its computer: its two ends.
    pub(crate) fn make_pipe(&mut self, to: u64, is_channel: bool) -> (u64, u64) {
        let here = Computer::of(self.machine);
        let (near, far) = (self.number(), self.number());
        let kind = if is_channel { Kind::Channel } else { Kind::Pipe };
        let end = |owner, peer| End { kind, ..End::new(owner, peer, here) };
        self.ends.insert(near, end(self.machine, far));
        self.ends.insert(far, end(to, near));
        (near, far)
    }

    /// Lets a process hold an end, too.
    pub(crate) fn share(&mut self, id: u64, process: u64) -> Result<(), Fault> {
        let end = self.end(id, "spawn")?;
        if !end.holders.contains(&process) {
            end.holders.push(process);
        }
        Ok(())
    }

    /// Lets the machine that does something be the one that an end belongs to.
    pub(crate) fn take_over(&mut self, id: u64) {
        self.assign(id, self.machine);
    }

    /// Lets an end belong to a machine of a process that holds it.
    pub(crate) fn assign(&mut self, id: u64, machine: u64) {
        let process = process_of(machine);
        let Some(end) = self.ends.get_mut(&id).filter(|end| end.owner != machine) else { return };
        let before = end.owner;
        if let Some(at) = end.holders.iter().position(|&holder| holder == process) {
            end.holders.remove(at);
            end.holders.extend((before != NOBODY).then(|| process_of(before)));
        }
        self.hand_to(id, machine);
    }

    /// Gives an end to a machine, with all that is under way to it.
    fn hand_to(&mut self, id: u64, machine: u64) {
        let Some(end) = self.ends.get_mut(&id) else { return };
        let before = std::mem::replace(&mut end.owner, machine);
        end.asked = None;
        let Some(events) = self.events.get_mut(&before) else { return };
        let is_meant = |event: &Event| match event {
            Event::Bytes { to, .. }
            | Event::Finish { to, .. }
            | Event::Reset { to, .. }
            | Event::GaveUp { to, .. }
            | Event::Ask { to, .. }
            | Event::Taken { to, .. } => *to == id,
            Event::Knock { .. } | Event::Told { .. } | Event::Visit { .. } => false,
        };
        let (moved, kept): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(events).into_iter().partition(|(_, event)| is_meant(event));
        *events = kept;
        if let Some(&(at, _)) = moved.keys().next()
            && machine != self.machine
        {
            self.calls.push((machine, at));
        }
        self.events.entry(machine).or_default().extend(moved);
    }

    /// The process that does something closes an end. True if others still hold it.
    pub(crate) fn let_go(&mut self, id: u64) -> bool {
        let process = process_of(self.machine);
        let Some(end) = self.ends.get_mut(&id) else { return false };
        if let Some(at) = end.holders.iter().position(|&holder| holder == process) {
            end.holders.remove(at);
            return true;
        }
        let next = end.holders.iter().position(|&holder| holder != UNDER_WAY);
        match next {
            Some(at) => {
                let next = end.holders.remove(at);
                self.hand_to(id, first_machine_of(next));
                true
            }
            // Whoever gets it takes it over.
            None if !end.holders.is_empty() => {
                self.hand_to(id, NOBODY);
                true
            }
            None => false,
        }
    }

    /// Which ends the process of the machine that does something holds beside others, if it is its first machine.
    pub(crate) fn held(&self) -> Vec<u64> {
        let process = process_of(self.machine);
        if first_machine_of(process) != self.machine {
            return Vec::new();
        }
        let holds = |(_, end): &(&u64, &End)| end.holders.contains(&process);
        self.ends.iter().filter(holds).map(|(&id, _)| id).collect()
    }

    /// Sends bytes over a channel, and an end of a connection with the first of them.
    pub(crate) fn send_with(
        &mut self,
        now: Instant,
        channel: u64,
        bytes: &[u8],
        parcel: Option<u64>,
    ) -> Answer {
        if let Some(parcel) = parcel
            && !self.ends.contains_key(&parcel)
        {
            return Err(Fault::system(errno::NOTSUP, "write"));
        }
        let count = self.try_write(now, channel, bytes)?;
        if count > 0 {
            self.attach(now, channel, parcel)?;
        }
        Ok(Datum::Number(count as f64))
    }

    /// Lets an end of a connection go with what was just sent over a channel.
    pub(crate) fn attach(
        &mut self,
        now: Instant,
        channel: u64,
        parcel: Option<u64>,
    ) -> Result<(), Fault> {
        let Some(parcel) = parcel else { return Ok(()) };
        let far = self.end(channel, "write")?.peer;
        self.share(parcel, UNDER_WAY)?;
        match self.ends.get_mut(&far) {
            Some(far) => far.parcels.push_back(parcel),
            None => self.drop_parcels(now, [parcel].into()),
        }
        Ok(())
    }

    /// The next end of a connection that came over a channel.
    pub(crate) fn unpack(&mut self, channel: u64) -> Option<u64> {
        let process = process_of(self.machine);
        let parcel = self.ends.get_mut(&channel)?.parcels.pop_front()?;
        let end = self.ends.get_mut(&parcel)?;
        let at = end.holders.iter().position(|&holder| holder == UNDER_WAY)?;
        end.holders[at] = process;
        Some(parcel)
    }

    /// Nobody takes these any more.
    pub(crate) fn drop_parcels(&mut self, now: Instant, parcels: VecDeque<u64>) {
        for id in parcels {
            let machine = self.machine;
            let Some(end) = self.ends.get_mut(&id) else { continue };
            if let Some(at) = end.holders.iter().position(|&holder| holder == UNDER_WAY) {
                end.holders.remove(at);
            }
            if end.owner == NOBODY && end.holders.is_empty() {
                end.owner = machine;
                self.close(now, id, false);
            }
        }
    }

    /// The process that does something does not want an end that came over a channel, unless it has opened it.
    pub(crate) fn refuse(&mut self, now: Instant, id: u64) {
        let process = process_of(self.machine);
        if self.ends.get(&id).is_some_and(|end| process_of(end.owner) != process) {
            self.close(now, id, false);
        }
    }

    /// Whether an end is that of a pipe.
    pub(crate) fn is_pipe(&self, id: u64) -> bool {
        self.ends.get(&id).is_some_and(|end| end.kind != Kind::Connection)
    }

    /// What a program hears of an end that it was given.
    pub(crate) fn opened(&mut self, id: u64) -> Answer {
        let (local, remote) = self.end(id, "open")?.seen.clone();
        self.take_over(id);
        Ok(sockets::connection(id, local.as_ref(), remote.as_ref()))
    }

    /// When the last thing that is under way to the machine that does something arrives.
    pub(crate) fn last(&self) -> Option<Instant> {
        self.events.get(&self.machine)?.keys().next_back().map(|&(instant, _)| instant)
    }

    /// What has come at an end that nobody waits at, and whether that was all.
    pub(crate) fn drain(&mut self, now: Instant, id: u64) -> (Vec<u8>, bool) {
        let Some(end) = self.ends.get_mut(&id) else { return (Vec::new(), true) };
        let bytes = end.incoming.clone();
        end.forget_incoming();
        let (peer, way, is_over) =
            (end.peer, (Computer::of(end.owner), end.far), end.finish.is_some());
        if !bytes.is_empty()
            && let Trip::Arrives(at) = self.trip(now, way, 0)
        {
            self.send(at, Event::Taken { to: peer, count: bytes.len() });
        }
        (bytes, is_over)
    }
}
