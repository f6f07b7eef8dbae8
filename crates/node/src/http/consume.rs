//! A connection whose bytes go straight into a parser, and responses that go straight out.
//!
//! What a server does for each request is done here as far as it is the same for all: the program's
//! functions are called once for a head, and nothing is made for a stream that nobody looks at.

use super::{Handle, Source, execute};
use crate::gate::IntoValue;
use crate::state::state;
use hemiola_engine::bridge;
use hemiola_engine::class::Instance;
use hemiola_engine::contexts;
use hemiola_engine::{Callback, Consume};
use hemiola_gate::{Answer, Checked, Datum, Pieces, StreamCall};
use hemiola_machine::{Class as ReadyClass, Group, Operation};
use rquickjs::prelude::Rest;
use rquickjs::{Ctx, Function, Persistent, Result, TypedArray, Value};
use std::rc::Rc;

/// Whoever reads a connection: in the machine while a read is outstanding.
pub(crate) struct Consumer {
    stream: f64,
    parser: Persistent<Instance<'static, Handle>>,
    owner: Persistent<Value<'static>>,
    functions: Rc<Functions>,
}

/// What JavaScript wants to be told by.
struct Functions {
    head: Persistent<Function<'static>>,
    body: Persistent<Function<'static>>,
    complete: Persistent<Function<'static>>,
    read: Persistent<Function<'static>>,
}

/// How far reading a connection is.
#[derive(Default)]
pub(super) struct Reading {
    /// The read that is outstanding.
    operation: Option<Operation>,
    is_paused: bool,
    /// Whether bytes are being told, after which more are asked for.
    is_telling: bool,
    /// Whether bytes are for others and not for the parser.
    is_passing: bool,
    unreferenced: bool,
    /// What arrived during a pause.
    held: Option<Answer>,
    received: f64,
}

/// The function of this file that goes by that name on `binding`.
pub(super) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "httpConsume" => Function::new(ctx.clone(), consume),
        "httpPause" => Function::new(ctx.clone(), pause),
        "httpResume" => Function::new(ctx.clone(), resume),
        "httpPass" => Function::new(ctx.clone(), pass),
        "httpStop" => Function::new(ctx.clone(), stop),
        "httpRefer" => Function::new(ctx.clone(), refer),
        "httpReceived" => Function::new(ctx.clone(), received),
        "httpSend" => Function::new(ctx.clone(), send),
        _ => return None,
    })
}

/// `httpConsume(parser, stream, owner, onHead, onBody, onComplete, onRead)`: reads the stream into the
/// parser until it is paused, stopped, or the parser closed.
///
/// `onRead(owner, fault, bytes, taken)` is told what the parser cannot deal with: a fault, the end
/// (without bytes), and bytes of which so many were taken, or an object that says what is wrong with
/// them; -1 if they are not for the parser.
fn consume<'js>(
    ctx: Ctx<'js>,
    parser: Instance<'js, Handle>,
    stream: f64,
    owner: Value<'js>,
    functions: Rest<Function<'js>>,
) -> Result<()> {
    let mut functions = functions.0.into_iter().map(|function| Persistent::save(&ctx, function));
    let mut next = || functions.next().expect("the library passes four functions");
    let functions = Functions { head: next(), body: next(), complete: next(), read: next() };
    let held = {
        let mut handle = parser.borrow_mut();
        if handle.reading.operation.is_some() || handle.reading.is_telling {
            return Ok(());
        }
        handle.reading.held.take()
    };
    let consumer = Box::new(Consumer {
        stream,
        parser: Persistent::save(&ctx, parser),
        owner: Persistent::save(&ctx, owner),
        functions: Rc::new(functions),
    });
    match held {
        Some(answer) => take(&ctx, consumer, answer),
        None => {
            ask(&ctx, consumer);
            Ok(())
        }
    }
}

/// Asks for the next bytes.
fn ask(ctx: &Ctx<'_>, consumer: Box<Consumer>) {
    let Ok(parser) = consumer.parser.clone().restore(ctx) else { return };
    let request = Checked::on_stream(StreamCall::Read { stream: consumer.stream as u64 });
    let referenced = !parser.borrow().reading.unreferenced;
    let callback =
        state(ctx).engine.count_request(request.request(), Callback::Consumed(Some(consumer)));
    let callback = contexts::bind(ctx.into(), c"HTTPINCOMINGMESSAGE", callback);
    let operation = bridge::with(|context| {
        let operation = context.request(ReadyClass::Io, Group::default(), request, callback);
        if !referenced {
            context.refer(operation, false);
        }
        operation
    });
    parser.borrow_mut().reading.operation = Some(operation);
}

impl Consume for Consumer {
    fn answered(self: Box<Self>, ctx: &Ctx<'_>, answer: Answer) -> Result<()> {
        let parser = self.parser.clone().restore(ctx)?;
        {
            let mut handle = parser.borrow_mut();
            handle.reading.operation = None;
            if let Ok(Datum::Bytes(bytes)) = &answer {
                handle.reading.received += bytes.len() as f64;
            }
            if handle.reading.is_paused {
                handle.reading.held = Some(answer);
                return Ok(());
            }
        }
        take(ctx, self, answer)
    }
}

fn take<'js>(ctx: &Ctx<'js>, consumer: Box<Consumer>, answer: Answer) -> Result<()> {
    let owner = consumer.owner.clone().restore(ctx)?;
    let on_read = || consumer.functions.read.clone().restore(ctx);
    let bytes = match answer {
        Ok(Datum::Bytes(bytes)) => bytes,
        Ok(_) => Vec::new(),
        Err(fault) => return on_read()?.call((owner, fault.into_js(ctx)?)),
    };
    if bytes.is_empty() {
        return on_read()?.call((owner, rquickjs::Null));
    }
    let parser = consumer.parser.clone().restore(ctx)?;
    if parser.borrow().reading.is_passing {
        let bytes = TypedArray::<u8>::new(ctx.clone(), bytes)?;
        return on_read()?.call((owner, rquickjs::Null, bytes, -1));
    }
    // Whatever handlers make of their context is not for the next request.
    let frame = contexts::frame(ctx);
    let length = bytes.len() as f64;
    let Functions { head, body, complete, .. } = &*consumer.functions;
    let mut source = Source::Own(bytes);
    parser.borrow_mut().reading.is_telling = true;
    let taken = execute(
        ctx,
        &parser,
        &mut source,
        &owner,
        &head.clone().restore(ctx)?,
        &body.clone().restore(ctx)?,
        &complete.clone().restore(ctx)?,
    );
    parser.borrow_mut().reading.is_telling = false;
    contexts::set_frame(ctx, frame);
    let taken = match taken {
        Ok(taken) => taken,
        Err(error) => {
            // A program that survives what it threw goes on with the next request.
            if !parser.borrow().reading.is_paused {
                ask(ctx, consumer);
            }
            return Err(error);
        }
    };
    // Another protocol may follow even if nothing of it has come yet.
    if taken.as_number() != Some(length) || parser.borrow().parser.is_over() {
        return on_read()?.call((owner, rquickjs::Null, source.shared(ctx)?, taken));
    }
    let reads_on = {
        let handle = parser.borrow();
        !handle.reading.is_paused && handle.reading.operation.is_none()
    };
    if reads_on {
        ask(ctx, consumer);
    }
    Ok(())
}

/// `httpPause(parser)`: nothing is told until it is resumed.
fn pause(parser: Instance<'_, Handle>) {
    parser.borrow_mut().reading.is_paused = true;
}

/// `httpResume(parser)`: whether somebody must call `httpConsume` for more to come.
fn resume(parser: Instance<'_, Handle>) -> bool {
    let mut handle = parser.borrow_mut();
    let was_paused = std::mem::take(&mut handle.reading.is_paused);
    was_paused && handle.reading.operation.is_none() && !handle.reading.is_telling
}

/// `httpPass(parser)`: bytes are for others from now on. Whether a read is outstanding, which will give
/// them.
fn pass(parser: Instance<'_, Handle>) -> bool {
    let mut handle = parser.borrow_mut();
    handle.reading.is_passing = true;
    handle.reading.is_paused = false;
    handle.reading.operation.is_some()
}

/// `httpStop(parser)`: gives up the read that is outstanding.
fn stop(parser: Instance<'_, Handle>) {
    let operation = {
        let mut handle = parser.borrow_mut();
        handle.reading.held = None;
        handle.parser.close();
        handle.reading.operation.take()
    };
    if let Some(operation) = operation {
        bridge::with(|context| context.give_up(operation));
    }
}

/// `httpRefer(parser, referenced)`: whether reading keeps the program alive.
fn refer(parser: Instance<'_, Handle>, referenced: bool) {
    let mut handle = parser.borrow_mut();
    handle.reading.unreferenced = !referenced;
    if let Some(operation) = handle.reading.operation {
        bridge::with(|context| context.refer(operation, referenced));
    }
}

/// `httpReceived(parser)`: how many bytes have come.
fn received(parser: Instance<'_, Handle>) -> f64 {
    parser.borrow().reading.received
}

/// What the flags of `httpSend` say.
mod flag {
    pub(super) const LATIN1_HEAD: u32 = 1;
    pub(super) const LATIN1_BODY: u32 = 2;
    pub(super) const CHUNKED: u32 = 4;
}

/// `httpSend(stream, head, body, flags, trailers)`: writes a message at once, as far as the system
/// takes it. Gives the number of bytes, or, if some are left, those.
fn send<'js>(
    ctx: Ctx<'js>,
    stream: f64,
    head: rquickjs::String<'js>,
    body: Value<'js>,
    flags: u32,
    trailers: Option<rquickjs::String<'js>>,
) -> Result<Value<'js>> {
    let mut bytes = text_bytes(head.as_value(), flags & flag::LATIN1_HEAD != 0)?;
    let body = if let Some(text) = body.as_string() {
        text_bytes(text.as_value(), flags & flag::LATIN1_BODY != 0)?
    } else if let Some(array) = body.as_object().and_then(|body| body.as_typed_array::<u8>()) {
        hemiola_engine::bytes::copy(array, 0, usize::MAX)
    } else {
        Vec::new()
    };
    bytes.reserve(body.len() + 32);
    let trailers = trailers.map(|trailers| text_bytes(trailers.as_value(), true)).transpose()?;
    add_body(&mut bytes, &body, flags & flag::CHUNKED != 0, trailers.as_deref());
    let length = bytes.len();
    // Some may be left, and a copy is cheaper than a second way for them.
    let bytes_now = Pieces::One(bytes.clone());
    let call = StreamCall::TryWrite { stream: stream as u64, bytes: bytes_now };
    let request = Checked::on_stream(call);
    match state(&ctx).engine.perform_counted(request) {
        Ok(sent) => {
            let sent = sent.as_number().unwrap_or(0.0) as usize;
            if sent == length {
                return Ok(Value::new_number(ctx, length as f64));
            }
            Ok(TypedArray::<u8>::new(ctx, bytes.split_off(sent))?.into_value())
        }
        Err(fault) => {
            let fault = fault.into_js(&ctx)?;
            Err(ctx.throw(fault))
        }
    }
}

/// Appends a body, as it is or in one chunk, behind which come the trailers.
pub(super) fn add_body(
    bytes: &mut Vec<u8>,
    body: &[u8],
    is_chunked: bool,
    trailers: Option<&[u8]>,
) {
    if !is_chunked {
        bytes.extend_from_slice(body);
        return;
    }
    if !body.is_empty() {
        append_number(bytes, body.len() as u64, 16);
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(body);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n");
    bytes.extend_from_slice(trailers.unwrap_or_default());
    bytes.extend_from_slice(b"\r\n");
}

/// Appends a number's digits in a base of at most 16.
pub(super) fn append_number(bytes: &mut Vec<u8>, mut number: u64, base: u64) {
    let start = bytes.len();
    loop {
        bytes.push(b"0123456789abcdef"[(number % base) as usize]);
        number /= base;
        if number == 0 {
            break;
        }
    }
    bytes[start..].reverse();
}

/// A text's bytes in UTF-8 or Latin-1.
pub(super) fn text_bytes(text: &Value<'_>, latin1: bool) -> Result<Vec<u8>> {
    let bytes = hemiola_engine::beyond::utf8(text)?;
    if !latin1 || bytes.is_ascii() {
        return Ok(bytes);
    }
    Ok(hemiola_engine::beyond::utf16(text)?.into_iter().map(|unit| unit as u8).collect())
}
