//! Code that was compiled when Hemiola was built, and modules that this process compiled before.
#![expect(
    unsafe_code,
    reason = "loading bytecode trusts it; ours comes from a build script, or from this process"
)]

use crate::raw;
use rquickjs::module::{Declared, Module, WriteOptions};
use rquickjs::{Ctx, Error, Result, Value, qjs};
use std::cell::Cell;
use std::ffi::c_char;
use std::ptr::null_mut;

/// The value of a script that this very engine compiled, in a build script. Other bytes are not to be
/// given here: the engine does not check them.
pub fn evaluate<'js>(ctx: &Ctx<'js>, bytecode: &'static [u8]) -> Result<Value<'js>> {
    // SAFETY: the bytes are bytecode that a build script wrote with this very engine, and they live as
    // long as the program; evaluating takes over the one reference to what was read, and gives a new one.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        let flags = qjs::JS_READ_OBJ_BYTECODE as i32;
        let script = qjs::JS_ReadObject(raw, bytecode.as_ptr(), bytecode.len() as _, flags);
        let value = qjs::JS_EvalFunction(raw, script);
        if qjs::JS_IsException(value) {
            return Err(Error::Exception);
        }
        Ok(Value::from_raw(ctx.clone(), value))
    }
}

/// The values of scripts that this very engine compiled, in a build script, and wrote as an array of so many.
pub fn evaluate_all<'js>(
    ctx: &Ctx<'js>,
    bytecode: &'static [u8],
    count: usize,
) -> Result<Vec<Value<'js>>> {
    // SAFETY: as above. The array is given back once its scripts were taken out of it.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        let flags = qjs::JS_READ_OBJ_BYTECODE as i32;
        let scripts = qjs::JS_ReadObject(raw, bytecode.as_ptr(), bytecode.len() as _, flags);
        if qjs::JS_IsException(scripts) {
            return Err(Error::Exception);
        }
        let scripts = Value::from_raw(ctx.clone(), scripts);
        (0..count as u32)
            .map(|place| {
                let script = qjs::JS_GetPropertyUint32(raw, scripts.as_raw(), place);
                raw::take(ctx, qjs::JS_EvalFunction(raw, script))
            })
            .collect()
    }
}

/// A module as this engine compiled it, before anything of it was linked.
pub(crate) struct Compiled(Vec<u8>);

impl Compiled {
    /// What a module was compiled to; nothing if it cannot be written down.
    pub(crate) fn of(module: &Module<'_, Declared>) -> Option<Self> {
        module.write(WriteOptions::default()).ok().map(Self)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The module once more, with everything that it imports.
    pub(crate) fn declare<'js>(&self, ctx: &Ctx<'js>) -> Result<Module<'js, Declared>> {
        NEXT.set(&raw const *self);
        // SAFETY: the function gives a module of that context, or null with an exception. It is called before this
        // returns, so what it takes is alive.
        unsafe { Module::from_load_fn(ctx.clone(), "", declare_next) }
    }
}

thread_local! {
    /// What [`declare_next`] is to declare.
    static NEXT: Cell<*const Compiled> = const { Cell::new(std::ptr::null()) };
}

/// Makes the next module, in the form in which the engine's binding takes modules. Its name is in its bytes.
unsafe extern "C" fn declare_next(
    ctx: *mut qjs::JSContext,
    _: *const c_char,
) -> *mut qjs::JSModuleDef {
    // SAFETY: whoever calls this has put it there, and the context is alive. The bytes are what this very process
    // wrote with the same engine, and are copied as they are read; the context keeps the module.
    unsafe {
        let Some(Compiled(bytes)) = NEXT.replace(std::ptr::null()).as_ref() else {
            return null_mut();
        };
        let flags = qjs::JS_READ_OBJ_BYTECODE as i32;
        let module = qjs::JS_ReadObject(ctx, bytes.as_ptr(), bytes.len() as _, flags);
        if qjs::JS_IsException(module) || qjs::JS_ResolveModule(ctx, module) < 0 {
            return null_mut();
        }
        qjs::JS_VALUE_GET_PTR(module).cast()
    }
}
