//! The methods that requests may have, by the names they go by on the wire.

/// All that Node's parser knows; some belong to protocols that look like HTTP.
pub(crate) const METHODS: &[&str] = &[
    "DELETE",
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "CONNECT",
    "OPTIONS",
    "TRACE",
    "COPY",
    "LOCK",
    "MKCOL",
    "MOVE",
    "PROPFIND",
    "PROPPATCH",
    "SEARCH",
    "UNLOCK",
    "BIND",
    "REBIND",
    "UNBIND",
    "ACL",
    "REPORT",
    "MKACTIVITY",
    "CHECKOUT",
    "MERGE",
    "M-SEARCH",
    "NOTIFY",
    "SUBSCRIBE",
    "UNSUBSCRIBE",
    "PATCH",
    "PURGE",
    "MKCALENDAR",
    "LINK",
    "UNLINK",
    "SOURCE",
    "QUERY",
    "PRI",
    "DESCRIBE",
    "ANNOUNCE",
    "SETUP",
    "PLAY",
    "PAUSE",
    "TEARDOWN",
    "GET_PARAMETER",
    "SET_PARAMETER",
    "REDIRECT",
    "RECORD",
    "FLUSH",
];

/// How many of them a program is told of: `http.METHODS`.
pub(crate) const OF_HTTP: usize = 35;

pub(crate) const GET: usize = 1;
pub(crate) const POST: usize = 3;
pub(crate) const CONNECT: usize = 5;
pub(crate) const OPTIONS: usize = 6;
pub(crate) const SOURCE: usize = 33;
pub(crate) const PRI: usize = 35;
const FLUSH: usize = 46;

/// The number of a method.
pub(crate) fn number(name: &[u8]) -> Option<usize> {
    match name {
        b"GET" => Some(GET),
        b"POST" => Some(POST),
        _ => METHODS.iter().position(|method| method.as_bytes() == name),
    }
}

/// Whether some method begins like that.
pub(crate) fn begins(start: &[u8]) -> bool {
    METHODS.iter().any(|method| method.as_bytes().starts_with(start))
}

/// The protocols whose names stand before the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Http,
    Rtsp,
    Ice,
}

/// Why a method is none of that protocol's.
pub(crate) fn refuse(method: usize, protocol: Protocol) -> Option<&'static str> {
    match protocol {
        // Node takes the preface of HTTP/2 elsewhere.
        Protocol::Http if method > PRI => Some("Invalid method for HTTP/x.x request"),
        Protocol::Rtsp
            if !(matches!(method, GET | POST | OPTIONS) || (PRI + 1..=FLUSH).contains(&method)) =>
        {
            Some("Invalid method for RTSP/x.x request")
        }
        Protocol::Ice if method != SOURCE => Some("Expected SOURCE method for ICE/x.x request"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places_in_the_list() {
        for (at, name) in METHODS.iter().enumerate() {
            assert_eq!(number(name.as_bytes()), Some(at), "{name}");
        }
        for (at, name) in
            [(CONNECT, "CONNECT"), (OPTIONS, "OPTIONS"), (SOURCE, "SOURCE"), (PRI, "PRI")]
        {
            assert_eq!(METHODS[at], name);
        }
        assert_eq!(METHODS[FLUSH], "FLUSH");
        assert_eq!(METHODS[OF_HTTP], "PRI");
    }
}
