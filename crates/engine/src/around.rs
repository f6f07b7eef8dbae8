//! What is around the functions that run when an error is made: what each was called on, and the async
//! functions that wait for the outermost one.
//!
//! The engine tells neither. What a function was called on lies on the stack of its caller, or with the frame of
//! a function that can be suspended; who waits is found by way of the promise that an async function settles.
#![expect(unsafe_code, reason = "it reads structs of the engine")]

use crate::contexts::awaited_by;
use crate::debug::{Activation, text_of};
use crate::executing::{Program, layout};
use crate::mirror::instructions::{
    APPLY, CALL, CALL_METHOD, CALL0, CALL1, CALL2, CALL3, TAIL_CALL, TAIL_CALL_METHOD,
};
use crate::mirror::{
    ASYNC_RESUME, AsyncCall, BOUND_FUNCTION, Bound, Coroutine, DATA_FUNCTION, DataFunction, List,
    PROMISE, Promised, Reaction, StackFrame,
};
use crate::raw;
use crate::settled::{opaque, resolved_by, settled_by};
use crate::state::{state, state_of};
use rquickjs::qjs::{self, JSContext, JSValue};
use rquickjs::{Ctx, Result, Value};
use std::mem::offset_of;

/// Somebody who waits.
pub enum Waiting<'js> {
    /// An async function.
    Function {
        /// The function.
        function: Value<'js>,
        /// What it was called on.
        this: Value<'js>,
        /// Where in its code it waits, for [`place_in`].
        at: Option<usize>,
    },
    /// `Promise.all` or its like, which waits for several.
    Several {
        /// Its name.
        name: &'static str,
        /// For which of them this is.
        index: i32,
    },
}

/// Code longer than this is not followed to find out how much is on its stack.
const LONG: i32 = 4096;

/// What functions were called on that run, and which byte of its code each executes, from the innermost activation of
/// `first` outwards, for [`crate::failing::instruction_in`]. The former is undefined where that is nothing, or cannot
/// be told, the latter -1 for natives. Of `callers`, `Function.prototype.call` and `apply` are called with it as their
/// first argument, and `Reflect.apply` as its second.
pub fn receivers<'js>(
    ctx: &Ctx<'js>,
    first: &Value<'js>,
    count: usize,
    callers: &[Value<'js>; 3],
) -> Result<(Vec<Value<'js>>, Vec<i32>)> {
    let Some(layout) = layout(ctx, &state(ctx).interrupts) else { return Ok(Default::default()) };
    let raw = ctx.as_raw().as_ptr();
    let first = address(first.as_raw());
    let callers = callers.each_ref().map(|caller| address(caller.as_raw()));
    let frames = layout.stack(raw).skip_while(|&frame| {
        // SAFETY: frames are alive while the native runs that asks.
        unsafe { address((*frame).function) != first }
    });
    let (mut receivers, mut executed) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for frame in frames.take(count) {
        // SAFETY: as above; what a function was called on lives as long as the call.
        unsafe {
            let this = receiver(ctx, frame, |frame| layout.activation(frame), &callers)?;
            receivers.push(raw::take(ctx, qjs::JS_DupValue(raw, this))?);
            let at = layout.activation(frame).and_then(Activation::executing);
            executed.push(at.map_or(-1, |at| at as i32));
        }
    }
    Ok((receivers, executed))
}

/// What the function of a frame was called on.
///
/// # Safety
///
/// The frame is alive, and the engine does not go on meanwhile.
unsafe fn receiver(
    ctx: &Ctx<'_>,
    frame: *const StackFrame,
    activation: impl Fn(*const StackFrame) -> Option<Activation>,
    callers: &[usize; 3],
) -> Result<JSValue> {
    // SAFETY: the caller's; a frame that has an owner is part of a coroutine.
    unsafe {
        let StackFrame { previous, owner, is_constructor, function, arguments, .. } = *frame;
        if is_constructor {
            return Ok(qjs::JS_UNDEFINED);
        }
        // Frames of natives say nothing of an owner.
        if activation(frame).is_some() && !owner.is_null() {
            let coroutine = frame.byte_sub(offset_of!(Coroutine, frame)).cast::<Coroutine>();
            return Ok((*coroutine).this);
        }
        if previous.is_null() {
            return state_of(ctx.as_raw().as_ptr()).run.called_on.handle(ctx.into());
        }
        if let Some(caller) = activation(previous) {
            let this = called_on(&caller, function, arguments);
            return Ok(this.unwrap_or(qjs::JS_UNDEFINED));
        }
        let StackFrame { function: native, arguments, argument_count, .. } = *previous;
        let given = match callers.iter().position(|&caller| caller == address(native)) {
            Some(2) => 1,
            Some(_) => 0,
            None => return Ok(qjs::JS_UNDEFINED),
        };
        let is_given = given < usize::from(argument_count);
        Ok(if is_given { *arguments.add(given) } else { qjs::JS_UNDEFINED })
    }
}

/// What a function with code calls another one on.
///
/// # Safety
///
/// It calls that function, with arguments there.
unsafe fn called_on(
    caller: &Activation,
    function: JSValue,
    arguments: *const JSValue,
) -> Option<JSValue> {
    let program = Program::of(caller)?;
    let (stack, code) = (caller.stack(), caller.code());
    // The last byte of a call is its instruction, or the upper one of how many arguments it has: none has so many.
    let last = caller.executing()?;
    let (at, number) = match *program.bytes.get(last)? {
        0 => (last.checked_sub(2)?, *program.bytes.get(last.checked_sub(2)?)?),
        number @ (CALL0 | CALL1 | CALL2 | CALL3) => (last, number),
        _ => return None,
    };
    // How far behind the first of what it takes is what is called, and what it is called on.
    let (callee, this) = match number {
        CALL_METHOD | TAIL_CALL_METHOD => (1, Some(0)),
        APPLY => (0, Some(1)),
        CALL | CALL0 | CALL1 | CALL2 | CALL3 | TAIL_CALL => (0, None),
        _ => return None,
    };
    // SAFETY: the caller's: what is called, what on and with what lie beside each other on its stack.
    unsafe {
        // Arguments that are enough stay where they are, behind what is called.
        let end = stack.add(usize::from(code.stack_size));
        let is_near = arguments > stack && arguments <= end;
        let is_behind = number != APPLY && is_near;
        if is_behind && address(*arguments.sub(1)) == address(function) {
            return this.map(|_| *arguments.sub(2));
        }
        // It is there, unless it is called by way of another: in one place, it is that one. What is not in use of
        // the stack may hold anything, and is only compared.
        let places = (0..usize::from(code.stack_size))
            .filter(|&index| address(*stack.add(index)) == address(function));
        let mut places = places.fuse();
        if let (Some(place), None) = (places.next(), places.next()) {
            let this = this?;
            return Some(*stack.add((place + this).checked_sub(callee)?));
        }
        if code.length > LONG {
            return None;
        }
        let first = stack.add(program.depth(at)?.checked_sub(program.takes(at))?);
        let called = *first.add(callee);
        if let Some(bound) = opaque::<Bound>(called, BOUND_FUNCTION) {
            return (address(bound.function) == address(function)).then_some(bound.this);
        }
        (address(called) == address(function)).then_some(*first.add(this?))
    }
}

/// Who waits for a promise, or else for the outermost function that runs, if that is an async one; at most so many.
pub fn waiting<'js>(
    ctx: &Ctx<'js>,
    most: usize,
    promise: Option<Value<'js>>,
) -> Result<Vec<Waiting<'js>>> {
    let mut found = Vec::new();
    let Some(layout) = layout(ctx, &state(ctx).interrupts) else { return Ok(found) };
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: frames are alive while the native runs that asks, and what waits for a promise as long as it is
    // not settled; nothing of the engine runs meanwhile.
    unsafe {
        let of_outermost = || {
            let outermost = layout.stack(raw).last()?;
            layout.activation(outermost)?;
            settled_by(outermost)
        };
        let mut promise = match &promise {
            Some(promise) => Some(promise.as_raw()),
            None => of_outermost(),
        };
        while let Some(pending) = promise
            && found.len() < most
        {
            let Some(reaction) = only_reaction(pending, 0) else { break };
            let handler = awaited_by(&state_of(raw).contexts, reaction.handler);
            promise = if let Some(call) = opaque::<AsyncCall>(handler, ASYNC_RESUME) {
                let frame = &raw const call.state.frame;
                let Some(activation) = layout.activation(frame) else { break };
                found.push(Waiting::Function {
                    function: raw::take(ctx, qjs::JS_DupValue(raw, call.state.frame.function))?,
                    this: raw::take(ctx, qjs::JS_DupValue(raw, call.state.this))?,
                    at: activation.executing(),
                });
                resolved_by(call.resolving[0])
            } else if let Some((several, next)) = several(raw, pending, handler) {
                found.push(several);
                Some(next)
            } else {
                // Of the promise that another is made of, by `then` or by `resolve`.
                resolved_by(handler).or_else(|| resolved_by(reaction.resolving[0]))
            };
        }
    }
    Ok(found)
}

/// The text that a function is in, and the place that it has noted last when it waits there in its code, as the
/// engine counts.
pub fn place_in(
    ctx: &Ctx<'_>,
    function: &Value<'_>,
    at: Option<usize>,
) -> Option<(String, (u32, u32))> {
    let layout = layout(ctx, &state(ctx).interrupts)?;
    // SAFETY: the function is alive.
    let (file, place) = unsafe { layout.place_in(function.as_raw(), at)? };
    Some((text_of(ctx.as_raw().as_ptr(), file), place))
}

/// Whether the outermost function that runs is one that was suspended.
pub fn is_resumed(ctx: &Ctx<'_>) -> bool {
    let Some(layout) = layout(ctx, &state(ctx).interrupts) else { return false };
    let outermost = layout.stack(ctx.as_raw().as_ptr()).last();
    // SAFETY: frames are alive while the native runs that asks. Those of natives say nothing of an owner.
    outermost.is_some_and(|frame| unsafe {
        layout.activation(frame).is_some() && !(*frame).owner.is_null()
    })
}

/// Whether one of several waits, and which promise it then settles.
///
/// # Safety
///
/// The values are alive.
unsafe fn several<'js>(
    ctx: *mut JSContext,
    promise: JSValue,
    handler: JSValue,
) -> Option<(Waiting<'js>, JSValue)> {
    const DATA: u8 = 5;
    const NAMES: [&str; 3] = ["Promise.all", "Promise.allSettled", "Promise.any"];
    // SAFETY: the caller's; functions with data have as many values as they say.
    unsafe {
        let of = |handler| {
            let element = opaque::<DataFunction>(handler, DATA_FUNCTION)?;
            let data = std::slice::from_raw_parts(element.data.as_ptr(), element.count.into());
            let is_element = element.count == DATA && qjs::JS_IsInt(data[1]);
            let next = resolved_by(data.get(3).copied()?).filter(|_| is_element)?;
            let name = *NAMES.get(usize::from(element.magic & 3))?;
            Some((Waiting::Several { name, index: qjs::JS_VALUE_GET_INT(data[1]) }, next))
        };
        // `Promise.any` counts those that fail.
        of(handler).or_else(|| {
            let rejected = only_reaction(promise, 1)?.handler;
            of(awaited_by(&state_of(ctx).contexts, rejected))
        })
    }
}

/// What waits for a promise that is pending, if it is one thing.
///
/// # Safety
///
/// The value is alive, and nothing of the engine runs while the result is used.
unsafe fn only_reaction<'a>(promise: JSValue, list: usize) -> Option<&'a Reaction> {
    // SAFETY: the caller's; a list leads back to itself, and reactions begin with their link.
    unsafe {
        let promise = opaque::<Promised>(promise, PROMISE)?;
        let head: *const List = &raw const promise.reactions[list];
        let first = promise.reactions[list].next.cast_const();
        let is_pending = promise.state == qjs::JSPromiseStateEnum_JS_PROMISE_PENDING;
        let is_one = first != head && (*first).next.cast_const() == head;
        (is_pending && is_one).then(|| &*first.cast::<Reaction>())
    }
}

fn address(value: JSValue) -> usize {
    // SAFETY: only the address is taken, and of objects only.
    unsafe { if qjs::JS_IsObject(value) { qjs::JS_VALUE_GET_PTR(value).addr() } else { 0 } }
}
