//! Scripts that may not run for ever (rule TIME-14): they alone are interrupted, and who runs them is told.

use crate::state::state;
use hemiola_engine::{bridge, contexts};
use hemiola_machine::Delay;
use rquickjs::{Ctx, Function, Result, Value};
use std::rc::Rc;

/// `runScriptWithin(script, millis, interrupted)`: what a function that runs a script gives. If that takes longer, what
/// `interrupted` makes is thrown.
pub(super) fn run<'js>(
    ctx: Ctx<'js>,
    script: Function<'js>,
    millis: u32,
    interrupted: Function<'js>,
) -> Result<Value<'js>> {
    let engine = Rc::clone(&state(&ctx).engine);
    let hooks = || engine.debug.as_ref().map(|debug| debug.hooks());
    if contexts::watch(&ctx) {
        // The steps of this callback have not been counted so far.
        engine.interrupts.begin(hooks);
    }
    let limit = Delay::from_micros(u64::from(millis) * 1_000);
    bridge::with(|context| context.begin_script(limit));
    let result = script.call::<_, Value<'js>>(());
    let is_over = bridge::with(|context| context.end_script());
    if !is_over || engine.run.stopped.get().is_some() {
        return result;
    }
    engine.interrupts.take(&ctx);
    engine.interrupts.begin(hooks);
    // Nobody could catch the error with which it was given up.
    if result.is_err() {
        ctx.catch();
    }
    let error = interrupted.call::<_, Value<'js>>(())?;
    Err(ctx.throw(error))
}
