//! An immediate: a task, and whether anybody waits for it.
#![expect(unsafe_code, reason = "it owns references to values of the engine")]

use super::{Kind, Started, Task, TaskHandle};
use crate::bridge;
use crate::call::{Alive, Arg};
use crate::opaque::Opaque;
use crate::opaque_functions;
use rquickjs::{Ctx, Result, qjs};

/// What is to be called in the next turn.
pub struct Immediate {
    task: Task,
    /// Whether it keeps the program alive.
    referenced: bool,
    /// Whether the library started it, to guard what it does itself.
    guard: bool,
}

impl Immediate {
    /// An immediate with values of the context.
    pub fn new(ctx: Alive<'_>, callback: Arg<'_>, args: &[Arg<'_>], guard: bool) -> Result<Self> {
        Ok(Self { task: Task::new(ctx, callback, args)?, referenced: true, guard })
    }

    /// Whether it keeps the program alive: it waits, and nobody said that it does not matter.
    pub fn is_referenced(&self) -> bool {
        self.task.has_callback() && self.referenced
    }

    /// Says whether it keeps the program alive, while it waits.
    pub fn refer(&mut self, referenced: bool) {
        if self.task.has_callback() && self.referenced != referenced {
            self.referenced = referenced;
            bridge::with(|context| context.set_ready_referenced(referenced));
        }
    }
}

impl Opaque for Immediate {
    fn values(&self, each: impl FnMut(qjs::JSValue)) {
        self.task.values(each);
    }

    fn freed(self, runtime: *mut qjs::JSRuntime) {
        self.task.freed(runtime);
    }

    fn is_plain(&self) -> bool {
        true
    }
}

opaque_functions!(Immediate);

// SAFETY: the class is made for it.
unsafe impl Started for Immediate {
    const KIND: Kind = Kind { class: |classes| classes.immediate, finalize, mark };

    fn task(&self) -> &Task {
        &self.task
    }

    fn guards(&self) -> bool {
        self.guard
    }

    unsafe fn copy(&self, runtime: *mut qjs::JSRuntime) -> Self {
        // SAFETY: the caller's.
        let task = unsafe { self.task.copy(runtime) };
        Self { task, ..*self }
    }
}

impl TaskHandle<Immediate> {
    /// Calls what an immediate is for, unless it was cleared.
    pub fn fire_once(&mut self, ctx: &Ctx<'_>) -> Result<()> {
        // SAFETY: what is taken from it is alive until it is dropped.
        unsafe {
            let immediate = self.started();
            if !immediate.referenced {
                bridge::with(|context| context.set_ready_referenced(true));
            }
            match immediate.task.take(ctx.as_raw().as_ptr()) {
                None => Ok(()),
                Some(taken) => self.call(ctx, taken.callback(), taken.args()),
            }
        }
    }

    /// Clears an immediate, which stays in its queue; false if it was cleared or has run.
    pub fn clear_once(&self, ctx: Alive<'_>) -> bool {
        self.with(|immediate| immediate.refer(false));
        // SAFETY: the context is that of the handle. What is taken is dropped when nobody uses the immediate.
        unsafe { self.started().task.take(ctx.as_ptr()) }.is_some()
    }

    /// Whether an immediate was cleared.
    pub fn is_cleared(&self) -> bool {
        self.with(|immediate| !immediate.task.has_callback())
    }
}
