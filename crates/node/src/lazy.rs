//! Natives and globals of the library, which are made when they are first asked for.

use crate::process::permissions;
use crate::scheduler::{clocks, tasks};
use crate::state::state;
use crate::{
    binding, buffer, console, fs, gate, http, intl, modules, observe, process, scheduler, test,
    timers, websocket, workers,
};
use hemiola_engine::binding::{define_accessor, settle};
use hemiola_engine::call::Call;
use hemiola_engine::{contexts, debug, instrument, native};
use rquickjs::{Ctx, Function, Result, Value};

/// The native that goes by that name on `binding`.
pub fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    if name == "defineGlobals" {
        return Some(Function::new(ctx.clone(), define_globals));
    }
    binding::native(ctx, name)
        .or_else(|| process::native(ctx, name))
        .or_else(|| modules::native(ctx, name))
        .or_else(|| timers::native(ctx, name))
        .or_else(|| console::native(ctx, name))
        .or_else(|| contexts::native(ctx, name))
        .or_else(|| clocks::native(ctx, name))
        .or_else(|| tasks::native(ctx, name))
        .or_else(|| scheduler::native(ctx, name))
        .or_else(|| gate::native(ctx, name))
        .or_else(|| fs::native(ctx, name))
        .or_else(|| intl::native(ctx, name))
        .or_else(|| buffer::native(ctx, name))
        .or_else(|| websocket::native(ctx, name))
        .or_else(|| permissions::native(ctx, name))
        .or_else(|| http::native(ctx, name))
        .or_else(|| workers::native(ctx, name))
        .or_else(|| observe::native(ctx, name))
        .or_else(|| test::native(ctx, name))
        .or_else(|| instrument::native(ctx, name))
        .or_else(|| debug::native(ctx, name))
        .or_else(|| http::name_native(ctx, name))
}

/// A global, the file of the library that has it, and whether it shows among the keys.
type Global = (&'static str, &'static str, bool);

const fn hidden(name: &'static str, file: &'static str) -> Global {
    (name, file, false)
}

const fn shown(name: &'static str, file: &'static str) -> Global {
    (name, file, true)
}

const GLOBALS: &[Global] = &[
    hidden("AsyncContext", "internal/async_context"),
    hidden("Atomics", "internal/atomics"),
    hidden("Buffer", "buffer"),
    shown("atob", "buffer"),
    shown("btoa", "buffer"),
    hidden("URL", "internal/url"),
    hidden("URLSearchParams", "internal/url"),
    hidden("TextEncoder", "internal/encoding"),
    hidden("TextDecoder", "internal/encoding"),
    hidden("Event", "internal/event_target"),
    hidden("EventTarget", "internal/event_target"),
    hidden("CustomEvent", "internal/event_target"),
    hidden("reportError", "internal/report_error"),
    hidden("DOMException", "internal/domexception"),
    hidden("AbortController", "internal/abort_controller"),
    hidden("TaskController", "internal/scheduler"),
    hidden("TaskSignal", "internal/scheduler"),
    hidden("TaskPriorityChangeEvent", "internal/scheduler"),
    hidden("Scheduler", "internal/scheduler"),
    hidden("scheduler", "internal/scheduler"),
    hidden("AbortSignal", "internal/abort_controller"),
    shown("structuredClone", "internal/structured_clone"),
    hidden("MessageChannel", "internal/messaging"),
    hidden("MessagePort", "internal/messaging"),
    hidden("MessageEvent", "internal/messaging"),
    hidden("BroadcastChannel", "internal/messaging"),
    hidden("Performance", "internal/performance"),
    hidden("PerformanceEntry", "internal/performance"),
    hidden("PerformanceMark", "internal/performance"),
    hidden("PerformanceMeasure", "internal/performance"),
    hidden("PerformanceResourceTiming", "internal/performance"),
    hidden("PerformanceObserver", "internal/performance"),
    hidden("PerformanceObserverEntryList", "internal/performance"),
    shown("crypto", "internal/crypto/webcrypto"),
    hidden("Crypto", "internal/crypto/webcrypto"),
    hidden("CryptoKey", "internal/crypto/webcrypto"),
    hidden("SubtleCrypto", "internal/crypto/webcrypto"),
    hidden("ReadableStream", "stream/web"),
    hidden("ReadableStreamDefaultReader", "stream/web"),
    hidden("ReadableStreamBYOBReader", "stream/web"),
    hidden("ReadableStreamBYOBRequest", "stream/web"),
    hidden("ReadableByteStreamController", "stream/web"),
    hidden("ReadableStreamDefaultController", "stream/web"),
    hidden("TransformStream", "stream/web"),
    hidden("TransformStreamDefaultController", "stream/web"),
    hidden("WritableStream", "stream/web"),
    hidden("WritableStreamDefaultWriter", "stream/web"),
    hidden("WritableStreamDefaultController", "stream/web"),
    hidden("ByteLengthQueuingStrategy", "stream/web"),
    hidden("CountQueuingStrategy", "stream/web"),
    hidden("TextEncoderStream", "stream/web"),
    hidden("TextDecoderStream", "stream/web"),
    hidden("CompressionStream", "stream/web"),
    hidden("DecompressionStream", "stream/web"),
    hidden("Blob", "internal/blob"),
    hidden("File", "internal/blob"),
    hidden("FormData", "internal/formdata"),
    hidden("Headers", "internal/fetch/headers"),
    hidden("Request", "internal/fetch/request"),
    hidden("Response", "internal/fetch/response"),
    hidden("WebSocket", "internal/websocket/websocket"),
    hidden("CloseEvent", "internal/websocket/events"),
    hidden("ErrorEvent", "internal/websocket/events"),
    hidden("Navigator", "internal/navigator"),
    hidden("navigator", "internal/navigator"),
    hidden("obs", "hemiola/observe"),
];

/// `defineGlobals()`: gives the global object accessors for what is loaded when it is asked for.
fn define_globals(ctx: Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    for (magic, (name, _, shown)) in GLOBALS.iter().enumerate() {
        define_accessor(
            &ctx,
            &globals,
            name,
            *shown,
            magic as i32,
            native!(get_global),
            native!(set_global),
        )?;
    }
    Ok(())
}

/// Loads a global, which is an ordinary property from then on.
fn get_global<'js>(call: &Call<'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let (name, file, _) = GLOBALS[call.magic as usize];
    let value = state(&ctx).engine.library(&ctx, file)?.get::<_, Value<'js>>(name)?;
    settle(&ctx, name, &value)?;
    Ok(value)
}

/// The program puts something else in the place of a global that was not loaded.
fn set_global(call: &Call<'_>) -> Result<()> {
    settle(&call.ctx(), GLOBALS[call.magic as usize].0, &call.arg(0))
}
