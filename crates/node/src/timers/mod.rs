//! Timers, immediates, ticks and microtasks: what programs hold, and what they are to the machine.

use crate::state::state;
use hemiola_engine::call::{Alive, Arg, Call, Fresh};
use hemiola_engine::raw::OwnedObject;
use hemiola_engine::task::{self, Classes, Immediate, Started, TaskHandle, Then, Timer};
use hemiola_engine::{Callback, bridge, contexts, microtask, native, raw};
use hemiola_machine::{
    Awaited, Class as ReadyClass, Delay, Eagerness, Group, Handle, Named, Period, Unit,
};
use rquickjs::prelude::Opt;
use rquickjs::{Ctx, Exception, Function, Object, Persistent, Result, Value};

/// The longest delay that Node takes for one; anything else is a millisecond.
const LONGEST_MS: f64 = 2_147_483_647.0;

/// How a native that starts a timer differs from others: the library guards something of its own with it.
const GUARD: i32 = 1;
const REPEATS: i32 = 2;
/// A third argument that is a text names a clock.
const LABELLED: i32 = 4;
/// A timeout without a delay is urgent (rule LOOP-5).
const EDGE: i32 = 8;

/// A tick is the program's own, not the library's.
const OF_PROGRAM: i32 = 1;

/// What the library does for the natives.
#[derive(Clone)]
pub(crate) struct Library {
    /// Throws what Node throws for something that is no function.
    invalid_callback: Kept,
    /// Starts a timer whose delay or label is out of the ordinary.
    start_slowly: Kept,
    /// Clears a timer of which only the number is known.
    clear_by_number: Kept,
    /// Kept so that all other handles are made faster.
    _empty_handles: [Persistent<Value<'static>>; 2],
}

type Kept = Persistent<Function<'static>>;

/// Puts the functions on `binding` that programs see, and the prototypes of the handles.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let (timeout_prototype, immediate_prototype) = Classes::define(ctx)?;
    binding.set("timeoutPrototype", timeout_prototype)?;
    binding.set("immediatePrototype", immediate_prototype)?;
    let edge = if state(ctx).options.strategy == Named::Edge { EDGE } else { 0 };
    for (property, name, length, magic, native) in [
        ("setTimeout", c"setTimeout", 5, edge, native!(set_timer)),
        ("setInterval", c"setInterval", 5, edge | REPEATS, native!(set_timer)),
        ("setGuardTimeout", c"setTimeout", 5, edge | GUARD, native!(set_timer)),
        ("setGuardInterval", c"setInterval", 5, edge | REPEATS | GUARD, native!(set_timer)),
        ("setLabelledTimeout", c"setTimeout", 5, edge | LABELLED, native!(set_timer)),
        ("setLabelledInterval", c"setInterval", 5, edge | REPEATS | LABELLED, native!(set_timer)),
        ("clearTimeout", c"clearTimeout", 1, 0, native!(clear_timer)),
        ("clearInterval", c"clearInterval", 1, 0, native!(clear_timer)),
        ("setImmediate", c"setImmediate", 4, 0, native!(set_immediate)),
        ("setImmediateFirst", c"setImmediateFirst", 1, 0, native!(set_immediate_first)),
        ("clearImmediate", c"clearImmediate", 1, 0, native!(clear_immediate)),
        ("nextTick", c"nextTick", 1, 0, native!(next_tick)),
        ("nextTickOfProgram", c"nextTick", 1, OF_PROGRAM, native!(next_tick)),
        ("queueMicrotask", c"queueMicrotask", 1, 0, native!(queue_microtask)),
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
        "changeTimer" => Function::new(ctx.clone(), change),
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
) -> Result<()> {
    let state = state(&ctx);
    let empty_handles = Classes::of((&ctx).into()).empty(&ctx)?;
    let keep = |function: Function<'js>| Persistent::save(&ctx, function);
    let library = Library {
        invalid_callback: keep(invalid_callback),
        start_slowly: keep(start_slowly),
        clear_by_number: keep(clear_by_number),
        _empty_handles: empty_handles.map(|handle| Persistent::save(&ctx, handle)),
    };
    *state.registered.timers.borrow_mut() = Some(library);
    *state.engine.registered.uncaught.borrow_mut() = Some(keep(uncaught));
    Ok(())
}

/// A function of the library.
fn library<'js>(ctx: &Ctx<'js>, which: impl Fn(Library) -> Kept) -> Result<Function<'js>> {
    let library = state(ctx).registered.timers.borrow().clone();
    which(library.expect("the library helps from the start")).restore(ctx)
}

/// Gives the first argument of a call to a function of the library.
fn ask_library(call: &Call<'_>, which: impl Fn(Library) -> Kept) -> Result<Fresh> {
    let value: Value<'_> = library(&call.ctx(), which)?.call((call.arg(0),))?;
    Ok(value.into())
}

/// `setTimeout(callback, delay, ...args)` and its kin.
fn set_timer(call: &Call<'_>) -> Result<Fresh> {
    if !call.is_function(0) {
        return ask_library(call, |library| library.invalid_callback);
    }
    let (callback, delay, rest) = (call.at(0), call.at(1), call.rest(2));
    let magic = call.magic;
    let label = if magic & LABELLED == 0 { Label::None } else { label(call, rest) };
    let (repeats, guard) = (magic & REPEATS != 0, magic & GUARD != 0);
    let plain = plain_number(delay, magic & EDGE != 0 && !repeats);
    let (name, delay) = match (plain, label) {
        (Some(number), Label::None) => (None, unlabelled(number)),
        (Some(number), Label::Known(name)) => {
            let delay = Delay::from_number(number, Unit::Millisecond).expect("it is finite");
            (Some(name), delay)
        }
        (_, label) => return start_slowly(call, repeats, label, guard),
    };
    let named = name.as_ref().and(rest.first().copied());
    let timer = Timer::new(call.alive(), callback, rest, named, delay, repeats, guard)?;
    let handle = handle_of(call, timer)?;
    let given = handle.to_fresh(call.alive());
    let_time_pass(&handle, name.as_deref());
    release(call.alive(), handle, name.as_deref());
    Ok(given)
}

/// The handle of what a native starts; none where nobody could use it.
fn handle_of<T: Started>(call: &Call<'_>, started: T) -> Result<TaskHandle<T>> {
    if contexts::are_unbound(call.alive()) && call.is_dropped() {
        return TaskHandle::alone(call.alive(), started);
    }
    TaskHandle::with_object(call.alive(), started)
}

/// Lets time pass before a timer is released, where the world leaves that open (rule EXPL-2).
fn let_time_pass(handle: &TaskHandle<Timer>, label: Option<&str>) {
    let counts = |callback: &Callback| match callback {
        Callback::Timer(timeout) => timeout.eagerness() == Eagerness::Free,
        _ => true,
    };
    handle.with(|timer| {
        if !timer.guards() {
            bridge::with(|context| context.let_time_pass(label, timer.delay, counts));
        }
    });
}

/// The delay that a number is without a label: Node's coercion, by which whatever is no delay is a
/// millisecond. On a labelled clock it is [`Delay::from_number`].
fn unlabelled(number: f64) -> Delay {
    Delay::from_millis(if (1.0..=LONGEST_MS).contains(&number) { number as u64 } else { 1 })
}

/// An argument as a number; nothing for one that the library looks at: no number, or so large a one
/// that there is something to say, or a delay of none that is urgent.
fn plain_number(value: Arg<'_>, urgent: bool) -> Option<f64> {
    let number = value.number()?;
    let is_plain = number.is_nan() || number <= LONGEST_MS;
    (is_plain && !(urgent && is_none(number))).then_some(number)
}

/// Whether a number is no delay to Node.
fn is_none(number: f64) -> bool {
    number.is_nan() || number < 1.0
}

/// What the first of the further arguments is to the global timers (rule TIME-15).
enum Label {
    /// Nothing but an argument.
    None,
    /// The label of a clock in milliseconds.
    Known(String),
    /// A label that the library looks at first.
    Special,
}

/// The clock that the first of the further arguments names: a text that is not empty.
fn label(call: &Call<'_>, rest: &[Arg<'_>]) -> Label {
    if !rest.first().is_some_and(|first| first.is_string()) {
        return Label::None;
    }
    let (ctx, first) = (call.ctx(), call.arg(2));
    match first.as_string().map(rquickjs::String::to_string) {
        Some(Ok(name)) if name.is_empty() => Label::None,
        // The library notes the first use of a label; a clock in microseconds has delays of its own.
        Some(Ok(name))
            if state(&ctx).engine.run.labels_in_use.get()
                && bridge::with(|context| context.unit(&name)) == Unit::Millisecond =>
        {
            Label::Known(name)
        }
        _ => Label::Special,
    }
}

/// Lets the library start a timer: it knows what Node says of such arguments.
fn start_slowly(call: &Call<'_>, repeats: bool, label: Label, guard: bool) -> Result<Fresh> {
    let ctx = call.ctx();
    let args: Vec<Value<'_>> = (2..call.given()).map(|index| call.arg(index)).collect();
    let labelled = !matches!(label, Label::None);
    let start = library(&ctx, |library| library.start_slowly)?;
    let value: Value<'_> =
        start.call((call.arg(0), call.arg(1), repeats, args, labelled, guard))?;
    Ok(value.into())
}

/// Hands a timer to the machine, on the clock of that name if it has one.
fn release(ctx: Alive<'_>, timer: TaskHandle<Timer>, name: Option<&str>) {
    fn timer_of(callback: &Callback) -> &TaskHandle<Timer> {
        callback.timer().expect("it is one, in whatever context")
    }
    let callback = contexts::bind(ctx, c"Timeout", Callback::Timer(timer));
    let what = |timer: &mut Timer| (timer.delay, timer.repeats, timer.referenced);
    let (delay, repeats, referenced) = timer_of(&callback).with(what);
    let handle = bridge::with(|context| {
        let handle = if repeats {
            let unit = name.map_or(Unit::default(), |name| context.unit(name));
            context.release_every(name, Period::at_least_one(delay, unit), callback)
        } else {
            context.release(name, delay, callback)
        };
        if !referenced {
            context.set_referenced(handle, false);
        }
        // The machine has it now, and lends it.
        let released = context.machine().released(handle);
        timer_of(released.expect("the machine keeps what it was given")).with(|timer| {
            timer.handle = Some(handle);
            if timer.number == 0 {
                timer.number = handle.release().0;
            }
        });
        handle
    });
    contexts::started(ctx, || Awaited::Timer(handle));
}

/// `clearTimeout(timer)`: a handle, or the number or text that stands for one; anything else is none.
fn clear_timer(call: &Call<'_>) -> Result<Fresh> {
    let timer = call.at(0);
    if let Some(timer) = TaskHandle::<Timer>::of(call, 0) {
        // In the callback's destructor parts of the engine run: the borrow is over by then.
        let handle = timer.with(|timer| {
            timer.urgent = false;
            timer.handle.take()
        });
        if handle.is_some_and(|handle| bridge::with(|context| context.clear(handle))) {
            contexts::cleared(call.alive(), &*timer);
        }
    } else if timer.number().is_some() || timer.is_string() {
        return ask_library(call, |library| library.clear_by_number);
    }
    Ok(Fresh::UNDEFINED)
}

/// `startTimer(callback, delay, repeats, args, label, guard)`: for the library; `args` is an array or
/// undefined, `label` a text or undefined, `guard` whether the library guards something of its own.
fn start<'js>(
    ctx: Ctx<'js>,
    callback: Function<'js>,
    delay: f64,
    repeats: bool,
    args: Option<Vec<Value<'js>>>,
    label: Option<rquickjs::String<'js>>,
    guard: bool,
) -> Result<Value<'js>> {
    let state = state(&ctx);
    let name = label.as_ref().map(rquickjs::String::to_string).transpose()?;
    let zero = !repeats && label.is_none() && is_none(delay);
    let urgent = zero && state.options.strategy == Named::Edge;
    let delay = match &name {
        None => unlabelled(delay),
        Some(name) => {
            state.engine.run.labels_in_use.set(true);
            let unit = bridge::with(|context| context.unit(name));
            Delay::from_number(delay, unit)
                .map_err(|error| Exception::throw_range(&ctx, &error.to_string()))?
        }
    };
    let args: Vec<Arg<'_>> = args.iter().flatten().map(Arg::of).collect();
    let alive = Alive::from(&ctx);
    let label = label.as_deref().map(Arg::of);
    let mut timer = Timer::new(alive, Arg::of(&callback), &args, label, delay, repeats, guard)?;
    timer.urgent = urgent;
    let timer = TaskHandle::with_object(alive, timer)?;
    let given = timer.to_value(&ctx);
    if urgent {
        let callback = contexts::bind(alive, c"Timeout", Callback::Timer(timer));
        bridge::with(|context| context.queue(ReadyClass::Promise, Group::default(), callback));
    } else {
        let_time_pass(&timer, name.as_deref());
        release(alive, timer, name.as_deref());
    }
    Ok(given)
}

/// `refreshTimer(timeout, byProgram)`: lets it begin anew, as if it were released now. Sockets do that
/// all the time, and time passes no more often for it. What is no timer stays as it is.
fn refresh<'js>(ctx: Ctx<'js>, timeout: Value<'js>, by_program: bool) {
    let Some(timer) = TaskHandle::of_value(&ctx, &timeout) else { return };
    if let Some(handle) = timer.with(|timer| timer.handle.filter(|_| !timer.is_over())) {
        bridge::with(|context| context.clear(handle));
        let name = timer.label(&ctx);
        if by_program {
            let_time_pass(&timer, name.as_deref());
        }
        release((&ctx).into(), timer, name.as_deref());
    }
}

/// `referTimer(timeout, referenced)`: whether it keeps the program alive. What is no timer stays as it is.
fn refer<'js>(ctx: Ctx<'js>, mut timeout: Value<'js>, referenced: bool) {
    let Some(timer) = task::timer(&ctx, &mut timeout) else { return };
    timer.referenced = referenced;
    if let Some(handle) = timer.handle {
        bridge::with(|context| context.set_referenced(handle, referenced));
    }
}

/// `timerInfo(timeout)`: what it is and how it stands; nothing for what is no timer. The callback of one that was
/// cleared is null, and its delay -1.
fn info<'js>(ctx: Ctx<'js>, mut timeout: Value<'js>) -> Result<Option<Object<'js>>> {
    let Some(timer) = task::timer(&ctx, &mut timeout) else { return Ok(None) };
    let pending = |handle: Handle| bridge::with(|context| context.machine().is_pending(handle));
    let millis = |delay: Delay| delay.as_micros() as f64 / 1_000.0;
    let callback = match timer.handle {
        Some(_) => timer.callback(&ctx),
        None => Value::new_null(ctx.clone()),
    };
    let label = timer.label(&ctx);
    let info = Object::new(ctx)?;
    info.set("number", timer.number as f64)?;
    info.set("referenced", timer.referenced)?;
    info.set("pending", timer.handle.is_some_and(pending))?;
    info.set("delay", if timer.is_over() { -1.0 } else { millis(timer.delay) })?;
    let period = match timer.then() {
        Then::Every(period) => Some(millis(period)),
        Then::Ends => None,
    };
    info.set("period", period)?;
    info.set("callback", callback)?;
    info.set("label", label)?;
    Ok(Some(info))
}

/// `changeTimer(timeout, property, value)`: a program changes a timer that it has started. `callback` is what is
/// called; `period`, a number or undefined, is when it comes again once it has fired; `delay` is for when it begins
/// anew, and below zero it never does; `halt` lets it wait for that.
fn change<'js>(
    ctx: Ctx<'js>,
    timeout: Value<'js>,
    property: String,
    value: Value<'js>,
) -> Result<()> {
    let Some(timer) = TaskHandle::of_value(&ctx, &timeout) else { return Ok(()) };
    let (number, label) = (value.as_number(), timer.label(&ctx));
    // Whatever is dropped is dropped when nobody uses the timer.
    let before = timer.with(|timer| match &*property {
        "callback" => Ok(timer.set_callback(value)),
        "period" => {
            let period = number.and_then(|number| delay_on(label.as_deref(), number));
            timer.set_then(period.map_or(Then::Ends, Then::Every));
            Ok(None)
        }
        "delay" => {
            timer.set_over(number.is_some_and(|number| number < 0.0));
            if let Some(delay) = number.and_then(|number| delay_on(label.as_deref(), number)) {
                // The period of one that comes again stays what it was.
                timer.set_then(timer.then());
                timer.delay = delay;
            }
            Ok(None)
        }
        "halt" => {
            if let Some(handle) = timer.handle {
                bridge::with(|context| context.clear(handle));
            }
            Ok(None)
        }
        _ => Err(Exception::throw_type(&ctx, "no such property")),
    })?;
    drop(before);
    Ok(())
}

/// The delay that a number is on a clock of that name, if it is one.
fn delay_on(label: Option<&str>, number: f64) -> Option<Delay> {
    match label {
        _ if number < 0.0 => None,
        None => Some(unlabelled(number)),
        Some(label) => {
            let unit = bridge::with(|context| context.unit(label));
            Delay::from_number(number, unit).ok()
        }
    }
}

/// Calls what a timer is for, and sees to what the program has changed about it.
pub fn fire(ctx: &Ctx<'_>, timer: &mut TaskHandle<Timer>) -> Result<()> {
    let result = timer.fire(ctx);
    if !timer.is_changed() {
        return result;
    }
    // Hooks may hear of it: nothing is thrown meanwhile.
    let error = result.is_err().then(|| ctx.catch());
    settle(ctx, timer);
    error.map_or(Ok(()), |error| Err(ctx.throw(error)))
}

/// Lets a timer that has fired come again, or not, as the program has said.
fn settle(ctx: &Ctx<'_>, timer: &TaskHandle<Timer>) {
    let (handle, then) = timer.with(|timer| (timer.handle, timer.take_then(ctx)));
    let (Some(handle), Some(then)) = (handle, then) else { return };
    bridge::with(|context| context.clear(handle));
    timer.with(|timer| match then {
        Then::Ends => timer.repeats = false,
        Then::Every(period) => (timer.delay, timer.repeats) = (period, true),
    });
    if then != Then::Ends {
        release(ctx.into(), timer.clone(), timer.label(ctx).as_deref());
    }
}

/// `setImmediate(callback, ...args)`.
fn set_immediate(call: &Call<'_>) -> Result<Fresh> {
    if !call.is_function(0) {
        return ask_library(call, |library| library.invalid_callback);
    }
    let immediate = Immediate::new(call.alive(), call.at(0), call.rest(1), false)?;
    let immediate = handle_of(call, immediate)?;
    let given = immediate.to_fresh(call.alive());
    let callback = contexts::bind(call.alive(), c"Immediate", Callback::Immediate(immediate));
    let task =
        bridge::with(|context| context.queue(ReadyClass::Immediate, Group::default(), callback));
    contexts::started(call.alive(), || Awaited::Queued(task));
    Ok(given)
}

/// `setImmediateFirst(callback)`: for the library; runs before all other immediates of the next turn.
fn set_immediate_first(call: &Call<'_>) -> Result<()> {
    let immediate = Immediate::new(call.alive(), call.at(0), &[], true)?;
    let immediate = handle_of(call, immediate)?;
    let callback = contexts::bind(call.alive(), c"Immediate", Callback::Immediate(immediate));
    bridge::with(|context| context.queue_first(ReadyClass::Immediate, callback));
    Ok(())
}

/// `clearImmediate(immediate)`: it stays in the queue, but nobody waits for it.
fn clear_immediate(call: &Call<'_>) -> Result<()> {
    if let Some(immediate) = TaskHandle::<Immediate>::of(call, 0)
        && immediate.clear_once(call.alive())
    {
        contexts::cleared(call.alive(), &*immediate);
    }
    Ok(())
}

/// `referImmediate(immediate, referenced)`: whether it keeps the program alive, while it waits.
fn refer_immediate<'js>(ctx: Ctx<'js>, mut immediate: Value<'js>, referenced: bool) -> Result<()> {
    task::immediate(&ctx, &mut immediate)?.refer(referenced);
    Ok(())
}

/// `immediateInfo(immediate)`: what it is and how it stands. One that was cleared or has run has no
/// callback any more.
fn immediate_info<'js>(ctx: Ctx<'js>, mut immediate: Value<'js>) -> Result<Object<'js>> {
    let immediate = task::immediate(&ctx, &mut immediate)?;
    let task = immediate.task();
    let waits = task.has_callback();
    let info = Object::new(ctx.clone())?;
    info.set("callback", if waits { task.callback(&ctx) } else { Value::new_null(ctx.clone()) })?;
    info.set("args", task.args(&ctx))?;
    info.set("referenced", immediate.is_referenced())?;
    Ok(info)
}

/// `nextTick(callback, ...args)`.
fn next_tick(call: &Call<'_>) -> Result<Fresh> {
    let Some(callback) = call.function(0) else {
        return ask_library(call, |library| library.invalid_callback);
    };
    let callback = Callback::Call(callback, call.arguments(1));
    let callback = contexts::bind(call.alive(), c"TickObject", callback);
    // Where registrations may change places, those of the library do not.
    let group = Group(call.magic as u32);
    bridge::with(|context| context.queue(ReadyClass::Tick, group, callback));
    Ok(Fresh::UNDEFINED)
}

/// `queueMicrotask(callback)`: a job of the engine, with the error path of a callback.
fn queue_microtask(call: &Call<'_>) -> Result<Fresh> {
    if !call.is_function(0) {
        return ask_library(call, |library| library.invalid_callback);
    }
    microtask::queue(call, call.at(0))?;
    Ok(Fresh::UNDEFINED)
}

/// `queueMessage(callback, receiver, keepsAlive, type)`: runs it as a completion, an action of its own. Those
/// of receivers, whose numbers begin with 1, come receiver by receiver (rule LOOP-7). A program does not wait for
/// a message that does not keep it alive. `type` is what hooks call it, if it is no message.
fn queue_message<'js>(
    ctx: Ctx<'js>,
    callback: Function<'js>,
    receiver: u32,
    keeps_alive: bool,
    kind: Opt<String>,
) {
    let callback = Callback::Message(OwnedObject::of(&callback), keeps_alive);
    let kind = match kind.0.as_deref() {
        Some("RANDOMBYTESREQUEST") => c"RANDOMBYTESREQUEST",
        _ => c"MESSAGEPORT",
    };
    let callback = contexts::bind((&ctx).into(), kind, callback);
    bridge::with(|context| {
        context.queue(ReadyClass::Io, Group(receiver), callback);
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
