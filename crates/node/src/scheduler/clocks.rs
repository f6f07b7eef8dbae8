//! Labelled clocks as `hemiola:clock` knows them: what is settled for a label, and its lag.

use hemiola_engine::Callback;
use hemiola_engine::bridge;
use hemiola_engine::contexts;
use hemiola_engine::raw::OwnedObject;
use hemiola_engine::state::state;
use hemiola_gate::Answer;
use hemiola_machine::{Delay, Input, Policy, Unit, WatchId};
use rquickjs::{Ctx, Exception, Function, Result};

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "clockTime" => Function::new(ctx.clone(), time),
        "clockLag" => Function::new(ctx.clone(), lag),
        "clockUnit" => Function::new(ctx.clone(), unit),
        "setClockUnit" => Function::new(ctx.clone(), set_unit),
        "setClockPolicy" => Function::new(ctx.clone(), set_policy),
        "clockSkipped" => Function::new(ctx.clone(), skipped),
        "watchClock" => Function::new(ctx.clone(), watch),
        "unwatchClock" => Function::new(ctx.clone(), unwatch),
        "setWatchdog" => Function::new(ctx.clone(), set_watchdog),
        "spend" => Function::new(ctx.clone(), spend),
        _ => return None,
    })
}

fn millis(micros: u64) -> f64 {
    micros as f64 / 1_000.0
}

/// A number of milliseconds, to the nearest microsecond.
fn delay(ctx: &Ctx<'_>, millis: f64) -> Result<Delay> {
    Delay::from_number((millis * 1_000.0).round(), Unit::Microsecond)
        .map_err(|error| Exception::throw_range(ctx, &error.to_string()))
}

/// `clockTime(label)`: logical time in milliseconds, or undefined; physical time without a label.
fn time(label: Option<String>) -> Option<f64> {
    let time = bridge::with(|context| match &label {
        None => Some(context.now()),
        Some(label) => context.clock(label),
    });
    time.map(|time| millis(time.as_micros()))
}

/// `clockLag(label)`: how far it is behind in milliseconds, or undefined (rule TIME-14).
fn lag(label: String) -> Option<f64> {
    bridge::with(|context| context.lag(&label)).map(|lag| millis(lag.as_micros()))
}

/// `clockUnit(label)`: `'ms'` or `'us'`.
fn unit(label: String) -> &'static str {
    match bridge::with(|context| context.unit(&label)) {
        Unit::Millisecond => "ms",
        Unit::Microsecond => "us",
    }
}

/// `setClockUnit(label, unit)`: `'ms'`, `'us'`, or undefined to leave it open. False when the label is
/// in use with another.
fn set_unit(label: String, unit: Option<String>) -> bool {
    let unit = unit.map(|unit| if unit == "us" { Unit::Microsecond } else { Unit::Millisecond });
    bridge::with(|context| context.set_unit(&label, unit))
}

/// `setClockPolicy(label, policy)`: `'all'`, `'skip'`, `'latest'`, or undefined to forget it.
fn set_policy(label: String, policy: Option<String>) {
    bridge::with(|context| match policy.as_deref() {
        None => context.forget_policy(&label),
        Some("skip") => context.set_policy(&label, Policy::Skip),
        Some("latest") => context.set_policy(&label, Policy::Latest),
        Some(_) => context.set_policy(&label, Policy::All),
    });
}

/// `clockSkipped(label)`: how many invocations its policy has dropped.
fn skipped(label: String) -> f64 {
    bridge::with(|context| context.skipped(&label)) as f64
}

/// `watchClock(label, millis, every, handler)`: calls it before every action that is later than that,
/// or once whenever lag grows beyond it. Gives a number by which to remove it.
fn watch<'js>(
    ctx: Ctx<'js>,
    label: String,
    millis: f64,
    every: bool,
    handler: Function<'js>,
) -> Result<f64> {
    let threshold = delay(&ctx, millis)?;
    let handler = Callback::Late(OwnedObject::of(&handler));
    let handler = contexts::bind((&ctx).into(), c"LAG", handler);
    let WatchId(id) = bridge::with(|context| match every {
        true => context.on_late(&label, threshold, handler),
        false => context.on_lag(&label, threshold, handler),
    });
    Ok(id as f64)
}

/// `unwatchClock(label, number)`.
fn unwatch(label: String, number: f64) {
    bridge::with(|context| context.remove_watch(&label, WatchId(number as u64)));
}

/// `setWatchdog(label, millis)`: how long a callback of its actions may run; undefined for ever.
fn set_watchdog(ctx: Ctx<'_>, label: String, millis: Option<f64>) -> Result<()> {
    let limit = millis.map(|millis| delay(&ctx, millis)).transpose()?;
    if limit.is_some() {
        contexts::watch(&ctx);
    }
    bridge::with(|context| context.set_watchdog(&label, limit));
    Ok(())
}

/// Calls a handler of lateness.
pub fn tell(handler: &Function<'_>, input: &Input<Answer>) -> Result<()> {
    match input {
        Input::Lag(lag) => handler.call((millis(lag.as_micros()),)),
        Input::Nothing | Input::Answer(_) => unreachable!("a handler of lateness is told the lag"),
    }
}

/// `spend(millis)`: lets physical time pass, if it is virtual. Gives the time when it will have passed.
fn spend(ctx: Ctx<'_>, duration: f64) -> Result<f64> {
    let delay = delay(&ctx, duration)?;
    let (end, is_over) = bridge::with(|context| {
        let end = context.now() + delay;
        context.spend(delay);
        (end, context.has_spent_all())
    });
    if is_over {
        state(&ctx).interrupts.ask_soon();
    }
    Ok(millis(end.as_micros()))
}
