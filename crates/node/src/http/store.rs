//! Heads of responses, written at once. What is in any way unusual is left to JavaScript, which has
//! the rules and the errors for it.

use super::{chars, consume};
use hemiola_engine::bridge;
use hemiola_engine::call::{Arg, Call, Fresh};
use hemiola_engine::look::Seen;
use hemiola_engine::native;
use hemiola_engine::raw;
use rquickjs::{Ctx, Function, Result};
use std::cell::RefCell;

/// The function of this file that goes by that name on `binding`.
pub(super) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    (name == "httpStoreHead").then(|| {
        raw::function(ctx, c"httpStoreHead", 6, 0, native!(store)).and_then(Function::from_value)
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
fn store(call: &Call<'_>) -> Result<Fresh> {
    let number = |at: usize| call.at(at).number().unwrap_or_default();
    let (flags, length, seconds) = (number(3) as u32, number(4), number(5) as u32);
    let mut head = consume::text_bytes(&call.arg(1), true)?;
    let given_length = match Seen::of(call.at(2)) {
        None => None,
        Some(headers) => match add_fields(call, &mut head, headers, flags & flag::PAIRS != 0) {
            Some(given_length) => given_length,
            None => return Ok(Fresh::from(false)),
        },
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
    let message = call.arg(0).into_object().expect("the library passes a response");
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
    Ok(Fresh::from(true))
}

/// Adds the fields of an object, and gives the length that they tell; nothing if any of them takes more than that.
/// Names and values may be in pairs, under keys of their own.
pub(super) fn add_fields(
    call: &Call<'_>,
    head: &mut Vec<u8>,
    headers: Seen<'_>,
    in_pairs: bool,
) -> Option<Option<f64>> {
    let mut given_length = None;
    let is_added = headers.each(call, |key, value| {
        if !in_pairs {
            return add_field(head, key, value, &mut given_length).is_some();
        }
        let mut add = || {
            let pair = Seen::of(value)?;
            add_field(head, pair.element(0)?.ascii()?, pair.element(1)?, &mut given_length)
        };
        add().is_some()
    });
    is_added.then_some(given_length)
}

/// Adds a field; nothing if it takes more than that.
fn add_field(
    head: &mut Vec<u8>,
    name: &[u8],
    value: Arg<'_>,
    given_length: &mut Option<f64>,
) -> Option<()> {
    if !is_ordinary(name) {
        return None;
    }
    head.extend_from_slice(name);
    head.extend_from_slice(b": ");
    let value_start = head.len();
    if let Some(text) = value.ascii() {
        if !text.iter().all(|&byte| chars::is_value(byte)) {
            return None;
        }
        head.extend_from_slice(text);
    } else {
        let number = value.number()?;
        let whole = number as i32;
        if f64::from(whole) != number || (whole == 0 && number.is_sign_negative()) {
            return None;
        }
        head.extend_from_slice(whole.to_string().as_bytes());
    }
    if name.len() == 14 && name.eq_ignore_ascii_case(b"content-length") {
        let digits = std::str::from_utf8(&head[value_start..]).ok()?;
        *given_length = Some(digits.parse::<u64>().ok()? as f64);
    }
    head.extend_from_slice(b"\r\n");
    Some(())
}

pub(super) fn add_date(head: &mut Vec<u8>) {
    head.extend_from_slice(b"Date: ");
    append_date(head);
    head.extend_from_slice(b"\r\n");
}

/// Says that the connection is kept, for so many seconds if not zero.
pub(super) fn add_keep_alive(head: &mut Vec<u8>, seconds: u32) {
    head.extend_from_slice(b"Connection: keep-alive\r\n");
    if seconds > 0 {
        head.extend_from_slice(b"Keep-Alive: timeout=");
        consume::append_number(head, u64::from(seconds), 10);
        head.extend_from_slice(b"\r\n");
    }
}

/// Says how long the body is, or that it comes in chunks if that is less than zero.
pub(super) fn add_length(head: &mut Vec<u8>, length: f64) {
    if length < 0.0 {
        head.extend_from_slice(b"Transfer-Encoding: chunked\r\n");
    } else {
        head.extend_from_slice(b"Content-Length: ");
        consume::append_number(head, length as u64, 10);
        head.extend_from_slice(b"\r\n");
    }
}

/// Whether a field has a name, and one that says nothing about the message but perhaps its length.
fn is_ordinary(name: &[u8]) -> bool {
    const REMARKABLE: &[&[u8]] = &[
        b"connection",
        b"transfer-encoding",
        b"date",
        b"expect",
        b"trailer",
        b"keep-alive",
        b"cookie",
    ];
    !name.is_empty()
        && name.iter().all(|&byte| chars::is_token(byte))
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
