//! Timers, immediates and ticks: what programs hold, and what they are to the machine.
#![expect(unsafe_code, reason = "a type that holds values of the engine must say so by hand")]

use crate::bridge;
use crate::host::{Callback, state};
use hemiola_machine::{Class as ReadyClass, Delay, Group, Handle, Named, Period, Unit};
use rquickjs::class::{JsClass, Trace, Tracer, Writable};
use rquickjs::function::{Constructor, Rest, This};
use rquickjs::{Class, Ctx, Exception, Function, JsLifetime, Object, Persistent, Result, Value};

/// What `setTimeout` and `setInterval` return.
pub(crate) struct Timeout<'js> {
    callback: Function<'js>,
    args: Vec<Value<'js>>,
    label: Option<Box<str>>,
    delay: Delay,
    repeats: bool,
    referenced: bool,
    /// Nothing once it was cleared.
    handle: Option<Handle>,
    /// Whether it waits among the urgent callbacks, where strategy `edge` has zero timeouts.
    urgent: bool,
    /// What it is as a number: the ordinal of its first release.
    number: u64,
}

/// What `setImmediate` returns. Without a callback it was cleared, or has run.
pub(crate) struct Immediate<'js> {
    callback: Option<Function<'js>>,
    args: Vec<Value<'js>>,
    /// Whether it keeps the program alive.
    referenced: bool,
}

// SAFETY: `Changed` is the same type with the other lifetime.
unsafe impl<'js> JsLifetime<'js> for Timeout<'js> {
    type Changed<'to> = Timeout<'to>;
}

// SAFETY: as above.
unsafe impl<'js> JsLifetime<'js> for Immediate<'js> {
    type Changed<'to> = Immediate<'to>;
}

impl<'js> Trace<'js> for Timeout<'js> {
    fn trace<'a>(&self, tracer: Tracer<'a, 'js>) {
        self.callback.trace(tracer);
        self.args.trace(tracer);
    }
}

impl<'js> Trace<'js> for Immediate<'js> {
    fn trace<'a>(&self, tracer: Tracer<'a, 'js>) {
        self.callback.trace(tracer);
        self.args.trace(tracer);
    }
}

impl<'js> JsClass<'js> for Timeout<'js> {
    const NAME: &'static str = "Timeout";
    type Mutable = Writable;

    fn constructor(_: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}

impl<'js> JsClass<'js> for Immediate<'js> {
    const NAME: &'static str = "Immediate";
    type Mutable = Writable;

    fn constructor(_: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}

/// The longest delay that Node takes for one; anything else is a millisecond.
const LONGEST_MS: f64 = 2_147_483_647.0;

/// Puts the functions of this file on `binding`, and the prototypes of the handles.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function = |name: &str, function: Function<'js>| binding.set(name, function);
    function("startTimer", Function::new(ctx.clone(), start)?)?;
    function("clearTimer", Function::new(ctx.clone(), clear)?)?;
    function("refreshTimer", Function::new(ctx.clone(), refresh)?)?;
    function("referTimer", Function::new(ctx.clone(), refer)?)?;
    function("timerInfo", Function::new(ctx.clone(), info)?)?;
    function("referImmediate", Function::new(ctx.clone(), refer_immediate)?)?;
    function("immediateInfo", Function::new(ctx.clone(), immediate_info)?)?;
    function("holdLoop", Function::new(ctx.clone(), hold_loop)?)?;
    function("startImmediate", Function::new(ctx.clone(), start_immediate)?)?;
    function("clearImmediate", Function::new(ctx.clone(), clear_immediate)?)?;
    function("nextTick", Function::new(ctx.clone(), next_tick)?)?;
    function("queueMessage", Function::new(ctx.clone(), queue_message)?)?;
    binding.set("timeoutPrototype", Class::<Timeout<'_>>::prototype(ctx)?)?;
    binding.set("immediatePrototype", Class::<Immediate<'_>>::prototype(ctx)?)
}

/// `startTimer(callback, delay, repeats, args, label)`: `args` is an array or undefined, `label` a
/// text or undefined.
fn start<'js>(
    ctx: Ctx<'js>,
    callback: Function<'js>,
    delay: f64,
    repeats: bool,
    args: Option<Vec<Value<'js>>>,
    label: Option<String>,
) -> Result<Class<'js, Timeout<'js>>> {
    let zero = !repeats && label.is_none() && (delay.is_nan() || delay < 1.0);
    let urgent = zero && state(&ctx).options.strategy == Named::Edge;
    let delay = match &label {
        // Node's coercion: whatever is no delay is a millisecond.
        None if (1.0..=LONGEST_MS).contains(&delay) => Delay::from_millis(delay as u64),
        None => Delay::from_millis(1),
        Some(label) => {
            let unit = bridge::with(|context| context.unit(label));
            Delay::from_number(delay, unit)
                .map_err(|error| Exception::throw_range(&ctx, &error.to_string()))?
        }
    };
    let timeout = Timeout {
        callback,
        args: args.unwrap_or_default(),
        label: label.map(Into::into),
        delay,
        repeats,
        referenced: true,
        handle: None,
        urgent,
        number: 0,
    };
    let timeout = Class::instance(ctx.clone(), timeout)?;
    if urgent {
        let callback = Callback::Timer(Persistent::save(&ctx, timeout.clone()));
        bridge::with(|context| context.queue(ReadyClass::Promise, Group::default(), callback));
    } else {
        release(&ctx, &timeout);
        let mut timer = timeout.borrow_mut();
        timer.number = timer.handle.map_or(0, |handle| handle.release().0);
    }
    Ok(timeout)
}

/// Hands a timer to the machine.
fn release<'js>(ctx: &Ctx<'js>, timeout: &Class<'js, Timeout<'js>>) {
    let callback = Callback::Timer(Persistent::save(ctx, timeout.clone()));
    let mut timer = timeout.borrow_mut();
    let Timeout { label, delay, repeats, referenced, handle, .. } = &mut *timer;
    *handle = Some(bridge::with(|context| {
        let label = label.as_deref();
        let handle = if *repeats {
            let unit = label.map_or(Unit::default(), |label| context.unit(label));
            context.release_every(label, Period::at_least_one(*delay, unit), callback)
        } else {
            context.release(label, *delay, callback)
        };
        if !*referenced {
            context.set_referenced(handle, false);
        }
        handle
    }));
}

/// `clearTimer(timeout)`.
fn clear<'js>(timeout: Class<'js, Timeout<'js>>) {
    timeout.borrow_mut().urgent = false;
    if let Some(handle) = timeout.borrow_mut().handle.take() {
        bridge::with(|context| context.clear(handle));
    }
}

/// `refreshTimer(timeout)`: lets it begin anew, as if it were released now.
fn refresh<'js>(ctx: Ctx<'js>, timeout: Class<'js, Timeout<'js>>) {
    let handle = timeout.borrow().handle;
    if let Some(handle) = handle {
        bridge::with(|context| context.clear(handle));
        release(&ctx, &timeout);
    }
}

/// `referTimer(timeout, referenced)`: whether it keeps the program alive.
fn refer<'js>(timeout: Class<'js, Timeout<'js>>, referenced: bool) {
    timeout.borrow_mut().referenced = referenced;
    if let Some(handle) = timeout.borrow().handle {
        bridge::with(|context| context.set_referenced(handle, referenced));
    }
}

/// `timerInfo(timeout)`: what it is and how it stands. The callback of one that was cleared is null.
fn info<'js>(ctx: Ctx<'js>, timeout: Class<'js, Timeout<'js>>) -> Result<Object<'js>> {
    let timer = timeout.borrow();
    let pending = |handle: Handle| bridge::with(|context| context.machine().is_pending(handle));
    let callback = match timer.handle {
        Some(_) => timer.callback.clone().into_value(),
        None => Value::new_null(ctx.clone()),
    };
    let info = Object::new(ctx)?;
    info.set("number", timer.number as f64)?;
    info.set("referenced", timer.referenced)?;
    info.set("pending", timer.handle.is_some_and(pending))?;
    info.set("delay", timer.delay.as_micros() as f64 / 1_000.0)?;
    info.set("repeats", timer.repeats)?;
    info.set("callback", callback)?;
    info.set("label", timer.label.as_deref())?;
    Ok(info)
}

/// Calls what a timer is for.
pub(crate) fn fire<'js>(timeout: &Class<'js, Timeout<'js>>) -> Result<()> {
    let (callback, args) = {
        let mut timer = timeout.borrow_mut();
        if !std::mem::take(&mut timer.urgent) && timer.handle.is_none() {
            return Ok(()); // Cleared among the urgent callbacks, where the machine clears nothing.
        }
        (timer.callback.clone(), timer.args.clone())
    };
    callback.call((This(timeout.clone()), Rest(args)))
}

/// `startImmediate(callback, args)`.
fn start_immediate<'js>(
    ctx: Ctx<'js>,
    callback: Function<'js>,
    args: Option<Vec<Value<'js>>>,
) -> Result<Class<'js, Immediate<'js>>> {
    let callback = Some(callback);
    let immediate = Immediate { callback, args: args.unwrap_or_default(), referenced: true };
    let immediate = Class::instance(ctx.clone(), immediate)?;
    let callback = Callback::Immediate(Persistent::save(&ctx, immediate.clone()));
    bridge::with(|context| context.queue(ReadyClass::Immediate, Group::default(), callback));
    Ok(immediate)
}

/// `clearImmediate(immediate)`: it stays in the queue, but nobody waits for it.
fn clear_immediate<'js>(immediate: Class<'js, Immediate<'js>>) {
    refer_immediate(immediate.clone(), false);
    immediate.borrow_mut().callback = None;
}

/// `referImmediate(immediate, referenced)`: whether it keeps the program alive, while it waits.
fn refer_immediate<'js>(immediate: Class<'js, Immediate<'js>>, referenced: bool) {
    let mut immediate = immediate.borrow_mut();
    if immediate.callback.is_some() && immediate.referenced != referenced {
        immediate.referenced = referenced;
        bridge::with(|context| context.set_ready_referenced(referenced));
    }
}

/// `immediateInfo(immediate)`: what it is and how it stands. One that was cleared or has run has no
/// callback any more.
fn immediate_info<'js>(
    ctx: Ctx<'js>,
    immediate: Class<'js, Immediate<'js>>,
) -> Result<Object<'js>> {
    let immediate = immediate.borrow();
    let callback = match &immediate.callback {
        Some(callback) => callback.clone().into_value(),
        None => Value::new_null(ctx.clone()),
    };
    let info = Object::new(ctx)?;
    info.set("callback", callback)?;
    info.set("args", immediate.args.clone())?;
    info.set("referenced", immediate.callback.is_some() && immediate.referenced)?;
    Ok(info)
}

/// Calls what an immediate is for, unless it was cleared.
pub(crate) fn fire_immediate<'js>(immediate: &Class<'js, Immediate<'js>>) -> Result<()> {
    let (callback, args) = {
        let mut immediate = immediate.borrow_mut();
        if !immediate.referenced {
            bridge::with(|context| context.set_ready_referenced(true));
        }
        (immediate.callback.take(), std::mem::take(&mut immediate.args))
    };
    match callback {
        None => Ok(()),
        Some(callback) => callback.call((This(immediate.clone()), Rest(args))),
    }
}

/// `nextTick(callback, ...args)`; the caller has made sure that it is a function.
fn next_tick<'js>(ctx: Ctx<'js>, callback: Function<'js>, args: Rest<Value<'js>>) {
    let args = args.0.into_iter().map(|arg| Persistent::save(&ctx, arg)).collect();
    let callback = Callback::Call(Persistent::save(&ctx, callback), args);
    bridge::with(|context| context.queue(ReadyClass::Tick, Group::default(), callback));
}

/// `queueMessage(callback, receiver, keepsAlive)`: runs it as a completion, an action of its own. A
/// program does not wait for a message that does not keep it alive.
fn queue_message<'js>(ctx: Ctx<'js>, callback: Function<'js>, _receiver: f64, keeps_alive: bool) {
    let callback = Callback::Message(Persistent::save(&ctx, callback), keeps_alive);
    bridge::with(|context| {
        context.queue(ReadyClass::Io, Group::default(), callback);
        if !keeps_alive {
            context.set_ready_referenced(false);
        }
    });
}

/// Calls what a message is for.
pub(crate) fn deliver(callback: &Function<'_>, keeps_alive: bool) -> Result<()> {
    if !keeps_alive {
        bridge::with(|context| context.set_ready_referenced(true));
    }
    callback.call(())
}

/// `holdLoop(change)`: one more, or one fewer, receiver of messages keeps the program alive.
fn hold_loop(change: i32) {
    bridge::with(|context| if change > 0 { context.keep_alive() } else { context.let_end() });
}
