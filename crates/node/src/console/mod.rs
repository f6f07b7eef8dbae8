//! The global console until it is asked for more than to write a line.
//!
//! A program that prints text needs nothing of the library for it. With anything else
//! `internal/console` takes over, once and for all: from then on these functions call its methods.

use crate::process;
use crate::state::{State, state};
use hemiola_engine::beyond;
use hemiola_engine::binding::define_accessor;
use hemiola_engine::call::{Arg, Call, Fresh};
use hemiola_engine::methods::Methods;
use hemiola_engine::native;
use hemiola_machine::Stream;
use rquickjs::{Array, Ctx, Function, Object, Persistent, Result, Value};

/// The methods by their numbers, which `internal/console` knows, too.
static METHODS: Methods<19> = Methods::new(
    native!(call),
    [
        (c"log", 0, 0),
        (c"warn", 0, 1),
        (c"dir", 0, 2),
        (c"time", 0, 3),
        (c"timeEnd", 0, 4),
        (c"timeLog", 0, 5),
        (c"trace", 0, 6),
        (c"assert", 0, 7),
        (c"clear", 0, 8),
        (c"count", 0, 9),
        (c"countReset", 0, 10),
        (c"group", 0, 11),
        (c"groupEnd", 0, 12),
        (c"table", 0, 13),
        (c"debug", 0, 14),
        (c"info", 0, 15),
        (c"dirxml", 0, 16),
        (c"error", 0, 17),
        (c"groupCollapsed", 0, 18),
    ],
);

/// Methods of the inspector, which is not there to listen.
static INSPECTOR: Methods<4> = Methods::new(
    native!(call),
    [(c"profile", 0, 19), (c"profileEnd", 0, 20), (c"timeStamp", 0, 21), (c"context", 1, 22)],
);

/// What the console has besides, from the library.
const REST: [&str; 4] = ["Console", "_times", "_stdout", "_stderr"];

/// The number of the error that nobody reads what was written.
const EPIPE: i32 = 32;

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "makeConsole" => Function::new(ctx.clone(), make),
        "adoptConsole" => Function::new(ctx.clone(), |ctx: Ctx<'js>| adopt(&ctx).map(|_| ())),
        _ => return None,
    })
}

/// `makeConsole(prototype, areOurs)`: the global console. The function says whether the standard streams
/// are those that the program began with.
fn make<'js>(
    ctx: Ctx<'js>,
    prototype: Object<'js>,
    are_ours: Function<'js>,
) -> Result<Object<'js>> {
    let console = Object::new(ctx.clone())?;
    console.set_prototype(Some(&prototype))?;
    let rest = |at: usize| {
        define_accessor(
            &ctx,
            &console,
            REST[at],
            at == 0,
            at as i32,
            native!(get_rest),
            native!(set_rest),
        )
    };
    METHODS.add_to(&ctx, &console)?;
    rest(0)?;
    INSPECTOR.add_to(&ctx, &console)?;
    (1..REST.len()).try_for_each(rest)?;
    let state = state(&ctx);
    let mut kept = state.registered.console.borrow_mut();
    kept.object = Some(Persistent::save(&ctx, console.clone()));
    kept.are_ours = Some(Persistent::save(&ctx, are_ours));
    drop(kept);
    Ok(console)
}

/// The global console as the host keeps it.
#[derive(Clone, Default)]
pub(crate) struct Console {
    object: Option<Persistent<Object<'static>>>,
    /// Asked before the first line is written: whose streams these are. Whoever replaces them later does
    /// not mean the console.
    are_ours: Option<Persistent<Function<'static>>>,
    /// The methods of the library by number, once it has taken over.
    methods: Option<Persistent<Array<'static>>>,
}

/// Lets the library take over, if it has not; gives its methods.
fn adopt<'js>(ctx: &Ctx<'js>) -> Result<Array<'js>> {
    let state = state(ctx);
    let known = state.registered.console.borrow().methods.clone();
    if let Some(methods) = known {
        return methods.restore(ctx);
    }
    let has_printed = state.registered.console.borrow().are_ours.is_none();
    let console = state.registered.console.borrow().object.clone();
    let console = console.expect("the console is made at the start").restore(ctx)?;
    let library = state.engine.library(ctx, "internal/console")?;
    let methods: Array<'js> =
        library.get::<_, Function<'js>>("adopt")?.call((console, has_printed))?;
    state.registered.console.borrow_mut().methods = Some(Persistent::save(ctx, methods.clone()));
    Ok(methods)
}

/// Where a method writes a text as it is, if it does that.
fn stream_of(magic: i32) -> Option<Stream> {
    match magic {
        0 | 14 | 15 | 16 => Some(Stream::Out),
        1 | 17 => Some(Stream::Err),
        _ => None,
    }
}

/// A method of the global console.
fn call(call: &Call<'_>) -> Result<Fresh> {
    let ctx = call.ctx();
    if call.given() > 0
        && let Some(stream) = stream_of(call.magic)
        && let state = state(&ctx)
        && are_plain(call, &state, stream)?
        && matches!(is_plain(&ctx, &state), Ok(true))
    {
        write_line(&ctx, &state, stream, call)?;
        return Ok(Fresh::UNDEFINED);
    }
    let method: Function<'_> = adopt(&ctx)?.get(call.magic as usize)?;
    Ok(call.forward(&method))
}

/// Whether arguments make a line by themselves, without a format and without anything to look into. On a terminal,
/// what is no text has a colour.
fn are_plain(call: &Call<'_>, state: &State, stream: Stream) -> Result<bool> {
    let args = call.rest(0);
    if let [only] = args
        && only.is_string()
    {
        return Ok(true);
    }
    let is_simple = |arg: &Arg<'_>| {
        let is_number = || arg.number().is_some();
        arg.is_null() || arg.is_undefined() || arg.truth().is_some() || is_number()
    };
    if !args.iter().all(|arg| arg.is_string() || is_simple(arg)) {
        return Ok(false);
    }
    if args.len() > 1 && args[0].is_string() && beyond::utf8(&call.arg(0))?.contains(&b'%') {
        return Ok(false);
    }
    let number = if stream == Stream::Err { 2 } else { 1 };
    Ok(args.iter().all(|arg| arg.is_string()) || state.stream_kind(number) != Some("tty"))
}

/// Whether the console writes to the streams that the program began with, and nothing else was asked of
/// it.
fn is_plain(ctx: &Ctx<'_>, state: &State) -> Result<bool> {
    if state.registered.console.borrow().methods.is_some() {
        return Ok(false);
    }
    let are_ours = state.registered.console.borrow().are_ours.clone();
    let Some(are_ours) = are_ours else { return Ok(true) };
    let ours = are_ours.restore(ctx)?.call(())?;
    if ours {
        state.registered.console.borrow_mut().are_ours = None;
    }
    Ok(ours)
}

/// The text of an argument that is plain.
fn text_of(call: &Call<'_>, at: usize) -> Result<Vec<u8>> {
    let is_minus_zero = |number: f64| number == 0.0 && number.is_sign_negative();
    match call.at(at).number() {
        Some(number) if is_minus_zero(number) => Ok(b"-0".to_vec()),
        _ => beyond::utf8(&call.arg(at)),
    }
}

/// Writes arguments as a line. Failures are nobody's concern, except that nobody reads any more.
fn write_line<'js>(ctx: &Ctx<'js>, state: &State, stream: Stream, call: &Call<'js>) -> Result<()> {
    let mut bytes = text_of(call, 0)?;
    for at in 1..call.given() {
        bytes.push(b' ');
        bytes.append(&mut text_of(call, at)?);
    }
    bytes.push(b'\n');
    if process::write(ctx, state, stream, bytes)? == EPIPE {
        let library = state.engine.library(ctx, "internal/console")?;
        let tell: Function<'js> = library.get("noReader")?;
        tell.call::<_, ()>((stream == Stream::Err,))?;
    }
    Ok(())
}

/// Reads what only the library gives.
fn get_rest<'js>(call: &Call<'js>) -> Result<Value<'js>> {
    adopt(&call.ctx())?;
    call.this().get::<Object<'js>>()?.get(REST[call.magic as usize])
}

/// Replaces what only the library gives.
fn set_rest(call: &Call<'_>) -> Result<()> {
    adopt(&call.ctx())?;
    call.this().get::<Object<'_>>()?.set(REST[call.magic as usize], call.arg(0))
}
