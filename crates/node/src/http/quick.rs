//! Heads that are whole and ordinary, which nearly all are, by `httparse`.

use super::chars::is_url;
use super::fields::Said;
use super::method;
use super::start::Kind;
use std::ops::Range;

/// What was found; places are counted from the first byte.
pub(crate) struct Found {
    pub(crate) method: usize,
    pub(crate) status: u16,
    pub(crate) minor: u8,
    pub(crate) text: Range<usize>,
    pub(crate) fields: Range<usize>,
    pub(crate) end: usize,
    pub(crate) said: Said,
}

/// Heads with more fields are read slowly.
const MOST_FIELDS: usize = 48;

/// The head at the start of these bytes; nothing if it is not whole, or in any way remarkable.
pub(crate) fn head(kind: Kind, bytes: &[u8], most: usize, lenient: bool) -> Option<Found> {
    if lenient || matches!(bytes.first(), None | Some(b'\r' | b'\n')) {
        return None;
    }
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let (method, status, minor, text, end, fields) = match kind {
        Kind::Request => {
            let mut request = httparse::Request::new(&mut fields);
            let Ok(httparse::Status::Complete(end)) = request.parse(bytes) else { return None };
            let method = method::number(request.method?.as_bytes())?;
            let text = request.path?.as_bytes();
            if method >= method::OF_HTTP
                || method == method::CONNECT
                || !text.starts_with(b"/")
                || !text.iter().all(|&byte| is_url(byte) || byte == b'?')
            {
                return None;
            }
            (method, 0, request.version?, text, end, request.headers)
        }
        Kind::Response => {
            let mut response = httparse::Response::new(&mut fields);
            let Ok(httparse::Status::Complete(end)) = response.parse(bytes) else { return None };
            let text = response.reason?.as_bytes();
            if text.is_empty() {
                return None;
            }
            (0, response.code?, response.version?, text, end, response.headers)
        }
    };
    // Some ends of lines that it takes are none.
    let mut line = 0;
    for place in memchr::memchr_iter(b'\n', &bytes[..end]) {
        if place == 0 || bytes[place - 1] != b'\r' {
            return None;
        }
        if line == 0 {
            line = place + 1;
        }
    }
    let text = place_of(text, bytes);
    let mut size = text.len();
    let mut said = Said::default();
    for field in fields.iter() {
        size += field.name.len() + field.value.len();
        let is_alone = bytes.get(place_of(field.value, bytes).end) == Some(&b'\r');
        note(&mut said, field.name.as_bytes(), field.value, is_alone)?;
    }
    // Blanks behind values count, too: a head near the limit is measured with care.
    if size + MOST_FIELDS >= most {
        return None;
    }
    let last = end - 2;
    if last < line || !is_plain(&bytes[line..last]) {
        return None;
    }
    Some(Found { method, status, minor, text, fields: line..last, end, said })
}

/// Where a part of some bytes is in them.
fn place_of(part: &[u8], all: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr() - all.as_ptr().addr();
    start..start + part.len()
}

/// Whether no line of fields begins with a blank, which would go on with the one before.
fn is_plain(lines: &[u8]) -> bool {
    !matches!(lines.first(), Some(b' ' | b'\t'))
        && memchr::memchr_iter(b'\n', lines)
            .all(|place| !matches!(lines.get(place + 1), Some(b' ' | b'\t')))
}

/// Notes what a field says about the message; nothing if that needs a closer look, as where blanks
/// follow the value.
fn note(said: &mut Said, name: &[u8], value: &[u8], is_alone: bool) -> Option<()> {
    match name.len() {
        4 if name.eq_ignore_ascii_case(b"host") => said.host = true,
        6 if name.eq_ignore_ascii_case(b"expect") => said.expect = true,
        7 if name.eq_ignore_ascii_case(b"upgrade") => said.upgrade |= !value.is_empty(),
        10 if name.eq_ignore_ascii_case(b"connection") => {
            if !is_alone {
                return None;
            } else if value.eq_ignore_ascii_case(b"keep-alive") {
                said.keep_alive = true;
            } else if value.eq_ignore_ascii_case(b"close") {
                said.close = true;
            } else if value.eq_ignore_ascii_case(b"upgrade") {
                said.connection_upgrade = true;
            } else {
                return None;
            }
        }
        14 if name.eq_ignore_ascii_case(b"content-length") => {
            let digits = value.len() <= 18 && value.iter().all(u8::is_ascii_digit);
            if !is_alone || !digits || value.is_empty() || said.length.is_some() || said.coded {
                return None;
            }
            let text = std::str::from_utf8(value).ok()?;
            said.length = Some(text.parse().ok()?);
        }
        16 if name.eq_ignore_ascii_case(b"proxy-connection") => return None,
        17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
            if !is_alone
                || !value.eq_ignore_ascii_case(b"chunked")
                || said.length.is_some()
                || said.coded
            {
                return None;
            }
            said.coded = true;
            said.chunked = true;
        }
        _ => {}
    }
    Some(())
}
