//! The promises that functions settle.
#![expect(unsafe_code, reason = "it reads structs of the engine")]

use crate::executing::layout;
use crate::mirror::{ASYNC_CALL, AsyncCall, RESOLVE, Resolving, StackFrame, kind};
use crate::state::state_of;
use rquickjs::Ctx;
use rquickjs::qjs::{self, JSContext, JSValue};
use std::ptr::NonNull;

/// The promise that the function which called the running native settles, if that is an async one.
///
/// # Safety
///
/// The context is alive, and runs a native.
pub(crate) unsafe fn promise_of_caller(ctx: *mut JSContext) -> Option<JSValue> {
    // SAFETY: the caller's; frames are alive meanwhile, and so is what they settle.
    unsafe {
        let layout = layout(&Ctx::from_raw(NonNull::new(ctx)?), &state_of(ctx).interrupts)?;
        let caller = layout.stack(ctx).nth(1)?;
        layout.activation(caller)?;
        settled_by(caller)
    }
}

/// The promise that an async function settles, by its frame.
///
/// # Safety
///
/// The frame is alive, and that of a function with code.
pub(crate) unsafe fn settled_by(frame: *const StackFrame) -> Option<JSValue> {
    // SAFETY: the caller's. Others that own frames are of another kind.
    unsafe {
        let owner = (*frame).owner;
        let is_call = !owner.is_null() && kind(owner.cast()) == ASYNC_CALL;
        if is_call { resolved_by((*owner.cast::<AsyncCall>()).resolving[0]) } else { None }
    }
}

/// The promise that a function resolves or rejects, if it is such a one.
///
/// # Safety
///
/// The value is alive.
pub(crate) unsafe fn resolved_by(function: JSValue) -> Option<JSValue> {
    // SAFETY: the caller's.
    unsafe {
        let resolving = opaque::<Resolving>(function, RESOLVE)
            .or_else(|| opaque::<Resolving>(function, RESOLVE + 1))?;
        Some(resolving.promise)
    }
}

/// What the engine keeps for an object of a class.
///
/// # Safety
///
/// The value is alive, and objects of that class have such a struct.
pub(crate) unsafe fn opaque<'a, T>(value: JSValue, class: qjs::JSClassID) -> Option<&'a T> {
    // SAFETY: the caller's.
    unsafe { qjs::JS_GetOpaque(value, class).cast::<T>().as_ref() }
}
