//! Objects of the engine that own something of ours: how it is made, marked and freed.
#![expect(unsafe_code, reason = "the engine keeps a pointer and says when it is free")]

use rquickjs::qjs::{self, JSClassID, JSContext, JSRuntime, JSValue};
use std::ffi::CStr;
use std::ptr::NonNull;

/// What an object of a class of ours owns. It owns a reference to each of its values.
pub trait Opaque: Sized {
    /// Tells of every value.
    fn values(&self, each: impl FnMut(JSValue));

    /// The object is gone, and the values have been given back. Memory of the engine is given back to it.
    fn freed(self, runtime: *mut JSRuntime);

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
        let Some(kept) = keep(ctx, owned) else { return qjs::JS_EXCEPTION };
        let object = make();
        if qjs::JS_IsException(object) {
            give_back(qjs::JS_GetRuntime(ctx), kept);
        } else {
            qjs::JS_SetOpaque(object, kept.as_ptr().cast());
        }
        object
    }
}

/// Puts something into memory of the engine, for an object that will own it; nothing, and an exception, if there
/// is none. Who has it gives it [back](give_back), unless an object owns it by then.
///
/// # Safety
///
/// The context is alive, and the values are of its runtime.
pub unsafe fn keep<T: Opaque>(ctx: *mut JSContext, owned: T) -> Option<NonNull<T>> {
    // SAFETY: the caller's; the memory is large enough, and aligned as all that the engine gives out.
    unsafe {
        let memory = NonNull::new(qjs::js_malloc(ctx, size_of::<T>() as _).cast::<T>());
        match memory {
            Some(memory) => memory.write(owned),
            None => free(qjs::JS_GetRuntime(ctx), owned),
        }
        memory
    }
}

/// As [`keep`], for a copy of what is kept already.
///
/// # Safety
///
/// The runtime is alive, and the values are its.
pub unsafe fn keep_again<T: Opaque>(runtime: *mut JSRuntime, owned: T) -> NonNull<T> {
    // SAFETY: the caller's, as in `keep`.
    unsafe {
        let memory = NonNull::new(qjs::js_malloc_rt(runtime, size_of::<T>() as _).cast::<T>());
        let memory = memory.expect("there is memory for what was there before");
        memory.write(owned);
        memory
    }
}

/// Gives back what was [kept](keep), which no object owns.
///
/// # Safety
///
/// Nobody uses it any more, and the runtime is the one that it was kept in.
pub unsafe fn give_back<T: Opaque>(runtime: *mut JSRuntime, kept: NonNull<T>) {
    // SAFETY: the caller's.
    unsafe {
        free(runtime, kept.read());
        qjs::js_free_rt(runtime, kept.as_ptr().cast());
    }
}

/// Gives all references back.
unsafe fn free<T: Opaque>(runtime: *mut JSRuntime, owned: T) {
    // SAFETY: the values are of that runtime, and each reference is given back once.
    owned.values(|value| unsafe { qjs::JS_FreeValueRT(runtime, value) });
    owned.freed(runtime);
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
        if let Some(owned) = NonNull::new(qjs::JS_GetAnyOpaque(value, &mut class).cast::<T>()) {
            give_back(runtime, owned);
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
