//! Datagram sockets.
//!
//! As with streams, what arrives is taken in ahead of the program, up to a limit; what the system does not
//! take at once waits until it does.

use crate::clock::Moment;
use crate::deliveries::Sender;
use crate::fleet;
use crate::inbox::Inbox;
use crate::net::inherited;
use crate::reactor::{Reactor, Ready, Source, Watched, failed};
use crate::zones;
use hemiola_gate::datagrams::{self, Bind, Setting};
use hemiola_gate::{Answer, Datum, Fault, UdpCall};
use hemiola_machine::Operation;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrAny, SocketFlags, SocketType, sockopt,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

/// How many bytes are taken in ahead of the program. The system keeps as many again.
const AHEAD_BYTES: usize = 256 * 1024;

/// What a datagram counts at least.
const OVERHEAD_BYTES: usize = 256;

/// The datagram sockets of a program.
pub(crate) struct Datagrams {
    reactor: Reactor,
    sockets: BTreeMap<u64, Rc<Socket>>,
    made: u64,
}

/// One of them.
struct Socket {
    sender: Sender,
    is_v6: bool,
    /// Whether other processes have it, too: what is not asked for is left to them.
    is_shared: bool,
    state: RefCell<State>,
}

struct State {
    /// Nothing once it is closed.
    fd: Option<Watched>,
    /// What has arrived and was not asked for, and when it did.
    incoming: VecDeque<(Moment, Answer)>,
    incoming_bytes: usize,
    asked: Option<Operation>,
    /// Whether the system may have more to give.
    readable: bool,
    /// What the system has not taken yet.
    outgoing: VecDeque<Outgoing>,
    /// Whether it takes nothing, and tells when it does again.
    is_full: bool,
}

struct Outgoing {
    operation: Operation,
    bytes: Vec<u8>,
    to: Option<SocketAddr>,
}

thread_local! {
    /// Where datagrams are read to before it is known how large they are.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; 65_536]);
}

impl Datagrams {
    pub(crate) fn new(reactor: Reactor) -> Self {
        Self { reactor, sockets: BTreeMap::new(), made: 0 }
    }

    /// Begins an operation.
    pub(crate) fn begin(
        &mut self,
        operation: Operation,
        call: UdpCall,
        inbox: &Inbox,
    ) -> Result<(), Fault> {
        match call {
            UdpCall::Receive { socket } => {
                if let Some((since, answer)) = self.socket(socket, "recvmsg")?.receive(operation) {
                    inbox.put(operation, since, answer);
                }
                Ok(())
            }
            UdpCall::Send { socket, bytes, address, port } => {
                let socket = self.socket(socket, "send")?;
                let named = address.0.as_deref().map(|address| (address, port.0.unwrap_or(0)));
                let to = socket.destination(named, "send")?;
                socket.send_later(Outgoing { operation, bytes, to });
                Ok(())
            }
            UdpCall::Bind { .. }
            | UdpCall::Open { .. }
            | UdpCall::Connect { .. }
            | UdpCall::Address { .. }
            | UdpCall::Set { .. }
            | UdpCall::Close { .. } => {
                Err(Fault::new("ENOSYS", format!("datagrams know no {}", call.name())))
            }
        }
    }

    /// Does what is done at once.
    pub(crate) fn perform(&mut self, call: UdpCall) -> Answer {
        let done = |result: rustix::io::Result<()>, syscall: &str| {
            result.map(|()| Datum::Undefined).map_err(|error| fault(error, syscall))
        };
        match call {
            UdpCall::Bind { address, port, options } => {
                let address = zones::numbered_address(&address);
                self.bind(&Bind::new(&address, port, &options)?)
            }
            UdpCall::Open { fd } => {
                let (fd, _) = inherited(fd, "open")?;
                if sockopt::socket_type(&fd) != Ok(SocketType::DGRAM) {
                    return Err(fault(Errno::INVAL, "open"));
                }
                let is_v6 = address(&fd, false).map_err(|error| fault(error, "open"))?.is_ipv6();
                self.adopt(fd, is_v6, true, "open")
            }
            UdpCall::Connect { socket, peer } => {
                let socket = self.socket(socket, "connect")?;
                let named = peer.0.as_ref().map(|(address, port)| (address.as_str(), *port));
                let to = socket.destination(named, "connect")?;
                let state = socket.state.borrow();
                let fd = state.fd()?;
                done(
                    match to {
                        Some(to) => rustix::net::connect(fd, &to),
                        None => rustix::net::connect_unspec(fd),
                    },
                    "connect",
                )
            }
            UdpCall::Address { socket, of_peer } => {
                let socket = self.socket(socket, "getsockname")?;
                let state = socket.state.borrow();
                let address = address(state.fd()?, of_peer);
                let address = address.map_err(|error| fault(error, "getsockname"))?;
                Ok(zones::named(datagrams::located(&address)))
            }
            UdpCall::Set { socket, name, values } => {
                let socket = self.socket(socket, "setsockopt")?;
                let setting = Setting::new(&name, &values.0)?;
                let value = set(socket.state.borrow().fd()?, socket.is_v6, setting);
                value.map_err(|error| fault(error, "setsockopt"))
            }
            UdpCall::Send { socket, bytes, address, port } => {
                let socket = self.socket(socket, "send")?;
                let named = address.0.as_deref().map(|address| (address, port.0.unwrap_or(0)));
                let to = socket.destination(named, "send")?;
                let state = socket.state.borrow();
                match send(state.fd()?, &bytes, to.as_ref()) {
                    Ok(count) => Ok(Datum::Number(count as f64)),
                    Err(Errno::AGAIN) => Ok(Datum::Undefined),
                    Err(error) => Err(fault(error, "send")),
                }
            }
            UdpCall::Close { socket } => {
                if let Some(socket) = self.sockets.remove(&socket) {
                    socket.close();
                }
                Ok(Datum::Undefined)
            }
            UdpCall::Receive { .. } => {
                let message = format!("datagrams cannot do {} at once", call.name());
                Err(Fault::new("ENOSYS", message))
            }
        }
    }

    fn bind(&mut self, request: &Bind) -> Answer {
        let fd = open(request).map_err(|error| fault(error, "bind"))?;
        self.adopt(fd, request.at.is_ipv6(), request.shared, "bind")
    }

    /// A second descriptor for a socket.
    pub(crate) fn descriptor(&self, id: u64) -> io::Result<OwnedFd> {
        let closed = || io::Error::from(Errno::BADF);
        let socket = self.sockets.get(&id).ok_or_else(closed)?;
        socket.state.borrow().fd.as_ref().ok_or_else(closed)?.try_clone()
    }

    fn adopt(&mut self, fd: OwnedFd, is_v6: bool, is_shared: bool, syscall: &str) -> Answer {
        let fd = self.reactor.watch(fd).map_err(|error| failed(&error, syscall))?;
        let state = State {
            fd: None,
            incoming: VecDeque::new(),
            incoming_bytes: 0,
            asked: None,
            readable: false,
            outgoing: VecDeque::new(),
            is_full: false,
        };
        let sender = self.reactor.sender.clone();
        let socket = Rc::new(Socket { sender, is_v6, is_shared, state: RefCell::new(state) });
        fd.tell(Rc::clone(&socket) as Rc<dyn Source>);
        socket.state.borrow_mut().fd = Some(fd);
        self.made += 1;
        self.sockets.insert(self.made, socket);
        Ok(datagrams::bound(self.made))
    }

    fn socket(&self, id: u64, syscall: &str) -> Result<Rc<Socket>, Fault> {
        self.sockets.get(&id).cloned().ok_or_else(|| fault(Errno::BADF, syscall))
    }
}

impl Socket {
    /// Where a datagram goes, or the socket is connected to.
    fn destination(
        &self,
        named: Option<(&str, u16)>,
        syscall: &str,
    ) -> Result<Option<SocketAddr>, Fault> {
        let named = named.map(|(address, port)| (zones::numbered_address(address), port));
        let named = named.as_ref().map(|(address, port)| (&**address, *port));
        let to = datagrams::destination(named, self.is_v6, syscall)?;
        Ok(to.map(|to| fleet::place_like(to, self.is_v6)))
    }

    /// Asks for a datagram. Gives it if it is there, and since when.
    fn receive(&self, operation: Operation) -> Option<(Moment, Answer)> {
        let mut state = self.state.borrow_mut();
        let Some((since, answer)) = state.incoming.pop_front() else {
            state.asked = Some(operation);
            if self.is_shared {
                state.look_again();
            }
            return None;
        };
        state.incoming_bytes -= weight(&answer);
        state.look_again();
        Some((since, answer))
    }

    fn send_later(&self, outgoing: Outgoing) {
        let mut state = self.state.borrow_mut();
        state.outgoing.push_back(outgoing);
        self.send_waiting(&mut state);
    }

    /// Takes in one datagram that has arrived. False when there is none, or no room, or nobody asks for what others
    /// may want.
    fn take_in(&self, state: &mut State) -> bool {
        let (Some(fd), true) = (&state.fd, state.incoming_bytes <= AHEAD_BYTES) else {
            return false;
        };
        if self.is_shared && state.asked.is_none() {
            return false;
        }
        let answer = SCRATCH.with_borrow_mut(|scratch| {
            let flags = RecvFlags::empty();
            let (count, _, from) = rustix::net::recvfrom(fd, &mut scratch[..], flags)?;
            let from = from.and_then(|from| SocketAddr::try_from(from).ok());
            let from = from.unwrap_or_else(|| (Ipv4Addr::UNSPECIFIED, 0).into());
            Ok(zones::named(datagrams::message(scratch[..count].to_vec(), &from)))
        });
        match answer {
            Err(Errno::AGAIN) => state.readable = false,
            Err(Errno::INTR) => {}
            answer => self.arrived(answer.map_err(|error| fault(error, "recvmsg")), state),
        }
        true
    }

    fn arrived(&self, answer: Answer, state: &mut State) {
        match state.asked.take() {
            Some(operation) => self.sender.deliver(operation, answer),
            None => {
                state.incoming_bytes += weight(&answer);
                state.incoming.push_back((Moment::now(), answer));
            }
        }
    }

    /// Sends what waits, until nothing does or the system takes no more.
    fn send_waiting(&self, state: &mut State) {
        while let (false, Some(fd), Some(next)) = (state.is_full, &state.fd, state.outgoing.front())
        {
            let answer = match send(fd, &next.bytes, next.to.as_ref()) {
                Err(Errno::AGAIN) => {
                    state.is_full = true;
                    return;
                }
                Err(Errno::INTR) => continue,
                Err(error) => Err(fault(error, "send")),
                Ok(count) => Ok(Datum::Number(count as f64)),
            };
            self.sender.deliver(next.operation, answer);
            state.outgoing.pop_front();
        }
    }

    /// Frees the descriptor, and with it the port. Whoever waits for a datagram to leave is told that it will not.
    fn close(&self) {
        let mut state = self.state.borrow_mut();
        state.fd = None;
        state.asked = None;
        state.incoming.clear();
        for Outgoing { operation, .. } in state.outgoing.drain(..) {
            self.sender.deliver(operation, Err(fault(Errno::CANCELED, "send")));
        }
    }
}

impl Source for Socket {
    fn ready(self: Rc<Self>, ready: Ready) {
        let mut state = self.state.borrow_mut();
        state.readable |= ready.read;
        state.is_full &= !ready.write;
        while state.readable && self.take_in(&mut state) {}
        self.send_waiting(&mut state);
    }
}

impl State {
    fn fd(&self) -> Result<&Watched, Fault> {
        self.fd.as_ref().ok_or_else(|| fault(Errno::BADF, "close"))
    }

    /// Has what waits at the system looked for again, if there may be something.
    fn look_again(&self) {
        if let (true, Some(fd)) = (self.readable, &self.fd) {
            fd.again();
        }
    }
}

fn fault(error: Errno, syscall: &str) -> Fault {
    Fault::system(error.raw_os_error(), syscall)
}

fn weight(answer: &Answer) -> usize {
    let bytes = answer.as_ref().ok().and_then(|message| message.field("bytes"));
    let Some(Datum::Bytes(bytes)) = bytes else { return OVERHEAD_BYTES };
    bytes.len() + OVERHEAD_BYTES
}

fn open(request: &Bind) -> rustix::io::Result<OwnedFd> {
    let is_v6 = request.at.is_ipv6();
    let family = if is_v6 { AddressFamily::INET6 } else { AddressFamily::INET };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let fd = rustix::net::socket_with(family, SocketType::DGRAM, flags, None)?;
    if request.reuse {
        sockopt::set_socket_reuseaddr(&fd, true)?;
    }
    let at = fleet::place_like(request.at, is_v6);
    if is_v6 && request.ipv6_only && at == request.at {
        sockopt::set_ipv6_v6only(&fd, true)?;
    }
    rustix::net::bind(&fd, &at)?;
    Ok(fd)
}

fn send(fd: &Watched, bytes: &[u8], to: Option<&SocketAddr>) -> rustix::io::Result<usize> {
    match to {
        Some(to) => rustix::net::sendto(fd, bytes, SendFlags::empty(), to),
        None => rustix::net::send(fd, bytes, SendFlags::empty()),
    }
}

fn address(fd: impl AsFd, of_peer: bool) -> rustix::io::Result<SocketAddr> {
    let address: SocketAddrAny = if of_peer {
        rustix::net::getpeername(&fd)?.ok_or(Errno::NOTCONN)?
    } else {
        rustix::net::getsockname(&fd)?
    };
    SocketAddr::try_from(address)
}

/// Changes something, and gives what the program is told of it.
fn set(fd: &Watched, is_v6: bool, setting: Setting) -> rustix::io::Result<Datum> {
    match setting {
        Setting::Broadcast(flag) => sockopt::set_socket_broadcast(fd, flag)?,
        Setting::Ttl(ttl) if is_v6 => {
            sockopt::set_ipv6_unicast_hops(fd, Some(ttl.try_into().unwrap_or(u8::MAX)))?;
        }
        Setting::Ttl(ttl) => sockopt::set_ip_ttl(fd, ttl)?,
        Setting::MulticastTtl(ttl) if is_v6 => sockopt::set_ipv6_multicast_hops(fd, ttl)?,
        Setting::MulticastTtl(ttl) => sockopt::set_ip_multicast_ttl(fd, ttl)?,
        Setting::MulticastLoopback(flag) if is_v6 => sockopt::set_ipv6_multicast_loop(fd, flag)?,
        Setting::MulticastLoopback(flag) => sockopt::set_ip_multicast_loop(fd, flag)?,
        Setting::MulticastInterface(interface) => match v4(&interface) {
            Some(address) => sockopt::set_ip_multicast_if(fd, &address)?,
            None => sockopt::set_ipv6_multicast_if(fd, zone(&interface))?,
        },
        Setting::Membership { joins, group, interface, source } => {
            // Who is bound to the address of a host hears nothing of a group.
            if fleet::hostname().is_some() {
                return Err(Errno::OPNOTSUPP);
            }
            belong(fd, joins, group, interface.as_deref(), source)?;
        }
        Setting::ReceiveBuffer(0) => return size(sockopt::socket_recv_buffer_size(fd)?),
        Setting::SendBuffer(0) => return size(sockopt::socket_send_buffer_size(fd)?),
        Setting::ReceiveBuffer(bytes) => sockopt::set_socket_recv_buffer_size(fd, bytes)?,
        Setting::SendBuffer(bytes) => sockopt::set_socket_send_buffer_size(fd, bytes)?,
    }
    Ok(Datum::Undefined)
}

fn size(bytes: usize) -> rustix::io::Result<Datum> {
    Ok(Datum::Number(bytes as f64))
}

fn v4(text: &str) -> Option<Ipv4Addr> {
    text.parse().ok()
}

/// The number of the interface that an address of IPv6 names after a percent sign; 0 is any.
fn zone(interface: &str) -> u32 {
    interface.split_once('%').map_or(0, |(_, zone)| zones::number(zone))
}

fn belong(
    fd: &Watched,
    joins: bool,
    group: IpAddr,
    interface: Option<&str>,
    source: Option<IpAddr>,
) -> rustix::io::Result<()> {
    let group = match group {
        IpAddr::V4(group) => group,
        IpAddr::V6(group) => {
            if source.is_some() {
                return Err(Errno::AFNOSUPPORT);
            }
            let interface = zone(interface.unwrap_or_default());
            return if joins {
                sockopt::set_ipv6_add_membership(fd, &group, interface)
            } else {
                sockopt::set_ipv6_drop_membership(fd, &group, interface)
            };
        }
    };
    let interface = match interface {
        None => Ipv4Addr::UNSPECIFIED,
        Some(text) => v4(text).ok_or(Errno::INVAL)?,
    };
    match (source, joins) {
        (None, true) => sockopt::set_ip_add_membership(fd, &group, &interface),
        (None, false) => sockopt::set_ip_drop_membership(fd, &group, &interface),
        (Some(IpAddr::V4(source)), true) => {
            sockopt::set_ip_add_source_membership(fd, &group, &interface, &source)
        }
        (Some(IpAddr::V4(source)), false) => {
            sockopt::set_ip_drop_source_membership(fd, &group, &interface, &source)
        }
        (Some(IpAddr::V6(_)), _) => Err(Errno::INVAL),
    }
}
