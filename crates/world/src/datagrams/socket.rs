//! One datagram socket of a simulated computer, and the addresses that this computer has.

use super::errno;
use crate::roads::{Computer, loopback};
use hemiola_gate::datagrams::{Bind, Setting};
use hemiola_gate::{Answer, Datum};
use hemiola_machine::{Instant, Operation};
use std::collections::{BTreeSet, VecDeque};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// How large buffers are at first, and at least, as on Linux, which doubles what it is asked for.
const BUFFER: usize = 212_992;
const SMALLEST_RECEIVE: usize = 2_304;
const SMALLEST_SEND: usize = 4_608;

/// A socket.
pub(super) struct Socket {
    /// The machine whose program has it.
    pub(super) owner: u64,
    /// Where it is.
    pub(super) at: SocketAddr,
    /// Where it was bound, to which it returns when it is disconnected.
    bound: SocketAddr,
    pub(super) peer: Option<SocketAddr>,
    reuse: bool,
    ipv6_only: bool,
    pub(super) broadcast: bool,
    /// Whether this computer gets what it sends to groups.
    pub(super) loopback: bool,
    /// Groups, each with the one whose datagrams alone are wanted, if not all.
    groups: BTreeSet<(IpAddr, Option<IpAddr>)>,
    buffers: [usize; 2],
    /// Nothing that is sent arrives before this.
    pub(super) clear: Instant,
    /// What has arrived, each with the message that it was.
    pub(super) incoming: VecDeque<(Answer, u64)>,
    pub(super) asked: Option<Operation>,
}

impl Socket {
    pub(super) fn new(owner: u64, request: &Bind) -> Self {
        Self {
            owner,
            at: request.at,
            bound: request.at,
            peer: None,
            reuse: request.reuse,
            ipv6_only: request.ipv6_only,
            broadcast: false,
            loopback: true,
            groups: BTreeSet::new(),
            buffers: [BUFFER; 2],
            clear: Instant::ZERO,
            incoming: VecDeque::new(),
            asked: None,
        }
    }

    /// Where it is.
    fn computer(&self) -> Computer {
        Computer::of(self.owner)
    }

    /// Whether it also gets datagrams of IPv4, though it is of IPv6.
    fn takes_both(&self) -> bool {
        self.at.ip() == IpAddr::V6(Ipv6Addr::UNSPECIFIED) && !self.ipv6_only
    }

    /// Whether two at one port are in each other's way.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let is_elsewhere = self.computer() != other.computer();
        if is_elsewhere || self.at.port() != other.at.port() || (self.reuse && other.reuse) {
            return false;
        }
        let (own, its) = (self.at.ip(), other.at.ip());
        if own.is_ipv4() != its.is_ipv4() {
            return self.takes_both() || other.takes_both();
        }
        own == its || own.is_unspecified() || its.is_unspecified()
    }

    /// How well a datagram suits it, if at all: an address of its own is better than any, a peer of its
    /// own better still.
    pub(super) fn suits(&self, from: &SocketAddr, to: &SocketAddr) -> Option<u8> {
        if self.at.port() != to.port() {
            return None;
        }
        let (own, to) = (plain(self.at).ip(), to.ip());
        let is_any = own.is_unspecified() && (own.is_ipv4() == to.is_ipv4() || self.takes_both());
        let exact = u8::from(own == to);
        if exact == 0 && !is_any {
            return None;
        }
        if to.is_multicast() {
            let wants = self.groups.contains(&(to, None));
            return (wants || self.groups.contains(&(to, Some(from.ip())))).then_some(0);
        }
        match self.peer {
            Some(peer) => (reached(peer) == *from).then_some(4 + exact),
            None => Some(2 * exact + u8::from(own.is_ipv4() == to.is_ipv4())),
        }
    }

    /// An address as this socket shows it: one of IPv6 knows IPv4 by addresses of its own.
    pub(super) fn shows(&self, address: SocketAddr) -> SocketAddr {
        match address.ip() {
            IpAddr::V4(v4) if self.at.is_ipv6() => {
                SocketAddr::new(v4.to_ipv6_mapped().into(), address.port())
            }
            _ => address,
        }
    }

    /// Where a datagram to there comes from.
    pub(super) fn source(&self, to: &SocketAddr) -> SocketAddr {
        let own = plain(self.at);
        if own.ip().is_unspecified() || own.is_ipv4() != to.is_ipv4() {
            return SocketAddr::new(self.computer().near(to.ip()), own.port());
        }
        own
    }

    pub(super) fn connect(&mut self, to: SocketAddr) {
        let to = reached(to);
        let source = self.source(&to);
        self.at.set_ip(self.shows(source).ip());
        self.peer = Some(self.shows(to));
    }

    /// A port that it did not choose is lost, as on Linux.
    pub(super) fn disconnect(&mut self) {
        self.peer = None;
        self.at = self.bound;
    }

    /// Changes something, and gives what the program is told of it.
    pub(super) fn set(&mut self, setting: Setting) -> Result<Datum, i32> {
        match setting {
            Setting::Broadcast(flag) => self.broadcast = flag,
            // There are no routers.
            Setting::Ttl(_) | Setting::MulticastTtl(_) => {}
            Setting::MulticastLoopback(flag) => self.loopback = flag,
            Setting::MulticastInterface(interface) => self.check_interface(&interface)?,
            Setting::Membership { joins, group, interface, source } => {
                if let Some(interface) = interface {
                    self.check_interface(&interface)?;
                }
                self.belong(joins, (group, source))?;
            }
            Setting::ReceiveBuffer(bytes) => return Ok(self.buffer(0, bytes, SMALLEST_RECEIVE)),
            Setting::SendBuffer(bytes) => return Ok(self.buffer(1, bytes, SMALLEST_SEND)),
        }
        Ok(Datum::Undefined)
    }

    fn check_interface(&self, interface: &str) -> Result<(), i32> {
        let address = interface.split('%').next().unwrap_or_default();
        if address.is_empty() {
            return Ok(());
        }
        let address = address.parse::<IpAddr>().map_err(|_| errno::INVAL)?;
        if address.is_ipv4() != self.at.is_ipv4() {
            return Err(errno::NOPROTOOPT);
        }
        if self.computer().has(address) { Ok(()) } else { Err(errno::ADDRNOTAVAIL) }
    }

    fn belong(&mut self, joins: bool, membership: (IpAddr, Option<IpAddr>)) -> Result<(), i32> {
        let group = membership.0;
        if group.is_ipv4() != self.at.is_ipv4() {
            return Err(errno::NOPROTOOPT);
        }
        if !group.is_multicast() {
            return Err(errno::INVAL);
        }
        let changed =
            if joins { self.groups.insert(membership) } else { self.groups.remove(&membership) };
        match (changed, joins) {
            (true, _) => Ok(()),
            (false, true) => Err(errno::ADDRINUSE),
            (false, false) => Err(errno::ADDRNOTAVAIL),
        }
    }

    fn buffer(&mut self, which: usize, bytes: usize, smallest: usize) -> Datum {
        if bytes == 0 {
            return Datum::Number(self.buffers[which] as f64);
        }
        self.buffers[which] = (2 * bytes.min(BUFFER)).max(smallest);
        Datum::Undefined
    }
}

/// An address in its plainest form: of IPv4 where it only stands for one.
fn plain(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

/// Where something arrives that is sent there: no address at all means this computer.
pub(super) fn reached(to: SocketAddr) -> SocketAddr {
    let to = plain(to);
    if to.ip().is_unspecified() { SocketAddr::new(loopback(to.ip()), to.port()) } else { to }
}

/// Whether a socket may be bound there: also to the address of a group.
pub(super) fn may_be_bound(computer: Computer, address: IpAddr) -> bool {
    computer.has(address) || address.is_multicast()
}

/// Whether a datagram to there is for everybody on the network.
pub(super) fn is_broadcast(to: &SocketAddr) -> bool {
    matches!(to.ip(), IpAddr::V4(address) if address.is_broadcast() || address.octets() == [127, 255, 255, 255])
}

/// Whether there may be several who get it.
pub(super) fn is_for_many(to: &SocketAddr) -> bool {
    to.ip().is_multicast() || is_broadcast(to)
}
