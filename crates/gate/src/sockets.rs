//! Sockets as a program asks for them: what its requests say, and what is answered, the same in every
//! world (rule GATE-4).

use crate::value::{Datum, Fault};
use std::net::{IpAddr, SocketAddr, SocketAddrV6};

/// The largest piece that one read gives, and as much as a world reads ahead of the program.
pub const CHUNK: usize = 64 * 1024;

/// How many connections a world accepts ahead of the program.
pub const AHEAD: usize = 16;

/// One end of a connection, or a place to listen at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// An address of the internet, and a port.
    Ip(SocketAddr),
    /// A path; one that begins with a zero byte is none of the file system.
    Path(Vec<u8>),
    /// An open socket of the process that somebody handed to it.
    Descriptor(i32),
}

/// `net.listen`: where and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listen {
    /// Where.
    pub at: Place,
    /// How many connections may wait for the program.
    pub backlog: i32,
    /// Whether an address of IPv6 leaves IPv4 alone.
    pub ipv6_only: bool,
    /// Whether several may listen at one port.
    pub reuse_port: bool,
    /// For whom the path is to be readable and writable besides its owner: permission bits.
    pub mode: u32,
    /// Whether connections are not read from before the program does.
    pub paused: bool,
}

/// `net.connect`: to where, and from where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connect {
    /// To where.
    pub to: Place,
    /// From where, if that matters.
    pub from: Option<SocketAddr>,
}

/// `stream.set`: what is to be changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether small pieces are sent at once.
    pub no_delay: Option<bool>,
    /// Whether a silent peer is asked now and then if it is still there.
    pub keep_alive: Option<bool>,
    /// After how many seconds of silence.
    pub keep_alive_delay: u32,
}

/// Whether a local socket can have such a path: the path is short, or its name is, and its directory is reached some
/// other way.
pub fn fits(path: &[u8]) -> bool {
    const LONGEST_NAME: usize = 85;
    let name = path.iter().rposition(|&byte| byte == b'/').map_or(path, |at| &path[at + 1..]);
    path.len() <= LONGEST_PATH || (path.first() == Some(&b'/') && name.len() <= LONGEST_NAME)
}

/// The longest path that systems take for a local socket.
pub const LONGEST_PATH: usize = 107;

fn flag(record: &Datum, name: &str) -> Option<bool> {
    match record.field(name)? {
        Datum::Bool(flag) => Some(*flag),
        _ => None,
    }
}

fn number(record: &Datum, name: &str) -> Option<f64> {
    record.field(name)?.as_number()
}

/// An address and a port; the address may name a zone by its number. One that the world does not know is any.
pub(crate) fn socket_address(address: &str, port: u16) -> Option<SocketAddr> {
    if let Some((address, zone)) = address.split_once('%') {
        let scope = zone.parse().unwrap_or(0);
        return Some(SocketAddrV6::new(address.parse().ok()?, port, 0, scope).into());
    }
    Some(SocketAddr::new(address.parse::<IpAddr>().ok()?, port))
}

fn place(record: &Datum, syscall: &str, address: &str, port: &str) -> Result<Place, Fault> {
    match record.field("path") {
        Some(Datum::Text(path)) => return Ok(Place::Path(path.as_bytes().to_vec())),
        Some(Datum::Bytes(path)) => return Ok(Place::Path(path.clone())),
        _ => {}
    }
    if let Some(fd) = number(record, "fd") {
        return Ok(Place::Descriptor(fd as i32));
    }
    let port = number(record, port).unwrap_or(0.0) as u16;
    let address = record.field(address).and_then(Datum::as_text).unwrap_or("::");
    let address = socket_address(address, port).ok_or_else(|| Fault::system(EINVAL, syscall))?;
    Ok(Place::Ip(address))
}

const EINVAL: i32 = 22;

impl Listen {
    /// Where, if the request makes sense.
    pub(crate) fn place(record: &Datum) -> Option<Place> {
        place(record, "listen", "host", "port").ok()
    }

    /// What a request says.
    pub fn new(record: &Datum) -> Result<Self, Fault> {
        Ok(Self {
            at: place(record, "listen", "host", "port")?,
            backlog: number(record, "backlog").unwrap_or(511.0) as i32,
            ipv6_only: flag(record, "ipv6Only").unwrap_or(false),
            reuse_port: flag(record, "reusePort").unwrap_or(false),
            mode: number(record, "mode").unwrap_or(0.0) as u32,
            paused: flag(record, "paused").unwrap_or(false),
        })
    }
}

impl Connect {
    /// To where, if the request makes sense.
    pub(crate) fn place(record: &Datum) -> Option<Place> {
        Self::new(record).ok().map(|asked| asked.to)
    }

    /// What a request says.
    pub fn new(record: &Datum) -> Result<Self, Fault> {
        let to = place(record, "connect", "address", "port")?;
        let address = record.field("localAddress").and_then(Datum::as_text);
        let port = number(record, "localPort").unwrap_or(0.0) as u16;
        let any = if matches!(to, Place::Ip(SocketAddr::V6(_))) { "::" } else { "0.0.0.0" };
        let from = match address {
            None if port == 0 => None,
            address => Some(
                socket_address(address.unwrap_or(any), port)
                    .ok_or_else(|| Fault::system(EINVAL, "bind"))?,
            ),
        };
        Ok(Self { to, from })
    }
}

impl Settings {
    /// What a request says.
    pub fn new(record: &Datum) -> Self {
        Self {
            no_delay: flag(record, "noDelay"),
            keep_alive: flag(record, "keepAlive"),
            keep_alive_delay: number(record, "keepAliveDelay").unwrap_or(0.0) as u32,
        }
    }
}

fn end(fields: &mut Vec<(String, Datum)>, names: [&str; 3], place: Option<&Place>) {
    let Some(Place::Ip(address)) = place else { return };
    let family = if address.is_ipv4() { "IPv4" } else { "IPv6" };
    let values = [
        Datum::Text(shown(address)),
        Datum::Number(address.port().into()),
        Datum::Text(family.into()),
    ];
    fields.extend(names.map(str::to_owned).into_iter().zip(values));
}

/// An address as Node shows it: with its zone, without its port.
pub(crate) fn shown(address: &SocketAddr) -> String {
    match address {
        SocketAddr::V6(v6) if v6.scope_id() != 0 => format!("{}%{}", v6.ip(), v6.scope_id()),
        address => address.ip().to_string(),
    }
}

/// The answer to `net.accept` and `net.connect`.
pub fn connection(id: u64, local: Option<&Place>, remote: Option<&Place>) -> Datum {
    let mut fields = vec![("id".to_owned(), Datum::Number(id as f64))];
    end(&mut fields, ["localAddress", "localPort", "localFamily"], local);
    end(&mut fields, ["remoteAddress", "remotePort", "remoteFamily"], remote);
    Datum::Record(fields)
}

/// The answer to `net.listen`.
pub fn listening(id: u64, at: Option<&Place>) -> Datum {
    let mut fields = vec![("id".to_owned(), Datum::Number(id as f64))];
    end(&mut fields, ["address", "port", "family"], at);
    if let Some(Place::Path(path)) = at {
        fields.push(("path".into(), Datum::Text(String::from_utf8_lossy(path).into_owned())));
    }
    Datum::Record(fields)
}
