//! What happens to promises, for those who want to know which are waited for, and for checking links
//! and causes: `Settings::promises`.
//!
//! Nothing here is used to find links and causes. That a promise was settled is seen by looking at it
//! at the end of every invocation. A debugger wants to know the statement, too: to it the engine tells of
//! those that are fulfilled.

use crate::bridge;
use crate::held;
use crate::raw::OwnedObject;
use crate::sites;
use crate::state::state_of;
use hemiola_machine::{Event, Place};
use rquickjs::{Ctx, qjs};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

held! {
    /// Promises that something is attached to and that were not settled when last looked at.
    #[derive(Clone, Default)]
    pub(super) struct Details {
        wanted: Cell<bool>,
        reactions: Cell<u64>,
        /// By address, with the number that the trace knows it by.
        pending: RefCell<BTreeMap<usize, (u64, OwnedObject)>>,
        /// Where promises were made, by address, if somebody wants to know where they are awaited. A new one at the
        /// address of one that is gone takes its place.
        made: RefCell<BTreeMap<usize, Option<Place>>>,
    }
}

impl Details {
    pub(super) fn want(&self) {
        self.wanted.set(true);
    }

    /// Something is attached to a value; gives the number of the reaction, which is 0 if nobody wants
    /// to know or if the value is a thenable.
    ///
    /// # Safety
    ///
    /// The value belongs to the context, which is one of ours.
    pub(super) unsafe fn attach(&self, ctx: *mut qjs::JSContext, value: qjs::JSValue) -> u64 {
        if !self.wanted.get() {
            return 0;
        }
        let reaction = self.reactions.get() + 1;
        // SAFETY: the caller's.
        let promise = unsafe {
            if qjs::JS_IsPromise(value) {
                let is_pending =
                    qjs::JS_PromiseState(ctx, value) == qjs::JSPromiseStateEnum_JS_PROMISE_PENDING;
                is_pending.then(|| {
                    let mut pending = self.pending.borrow_mut();
                    let address = qjs::JS_VALUE_GET_PTR(value).addr();
                    let new = || (reaction, OwnedObject::new(ctx, value));
                    pending.entry(address).or_insert_with(new).0
                })
            } else if qjs::JS_IsObject(value) {
                return 0;
            } else {
                None
            }
        };
        self.reactions.set(reaction);
        // SAFETY: the caller's.
        let place = unsafe { if awaits(ctx) { sites::here(ctx) } else { None } };
        let made = promise.and_then(|_| {
            // SAFETY: a promise is an object; the address is only compared.
            let address = unsafe { qjs::JS_VALUE_GET_PTR(value).addr() };
            self.made.borrow().get(&address).cloned().flatten()
        });
        bridge::with(|context| {
            context.event(Event::Attached { reaction, promise });
            let places = place.map(|place| [Some(place), made]);
            for place in places.into_iter().flatten().flatten() {
                context.event(Event::Site(place));
            }
        });
        reaction
    }

    /// A promise is made.
    ///
    /// # Safety
    ///
    /// The promise belongs to the context, which is one of ours.
    pub(super) unsafe fn made(&self, ctx: *mut qjs::JSContext, promise: qjs::JSValue) {
        // SAFETY: the caller's; the address is only compared.
        unsafe {
            let address = qjs::JS_VALUE_GET_PTR(promise).addr();
            let place = sites::here(ctx);
            self.made.borrow_mut().insert(address, place);
        }
    }

    /// A reaction runs.
    pub(super) fn react(&self, reaction: u64) {
        if reaction != 0 {
            bridge::with(|context| context.event(Event::Reacted { reaction }));
        }
    }

    /// A promise is fulfilled.
    pub(super) fn fulfilled(&self, promise: qjs::JSValue) {
        if !self.wanted.get() || !bridge::is_entered() {
            return;
        }
        // SAFETY: a promise is an object; the address is only compared.
        let address = unsafe { qjs::JS_VALUE_GET_PTR(promise).addr() };
        let known = self.pending.borrow_mut().remove(&address);
        if let Some((promise, _kept)) = known {
            bridge::with(|context| context.event(Event::Settled { promise }));
        }
    }

    /// Looks which promises the running invocation has settled.
    #[inline]
    pub(super) fn look(&self, ctx: &Ctx<'_>) {
        if self.wanted.get() && bridge::is_entered() {
            self.look_at_pending(ctx);
        }
    }

    fn look_at_pending(&self, ctx: &Ctx<'_>) {
        let raw = ctx.as_raw().as_ptr();
        let mut settled = Vec::new();
        self.pending.borrow_mut().retain(|_, (number, promise)| {
            // SAFETY: the promise is kept alive and belongs to the context.
            let state = unsafe { qjs::JS_PromiseState(raw, promise.as_raw()) };
            let is_pending = state == qjs::JSPromiseStateEnum_JS_PROMISE_PENDING;
            if !is_pending {
                // SAFETY: as above.
                settled.push((*number, unsafe { OwnedObject::new(raw, promise.as_raw()) }));
            }
            is_pending
        });
        settled.sort_unstable_by_key(|(number, _)| *number);
        for (promise, _) in &settled {
            bridge::with(|context| context.event(Event::Settled { promise: *promise }));
        }
    }
}

/// Whether a program is to be watched that closely.
pub(super) fn wanted(ctx: *mut qjs::JSContext) -> bool {
    // SAFETY: the context is one of ours.
    unsafe { state_of(ctx) }.settings.promises
}

/// Whether the trace is to tell where promises are made and awaited.
///
/// # Safety
///
/// The context is one of ours.
pub(super) unsafe fn awaits(ctx: *mut qjs::JSContext) -> bool {
    // SAFETY: the caller's.
    unsafe { state_of(ctx) }.settings.awaits
}
