//! Names of computers, as the system knows them.

use crate::fleet;
use dns_lookup::{AddrInfoHints, LookupError, SockType};
use hemiola_gate::{Answer, Datum, Fault, NamesCall};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// What the program's hints are called by the system, hint by hint.
const HINTS: [(u32, i32); 3] =
    [(8, libc::AI_V4MAPPED), (16, libc::AI_ALL), (32, libc::AI_ADDRCONFIG)];

/// libuv's number for a name that nobody knows.
const UNKNOWN_NAME: i32 = 3008;

/// Does what was asked; may take long.
pub(crate) fn perform(call: &NamesCall) -> Answer {
    match call {
        NamesCall::Lookup { name, family, hints } => lookup(name, *family, *hints),
        NamesCall::LookupService { address, port } => service(address, *port),
        NamesCall::Servers => Ok(texts(servers(&read("/etc/resolv.conf")))),
        NamesCall::Hosts { address } => match address.parse().ok().and_then(fleet::name_of) {
            Some(name) => Ok(texts(vec![name])),
            None => Ok(texts(hosts(&read("/etc/hosts"), address))),
        },
    }
}

fn lookup(name: &str, family: i32, hints: u32) -> Answer {
    if let Some(address) = fleet::address_of(name) {
        return host(address, family, hints);
    }
    let flags = HINTS.iter().filter(|(hint, _)| hints & hint != 0);
    let flags = flags.fold(0, |flags, (_, flag)| flags | flag);
    let address = match family {
        4 => libc::AF_INET,
        6 => libc::AF_INET6,
        _ => libc::AF_UNSPEC,
    };
    let hints = AddrInfoHints { flags, address, socktype: SockType::Stream.into(), protocol: 0 };
    let found = dns_lookup::getaddrinfo(Some(name), None, Some(hints));
    let found = found.map_err(|error| fault(error, "getaddrinfo"))?;
    Ok(Datum::List(found.flatten().map(|one| address_record(one.sockaddr.ip())).collect()))
}

fn address_record(address: IpAddr) -> Datum {
    Datum::Record(vec![
        ("address".into(), Datum::Text(address.to_string())),
        ("family".into(), Datum::Number(if address.is_ipv4() { 4.0 } else { 6.0 })),
    ])
}

/// The address of a host of the fleet, which is one of version 4.
fn host(own: Ipv4Addr, family: i32, hints: u32) -> Answer {
    let [(mapped, _), ..] = HINTS;
    let address = match family {
        6 if hints & mapped != 0 => own.to_ipv6_mapped().into(),
        6 => return Err(Fault::system(UNKNOWN_NAME, "getaddrinfo")),
        _ => own.into(),
    };
    Ok(Datum::List(vec![address_record(address)]))
}

fn service(address: &str, port: u16) -> Answer {
    // The zone after the address says nothing about a name.
    let address = address.split('%').next().unwrap_or_default();
    let Ok(address) = address.parse::<IpAddr>() else {
        return Err(Fault::system(libc::EINVAL, "getnameinfo"));
    };
    if let Some(name) = fleet::name_of(address) {
        return Ok(Datum::Record(vec![
            ("hostname".into(), Datum::Text(name.into())),
            ("service".into(), Datum::Text(port.to_string())),
        ]));
    }
    let found = dns_lookup::getnameinfo(&SocketAddr::new(address, port), libc::NI_NAMEREQD);
    let (hostname, service) = found.map_err(|error| fault(error, "getnameinfo"))?;
    Ok(Datum::Record(vec![
        ("hostname".into(), Datum::Text(hostname)),
        ("service".into(), Datum::Text(service)),
    ]))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn texts(list: Vec<&str>) -> Datum {
    Datum::List(list.into_iter().map(|text| Datum::Text(text.into())).collect())
}

/// The words of every line that has any, without comments.
fn lines<'a>(file: &'a str, comments: &'a [char]) -> impl Iterator<Item = Vec<&'a str>> {
    let plain = move |line: &'a str| line.split(comments).next().unwrap_or_default();
    file.lines().map(move |line| plain(line).split_whitespace().collect())
}

/// The servers that resolvers ask, as the system is configured; this computer if it is not.
fn servers(file: &str) -> Vec<&str> {
    let named = lines(file, &['#', ';']).filter(|words| words.first() == Some(&"nameserver"));
    let named = named.filter_map(|words| words.get(1).copied());
    let valid = |name: &&str| name.split('%').next().is_some_and(|ip| ip.parse::<IpAddr>().is_ok());
    let found: Vec<&str> = named.filter(valid).collect();
    if found.is_empty() { vec!["127.0.0.1"] } else { found }
}

/// The names that the computer's own list has for an address, in their order.
fn hosts<'a>(file: &'a str, address: &str) -> Vec<&'a str> {
    let Ok(address) = address.parse::<IpAddr>() else { return Vec::new() };
    let of_it =
        |words: &Vec<&str>| words.first().and_then(|word| word.parse().ok()) == Some(address);
    let mut names = Vec::new();
    for words in lines(file, &['#']).filter(of_it) {
        for name in words.into_iter().skip(1) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// The failure of a look-up, by libuv's number for it.
fn fault(error: LookupError, syscall: &str) -> Fault {
    let number = match error.error_num() {
        libc::EAI_SYSTEM => io::Error::from(error).raw_os_error().unwrap_or(libc::EIO),
        libc::EAI_AGAIN => 3001,
        libc::EAI_BADFLAGS => 3002,
        libc::EAI_FAIL => 3004,
        libc::EAI_FAMILY => 3005,
        libc::EAI_MEMORY => 3006,
        libc::EAI_NODATA => 3007,
        libc::EAI_NONAME => UNKNOWN_NAME,
        libc::EAI_OVERFLOW => 3009,
        libc::EAI_SERVICE => 3010,
        libc::EAI_SOCKTYPE => 3011,
        _ => 3000,
    };
    Fault::system(number, syscall)
}

#[cfg(test)]
mod tests {
    use super::{hosts, servers};

    #[test]
    fn servers_are_read_as_they_are_written() {
        let file = "# nameserver 1.1.1.1\nnameserver 10.0.0.1 # first\n nameserver\tfe80::1%lo\n\
                    nameserver nobody\noptions ndots:1\n";
        assert_eq!(servers(file), ["10.0.0.1", "fe80::1%lo"]);
        assert_eq!(servers(""), ["127.0.0.1"]);
    }

    #[test]
    fn hosts_have_the_names_of_all_their_lines() {
        let file = "127.0.0.1 localhost # here\n::1 localhost six\n127.0.0.1\tme localhost\n";
        assert_eq!(hosts(file, "127.0.0.1"), ["localhost", "me"]);
        assert_eq!(hosts(file, "0:0::1"), ["localhost", "six"]);
        assert!(hosts(file, "127.0.0.2").is_empty());
    }
}
