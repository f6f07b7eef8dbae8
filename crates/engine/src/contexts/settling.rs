//! The functions that settle promises, for those who want to hear of each time they are called.
//!
//! The engine tells of promises that are fulfilled, and of rejections that nobody handles. It tells neither of the other
//! rejections nor of a promise that is settled again. While somebody wants to hear of these, a function of ours stands in
//! for the one that the engine calls for its class of such functions, and calls that one.

use super::hooks::Told;
use super::{Contexts, HOOKS};
use crate::call::Call;
use crate::executing::layout;
use crate::mirror::{RESOLVE, Resolving};
use crate::raw::OwnedObject;
use crate::settled::opaque;
use crate::state::state_of;
use rquickjs::{Ctx, qjs};
use std::ptr::NonNull;
use std::sync::OnceLock;

/// What the engine calls itself; it is the same for all engines of a process.
static ENGINES_OWN: OnceLock<qjs::JSClassCall> = OnceLock::new();

/// `hearRepeats(function)`: what is called from now on with whether it is a rejection, the promise and the value
/// when a promise is settled again; nothing without a function.
pub(super) fn hear(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: the engine passes a living context, and an argument, since the function has a parameter.
    unsafe {
        let contexts = &state_of(ctx).contexts;
        let listener = qjs::JS_IsObject(*args).then(|| OwnedObject::new(ctx, *args));
        let before = contexts.repeats.replace(listener);
        drop(before);
        contexts.stand_in(ctx);
    }
    qjs::JS_UNDEFINED
}

impl Contexts {
    /// Stands in for the engine's function, or not any more.
    ///
    /// # Safety
    ///
    /// The context is the one of this.
    pub(super) unsafe fn stand_in(&self, ctx: *mut qjs::JSContext) {
        let is_heard = self.has(HOOKS) || self.repeats.borrow().is_some();
        if !is_heard && ENGINES_OWN.get().is_none() {
            return;
        }
        // SAFETY: the caller's; both classes are called by one function, which any thread may know.
        unsafe {
            let interrupts = &state_of(ctx).interrupts;
            let found = NonNull::new(ctx).and_then(|ctx| layout(&Ctx::from_raw(ctx), interrupts));
            for class in [RESOLVE, RESOLVE + 1] {
                let Some(class) = found.and_then(|layout| layout.class(ctx, class)) else { return };
                let own = *ENGINES_OWN.get_or_init(|| (*class).call);
                (*class).call = if is_heard { Some(settle) } else { own };
            }
        }
    }
}

/// A function is called that settles a promise.
unsafe extern "C" fn settle(
    ctx: *mut qjs::JSContext,
    function: qjs::JSValue,
    this: qjs::JSValue,
    count: i32,
    args: *mut qjs::JSValue,
    flags: i32,
) -> qjs::JSValue {
    // SAFETY: the engine calls this for functions of these two classes only, which it keeps meanwhile, and passes as
    // many arguments as it says. It was asked for its own function before that was replaced.
    unsafe {
        let own = ENGINES_OWN.get().copied().flatten();
        let own = own.expect("the engine's function is known to who stands in for it");
        let resolves = opaque::<Resolving>(function, RESOLVE);
        let resolving = resolves.or_else(|| opaque::<Resolving>(function, RESOLVE + 1));
        let Some(resolving) = resolving else {
            return own(ctx, function, this, count, args, flags);
        };
        let contexts = &state_of(ctx).contexts;
        let promise = qjs::JS_DupValue(ctx, resolving.promise);
        let is_again = (*resolving.resolved).is_used;
        let result = own(ctx, function, this, count, args, flags);
        if is_again {
            let value = if count > 0 { *args } else { qjs::JS_UNDEFINED };
            contexts.tell_repeat(ctx, resolves.is_none(), promise, value);
        } else if contexts.has(HOOKS)
            && qjs::JS_PromiseState(ctx, promise) == qjs::JSPromiseStateEnum_JS_PROMISE_REJECTED
        {
            contexts.tell_of(ctx, Told::Resolve, promise);
        }
        qjs::JS_FreeValue(ctx, promise);
        result
    }
}

impl Contexts {
    /// # Safety
    ///
    /// The values belong to the context, which is the one of this.
    unsafe fn tell_repeat(
        &self,
        ctx: *mut qjs::JSContext,
        is_rejected: bool,
        promise: qjs::JSValue,
        value: qjs::JSValue,
    ) {
        let listener = self.repeats.borrow().clone();
        let Some(listener) = listener else { return };
        let is_rejected = if is_rejected { qjs::JS_TRUE } else { qjs::JS_FALSE };
        let mut args = [is_rejected, promise, value];
        // SAFETY: the caller's; the listener is kept meanwhile.
        unsafe {
            let told =
                qjs::JS_Call(ctx, listener.as_raw(), qjs::JS_UNDEFINED, 3, args.as_mut_ptr());
            if qjs::JS_IsException(told) {
                // Without memory for it nobody is told.
                qjs::JS_FreeValue(ctx, qjs::JS_GetException(ctx));
            }
            qjs::JS_FreeValue(ctx, told);
        }
    }
}
