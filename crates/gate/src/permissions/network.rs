//! With whom a program may speak.

use super::{Names, Permissions, Scope};
use crate::value::{Datum, Fault, Request};
use std::net::IpAddr;

/// Addresses, each with the name that a look-up has found it under: connections are made to addresses, and
/// names are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved(Vec<(String, String)>);

impl Resolved {
    /// Notes that an allowed name has an address.
    pub fn note(&mut self, name: &str, address: String) {
        if !self.0.iter().any(|(known, of)| *known == address && of == name) {
            self.0.push((address, name.to_owned()));
        }
    }
}

pub(super) fn check(
    permissions: &Permissions,
    resolved: &Resolved,
    request: &Request,
) -> Result<(), Fault> {
    if permissions.net == Names::All {
        return Ok(());
    }
    let argument = |at: usize| request.arguments.get(at).unwrap_or(&Datum::Undefined);
    match request.kind.as_str() {
        "net.listen" | "net.connect" => {
            let place = argument(0);
            if let Some(path) = text(field(place, "path")) {
                return require(permissions, resolved, &path, None);
            }
            let host = text(field(place, "address")).or_else(|| text(field(place, "host")));
            let port = field(place, "port").as_number().unwrap_or(0.0);
            require(permissions, resolved, &host.unwrap_or_else(|| "::".into()), Some(port))
        }
        // What was given to the process was given to the program.
        "net.accept" | "net.open" | "net.close" => Ok(()),
        // Who may speak with somebody may have a socket for it; with whom is asked when it does.
        "udp.bind" if *field(argument(2), "implicit") == Datum::Bool(true) => {
            if permissions.net.any(|_| true) {
                return Ok(());
            }
            place(permissions, resolved, argument(0), argument(1))
        }
        "udp.bind" => place(permissions, resolved, argument(0), argument(1)),
        "udp.connect" => place(permissions, resolved, argument(1), argument(2)),
        "udp.send" => place(permissions, resolved, argument(2), argument(3)),
        "dns.lookup" | "dns.lookupService" | "dns.query" | "dns.reverse" => {
            require(permissions, resolved, &text(argument(0)).unwrap_or_default(), None)
        }
        _ => Ok(()),
    }
}

/// A host and a port that may be left out: then the socket has been allowed its peer before.
fn place(
    permissions: &Permissions,
    resolved: &Resolved,
    host: &Datum,
    port: &Datum,
) -> Result<(), Fault> {
    let Some(host) = text(host) else { return Ok(()) };
    require(permissions, resolved, &host, port.as_number())
}

fn require(
    permissions: &Permissions,
    resolved: &Resolved,
    host: &str,
    port: Option<f64>,
) -> Result<(), Fault> {
    let names =
        resolved.0.iter().filter(|(address, _)| address == host).map(|(_, name)| name.as_str());
    let is_allowed = std::iter::once(host)
        .chain(names)
        .any(|host| permissions.net.any(|allowed| means(allowed, host, port)));
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
fn means(allowed: &str, host: &str, port: Option<f64>) -> bool {
    let (name, only) = split(allowed);
    let is_host = match (name.parse::<IpAddr>(), host.parse::<IpAddr>()) {
        (Ok(one), Ok(other)) => one == other,
        _ => name.trim_end_matches('.').eq_ignore_ascii_case(host.trim_end_matches('.')),
    };
    // To look a name up is allowed for whatever port it may be spoken with.
    is_host && (only.is_none() || port.is_none() || only == port)
}

/// `host`, `host:port`, `[address]:port`, or an address of IPv6 alone.
fn split(place: &str) -> (&str, Option<f64>) {
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
