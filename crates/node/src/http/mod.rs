//! HTTP as the library needs it: a parser that is fed with bytes, and texts of fields taken apart.
//!
//! No sockets here: bytes come from wherever JavaScript gets them, and go wherever it sends them.

mod chars;
mod chunks;
mod collect;
mod consume;
mod fields;
mod leave;
mod method;
mod naming;
mod parser;
mod quick;
mod refusal;
mod start;
mod store;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use naming::native as name_native;

use collect::Shape;
use consume::Reading;
use hemiola_engine::class::{self, Instance};
use hemiola_engine::{bridge, bytes};
use parser::{Event, Head, Kind, Parser, Verdict};
use refusal::Refusal;
use rquickjs::prelude::Opt;
use rquickjs::{Array, Ctx, Function, IntoJs, Object, Result, TypedArray, Value};

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "httpParser" => Function::new(ctx.clone(), new_parser),
        "httpExecute" => Function::new(ctx.clone(), http_execute),
        "httpSince" => Function::new(ctx.clone(), since),
        "httpRested" => Function::new(ctx.clone(), rested),
        "httpFinish" => Function::new(ctx.clone(), finish),
        "httpClose" => Function::new(ctx.clone(), close),
        "httpFields" => Function::new(ctx.clone(), http_fields),
        "httpMethods" => Function::new(ctx.clone(), methods),
        "httpHeaderFault" => Function::new(ctx.clone(), header_fault),
        _ => {
            return consume::native(ctx, name)
                .or_else(|| store::native(ctx, name))
                .or_else(|| leave::native(ctx, name));
        }
    })
}

/// A parser as JavaScript holds it.
pub(crate) struct Handle {
    parser: Parser,
    reading: Reading,
    /// When the message that is being read began, in milliseconds; 0 between messages.
    since: f64,
    /// When there was nothing more to read of the last message, in milliseconds.
    rested: f64,
    /// Whether the message that is being read asked for another protocol, and nobody speaks it.
    is_declined: bool,
}

impl class::Kind for Handle {
    const NAME: &'static str = "HTTPParser";
}

/// `httpParser(ofResponses, mostHeaderBytes, lenient)`: a new parser.
fn new_parser<'js>(
    ctx: Ctx<'js>,
    of_responses: bool,
    most: usize,
    lenient: bool,
) -> Result<Instance<'js, Handle>> {
    let kind = if of_responses { Kind::Response } else { Kind::Request };
    let parser = Parser::new(kind, most, lenient);
    let reading = Reading::default();
    class::make(ctx, Handle { parser, reading, since: now(), rested: 0.0, is_declined: false })
}

/// Milliseconds since the start of the program.
fn now() -> f64 {
    bridge::with(|context| context.now()).as_micros() as f64 / 1_000.0
}

/// `httpSince(parser)`: when the message that is being read began; 0 if none is.
fn since(parser: Instance<'_, Handle>) -> f64 {
    parser.borrow().since
}

/// `httpRested(parser)`: since when it has waited for the next message, if it does.
fn rested(parser: Instance<'_, Handle>) -> f64 {
    parser.borrow().rested
}

/// Bytes for a parser: those that only it knows, or those of a typed array.
enum Source<'js> {
    Own(Vec<u8>),
    Shared(TypedArray<'js, u8>),
}

impl<'js> Source<'js> {
    /// The bytes. Nothing of the program may run while they are in use.
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Own(bytes) => bytes,
            // `execute`, which alone calls it, lets the program run only between two calls.
            Self::Shared(array) => bytes::seen(array),
        }
    }

    /// The bytes as an array, which they are from then on.
    fn shared(&mut self, ctx: &Ctx<'js>) -> Result<TypedArray<'js, u8>> {
        if let Self::Own(bytes) = self {
            *self = Self::Shared(bytes::array(ctx, std::mem::take(bytes))?);
        }
        match self {
            Self::Shared(array) => Ok(array.clone()),
            Self::Own(_) => unreachable!("it was made an array"),
        }
    }
}

/// What the flags of a head say; `internal/http/parser` has the same numbers.
mod flag {
    pub(super) const KEEP_ALIVE: u32 = 1;
    pub(super) const UPGRADE: u32 = 2;
    /// There is no body: the message is complete.
    pub(super) const COMPLETE: u32 = 4;
    pub(super) const HOST: u32 = 8;
    pub(super) const EXPECT: u32 = 16;
}

/// `httpExecute(parser, bytes, owner, onHead, onBody, onComplete)`: finds messages in bytes.
///
/// Calls `onHead(owner, flags, version, methodOrStatus, targetOrReason, fields)`, which says what to do
/// about the body (undefined or 0: as the head says; 1: none; 2: none, another protocol follows; 3: no other
/// protocol follows), `onBody(owner, bytes, from, to)`, and `onComplete(owner, trailers)`, which is not
/// called for a message whose head said that it is complete. Gives the number of bytes that were taken,
/// fewer than there are if another protocol follows or the parser was closed, or an object that tells
/// what is wrong.
fn http_execute<'js>(
    ctx: Ctx<'js>,
    parser: Instance<'js, Handle>,
    bytes: TypedArray<'js, u8>,
    owner: Value<'js>,
    on_head: Function<'js>,
    on_body: Function<'js>,
    on_complete: Function<'js>,
) -> Result<Value<'js>> {
    let mut source = Source::Shared(bytes);
    execute(&ctx, &parser, &mut source, &owner, &on_head, &on_body, &on_complete)
}

/// Finds messages in bytes, and tells of them.
fn execute<'js>(
    ctx: &Ctx<'js>,
    parser: &Instance<'js, Handle>,
    source: &mut Source<'js>,
    owner: &Value<'js>,
    on_head: &Function<'js>,
    on_body: &Function<'js>,
    on_complete: &Function<'js>,
) -> Result<Value<'js>> {
    let mut at = 0;
    let mut told = false;
    loop {
        let mut cell = parser.borrow_mut();
        let bytes = source.bytes();
        // Somebody may have taken bytes away while they were being read.
        let event = match at <= bytes.len() {
            true => cell.parser.next(bytes, &mut at),
            false => Ok(Event::Stopped),
        };
        match event {
            Ok(Event::More | Event::Stopped) => {
                if cell.parser.is_idle() {
                    cell.since = 0.0;
                    cell.rested = now();
                } else if cell.since == 0.0 {
                    cell.since = now();
                }
                return Ok(Value::new_number(ctx.clone(), at as f64));
            }
            Ok(Event::Head(head)) => {
                let version = u32::from(head.version.0) * 10 + u32::from(head.version.1);
                let number = if head.status > 0 { usize::from(head.status) } else { head.method };
                let text = latin1(ctx, head.text)?;
                let fields = latin1(ctx, head.fields)?;
                let flags = flags(&head);
                told = cell.parser.is_all();
                let flags = if told { flags | flag::COMPLETE } else { flags };
                drop(cell);
                let said: Value<'js> =
                    on_head.call((owner.clone(), flags, version, number, text, fields))?;
                let verdict = match said.as_int() {
                    Some(1) => Verdict::NoBody,
                    Some(2) => Verdict::Upgrade,
                    Some(3) => Verdict::NoUpgrade,
                    _ => Verdict::Ordinary,
                };
                if verdict != Verdict::Ordinary {
                    let mut cell = parser.borrow_mut();
                    cell.parser.decide(verdict);
                    cell.is_declined = verdict == Verdict::NoUpgrade;
                }
            }
            Ok(Event::Body(range)) => {
                drop(cell);
                let bytes = source.shared(ctx)?;
                on_body.call::<_, ()>((owner.clone(), bytes, range.start, range.end))?;
            }
            Ok(Event::Complete(trailers)) => {
                let is_told = std::mem::take(&mut told);
                let trailers = if is_told { None } else { Some(latin1(ctx, trailers)?) };
                // Who asked for another protocol may have begun with it: that is no request.
                if std::mem::take(&mut cell.is_declined) {
                    at = bytes.len();
                }
                if let Some(trailers) = trailers {
                    drop(cell);
                    on_complete.call::<_, ()>((owner.clone(), trailers))?;
                }
            }
            Err(refusal) => {
                cell.parser.close();
                return describe(ctx, &refusal);
            }
        }
    }
}

fn flags(head: &Head<'_>) -> u32 {
    let flag = |set: bool, flag: u32| if set { flag } else { 0 };
    flag(head.keep_alive, flag::KEEP_ALIVE)
        | flag(head.upgrade, flag::UPGRADE)
        | flag(head.said.host, flag::HOST)
        | flag(head.said.expect, flag::EXPECT)
}

fn describe<'js>(ctx: &Ctx<'js>, refusal: &Refusal) -> Result<Value<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("code", refusal.code)?;
    object.set("reason", refusal.reason)?;
    object.set("bytesParsed", refusal.at)?;
    Ok(object.into_value())
}

/// `httpFinish(parser)`: no more bytes will come. True if that completes a message, false if it does
/// not, an object if it tears one apart.
fn finish<'js>(ctx: Ctx<'js>, parser: Instance<'js, Handle>) -> Result<Value<'js>> {
    let finished = parser.borrow_mut().parser.finish();
    match finished {
        Ok(completes) => Ok(Value::new_bool(ctx, completes)),
        Err(refusal) => describe(&ctx, &refusal),
    }
}

/// `httpClose(parser)`: it takes no more bytes.
fn close(parser: Instance<'_, Handle>) {
    parser.borrow_mut().parser.close();
}

/// `httpFields(text, shape, mostPairs)`: what is in the text of some fields. Shape 0 is a flat list of
/// names and values as they came, 1 an object that joins what goes together and lets the first win
/// elsewhere, 2 one that joins all, 3 one with lists.
fn http_fields<'js>(
    ctx: Ctx<'js>,
    text: rquickjs::String<'js>,
    shape: u32,
    most: Opt<usize>,
) -> Result<Value<'js>> {
    let text = fields::unfold(bytes_of(&text)?);
    let most = most.0.filter(|&most| most > 0).unwrap_or(usize::MAX);
    let pairs = fields::pairs(&text).take(most);
    match shape {
        0 => collect::flat(&ctx, pairs),
        1 => collect::object(&ctx, pairs, Shape::Usual),
        2 => collect::object(&ctx, pairs, Shape::Joined),
        _ => collect::object(&ctx, pairs, Shape::Lists),
    }
}

/// `httpMethods()`: the names of all methods, by their numbers, and how many of them are HTTP's.
fn methods(ctx: Ctx<'_>) -> Result<Array<'_>> {
    let names = Array::new(ctx.clone())?;
    for (at, name) in method::METHODS.iter().enumerate() {
        names.set(at, *name)?;
    }
    let both = Array::new(ctx)?;
    both.set(0, names)?;
    both.set(1, method::OF_HTTP)?;
    Ok(both)
}

/// `httpHeaderFault(name, value)`: 0 if a field may have that name and value, 1 if the name is none, 2 if
/// the value has a character that may not be in one. Either may be undefined.
fn header_fault<'js>(name: Value<'js>, value: Value<'js>) -> Result<u32> {
    if let Some(name) = name.as_string() {
        let name = hemiola_engine::beyond::utf8(name.as_value())?;
        if name.is_empty() || !name.iter().all(|&byte| chars::is_token(byte)) {
            return Ok(1);
        }
    }
    if let Some(value) = value.as_string() {
        let bytes = hemiola_engine::beyond::utf8(value.as_value())?;
        if !bytes.iter().all(|&byte| chars::is_value(byte)) {
            return Ok(2);
        }
        // What is beyond Latin-1 takes three bytes, or two that begin higher than C3.
        if bytes.iter().any(|&byte| byte > 0xC3) {
            return Ok(2);
        }
    }
    Ok(0)
}

/// The text that Latin-1 bytes are.
fn latin1<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => text.into_js(ctx),
        _ => bytes.iter().copied().map(char::from).collect::<String>().into_js(ctx),
    }
}

/// The Latin-1 bytes of a text.
fn bytes_of(text: &rquickjs::String<'_>) -> Result<Vec<u8>> {
    let bytes = hemiola_engine::beyond::utf8(text.as_value())?;
    if bytes.is_ascii() {
        return Ok(bytes);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.chars().map(|one| u8::try_from(u32::from(one)).unwrap_or(b'?')).collect())
}
