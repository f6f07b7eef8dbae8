//! Datagrams on a network of one computer or several.
//!
//! What is sent is under way for a while that the seed decides; what one socket sends arrives in
//! order, as on a real computer that sends to itself. Between computers nothing keeps an order, and some
//! of it is lost or arrives twice. What nobody waits for is lost.

mod late;
mod open;
mod socket;

use crate::roads::{Computer, LATENCY, Roads, Traffic, drawn};
use crate::wires::{UNTOLD, Wires};
use hemiola_gate::datagrams::{self, Bind, LARGEST, Setting};
use hemiola_gate::{Answer, Datum, Fault, MAIN, UdpCall};
use hemiola_machine::{Cargo, Completion, Delay, Instant, Operation, Seeded};
use socket::{Socket, reached};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Keeps the stream of latencies apart from all other numbers.
const LATENCY_SEED: u64 = 0x6461_7461_6772_616d;

/// The same for what is between computers.
const TRAFFIC_SEED: u64 = 0x6d61_7267_6174_6164;

/// The ports that are given to whoever does not care, as on Linux.
const EPHEMERAL: std::ops::Range<u16> = 32_768..61_000;

/// The system's numbers for what goes wrong.
mod errno {
    pub(super) const BADF: i32 = 9;
    pub(super) const ACCES: i32 = 13;
    pub(super) const INVAL: i32 = 22;
    pub(super) const DESTADDRREQ: i32 = 89;
    pub(super) const MSGSIZE: i32 = 90;
    pub(super) const NOPROTOOPT: i32 = 92;
    pub(super) const NOTSUP: i32 = 95;
    pub(super) const ADDRINUSE: i32 = 98;
    pub(super) const ADDRNOTAVAIL: i32 = 99;
    pub(super) const NOTCONN: i32 = 107;
    pub(super) const CONNREFUSED: i32 = 111;
    pub(super) const HOSTUNREACH: i32 = 113;
}

/// Something under way.
#[derive(Clone)]
enum Event {
    Datagram {
        sender: u64,
        from: SocketAddr,
        to: SocketAddr,
        bytes: Vec<u8>,
        comes_back: bool,
        there: Computer,
        message: u64,
    },
    /// The news that nobody is there, for a connected socket.
    Refused { to: u64, by: SocketAddr },
    /// The news for another machine that something waits at its socket.
    Arrived { to: u64 },
}

/// The datagram sockets of a simulated computer.
pub(crate) struct Datagrams {
    /// The machine that does something.
    machine: u64,
    sockets: BTreeMap<u64, Socket>,
    made: u64,
    /// The port that a computer gives next to whoever does not care.
    next_port: BTreeMap<Computer, u16>,
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

impl Datagrams {
    pub(crate) fn new(roads: Roads, seed: u64, wires: Wires) -> Self {
        Self {
            machine: MAIN,
            sockets: BTreeMap::new(),
            made: 0,
            next_port: BTreeMap::new(),
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

    /// Tells nobody any more what is sent.
    pub(crate) fn untap(&mut self) {
        self.wires = Wires::default();
    }

    /// Lets everything within a computer be under way for that long.
    pub(crate) fn take(&mut self, latency: (Delay, Delay)) {
        self.latency = latency;
    }

    /// When the next thing arrives at a machine.
    pub(crate) fn next(&self, machine: u64) -> Option<Instant> {
        self.events.get(&machine)?.keys().next().map(|&(instant, _)| instant)
    }

    /// The sockets for what a machine does.
    pub(crate) fn for_machine(&mut self, machine: u64) -> &mut Self {
        self.machine = machine;
        self
    }

    /// Which other machines were sent something since this was last asked, and when it arrives.
    pub(crate) fn calls(&mut self) -> Vec<(u64, Instant)> {
        std::mem::take(&mut self.calls)
    }

    /// Closes all that a machine has open: it is no more.
    pub(crate) fn leave(&mut self) {
        let machine = self.machine;
        self.sockets.retain(|_, socket| socket.owner != machine);
        self.events.remove(&machine);
    }

    /// Forgets all that some machines have open.
    pub(crate) fn lose(&mut self, is_lost: impl Fn(u64) -> bool) {
        self.sockets.retain(|_, socket| !is_lost(socket.owner));
        self.events.retain(|&machine, _| !is_lost(machine));
    }

    /// What was answered since this was last asked.
    pub(crate) fn done(&mut self) -> std::vec::Drain<'_, Completion<Answer>> {
        self.done.drain(..)
    }

    /// Begins an operation.
    pub(crate) fn begin(&mut self, now: Instant, operation: Operation, call: UdpCall) {
        if let UdpCall::Receive { socket: id } = call
            && let Some(socket) = self.sockets.get_mut(&id)
        {
            socket.asked = Some(operation);
            return self.hand_over(now, id);
        }
        // Whatever else waits in a real world is done at once in this one.
        let answer = self.perform(now, call);
        self.done.push(Completion::new(operation, now, answer));
    }

    /// Does what is done at once.
    pub(crate) fn perform(&mut self, now: Instant, call: UdpCall) -> Answer {
        match call {
            UdpCall::Bind { address, port, options } => {
                self.bind(&Bind::new(&address, port, &options)?)
            }
            UdpCall::Open { .. } => Err(Fault::system(errno::NOTSUP, "open")),
            UdpCall::Connect { socket, peer } => {
                let is_v6 = self.socket(socket, "connect")?.at.is_ipv6();
                let named = peer.0.as_ref().map(|(address, port)| (address.as_str(), *port));
                match datagrams::destination(named, is_v6, "connect")? {
                    Some(to) => self.connect(socket, to),
                    None => self.socket(socket, "connect").map(Socket::disconnect)?,
                }
                Ok(Datum::Undefined)
            }
            UdpCall::Address { socket, of_peer } => {
                let socket = self.socket(socket, "getsockname")?;
                let address = if of_peer { socket.peer } else { Some(socket.at) };
                let address =
                    address.ok_or_else(|| Fault::system(errno::NOTCONN, "getpeername"))?;
                Ok(datagrams::located(&address))
            }
            UdpCall::Set { socket, name, values } => {
                let socket = self.socket(socket, "setsockopt")?;
                let setting = Setting::new(&name, &values.0)?;
                socket.set(setting).map_err(|number| Fault::system(number, "setsockopt"))
            }
            UdpCall::Send { socket, bytes, address, port } => {
                let is_v6 = self.socket(socket, "send")?.at.is_ipv6();
                let named = address.0.as_deref().map(|address| (address, port.0.unwrap_or(0)));
                let to = datagrams::destination(named, is_v6, "send")?;
                let count = self.send(now, socket, to, &bytes);
                let count = count.map_err(|number| Fault::system(number, "send"))?;
                Ok(Datum::Number(count as f64))
            }
            UdpCall::Close { socket } => {
                self.sockets.remove(&socket);
                Ok(Datum::Undefined)
            }
            UdpCall::Receive { .. } => {
                Err(Fault::new("ENOSYS", format!("this network knows no {}", call.name())))
            }
        }
    }

    /// Lets the first thing that is under way arrive.
    pub(crate) fn happen(&mut self) {
        let events = self.events.get_mut(&self.machine);
        let Some(((now, _), event)) = events.and_then(BTreeMap::pop_first) else { return };
        match event {
            Event::Arrived { to } => self.hand_over(now, to),
            Event::Refused { to, by } => {
                if let Some(socket) = self.sockets.get_mut(&to)
                    && socket.peer.is_some_and(|peer| reached(peer) == by)
                {
                    let refused = Err(Fault::system(errno::CONNREFUSED, "recvmsg"));
                    socket.incoming.push_back((refused, UNTOLD));
                    self.hand_over(now, to);
                }
            }
            Event::Datagram { sender, from, to, bytes, comes_back, there, message } => {
                let receivers = self.receivers(there, &from, &to, comes_back);
                if receivers.is_empty() && to.ip().is_loopback() && !socket::is_for_many(&to) {
                    let at = self.arrival(now);
                    self.schedule(at, Event::Refused { to: sender, by: to });
                }
                for id in receivers {
                    if let Some(socket) = self.sockets.get_mut(&id) {
                        let from = socket.shows(from);
                        let datagram = datagrams::message(bytes.clone(), &from);
                        socket.incoming.push_back((Ok(datagram), message));
                        self.hand_over(now, id);
                    }
                }
            }
        }
    }

    fn socket(&mut self, id: u64, syscall: &str) -> Result<&mut Socket, Fault> {
        self.sockets.get_mut(&id).ok_or_else(|| Fault::system(errno::BADF, syscall))
    }

    fn bind(&mut self, request: &Bind) -> Answer {
        let fault = |number: i32| Fault::system(number, "bind");
        if !socket::may_be_bound(Computer::of(self.machine), request.at.ip()) {
            return Err(fault(errno::ADDRNOTAVAIL));
        }
        let mut socket = Socket::new(self.machine, request);
        if socket.at.port() == 0 {
            socket.at.set_port(self.free_port().ok_or_else(|| fault(errno::ADDRINUSE))?);
        } else if self.sockets.values().any(|other| other.excludes(&socket)) {
            return Err(fault(errno::ADDRINUSE));
        }
        self.made += 1;
        self.sockets.insert(self.made, socket);
        Ok(datagrams::bound(self.made))
    }

    /// A port that nobody uses.
    fn free_port(&mut self) -> Option<u16> {
        let here = Computer::of(self.machine);
        let next = self.next_port.entry(here).or_insert(EPHEMERAL.start);
        for _ in EPHEMERAL {
            let port = *next;
            *next = if port + 1 == EPHEMERAL.end { EPHEMERAL.start } else { port + 1 };
            let is_taken =
                |other: &Socket| other.at.port() == port && Computer::of(other.owner) == here;
            if !self.sockets.values().any(is_taken) {
                return Some(port);
            }
        }
        None
    }

    /// Gives a port to a socket that lost its own when it was disconnected.
    fn ensure_port(&mut self, id: u64) {
        if self.sockets.get(&id).is_some_and(|socket| socket.at.port() == 0) {
            let port = self.free_port().unwrap_or(0);
            if let Some(socket) = self.sockets.get_mut(&id) {
                socket.at.set_port(port);
            }
        }
    }

    fn connect(&mut self, id: u64, to: SocketAddr) {
        self.ensure_port(id);
        if let Some(socket) = self.sockets.get_mut(&id) {
            socket.connect(to);
        }
    }

    fn send(
        &mut self,
        now: Instant,
        id: u64,
        to: Option<SocketAddr>,
        bytes: &[u8],
    ) -> Result<usize, i32> {
        self.ensure_port(id);
        let at = self.arrival(now);
        let socket = self.sockets.get_mut(&id).ok_or(errno::BADF)?;
        let to = reached(to.or(socket.peer).ok_or(errno::DESTADDRREQ)?);
        if socket::is_broadcast(&to) && !socket.broadcast {
            return Err(errno::ACCES);
        }
        if bytes.len() > LARGEST {
            return Err(errno::MSGSIZE);
        }
        let (here, comes_back) = (Computer::of(socket.owner), socket.loopback);
        let from = socket.source(&to);
        let datagram = |there: Computer, message: u64| Event::Datagram {
            sender: id,
            from,
            to,
            bytes: bytes.to_vec(),
            comes_back,
            there,
            message,
        };
        let is_for_many = socket::is_for_many(&to);
        let there = match is_for_many {
            true => here,
            false => self.traffic.roads().leads_to(here, to.ip()).ok_or(errno::HOSTUNREACH)?,
        };
        if there == here {
            let socket = self.sockets.get_mut(&id).ok_or(errno::BADF)?;
            socket.clear = socket.clear.max(at);
            let (at, sender) = (socket.clear, (socket.owner, None));
            let message =
                self.wires.sent(sender, here, Cargo::Datagram(bytes.len() as u64), now, Some(at));
            self.schedule(at, datagram(here, message));
        }
        let others = match is_for_many {
            true => self.traffic.roads().others(here),
            false => vec![there],
        };
        for there in others.into_iter().filter(|&there| there != here) {
            let arrivals = self.traffic.datagram(now, (here, there), bytes.len());
            let (sender, cargo) = ((self.machine, None), Cargo::Datagram(bytes.len() as u64));
            let message =
                self.wires.sent(sender, there, cargo, now, arrivals.iter().min().copied());
            for at in arrivals {
                self.schedule(at, datagram(there, message));
            }
        }
        Ok(bytes.len())
    }

    /// When something that is sent now arrives, if nothing holds it up.
    fn arrival(&mut self, now: Instant) -> Instant {
        if self.is_open {
            return now;
        }
        now + drawn(self.latency, &mut self.latencies)
    }

    fn schedule(&mut self, at: Instant, event: Event) {
        let to = match &event {
            // Whoever is to get it now will probably get it then.
            Event::Datagram { from, to, comes_back, there, .. } => {
                self.receivers(*there, from, to, *comes_back).first().copied()
            }
            Event::Refused { to, .. } | Event::Arrived { to } => Some(*to),
        };
        let owner = to.and_then(|to| self.sockets.get(&to)).map(|socket| socket.owner);
        let machine = owner.unwrap_or(self.machine);
        if machine != self.machine {
            self.calls.push((machine, at));
        }
        self.sent += 1;
        self.events.entry(machine).or_default().insert((at, self.sent), event);
    }

    /// Who gets a datagram: all members of a group, or the one that it suits best, of several the last.
    fn receivers(
        &self,
        there: Computer,
        from: &SocketAddr,
        to: &SocketAddr,
        comes_back: bool,
    ) -> Vec<u64> {
        let suits = |(&id, socket): (&u64, &Socket)| {
            let is_there = Computer::of(socket.owner) == there;
            Some((socket.suits(from, to).filter(|_| is_there)?, id))
        };
        if socket::is_for_many(to) {
            let is_group = to.ip().is_multicast();
            let suiting = self.sockets.iter().filter_map(suits).map(|(_, id)| id);
            let is_own = there.has(from.ip());
            return if is_group && is_own && !comes_back { Vec::new() } else { suiting.collect() };
        }
        self.sockets.iter().filter_map(suits).max().map(|(_, id)| id).into_iter().collect()
    }

    /// Answers whoever waits at a socket, if there is anything.
    fn hand_over(&mut self, now: Instant, id: u64) {
        if self.sockets.get(&id).is_some_and(|socket| socket.owner != self.machine) {
            return self.schedule(now, Event::Arrived { to: id });
        }
        if !self.is_open {
            self.give(now, id);
        }
    }

    fn give(&mut self, now: Instant, id: u64) {
        if let Some(socket) = self.sockets.get_mut(&id)
            && let Some(operation) = socket.asked
            && let Some((answer, message)) = socket.incoming.pop_front()
        {
            socket.asked = None;
            self.wires.received(socket.owner, operation, vec![message], now);
            self.done.push(Completion::new(operation, now, answer));
        }
    }
}
