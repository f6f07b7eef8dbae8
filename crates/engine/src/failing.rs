//! Which instruction of a function has failed, and what it was given.
//!
//! The engine tells of an error only the place that it noted last. Its frame says which instruction was
//! executed, and that lies still as long as the error is being described.
#![expect(unsafe_code, reason = "it reads structs of the engine")]

use crate::debug::{Activation, text_of};
use crate::executing::{Program, layout};
use crate::mirror::instructions::*;
use crate::raw;
use crate::state::state;
use hemiola_transform::Spot;
use rquickjs::qjs::{self, JSValue};
use rquickjs::{Ctx, Result, Value};

/// What has failed.
pub struct Failing<'js> {
    /// The text that it is in.
    pub file: String,
    /// Which instruction.
    pub spot: Spot,
    /// What it was given, as far as that is safe to look at.
    pub operands: Vec<Value<'js>>,
}

/// What the innermost activation of a function is doing; nothing if that cannot fail in a way that a text
/// could explain.
pub fn failing<'js>(ctx: &Ctx<'js>, function: &Value<'js>) -> Result<Option<Failing<'js>>> {
    let Some(layout) = layout(ctx, &state(ctx).interrupts) else { return Ok(None) };
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: only the address is taken.
    let address = |value: JSValue| unsafe { qjs::JS_VALUE_GET_PTR(value).addr() };
    let wanted = address(function.as_raw());
    let is_it = |activation: &Activation| address(activation.function()) == wanted;
    let Some(activation) = layout.activations(raw).find(is_it) else { return Ok(None) };
    let Some(program) = Program::of(&activation) else { return Ok(None) };
    let Some(at) = program.executing(&activation) else { return Ok(None) };
    let Some(spot) = program.spot(raw, activation.code(), at) else { return Ok(None) };
    let operands = operands(ctx, &activation, &program, at)?;
    Ok(Some(Failing { file: text_of(raw, activation.file()), spot, operands }))
}

/// The line that a function begins on, as the engine counts it.
pub fn first_line(ctx: &Ctx<'_>, function: &Value<'_>) -> Option<u32> {
    let layout = layout(ctx, &state(ctx).interrupts)?;
    // SAFETY: a function keeps its code.
    let code = unsafe { &*layout.code(function.as_raw())? };
    Some(code.begins().0)
}

/// The instruction of a function's code that has this byte; nothing if it is none that a text could explain.
pub fn instruction_in<'js>(ctx: &Ctx<'js>, function: &Value<'js>, byte: usize) -> Option<Spot> {
    let layout = layout(ctx, &state(ctx).interrupts)?;
    // SAFETY: a function keeps its code.
    let code = unsafe { &*layout.code(function.as_raw())? };
    // SAFETY: the same.
    let program = unsafe { Program::new(code) }?;
    program.spot(ctx.as_raw().as_ptr(), code, program.start_of(byte)?)
}

/// Lets the engine note anew where something is thrown. It keeps the frames of what was thrown until something is
/// caught, and what fails a promise nobody catches.
pub fn forget_frames(ctx: &Ctx<'_>) {
    const TAKE_FRAMES: i32 = 2;
    let context = ctx.as_raw().as_ptr();
    let mut frames = qjs::JS_UNDEFINED;
    // SAFETY: the engine hands over what it kept, and its reference.
    unsafe {
        qjs::js_std_cmd(TAKE_FRAMES, context, &raw mut frames);
        qjs::JS_FreeValue(context, frames);
    }
}

/// The arguments that the innermost activation of a native was called with.
pub fn arguments<'js>(ctx: &Ctx<'js>, function: &Value<'js>) -> Result<Vec<Value<'js>>> {
    let Some(layout) = layout(ctx, &state(ctx).interrupts) else { return Ok(Vec::new()) };
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the engine keeps the arguments of a call until it has returned.
    unsafe {
        let arguments = layout.arguments_of(raw, function.as_raw());
        arguments.iter().map(|&value| raw::take(ctx, qjs::JS_DupValue(raw, value))).collect()
    }
}

/// What the instruction takes, where the engine leaves that alone when it fails. Of what is written to, as far as
/// something else keeps it.
fn operands<'js>(
    ctx: &Ctx<'js>,
    activation: &Activation,
    program: &Program<'_>,
    at: usize,
) -> Result<Vec<Value<'js>>> {
    let takes = program.takes(at);
    // Others have given back what they took by then.
    let is_left_alone = matches!(
        program.bytes[at],
        IN | INSTANCEOF
            | PRIVATE_IN
            | TO_OBJECT
            | FOR_OF_START
            | FOR_AWAIT_OF_START
            | APPEND
            | DELETE
    );
    let writes = matches!(program.bytes[at], PUT_FIELD | PUT_ARRAY_EL);
    let first = program.depth(at).and_then(|depth| depth.checked_sub(takes));
    let Some(first) = first.filter(|_| is_left_alone || writes) else { return Ok(Vec::new()) };
    let raw = ctx.as_raw().as_ptr();
    let value = |index: usize| {
        // SAFETY: the function has so much on its stack where it is.
        unsafe {
            let value = *activation.stack().add(index);
            let is_value =
                i64::from(qjs::JS_VALUE_GET_TAG(value)) != i64::from(qjs::JS_TAG_UNINITIALIZED);
            let value = if is_value { value } else { qjs::JS_UNDEFINED };
            raw::take(ctx, qjs::JS_DupValue(raw, value))
        }
    };
    if writes {
        // SAFETY: the same; a value that a variable has, too, is alive.
        let is_kept = |&index: &usize| unsafe {
            let value = *activation.stack().add(index);
            !qjs::JS_VALUE_HAS_REF_COUNT(value)
                || activation.holds(|one| {
                    qjs::JS_VALUE_HAS_REF_COUNT(one)
                        && qjs::JS_VALUE_GET_PTR(one) == qjs::JS_VALUE_GET_PTR(value)
                })
        };
        return (first..first + takes - 1).take_while(is_kept).map(value).collect();
    }
    (first..first + takes).map(value).collect()
}
