//! Timers, immediates, ticks and microtasks: what programs hold, and what they are to the machine.
#![expect(unsafe_code, reason = "handles and their functions are made without the bindings")]

use crate::state::state;
use hemiola_engine::Callback;
use hemiola_engine::bridge;
use hemiola_engine::contexts;
use hemiola_engine::raw::{self, Arguments, Owned, OwnedObject};
use hemiola_engine::task::{self, Classes, Task};
use hemiola_machine::{
    Class as ReadyClass, Delay, Eagerness, Group, Handle, Named, Period, Unit,
};
use rquickjs::prelude::Opt;
use rquickjs::{Ctx, Exception, Function, JsLifetime, Object, Persistent, Result, Value, qjs};
use std::ptr::NonNull;

/// The longest delay that Node takes for one; anything else is a millisecond.
const LONGEST_MS: f64 = 2_147_483_647.0;

/// What a native is made with: the class of its handles, and above that how it differs from others.
const CLASS_BITS: i32 = 0x0fff;
const REPEATS: i32 = 0x1000;
/// A third argument that is a text names a clock.
const LABELLED: i32 = 0x2000;
/// A timeout without a delay is urgent (rule LOOP-5).
const EDGE: i32 = 0x4000;

/// What the library does for the natives.
struct Library<'js> {
    /// Throws what Node throws for something that is no function.
    invalid_callback: Function<'js>,
    /// Starts a timer whose delay or label is out of the ordinary.
    start_slowly: Function<'js>,
    /// Clears a timer of which only the number is known.
    clear_by_number: Function<'js>,
    /// Takes an error that nobody caught.
    uncaught: Function<'js>,
}

// SAFETY: `Changed` is the same type with the other lifetime.
unsafe impl<'js> JsLifetime<'js> for Library<'js> {
    type Changed<'to> = Library<'to>;
}

/// Puts the functions on `binding` that programs see, and the prototypes of the handles.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let (classes, timeout_prototype, immediate_prototype) = Classes::define(ctx)?;
    binding.set("timeoutPrototype", timeout_prototype)?;
    binding.set("immediatePrototype", immediate_prototype)?;
    let Classes { timeout, immediate } = classes;
    let edge = if state(ctx).options.strategy == Named::Edge { EDGE } else { 0 };
    let (timeout, immediate) = (timeout as i32 | edge, immediate as i32);
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
    Ok(())
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "helpTimers" => Function::new(ctx.clone(), help),
        "startTimer" => Function::new(ctx.clone(), start),
        "referImmediate" => Function::new(ctx.clone(), refer_immediate),
        "immediateInfo" => Function::new(ctx.clone(), immediate_info),
        "holdLoop" => Function::new(ctx.clone(), hold_loop),
        "refreshTimer" => Function::new(ctx.clone(), refresh),
        "referTimer" => Function::new(ctx.clone(), refer),
        "timerInfo" => Function::new(ctx.clone(), info),
        "queueMessage" => Function::new(ctx.clone(), queue_message),
        _ => return None,
    })
}

/// `helpTimers(invalidCallback, startSlowly, clearByNumber, uncaught)`: what the natives call in rare
/// cases.
fn help<'js>(
    ctx: Ctx<'js>,
    invalid_callback: Function<'js>,
    start_slowly: Function<'js>,
    clear_by_number: Function<'js>,
    uncaught: Function<'js>,
) {
    let _ =
        ctx.store_userdata(Library { invalid_callback, start_slowly, clear_by_number, uncaught });
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
        let rest = rest(args, count, 2);
        let label = if magic & LABELLED == 0 { Label::None } else { label(ctx, rest) };
        let repeats = magic & REPEATS != 0;
        let mut task = match (delay_of(delay, magic & EDGE != 0 && !repeats), label) {
            (Some(delay), Label::None) => {
                Task::timer(ctx, callback, rest, None, delay.unlabelled(), repeats)
            }
            (Some(delay), Label::Known(label)) => {
                Task::timer(ctx, callback, rest, Some(label), delay.labelled(), repeats)
            }
            (_, label) => return start_slowly(ctx, callback, delay, repeats, rest, label),
        };
        task.guard = bridge::with(|context| context.is_open()) && is_guard(&bound(ctx), 1);
        let handle = task.into_object(ctx, (magic & CLASS_BITS) as qjs::JSClassID);
        if !qjs::JS_IsException(handle) {
            let_time_pass(handle);
            release(ctx, handle);
        }
        handle
    }
}

/// Whether the function that many calls above the running one is of the library, and does not start a
/// timer for the program: then it guards something of its own.
fn is_guard(ctx: &Ctx<'_>, above: isize) -> bool {
    const FOR_PROGRAMS: [&str; 3] = [
        "node:lib/internal/bootstrap",
        "node:lib/internal/fs/watch_file",
        "node:lib/internal/net/socket",
    ];
    library_caller(ctx, above).is_some_and(|name| !FOR_PROGRAMS.contains(&name.as_str()))
}

/// The file of the library that a function is of, that many calls above the running one.
fn library_caller(ctx: &Ctx<'_>, above: isize) -> Option<String> {
    let caller = ctx.script_or_module_name(above)?.to_string().ok()?;
    caller.starts_with("node:lib/").then_some(caller)
}

/// The context as the bindings have it.
///
/// # Safety
///
/// The context is alive as long as the result is used.
unsafe fn bound<'js>(ctx: *mut qjs::JSContext) -> Ctx<'js> {
    // SAFETY: the caller's; the engine calls with a context that is not null.
    unsafe { Ctx::from_raw(NonNull::new_unchecked(ctx)) }
}

/// Lets time pass before a timer is released, where the world leaves that open (rule EXPL-2).
///
/// # Safety
///
/// The value is the handle of a timer.
unsafe fn let_time_pass(handle: qjs::JSValue) {
    // SAFETY: the caller's; nothing of the engine runs while the task is borrowed.
    let task = unsafe { Task::of_any(handle) };
    let counts = |callback: &Callback| match callback {
        Callback::Timer(timeout) => task::eagerness(timeout) == Eagerness::Free,
        _ => true,
    };
    if !task.guard {
        bridge::with(|context| context.let_time_pass(task.label.as_deref(), task.delay, counts));
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

/// A delay that needs no words: a number that Node takes for a delay.
#[derive(Clone, Copy)]
struct Millis(f64);

impl Millis {
    /// Node's coercion: whatever is no delay is a millisecond.
    fn unlabelled(self) -> Delay {
        Delay::from_millis(if self.0 >= 1.0 { self.0 as u64 } else { 1 })
    }

    /// Whole milliseconds, from none on (rule TIME-12).
    fn labelled(self) -> Delay {
        Delay::from_millis(self.0 as u64)
    }
}

/// An argument as a delay; nothing for one that the library looks at: no number, or so large a one
/// that there is something to say, or none that is urgent.
fn delay_of(value: qjs::JSValue, urgent: bool) -> Option<Millis> {
    // SAFETY: the functions look at the value's tag, and at its bits.
    let number = unsafe {
        if qjs::JS_IsInt(value) {
            f64::from(qjs::JS_VALUE_GET_INT(value))
        } else if qjs::JS_IsNumber(value) {
            qjs::JS_VALUE_GET_FLOAT64(value)
        } else {
            return None;
        }
    };
    let plain = number.is_nan() || number <= LONGEST_MS;
    (plain && !(urgent && (number.is_nan() || number < 1.0))).then_some(Millis(number))
}

/// What the first of the further arguments is to the global timers (rule TIME-15).
enum Label {
    /// Nothing but an argument.
    None,
    /// The label of a clock in milliseconds.
    Known(Box<str>),
    /// A label that the library looks at first.
    Special,
}

/// The clock that the first of the further arguments names: a text that is not empty, unless a
/// dependency calls.
///
/// # Safety
///
/// The arguments belong to the context, in which a native is running.
unsafe fn label(ctx: *mut qjs::JSContext, rest: &[qjs::JSValue]) -> Label {
    // SAFETY: the caller's; the reference is made here and taken over by the value.
    let (ctx, first) = unsafe {
        if !rest.first().is_some_and(|&first| qjs::JS_IsString(first)) {
            return Label::None;
        }
        let bindings = Ctx::from_raw(NonNull::new_unchecked(ctx));
        (bindings.clone(), Value::from_raw(bindings, qjs::JS_DupValue(ctx, rest[0])))
    };
    // The native, and the one that called it.
    let caller = ctx.script_or_module_name(1).and_then(|name| name.to_string().ok());
    if caller.is_some_and(|name| name.contains("/node_modules/")) {
        return Label::None;
    }
    match first.as_string().map(rquickjs::String::to_string) {
        Some(Ok(name)) if name.is_empty() => Label::None,
        // The library notes the first use of a label; a clock in microseconds has delays of its own.
        Some(Ok(name))
            if state(&ctx).engine.run.labels_in_use.get()
                && bridge::with(|context| context.unit(&name)) == Unit::Millisecond =>
        {
            Label::Known(name.into())
        }
        _ => Label::Special,
    }
}

/// Lets the library start a timer: it knows what Node says of such arguments.
///
/// # Safety
///
/// The values belong to the context, in whose scope the caller is.
unsafe fn start_slowly(
    ctx: *mut qjs::JSContext,
    callback: qjs::JSValue,
    delay: qjs::JSValue,
    repeats: bool,
    rest: &[qjs::JSValue],
    label: Label,
) -> qjs::JSValue {
    // SAFETY: the caller's; each value takes over a reference that is made for it.
    unsafe {
        let bindings = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let value = |raw| Value::from_raw(bindings.clone(), qjs::JS_DupValue(ctx, raw));
        let args: Vec<Value<'_>> = rest.iter().map(|&arg| value(arg)).collect();
        let library = bindings.userdata::<Library<'_>>().expect("the library helps from the start");
        let function = library.start_slowly.clone();
        drop(library);
        let labelled = !matches!(label, Label::None);
        raw::give(function.call((value(callback), value(delay), repeats, args, labelled)))
    }
}

/// Hands a timer to the machine.
///
/// # Safety
///
/// The value is the handle of a timer in that context.
unsafe fn release(ctx: *mut qjs::JSContext, handle: qjs::JSValue) {
    // SAFETY: the caller's; nothing of the engine runs while the task is borrowed.
    let callback = unsafe { Callback::Timer(OwnedObject::new(ctx, handle)) };
    let callback = contexts::bind(ctx, c"Timeout", Some(handle), callback);
    // SAFETY: the caller's; nothing of the engine runs while the task is borrowed.
    let task = unsafe { Task::of_any(handle) };
    let label = task.label.as_deref();
    let handle = bridge::with(|context| {
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
    });
    task.handle = Some(handle);
    if task.number == 0 {
        task.number = handle.release().0;
    }
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
        if let Some(task) = Task::of(timer, (magic & CLASS_BITS) as qjs::JSClassID) {
            task.urgent = false;
            // In the callback's destructor parts of the engine run: the borrow is over by then.
            let handle = task.handle.take();
            if handle.is_some_and(|handle| bridge::with(|context| context.clear(handle))) {
                contexts::cleared(ctx, timer);
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
    let state = state(&ctx);
    let zero = !repeats && label.is_none() && (delay.is_nan() || delay < 1.0);
    let urgent = zero && state.options.strategy == Named::Edge;
    let delay = match &label {
        // Node's coercion: whatever is no delay is a millisecond.
        None if (1.0..=LONGEST_MS).contains(&delay) => Delay::from_millis(delay as u64),
        None => Delay::from_millis(1),
        Some(label) => {
            state.engine.run.labels_in_use.set(true);
            let unit = bridge::with(|context| context.unit(label));
            Delay::from_number(delay, unit)
                .map_err(|error| Exception::throw_range(&ctx, &error.to_string()))?
        }
    };
    let args: Vec<qjs::JSValue> = args.iter().flatten().map(|arg| arg.as_raw()).collect();
    let class = Classes::of(&ctx).timeout;
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: all values belong to the context and are alive.
    unsafe {
        let label = label.map(Into::into);
        let mut task = Task::timer(raw, callback.as_raw(), &args, label, delay, repeats);
        task.urgent = urgent;
        let handle = raw::take(&ctx, task.into_object(raw, class))?;
        if urgent {
            let callback = Callback::Timer(OwnedObject::new(raw, handle.as_raw()));
            let callback = contexts::bind(raw, c"Timeout", Some(handle.as_raw()), callback);
            bridge::with(|context| context.queue(ReadyClass::Promise, Group::default(), callback));
        } else {
            let_time_pass(handle.as_raw());
            release(raw, handle.as_raw());
        }
        Ok(handle)
    }
}

/// `refreshTimer(timeout)`: lets it begin anew, as if it were released now.
fn refresh<'js>(ctx: Ctx<'js>, mut timeout: Value<'js>) -> Result<()> {
    let handle = task::timeout(&ctx, &mut timeout)?.handle;
    if let Some(handle) = handle {
        bridge::with(|context| context.clear(handle));
        // SAFETY: the value is the handle of a timer, as has been seen.
        unsafe {
            // Between here and who asked for it stands the method of the handle. Sockets do it all the time.
            if bridge::with(|context| context.is_open()) && library_caller(&ctx, 2).is_none() {
                let_time_pass(timeout.as_raw());
            }
            release(ctx.as_raw().as_ptr(), timeout.as_raw());
        }
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

/// `timerInfo(timeout)`: what it is and how it stands. The callback of one that was cleared is null.
fn info<'js>(ctx: Ctx<'js>, mut timeout: Value<'js>) -> Result<Object<'js>> {
    let task = task::timeout(&ctx, &mut timeout)?;
    let pending = |handle: Handle| bridge::with(|context| context.machine().is_pending(handle));
    let callback = match task.handle {
        Some(_) => task.callback(&ctx),
        None => Value::new_null(ctx.clone()),
    };
    let info = Object::new(ctx)?;
    info.set("number", task.number as f64)?;
    info.set("referenced", task.referenced)?;
    info.set("pending", task.handle.is_some_and(pending))?;
    info.set("delay", task.delay.as_micros() as f64 / 1_000.0)?;
    info.set("repeats", task.repeats)?;
    info.set("callback", callback)?;
    info.set("label", task.label.as_deref())?;
    Ok(info)
}

/// Calls what a timer is for.
pub fn fire(ctx: &Ctx<'_>, timeout: &OwnedObject) -> Result<()> {
    // SAFETY: it is the handle of a timer, which keeps callback and arguments alive and unchanged as
    // long as it is itself, which the caller sees to.
    unsafe {
        let task = Task::of_any(timeout.as_raw());
        if !std::mem::take(&mut task.urgent) && task.handle.is_none() {
            return Ok(()); // Cleared among the urgent callbacks, where the machine clears nothing.
        }
        let (callback, args) = task.parts();
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
            let callback = Callback::Immediate(OwnedObject::new(ctx, immediate));
            let callback = contexts::bind(ctx, c"Immediate", Some(immediate), callback);
            bridge::with(|context| {
                context.queue(ReadyClass::Immediate, Group::default(), callback);
            });
        }
        immediate
    }
}

/// `clearImmediate(immediate)`: it stays in the queue, but nobody waits for it.
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
            task.refer_immediate(false);
            let taken = task.take(ctx);
            if taken.is_some() {
                contexts::cleared(ctx, *args);
            }
        }
    }
    qjs::JS_UNDEFINED
}

/// `referImmediate(immediate, referenced)`: whether it keeps the program alive, while it waits.
fn refer_immediate<'js>(ctx: Ctx<'js>, mut immediate: Value<'js>, referenced: bool) -> Result<()> {
    task::immediate(&ctx, &mut immediate)?.refer_immediate(referenced);
    Ok(())
}

/// `immediateInfo(immediate)`: what it is and how it stands. One that was cleared or has run has no
/// callback any more.
fn immediate_info<'js>(ctx: Ctx<'js>, mut immediate: Value<'js>) -> Result<Object<'js>> {
    let task = task::immediate(&ctx, &mut immediate)?;
    let waits = task.has_callback();
    let info = Object::new(ctx.clone())?;
    info.set("callback", if waits { task.callback(&ctx) } else { Value::new_null(ctx.clone()) })?;
    info.set("args", task.args(&ctx))?;
    info.set("referenced", waits && task.referenced)?;
    Ok(info)
}

/// Calls what an immediate is for, unless it was cleared.
pub fn fire_immediate(ctx: &Ctx<'_>, immediate: &OwnedObject) -> Result<()> {
    // SAFETY: it is the handle of an immediate; what is taken from it is alive until it is dropped.
    unsafe {
        let task = Task::of_any(immediate.as_raw());
        if !task.referenced {
            bridge::with(|context| context.set_ready_referenced(true));
        }
        match task.take(ctx.as_raw().as_ptr()) {
            None => Ok(()),
            Some(taken) => raw::call(ctx, taken.callback(), immediate.as_raw(), taken.args()),
        }
    }
}

/// Whether an immediate was cleared.
pub fn is_cleared(immediate: &OwnedObject) -> bool {
    // SAFETY: it is the handle of an immediate.
    unsafe { !Task::of_any(immediate.as_raw()).has_callback() }
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
        let args = match rest(args, count, 1) {
            [] => None,
            args => Some(Box::new(args.iter().map(|&arg| Owned::new(ctx, arg)).collect())),
        };
        let callback = Callback::Call(OwnedObject::new(ctx, callback), args);
        let callback = contexts::bind(ctx, c"TickObject", None, callback);
        bridge::with(|context| context.queue(ReadyClass::Tick, Group::default(), callback));
    }
    qjs::JS_UNDEFINED
}

/// Calls a function with its arguments.
pub fn fire_call(ctx: &Ctx<'_>, function: &OwnedObject, args: &Arguments) -> Result<()> {
    let call = |args: &[qjs::JSValue]| {
        // SAFETY: the owned references keep everything alive.
        unsafe { raw::call(ctx, function.as_raw(), qjs::JS_UNDEFINED, args) }
    };
    match args {
        None => call(&[]),
        Some(args) => call(&args.iter().map(Owned::as_raw).collect::<Vec<_>>()),
    }
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
        let scope = contexts::take_microtask(ctx);
        if qjs::JS_IsException(scope) {
            return scope;
        }
        let mut job = [*args, scope];
        let queued = qjs::JS_EnqueueJob(ctx, Some(run_microtask), 2, job.as_mut_ptr());
        qjs::JS_FreeValue(ctx, scope);
        match queued {
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
    // SAFETY: the job has the two arguments that it was made with, and keeps them alive.
    unsafe {
        let bindings = Ctx::from_raw(NonNull::new_unchecked(ctx));
        contexts::enter(ctx, *args.add(1));
        let returned = qjs::JS_Call(ctx, *args, qjs::JS_UNDEFINED, 0, std::ptr::null_mut());
        if !qjs::JS_IsException(returned) {
            return returned;
        }
        if state(&bindings).engine.is_over() {
            return returned;
        }
        let thrown = qjs::JS_GetException(ctx);
        if bridge::with(|context| context.listens()) {
            let value = Value::from_raw(bindings.clone(), qjs::JS_DupValue(ctx, thrown));
            state(&bindings)
                .engine
                .run
                .job_threw
                .replace(Some(hemiola_engine::values::describe(&value)));
        }
        let result = ask_library(ctx, thrown, |library| &library.uncaught);
        qjs::JS_FreeValue(ctx, thrown);
        result
    }
}

/// `queueMessage(callback, receiver, keepsAlive, type)`: runs it as a completion, an action of its own. A
/// program does not wait for a message that does not keep it alive. `type` is what hooks call it, if it
/// is no message.
fn queue_message<'js>(
    ctx: Ctx<'js>,
    callback: Function<'js>,
    _receiver: f64,
    keeps_alive: bool,
    kind: Opt<String>,
) {
    let callback = Callback::Message(Persistent::save(&ctx, callback), keeps_alive);
    let kind = match kind.0.as_deref() {
        Some("RANDOMBYTESREQUEST") => c"RANDOMBYTESREQUEST",
        _ => c"MESSAGEPORT",
    };
    let callback = contexts::bind(ctx.as_raw().as_ptr(), kind, None, callback);
    bridge::with(|context| {
        context.queue(ReadyClass::Io, Group::default(), callback);
        if !keeps_alive {
            context.set_ready_referenced(false);
        }
    });
}

/// Calls what a message is for.
pub fn deliver(callback: &Function<'_>, keeps_alive: bool) -> Result<()> {
    if !keeps_alive {
        bridge::with(|context| context.set_ready_referenced(true));
    }
    callback.call(())
}

/// `holdLoop(change)`: one more, or one fewer, receiver of messages keeps the program alive.
fn hold_loop(change: i32) {
    bridge::with(|context| if change > 0 { context.keep_alive() } else { context.let_end() });
}
