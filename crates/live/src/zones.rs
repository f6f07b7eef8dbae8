//! Zones of addresses of IPv6: programs name the interface, as in `fe80::1%eth0`, and sockets know it by its number.

use hemiola_gate::Datum;
use rustix::net::{AddressFamily, SocketFlags, SocketType, netdevice, socket_with};
use std::borrow::Cow;
use std::os::fd::OwnedFd;

/// The fields of requests and answers that are addresses.
const ADDRESSES: [&str; 4] = ["address", "host", "localAddress", "remoteAddress"];

/// A request as sockets understand it.
pub(crate) fn numbered(request: &Datum) -> Datum {
    with_zones(request.clone(), |zone| Some(number(zone).to_string()))
}

/// The same of an address alone.
pub(crate) fn numbered_address(address: &str) -> Cow<'_, str> {
    match address.split_once('%') {
        None => address.into(),
        Some((address, zone)) => format!("{address}%{}", number(zone)).into(),
    }
}

/// An answer as programs understand it.
pub(crate) fn named(answer: Datum) -> Datum {
    with_zones(answer, |zone| name(zone.parse().ok()?))
}

/// The number of a zone, by its name or by itself; 0, which is any, if there is no such interface.
pub(crate) fn number(zone: &str) -> u32 {
    let known = || netdevice::name_to_index(asker()?, zone).ok();
    zone.parse().ok().or_else(known).unwrap_or(0)
}

fn name(number: u32) -> Option<String> {
    netdevice::index_to_name(asker()?, number).ok()
}

/// The system tells of interfaces to who has a socket.
fn asker() -> Option<OwnedFd> {
    socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None).ok()
}

fn with_zones(record: Datum, change: fn(&str) -> Option<String>) -> Datum {
    let Datum::Record(mut fields) = record else { return record };
    for (name, value) in &mut fields {
        if let Datum::Text(text) = value
            && ADDRESSES.contains(&name.as_str())
            && let Some((address, zone)) = text.split_once('%')
            && let Some(zone) = change(zone)
        {
            *text = format!("{address}%{zone}");
        }
    }
    Datum::Record(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn located(address: &str) -> Datum {
        let text = |text: &str| Datum::Text(text.into());
        Datum::Record(vec![("address".into(), text(address)), ("path".into(), text("100%lo"))])
    }

    #[test]
    fn zones_go_by_number_and_come_by_name() {
        let loopback = number("lo");
        assert!(loopback > 0);
        let asked = numbered(&located("fe80::1%lo"));
        assert_eq!(asked, located(&format!("fe80::1%{loopback}")));
        assert_eq!(named(asked), located("fe80::1%lo"));
        assert_eq!(numbered_address("fe80::1%lo"), format!("fe80::1%{loopback}"));
    }

    #[test]
    fn what_names_no_interface_is_any() {
        assert_eq!(numbered_address("fe80::1%no such"), "fe80::1%0");
        assert_eq!(numbered_address("fe80::1%7"), "fe80::1%7");
        assert_eq!(numbered_address("::1"), "::1");
        assert_eq!(named(located("fe80::1%4294967295")), located("fe80::1%4294967295"));
    }
}
