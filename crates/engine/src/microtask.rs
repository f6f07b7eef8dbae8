//! Microtasks: jobs of the engine with the error path of a callback.
#![expect(unsafe_code, reason = "jobs are queued and run without the bindings")]

use crate::bridge;
use crate::call::{Arg, Call};
use crate::contexts;
use crate::state::state;
use crate::values::describe;
use rquickjs::{Ctx, Error, Result, Value, qjs};
use std::ptr::NonNull;

/// Queues a function, which is an argument of a call.
pub fn queue(call: &Call<'_>, function: Arg<'_>) -> Result<()> {
    let ctx = call.ctx;
    // SAFETY: the function is alive; the engine makes references of its own to a job's arguments.
    unsafe {
        let scope = contexts::take_microtask(ctx);
        if qjs::JS_IsException(scope) {
            return Err(Error::Exception);
        }
        let mut job = [function.as_raw(), scope];
        let queued = qjs::JS_EnqueueJob(ctx, Some(run), 2, job.as_mut_ptr());
        qjs::JS_FreeValue(ctx, scope);
        if queued == 0 { Ok(()) } else { Err(Error::Exception) }
    }
}

/// Runs a microtask. Its error is no rejection: it is an uncaught exception.
unsafe extern "C" fn run(
    ctx: *mut qjs::JSContext,
    _: i32,
    args: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the job has the two arguments that it was made with, and keeps them alive.
    unsafe {
        contexts::enter(ctx, *args.add(1));
        let returned = qjs::JS_Call(ctx, *args, qjs::JS_UNDEFINED, 0, std::ptr::null_mut());
        if !qjs::JS_IsException(returned) {
            return returned;
        }
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        if state(&ctx).is_over() {
            return returned;
        }
        let thrown = ctx.catch();
        crate::raw::give(tell(&ctx, thrown))
    }
}

/// Gives an error that nobody caught to the library.
fn tell<'js>(ctx: &Ctx<'js>, thrown: Value<'js>) -> Result<Value<'js>> {
    let state = state(ctx);
    if bridge::with(|context| context.listens()) {
        state.run.job_threw.replace(Some(describe(&thrown)));
    }
    let uncaught = state.registered.uncaught.borrow().clone();
    uncaught.expect("the library takes errors from the start").restore(ctx)?.call((thrown,))
}
