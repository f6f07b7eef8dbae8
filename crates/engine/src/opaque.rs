//! Objects of the engine that own something of ours: how it is made, marked and freed.
#![expect(unsafe_code, reason = "the engine keeps a pointer and says when it is free")]

use rquickjs::qjs::{self, JSClassID, JSContext, JSRuntime, JSValue};
use std::ffi::CStr;

/// What an object of a class of ours owns. It owns a reference to each of its values.
pub trait Opaque: Sized {
    /// Tells of every value.
    fn values(&self, each: impl FnMut(JSValue));

    /// The object is gone, and the values have been given back.
    fn freed(self);

    /// Whether it owns nothing but those values: then it is put back with the engine's memory, whatever became
    /// of it.
    fn is_plain(&self) -> bool;
}

/// Makes a class; nothing without memory for it.
///
/// # Safety
///
/// The context is alive, and the functions are [`finalize`] and [`mark`] of what its objects will own.
pub unsafe fn define(
    ctx: *mut JSContext,
    name: &'static CStr,
    finalizer: unsafe extern "C" fn(*mut JSRuntime, JSValue),
    marker: unsafe extern "C" fn(*mut JSRuntime, JSValue, qjs::JS_MarkFunc),
    call: qjs::JSClassCall,
) -> Option<JSClassID> {
    let definition = qjs::JSClassDef {
        class_name: name.as_ptr(),
        finalizer: Some(finalizer),
        gc_mark: Some(marker),
        call,
        exotic: std::ptr::null_mut(),
    };
    let mut class = 0;
    // SAFETY: the caller's; the engine copies the definition.
    unsafe {
        let runtime = qjs::JS_GetRuntime(ctx);
        qjs::JS_NewClassID(runtime, &mut class);
        (qjs::JS_NewClass(runtime, class, &definition) == 0).then_some(class)
    }
}

/// Puts something into an object that `make` makes; an exception, if there is no memory for it.
///
/// The memory is the engine's, whose allocator is made for many small blocks of one size.
///
/// # Safety
///
/// The object is new and of a class that was [defined](define) for it, or an exception.
pub unsafe fn put<T: Opaque>(
    ctx: *mut JSContext,
    owned: T,
    make: impl FnOnce() -> JSValue,
) -> JSValue {
    // SAFETY: the object is of a class of ours, so its pointer is ours to set; `finalize` gives the memory
    // back.
    unsafe {
        let memory = qjs::js_malloc(ctx, size_of::<T>() as _).cast::<T>();
        let object = if memory.is_null() { qjs::JS_EXCEPTION } else { make() };
        if qjs::JS_IsException(object) {
            qjs::js_free(ctx, memory.cast());
            free(qjs::JS_GetRuntime(ctx), owned);
        } else {
            memory.write(owned);
            qjs::JS_SetOpaque(object, memory.cast());
        }
        object
    }
}

/// Gives all references back.
unsafe fn free<T: Opaque>(runtime: *mut JSRuntime, owned: T) {
    // SAFETY: the values are of that runtime, and each reference is given back once.
    owned.values(|value| unsafe { qjs::JS_FreeValueRT(runtime, value) });
    owned.freed();
}

/// The engine frees an object.
///
/// # Safety
///
/// The engine asks once, for an object that owns this or, when it could not be made, nothing.
pub unsafe fn finalize<T: Opaque>(runtime: *mut JSRuntime, value: JSValue) {
    let mut class = 0;
    // SAFETY: the caller's.
    unsafe {
        let owned = qjs::JS_GetAnyOpaque(value, &mut class).cast::<T>();
        if !owned.is_null() {
            free(runtime, owned.read());
            qjs::js_free_rt(runtime, owned.cast());
        }
    }
}

/// The engine looks for cycles: it is told of every value that an object keeps.
///
/// # Safety
///
/// As for [`finalize`].
pub unsafe fn mark<T: Opaque>(runtime: *mut JSRuntime, value: JSValue, each: qjs::JS_MarkFunc) {
    let mut class = 0;
    // SAFETY: the caller's; marking frees nothing.
    unsafe {
        if let Some(owned) = qjs::JS_GetAnyOpaque(value, &mut class).cast::<T>().as_ref() {
            owned.values(|value| qjs::JS_MarkValue(runtime, value, each));
        }
    }
}

/// Makes of `finalize` and `mark` for a type the functions that the engine is given, which have one
/// address each.
#[macro_export]
macro_rules! opaque_functions {
    ($type:ty) => {
        unsafe extern "C" fn finalize(
            runtime: *mut $crate::qjs::JSRuntime,
            value: $crate::qjs::JSValue,
        ) {
            // SAFETY: the engine asks once, for an object of the class.
            unsafe { $crate::opaque::finalize::<$type>(runtime, value) }
        }

        unsafe extern "C" fn mark(
            runtime: *mut $crate::qjs::JSRuntime,
            value: $crate::qjs::JSValue,
            each: $crate::qjs::JS_MarkFunc,
        ) {
            // SAFETY: as above.
            unsafe { $crate::opaque::mark::<$type>(runtime, value, each) }
        }
    };
}
