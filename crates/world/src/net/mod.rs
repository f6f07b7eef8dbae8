//! A network of one computer or several: whatever a program connects to must listen within the run.
//!
//! Everything that is sent is under way for a while that the seed decides, and arrives in order. What
//! is under way is an [`Event`]; [`Net::happen`] is the only place where it arrives.

mod end;
mod faults;
mod keep;
mod late;
mod open;
mod pipes;
mod places;

pub(crate) use open::door;

use crate::databases::Databases;
use crate::datagrams::Datagrams;
use crate::roads::{Computer, LATENCY, Roads, Traffic, Trip, drawn};
use crate::wires::{Tap, UNTOLD, Wires};
use end::{End, Outgoing};
use hemiola_gate::files::{At, Tree};
use hemiola_gate::sockets::{self, Connect, Listen, Place, Settings};
use hemiola_gate::{Answer, Datum, Fault, MAIN, Mishaps, NetCall, StreamCall, Touches, UdpCall};
use hemiola_machine::{Cargo, Completion, Delay, Instant, Operation, Seeded};
use places::{Listener, Places};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Keeps the stream of latencies apart from all other numbers.
const LATENCY_SEED: u64 = 0x7769_7265_7321_7321;

/// The same for what is between computers.
const TRAFFIC_SEED: u64 = 0x726f_6164_7321_7321;

/// Who finds no room for a connection asks again after so long.
const RETRY: Delay = Delay::from_millis(1000);

/// The system's numbers for what goes wrong.
pub(crate) mod errno {
    pub(crate) const NOENT: i32 = 2;
    pub(crate) const IO: i32 = 5;
    pub(crate) const BADF: i32 = 9;
    pub(crate) const ACCES: i32 = 13;
    pub(crate) const INVAL: i32 = 22;
    pub(crate) const PIPE: i32 = 32;
    pub(crate) const NAMETOOLONG: i32 = 36;
    pub(crate) const NOTSUP: i32 = 95;
    pub(crate) const ADDRINUSE: i32 = 98;
    pub(crate) const ADDRNOTAVAIL: i32 = 99;
    pub(crate) const CONNRESET: i32 = 104;
    pub(crate) const NOTCONN: i32 = 107;
    pub(crate) const TIMEDOUT: i32 = 110;
    pub(crate) const CONNREFUSED: i32 = 111;
    pub(crate) const HOSTUNREACH: i32 = 113;
}

/// Something under way.
enum Event {
    /// A request for a connection, to whoever listens.
    Knock { operation: Operation, to: Place, from: Place, there: Computer, message: u64 },
    /// The answer to it.
    Told { operation: Operation, answer: Answer },
    /// Bytes for an end.
    Bytes { to: u64, from: u64, bytes: Vec<u8>, message: u64 },
    /// The news that nothing more will come.
    Finish { to: u64, message: u64 },
    /// The news that the connection is no more.
    Reset { to: u64, message: u64 },
    /// Nobody has answered for so long that this end gives up.
    GaveUp { to: u64 },
    /// An end has heard nothing for long, and asks whether the other is still there.
    Ask { to: u64 },
    /// The news that the far end has taken so many bytes.
    Taken { to: u64, count: usize },
    /// The news for another machine that somebody waits to be let in.
    Visit { listener: u64 },
}

/// The network that all machines of a run share.
#[derive(Clone)]
pub struct Network {
    net: Arc<Mutex<Net>>,
    datagrams: Arc<Mutex<Datagrams>>,
    /// The databases that can be reached, by all computers.
    pub(crate) databases: Databases,
}

impl Network {
    /// The network of a computer that knows no others.
    pub fn new(seed: u64) -> Self {
        Self::between(Roads::default(), seed)
    }

    /// A network of computers with roads between them.
    pub fn between(roads: Roads, seed: u64) -> Self {
        Self::tapped(roads, seed, None)
    }

    /// The same, with somebody who is told what goes over its wires.
    pub(crate) fn tapped(roads: Roads, seed: u64, tap: Option<Tap>) -> Self {
        let wires = Wires::told(tap);
        Self {
            net: Arc::new(Mutex::new(Net::new(roads.clone(), seed, wires.clone()))),
            datagrams: Arc::new(Mutex::new(Datagrams::new(roads, seed, wires))),
            databases: Databases::default(),
        }
    }

    /// Lets everything within a computer be under way for that long, at least and at most.
    #[must_use]
    pub fn taking(self, latency: (Delay, Delay)) -> Self {
        self.lock().latency = latency;
        self.datagrams().take(latency);
        self
    }

    /// Tells nobody any more what goes over the wires.
    pub(crate) fn untap(&self) {
        self.lock().wires = Wires::default();
        self.datagrams().untap();
    }

    /// The machines of a process are no more, and nobody hears of it: its computer has no power.
    pub(crate) fn lose(&self, machines: &[u64]) {
        let is_lost = |machine: u64| machines.contains(&machine);
        self.lock().lose(is_lost);
        self.datagrams().lose(is_lost);
    }

    /// What is between the computers.
    pub(crate) fn roads(&self) -> Roads {
        self.lock().traffic.roads().clone()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Net> {
        // Only one machine runs at a time, and nothing in here panics half way through a change.
        self.net.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn datagrams(&self) -> MutexGuard<'_, Datagrams> {
        self.datagrams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call for the network.
pub(crate) enum NetworkCall {
    /// About places and connections.
    Net(NetCall),
    /// About what goes over connections.
    Stream(StreamCall),
    /// About datagrams.
    Udp(UdpCall),
}

impl NetworkCall {
    /// What it touches.
    pub(crate) fn touches(&self) -> Touches {
        match self {
            Self::Net(call) => call.touches(),
            Self::Stream(call) => call.touches(),
            Self::Udp(call) => call.touches(),
        }
    }

    /// What may go wrong with it.
    pub(crate) fn mishaps(&self) -> Mishaps {
        match self {
            Self::Net(call) => call.mishaps(),
            Self::Stream(call) => call.mishaps(),
            Self::Udp(call) => call.mishaps(),
        }
    }
}

/// What is on the network.
pub(crate) struct Net {
    /// The machine that does something.
    machine: u64,
    last_id: u64,
    ends: BTreeMap<u64, End>,
    places: Places,
    /// What is under way to each machine; at one instant, in the order of sending.
    events: BTreeMap<u64, BTreeMap<(Instant, u64), Event>>,
    /// Which other machines something is under way to, and when it arrives.
    calls: Vec<(u64, Instant)>,
    sent: u64,
    /// Within a computer.
    latencies: Seeded,
    latency: (Delay, Delay),
    /// Between computers.
    traffic: Traffic,
    /// Whether nothing takes time, and whoever waits for something gets it when the world says so.
    is_open: bool,
    done: Vec<Completion<Answer>>,
    wires: Wires,
}

impl Net {
    /// A network without anybody on it.
    pub(crate) fn new(roads: Roads, seed: u64, wires: Wires) -> Self {
        Self {
            machine: MAIN,
            last_id: 0,
            ends: BTreeMap::new(),
            places: Places::default(),
            events: BTreeMap::new(),
            calls: Vec::new(),
            sent: 0,
            latencies: Seeded::new(seed ^ LATENCY_SEED),
            latency: LATENCY,
            traffic: Traffic::new(roads, seed ^ TRAFFIC_SEED),
            is_open: false,
            done: Vec::new(),
            wires,
        }
    }

    /// When the next thing arrives at a machine.
    pub(crate) fn next(&self, machine: u64) -> Option<Instant> {
        self.events.get(&machine)?.keys().next().map(|&(instant, _)| instant)
    }

    /// The network for what a machine does.
    pub(crate) fn for_machine(&mut self, machine: u64) -> &mut Self {
        self.machine = machine;
        self
    }

    /// Which other machines were sent something since this was last asked, and when it arrives.
    pub(crate) fn calls(&mut self) -> Vec<(u64, Instant)> {
        std::mem::take(&mut self.calls)
    }

    /// Closes all that a machine has open: it is no more.
    pub(crate) fn leave(&mut self, now: Instant) {
        for listener in self.places.listeners_of(self.machine) {
            self.close_listener(now, listener);
        }
        let own = |(_, end): &(&u64, &End)| end.owner == self.machine;
        let ends: Vec<u64> = self.ends.iter().filter(own).map(|(&id, _)| id).collect();
        for end in ends.into_iter().chain(self.held()) {
            self.close(now, end, false);
        }
        self.events.remove(&self.machine);
    }

    /// Forgets all that some machines have open: nobody is told.
    fn lose(&mut self, is_lost: impl Fn(u64) -> bool) {
        self.places.lose(&is_lost);
        let ends: Vec<u64> =
            self.ends.iter().filter(|(_, end)| is_lost(end.owner)).map(|(&id, _)| id).collect();
        for id in ends {
            self.ends.remove(&id);
            self.places.leave(id);
        }
        self.events.retain(|&machine, _| !is_lost(machine));
    }

    fn close_listener(&mut self, now: Instant, id: u64) {
        if let Some(listener) = self.places.remove(id) {
            for (_, end, _) in listener.waiting {
                self.close(now, end, true);
            }
        }
    }

    /// What was answered since this was last asked.
    pub(crate) fn done(&mut self) -> std::vec::Drain<'_, Completion<Answer>> {
        self.done.drain(..)
    }

    /// The first of it.
    pub(crate) fn first_done(&mut self) -> Option<Completion<Answer>> {
        if self.done.is_empty() { None } else { Some(self.done.remove(0)) }
    }

    /// Begins an operation.
    pub(crate) fn begin(
        &mut self,
        now: Instant,
        operation: Operation,
        call: NetCall,
        files: &dyn Tree,
    ) {
        let begun = match call {
            NetCall::Accept { listener: id } => match self.places.listener(id) {
                Some(listener) => {
                    listener.asked = Some(operation);
                    self.accept(now, id);
                    Ok(())
                }
                None => Err(Fault::system(errno::BADF, "accept")),
            },
            NetCall::Connect { place } => Connect::new(&place)
                .and_then(|request| self.connect(now, operation, request, files)),
            NetCall::Listen { .. } | NetCall::Close { .. } | NetCall::Open { .. } => {
                Err(unknown(call.name()))
            }
        };
        if let Err(fault) = begun {
            self.answer(now, operation, Err(fault));
        }
    }

    /// Begins an operation on a stream.
    pub(crate) fn begin_on_stream(&mut self, now: Instant, operation: Operation, call: StreamCall) {
        if let Err(fault) = self.try_begin(now, operation, call) {
            self.answer(now, operation, Err(fault));
        }
    }

    fn try_begin(
        &mut self,
        now: Instant,
        operation: Operation,
        call: StreamCall,
    ) -> Result<(), Fault> {
        match call {
            StreamCall::Read { stream } => {
                self.end(stream, "read")?.asked = Some(operation);
                self.read(now, stream);
            }
            StreamCall::Write { stream, bytes } => {
                let end = self.end(stream, "write")?;
                end.check_open()?;
                let bytes = bytes.whole();
                let length = bytes.len();
                end.outgoing.push_back(Outgoing::Bytes { bytes, sent: 0, operation, length });
                self.pump(now, stream);
            }
            StreamCall::Shutdown { stream } => {
                self.end(stream, "shutdown")?.outgoing.push_back(Outgoing::Finish { operation });
                self.pump(now, stream);
            }
            StreamCall::TryWrite { .. }
            | StreamCall::TryShutdown { .. }
            | StreamCall::Recall { .. }
            | StreamCall::Set { .. }
            | StreamCall::Close { .. } => return Err(unknown(call.name())),
        }
        Ok(())
    }

    /// Does what is done at once.
    pub(crate) fn perform(&mut self, now: Instant, call: NetCall, files: &dyn Tree) -> Answer {
        match call {
            NetCall::Listen { place } => self.listen(&Listen::new(&place)?, files),
            NetCall::Close { listener } => {
                self.close_listener(now, listener);
                Ok(Datum::Undefined)
            }
            NetCall::Open { .. } => Err(Fault::system(errno::NOTSUP, "open")),
            NetCall::Accept { .. } | NetCall::Connect { .. } => Err(not_at_once(call.name())),
        }
    }

    /// Does at once what is done on a stream.
    pub(crate) fn perform_on_stream(&mut self, now: Instant, call: StreamCall) -> Answer {
        match call {
            StreamCall::TryWrite { stream, bytes } => {
                let count = self.try_write(now, stream, &bytes.whole())?;
                Ok(Datum::Number(count as f64))
            }
            StreamCall::TryShutdown { stream } => {
                let end = self.end(stream, "shutdown")?;
                if !end.outgoing.is_empty() {
                    return Ok(Datum::Bool(false));
                }
                self.finish(now, stream, None)?;
                Ok(Datum::Bool(true))
            }
            // Whoever takes the stream over must know whether bytes are on their way to the program.
            StreamCall::Recall { stream } => {
                Ok(Datum::Bool(self.end(stream, "read")?.asked.take().is_some()))
            }
            StreamCall::Set { stream, settings } => {
                self.end(stream, "setsockopt")?;
                self.keep_alive(now, stream, Settings::new(&settings));
                Ok(Datum::Undefined)
            }
            StreamCall::Close { stream, reset } => {
                self.close(now, stream, reset.0 == Some(true));
                Ok(Datum::Undefined)
            }
            StreamCall::Read { .. } | StreamCall::Write { .. } | StreamCall::Shutdown { .. } => {
                Err(not_at_once(call.name()))
            }
        }
    }

    /// Forgets an operation. A connection that it was to give is given up.
    pub(crate) fn cancel(&mut self, now: Instant, operation: Operation) {
        let of = |event: &Event| {
            matches!(event, Event::Knock { operation: asked, .. } | Event::Told { operation: asked, .. }
                if *asked == operation)
        };
        let Some(events) = self.events.get_mut(&self.machine) else { return };
        let found = events.iter().find(|(_, event)| of(event)).map(|(&key, _)| key);
        if let Some(key) = found
            && let Some(Event::Told { answer, .. }) = events.remove(&key)
        {
            self.abandon(now, &answer);
        }
    }

    /// Closes the connection that an answer nobody hears would have given.
    pub(crate) fn abandon(&mut self, now: Instant, answer: &Answer) {
        if let Ok(answer) = answer
            && let Some(id) = answer.field("id").and_then(Datum::as_number)
        {
            self.close(now, id as u64, false);
        }
    }

    /// Cuts a connection at one end, where somebody may have been told already.
    pub(crate) fn cut(&mut self, now: Instant, id: u64, told: bool) {
        let Some(end) = self.ends.get_mut(&id) else { return };
        let given_up = end.reset(errno::CONNRESET);
        end.forget_incoming();
        if told {
            (end.finish, end.broken) = (Some(Ok(())), Some(errno::PIPE));
        }
        for operation in given_up {
            self.answer(now, operation, Err(Fault::system(errno::PIPE, "write")));
        }
        self.send_reset(now, id);
        self.read(now, id);
    }

    /// Puts bytes back that nobody has seen.
    pub(crate) fn unread(&mut self, id: u64, bytes: &[u8]) {
        if let Some(end) = self.ends.get_mut(&id) {
            end.put_back(bytes);
        }
    }

    /// Lets the first thing that is under way arrive.
    pub(crate) fn happen(&mut self) {
        let events = self.events.get_mut(&self.machine);
        let Some(((now, _), event)) = events.and_then(BTreeMap::pop_first) else { return };
        match event {
            Event::Knock { operation, to, from, there, message } => {
                self.knock(now, operation, (to, there), from, message);
            }
            Event::Told { operation, answer } => self.answer(now, operation, answer),
            Event::Bytes { to, from, bytes, message } => match self.ends.get_mut(&to) {
                Some(end) => {
                    end.arrived(message, &bytes);
                    self.heard(now, to);
                    self.read(now, to);
                }
                // Nobody is there to read it, and whoever wrote it should know.
                None => {
                    let Some(end) = self.ends.get(&from) else { return };
                    let way = (end.far, Computer::of(end.owner));
                    if let Trip::Arrives(at) = self.trip(now, way, 0) {
                        self.send(at, Event::Reset { to: from, message: UNTOLD });
                    }
                }
            },
            Event::Finish { to, message } => {
                if let Some(end) = self.ends.get_mut(&to) {
                    if end.finish.is_none() {
                        (end.finish, end.finish_by) = (Some(Ok(())), message);
                    }
                    self.read(now, to);
                }
            }
            Event::Reset { to, message } => {
                if let Some(end) = self.ends.get_mut(&to) {
                    end.finish_by = message;
                }
                self.broken(now, to, errno::CONNRESET, errno::PIPE);
            }
            Event::GaveUp { to } => self.broken(now, to, errno::TIMEDOUT, errno::TIMEDOUT),
            Event::Ask { to } => self.ask(now, to),
            Event::Visit { listener } => self.accept(now, listener),
            Event::Taken { to, count } => {
                if let Some(end) = self.ends.get_mut(&to) {
                    end.in_flight = end.in_flight.saturating_sub(count);
                    self.heard(now, to);
                    self.pump(now, to);
                }
            }
        }
    }

    /// A connection is no more: who reads at that end and who writes hear it.
    fn broken(&mut self, now: Instant, id: u64, of_reads: i32, of_writes: i32) {
        if let Some(end) = self.ends.get_mut(&id) {
            let given_up = end.reset(of_reads);
            // Who reads hears it first, as from libuv.
            self.read(now, id);
            for operation in given_up {
                self.answer(now, operation, Err(Fault::system(of_writes, "write")));
            }
        }
    }

    fn answer(&mut self, stamp: Instant, operation: Operation, answer: Answer) {
        self.done.push(Completion::new(operation, stamp, answer));
    }

    fn end(&mut self, id: u64, syscall: &str) -> Result<&mut End, Fault> {
        self.ends.get_mut(&id).ok_or_else(|| Fault::system(errno::BADF, syscall))
    }

    /// When something that is sent now arrives, if nothing holds it up.
    fn arrival(&mut self, now: Instant) -> Instant {
        if self.is_open {
            return now;
        }
        now + drawn(self.latency, &mut self.latencies)
    }

    /// What becomes of so many bytes that are sent now.
    fn trip(&mut self, now: Instant, way: (Computer, Computer), count: usize) -> Trip {
        if way.0 == way.1 {
            return Trip::Arrives(self.arrival(now));
        }
        self.traffic.bytes(now, way, count)
    }

    fn send(&mut self, at: Instant, event: Event) {
        let owner = match &event {
            Event::Knock { .. } | Event::Told { .. } => None,
            Event::Bytes { to, .. }
            | Event::Finish { to, .. }
            | Event::Reset { to, .. }
            | Event::GaveUp { to }
            | Event::Ask { to }
            | Event::Taken { to, .. } => self.ends.get(to).map(|end| end.owner),
            Event::Visit { listener } => self.places.listener(*listener).map(|one| one.owner),
        };
        let machine = owner.unwrap_or(self.machine);
        if machine != self.machine {
            self.calls.push((machine, at));
        }
        self.sent += 1;
        self.events.entry(machine).or_default().insert((at, self.sent), event);
    }

    /// Sends from an end to the other, behind all that it sent before, for an operation if there is one. `event` makes
    /// it of where it goes and of its number.
    fn send_from(
        &mut self,
        now: Instant,
        id: u64,
        operation: Option<Operation>,
        cargo: Cargo,
        event: impl FnOnce(u64, u64) -> Event,
    ) {
        let Some(end) = self.ends.get(&id) else { return };
        // Behind what nobody answers nothing arrives.
        if end.is_lost {
            return;
        }
        let (owner, far, peer) = (end.owner, end.far, end.peer);
        let receiver = self.ends.get(&peer).map(|end| end.owner);
        let count = if let Cargo::Bytes(count) = cargo { count as usize } else { 0 };
        let trip = self.trip(now, (Computer::of(owner), far), count);
        let Some(end) = self.ends.get_mut(&id) else { return };
        let arrives = match trip {
            Trip::Arrives(at) => {
                end.clear = end.clear.max(at);
                Some(end.clear)
            }
            Trip::GivenUp(_) => {
                end.is_lost = true;
                None
            }
        };
        let (from, to) = ((owner, operation), (far, receiver));
        let message = self.wires.sent_to(from, to, cargo, now, arrives);
        match (arrives, trip) {
            (Some(at), _) => self.send(at, event(peer, message)),
            (None, Trip::Arrives(at) | Trip::GivenUp(at)) => {
                self.send(at, Event::GaveUp { to: id });
            }
        }
    }

    /// Answers whoever reads at an end, if there is anything.
    fn read(&mut self, now: Instant, id: u64) {
        if !self.is_open {
            self.give(now, id);
        }
    }

    fn give(&mut self, now: Instant, id: u64) {
        let Some(end) = self.ends.get_mut(&id) else { return };
        let Some((operation, answer, messages)) = end.take() else { return };
        let (peer, way) = (end.peer, (Computer::of(end.owner), end.far));
        self.wires.received(end.owner, operation, messages, now);
        if let Ok(Datum::Bytes(bytes)) = &answer
            && !bytes.is_empty()
        {
            let count = bytes.len();
            if let Trip::Arrives(at) = self.trip(now, way, 0) {
                self.send(at, Event::Taken { to: peer, count });
            }
        }
        self.answer(now, operation, answer);
    }

    pub(crate) fn try_write(
        &mut self,
        now: Instant,
        id: u64,
        bytes: &[u8],
    ) -> Result<usize, Fault> {
        let end = self.end(id, "write")?;
        end.check_open()?;
        if !end.outgoing.is_empty() {
            return Ok(0);
        }
        let count = end.room().min(bytes.len());
        if count > 0 {
            end.in_flight += count;
            let bytes = bytes[..count].to_vec();
            self.send_from(now, id, None, Cargo::Bytes(count as u64), |to, message| Event::Bytes {
                to,
                from: id,
                bytes,
                message,
            });
        }
        Ok(count)
    }

    /// Sends what waits at an end, as far as there is room.
    fn pump(&mut self, now: Instant, id: u64) {
        while let Some(end) = self.ends.get_mut(&id)
            && let Some(first) = end.outgoing.front_mut()
        {
            match first {
                Outgoing::Finish { operation } => {
                    let operation = *operation;
                    end.outgoing.pop_front();
                    let answer = self.finish(now, id, Some(operation));
                    self.answer(now, operation, answer);
                }
                Outgoing::Bytes { bytes, sent, operation, length } => {
                    let room = end::CAPACITY.saturating_sub(end.in_flight);
                    let count = room.min(bytes.len() - *sent);
                    let piece = bytes[*sent..*sent + count].to_vec();
                    *sent += count;
                    let by = Some(*operation);
                    let done = (*sent == bytes.len()).then_some((*operation, *length));
                    end.in_flight += count;
                    if count > 0 {
                        self.send_from(now, id, by, Cargo::Bytes(count as u64), |to, message| {
                            Event::Bytes { to, from: id, bytes: piece, message }
                        });
                    }
                    let Some((operation, length)) = done else { return };
                    if let Some(end) = self.ends.get_mut(&id) {
                        end.outgoing.pop_front();
                    }
                    self.answer(now, operation, Ok(Datum::Number(length as f64)));
                }
            }
        }
    }

    /// Tells the other end that nothing more comes.
    fn finish(&mut self, now: Instant, id: u64, by: Option<Operation>) -> Answer {
        let end = self.end(id, "shutdown")?;
        if end.broken.is_some() {
            return Err(Fault::system(errno::NOTCONN, "shutdown"));
        }
        if !std::mem::replace(&mut end.finished, true) {
            self.send_finish(now, id, by);
        }
        Ok(Datum::Undefined)
    }

    fn send_finish(&mut self, now: Instant, id: u64, by: Option<Operation>) {
        self.send_from(now, id, by, Cargo::End, |to, message| Event::Finish { to, message });
    }

    fn send_reset(&mut self, now: Instant, id: u64) {
        self.send_from(now, id, None, Cargo::Reset, |to, message| Event::Reset { to, message });
    }

    /// Ends an end at once. The other hears of it: as a reset if that was asked for, or if bytes were
    /// left unread.
    fn close(&mut self, now: Instant, id: u64, reset: bool) {
        if self.let_go(id) {
            return;
        }
        let Some(end) = self.ends.get(&id) else { return };
        if end.broken.is_none() {
            if reset || !end.incoming.is_empty() {
                self.send_reset(now, id);
            } else if !end.finished {
                self.send_finish(now, id, None);
            }
        }
        if let Some(end) = self.ends.remove(&id) {
            self.drop_parcels(now, end.parcels);
        }
        self.places.leave(id);
    }

    fn number(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    fn listen(&mut self, request: &Listen, files: &dyn Tree) -> Answer {
        let fault = |number: i32| Fault::system(number, "listen");
        let at = match &request.at {
            Place::Ip(address) => {
                let bound = self.places.bind(self.computer(), *address, request);
                Place::Ip(bound.map_err(fault)?)
            }
            Place::Path(path) => {
                if self.places.has_path(self.computer(), path) || exists(files, path) {
                    return Err(fault(errno::ADDRINUSE));
                }
                check_path(files, path).map_err(fault)?;
                Place::Path(path.clone())
            }
            Place::Descriptor(_) => return Err(fault(errno::INVAL)),
        };
        let id = self.number();
        let answer = sockets::listening(id, Some(&at));
        self.places.add(id, Listener::new(self.machine, at, request));
        Ok(answer)
    }

    /// Where the machine runs that does something.
    fn computer(&self) -> Computer {
        Computer::of(self.machine)
    }

    fn connect(
        &mut self,
        now: Instant,
        operation: Operation,
        request: Connect,
        files: &dyn Tree,
    ) -> Result<(), Fault> {
        let here = self.computer();
        let there = match &request.to {
            Place::Ip(to) => self.traffic.roads().leads_to(here, to.ip()),
            Place::Path(_) | Place::Descriptor(_) => Some(here),
        };
        let there = there.ok_or_else(|| Fault::system(errno::HOSTUNREACH, "connect"))?;
        let from = match &request.to {
            Place::Ip(to) => {
                let from = self.places.outgoing(here, to, request.from);
                Place::Ip(from.map_err(|number| Fault::system(number, "bind"))?)
            }
            Place::Path(path) => {
                if !self.places.has_path(here, path) && !exists(files, path) {
                    return Err(Fault::system(errno::NOENT, "connect"));
                }
                Place::Path(Vec::new())
            }
            Place::Descriptor(_) => return Err(Fault::system(errno::NOTSUP, "open")),
        };
        let trip = match here == there {
            true => Trip::Arrives(self.arrival(now)),
            false => self.traffic.request(now, (here, there)),
        };
        let sender = (self.machine, Some(operation));
        match trip {
            Trip::Arrives(at) => {
                let message = self.wires.sent(sender, there, Cargo::Connect, now, Some(at));
                self.send(at, Event::Knock { operation, to: request.to, from, there, message });
            }
            Trip::GivenUp(at) => {
                self.wires.sent(sender, there, Cargo::Connect, now, None);
                self.send(at, unanswered(operation));
            }
        }
        Ok(())
    }

    /// A request for a connection arrives.
    fn knock(
        &mut self,
        now: Instant,
        operation: Operation,
        (to, there): (Place, Computer),
        from: Place,
        message: u64,
    ) {
        let here = self.computer();
        let told = match self.trip(now, (there, here), 0) {
            Trip::Arrives(told) => told,
            Trip::GivenUp(at) => return self.send(at, unanswered(operation)),
        };
        let Some(listener) = self.places.listening_at(there, &to) else {
            let answer = Err(Fault::system(errno::CONNREFUSED, "connect"));
            return self.send(told, Event::Told { operation, answer });
        };
        if self.places.is_full(listener) && !self.is_open {
            return self.send(now + RETRY, Event::Knock { operation, to, from, there, message });
        }
        let (near, far) = (self.number(), self.number());
        let to = places::reached(&to);
        let (seen_to, seen_from) = self.places.seen(listener, &to, &from);
        let host = self.places.listener(listener).map_or(self.machine, |one| one.owner);
        let mut server = End::new(host, near, here);
        // Nothing arrives at who does not know yet that there is a connection.
        server.clear = told;
        server.heard = now;
        server.seen = (Some(seen_to.clone()), Some(seen_from.clone()));
        self.ends.insert(far, server);
        let seen = (Some(from.clone()), Some(to.clone()));
        self.ends.insert(near, End { seen, heard: told, ..End::new(self.machine, far, there) });
        self.places.join(here, near, &from);
        let answer = Ok(sockets::connection(near, Some(&from), Some(&to)));
        self.send(told, Event::Told { operation, answer });
        let arrived = sockets::connection(far, Some(&seen_to), Some(&seen_from));
        if let Some(listener) = self.places.listener(listener) {
            listener.waiting.push_back((arrived, far, message));
        }
        if host == self.machine {
            self.accept(now, listener);
        } else {
            self.send(now, Event::Visit { listener });
        }
    }

    /// Gives a connection to whoever waits for one.
    fn accept(&mut self, now: Instant, listener: u64) {
        if !self.is_open {
            self.let_in(now, listener);
        }
    }

    fn let_in(&mut self, now: Instant, listener: u64) {
        if let Some(listener) = self.places.listener(listener)
            && let Some(operation) = listener.asked
            && let Some((connection, _, message)) = listener.waiting.pop_front()
        {
            listener.asked = None;
            self.wires.received(listener.owner, operation, vec![message], now);
            self.answer(now, operation, Ok(connection));
        }
    }
}

/// The news that a request for a connection was never answered.
fn unanswered(operation: Operation) -> Event {
    Event::Told { operation, answer: Err(Fault::system(errno::TIMEDOUT, "connect")) }
}

/// Whether there is a file of that name.
fn exists(files: &dyn Tree, path: &[u8]) -> bool {
    path.first() != Some(&0)
        && files.stat(At::anywhere(Path::new(OsStr::from_bytes(path))), false).is_ok()
}

/// Whether a file of that name could be made, as far as its directory and its length go.
fn check_path(files: &dyn Tree, path: &[u8]) -> Result<(), i32> {
    if !sockets::fits(path) {
        return Err(errno::NAMETOOLONG);
    }
    let directory = Path::new(OsStr::from_bytes(path)).parent();
    let is_there = |directory: &Path| files.stat(At::anywhere(directory), true).is_ok();
    if path.first() == Some(&0) || directory.is_some_and(is_there) {
        Ok(())
    } else {
        Err(errno::ACCES)
    }
}

fn unknown(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("this network knows no {name}"))
}

fn not_at_once(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("this network cannot do {name} at once"))
}
