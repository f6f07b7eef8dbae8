//! Names of computers, as the system knows them.

use dns_lookup::{AddrInfoHints, LookupError, SockType};
use hemiola_js::{Answer, Datum, Fault, Request};
use std::io;
use std::net::{IpAddr, SocketAddr};

/// What the program's hints are called by the system, hint by hint.
const HINTS: [(u32, i32); 3] =
    [(8, libc::AI_V4MAPPED), (16, libc::AI_ALL), (32, libc::AI_ADDRCONFIG)];

/// Does what was asked; may take long.
pub(crate) fn perform(request: &Request) -> Answer {
    let text = |at: usize| match request.arguments.get(at) {
        Some(Datum::Text(text)) => text.as_str(),
        _ => "",
    };
    let number = |at: usize| request.arguments.get(at).and_then(Datum::as_number).unwrap_or(0.0);
    match request.kind.as_str() {
        "dns.lookup" => lookup(text(0), number(1) as i32, number(2) as u32),
        "dns.lookupService" => service(text(0), number(1) as u16),
        kind => Err(Fault::new("ENOSYS", format!("this world knows no operation {kind}"))),
    }
}

fn lookup(name: &str, family: i32, hints: u32) -> Answer {
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
    let found = found.flatten().map(|one| {
        let address = one.sockaddr.ip();
        Datum::Record(vec![
            ("address".into(), Datum::Text(address.to_string())),
            ("family".into(), Datum::Number(if address.is_ipv4() { 4.0 } else { 6.0 })),
        ])
    });
    Ok(Datum::List(found.collect()))
}

fn service(address: &str, port: u16) -> Answer {
    // The zone after the address says nothing about a name.
    let address = address.split('%').next().unwrap_or_default();
    let Ok(address) = address.parse::<IpAddr>() else {
        return Err(Fault::system(libc::EINVAL, "getnameinfo"));
    };
    let found = dns_lookup::getnameinfo(&SocketAddr::new(address, port), libc::NI_NAMEREQD);
    let (hostname, service) = found.map_err(|error| fault(error, "getnameinfo"))?;
    Ok(Datum::Record(vec![
        ("hostname".into(), Datum::Text(hostname)),
        ("service".into(), Datum::Text(service)),
    ]))
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
        libc::EAI_NONAME => 3008,
        libc::EAI_OVERFLOW => 3009,
        libc::EAI_SERVICE => 3010,
        libc::EAI_SOCKTYPE => 3011,
        _ => 3000,
    };
    Fault::system(number, syscall)
}
