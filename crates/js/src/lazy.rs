//! What is made when it is first asked for: the functions of `binding`, and globals that are in files of
//! the library. A start that made all of them would take half as long again.
#![expect(
    unsafe_code,
    reason = "the engine's exotic objects and accessors are made without the bindings"
)]

use crate::host::state;
use crate::raw;
use crate::{
    accounts, binding, clocks, console, contexts, debug, gate, http, instrument, modules, observe,
    permissions, scheduler, sites, system, tasks, testing, timers, websocket, workers, zone,
};
use rquickjs::{Ctx, Error, Function, Object, Result, Value, qjs};
use std::ffi::{CStr, c_char};
use std::ptr::NonNull;

/// A new `binding`: what it is asked for and does not have, it gets from here.
pub(crate) fn binding<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let definition = qjs::JSClassDef {
        class_name: c"Binding".as_ptr(),
        finalizer: None,
        gc_mark: None,
        call: None,
        exotic: (&raw const METHODS.0).cast_mut(),
    };
    let object = Object::new(ctx.clone())?;
    let mut class = 0;
    // SAFETY: the engine copies the definition and never writes to the methods, which are static; the
    // new reference to the prototype is taken over by the value.
    let prototype = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let runtime = qjs::JS_GetRuntime(raw);
        qjs::JS_NewClassID(runtime, &mut class);
        if qjs::JS_NewClass(runtime, class, &definition) != 0 {
            return Err(Error::Allocation);
        }
        raw::take(ctx, qjs::JS_NewObjectProtoClass(raw, qjs::JS_NULL, class))?
    };
    object.set_prototype(prototype.as_object())?;
    Ok(object)
}

struct Methods(qjs::JSClassExoticMethods);

// SAFETY: they are pointers to functions.
unsafe impl Sync for Methods {}

static METHODS: Methods = Methods(qjs::JSClassExoticMethods {
    get_own_property: None,
    get_own_property_names: None,
    delete_property: None,
    define_own_property: None,
    has_property: None,
    get_property: Some(get_native),
    set_property: None,
});

/// `binding` has no property of that name: it gets one if there is such a function.
unsafe extern "C" fn get_native(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    atom: qjs::JSAtom,
    binding: qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the engine passes a living context, an atom and the object that was asked, and takes over
    // the reference that is given back; the name is copied before it is freed.
    unsafe {
        let bindings = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let text = qjs::JS_AtomToCStringLen(ctx, std::ptr::null_mut(), atom);
        if text.is_null() {
            return qjs::JS_EXCEPTION;
        }
        let found = CStr::from_ptr(text).to_str().ok().and_then(|name| {
            let function = native(&bindings, name)?.and_then(|function| function.with_name(name));
            state(&bindings).compiled.note_native(name);
            Some(function)
        });
        qjs::JS_FreeCString(ctx, text);
        let function = match found {
            None => return qjs::JS_UNDEFINED,
            Some(Err(_)) => return qjs::JS_EXCEPTION,
            Some(Ok(function)) => function.into_value(),
        };
        let flags = qjs::JS_PROP_C_W_E as i32;
        let kept = qjs::JS_DupValue(ctx, function.as_raw());
        if qjs::JS_DefinePropertyValue(ctx, binding, atom, kept, flags) < 0 {
            return qjs::JS_EXCEPTION;
        }
        raw::give(Ok(function))
    }
}

fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    if name == "defineGlobals" {
        return Some(Function::new(ctx.clone(), define_globals));
    }
    binding::native(ctx, name)
        .or_else(|| system::native(ctx, name))
        .or_else(|| modules::native(ctx, name))
        .or_else(|| timers::native(ctx, name))
        .or_else(|| console::native(ctx, name))
        .or_else(|| contexts::native(ctx, name))
        .or_else(|| clocks::native(ctx, name))
        .or_else(|| tasks::native(ctx, name))
        .or_else(|| scheduler::native(ctx, name))
        .or_else(|| gate::native(ctx, name))
        .or_else(|| zone::native(ctx, name))
        .or_else(|| websocket::native(ctx, name))
        .or_else(|| permissions::native(ctx, name))
        .or_else(|| http::native(ctx, name))
        .or_else(|| workers::native(ctx, name))
        .or_else(|| observe::native(ctx, name))
        .or_else(|| testing::native(ctx, name))
        .or_else(|| instrument::native(ctx, name))
        .or_else(|| accounts::native(ctx, name))
        .or_else(|| sites::native(ctx, name))
        .or_else(|| debug::native(ctx, name))
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
    hidden("DOMException", "internal/domexception"),
    hidden("AbortController", "internal/abort_controller"),
    hidden("TaskController", "internal/scheduler"),
    hidden("TaskSignal", "internal/scheduler"),
    hidden("TaskPriorityChangeEvent", "internal/scheduler"),
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
    hidden("obs", "hemiola/observe"),
];

/// `defineGlobals()`: gives the global object accessors for what is loaded when it is asked for.
fn define_globals(ctx: Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    for (magic, (name, _, shown)) in GLOBALS.iter().enumerate() {
        define_accessor(&ctx, &globals, name, *shown, magic as i32, get_global, set_global)?;
    }
    Ok(())
}

/// Gives an object a property that is computed by natives, which get the number.
pub(crate) fn define_accessor<'js>(
    ctx: &Ctx<'js>,
    object: &Object<'js>,
    name: &str,
    shown: bool,
    magic: i32,
    get: raw::Native,
    set: raw::Native,
) -> Result<()> {
    let get = raw::function(ctx, c"", 0, magic, get)?;
    let set = raw::function(ctx, c"", 1, magic, set)?;
    let shown = if shown { qjs::JS_PROP_ENUMERABLE } else { 0 };
    let flags = (qjs::JS_PROP_CONFIGURABLE | shown) as i32;
    // SAFETY: all values belong to the context; the engine takes over a reference to each function.
    let defined = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let atom = qjs::JS_NewAtomLen(raw, name.as_ptr().cast::<c_char>(), name.len() as _);
        let get = qjs::JS_DupValue(raw, get.as_raw());
        let set = qjs::JS_DupValue(raw, set.as_raw());
        let defined = qjs::JS_DefinePropertyGetSet(raw, object.as_raw(), atom, get, set, flags);
        qjs::JS_FreeAtom(raw, atom);
        defined
    };
    if defined < 0 { Err(Error::Exception) } else { Ok(()) }
}

/// Loads a global, which is an ordinary property from then on.
unsafe extern "C" fn get_global(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    _: i32,
    _: *mut qjs::JSValue,
    magic: i32,
) -> qjs::JSValue {
    // SAFETY: the engine passes a living context.
    unsafe {
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let (name, file, _) = GLOBALS[magic as usize];
        let load = || -> Result<Value<'_>> {
            let value = state(&ctx).modules.library(&ctx, file)?.get::<_, Value<'_>>(name)?;
            settle(&ctx, name, &value)?;
            Ok(value)
        };
        raw::give(load())
    }
}

/// The program puts something else in the place of a global that was not loaded.
unsafe extern "C" fn set_global(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    _: i32,
    args: *mut qjs::JSValue,
    magic: i32,
) -> qjs::JSValue {
    // SAFETY: as in `get_global`; there is one argument at least, since the function has a parameter.
    unsafe {
        let value = qjs::JS_DupValue(ctx, *args);
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let value = Value::from_raw(ctx.clone(), value);
        let settled = settle(&ctx, GLOBALS[magic as usize].0, &value);
        raw::give(settled.map(|()| Value::new_undefined(ctx.clone())))
    }
}

/// Makes a global an ordinary property. Whether it shows among the keys stays as it is by now.
fn settle<'js>(ctx: &Ctx<'js>, name: &str, value: &Value<'js>) -> Result<()> {
    let writable = qjs::JS_PROP_HAS_WRITABLE | qjs::JS_PROP_WRITABLE;
    let flags = (qjs::JS_PROP_HAS_VALUE | writable | qjs::JS_PROP_THROW) as i32;
    let globals = ctx.globals();
    // SAFETY: all values belong to the context and are alive; defining makes references of its own.
    let defined = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let atom = qjs::JS_NewAtomLen(raw, name.as_ptr().cast::<c_char>(), name.len() as _);
        let none = qjs::JS_UNDEFINED;
        let object = globals.as_raw();
        let defined = qjs::JS_DefineProperty(raw, object, atom, value.as_raw(), none, none, flags);
        qjs::JS_FreeAtom(raw, atom);
        defined
    };
    if defined < 0 { Err(Error::Exception) } else { Ok(()) }
}
