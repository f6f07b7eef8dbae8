//! The computer that a program runs on, as `os` shows it.

use crate::gate::IntoValue;
use crate::process::ask;
use hemiola_gate::SystemCall;
use rquickjs::{Ctx, Function, Object, Result, Value};

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    binding.set("computer", Function::new(ctx.clone(), computer)?)?;
    binding.set("user", Function::new(ctx.clone(), user)?)?;
    binding.set("priority", Function::new(ctx.clone(), priority)?)?;
    binding.set("setPriority", Function::new(ctx.clone(), set_priority)?)
}

/// `computer()`: the fields of `Computer` of the gate.
fn computer(ctx: Ctx<'_>) -> Result<Value<'_>> {
    ask(SystemCall::Computer).into_js(&ctx)
}

/// `user()`: name, home and shell of who runs the program, or undefined for a user without an entry.
fn user(ctx: Ctx<'_>) -> Result<Value<'_>> {
    ask(SystemCall::User).into_js(&ctx)
}

/// `priority(pid)`: `[0, priority]`, or the number of the error in a list.
fn priority(ctx: Ctx<'_>, pid: f64) -> Result<Value<'_>> {
    ask(SystemCall::Priority { pid: pid as i32 }).into_js(&ctx)
}

/// `setPriority(pid, priority)`: 0, or the number of the error.
fn set_priority(ctx: Ctx<'_>, pid: f64, priority: f64) -> Result<Value<'_>> {
    ask(SystemCall::SetPriority { pid: pid as i32, priority: priority as i32 }).into_js(&ctx)
}
