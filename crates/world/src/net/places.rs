//! Addresses, ports and paths: who listens where.

use crate::net::errno;
use crate::roads::{Computer, loopback};
use hemiola_gate::Datum;
use hemiola_gate::sockets::{Listen, Place};
use hemiola_machine::Operation;
use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The ports that are given to whoever does not care, as on Linux.
const EPHEMERAL: std::ops::Range<u16> = 32_768..61_000;

/// Somebody who listens.
pub(crate) struct Listener {
    /// The machine whose program has it.
    pub(crate) owner: u64,
    pub(crate) at: Place,
    ipv6_only: bool,
    reuse_port: bool,
    backlog: usize,
    /// Connections that nobody has asked for yet, each with its end here and the message that asked for it.
    pub(crate) waiting: VecDeque<(Datum, u64, u64)>,
    pub(crate) asked: Option<Operation>,
}

impl Listener {
    pub(crate) fn new(owner: u64, at: Place, request: &Listen) -> Self {
        Self {
            owner,
            at,
            ipv6_only: request.ipv6_only,
            reuse_port: request.reuse_port,
            backlog: usize::try_from(request.backlog).unwrap_or(0),
            waiting: VecDeque::new(),
            asked: None,
        }
    }

    /// Whether two at one port are in each other's way.
    fn excludes(&self, at: &SocketAddr, request: &Listen) -> bool {
        let Place::Ip(own) = &self.at else { return false };
        if own.port() != at.port() || (self.reuse_port && request.reuse_port) {
            return false;
        }
        let both = |address: &SocketAddr, ipv6_only: bool| {
            address.ip() == IpAddr::V6(Ipv6Addr::UNSPECIFIED) && !ipv6_only
        };
        if own.is_ipv4() != at.is_ipv4() {
            return both(own, self.ipv6_only) || both(at, request.ipv6_only);
        }
        own.ip() == at.ip() || own.ip().is_unspecified() || at.ip().is_unspecified()
    }

    /// How well this suits somebody who wants to go there: an address of its own goes first.
    fn suits(&self, to: &Place) -> Option<u8> {
        match (&self.at, to) {
            (Place::Path(own), Place::Path(path)) => (own == path).then_some(0),
            (Place::Ip(own), Place::Ip(to)) if own.port() == to.port() => {
                if own.ip() == to.ip() {
                    Some(0)
                } else if own.ip().is_unspecified() && own.is_ipv4() == to.is_ipv4() {
                    Some(1)
                } else {
                    let both = own.ip() == IpAddr::V6(Ipv6Addr::UNSPECIFIED) && !self.ipv6_only;
                    (both && to.is_ipv4()).then_some(2)
                }
            }
            _ => None,
        }
    }
}

/// All that listen, and the ports in use.
#[derive(Default)]
pub(crate) struct Places {
    listeners: BTreeMap<u64, Listener>,
    /// The near ends of connections, and where they were made.
    outgoing: BTreeMap<u64, (Computer, SocketAddr)>,
    /// The port that a computer gives next to whoever does not care.
    next_port: BTreeMap<Computer, u16>,
}

impl Places {
    pub(crate) fn listener(&mut self, id: u64) -> Option<&mut Listener> {
        self.listeners.get_mut(&id)
    }

    pub(crate) fn listeners(&self) -> impl Iterator<Item = (u64, &Listener)> + '_ {
        self.listeners.iter().map(|(&id, listener)| (id, listener))
    }

    pub(crate) fn add(&mut self, id: u64, listener: Listener) {
        self.listeners.insert(id, listener);
    }

    pub(crate) fn remove(&mut self, id: u64) -> Option<Listener> {
        self.listeners.remove(&id)
    }

    /// Who listens for that machine.
    pub(crate) fn listeners_of(&self, machine: u64) -> Vec<u64> {
        let of = |(_, one): &(&u64, &Listener)| one.owner == machine;
        self.listeners.iter().filter(of).map(|(&id, _)| id).collect()
    }

    /// Forgets who listens for some machines.
    pub(crate) fn lose(&mut self, is_lost: impl Fn(u64) -> bool) {
        self.listeners.retain(|_, one| !is_lost(one.owner));
    }

    /// Who listens on a computer.
    fn listeners_on(&self, computer: Computer) -> impl Iterator<Item = (u64, &Listener)> + '_ {
        self.listeners().filter(move |(_, one)| Computer::of(one.owner) == computer)
    }

    pub(crate) fn has_path(&self, computer: Computer, path: &[u8]) -> bool {
        let is_here = |place: &Place| matches!(place, Place::Path(own) if own == path);
        self.listeners_on(computer).any(|(_, listener)| is_here(&listener.at))
    }

    /// The address to listen at, with a port if none was asked for.
    pub(crate) fn bind(
        &mut self,
        computer: Computer,
        at: SocketAddr,
        request: &Listen,
    ) -> Result<SocketAddr, i32> {
        if !computer.has(at.ip()) {
            return Err(errno::ADDRNOTAVAIL);
        }
        let taken = |places: &Self, at: &SocketAddr| {
            places.listeners_on(computer).any(|(_, listener)| listener.excludes(at, request))
        };
        if at.port() == 0 {
            return self.free_port(computer, at, taken);
        }
        if taken(self, &at) { Err(errno::ADDRINUSE) } else { Ok(at) }
    }

    /// The near end of a connection that is made from here.
    pub(crate) fn outgoing(
        &mut self,
        computer: Computer,
        to: &SocketAddr,
        from: Option<SocketAddr>,
    ) -> Result<SocketAddr, i32> {
        let default = SocketAddr::new(computer.near(to.ip()), 0);
        let mut from = from.unwrap_or(default);
        if from.is_ipv4() != to.is_ipv4() {
            return Err(errno::INVAL);
        }
        if from.ip().is_unspecified() {
            from.set_ip(default.ip());
        }
        if !computer.has(from.ip()) {
            return Err(errno::ADDRNOTAVAIL);
        }
        let taken = |places: &Self, at: &SocketAddr| {
            let listens = |(_, listener): (u64, &Listener)| matches!(&listener.at, Place::Ip(own) if own.port() == at.port());
            places.outgoing.values().any(|own| *own == (computer, *at))
                || places.listeners_on(computer).any(listens)
        };
        if from.port() == 0 {
            return self.free_port(computer, from, taken);
        }
        if taken(self, &from) { Err(errno::ADDRINUSE) } else { Ok(from) }
    }

    fn free_port(
        &mut self,
        computer: Computer,
        mut at: SocketAddr,
        taken: impl Fn(&Self, &SocketAddr) -> bool,
    ) -> Result<SocketAddr, i32> {
        for _ in EPHEMERAL {
            let next = self.next_port.entry(computer).or_default();
            at.set_port(EPHEMERAL.start + *next);
            *next = (*next + 1) % (EPHEMERAL.end - EPHEMERAL.start);
            if !taken(self, &at) {
                return Ok(at);
            }
        }
        Err(errno::ADDRINUSE)
    }

    /// Notes that a connection uses a port.
    pub(crate) fn join(&mut self, computer: Computer, end: u64, from: &Place) {
        if let Place::Ip(from) = from {
            self.outgoing.insert(end, (computer, *from));
        }
    }

    pub(crate) fn leave(&mut self, end: u64) {
        self.outgoing.remove(&end);
    }

    /// Who listens there.
    pub(crate) fn listening_at(&self, computer: Computer, to: &Place) -> Option<u64> {
        let to = reached(to);
        let listeners = self.listeners_on(computer);
        let suiting = listeners.filter_map(|(id, one)| Some((one.suits(&to)?, id)));
        suiting.min().map(|(_, id)| id)
    }

    /// Whether a listener has as many connections waiting as it wants.
    pub(crate) fn is_full(&self, id: u64) -> bool {
        self.listeners.get(&id).is_some_and(|one| one.waiting.len() > one.backlog)
    }

    /// The two ends of a connection as who listens sees them: for one that listens with IPv6, all
    /// addresses are of IPv6.
    pub(crate) fn seen(&self, id: u64, to: &Place, from: &Place) -> (Place, Place) {
        let maps = self
            .listeners
            .get(&id)
            .is_some_and(|one| matches!(&one.at, Place::Ip(own) if own.is_ipv6()));
        let seen = |place: &Place| match place {
            Place::Ip(address) if maps => {
                let ip = match address.ip() {
                    IpAddr::V4(ip) => ip.to_ipv6_mapped(),
                    IpAddr::V6(ip) => ip,
                };
                Place::Ip(SocketAddr::new(ip.into(), address.port()))
            }
            place => place.clone(),
        };
        (seen(to), seen(from))
    }
}

/// Where somebody arrives who goes there: no address at all means this computer.
pub(crate) fn reached(to: &Place) -> Place {
    match to {
        Place::Ip(address) if address.ip().is_unspecified() => {
            Place::Ip(SocketAddr::new(loopback(address.ip()), address.port()))
        }
        place => place.clone(),
    }
}
