//! With whom a program may speak.

use super::{Known, Names, Scope};
use crate::value::{Datum, Fault};
use std::net::IpAddr;

/// Refuses a place to listen at, or to connect to.
pub(super) fn check_place(net: &Names, known: &Known, place: &Datum) -> Result<(), Fault> {
    if *net == Names::All {
        return Ok(());
    }
    if let Some(path) = text(field(place, "path")) {
        return require(net, known, &path, None);
    }
    let host = text(field(place, "address")).or_else(|| text(field(place, "host")));
    let port = field(place, "port").as_number().unwrap_or(0.0) as u16;
    require(net, known, &host.unwrap_or_else(|| "::".into()), Some(port))
}

/// Refuses a host, at a port or at all.
pub(super) fn require(
    net: &Names,
    known: &Known,
    host: &str,
    port: Option<u16>,
) -> Result<(), Fault> {
    let is_allowed = std::iter::once(host)
        .chain(known.names_of(host))
        .any(|host| net.any(|allowed| means(allowed, host, port)));
    if is_allowed {
        return Ok(());
    }
    let resource = match port {
        Some(port) if host.contains(':') => format!("[{host}]:{port}"),
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    };
    Err(Scope::Net.refused(resource.as_bytes()))
}

/// Whether a place, written as in the flag, is allowed.
pub(super) fn allows(names: &Names, place: &str) -> bool {
    let (host, port) = split(place);
    names.any(|allowed| means(allowed, host, port))
}

/// Whether what the flag allows is that host, at that port or at any.
fn means(allowed: &str, host: &str, port: Option<u16>) -> bool {
    let (name, only) = split(allowed);
    let is_host = match (name.parse::<IpAddr>(), host.parse::<IpAddr>()) {
        (Ok(one), Ok(other)) => one == other,
        _ => name.trim_end_matches('.').eq_ignore_ascii_case(host.trim_end_matches('.')),
    };
    // To look a name up is allowed for whatever port it may be spoken with.
    is_host && (only.is_none() || port.is_none() || only == port)
}

/// What two places that flags allow have in common: the one with a port, if only one has.
pub(super) fn narrower(one: &str, other: &str) -> Option<String> {
    let ((host, port), (_, port_of_other)) = (split(one), split(other));
    if !means(other, host, port) {
        return None;
    }
    match (port, port_of_other) {
        (None, Some(_)) => Some(other.to_owned()),
        _ => Some(one.to_owned()),
    }
}

/// `host`, `host:port`, `[address]:port`, or an address of IPv6 alone.
fn split(place: &str) -> (&str, Option<u16>) {
    if place.starts_with('/') || place.parse::<IpAddr>().is_ok() {
        return (place, None);
    }
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port.parse().ok()),
        _ => (place, None),
    };
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    (bare.unwrap_or(host), port)
}

fn field<'a>(record: &'a Datum, name: &str) -> &'a Datum {
    let Datum::Record(fields) = record else { return &Datum::Undefined };
    fields.iter().find(|(key, _)| key == name).map_or(&Datum::Undefined, |(_, value)| value)
}

fn text(datum: &Datum) -> Option<String> {
    match datum {
        Datum::Text(text) => Some(text.clone()),
        Datum::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_meant_by_host_and_port() {
        let names = Names::Only(
            ["example.com", "127.0.0.1:80", "[::1]:443", "::2", "/run/a.sock"]
                .map(Into::into)
                .into(),
        );
        for yes in [
            "example.com",
            "EXAMPLE.com.:1",
            "127.0.0.1:80",
            "127.0.0.1",
            "[::1]:443",
            "::2",
            "[::2]:9",
            "[0::2]:9",
            "/run/a.sock",
        ] {
            assert!(allows(&names, yes), "{yes} is allowed");
        }
        for no in [
            "example.org",
            "sub.example.com",
            "127.0.0.1:81",
            "127.0.0.2:80",
            "[::1]:80",
            "/run/b.sock",
            "",
            ":80",
        ] {
            assert!(!allows(&names, no), "{no} is not allowed");
        }
    }
}
