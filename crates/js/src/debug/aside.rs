//! Code that a debugger runs while the program stands still: nothing of what it does reaches the
//! program's machine or its world.
#![expect(unsafe_code, reason = "it takes promise jobs out of the engine's list")]

use super::engine::Layout;
use crate::bridge;
use crate::gate::{Answer, Fault, Request};
use crate::host::{Js, State};
use hemiola_machine::{Completion, Instant, Operation, World};
use rquickjs::qjs::{self, JSContext};

/// A world in which nothing happens. Time and all random numbers are 0, what is written is dropped, and
/// what is asked for is refused or never answered.
struct Still;

impl World<Js> for Still {
    fn now(&mut self) -> Instant {
        Instant::default()
    }

    fn submit(&mut self, _: Operation, _: Request) {}

    fn perform(&mut self, request: Request) -> Answer {
        let what = request.describe();
        Err(Fault::new("ERR_STANDS_STILL", format!("not while the program stands still: {what}")))
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        None
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        false
    }
}

/// Runs code that is not the program's. What it leaves to be done later is not done.
pub(super) fn aside<R>(
    ctx: *mut JSContext,
    state: &State,
    layout: Option<Layout>,
    act: impl FnOnce() -> R,
) -> R {
    let jobs = layout.and_then(|layout| layout.last_job(ctx));
    let rejections = state.rejections.borrow().len();
    let kept = (state.exit.get(), state.wants_after_tail.get());
    let result = bridge::with(|context| {
        context.aside(&mut Still, |aside| {
            let entered = bridge::enter(aside);
            let result = act();
            drop(entered);
            result
        })
    });
    state.exit.set(kept.0);
    state.wants_after_tail.set(kept.1);
    state.rejections.borrow_mut().truncate(rejections);
    if let (Some(layout), Some(last)) = (layout, jobs) {
        layout.drop_jobs_after(ctx, last);
    }
    // SAFETY: the context is alive; nothing of the code's errors is left to the program.
    unsafe {
        if qjs::JS_HasException(ctx) {
            qjs::JS_FreeValue(ctx, qjs::JS_GetException(ctx));
        }
    }
    result
}
