//! The few things that the engine's bindings do not offer.
#![expect(unsafe_code, reason = "these call the engine's C functions")]

use rquickjs::{Ctx, Error, Promise, Result, Value, qjs};

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

/// Runs the next promise job; false when there is none. An error is left for the caller to catch.
pub(crate) fn run_job(ctx: &Ctx<'_>) -> Result<bool> {
    let mut job_context = std::ptr::null_mut();
    // SAFETY: the context is alive and has a runtime; the engine writes the context of the job, which is
    // this one: the runtime has no other.
    let result = unsafe {
        let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr());
        qjs::JS_ExecutePendingJob(runtime, &raw mut job_context)
    };
    if result < 0 { Err(Error::Exception) } else { Ok(result > 0) }
}
