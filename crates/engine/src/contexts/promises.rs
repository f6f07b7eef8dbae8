//! What the engine tells of promises.
//!
//! The `then` of a thenable is called by a job of the engine's own, which no continuation of ours is
//! part of. It runs in the context in which the promise was made that waits for the thenable.

use super::hooks::Told;
use super::{FRAMES, HOOKS, LEVELS, Record, SITES, details};
use crate::held;
use crate::raw::Owned;
use crate::state::state_of;
use rquickjs::{Ctx, Value, qjs};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::rc::Rc;

held! {
    /// The contexts in which promises were made, by their addresses. One that is settled needs none; the
    /// engine does not tell when a promise is gone, but a new one at its address takes its place.
    #[derive(Default)]
    pub(super) struct Table {
        frames: RefCell<BTreeMap<usize, Owned>>,
        /// In which invocations the promises were rejected of which nobody has been told yet, if places are
        /// noted.
        rejected: RefCell<BTreeMap<usize, Rc<Record>>>,
    }
}

impl Table {
    /// Whether [`Table::go_on`] knows all of it.
    pub(super) fn can_go_on(&self) -> bool {
        self.rejected.borrow().is_empty()
    }

    /// The same for another run that goes on from here: promises are where they were.
    pub(super) fn go_on(&self) -> Self {
        Self { frames: self.frames.clone(), ..Self::default() }
    }

    /// The context in which a promise was made that is not fulfilled, as a new reference; undefined at the
    /// root.
    ///
    /// # Safety
    ///
    /// The promise belongs to the context, which is the one of this.
    pub(super) unsafe fn frame_of(
        &self,
        ctx: *mut qjs::JSContext,
        promise: qjs::JSValue,
    ) -> qjs::JSValue {
        let frames = self.frames.borrow();
        // SAFETY: the caller's.
        unsafe {
            let frame = frames.get(&address(promise)).map_or(qjs::JS_UNDEFINED, Owned::as_raw);
            qjs::JS_DupValue(ctx, frame)
        }
    }

    /// The invocation in which a promise was rejected, if it is known.
    pub(super) fn rejected_in(&self, promise: &Value<'_>) -> Option<Rc<Record>> {
        promise.as_object()?;
        self.rejected.borrow().get(&address(promise.as_raw())).cloned()
    }

    fn set(&self, promise: qjs::JSValue, frame: Option<Owned>) {
        let key = address(promise);
        let mut frames = self.frames.borrow_mut();
        let before = match frame {
            Some(frame) => frames.insert(key, frame),
            None => frames.remove(&key),
        };
        drop(frames);
        drop(before);
    }
}

fn address(promise: qjs::JSValue) -> usize {
    // SAFETY: a promise is an object; the address is only compared.
    unsafe { qjs::JS_VALUE_GET_PTR(promise).addr() }
}

/// Lets the engine tell of promises, or not any more.
///
/// # Safety
///
/// The context is one of ours.
pub(super) unsafe fn listen(ctx: *mut qjs::JSContext, on: bool) {
    let hook: qjs::JSPromiseHook = if on { Some(told) } else { None };
    // SAFETY: the caller's.
    unsafe { qjs::JS_SetPromiseHook(qjs::JS_GetRuntime(ctx), hook, std::ptr::null_mut()) };
}

unsafe extern "C" fn told(
    ctx: *mut qjs::JSContext,
    what: qjs::JSPromiseHookType,
    promise: qjs::JSValue,
    parent: qjs::JSValue,
    _: *mut c_void,
) {
    // SAFETY: the engine tells of promises of a context that is alive, and keeps them meanwhile.
    unsafe {
        let state = state_of(ctx);
        let contexts = &state.contexts;
        if state.debug.is_some() && what == qjs::JSPromiseHookType_JS_PROMISE_HOOK_RESOLVE {
            contexts.details.fulfilled(promise);
        }
        if what == qjs::JSPromiseHookType_JS_PROMISE_HOOK_INIT && details::awaits(ctx) {
            contexts.details.made(ctx, promise);
        }
        if contexts.has(FRAMES) {
            match what {
                qjs::JSPromiseHookType_JS_PROMISE_HOOK_INIT => {
                    let frame = contexts.frame.borrow();
                    let frame = frame.as_ref().map(|frame| Owned::new(ctx, frame.as_raw()));
                    contexts.promises.set(promise, frame);
                }
                qjs::JSPromiseHookType_JS_PROMISE_HOOK_RESOLVE => {
                    contexts.promises.set(promise, None);
                }
                qjs::JSPromiseHookType_JS_PROMISE_HOOK_BEFORE => {
                    let frames = contexts.promises.frames.borrow();
                    let frame = frames.get(&address(promise));
                    let frame = frame.map(|frame| Owned::new(ctx, frame.as_raw()));
                    drop(frames);
                    contexts.set_frame(frame);
                }
                _ => {}
            }
        }
        if contexts.has(LEVELS) {
            let (made, waits) = (address(promise), &contexts.waits);
            match what {
                qjs::JSPromiseHookType_JS_PROMISE_HOOK_INIT => {
                    let parent = qjs::JS_IsPromise(parent).then(|| address(parent));
                    waits.made(ctx, made, parent);
                }
                qjs::JSPromiseHookType_JS_PROMISE_HOOK_RESOLVE => waits.fulfilled(made),
                qjs::JSPromiseHookType_JS_PROMISE_HOOK_BEFORE => waits.follows(Some(made)),
                _ => waits.follows(None),
            }
        }
        if contexts.has(HOOKS) {
            match what {
                qjs::JSPromiseHookType_JS_PROMISE_HOOK_INIT => {
                    contexts.promise_init(ctx, promise, parent);
                }
                qjs::JSPromiseHookType_JS_PROMISE_HOOK_RESOLVE => {
                    contexts.tell_of(ctx, Told::Resolve, promise);
                }
                qjs::JSPromiseHookType_JS_PROMISE_HOOK_BEFORE => {
                    let before = contexts.resource.replace(Some(Owned::new(ctx, promise)));
                    drop(before);
                    contexts.tell_of(ctx, Told::Before, promise);
                }
                _ => {
                    contexts.tell_of(ctx, Told::After, promise);
                    drop(contexts.resource.take());
                }
            }
        }
    }
}

/// A promise was rejected that nobody handles yet. The engine tells of no others.
pub fn rejected(ctx: &Ctx<'_>, promise: &Value<'_>) {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the context is one of ours, and the promise is alive.
    unsafe {
        let contexts = &state_of(raw).contexts;
        if contexts.has(SITES)
            && let Some(record) = contexts.record()
        {
            let mut rejected = contexts.promises.rejected.borrow_mut();
            rejected.insert(address(promise.as_raw()), record);
        }
    }
}
