//! The global console until it is asked for more than to write a line.
//!
//! A program that prints text needs nothing of the library for it. With anything else
//! `internal/console` takes over, once and for all: from then on these functions call its methods.
#![expect(
    unsafe_code,
    reason = "the engine makes these functions of a table when they are first used"
)]

use crate::state::{State, state};
use crate::system;
use hemiola_engine::beyond;
use hemiola_engine::binding::define_accessor;
use hemiola_engine::raw;
use hemiola_machine::Stream;
use rquickjs::{Array, Ctx, Error, Function, Object, Persistent, Result, Value, qjs};
use std::ffi::CStr;
use std::ptr::NonNull;

/// A table that the engine keeps pointers into.
struct Table<const N: usize>([qjs::JSCFunctionListEntry; N]);

// SAFETY: the entries point to static text and to functions, and nobody writes to them.
unsafe impl<const N: usize> Sync for Table<N> {}

const fn method(name: &'static CStr, length: u8, magic: i16) -> qjs::JSCFunctionListEntry {
    qjs::JSCFunctionListEntry {
        name: name.as_ptr(),
        prop_flags: qjs::JS_PROP_C_W_E as u8,
        def_type: qjs::JS_DEF_CFUNC as u8,
        magic,
        u: qjs::JSCFunctionListEntry__bindgen_ty_1 {
            func: qjs::JSCFunctionListEntry__bindgen_ty_1__bindgen_ty_1 {
                length,
                cproto: qjs::JSCFunctionEnum_JS_CFUNC_generic_magic as u8,
                cfunc: qjs::JSCFunctionType { generic_magic: Some(call) },
            },
        },
    }
}

/// The methods by their numbers, which `internal/console` knows, too.
static METHODS: Table<19> = Table([
    method(c"log", 0, 0),
    method(c"warn", 0, 1),
    method(c"dir", 2, 2),
    method(c"time", 0, 3),
    method(c"timeEnd", 0, 4),
    method(c"timeLog", 0, 5),
    method(c"trace", 0, 6),
    method(c"assert", 1, 7),
    method(c"clear", 0, 8),
    method(c"count", 0, 9),
    method(c"countReset", 0, 10),
    method(c"group", 0, 11),
    method(c"groupEnd", 0, 12),
    method(c"table", 2, 13),
    method(c"debug", 0, 14),
    method(c"info", 0, 15),
    method(c"dirxml", 0, 16),
    method(c"error", 0, 17),
    method(c"groupCollapsed", 0, 18),
]);

/// Methods of the inspector, which is not there to listen.
static INSPECTOR: Table<4> = Table([
    method(c"profile", 0, 19),
    method(c"profileEnd", 0, 20),
    method(c"timeStamp", 0, 21),
    method(c"context", 0, 22),
]);

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
    let add = |table: &'static [qjs::JSCFunctionListEntry]| {
        // SAFETY: the object belongs to the context, and the tables live as long as the program.
        let added = unsafe {
            let raw = ctx.as_raw().as_ptr();
            qjs::JS_SetPropertyFunctionList(raw, console.as_raw(), table.as_ptr(), table.len() as _)
        };
        if added < 0 { Err(Error::Exception) } else { Ok(()) }
    };
    let rest = |at: usize| {
        define_accessor(&ctx, &console, REST[at], at == 0, at as i32, get_rest, set_rest)
    };
    add(&METHODS.0)?;
    rest(0)?;
    add(&INSPECTOR.0)?;
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
unsafe extern "C" fn call(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    count: i32,
    args: *mut qjs::JSValue,
    magic: i32,
) -> qjs::JSValue {
    // SAFETY: the engine passes a living context, and as many arguments as it says; they stay alive
    // while this function runs.
    unsafe {
        let bindings = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let state = state(&bindings);
        if count == 1
            && qjs::JS_IsString(*args)
            && let Some(stream) = stream_of(magic)
            && matches!(is_plain(&bindings, &state), Ok(true))
        {
            let text = Value::from_raw(bindings.clone(), qjs::JS_DupValue(ctx, *args));
            return match write_line(&bindings, &state, stream, &text) {
                Ok(()) => qjs::JS_UNDEFINED,
                Err(_) => qjs::JS_EXCEPTION,
            };
        }
        let method =
            adopt(&bindings).and_then(|methods| methods.get::<Function<'_>>(magic as usize));
        match method {
            Ok(method) => qjs::JS_Call(ctx, method.as_raw(), qjs::JS_UNDEFINED, count, args),
            Err(_) => qjs::JS_EXCEPTION,
        }
    }
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

/// Writes a text that is a line. Failures are nobody's concern, except that nobody reads any more.
fn write_line<'js>(ctx: &Ctx<'js>, state: &State, stream: Stream, text: &Value<'js>) -> Result<()> {
    let mut bytes = beyond::utf8(text)?;
    bytes.push(b'\n');
    if system::write(ctx, state, stream, bytes)? == EPIPE {
        let library = state.engine.library(ctx, "internal/console")?;
        let tell: Function<'js> = library.get("noReader")?;
        tell.call::<_, ()>((stream == Stream::Err,))?;
    }
    Ok(())
}

/// Reads what only the library gives.
unsafe extern "C" fn get_rest(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    _: i32,
    _: *mut qjs::JSValue,
    magic: i32,
) -> qjs::JSValue {
    // SAFETY: the engine passes a living context and the object that was asked.
    unsafe {
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let this = Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), this));
        let read = || -> Result<Value<'_>> {
            adopt(&ctx)?;
            this.get::<Object<'_>>()?.get(REST[magic as usize])
        };
        raw::give(read())
    }
}

/// Replaces what only the library gives.
unsafe extern "C" fn set_rest(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    _: i32,
    args: *mut qjs::JSValue,
    magic: i32,
) -> qjs::JSValue {
    // SAFETY: as in `get_rest`; there is one argument at least, since the function has a parameter.
    unsafe {
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let value =
            |raw| Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), raw));
        let (this, given) = (value(this), value(*args));
        let write = || -> Result<Value<'_>> {
            adopt(&ctx)?;
            this.get::<Object<'_>>()?.set(REST[magic as usize], given)?;
            Ok(Value::new_undefined(ctx.clone()))
        };
        raw::give(write())
    }
}
