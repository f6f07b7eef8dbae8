//! The computer that a program runs on.

use crate::value::Datum;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What a program can know about its computer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Computer {
    /// Its name in the network.
    pub hostname: String,
    /// Release and version of its system.
    pub release: String,
    /// The version of its system, in words.
    pub version: String,
    /// All memory, and what of it is free.
    pub memory_bytes: (u64, u64),
    /// Seconds since it was started.
    pub uptime_s: f64,
    /// How many processes wanted to run: over one, five and fifteen minutes.
    pub load: [f64; 3],
    /// How many processors the program may use.
    pub parallelism: usize,
    /// Its processors.
    pub processors: Vec<Processor>,
    /// Its addresses in networks that it is connected to.
    pub addresses: Vec<NetworkAddress>,
    /// The version of GNU's library of C that the program uses, if it is that one.
    pub libc: Option<String>,
}

/// An address of the computer in a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkAddress {
    /// What its interface is called.
    pub interface: String,
    /// The address.
    pub address: IpAddr,
    /// How many bits of it are the network's.
    pub prefix_bits: u8,
    /// The hardware's address, as hexadecimal digits with colons.
    pub mac: String,
    /// Whether nobody else can be reached there.
    pub is_internal: bool,
    /// The number of the interface, where an address means something only together with it.
    pub scope: u32,
}

impl NetworkAddress {
    /// What the host of a fleet has: itself, and its address among the others.
    pub fn of_host(own: Ipv4Addr) -> Vec<Self> {
        let [_, _, high, low] = own.octets();
        let one = |interface: &str, address: Ipv4Addr, prefix_bits: u8, mac: String| Self {
            interface: interface.into(),
            address: address.into(),
            prefix_bits,
            mac,
            is_internal: interface == "lo",
            scope: 0,
        };
        vec![
            one("lo", Ipv4Addr::LOCALHOST, 8, "00:00:00:00:00:00".into()),
            one("eth0", own, 16, format!("02:00:00:00:{high:02x}:{low:02x}")),
        ]
    }
}

/// A processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    /// What it is called.
    pub model: String,
    /// How fast it runs; 0 if nobody knows.
    pub megahertz: u64,
    /// Milliseconds that it has spent: for programs, for patient ones, in the system, idle, in interrupts.
    pub times_ms: [u64; 5],
}

/// A user of the computer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// What the user is called.
    pub name: String,
    /// Where the user's files are.
    pub home: String,
    /// The program that reads the user's commands.
    pub shell: String,
}

impl Computer {
    /// A computer that is always the same: what programs see in a simulated world.
    pub(crate) fn fixed(name: Option<String>, address: Option<Ipv4Addr>) -> Self {
        const MIB: u64 = 1024 * 1024;
        let processor = Processor { model: "virtual".into(), ..Processor::default() };
        Self {
            hostname: name.unwrap_or_else(|| "localhost".into()),
            release: "6.0.0".into(),
            version: "#1".into(),
            memory_bytes: (2048 * MIB, 1024 * MIB),
            parallelism: 1,
            processors: vec![processor],
            addresses: address.map_or_else(Vec::new, NetworkAddress::of_host),
            libc: Some("2.36".into()),
            ..Self::default()
        }
    }
}

impl Computer {
    pub(crate) fn into_datum(self) -> Datum {
        let number = |number: u64| Datum::Number(number as f64);
        let field = |name: &str, value: Datum| (name.to_owned(), value);
        let processor = |processor: Processor| {
            Datum::Record(vec![
                field("model", Datum::Text(processor.model)),
                field("speed", number(processor.megahertz)),
                field("times", Datum::List(processor.times_ms.map(number).to_vec())),
            ])
        };
        let address = |address: NetworkAddress| {
            Datum::Record(vec![
                field("interface", Datum::Text(address.interface)),
                field("address", Datum::Text(address.address.to_string())),
                field("netmask", Datum::Text(netmask(address.address, address.prefix_bits))),
                field("isV6", Datum::Bool(address.address.is_ipv6())),
                field("prefix", number(address.prefix_bits.into())),
                field("mac", Datum::Text(address.mac)),
                field("internal", Datum::Bool(address.is_internal)),
                field("scope", number(address.scope.into())),
            ])
        };
        Datum::Record(vec![
            field("hostname", Datum::Text(self.hostname)),
            field("release", Datum::Text(self.release)),
            field("version", Datum::Text(self.version)),
            field("memory", number(self.memory_bytes.0)),
            field("free", number(self.memory_bytes.1)),
            field("uptime", Datum::Number(self.uptime_s)),
            field("load", Datum::List(self.load.map(Datum::Number).to_vec())),
            field("parallelism", number(self.parallelism as u64)),
            field("processors", Datum::List(self.processors.into_iter().map(processor).collect())),
            field("addresses", Datum::List(self.addresses.into_iter().map(address).collect())),
            field("libc", self.libc.map_or(Datum::Undefined, Datum::Text)),
        ])
    }
}

/// The address whose first bits are set.
fn netmask(address: IpAddr, bits: u8) -> String {
    let bits = u32::from(bits);
    match address {
        IpAddr::V4(_) => {
            Ipv4Addr::from_bits(u32::MAX.checked_shl(32 - bits.min(32)).unwrap_or(0)).to_string()
        }
        IpAddr::V6(_) => {
            Ipv6Addr::from_bits(u128::MAX.checked_shl(128 - bits.min(128)).unwrap_or(0)).to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_have_as_many_bits_as_the_prefix() {
        let v4 = IpAddr::from([192, 0, 2, 2]);
        let v6 = IpAddr::from([0xfd00, 0, 0, 0, 0, 0, 0, 2]);
        for (address, bits, expected) in [
            (v4, 24, "255.255.255.0"),
            (v4, 0, "0.0.0.0"),
            (v4, 32, "255.255.255.255"),
            (v6, 64, "ffff:ffff:ffff:ffff::"),
            (v6, 0, "::"),
            (v6, 128, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ] {
            assert_eq!(netmask(address, bits), expected);
        }
    }
}
