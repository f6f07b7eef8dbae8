//! Calls within a frame: what `AsyncLocalStorage.run` does, for which programs enter the engine once and not six
//! times.
//!
//! A frame is an entry: an array of a variable, its value and the next entry, as `internal/async_context` has it.

use crate::call::Call;
use crate::raw::Owned;
use crate::state::state_of;
use rquickjs::qjs::{self, JSContext, JSValue};

/// `runWith(variable, value, callback, args, isSet, keep)`: calls a function while a variable has a value. Where it
/// has that value already and `isSet` says so, nothing changes. What the function leaves as the frame, if it is
/// another one, goes to `keep(left, variable, before)`, when the one before is there again.
pub(super) fn run_with(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: the function has six parameters, so the engine passes as many arguments, which it keeps alive meanwhile;
    // all that is taken out of frames is owned as long as it is used, and what is made belongs to the same context.
    unsafe {
        let [variable, value, callback, given, is_set, keep] = *args.cast::<[JSValue; 6]>();
        let contexts = &state_of(ctx).contexts;
        let before = contexts.frame.borrow().clone();
        let entries = Entries::up_to(ctx, before.as_ref(), variable);
        if qjs::JS_VALUE_GET_BOOL(is_set)
            && let Some(found) = &entries.found
            && qjs::JS_IsSameValue(ctx, part(ctx, found, VALUE).as_raw(), value)
        {
            return apply(ctx, callback, given);
        }
        let Ok(frame) = entries.with(ctx, before.clone(), variable, value) else {
            return qjs::JS_EXCEPTION;
        };
        contexts.set_frame(Some(frame.clone()));
        let returned = apply(ctx, callback, given);
        let left = contexts.frame.borrow().clone();
        contexts.set_frame(before.clone());
        if left.as_ref().is_some_and(|left| is_same(left, &frame)) {
            return returned;
        }
        // An exception is out of the way meanwhile, unless there is a new one.
        let thrown = qjs::JS_IsException(returned).then(|| qjs::JS_GetException(ctx));
        let mut words = [raw(left.as_ref()), variable, raw(before.as_ref())];
        let kept = qjs::JS_Call(ctx, keep, qjs::JS_UNDEFINED, 3, words.as_mut_ptr());
        if qjs::JS_IsException(kept) {
            qjs::JS_FreeValue(ctx, thrown.unwrap_or(returned));
            return kept;
        }
        qjs::JS_FreeValue(ctx, kept);
        thrown.map_or(returned, |thrown| qjs::JS_Throw(ctx, thrown))
    }
}

// The places of an entry.
const VARIABLE: u32 = 0;
const VALUE: u32 = 1;
const NEXT: u32 = 2;

/// A frame up to the entry of a variable.
struct Entries {
    passed: Vec<Owned>,
    found: Option<Owned>,
}

impl Entries {
    /// # Safety
    ///
    /// The frame and the variable belong to the context.
    unsafe fn up_to(ctx: *mut JSContext, frame: Option<&Owned>, variable: JSValue) -> Self {
        let mut entries = Self { passed: Vec::new(), found: None };
        let mut entry = frame.cloned();
        while let Some(here) = entry {
            // SAFETY: the caller's; frames are arrays of three.
            let (its, next) = unsafe { (part(ctx, &here, VARIABLE), next_of(ctx, &here)) };
            // SAFETY: both are alive. Variables are objects.
            if unsafe { qjs::JS_VALUE_GET_PTR(its.as_raw()) == qjs::JS_VALUE_GET_PTR(variable) } {
                entries.found = Some(here);
                break;
            }
            entries.passed.push(here);
            entry = next;
        }
        entries
    }

    /// The frame in which the variable has that value.
    ///
    /// # Safety
    ///
    /// As for [`Entries::up_to`].
    unsafe fn with(
        &self,
        ctx: *mut JSContext,
        frame: Option<Owned>,
        variable: JSValue,
        value: JSValue,
    ) -> Result<Owned, Thrown> {
        // SAFETY: the caller's.
        unsafe {
            let mut rest = frame;
            if let Some(found) = &self.found {
                rest = next_of(ctx, found);
                for entry in self.passed.iter().rev() {
                    let (its, was) = (part(ctx, entry, VARIABLE), part(ctx, entry, VALUE));
                    rest = Some(entry_of(ctx, its.as_raw(), was.as_raw(), rest)?);
                }
            }
            entry_of(ctx, variable, value, rest)
        }
    }
}

/// # Safety
///
/// The entry belongs to the context.
unsafe fn part(ctx: *mut JSContext, entry: &Owned, place: u32) -> Owned {
    // SAFETY: the caller's; the reference that the engine gives is taken over.
    unsafe { Owned::from_raw(ctx, qjs::JS_GetPropertyUint32(ctx, entry.as_raw(), place)) }
}

/// # Safety
///
/// As for [`part`].
unsafe fn next_of(ctx: *mut JSContext, entry: &Owned) -> Option<Owned> {
    // SAFETY: the caller's.
    let next = unsafe { part(ctx, entry, NEXT) };
    // SAFETY: the function looks at the value's tag.
    unsafe { qjs::JS_IsObject(next.as_raw()) }.then_some(next)
}

/// That memory is used up; the engine has thrown it.
struct Thrown;

/// A new entry.
///
/// # Safety
///
/// All values belong to the context.
unsafe fn entry_of(
    ctx: *mut JSContext,
    variable: JSValue,
    value: JSValue,
    next: Option<Owned>,
) -> Result<Owned, Thrown> {
    // SAFETY: the caller's; the engine takes over a reference to each value, also where it fails.
    unsafe {
        let values = [variable, value, raw(next.as_ref())].map(|one| qjs::JS_DupValue(ctx, one));
        let entry = qjs::JS_NewArrayFrom(ctx, 3, values.as_ptr());
        if qjs::JS_IsException(entry) { Err(Thrown) } else { Ok(Owned::from_raw(ctx, entry)) }
    }
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
        let given: Vec<Owned> = (0..count as u32)
            .map(|at| Owned::from_raw(ctx, qjs::JS_GetPropertyUint32(ctx, given, at)))
            .collect();
        let mut words: Vec<JSValue> = given.iter().map(Owned::as_raw).collect();
        qjs::JS_Call(ctx, callback, qjs::JS_NULL, words.len() as i32, words.as_mut_ptr())
    }
}
