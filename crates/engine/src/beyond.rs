//! The few things that the engine's bindings do not offer.
#![expect(unsafe_code, reason = "these call the engine's C functions")]

use rquickjs::{Ctx, Error, Promise, Result, Value, qjs};
use std::mem::MaybeUninit;

/// Throws something that no `catch` sees and no `finally` delays.
pub fn throw_uncatchable(ctx: &Ctx<'_>) -> Error {
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

/// Lets the stack of the engine begin here: how deep its thread is may differ from run to run.
pub fn note_stack(ctx: &Ctx<'_>) {
    // SAFETY: the context is alive, and with it its runtime.
    unsafe { qjs::JS_UpdateStackTop(qjs::JS_GetRuntime(ctx.as_raw().as_ptr())) }
}

/// What a settled promise was settled with.
pub fn promise_result<'js>(promise: &Promise<'js>) -> Value<'js> {
    let ctx = promise.ctx();
    // SAFETY: the value is a promise of this context, and the result is a new reference that the value
    // takes over.
    unsafe {
        let raw = qjs::JS_PromiseResult(ctx.as_raw().as_ptr(), promise.as_raw());
        Value::from_raw(ctx.clone(), raw)
    }
}

/// Runs the next promise job; false when there is none. An error is left for the caller to catch.
pub fn run_job(ctx: &Ctx<'_>) -> Result<bool> {
    let mut job_context = std::ptr::null_mut();
    // SAFETY: the context is alive and has a runtime; the engine writes the context of the job, which is
    // this one: the runtime has no other.
    let result = unsafe {
        let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr());
        qjs::JS_ExecutePendingJob(runtime, &raw mut job_context)
    };
    if result < 0 { Err(Error::Exception) } else { Ok(result > 0) }
}

/// Target and handler of a proxy, both null once it is revoked; nothing for any other value.
pub fn proxy_details<'js>(value: &Value<'js>) -> Option<[Value<'js>; 2]> {
    let ctx = value.ctx();
    // SAFETY: the functions take any value that is alive, and give new references that the values take
    // over. Of a revoked proxy they throw, and the error is taken back at once.
    unsafe {
        if !qjs::JS_IsProxy(value.as_raw()) {
            return None;
        }
        let raw = ctx.as_raw().as_ptr();
        let take = |part: qjs::JSValue| {
            if qjs::JS_IsException(part) {
                qjs::JS_FreeValue(raw, qjs::JS_GetException(raw));
                return Value::new_null(ctx.clone());
            }
            Value::from_raw(ctx.clone(), part)
        };
        let target = take(qjs::JS_GetProxyTarget(raw, value.as_raw()));
        let handler = take(qjs::JS_GetProxyHandler(raw, value.as_raw()));
        Some([target, handler])
    }
}

/// A text in UTF-8, where a surrogate without its partner becomes U+FFFD.
pub fn utf8(text: &Value<'_>) -> Result<Vec<u8>> {
    let raw = text.ctx().as_raw().as_ptr();
    let mut length = 0;
    // SAFETY: the value is alive and the context is its own; the text is copied before it is freed, and
    // nothing else of the engine runs in between.
    let mut bytes = unsafe {
        let start = qjs::JS_ToCStringLen2(raw, &mut length, text.as_raw(), false);
        if start.is_null() {
            return Err(Error::Exception);
        }
        let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length as usize).to_vec();
        qjs::JS_FreeCString(raw, start);
        bytes
    };
    if bytes.is_ascii() {
        return Ok(bytes);
    }
    // The engine writes a lone surrogate as if it were a character: ED A0..BF xx.
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|&byte| byte == 0xED) {
        at += found;
        if let [_, 0xA0..=0xBF, _, ..] = bytes[at..] {
            bytes[at..at + 3].copy_from_slice("\u{FFFD}".as_bytes());
        }
        at += 1;
    }
    Ok(bytes)
}

/// The UTF-16 units of a text.
pub fn utf16(text: &Value<'_>) -> Result<Vec<u16>> {
    let raw = text.ctx().as_raw().as_ptr();
    let mut length = 0;
    // SAFETY: as in `utf8`.
    unsafe {
        let start = qjs::JS_ToCStringLenUTF16(raw, &mut length, text.as_raw());
        if start.is_null() {
            return Err(Error::Exception);
        }
        let units = std::slice::from_raw_parts(start, length as usize).to_vec();
        qjs::JS_FreeCStringUTF16(raw, start);
        Ok(units)
    }
}

/// What the engine has taken, what of it is in use, and the size of loaded bytecode; in bytes.
pub fn heap_sizes(ctx: &Ctx<'_>) -> [i64; 3] {
    let mut usage = MaybeUninit::<qjs::JSMemoryUsage>::zeroed();
    // SAFETY: the runtime is that of a context that is alive; the engine fills the struct, whose fields
    // are all numbers.
    let usage = unsafe {
        qjs::JS_ComputeMemoryUsage(qjs::JS_GetRuntime(ctx.as_raw().as_ptr()), usage.as_mut_ptr());
        usage.assume_init()
    };
    [usage.malloc_size, usage.memory_used_size, usage.binary_object_size]
}

/// Says how deep the stack may become, in bytes. It must be less than what the thread has.
pub fn limit_stack(ctx: &Ctx<'_>, limit: usize) {
    // SAFETY: the runtime is that of a context that is alive.
    unsafe {
        let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr());
        qjs::JS_SetMaxStackSize(runtime, limit as _);
    }
}
