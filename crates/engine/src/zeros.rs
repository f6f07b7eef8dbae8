//! Code with zeros in it, which the bindings take for its end and refuse. The engine is told how long a code is.
#![expect(unsafe_code, reason = "these call the engine's C functions")]

use crate::raw;
use rquickjs::module::{Declared, Module};
use rquickjs::{Ctx, Result, Value, qjs};
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::ptr::null_mut;

/// The value of a script that is not strict by itself, or the promise of it if it may wait at its top level.
pub(crate) fn evaluate<'js>(
    ctx: &Ctx<'js>,
    code: String,
    name: &str,
    waits: bool,
) -> Result<Value<'js>> {
    let name = CString::new(name)?;
    let flags = if waits { qjs::JS_EVAL_FLAG_ASYNC } else { 0 } | qjs::JS_EVAL_TYPE_GLOBAL;
    // SAFETY: the context is alive, and code and name outlive the call; the result is a new reference.
    unsafe { raw::take(ctx, give(ctx.as_raw().as_ptr(), code, name.as_ptr(), flags)) }
}

/// The module that a code is.
pub(crate) fn declare<'js>(
    ctx: &Ctx<'js>,
    code: String,
    name: &str,
) -> Result<Module<'js, Declared>> {
    NEXT.set(Some(code));
    // SAFETY: the function gives a module of that context, or null with an exception.
    unsafe { Module::from_load_fn(ctx.clone(), name, declare_next) }
}

thread_local! {
    /// What [`declare_next`] is to declare.
    static NEXT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Compiles the next module, in the form in which the bindings take modules.
unsafe extern "C" fn declare_next(
    ctx: *mut qjs::JSContext,
    name: *const c_char,
) -> *mut qjs::JSModuleDef {
    let Some(code) = NEXT.take() else { return null_mut() };
    let flags =
        qjs::JS_EVAL_TYPE_MODULE | qjs::JS_EVAL_FLAG_STRICT | qjs::JS_EVAL_FLAG_COMPILE_ONLY;
    // SAFETY: the context and the name are the bindings'; the context keeps the module.
    unsafe {
        let module = give(ctx, code, name, flags);
        if qjs::JS_IsException(module) {
            return null_mut();
        }
        qjs::JS_VALUE_GET_PTR(module).cast()
    }
}

/// Gives a code to the engine, which wants one more zero behind it.
///
/// # Safety
///
/// The context is alive, and the name is one.
unsafe fn give(
    ctx: *mut qjs::JSContext,
    mut code: String,
    name: *const c_char,
    flags: u32,
) -> qjs::JSValue {
    let length = code.len();
    code.push('\0');
    // SAFETY: the caller's; the code is as long as it says, with the zero behind it.
    unsafe { qjs::JS_Eval(ctx, code.as_ptr().cast(), length as _, name, flags as i32) }
}
