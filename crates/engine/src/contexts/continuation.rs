//! Our `then`: the engine's, with callbacks that know where they were attached.

use super::awaited::By;
use super::hooks::{Role, Told};
use super::scope::{self, For};
use super::{ALWAYS, Classes, Contexts, HOOKS, LEVELS, Library};
use crate::call::Call;
use crate::executing::layout;
use crate::native;
use crate::opaque::{self, Opaque};
use crate::opaque_functions;
use crate::raw::{self, Owned, OwnedObject};
use crate::settled::resolved_by;
use crate::state::{State, state_of};
use rquickjs::{Ctx, Error, Exception, Function, Object, Result, Value, qjs};
use std::rc::Rc;

/// A callback of a promise, and where it was attached.
///
/// It owns a reference to both values.
struct Continuation {
    /// Undefined where the program gave none for a fulfilment: what came in is handed on.
    handler: qjs::JSValue,
    scope: qjs::JSValue,
}

/// Serves a host, and makes the classes of this part.
pub fn install(ctx: &Ctx<'_>, state: &Rc<State>) -> Result<()> {
    let raw = ctx.as_raw().as_ptr();
    state.serve(ctx);
    let scope = scope::define(raw).ok_or(Error::Allocation)?;
    let continuation = define(raw).ok_or(Error::Allocation)?;
    state.contexts.registered.classes.set(Classes { scope, continuation });
    Ok(())
}

/// Makes the class of continuations. Nobody but the engine sees such an object.
fn define(ctx: *mut qjs::JSContext) -> Option<qjs::JSClassID> {
    // SAFETY: the context is alive, and the functions are those of continuations.
    unsafe { opaque::define(ctx, c"Function", finalize, mark, Some(call)) }
}

impl Opaque for Continuation {
    fn values(&self, each: impl FnMut(qjs::JSValue)) {
        [self.handler, self.scope].into_iter().for_each(each);
    }

    fn freed(self, _: *mut qjs::JSRuntime) {}

    fn is_plain(&self) -> bool {
        true
    }
}

opaque_functions!(Continuation);

/// `makeThen(exports, engineThen)`: the function for `Promise.prototype.then`. `exports.on` says from
/// then on whether contexts are in use.
pub(super) fn make_then<'js>(
    ctx: Ctx<'js>,
    exports: Object<'js>,
    engine: Function<'js>,
) -> Result<Value<'js>> {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: both are objects of this context, which is alive.
    unsafe {
        let state = state_of(raw);
        let exports = OwnedObject::new(raw, exports.as_raw());
        let then = OwnedObject::new(raw, engine.as_raw());
        let library = Library { exports, then, locate: None };
        if state.contexts.registered.library.replace(Some(library)).is_some() {
            return Err(Exception::throw_type(&ctx, "there is one `then`"));
        }
    }
    raw::function(&ctx, c"then", 2, 0, native!(then))
}

/// `then(onFulfilled, onRejected)`.
fn then(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, this, count, args, .. } = *call;
    // SAFETY: the engine passes a living context and two arguments at least, since the function has two
    // parameters; whatever is made here is given back here.
    unsafe {
        let contexts = &state_of(ctx).contexts;
        let engine = {
            let library = contexts.registered.library.borrow();
            library.as_ref().expect("`then` was made with it").then.as_raw()
        };
        if contexts.registered.uses.get() == 0 {
            return qjs::JS_Call(ctx, engine, this, count, args);
        }
        if contexts.has(LEVELS) {
            contexts.attached_to(ctx, this, By::Then);
        }
        let scope = scope::take_for(ctx, For::Continuation, this);
        if qjs::JS_IsException(scope) {
            return scope;
        }
        if qjs::JS_IsUndefined(scope) {
            return qjs::JS_Call(ctx, engine, this, count, args);
        }
        let all = contexts.has(ALWAYS);
        let class = contexts.registered.classes.get().continuation;
        let mut callbacks = [*args, *args.add(1)];
        let mut failed = false;
        for (at, callback) in callbacks.iter_mut().enumerate() {
            let is_function = qjs::JS_IsFunction(ctx, *callback);
            let handler = if is_function { *callback } else { qjs::JS_UNDEFINED };
            *callback = match (is_function, at) {
                (false, _) if !all => qjs::JS_UNDEFINED,
                // A scope is a function that hands on an error.
                (false, 1) => qjs::JS_DupValue(ctx, scope),
                _ => continuation(ctx, class, handler, scope),
            };
            failed |= qjs::JS_IsException(*callback);
        }
        let derived = if failed {
            qjs::JS_EXCEPTION
        } else {
            qjs::JS_Call(ctx, engine, this, 2, callbacks.as_mut_ptr())
        };
        if contexts.has(HOOKS) && qjs::JS_IsPromise(derived) {
            // Hooks know a reaction by the promise that it settles.
            if let Some(scope) = scope::Scope::of(contexts, scope) {
                scope.belongs_to(ctx, derived, Role::Derived);
            }
        }
        callbacks.iter().for_each(|&callback| qjs::JS_FreeValue(ctx, callback));
        qjs::JS_FreeValue(ctx, scope);
        derived
    }
}

/// A new continuation, which is a function to the engine; an exception without memory.
///
/// # Safety
///
/// All values belong to the context, and the class is that of continuations.
unsafe fn continuation(
    ctx: *mut qjs::JSContext,
    class: qjs::JSClassID,
    handler: qjs::JSValue,
    scope: qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the caller's; the object is new, and of that class.
    unsafe {
        let handler = qjs::JS_DupValue(ctx, handler);
        let scope = qjs::JS_DupValue(ctx, scope);
        let make = || qjs::JS_NewObjectProtoClass(ctx, qjs::JS_NULL, class);
        opaque::put(ctx, Continuation { handler, scope }, make)
    }
}

/// The engine runs a continuation.
unsafe extern "C" fn call(
    ctx: *mut qjs::JSContext,
    function: qjs::JSValue,
    this: qjs::JSValue,
    count: i32,
    args: *mut qjs::JSValue,
    _: i32,
) -> qjs::JSValue {
    let mut class = 0;
    // SAFETY: the function is a continuation, which the job keeps alive; the engine passes as many
    // arguments as it says.
    unsafe {
        let continuation = &*qjs::JS_GetAnyOpaque(function, &mut class).cast::<Continuation>();
        scope::enter(ctx, continuation.scope);
        if qjs::JS_IsUndefined(continuation.handler) {
            let value = if count > 0 { *args } else { qjs::JS_UNDEFINED };
            return qjs::JS_DupValue(ctx, value);
        }
        // A handler that was attached before anybody watched is called without this.
        state_of(ctx).interrupts.uncounted(1, || ());
        qjs::JS_Call(ctx, continuation.handler, this, count, args)
    }
}

/// What a promise calls when it is fulfilled or rejected, behind a continuation of ours.
///
/// # Safety
///
/// The value is alive, and belongs to the context of these.
pub(crate) unsafe fn awaited_by(contexts: &Contexts, handler: qjs::JSValue) -> qjs::JSValue {
    let class = contexts.registered.classes.get().continuation;
    // SAFETY: the caller's; only continuations are of that class.
    unsafe {
        let continuation = qjs::JS_GetOpaque(handler, class).cast::<Continuation>().as_ref();
        continuation.map_or(handler, |continuation| continuation.handler)
    }
}

/// Whether hooks know what a promise calls when it is settled by something.
///
/// # Safety
///
/// The value is alive, and belongs to the context of these.
unsafe fn is_known(contexts: &Contexts, handler: qjs::JSValue) -> bool {
    let class = contexts.registered.classes.get().continuation;
    // SAFETY: the caller's; only continuations are of that class.
    unsafe {
        let continuation = qjs::JS_GetOpaque(handler, class).cast::<Continuation>().as_ref();
        let scope = continuation.map_or(handler, |continuation| continuation.scope);
        scope::Scope::of(contexts, scope).is_some_and(|scope| scope.is_known())
    }
}

impl Contexts {
    /// A job begins. The reaction that it runs may have been attached before anybody listened: hooks know it by the
    /// promise that it settles.
    pub fn begin_late_job(&self, ctx: &Ctx<'_>) {
        if !self.has(HOOKS) {
            return;
        }
        let raw = ctx.as_raw().as_ptr();
        // SAFETY: the context is the one of this, and the job waits until this returns.
        unsafe {
            let Some(&[resolve, _, handler, is_rejected, _]) =
                layout(ctx, &state_of(raw).interrupts).map(|layout| layout.next_job(raw))
            else {
                return;
            };
            if !qjs::JS_IsBool(is_rejected) || is_known(self, handler) {
                return;
            }
            if let Some(promise) = resolved_by(resolve) {
                self.entered.set(Some(Role::Derived));
                let before = self.resource.replace(Some(Owned::new(raw, promise)));
                drop(before);
                self.tell_of(raw, Told::Before, promise);
            }
        }
    }

    /// Notes that something is in use from now on.
    ///
    /// # Safety
    ///
    /// The context is the one of this.
    pub(super) unsafe fn set_uses(&self, ctx: *mut qjs::JSContext, uses: u32) {
        self.registered.uses.set(uses);
        let library = self.registered.library.borrow();
        let Some(library) = library.as_ref() else { return };
        // SAFETY: the object is alive; the value is no reference.
        unsafe {
            let on = if uses != 0 { qjs::JS_TRUE } else { qjs::JS_FALSE };
            qjs::JS_SetPropertyStr(ctx, library.exports.as_raw(), c"on".as_ptr(), on);
        }
    }
}
