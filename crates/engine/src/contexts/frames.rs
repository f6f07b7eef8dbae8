//! Calls within a frame: what `AsyncLocalStorage.run` does, for which programs enter the engine once and not six
//! times.
//!
//! A frame is an entry: an array of a variable, its value and the next entry, as `internal/async_context` has it. With
//! many variables it is an object of that file, which is asked.

use crate::call::Call;
use crate::raw::{Owned, OwnedObject};
use crate::state::state_of;
use rquickjs::qjs::{self, JSContext, JSValue};

/// `runWith(variable, value, callback, args, isSet, extend, keep)`: calls a function while a variable has a value.
/// Where it has that value already and `isSet` says so, nothing changes; where it has another one,
/// `extend(frame, variable, value)` gives the frame. What the function leaves as the frame, if it is another one, goes
/// to `keep(left, variable, before)`, when the one before is there again.
pub(super) fn run_with(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: the function has seven parameters, so the engine passes as many arguments, which it keeps alive meanwhile;
    // all that is taken out of frames is owned as long as it is used, and what is made belongs to the same context.
    unsafe {
        let [variable, value, callback, given, is_set, extend, keep] = *args.cast::<[JSValue; 7]>();
        let contexts = &state_of(ctx).contexts;
        let before = contexts.frame.borrow().clone();
        let found = find(ctx, raw(before.as_ref()), variable);
        if qjs::JS_VALUE_GET_BOOL(is_set)
            && let Some(found) = found
            && qjs::JS_IsSameValue(ctx, part(ctx, found, VALUE), value)
        {
            return apply(ctx, callback, given);
        }
        let frame = match found {
            None if is_short(ctx, raw(before.as_ref())) => {
                let entry = [variable, value, raw(before.as_ref())];
                qjs::JS_NewArrayFrom(ctx, 3, entry.map(|one| qjs::JS_DupValue(ctx, one)).as_ptr())
            }
            _ => called(ctx, extend, [raw(before.as_ref()), variable, value]),
        };
        if qjs::JS_IsException(frame) {
            return frame;
        }
        let frame = Owned::from_raw(ctx, frame);
        if before.as_ref().is_some_and(|before| is_same(before, &frame)) {
            return apply(ctx, callback, given);
        }
        contexts.set_frame(Some(frame.clone()));
        let returned = apply(ctx, callback, given);
        let left = contexts.frame.borrow().clone();
        contexts.set_frame(before.clone());
        if left.as_ref().is_some_and(|left| is_same(left, &frame)) {
            return returned;
        }
        // An exception is out of the way meanwhile, unless there is a new one.
        let thrown = qjs::JS_IsException(returned).then(|| qjs::JS_GetException(ctx));
        let kept = called(ctx, keep, [raw(left.as_ref()), variable, raw(before.as_ref())]);
        if qjs::JS_IsException(kept) {
            qjs::JS_FreeValue(ctx, thrown.unwrap_or(returned));
            return kept;
        }
        qjs::JS_FreeValue(ctx, kept);
        thrown.map_or(returned, |thrown| qjs::JS_Throw(ctx, thrown))
    }
}

/// `storage.getStore()`: the value of the variable that it is called on; undefined where it has none. Once there are
/// variables that are off, the library says which.
pub(super) fn get_store(call: &Call<'_>) -> JSValue {
    let Call { ctx, this, .. } = *call;
    // SAFETY: the engine passes living values; the frame is alive as long as it is borrowed, and nothing of the program
    // runs meanwhile. What is given back is a new reference.
    unsafe {
        if !qjs::JS_IsObject(this) {
            return qjs::JS_ThrowTypeError(ctx, c"this is no AsyncLocalStorage".as_ptr());
        }
        let contexts = &state_of(ctx).contexts;
        let slowly = contexts.slow_store.borrow().clone();
        if let Some(slowly) = slowly {
            return qjs::JS_Call(ctx, slowly.as_raw(), this, 0, std::ptr::null_mut());
        }
        let frame = contexts.frame.borrow();
        match find(ctx, raw(frame.as_ref()), this) {
            Some(entry) => qjs::JS_GetPropertyUint32(ctx, entry, VALUE),
            None => qjs::JS_UNDEFINED,
        }
    }
}

/// `setSlowStore(getStore)`: from now on `storage.getStore()` is that function's, for some are off.
pub(super) fn set_slow_store(call: &Call<'_>) -> JSValue {
    // SAFETY: the engine passes a living context and one argument, since the function has a parameter.
    unsafe {
        let slowly = OwnedObject::new(call.ctx, *call.args);
        let before = state_of(call.ctx).contexts.slow_store.replace(Some(slowly));
        drop(before);
    }
    qjs::JS_UNDEFINED
}

// The places of an entry.
const VARIABLE: u32 = 0;
const VALUE: u32 = 1;
const NEXT: u32 = 2;

/// More entries than this are a tree, in `internal/async_context` too.
const LONG: usize = 16;

/// The entry of a variable in a frame, or in undefined, which keeps it alive.
///
/// # Safety
///
/// The frame and the variable belong to the context, and are alive.
unsafe fn find(ctx: *mut JSContext, frame: JSValue, variable: JSValue) -> Option<JSValue> {
    let mut entry = frame;
    // SAFETY: the caller's; frames are arrays of three, and variables are objects.
    unsafe {
        while qjs::JS_IsObject(entry) {
            let its = part(ctx, entry, VARIABLE);
            if qjs::JS_VALUE_GET_PTR(its) == qjs::JS_VALUE_GET_PTR(variable) {
                return Some(entry);
            }
            entry = part(ctx, entry, NEXT);
        }
    }
    None
}

/// Whether a frame, or undefined, has so few entries that one more may stand before them.
///
/// # Safety
///
/// The frame belongs to the context, and is alive.
unsafe fn is_short(ctx: *mut JSContext, frame: JSValue) -> bool {
    let mut entry = frame;
    // SAFETY: the caller's.
    unsafe {
        for _ in 0..LONG {
            if !qjs::JS_IsObject(entry) {
                return true;
            }
            if !qjs::JS_IsArray(entry) {
                return false;
            }
            entry = part(ctx, entry, NEXT);
        }
        !qjs::JS_IsObject(entry)
    }
}

/// A part of an entry, which keeps it alive.
///
/// # Safety
///
/// The entry belongs to the context.
unsafe fn part(ctx: *mut JSContext, entry: JSValue, place: u32) -> JSValue {
    // SAFETY: the caller's; an entry is never changed, so that it has a reference of its own.
    unsafe {
        let part = qjs::JS_GetPropertyUint32(ctx, entry, place);
        qjs::JS_FreeValue(ctx, part);
        part
    }
}

/// Calls one of the library's functions.
///
/// # Safety
///
/// All values belong to the context.
unsafe fn called(ctx: *mut JSContext, function: JSValue, mut args: [JSValue; 3]) -> JSValue {
    // SAFETY: the caller's; the engine does not write to the arguments.
    unsafe { qjs::JS_Call(ctx, function, qjs::JS_UNDEFINED, 3, args.as_mut_ptr()) }
}

fn raw(frame: Option<&Owned>) -> JSValue {
    frame.map_or(qjs::JS_UNDEFINED, Owned::as_raw)
}

fn is_same(one: &Owned, other: &Owned) -> bool {
    // SAFETY: both are alive, and objects.
    unsafe { qjs::JS_VALUE_GET_PTR(one.as_raw()) == qjs::JS_VALUE_GET_PTR(other.as_raw()) }
}

/// Calls a function with the elements of an array of the library's own.
///
/// # Safety
///
/// All values belong to the context.
unsafe fn apply(ctx: *mut JSContext, callback: JSValue, given: JSValue) -> JSValue {
    // SAFETY: the caller's; the arguments are owned as long as the call.
    unsafe {
        let mut count = 0;
        qjs::JS_GetLength(ctx, given, &raw mut count);
        if count == 0 {
            return qjs::JS_Call(ctx, callback, qjs::JS_NULL, 0, std::ptr::null_mut());
        }
        let given: Vec<Owned> = (0..count as u32)
            .map(|at| Owned::from_raw(ctx, qjs::JS_GetPropertyUint32(ctx, given, at)))
            .collect();
        let mut words: Vec<JSValue> = given.iter().map(Owned::as_raw).collect();
        qjs::JS_Call(ctx, callback, qjs::JS_NULL, words.len() as i32, words.as_mut_ptr())
    }
}
