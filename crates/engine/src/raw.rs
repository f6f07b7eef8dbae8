//! Functions, objects and values next to the engine's own representation.
//!
//! A program may set a million timers, and for each of them the bindings' way to convert arguments,
//! make an object and keep a value costs more than all the rest together. What is as frequent as that
//! is made of the pieces of this file; everything else uses the bindings.
#![expect(unsafe_code, reason = "these call the engine's C functions")]

use rquickjs::{Ctx, Error, Function, Object, Result, Value, qjs};
use std::ffi::{CStr, c_void};

/// A function that the engine calls: context, `this`, number of arguments, arguments, and the number
/// that it was made with.
pub type Native = unsafe extern "C" fn(
    *mut qjs::JSContext,
    qjs::JSValue,
    i32,
    *mut qjs::JSValue,
    i32,
) -> qjs::JSValue;

/// Makes a function of the program's world. It may read the first `length` arguments even if the
/// caller gave fewer.
pub fn function<'js>(
    ctx: &Ctx<'js>,
    name: &CStr,
    length: i32,
    magic: i32,
    native: Native,
) -> Result<Value<'js>> {
    // SAFETY: the engine is told that the function takes that number, and so calls it as what it is;
    // the result is a new reference, which the value takes over.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        let kind = qjs::JSCFunctionEnum_JS_CFUNC_generic_magic;
        let plain = std::mem::transmute::<Native, qjs::JSCFunction>(native);
        let value = qjs::JS_NewCFunction2(raw, plain, name.as_ptr(), length, kind, magic);
        take(ctx, value)
    }
}

/// What the engine gave as a new reference, or its exception.
///
/// # Safety
///
/// The value belongs to the context, and nobody else gives the reference back.
pub unsafe fn take<'js>(ctx: &Ctx<'js>, value: qjs::JSValue) -> Result<Value<'js>> {
    // SAFETY: the caller's.
    unsafe {
        if qjs::JS_IsException(value) {
            return Err(Error::Exception);
        }
        Ok(Value::from_raw(ctx.clone(), value))
    }
}

/// A value with a reference of its own.
///
/// # Safety
///
/// The value belongs to the context, and is alive.
pub(crate) unsafe fn copy<'js>(ctx: &Ctx<'js>, value: qjs::JSValue) -> Value<'js> {
    // SAFETY: the caller's; the new reference is taken over.
    unsafe { Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), value)) }
}

/// The value of a property that an object has of its own; nothing if it has none, or if somebody would have to be
/// called for it.
///
/// # Safety
///
/// The atom is one of the object's context, and alive.
pub(crate) unsafe fn own_value<'js>(
    object: &Value<'js>,
    atom: qjs::JSAtom,
) -> Result<Option<Value<'js>>> {
    let ctx = object.ctx();
    let context = ctx.as_raw().as_ptr();
    let mut found = std::mem::MaybeUninit::<qjs::JSPropertyDescriptor>::zeroed();
    // SAFETY: the caller's. What the engine fills in are new references, each taken over or given back once.
    unsafe {
        let is_there = qjs::JS_GetOwnProperty(context, found.as_mut_ptr(), object.as_raw(), atom);
        if is_there < 0 {
            return Err(Error::Exception);
        }
        if is_there == 0 {
            return Ok(None);
        }
        let found = found.assume_init();
        if found.flags as u32 & qjs::JS_PROP_GETSET != 0 {
            qjs::JS_FreeValue(context, found.getter);
            qjs::JS_FreeValue(context, found.setter);
            return Ok(None);
        }
        take(ctx, found.value).map(Some)
    }
}

/// What a native gives back for a result of the bindings; an error has been thrown by then.
///
/// # Safety
///
/// The value belongs to the context in which the native was called.
pub unsafe fn give(result: Result<Value<'_>>) -> qjs::JSValue {
    match result {
        Ok(value) => {
            // SAFETY: the context is alive as long as the value.
            unsafe { qjs::JS_DupValue(value.ctx().as_raw().as_ptr(), value.as_raw()) }
        }
        Err(_) => qjs::JS_EXCEPTION,
    }
}

/// One reference to a value, given back when it is dropped, which must be before the engine is.
pub struct Owned {
    value: qjs::JSValue,
    runtime: *mut qjs::JSRuntime,
}

impl Owned {
    /// A new reference to a value.
    ///
    /// # Safety
    ///
    /// The value belongs to the context, and both are alive.
    pub unsafe fn new(ctx: *mut qjs::JSContext, value: qjs::JSValue) -> Self {
        // SAFETY: the caller's.
        unsafe { Self { value: qjs::JS_DupValue(ctx, value), runtime: qjs::JS_GetRuntime(ctx) } }
    }

    /// Takes over a reference to a value.
    ///
    /// # Safety
    ///
    /// As for [`Owned::new`], and nobody else gives the reference back.
    pub unsafe fn from_raw(ctx: *mut qjs::JSContext, value: qjs::JSValue) -> Self {
        // SAFETY: the caller's.
        unsafe { Self { value, runtime: qjs::JS_GetRuntime(ctx) } }
    }

    /// A new reference to the value, for the bindings.
    pub fn to_value<'js>(&self, ctx: &Ctx<'js>) -> Value<'js> {
        let value = self.clone();
        // SAFETY: the value is alive, and belongs to an engine of which this is a context; the reference that was made
        // for it is taken over.
        unsafe { Value::from_raw(ctx.clone(), std::mem::ManuallyDrop::new(value).value) }
    }

    /// The value, without a reference.
    pub fn as_raw(&self) -> qjs::JSValue {
        self.value
    }
}

impl Clone for Owned {
    fn clone(&self) -> Self {
        // SAFETY: the value is alive as long as this reference is, and so is its engine.
        let value = unsafe { qjs::JS_DupValueRT(self.runtime, self.value) };
        Self { value, runtime: self.runtime }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the reference is this one's, and the engine outlives it.
        unsafe { qjs::JS_FreeValueRT(self.runtime, self.value) }
    }
}

/// Arguments of a callback; most have none. In a box, so that callbacks are small: the machine moves
/// them about.
pub type Arguments = Option<Box<Vec<Owned>>>;

/// One reference to an object, as [`Owned`] is one to any value.
pub struct OwnedObject {
    object: *mut c_void,
    runtime: *mut qjs::JSRuntime,
}

impl OwnedObject {
    /// A new reference to an object.
    pub fn of(object: &Object<'_>) -> Self {
        // SAFETY: the object is alive, and belongs to its context.
        unsafe { Self::new(object.ctx().as_raw().as_ptr(), object.as_raw()) }
    }

    /// A new reference to an object.
    ///
    /// # Safety
    ///
    /// The value is an object, it belongs to the context, and both are alive.
    pub unsafe fn new(ctx: *mut qjs::JSContext, object: qjs::JSValue) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let object = qjs::JS_VALUE_GET_PTR(qjs::JS_DupValue(ctx, object));
            Self { object, runtime: qjs::JS_GetRuntime(ctx) }
        }
    }

    /// A new reference to a function, for the bindings.
    pub fn to_function<'js>(&self, ctx: &Ctx<'js>) -> Result<Function<'js>> {
        Function::from_value(self.to_value(ctx))
    }

    /// A new reference to the object, for the bindings.
    pub fn to_value<'js>(&self, ctx: &Ctx<'js>) -> Value<'js> {
        // SAFETY: the object is alive, and belongs to the context.
        unsafe { copy(ctx, self.as_raw()) }
    }

    /// The object, without a reference.
    pub fn as_raw(&self) -> qjs::JSValue {
        qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, self.object)
    }
}

impl Clone for OwnedObject {
    fn clone(&self) -> Self {
        // SAFETY: the object is alive as long as this reference, and its runtime outlives both.
        unsafe { qjs::JS_DupValueRT(self.runtime, self.as_raw()) };
        Self { ..*self }
    }
}

impl Drop for OwnedObject {
    fn drop(&mut self) {
        // SAFETY: the reference is this one's, and the engine outlives it.
        unsafe { qjs::JS_FreeValueRT(self.runtime, self.as_raw()) }
    }
}

/// Calls a function in the scope of a context; what it returns is dropped.
///
/// # Safety
///
/// All values belong to the context, and somebody keeps a reference to each of them meanwhile.
#[inline]
pub unsafe fn call(
    ctx: &Ctx<'_>,
    function: qjs::JSValue,
    this: qjs::JSValue,
    args: &[qjs::JSValue],
) -> Result<()> {
    // SAFETY: the caller's; the engine does not write to the arguments.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        let first = args.as_ptr().cast_mut();
        let returned = qjs::JS_Call(raw, function, this, args.len() as i32, first);
        if qjs::JS_IsException(returned) {
            return Err(Error::Exception);
        }
        qjs::JS_FreeValue(raw, returned);
    }
    Ok(())
}

/// Calls a function that is kept, with its arguments.
#[inline]
pub fn call_kept(ctx: &Ctx<'_>, function: &OwnedObject, args: &Arguments) -> Result<()> {
    let call = |args: &[qjs::JSValue]| {
        // SAFETY: the owned references keep everything alive.
        unsafe { call(ctx, function.as_raw(), qjs::JS_UNDEFINED, args) }
    };
    match args {
        None => call(&[]),
        Some(args) => match &args[..] {
            [arg] => call(&[arg.as_raw()]),
            args => call(&args.iter().map(Owned::as_raw).collect::<Vec<_>>()),
        },
    }
}

/// Whether promise jobs wait in the engine.
#[inline]
pub fn is_job_pending(ctx: &Ctx<'_>) -> bool {
    // SAFETY: the context is alive, and with it its runtime.
    unsafe { qjs::JS_IsJobPending(qjs::JS_GetRuntime(ctx.as_raw().as_ptr())) }
}
