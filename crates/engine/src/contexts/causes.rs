//! Which invocation made a promise job able to run.
//!
//! A job becomes able to run when it enters the engine's queue: because a reaction is attached to a
//! promise that is settled, or because its promise settles. So the cause of a job is the invocation
//! that ran when it was queued. The queue is in order, and what one invocation queues stands in one
//! piece: a job of ours marks the end of each piece.

use super::Record;
use crate::bridge;
use crate::held;
use crate::state::state_of;
use hemiola_machine::{Invocation, Standing};
use rquickjs::{Ctx, qjs};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// An invocation as the cause of jobs.
#[derive(Clone)]
pub(super) struct Cause {
    pub(super) invocation: Invocation,
    pub(super) standing: Standing,
    pub(super) record: Option<Rc<Record>>,
}

held! {
    /// One for each mark in the engine's queue, in order.
    #[derive(Clone, Default)]
    pub(super) struct Causes {
        pieces: RefCell<VecDeque<Cause>>,
        was_mark: Cell<bool>,
    }
}

impl Causes {
    /// The cause of the job at the head of the queue; nothing when none of them was marked.
    pub(super) fn first(&self) -> Option<Cause> {
        self.pieces.borrow().front().cloned()
    }

    /// Whether the last job was a mark; asked once for each.
    #[inline]
    pub(super) fn was_mark(&self) -> bool {
        self.was_mark.replace(false)
    }

    /// Ends a piece of the queue.
    pub(super) fn mark(&self, ctx: &Ctx<'_>, invocation: Invocation, record: Option<Rc<Record>>) {
        // SAFETY: the job has no arguments. Without memory for it the program ends anyhow.
        let queued = unsafe {
            qjs::JS_EnqueueJob(ctx.as_raw().as_ptr(), Some(pass), 0, std::ptr::null_mut())
        };
        if queued == 0 {
            let standing = bridge::with(|context| context.standing());
            self.pieces.borrow_mut().push_back(Cause { invocation, standing, record });
        }
    }
}

/// The job that is a mark.
unsafe extern "C" fn pass(ctx: *mut qjs::JSContext, _: i32, _: *mut qjs::JSValue) -> qjs::JSValue {
    // SAFETY: the engine runs it in the context that it was queued for.
    let causes = unsafe { &state_of(ctx).contexts.causes };
    // The record may be the last of a long chain: not while the queue is borrowed.
    let piece = causes.pieces.borrow_mut().pop_front();
    drop(piece);
    causes.was_mark.set(true);
    qjs::JS_UNDEFINED
}
