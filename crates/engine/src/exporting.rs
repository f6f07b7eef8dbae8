//! Modules whose exports natives set, and set again later: importers see what an export is now.
#![expect(
    unsafe_code,
    reason = "the bindings let nobody set an export of a module that was evaluated"
)]

use crate::raw;
use rquickjs::module::{Declared, Module};
use rquickjs::{Ctx, Error, Exception, Result, Value, qjs};
use std::ffi::{CStr, CString, c_char};
use std::ptr::NonNull;

/// What such modules are.
pub trait Exported {
    /// The names of what a module exports.
    fn names(ctx: &Ctx<'_>, module: &str) -> Vec<String>;

    /// Evaluates a module.
    fn evaluate<'js>(ctx: &Ctx<'js>, module: &str, exports: &Exports<'js>) -> Result<()>;
}

/// The exports of a module.
pub struct Exports<'js> {
    ctx: Ctx<'js>,
    /// It lives as long as its context does.
    module: NonNull<qjs::JSModuleDef>,
}

impl<'js> Exports<'js> {
    /// Sets an export.
    pub fn set(&self, name: &str, value: Value<'js>) -> Result<()> {
        let name = CString::new(name)?;
        let ctx = self.ctx.as_raw().as_ptr();
        // SAFETY: the module is one of the context. The engine takes over a reference that is made for it.
        let done = unsafe {
            let value = qjs::JS_DupValue(ctx, value.as_raw());
            qjs::JS_SetModuleExport(ctx, self.module.as_ptr(), name.as_ptr(), value)
        };
        if done < 0 { Err(Error::InvalidExport) } else { Ok(()) }
    }

    /// `set(name, value)`, for the library to call whenever it likes. A name that is no export is passed over.
    pub fn setter(&self) -> Result<Value<'js>> {
        let address = self.module.as_ptr().expose_provenance();
        // SAFETY: the context is alive. The data is a number, which is no reference.
        unsafe {
            let mut data = qjs::JS_NewFloat64(address as f64);
            let ctx = self.ctx.as_raw().as_ptr();
            raw::take(&self.ctx, qjs::JS_NewCFunctionData(ctx, Some(set), 2, 0, 1, &mut data))
        }
    }
}

/// Declares a module.
pub fn declare<'js, E: Exported>(ctx: &Ctx<'js>, name: &str) -> Result<Module<'js, Declared>> {
    // SAFETY: what loads it makes a module of that name in that context.
    unsafe { Module::from_load_fn(ctx.clone(), name, load::<E>) }
}

unsafe extern "C" fn load<E: Exported>(
    ctx: *mut qjs::JSContext,
    name: *const c_char,
) -> *mut qjs::JSModuleDef {
    // SAFETY: the bindings pass a context that is alive, and a text that ends at a zero.
    unsafe {
        let module = qjs::JS_NewCModule(ctx, name, Some(evaluate::<E>));
        if module.is_null() {
            return module;
        }
        let bindings = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let name = CStr::from_ptr(name).to_string_lossy();
        for export in E::names(&bindings, &name) {
            let Ok(export) = CString::new(export) else { continue };
            if qjs::JS_AddModuleExport(ctx, module, export.as_ptr()) < 0 {
                return std::ptr::null_mut();
            }
        }
        module
    }
}

unsafe extern "C" fn evaluate<E: Exported>(
    ctx: *mut qjs::JSContext,
    module: *mut qjs::JSModuleDef,
) -> i32 {
    // SAFETY: the engine passes a context that is alive, and a module of it.
    let (ctx, module) =
        unsafe { (Ctx::from_raw(NonNull::new_unchecked(ctx)), NonNull::new_unchecked(module)) };
    let exports = Exports { ctx: ctx.clone(), module };
    match exports.name().and_then(|name| E::evaluate(&ctx, &name, &exports)) {
        Ok(()) => 0,
        Err(Error::Exception) => -1,
        Err(error) => {
            Exception::throw_message(&ctx, &error.to_string());
            -1
        }
    }
}

impl Exports<'_> {
    fn name(&self) -> Result<String> {
        // SAFETY: the module is one of the context, and its name a new reference.
        let name = unsafe {
            let ctx = self.ctx.as_raw().as_ptr();
            let atom = qjs::JS_GetModuleName(ctx, self.module.as_ptr());
            let name = qjs::JS_AtomToValue(ctx, atom);
            qjs::JS_FreeAtom(ctx, atom);
            raw::take(&self.ctx, name)?
        };
        name.get()
    }
}

/// What [`Exports::setter`] gives.
unsafe extern "C" fn set(
    ctx: *mut qjs::JSContext,
    _: qjs::JSValue,
    _: i32,
    args: *mut qjs::JSValue,
    _: i32,
    data: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the engine passes two arguments at least, since the function has two parameters, and the number that it
    // was made with, the address of a module of this context.
    unsafe {
        let name = qjs::JS_ToCString(ctx, *args);
        if name.is_null() {
            return qjs::JS_EXCEPTION;
        }
        let address = qjs::JS_VALUE_GET_FLOAT64(*data) as usize;
        let module = std::ptr::with_exposed_provenance_mut(address);
        qjs::JS_SetModuleExport(ctx, module, name, qjs::JS_DupValue(ctx, *args.add(1)));
        qjs::JS_FreeCString(ctx, name);
        qjs::JS_UNDEFINED
    }
}
