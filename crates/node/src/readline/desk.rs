//! A prompt's natives: lines that are evaluated, the clock that is held, what waits and what ran.

use crate::state::state;
use hemiola_engine::{bridge, compiled};
use hemiola_gate::Desk;
use hemiola_machine::Instant;
use hemiola_transform::{Language, top_level_awaits};
use rquickjs::{Array, Ctx, Function, Object, Result, Value};
use std::rc::Rc;
use std::sync::Arc;

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    binding.set("waitsAtTop", Function::new(ctx.clone(), waits_at_top)?)?;
    binding.set("evaluateLine", Function::new(ctx.clone(), evaluate_line)?)?;
    binding.set("evaluateAsync", Function::new(ctx.clone(), evaluate_async)?)?;
    let Some(desk) = state(ctx).options.desk.clone() else { return Ok(()) };
    if let Some(history) = &desk.history {
        binding.set("historyFile", history.as_str())?;
    }
    let with = |act: fn(&Desk, f64)| {
        let desk = Arc::clone(&desk);
        Function::new(ctx.clone(), move |value: f64| act(&desk, value))
    };
    binding.set("holdTime", with(|desk, is_held| desk.hold(is_held != 0.0, now()))?)?;
    binding.set("moveTime", with(|desk, millis| desk.move_to(after(millis)))?)?;
    binding.set("stopTime", with(|desk, _| desk.stay(now()))?)?;
    binding.set("timeline", Function::new(ctx.clone(), timeline)?)
}

/// `waitsAtTop(code)`: whether a text has an `await` outside of functions.
fn waits_at_top(code: String) -> bool {
    !top_level_awaits(&code, Language::JavaScript).is_empty()
}

/// `evaluateLine(code, name, interrupted)`: the value of a script. If it is given up, what `interrupted` makes is
/// thrown.
fn evaluate_line<'js>(
    ctx: Ctx<'js>,
    code: String,
    name: String,
    interrupted: Function<'js>,
) -> Result<Value<'js>> {
    as_line(&ctx, &interrupted, || compiled::evaluate(&ctx, code, &name))
}

/// `evaluateAsync(code, name, interrupted)`: the promise of an object with the value of a script that may wait. What it
/// does before it waits can be given up, too.
fn evaluate_async<'js>(
    ctx: Ctx<'js>,
    code: String,
    name: String,
    interrupted: Function<'js>,
) -> Result<Value<'js>> {
    as_line(&ctx, &interrupted, || compiled::evaluate_async(&ctx, code, &name))
}

/// Lets something be given up alone: the program goes on.
fn as_line<'js>(
    ctx: &Ctx<'js>,
    interrupted: &Function<'js>,
    act: impl FnOnce() -> Result<Value<'js>>,
) -> Result<Value<'js>> {
    let engine = Rc::clone(&state(ctx).engine);
    let stop = &engine.settings.stop;
    stop.begin_line();
    let result = act();
    if !stop.end_line() {
        return result;
    }
    engine.interrupts.take(ctx);
    // Nobody could catch the error with which it was given up.
    if result.is_err() {
        ctx.catch();
    }
    let error = interrupted.call::<_, Value<'js>>(())?;
    Err(ctx.throw(error))
}

/// `timeline()`: `[pending, ran, isHeld, next]`: what waits and what ran as lines, whether time is held, and in
/// how many milliseconds the next timer is due, if there is one.
fn timeline(ctx: Ctx<'_>) -> Result<Array<'_>> {
    let desk = state(&ctx).options.desk.clone().expect("the prompt asks for it");
    let now = now();
    let next = desk.next_due().map(|due| due.as_micros().saturating_sub(now.as_micros()) as f64);
    let all = Array::new(ctx.clone())?;
    all.set(0, desk.pending(now))?;
    all.set(1, desk.ran())?;
    all.set(2, desk.is_held())?;
    all.set(3, next.map(|micros| micros / 1_000.0))?;
    Ok(all)
}

fn now() -> Instant {
    bridge::with(|context| context.now())
}

fn after(millis: f64) -> Instant {
    Instant::from_micros(now().as_micros().saturating_add((millis * 1_000.0) as u64))
}
