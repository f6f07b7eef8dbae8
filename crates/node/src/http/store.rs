//! Heads of responses, written at once. What is in any way unusual is left to JavaScript, which has
//! the rules and the errors for it.

use super::{chars, consume};
use hemiola_engine::bridge;
use rquickjs::{Array, Ctx, Function, Object, Result, Value};
use std::cell::RefCell;

/// The function of this file that goes by that name on `binding`.
pub(super) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "httpStoreHead" => Function::new(ctx.clone(), store),
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
    let mut given_length = None;
    if let Some(headers) = headers.as_object() {
        if headers.is_array() {
            return Ok(false);
        }
        for field in headers.props::<String, Value<'js>>() {
            let (mut name, mut value) = field?;
            if flags & flag::PAIRS != 0 {
                let Some(pair) = value.as_array().cloned() else { return Ok(false) };
                name = match name_of(&pair)? {
                    Some(name) => name,
                    None => return Ok(false),
                };
                value = pair.get(1)?;
            }
            if !is_ordinary(&name) {
                return Ok(false);
            }
            head.extend_from_slice(name.as_bytes());
            head.extend_from_slice(b": ");
            let value_start = head.len();
            if let Some(number) = value.as_int() {
                head.extend_from_slice(number.to_string().as_bytes());
            } else if let Some(text) = value.as_string() {
                let text = hemiola_engine::beyond::utf8(text.as_value())?;
                if !text.is_ascii() || !text.iter().all(|&byte| chars::is_value(byte)) {
                    return Ok(false);
                }
                head.extend_from_slice(&text);
            } else {
                return Ok(false);
            }
            if name.len() == 14 && name.eq_ignore_ascii_case("content-length") {
                let digits = std::str::from_utf8(&head[value_start..]).ok();
                let Some(number) = digits.and_then(|digits| digits.parse::<u64>().ok()) else {
                    return Ok(false);
                };
                given_length = Some(number as f64);
            }
            head.extend_from_slice(b"\r\n");
        }
    }
    if flags & flag::DATE != 0 {
        head.extend_from_slice(b"Date: ");
        append_date(&mut head);
        head.extend_from_slice(b"\r\n");
    }
    if flags & flag::KEEP_ALIVE == 0 {
        head.extend_from_slice(b"Connection: close\r\n");
    } else {
        head.extend_from_slice(b"Connection: keep-alive\r\n");
        if seconds > 0 {
            head.extend_from_slice(format!("Keep-Alive: timeout={seconds}\r\n").as_bytes());
        }
    }
    let mut chunked = false;
    if given_length.is_none() && flags & flag::HAS_BODY != 0 {
        if length >= 0.0 {
            head.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes());
        } else {
            head.extend_from_slice(b"Transfer-Encoding: chunked\r\n");
            chunked = true;
        }
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
