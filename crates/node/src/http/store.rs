//! Heads of responses, written at once. What is in any way unusual is left to JavaScript, which has
//! the rules and the errors for it.

use super::{chars, consume};
use hemiola_engine::beyond::same_layout;
use hemiola_engine::bridge;
use rquickjs::{Array, Ctx, Function, Object, Result, Value};
use std::cell::RefCell;

/// The function of this file that goes by that name on `binding`.
pub(super) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "httpStoreHead" => Function::new(ctx.clone(), store),
        "httpPlainHead" => Function::new(ctx.clone(), plain),
        _ => return None,
    })
}

/// What the flags of `httpStoreHead` say; `internal/http/response` has the same numbers.
mod flag {
    pub(super) const DATE: u32 = 1;
    pub(super) const KEEP_ALIVE: u32 = 2;
    pub(super) const HAS_BODY: u32 = 4;
    /// Names and values are in pairs, under keys of their own.
    pub(super) const PAIRS: u32 = 8;
}

/// `httpStoreHead(message, firstLine, headers, flags, length, seconds)`: writes the head of a response
/// that goes over a connection of HTTP/1.1 into `message._header`, and notes what follows from it.
/// False, with nothing done, if it takes more than that.
fn store<'js>(
    message: Object<'js>,
    first: rquickjs::String<'js>,
    headers: Value<'js>,
    flags: u32,
    length: f64,
    seconds: u32,
) -> Result<bool> {
    let mut head = consume::text_bytes(first.as_value(), true)?;
    let Some(given_length) = add_fields(&mut head, &headers, flags & flag::PAIRS != 0)? else {
        return Ok(false);
    };
    if flags & flag::DATE != 0 {
        add_date(&mut head);
    }
    if flags & flag::KEEP_ALIVE == 0 {
        head.extend_from_slice(b"Connection: close\r\n");
    } else {
        add_keep_alive(&mut head, seconds);
    }
    let mut chunked = false;
    if given_length.is_none() && flags & flag::HAS_BODY != 0 {
        chunked = length < 0.0;
        add_length(&mut head, length);
    }
    head.extend_from_slice(b"\r\n");
    message.set("_header", super::latin1(message.ctx(), &head)?)?;
    if let Some(length) = given_length {
        message.set("_contentLength", length)?;
    }
    if chunked {
        message.set("chunkedEncoding", true)?;
    }
    if flags & flag::KEEP_ALIVE == 0 {
        message.set("_last", true)?;
    }
    Ok(true)
}

/// `httpPlainHead(response, ordinary, headers, inPairs, timeout, length)`: the head of a response with status 200 and a
/// body, over a connection of HTTP/1.1 that is kept, to which nothing has happened but what has happened to `ordinary`.
/// Undefined, with nothing done, if it takes more than that. A length among the headers becomes `_contentLength`.
fn plain<'js>(
    response: Object<'js>,
    ordinary: Object<'js>,
    headers: Value<'js>,
    in_pairs: bool,
    timeout: Value<'js>,
    length: f64,
) -> Result<Option<rquickjs::String<'js>>> {
    let Some(timeout) = timeout.as_number() else {
        return Ok(None);
    };
    let seconds = (timeout / 1000.0) as u32;
    // A timeout of less than a second would say that the connection is not kept at all.
    if !same_layout(&response, &ordinary) || (seconds == 0 && timeout > 0.0) {
        return Ok(None);
    }
    if !headers.is_undefined() && !headers.is_object() {
        return Ok(None);
    }
    let mut head = Vec::with_capacity(256);
    head.extend_from_slice(b"HTTP/1.1 200 OK\r\n");
    let Some(given_length) = add_fields(&mut head, &headers, in_pairs)? else {
        return Ok(None);
    };
    add_date(&mut head);
    add_keep_alive(&mut head, seconds);
    match given_length {
        None => add_length(&mut head, length),
        Some(length) => response.set("_contentLength", length)?,
    }
    head.extend_from_slice(b"\r\n");
    let text = std::str::from_utf8(&head).expect("only ASCII was added");
    rquickjs::String::from_str(response.ctx().clone(), text).map(Some)
}

/// Adds the fields of an object, and gives the length that they tell; nothing if any of them takes more than that.
/// Names and values may be in pairs, under keys of their own.
fn add_fields(
    head: &mut Vec<u8>,
    headers: &Value<'_>,
    in_pairs: bool,
) -> Result<Option<Option<f64>>> {
    let mut given_length = None;
    let Some(headers) = headers.as_object() else {
        return Ok(Some(None));
    };
    if headers.is_array() {
        return Ok(None);
    }
    for field in headers.props::<String, Value<'_>>() {
        let (mut name, mut value) = field?;
        if in_pairs {
            let Some(pair) = value.as_array().cloned() else {
                return Ok(None);
            };
            name = match name_of(&pair)? {
                Some(name) => name,
                None => return Ok(None),
            };
            value = pair.get(1)?;
        }
        if !is_ordinary(&name) {
            return Ok(None);
        }
        head.extend_from_slice(name.as_bytes());
        head.extend_from_slice(b": ");
        let value_start = head.len();
        if let Some(number) = value.as_int() {
            head.extend_from_slice(number.to_string().as_bytes());
        } else if let Some(text) = value.as_string() {
            let text = hemiola_engine::beyond::utf8(text.as_value())?;
            if !text.is_ascii() || !text.iter().all(|&byte| chars::is_value(byte)) {
                return Ok(None);
            }
            head.extend_from_slice(&text);
        } else {
            return Ok(None);
        }
        if name.len() == 14 && name.eq_ignore_ascii_case("content-length") {
            let digits = std::str::from_utf8(&head[value_start..]).ok();
            let Some(number) = digits.and_then(|digits| digits.parse::<u64>().ok()) else {
                return Ok(None);
            };
            given_length = Some(number as f64);
        }
        head.extend_from_slice(b"\r\n");
    }
    Ok(Some(given_length))
}

fn add_date(head: &mut Vec<u8>) {
    head.extend_from_slice(b"Date: ");
    append_date(head);
    head.extend_from_slice(b"\r\n");
}

/// Says that the connection is kept, for so many seconds if not zero.
fn add_keep_alive(head: &mut Vec<u8>, seconds: u32) {
    head.extend_from_slice(b"Connection: keep-alive\r\n");
    if seconds > 0 {
        head.extend_from_slice(b"Keep-Alive: timeout=");
        consume::append_number(head, u64::from(seconds), 10);
        head.extend_from_slice(b"\r\n");
    }
}

/// Says how long the body is, or that it comes in chunks if that is less than zero.
fn add_length(head: &mut Vec<u8>, length: f64) {
    if length < 0.0 {
        head.extend_from_slice(b"Transfer-Encoding: chunked\r\n");
    } else {
        head.extend_from_slice(b"Content-Length: ");
        consume::append_number(head, length as u64, 10);
        head.extend_from_slice(b"\r\n");
    }
}

fn name_of(pair: &Array<'_>) -> Result<Option<String>> {
    let name: Value<'_> = pair.get(0)?;
    name.as_string().map(|name| name.to_string()).transpose()
}

/// Whether a field has a name, and one that says nothing about the message but perhaps its length.
fn is_ordinary(name: &str) -> bool {
    const REMARKABLE: &[&str] =
        &["connection", "transfer-encoding", "date", "expect", "trailer", "keep-alive", "cookie"];
    !name.is_empty()
        && name.bytes().all(chars::is_token)
        && !REMARKABLE.iter().any(|other| name.eq_ignore_ascii_case(other))
}

thread_local! {
    /// The last date that was written, and its second.
    static DATE: RefCell<(u64, String)> = const { RefCell::new((u64::MAX, String::new())) };
}

/// Appends the time as messages tell it, to the second.
fn append_date(head: &mut Vec<u8>) {
    let second = bridge::with(|context| context.wall_clock()) / 1_000_000;
    DATE.with_borrow_mut(|(last, text)| {
        if *last != second {
            *last = second;
            *text = date(second);
        }
        head.extend_from_slice(text.as_bytes());
    });
}

/// A second since the start of 1970 in the words of HTTP.
fn date(second: u64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let days = second / 86_400;
    let (mut year, mut left) = (1970, days);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 0;
    loop {
        let length = match month {
            1 => 28 + u64::from(is_leap(year)),
            3 | 5 | 8 | 10 => 30,
            _ => 31,
        };
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    let of_day = second % 86_400;
    format!(
        "{}, {:02} {} {year} {:02}:{:02}:{:02} GMT",
        DAYS[(days % 7) as usize],
        left + 1,
        MONTHS[month],
        of_day / 3600,
        of_day / 60 % 60,
        of_day % 60
    )
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(date(951_827_696), "Tue, 29 Feb 2000 12:34:56 GMT");
        assert_eq!(date(1_704_067_199), "Sun, 31 Dec 2023 23:59:59 GMT");
        assert_eq!(date(4_107_542_400), "Mon, 01 Mar 2100 00:00:00 GMT");
    }
}
