//! Datagrams as a program asks for them: what its requests say, and what is answered, the same in
//! every world (rule GATE-4).

use crate::request::Record;
use crate::sockets::{shown, socket_address};
use crate::value::{Datum, Fault};
use std::net::{IpAddr, SocketAddr};

const EINVAL: i32 = 22;

/// The most bytes that one datagram carries over IPv4.
pub const LARGEST: usize = 65_507;

/// `udp.bind`: where and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bind {
    /// Where; port 0 is any that is free.
    pub at: SocketAddr,
    /// Whether others may be at the same place that also say so.
    pub reuse: bool,
    /// Whether an address of IPv6 leaves IPv4 alone.
    pub ipv6_only: bool,
    /// Whether other processes get it, too: each takes only what it asks for.
    pub shared: bool,
}

/// `udp.set`: what is to be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Whether it may send to everybody.
    Broadcast(bool),
    /// How many routers its datagrams may pass.
    Ttl(u32),
    /// The same for those to groups.
    MulticastTtl(u32),
    /// Whether this computer gets what it sends to groups.
    MulticastLoopback(bool),
    /// Which interface sends to groups: an address, perhaps with a zone, or nothing in particular.
    MulticastInterface(String),
    /// Joins a group, or leaves it.
    Membership {
        /// Whether it joins.
        joins: bool,
        /// The group.
        group: IpAddr,
        /// On which interface, if that matters.
        interface: Option<String>,
        /// Whose datagrams alone are wanted, if not all.
        source: Option<IpAddr>,
    },
    /// How large the buffer for datagrams from outside is to be; 0 only asks.
    ReceiveBuffer(usize),
    /// How large the buffer for datagrams to the outside is to be; 0 only asks.
    SendBuffer(usize),
}

impl Bind {
    /// What a request says.
    pub fn new(address: &str, port: u16, options: &Record) -> Result<Self, Fault> {
        let flag = |name: &str| options.field(name) == Some(&Datum::Bool(true));
        let is_v6 = options.field("type").and_then(Datum::as_text) == Some("udp6");
        let at = destination(Some((address, port)), is_v6, "bind")?;
        let at = at.ok_or_else(|| refused("bind"))?;
        Ok(Self {
            at,
            reuse: flag("reuseAddr"),
            ipv6_only: flag("ipv6Only"),
            shared: flag("shared"),
        })
    }
}

fn refused(syscall: &str) -> Fault {
    Fault::system(EINVAL, syscall)
}

/// The address and the port that a request names, of the version that the socket has; nothing, if it names
/// none.
pub fn destination(
    named: Option<(&str, u16)>,
    is_v6: bool,
    syscall: &str,
) -> Result<Option<SocketAddr>, Fault> {
    let Some((address, port)) = named else { return Ok(None) };
    let address = socket_address(address, port).filter(|address| address.is_ipv6() == is_v6);
    address.ok_or_else(|| refused(syscall)).map(Some)
}

impl Setting {
    /// What a request says: a name, and what goes with it.
    pub fn new(name: &str, values: &[Datum]) -> Result<Self, Fault> {
        let wrong = || refused("setsockopt");
        let flag = values.first() == Some(&Datum::Bool(true));
        let number = values.first().and_then(Datum::as_number).unwrap_or(0.0);
        let text = |at: usize| values.get(at).and_then(Datum::as_text);
        Ok(match name {
            "broadcast" => Self::Broadcast(flag),
            "ttl" if (1.0..=255.0).contains(&number) => Self::Ttl(number as u32),
            "multicastTTL" if (0.0..=255.0).contains(&number) => Self::MulticastTtl(number as u32),
            "multicastLoopback" => Self::MulticastLoopback(flag),
            "multicastInterface" => Self::MulticastInterface(text(0).unwrap_or_default().into()),
            "recvBufferSize" => Self::ReceiveBuffer(number as usize),
            "sendBufferSize" => Self::SendBuffer(number as usize),
            _ => {
                let joins = name.starts_with("add");
                // The interface is named by what follows.
                let group = text(0).and_then(|text| text.split('%').next()?.parse().ok());
                let group = group.ok_or_else(wrong)?;
                let interface = text(1).map(str::to_owned);
                let source = match text(2) {
                    None => None,
                    Some(text) => Some(text.parse().map_err(|_| wrong())?),
                };
                if !name.ends_with("Membership") {
                    return Err(wrong());
                }
                Self::Membership { joins, group, interface, source }
            }
        })
    }
}

fn place(address: &SocketAddr) -> [(String, Datum); 3] {
    let family = if address.is_ipv4() { "IPv4" } else { "IPv6" };
    [
        ("address".into(), Datum::Text(shown(address))),
        ("family".into(), Datum::Text(family.into())),
        ("port".into(), Datum::Number(address.port().into())),
    ]
}

/// The answer to `udp.bind`: the number of the socket.
pub fn bound(id: u64) -> Datum {
    Datum::Record(vec![("id".into(), Datum::Number(id as f64))])
}

/// The answer to `udp.address`.
pub fn located(address: &SocketAddr) -> Datum {
    Datum::Record(place(address).into())
}

/// The answer to `udp.receive`.
pub fn message(bytes: Vec<u8>, from: &SocketAddr) -> Datum {
    let mut fields = vec![("bytes".to_owned(), Datum::Bytes(bytes))];
    fields.extend(place(from));
    Datum::Record(fields)
}
