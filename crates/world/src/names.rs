//! Names of computers in a simulated world: this one's, and those of the others on its network.

use crate::roads::{Computer, Roads};
use hemiola_gate::{Answer, Datum, Fault, NamesCall};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Services that have a name, as everybody knows them.
const SERVICES: [(u16, &str); 10] = [
    (21, "ftp"),
    (22, "ssh"),
    (23, "telnet"),
    (25, "smtp"),
    (53, "domain"),
    (80, "http"),
    (110, "pop3"),
    (123, "ntp"),
    (443, "https"),
    (1883, "mqtt"),
];

/// libuv's number for a name that nobody knows.
const UNKNOWN_NAME: i32 = 3008;

/// Hints of a program that wants addresses of version 4 written as version 6.
const V4MAPPED: u32 = 8;

/// Answers what was asked.
pub(crate) fn perform(call: &NamesCall, roads: &Roads, here: Computer) -> Answer {
    match call {
        NamesCall::Lookup { name, family, hints } => {
            let known = roads.named(name).and_then(Computer::address);
            lookup(name, known, *family, *hints)
        }
        NamesCall::LookupService { address, port } => service(address, *port, roads, here),
        NamesCall::Servers => Ok(Datum::List(vec![Datum::Text("127.0.0.1".into())])),
        NamesCall::Hosts { address } => {
            let name = address.parse().ok().and_then(|address| name_of(address, roads, here));
            Ok(Datum::List(name.map(Datum::Text).into_iter().collect()))
        }
    }
}

/// What the computer at an address is called.
fn name_of(address: IpAddr, roads: &Roads, here: Computer) -> Option<String> {
    if address.is_loopback() {
        return Some("localhost".into());
    }
    let computer = (here != Computer::ONLY).then(|| roads.leads_to(here, address)).flatten()?;
    roads.name(computer).map(str::to_owned)
}

fn lookup(name: &str, known: Option<Ipv4Addr>, family: i32, hints: u32) -> Answer {
    let unknown = || Fault::system(UNKNOWN_NAME, "getaddrinfo");
    let address = if name.eq_ignore_ascii_case("localhost") {
        if family == 6 { Ipv6Addr::LOCALHOST.into() } else { Ipv4Addr::LOCALHOST.into() }
    } else {
        match known.or_else(|| loose_address(name)).ok_or_else(unknown)? {
            address if family != 6 => address.into(),
            address if hints & V4MAPPED != 0 => address.to_ipv6_mapped().into(),
            _ => return Err(unknown()),
        }
    };
    let IpAddr::V4(_) = address else { return Ok(list(address, 6.0)) };
    Ok(list(address, 4.0))
}

fn list(address: IpAddr, family: f64) -> Datum {
    Datum::List(vec![Datum::Record(vec![
        ("address".into(), Datum::Text(address.to_string())),
        ("family".into(), Datum::Number(family)),
    ])])
}

/// An address as the system's old function reads it: up to four numbers, decimal, octal or
/// hexadecimal, the last of which fills what is left.
fn loose_address(text: &str) -> Option<Ipv4Addr> {
    let mut numbers = Vec::new();
    for part in text.split('.') {
        let (digits, radix) = match part.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&part[2..], 16),
            [b'0', _, ..] => (&part[1..], 8),
            _ => (part, 10),
        };
        if digits.starts_with('+') {
            return None;
        }
        numbers.push(u32::from_str_radix(digits, radix).ok()?);
    }
    let last = numbers.pop()?;
    if numbers.len() > 3 || numbers.iter().any(|&number| number > 255) {
        return None;
    }
    let room = 32 - 8 * numbers.len() as u32;
    if u64::from(last) >= 1 << room {
        return None;
    }
    let high = (0..).zip(&numbers).fold(0, |high, (at, number)| high | number << (24 - 8 * at));
    Some(Ipv4Addr::from_bits(high | last))
}

fn service(address: &str, port: u16, roads: &Roads, here: Computer) -> Answer {
    let address = address.split('%').next().unwrap_or_default();
    let name = address.parse().ok().and_then(|address| name_of(address, roads, here));
    let name = name.ok_or_else(|| Fault::system(UNKNOWN_NAME, "getnameinfo"))?;
    let known = SERVICES.iter().find(|(number, _)| *number == port);
    let service = known.map_or_else(|| port.to_string(), |(_, name)| (*name).into());
    Ok(Datum::Record(vec![
        ("hostname".into(), Datum::Text(name)),
        ("service".into(), Datum::Text(service)),
    ]))
}

#[cfg(test)]
mod tests {
    use super::loose_address;
    use std::net::Ipv4Addr;

    #[test]
    fn addresses_may_be_written_loosely() {
        let local = Some(Ipv4Addr::LOCALHOST);
        for text in ["127.0.0.1", "127.1", "0x7f.1", "0177.0.1", "2130706433", "0x7f000001"] {
            assert_eq!(loose_address(text), local, "{text}");
        }
        assert_eq!(loose_address("1.2.65535"), Some(Ipv4Addr::new(1, 2, 255, 255)));
        for text in
            ["", ".", "a", "1.2.3.4.5", "256.1", "1.2.3.256", "0x", "08", "1..2", "+1", "0x+1"]
        {
            assert_eq!(loose_address(text), None, "{text}");
        }
    }
}
