//! Timers, immediates, ticks and microtasks: what programs hold, and what they are to the machine.
#![expect(unsafe_code, reason = "handles and their functions are made without the bindings")]

use crate::bridge;
use crate::host::Callback;
use crate::raw::{self, Owned};
use crate::task::{self, Classes, Task};
use hemiola_machine::{Class as ReadyClass, Delay, Group, Period, Unit};
use rquickjs::function::Rest;
use rquickjs::{Ctx, Exception, Function, JsLifetime, Object, Result, Value, qjs};
use std::ptr::NonNull;

/// The longest delay that Node takes for one; anything else is a millisecond.
const LONGEST_MS: f64 = 2_147_483_647.0;

/// What a native is made with: the class of its handles, and above that how it differs from others.
const CLASS_BITS: i32 = 0x0fff;
const REPEATS: i32 = 0x1000;
/// A third argument that is a text names a clock.
const LABELLED: i32 = 0x2000;

/// What the library does for the natives.
struct Library<'js> {
    /// Throws what Node throws for something that is no function.
    invalid_callback: Function<'js>,
    /// Clears a timer of which only the number is known.
    clear_by_number: Function<'js>,
    /// Takes an error that nobody caught.
    uncaught: Function<'js>,
}

// SAFETY: `Changed` is the same type with the other lifetime.
unsafe impl<'js> JsLifetime<'js> for Library<'js> {
    type Changed<'to> = Library<'to>;
}

/// Puts the functions of this file on `binding`, and the prototypes of the handles.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let (classes, timeout_prototype, immediate_prototype) = Classes::define(ctx)?;
    binding.set("timeoutPrototype", timeout_prototype)?;
    binding.set("immediatePrototype", immediate_prototype)?;
    let Classes { timeout, immediate } = classes;
    let (timeout, immediate) = (timeout as i32, immediate as i32);
    for (property, name, length, magic, native) in [
        ("setTimeout", c"setTimeout", 5, timeout, set_timer as raw::Native),
        ("setInterval", c"setInterval", 5, timeout | REPEATS, set_timer),
        ("setLabelledTimeout", c"setTimeout", 5, timeout | LABELLED, set_timer),
        ("setLabelledInterval", c"setInterval", 5, timeout | REPEATS | LABELLED, set_timer),
        ("clearTimeout", c"clearTimeout", 1, timeout, clear_timer),
        ("clearInterval", c"clearInterval", 1, timeout, clear_timer),
        ("setImmediate", c"setImmediate", 4, immediate, set_immediate),
        ("clearImmediate", c"clearImmediate", 1, immediate, clear_immediate),
        ("nextTick", c"nextTick", 1, 0, next_tick),
        ("queueMicrotask", c"queueMicrotask", 1, 0, queue_microtask),
    ] {
        binding.set(property, raw::function(ctx, name, length, magic, native)?)?;
    }
    let function = |name: &str, function: Function<'js>| binding.set(name, function);
    function("helpTimers", Function::new(ctx.clone(), help)?)?;
    function("startTimer", Function::new(ctx.clone(), start)?)?;
    function("refreshTimer", Function::new(ctx.clone(), refresh)?)?;
    function("referTimer", Function::new(ctx.clone(), refer)?)?;
    function("timerInfo", Function::new(ctx.clone(), info)?)?;
    function("queueMessage", Function::new(ctx.clone(), queue_message)?)?;
    function("clockTime", Function::new(ctx.clone(), clock_time)?)
}

/// `helpTimers(invalidCallback, clearByNumber, uncaught)`: what the natives call in rare cases.
fn help<'js>(
    ctx: Ctx<'js>,
    invalid_callback: Function<'js>,
    clear_by_number: Function<'js>,
    uncaught: Function<'js>,
) {
    let _ = ctx.store_userdata(Library { invalid_callback, clear_by_number, uncaught });
}

/// Gives a value to a function of the library.
///
/// # Safety
///
/// The value belongs to the context, whose scope the caller is in.
unsafe fn ask_library(
    ctx: *mut qjs::JSContext,
    value: qjs::JSValue,
    which: impl for<'a, 'js> Fn(&'a Library<'js>) -> &'a Function<'js>,
) -> qjs::JSValue {
    // SAFETY: the caller's; the engine calls with a context that is not null.
    unsafe {
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let value = Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), value));
        let library = ctx.userdata::<Library<'_>>().expect("the library helps from the start");
        let function = which(&library).clone();
        drop(library);
        raw::give(function.call((value,)))
    }
}

/// `setTimeout(callback, delay, ...args)` and its kin.
unsafe extern "C" fn set_timer(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    count: i32,
    args: *mut qjs::JSValue,
    magic: i32,
) -> qjs::JSValue {
    // SAFETY: the engine passes a living context, and as many arguments as it says, or as many as the
    // function has parameters; they stay alive while this function runs.
    unsafe {
        let (callback, delay) = (*args, *args.add(1));
        if !qjs::JS_IsFunction(ctx, callback) {
            return ask_library(ctx, callback, |library| &library.invalid_callback);
        }
        let Some(delay) = number(ctx, delay) else { return qjs::JS_EXCEPTION };
        let rest = rest(args, count, 2);
        let label = if magic & LABELLED == 0 { None } else { label(ctx, rest) };
        let Some(delay) = delay_of(ctx, delay, label.as_deref()) else { return qjs::JS_EXCEPTION };
        let repeats = magic & REPEATS != 0;
        let task = Task::timer(ctx, callback, rest, label, delay, repeats);
        let handle = task.into_object(ctx, (magic & CLASS_BITS) as qjs::JSClassID);
        if !qjs::JS_IsException(handle) {
            release(ctx, handle);
        }
        handle
    }
}

/// The arguments from the `from`th on.
///
/// # Safety
///
/// There are `count` arguments, which stay alive as long as the result is used.
unsafe fn rest<'a>(args: *mut qjs::JSValue, count: i32, from: usize) -> &'a [qjs::JSValue] {
    let count = usize::try_from(count).unwrap_or(0);
    if count <= from {
        return &[];
    }
    // SAFETY: the caller's.
    unsafe { std::slice::from_raw_parts(args.add(from), count - from) }
}

/// A value as a number; nothing if that threw.
///
/// # Safety
///
/// The value belongs to the context.
unsafe fn number(ctx: *mut qjs::JSContext, value: qjs::JSValue) -> Option<f64> {
    // SAFETY: the caller's.
    unsafe {
        if qjs::JS_IsInt(value) {
            return Some(f64::from(qjs::JS_VALUE_GET_INT(value)));
        }
        let mut number = f64::NAN;
        (qjs::JS_ToFloat64(ctx, &mut number, value) == 0).then_some(number)
    }
}

/// The clock that the first of the further arguments names (rule TIME-15): a text that is not empty,
/// unless a dependency calls.
///
/// # Safety
///
/// The arguments belong to the context, in which a native is running.
unsafe fn label(ctx: *mut qjs::JSContext, rest: &[qjs::JSValue]) -> Option<Box<str>> {
    // SAFETY: the caller's.
    let ctx = unsafe {
        if !rest.first().is_some_and(|&first| qjs::JS_IsString(first)) {
            return None;
        }
        Ctx::from_raw(NonNull::new_unchecked(ctx))
    };
    // The native, and the one that called it.
    let caller = ctx.script_or_module_name(1).and_then(|name| name.to_string().ok());
    if caller.is_some_and(|name| name.contains("/node_modules/")) {
        return None;
    }
    // SAFETY: the reference is made here and taken over by the value.
    let first = unsafe {
        let raw = ctx.as_raw().as_ptr();
        Value::from_raw(ctx, qjs::JS_DupValue(raw, rest[0]))
    };
    let name = first.as_string()?.to_string().ok()?;
    (!name.is_empty()).then(|| name.into())
}

/// A number as a delay of a clock; nothing if it is none, which has then been thrown.
///
/// # Safety
///
/// The context is alive.
unsafe fn delay_of(ctx: *mut qjs::JSContext, delay: f64, label: Option<&str>) -> Option<Delay> {
    match label {
        // Node's coercion: whatever is no delay is a millisecond.
        None if (1.0..=LONGEST_MS).contains(&delay) => Some(Delay::from_millis(delay as u64)),
        None => Some(Delay::from_millis(1)),
        Some(label) => {
            let unit = bridge::with(|context| context.unit(label));
            match Delay::from_number(delay, unit) {
                Ok(delay) => Some(delay),
                Err(error) => {
                    // SAFETY: the caller's.
                    let ctx = unsafe { Ctx::from_raw(NonNull::new_unchecked(ctx)) };
                    Exception::throw_range(&ctx, &error.to_string());
                    None
                }
            }
        }
    }
}

/// Hands a timer to the machine.
///
/// # Safety
///
/// The value is the handle of a timer in that context.
unsafe fn release(ctx: *mut qjs::JSContext, handle: qjs::JSValue) {
    // SAFETY: the caller's; nothing of the engine runs while the task is borrowed.
    let (callback, task) =
        unsafe { (Callback::Timer(Owned::new(ctx, handle)), Task::of_any(handle)) };
    let label = task.label.as_deref();
    task.handle = Some(bridge::with(|context| {
        let handle = if task.repeats {
            let unit = label.map_or(Unit::default(), |label| context.unit(label));
            context.release_every(label, Period::at_least_one(task.delay, unit), callback)
        } else {
            context.release(label, task.delay, callback)
        };
        if !task.referenced {
            context.set_referenced(handle, false);
        }
        handle
    }));
}

/// `clearTimeout(timer)`: a handle, or the number or text that stands for one; anything else is none.
unsafe extern "C" fn clear_timer(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    _: i32,
    args: *mut qjs::JSValue,
    magic: i32,
) -> qjs::JSValue {
    // SAFETY: there is one argument at least, since the function has a parameter; it is alive.
    unsafe {
        let timer = *args;
        if let Some(task) = Task::of(timer, magic as qjs::JSClassID) {
            // In the callback's destructor parts of the engine run: the borrow is over by then.
            let handle = task.handle.take();
            if let Some(handle) = handle {
                bridge::with(|context| context.clear(handle));
            }
        } else if qjs::JS_IsNumber(timer) || qjs::JS_IsString(timer) {
            return ask_library(ctx, timer, |library| &library.clear_by_number);
        }
    }
    qjs::JS_UNDEFINED
}

/// `startTimer(callback, delay, repeats, args, label)`: for the library; `args` is an array or
/// undefined, `label` a text or undefined.
fn start<'js>(
    ctx: Ctx<'js>,
    callback: Function<'js>,
    delay: f64,
    repeats: bool,
    args: Option<Vec<Value<'js>>>,
    label: Option<String>,
) -> Result<Value<'js>> {
    let args: Vec<qjs::JSValue> = args.iter().flatten().map(|arg| arg.as_raw()).collect();
    let class = Classes::of(&ctx).timeout;
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: all values belong to the context and are alive.
    unsafe {
        let Some(delay) = delay_of(raw, delay, label.as_deref()) else {
            return Err(rquickjs::Error::Exception);
        };
        let label = label.map(Into::into);
        let task = Task::timer(raw, callback.as_raw(), &args, label, delay, repeats);
        let handle = raw::take(&ctx, task.into_object(raw, class))?;
        release(raw, handle.as_raw());
        Ok(handle)
    }
}

/// `refreshTimer(timeout)`: lets it begin anew, as if it were released now.
fn refresh<'js>(ctx: Ctx<'js>, mut timeout: Value<'js>) -> Result<()> {
    let handle = task::timeout(&ctx, &mut timeout)?.handle;
    if let Some(handle) = handle {
        bridge::with(|context| context.clear(handle));
        // SAFETY: the value is the handle of a timer, as has been seen.
        unsafe { release(ctx.as_raw().as_ptr(), timeout.as_raw()) };
    }
    Ok(())
}

/// `referTimer(timeout, referenced)`: whether it keeps the program alive.
fn refer<'js>(ctx: Ctx<'js>, mut timeout: Value<'js>, referenced: bool) -> Result<()> {
    let task = task::timeout(&ctx, &mut timeout)?;
    task.referenced = referenced;
    if let Some(handle) = task.handle {
        bridge::with(|context| context.set_referenced(handle, referenced));
    }
    Ok(())
}

/// `timerInfo(timeout)`: `[release, referenced, pending, delay, repeats, callback, label]`.
fn info<'js>(ctx: Ctx<'js>, mut timeout: Value<'js>) -> Result<Vec<Value<'js>>> {
    let task = task::timeout(&ctx, &mut timeout)?;
    let pending =
        task.handle.filter(|&handle| bridge::with(|context| context.machine().is_pending(handle)));
    let release = task.handle.map_or(-1.0, |handle| handle.release().0 as f64);
    Ok(vec![
        Value::new_number(ctx.clone(), release),
        Value::new_bool(ctx.clone(), task.referenced),
        Value::new_bool(ctx.clone(), pending.is_some()),
        Value::new_number(ctx.clone(), task.delay.as_micros() as f64 / 1_000.0),
        Value::new_bool(ctx.clone(), task.repeats),
        task.callback(&ctx),
        match &task.label {
            None => Value::new_undefined(ctx.clone()),
            Some(label) => rquickjs::String::from_str(ctx.clone(), label)?.into_value(),
        },
    ])
}

/// Calls what a timer is for.
pub(crate) fn fire(ctx: &Ctx<'_>, timeout: &Owned) -> Result<()> {
    // SAFETY: it is the handle of a timer, which keeps callback and arguments alive and unchanged as
    // long as it is itself, which the caller sees to.
    unsafe {
        let (callback, args) = Task::of_any(timeout.as_raw()).parts();
        raw::call(ctx, callback, timeout.as_raw(), args)
    }
}

/// `setImmediate(callback, ...args)`.
unsafe extern "C" fn set_immediate(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    count: i32,
    args: *mut qjs::JSValue,
    magic: i32,
) -> qjs::JSValue {
    // SAFETY: as in `set_timer`.
    unsafe {
        let callback = *args;
        if !qjs::JS_IsFunction(ctx, callback) {
            return ask_library(ctx, callback, |library| &library.invalid_callback);
        }
        let task = Task::new(ctx, callback, rest(args, count, 1));
        let immediate = task.into_object(ctx, magic as qjs::JSClassID);
        if !qjs::JS_IsException(immediate) {
            let callback = Callback::Immediate(Owned::new(ctx, immediate));
            bridge::with(|context| {
                context.queue(ReadyClass::Immediate, Group::default(), callback);
            });
        }
        immediate
    }
}

/// `clearImmediate(immediate)`.
unsafe extern "C" fn clear_immediate(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    _: i32,
    args: *mut qjs::JSValue,
    magic: i32,
) -> qjs::JSValue {
    // SAFETY: as in `clear_timer`.
    unsafe {
        if let Some(task) = Task::of(*args, magic as qjs::JSClassID) {
            drop(task.take(ctx));
        }
    }
    qjs::JS_UNDEFINED
}

/// Calls what an immediate is for, unless it was cleared.
pub(crate) fn fire_immediate(ctx: &Ctx<'_>, immediate: &Owned) -> Result<()> {
    // SAFETY: it is the handle of an immediate; what is taken from it is alive until it is dropped.
    unsafe {
        match Task::of_any(immediate.as_raw()).take(ctx.as_raw().as_ptr()) {
            None => Ok(()),
            Some(taken) => raw::call(ctx, taken.callback(), immediate.as_raw(), taken.args()),
        }
    }
}

/// `nextTick(callback, ...args)`.
unsafe extern "C" fn next_tick(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    count: i32,
    args: *mut qjs::JSValue,
    _: i32,
) -> qjs::JSValue {
    // SAFETY: as in `set_timer`.
    unsafe {
        let callback = *args;
        if !qjs::JS_IsFunction(ctx, callback) {
            return ask_library(ctx, callback, |library| &library.invalid_callback);
        }
        let args = rest(args, count, 1).iter().map(|&arg| Owned::new(ctx, arg)).collect();
        let callback = Callback::Call(Owned::new(ctx, callback), args);
        bridge::with(|context| context.queue(ReadyClass::Tick, Group::default(), callback));
    }
    qjs::JS_UNDEFINED
}

/// Calls a function with its arguments.
pub(crate) fn fire_call(ctx: &Ctx<'_>, function: &Owned, args: &[Owned]) -> Result<()> {
    let call = |args: &[qjs::JSValue]| {
        // SAFETY: the owned references keep everything alive.
        unsafe { raw::call(ctx, function.as_raw(), qjs::JS_UNDEFINED, args) }
    };
    if args.is_empty() {
        return call(&[]);
    }
    call(&args.iter().map(Owned::as_raw).collect::<Vec<_>>())
}

/// `queueMicrotask(callback)`: a job of the engine, with the error path of a callback.
unsafe extern "C" fn queue_microtask(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    _: i32,
    args: *mut qjs::JSValue,
    _: i32,
) -> qjs::JSValue {
    // SAFETY: as in `clear_timer`; the engine makes references of its own to a job's arguments.
    unsafe {
        if !qjs::JS_IsFunction(ctx, *args) {
            return ask_library(ctx, *args, |library| &library.invalid_callback);
        }
        match qjs::JS_EnqueueJob(ctx, Some(run_microtask), 1, args) {
            0 => qjs::JS_UNDEFINED,
            _ => qjs::JS_EXCEPTION,
        }
    }
}

/// Runs a microtask. Its error is no rejection: it is an uncaught exception.
unsafe extern "C" fn run_microtask(
    ctx: *mut qjs::JSContext,
    _: i32,
    args: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the job has the one argument that it was made with, and keeps it alive.
    unsafe {
        let returned = qjs::JS_Call(ctx, *args, qjs::JS_UNDEFINED, 0, std::ptr::null_mut());
        if !qjs::JS_IsException(returned) {
            return returned;
        }
        let bindings = Ctx::from_raw(NonNull::new_unchecked(ctx));
        if crate::host::state(&bindings).exit.get().is_some() {
            return returned;
        }
        let thrown = qjs::JS_GetException(ctx);
        let result = ask_library(ctx, thrown, |library| &library.uncaught);
        qjs::JS_FreeValue(ctx, thrown);
        result
    }
}

/// `queueMessage(callback)`: runs it as a completion, an action of its own.
fn queue_message<'js>(ctx: Ctx<'js>, callback: Function<'js>, _: Rest<Value<'js>>) {
    // SAFETY: the function belongs to the context, and both are alive.
    let callback = unsafe { Owned::new(ctx.as_raw().as_ptr(), callback.as_raw()) };
    let callback = Callback::Call(callback, Box::default());
    bridge::with(|context| context.queue(ReadyClass::Io, Group::default(), callback));
}

/// `clockTime(label)`: logical time in milliseconds, or undefined; physical time without a label.
fn clock_time(label: Option<String>) -> Option<f64> {
    let time = bridge::with(|context| match &label {
        None => Some(context.now()),
        Some(label) => context.clock(label),
    });
    time.map(|time| time.as_micros() as f64 / 1_000.0)
}
