//! The few things that the engine's bindings do not offer.
#![expect(unsafe_code, reason = "these call the engine's C functions")]

use rquickjs::{Ctx, Error, Promise, Value, qjs};

/// Throws something that no `catch` sees and no `finally` delays.
pub(crate) fn throw_uncatchable(ctx: &Ctx<'_>) -> Error {
    // SAFETY: the context is alive; the error is made, marked and thrown within it, and throwing takes
    // over the one reference.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        let error = qjs::JS_NewError(raw);
        qjs::JS_SetUncatchableError(raw, error);
        qjs::JS_Throw(raw, error);
    }
    Error::Exception
}

/// What a settled promise was settled with.
pub(crate) fn promise_result<'js>(promise: &Promise<'js>) -> Value<'js> {
    let ctx = promise.ctx();
    // SAFETY: the value is a promise of this context, and the result is a new reference that the value
    // takes over.
    unsafe {
        let raw = qjs::JS_PromiseResult(ctx.as_raw().as_ptr(), promise.as_raw());
        Value::from_raw(ctx.clone(), raw)
    }
}
