//! What a program shows to whoever checks its runs.

use hemiola_engine::beyond;
use hemiola_engine::bridge;
use hemiola_machine::Observation;
use rquickjs::{Ctx, Function, Result, Value};

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    (name == "observe").then(|| Function::new(ctx.clone(), observe))
}

/// `observe(value)`: appends a whole number or a text to the trace.
fn observe(value: Value<'_>) -> Result<()> {
    let observation = match value.as_number() {
        Some(number) => Observation::Number(number as i64),
        None => Observation::name(String::from_utf8_lossy(&beyond::utf8(&value)?)),
    };
    bridge::with(|context| context.observe(observation));
    Ok(())
}
