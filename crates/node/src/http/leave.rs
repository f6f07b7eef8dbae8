//! Responses that leave at once: head, body and write in one call, for those to which nothing unusual has
//! happened. JavaScript has the rules for all others, and does what these do more slowly.

use super::{consume, store};
use crate::gate::IntoValue;
use crate::state::state;
use hemiola_engine::beyond;
use hemiola_engine::bytes;
use hemiola_engine::call::{Arg, Call, Fresh};
use hemiola_engine::look::{Seen, Set};
use hemiola_engine::native;
use hemiola_engine::raw;
use hemiola_gate::{Checked, Pieces, StreamCall};
use rquickjs::{Ctx, Function, Result, TypedArray};

/// The function of this file that goes by that name on `binding`.
pub(super) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    let (name, length, native) = match name {
        "httpWriteHead" => (c"httpWriteHead", 3, native!(write_head)),
        "httpEnd" => (c"httpEnd", 3, native!(end)),
        _ => return None,
    };
    Some(raw::function(ctx, name, length, 0, native).and_then(Function::from_value))
}

/// What the library knows of responses and what they go over: names to look for, and what is to be found there.
/// `internal/http/response` has the same order.
#[derive(Clone, Copy)]
struct Known<'a> {
    names: Seen<'a>,
    unsent: Seen<'a>,
    headless: Seen<'a>,
    making: Seen<'a>,
    implicit: Seen<'a>,
    statuses: Seen<'a>,
    usual_statuses: Seen<'a>,
    /// One response for each layout that those have to which nothing unusual has happened.
    ordinary: Seen<'a>,
    connection_names: Seen<'a>,
    socket_names: Seen<'a>,
    idle_socket: Seen<'a>,
    handle_names: Seen<'a>,
    idle_handle: Seen<'a>,
    idle_state: Seen<'a>,
    idle_life: Seen<'a>,
}

impl<'a> Known<'a> {
    fn of(known: Arg<'a>) -> Option<Self> {
        let parts = Seen::of(known)?.parts()?;
        let [
            names,
            unsent,
            headless,
            making,
            implicit,
            statuses,
            usual_statuses,
            ordinary,
            connection_names,
            socket_names,
            idle_socket,
            handle_names,
            idle_handle,
            idle_state,
            idle_life,
        ] = parts;
        Some(Self {
            names,
            unsent,
            headless,
            making,
            implicit,
            statuses,
            usual_statuses,
            ordinary,
            connection_names,
            socket_names,
            idle_socket,
            handle_names,
            idle_handle,
            idle_state,
            idle_life,
        })
    }
}

// The places of the names of a response.
const CONNECTION: usize = 0;
const SOCKET: usize = 1;
const HEADER: usize = 2;
const TIMEOUT: usize = 3;
const HEADERS: usize = 4;
const CONTENT_LENGTH: usize = 5;
const STATUS_MESSAGE: usize = 6;
const HEADER_SENT: usize = 7;
const FINISHED: usize = 8;
const CHUNKED: usize = 9;
const EVENTS: usize = 10;
// Of a connection.
const HANDLING: usize = 0;
const HAS_LEFT: usize = 1;
// Of a socket.
const MESSAGE: usize = 0;
const HANDLE: usize = 1;
const STATE: usize = 2;
const LIFE: usize = 3;
// Of a handle.
const STREAM: usize = 0;
const WRITTEN: usize = 1;
const WRITES: usize = 2;

/// Larger bodies go another way.
const SMALL: usize = 64 * 1024;

/// A head that was made, and what follows from it.
struct Head {
    bytes: Vec<u8>,
    /// The length that the headers tell.
    given_length: Option<f64>,
    /// The layout of the response, if it is one of those that are known.
    layout: Option<i32>,
}

/// The head of a response with status 200 and a body, over a connection of HTTP/1.1 that is kept; nothing if it takes
/// more than that. The body is so long, or comes in chunks.
fn make_head(
    call: &Call<'_>,
    known: Known<'_>,
    response: Seen<'_>,
    given: Arg<'_>,
    length: Option<usize>,
) -> Option<Head> {
    let layout =
        (0..8).find(|&at| known.ordinary.part(at).is_some_and(|one| response.same_layout(one)));
    if layout.is_none() {
        Seen::of(response.get(known.names, CONNECTION)?)?;
        if !response.agrees(known.headless) {
            return None;
        }
    }
    if !response.agrees(known.making) || !known.statuses.agrees(known.usual_statuses) {
        return None;
    }
    let timeout = response.get(known.names, TIMEOUT)?.number()?;
    let seconds = (timeout / 1000.0) as u32;
    // That would say that the connection is not kept at all.
    if seconds == 0 && timeout > 0.0 {
        return None;
    }
    let set = response.get(known.names, HEADERS)?;
    let mut bytes = Vec::with_capacity(256);
    bytes.extend_from_slice(b"HTTP/1.1 200 OK\r\n");
    let given_length = match (set.is_null(), given.is_undefined()) {
        (true, true) => None,
        (true, false) => store::add_fields(call, &mut bytes, Seen::of(given)?, false)?,
        (false, true) => store::add_fields(call, &mut bytes, Seen::of(set)?, true)?,
        // They are put together elsewhere.
        (false, false) => return None,
    };
    store::add_date(&mut bytes);
    store::add_keep_alive(&mut bytes, seconds);
    if given_length.is_none() {
        store::add_length(&mut bytes, length.map_or(-1.0, |length| length as f64));
    }
    bytes.extend_from_slice(b"\r\n");
    Some(Head { bytes, given_length, layout: layout.map(|at| at as i32) })
}

/// Notes a head and what it says in the response.
fn keep_head(
    call: &Call<'_>,
    names: Seen<'_>,
    response: Seen<'_>,
    head: &Head,
    length: Option<usize>,
) -> Result<()> {
    match head.given_length.or(length.map(|length| length as f64)) {
        Some(length) => response.set(call, names, CONTENT_LENGTH, Set::Number(length))?,
        None => response.set(call, names, CHUNKED, Set::Truth(true))?,
    }
    response.set(call, names, STATUS_MESSAGE, Set::Ascii(b"OK"))?;
    response.set(call, names, HEADER, Set::Ascii(&head.bytes))
}

/// `httpWriteHead(known, response, headers)`: makes the head of an ordinary response with status 200. Gives the number
/// of its layout, -1 if that is none of those that are known; undefined, with nothing done, if it takes more than that.
fn write_head(call: &Call<'_>) -> Result<Fresh> {
    let make = || {
        let known = Known::of(call.at(0))?;
        let response = Seen::of(call.at(1))?;
        let head = make_head(call, known, response, call.at(2), None)?;
        Some((known, response, head))
    };
    let Some((known, response, head)) = make() else { return Ok(Fresh::UNDEFINED) };
    keep_head(call, known.names, response, &head, None)?;
    Ok(Fresh::from(head.layout.unwrap_or(-1)))
}

/// The stream that a response goes over, and how many bytes were written to it, if it can be written there at once.
fn way(known: Known<'_>, response: Seen<'_>) -> Option<(u64, f64)> {
    if !response.agrees(known.unsent) {
        return None;
    }
    Seen::of(response.get(known.names, CONNECTION)?)?;
    let socket = Seen::of(response.get(known.names, SOCKET)?)?;
    if !response.is(socket.get(known.socket_names, MESSAGE)?) || !socket.agrees(known.idle_socket) {
        return None;
    }
    let state = Seen::of(socket.get(known.socket_names, STATE)?)?;
    let life = Seen::of(state.get(known.socket_names, LIFE)?)?;
    let handle = Seen::of(socket.get(known.socket_names, HANDLE)?)?;
    let is_idle = state.agrees(known.idle_state)
        && life.agrees(known.idle_life)
        && handle.agrees(known.idle_handle)
        && handle.get(known.handle_names, WRITES)?.is_undefined();
    if !is_idle {
        return None;
    }
    let stream = handle.get(known.handle_names, STREAM)?.number()?;
    let written = handle.get(known.handle_names, WRITTEN)?.number()?;
    Some((stream as u64, written))
}

/// Gives `act` the bytes of a body, or of none; nothing if it is too large, or no body.
fn with_body<R>(call: &Call<'_>, body: Arg<'_>, act: impl FnOnce(&[u8]) -> R) -> Option<R> {
    if body.is_undefined() {
        return Some(act(&[]));
    }
    if let Some(text) = body.ascii() {
        return (text.len() <= SMALL).then(|| act(text));
    }
    let value = call.arg(2);
    if value.is_string() {
        // Each of its units takes three bytes at most, so this may be a little less than is allowed.
        let text = beyond::utf8(&value).ok()?;
        return (text.len() <= SMALL).then(|| act(&text));
    }
    let array = value.as_object()?.as_typed_array::<u8>()?;
    let copy = bytes::copy(array, 0, usize::MAX);
    (copy.len() <= SMALL).then(|| act(&copy))
}

/// `httpEnd(known, response, body)`: writes an ordinary response of which nothing has been sent, as far as the system
/// takes it. True if that is all there is to do. Else a number, which is odd if somebody is to be told that it has left,
/// and half of which is the number of its layout and one, if a head was made and the layout is known; or the bytes that
/// are left; or a fault. Undefined, with nothing done, if it takes more than that.
fn end(call: &Call<'_>) -> Result<Fresh> {
    let prepare = || {
        let known = Known::of(call.at(0))?;
        let response = Seen::of(call.at(1))?;
        let way = way(known, response)?;
        let header = response.get(known.names, HEADER)?;
        if header.is_null() {
            if !response.agrees(known.implicit) {
                return None;
            }
            let (head, length, bytes) = with_body(call, call.at(2), |body| {
                let head = make_head(call, known, response, Arg::UNDEFINED, Some(body.len()))?;
                let mut bytes = Vec::with_capacity(head.bytes.len() + body.len());
                bytes.extend_from_slice(&head.bytes);
                bytes.extend_from_slice(body);
                Some((head, body.len(), bytes))
            })??;
            return Some((known, response, way, Some((head, length)), bytes));
        }
        let head = header.ascii()?;
        let is_chunked = response.get(known.names, CHUNKED)?.truth()?;
        let bytes = with_body(call, call.at(2), |body| {
            let mut bytes = Vec::with_capacity(head.len() + body.len() + 32);
            bytes.extend_from_slice(head);
            consume::add_body(&mut bytes, body, is_chunked, None);
            bytes
        })?;
        Some((known, response, way, None, bytes))
    };
    let Some((known, response, way, head, bytes)) = prepare() else { return Ok(Fresh::UNDEFINED) };
    let Known { names, connection_names, handle_names, .. } = known;
    let (stream, written) = way;
    // Setting something may run anything: what is looked at is found anew each time.
    let object = |at: usize| response.get(names, at).and_then(Seen::of);
    let connection = || object(CONNECTION);
    let handle = || object(SOCKET)?.get(known.socket_names, HANDLE).and_then(Seen::of);
    let is_alone = response.get(names, EVENTS).is_some_and(Arg::is_undefined)
        && connection()
            .and_then(|connection| connection.get(connection_names, HANDLING))
            .is_some_and(|handled| response.is(handled));
    let layout = head.as_ref().and_then(|(head, _)| head.layout);
    if let Some((head, length)) = head {
        keep_head(call, names, response, &head, Some(length))?;
    }
    let length = bytes.len();
    let ctx = call.ctx();
    // Some may be left, and a copy is cheaper than a second way for them.
    let pieces = Pieces::One(bytes.clone());
    let request = Checked::on_stream(StreamCall::TryWrite { stream, bytes: pieces });
    let sent = match state(&ctx).engine.perform_counted(request) {
        Ok(sent) => sent.as_number().unwrap_or(0.0) as usize,
        Err(fault) => return Ok(Fresh::from(fault.into_js(&ctx)?)),
    };
    response.set(call, names, HEADER_SENT, Set::Truth(true))?;
    response.set(call, names, FINISHED, Set::Truth(true))?;
    if sent < length {
        let rest = TypedArray::<u8>::new(ctx, bytes[sent..].to_vec())?;
        return Ok(Fresh::from(rest.into_value()));
    }
    if let Some(handle) = handle() {
        handle.set(call, handle_names, WRITTEN, Set::Number(written + length as f64))?;
    }
    if is_alone && let Some(connection) = connection() {
        connection.set(call, connection_names, HAS_LEFT, Set::Truth(true))?;
    }
    match (is_alone, layout) {
        (true, None | Some(0)) => Ok(Fresh::from(true)),
        (_, layout) => Ok(Fresh::from((layout.map_or(0, |at| at + 1) << 1) | i32::from(!is_alone))),
    }
}
