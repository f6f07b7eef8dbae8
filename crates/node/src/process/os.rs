//! The computer that a program runs on, as `os` shows it.

use crate::gate::IntoValue;
use crate::process::{ask, permissions};
use hemiola_gate::{Datum, SystemCall};
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
    ask_about_process(&ctx, SystemCall::Priority { pid: pid as i32 })
}

/// `setPriority(pid, priority)`: 0, or the number of the error.
fn set_priority(ctx: Ctx<'_>, pid: f64, priority: f64) -> Result<Value<'_>> {
    let (pid, priority) = (pid as i32, priority as i32);
    ask_about_process(&ctx, SystemCall::SetPriority { pid, priority })
}

/// Asks about a process; throws the fault if it is none of the program's business.
fn ask_about_process<'js>(ctx: &Ctx<'js>, call: SystemCall) -> Result<Value<'js>> {
    let request = permissions::checked(ctx, call.into())?;
    permissions::ask(request).unwrap_or(Datum::Undefined).into_js(ctx)
}
