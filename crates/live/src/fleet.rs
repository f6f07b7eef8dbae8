//! Programs of a fleet that run live: every host is a loopback address of this computer.
//!
//! Who starts the programs tells each of them in a variable who is there. So a host's name is an address, and what
//! listens everywhere, or on the loopback interface, listens on the address of its host: two hosts may use one port.

use hemiola_gate::NetworkAddress;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, set_parent_process_death_signal, waitid,
};
use serde_json::{Map, Value, json};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;

/// The variable that tells a program where it is.
pub const VARIABLE: &str = "HEMIOLA_FLEET";

/// The addresses of a fleet, which no other fleet has as long as this one is there.
#[derive(Debug)]
pub struct Addresses {
    network: u8,
    /// Whoever else wants the network finds that somebody has it.
    _taken: TcpListener,
}

impl Addresses {
    /// Takes the first network that is free: 127.1.0.0 to 127.254.0.0.
    ///
    /// # Errors
    ///
    /// When none is.
    pub fn take() -> io::Result<Self> {
        /// Nobody listens there for any other reason.
        const PORT: u16 = 49_151;
        let mut refused = io::Error::from(io::ErrorKind::AddrInUse);
        for network in 1..=254 {
            match TcpListener::bind((Ipv4Addr::new(127, network, 0, 0), PORT)) {
                Ok(taken) => return Ok(Self { network, _taken: taken }),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// The address of a host, which count from 0.
    pub fn of(&self, host: usize) -> Ipv4Addr {
        let [high, low] = u16::try_from(host + 1).unwrap_or(u16::MAX).to_be_bytes();
        Ipv4Addr::new(127, self.network, high, low)
    }

    /// What a program of a host is told; `tells` asks it to say what it observes, on the socket that is its standard
    /// input.
    pub fn told(&self, hosts: &[String], host: usize, tells: bool) -> String {
        let all: Map<String, Value> = hosts
            .iter()
            .enumerate()
            .map(|(at, name)| (name.clone(), json!(self.of(at).to_string())))
            .collect();
        let parent = std::process::id();
        json!({ "host": hosts[host], "hosts": all, "parent": parent, "tells": tells }).to_string()
    }
}

/// Where this process is.
#[derive(Debug, PartialEq, Eq)]
struct Here {
    name: String,
    own: Ipv4Addr,
    hosts: Vec<(String, Ipv4Addr)>,
    parent: u32,
    tells: bool,
}

impl Here {
    fn read(text: &str) -> Option<Self> {
        let told: Value = serde_json::from_str(text).ok()?;
        let name = told.get("host")?.as_str()?.to_owned();
        let hosts: Vec<(String, Ipv4Addr)> = told
            .get("hosts")?
            .as_object()?
            .iter()
            .map(|(name, address)| Some((name.clone(), address.as_str()?.parse().ok()?)))
            .collect::<Option<_>>()?;
        let (_, own) = *hosts.iter().find(|(other, _)| *other == name)?;
        let parent = told.get("parent")?.as_u64()?.try_into().ok()?;
        let tells = told.get("tells")?.as_bool()?;
        Some(Self { name, own, hosts, parent, tells })
    }

    /// What an address means here: everywhere, and the computer itself, are the host.
    fn place(&self, address: SocketAddr) -> SocketAddr {
        match is_near(address.ip()) {
            true => SocketAddr::from((self.own, address.port())),
            false => address,
        }
    }
}

/// Whether an address means the computer itself, wherever it is used.
fn is_near(address: IpAddr) -> bool {
    let address = address.to_canonical();
    address.is_unspecified()
        || address == IpAddr::V4(Ipv4Addr::LOCALHOST)
        || matches!(address, IpAddr::V6(v6) if v6.is_loopback())
}

fn here() -> Option<&'static Here> {
    static HERE: OnceLock<Option<Here>> = OnceLock::new();
    let read = || Here::read(std::env::var_os(VARIABLE)?.to_str()?);
    HERE.get_or_init(read).as_ref()
}

/// Where somebody gets who goes to that address or listens there.
pub(crate) fn place(address: SocketAddr) -> SocketAddr {
    here().map_or(address, |here| here.place(address))
}

/// The same for a socket of one family: of version 6 if `is_v6`.
pub(crate) fn place_like(address: SocketAddr, is_v6: bool) -> SocketAddr {
    match place(address) {
        SocketAddr::V4(v4) if is_v6 => SocketAddr::from((v4.ip().to_ipv6_mapped(), v4.port())),
        place => place,
    }
}

/// Where a connection to that address comes from, so that the other end sees which host it is.
pub(crate) fn origin(to: SocketAddr) -> Option<SocketAddr> {
    let is_here = matches!(to.ip(), IpAddr::V4(v4) if v4.is_loopback());
    here().filter(|_| is_here).map(|here| SocketAddr::from((here.own, 0)))
}

/// The address of the host of that name.
pub(crate) fn address_of(name: &str) -> Option<Ipv4Addr> {
    let mut hosts = here()?.hosts.iter();
    hosts.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, address)| address)
}

/// The name of the host at that address.
pub(crate) fn name_of(address: IpAddr) -> Option<&'static str> {
    let address = address.to_canonical();
    let mut hosts = here()?.hosts.iter();
    hosts.find(|(_, known)| IpAddr::V4(*known) == address).map(|(name, _)| name.as_str())
}

/// What the host is called that the program runs on.
pub(crate) fn hostname() -> Option<&'static str> {
    here().map(|here| here.name.as_str())
}

/// What the program sees of its host's network.
pub(crate) fn addresses() -> Option<Vec<NetworkAddress>> {
    here().map(|here| NetworkAddress::of_host(here.own))
}

/// Whether a fleet started this very process.
fn is_program(here: &Here) -> bool {
    std::os::unix::process::parent_id() == here.parent
}

/// Lets the program end when who started it is gone, so that no fleet is left behind.
pub(crate) fn end_with_parent() {
    if here().is_some_and(is_program) {
        // A system that has no such thing leaves it behind.
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
    }
}

/// Whom the program tells what it observes, if anybody wants to know.
pub fn observer() -> Option<UnixStream> {
    here().filter(|here| here.tells && is_program(here))?;
    io::stdin().as_fd().try_clone_to_owned().ok().map(UnixStream::from)
}

/// What is asked of a program and of whatever it has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// To end.
    End,
    /// To end at once.
    Kill,
    /// To stand still.
    Pause,
    /// To go on.
    Resume,
}

/// Gives an order to the group of a process that was started as the first of its group, and was not waited for.
pub fn order(process: u32, order: Order) {
    let signal = match order {
        Order::End => Signal::TERM,
        Order::Kill => Signal::KILL,
        Order::Pause => Signal::STOP,
        Order::Resume => Signal::CONT,
    };
    if let Some(group) = pid(process) {
        // All of them may be over already.
        let _ = kill_process_group(group, signal);
    }
}

/// Waits until a child has ended, and leaves it to be waited for: until then nobody else has its number.
pub fn await_end(process: u32) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    if let Some(pid) = pid(process) {
        while matches!(waitid(WaitId::Pid(pid), options), Err(rustix::io::Errno::INTR)) {}
    }
}

fn pid(process: u32) -> Option<Pid> {
    i32::try_from(process).ok().and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> SocketAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_host_is_everywhere_and_the_computer_itself() {
        let addresses = Addresses::take().expect("a network is free");
        let names = ["a".to_owned(), "b".to_owned()];
        let here = Here::read(&addresses.told(&names, 1, true)).expect("it is told");
        let own = |port: u16| SocketAddr::from((addresses.of(1), port));
        assert_eq!((here.name.as_str(), here.own, here.tells), ("b", addresses.of(1), true));
        assert_eq!(here.parent, std::process::id());
        for near in ["0.0.0.0:80", "[::]:80", "127.0.0.1:80", "[::1]:80", "[::ffff:127.0.0.1]:80"] {
            assert_eq!(here.place(address(near)), own(80), "{near}");
        }
        for far in ["127.0.0.2:80", "10.0.0.1:80", "[2001:db8::1]:80"] {
            assert_eq!(here.place(address(far)), address(far));
        }
    }

    #[test]
    fn two_fleets_have_two_networks() {
        let [one, two] = [(); 2].map(|()| Addresses::take().expect("a network is free"));
        assert_ne!(one.of(0), two.of(0));
        assert_eq!(one.of(255).octets()[2..], [1, 0]);
    }

    #[test]
    fn what_nobody_wrote_is_no_fleet() {
        for text in ["", "{}", "[]", r#"{"host":"a","hosts":{},"parent":1,"tells":true}"#] {
            assert_eq!(Here::read(text), None, "{text}");
        }
    }
}
