//! A timer: a task, when it is called, and what the program changes about that.
#![expect(unsafe_code, reason = "it owns references to values of the engine")]

use super::{Kind, Started, Task, TaskHandle};
use crate::call::{Alive, Arg};
use crate::opaque::Opaque;
use crate::opaque_functions;
use crate::raw;
use hemiola_machine::{Delay, Handle};
use rquickjs::{Ctx, Result, Value, qjs};

/// What is to be called, and when.
pub struct Timer {
    task: Task,
    /// How long it waits.
    pub delay: Delay,
    /// Whether it keeps the program alive.
    pub referenced: bool,
    /// Whether the library started it, to guard what it does itself.
    guard: bool,
    /// Whether it comes again.
    pub repeats: bool,
    /// Whether it waits among the urgent callbacks, where strategy `edge` has zero timeouts.
    pub urgent: bool,
    /// Nothing once it was cleared.
    pub handle: Option<Handle>,
    /// What it is as a number: the ordinal of its first release.
    pub number: u64,
    /// The name of the clock that it is on, or undefined.
    label: qjs::JSValue,
    /// What the program has changed about it by its properties.
    change: Option<Box<Change>>,
}

// Programs have a million of them.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Timer>() <= 96);

/// What a program has changed about a timer that it has started.
#[derive(Default)]
struct Change {
    /// What is called instead. It owns a reference to it.
    callback: Option<qjs::JSValue>,
    /// What becomes of it once it has fired, if not what was meant when it was started.
    then: Option<Then>,
    /// Whether it cannot begin anew.
    is_over: bool,
}

/// What becomes of a timer once it has fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// It does not come again.
    Ends,
    /// It comes again after every such time.
    Every(Delay),
}

impl Timer {
    /// A timer with values of the context.
    pub fn new(
        ctx: Alive<'_>,
        callback: Arg<'_>,
        args: &[Arg<'_>],
        label: Option<Arg<'_>>,
        delay: Delay,
        repeats: bool,
        guard: bool,
    ) -> Result<Self> {
        let task = Task::new(ctx, callback, args)?;
        let label = match label {
            // SAFETY: arguments are alive, and of the context.
            Some(label) => unsafe { qjs::JS_DupValue(ctx.as_ptr(), label.as_raw()) },
            None => qjs::JS_UNDEFINED,
        };
        let (referenced, urgent, handle, number, change) = (true, false, None, 0, None);
        Ok(Self { task, delay, referenced, guard, repeats, urgent, handle, number, label, change })
    }

    /// The name of the clock that it is on, if that has one.
    pub fn label(&self, ctx: &Ctx<'_>) -> Option<String> {
        // SAFETY: the label belongs to the context, and lives as long as this.
        let label = unsafe { raw::copy(ctx, self.label) };
        label.into_string()?.to_string().ok()
    }

    fn change(&self) -> Option<&Change> {
        self.change.as_deref()
    }

    fn change_mut(&mut self) -> &mut Change {
        self.change.get_or_insert_default()
    }

    /// What is to be called.
    pub fn callback<'js>(&self, ctx: &Ctx<'js>) -> Value<'js> {
        let Some(changed) = self.change().and_then(|change| change.callback) else {
            return self.task.callback(ctx);
        };
        // SAFETY: the callback belongs to the context, and lives as long as this.
        unsafe { raw::copy(ctx, changed) }
    }

    /// Puts something in the place of its callback; gives what was put there before, for the caller to drop when
    /// nobody uses the timer.
    pub fn set_callback<'js>(&mut self, value: Value<'js>) -> Option<Value<'js>> {
        let ctx = value.ctx().clone();
        let change = self.change_mut();
        // SAFETY: the value belongs to the context, and so does what was there; each reference has one owner.
        unsafe {
            let callback = qjs::JS_DupValue(ctx.as_raw().as_ptr(), value.as_raw());
            change.callback.replace(callback).map(|before| Value::from_raw(ctx, before))
        }
    }

    /// Says what becomes of it once it has fired.
    pub fn set_then(&mut self, then: Then) {
        self.change_mut().then = Some(then);
    }

    /// Says whether it can begin anew.
    pub fn set_over(&mut self, is_over: bool) {
        self.change_mut().is_over = is_over;
    }

    /// Whether it cannot begin anew, because it was cleared or the program said so.
    pub fn is_over(&self) -> bool {
        let was_cleared = self.handle.is_none() && !self.urgent;
        was_cleared || self.change().is_some_and(|change| change.is_over)
    }

    /// What becomes of it once it has fired.
    pub fn then(&self) -> Then {
        let changed = self.change().and_then(|change| change.then);
        changed.unwrap_or(if self.repeats { Then::Every(self.delay) } else { Then::Ends })
    }

    /// What the program wants to become of it when it has fired, if that is not what the machine does. It is asked for
    /// once.
    pub fn take_then(&mut self, ctx: &Ctx<'_>) -> Option<Then> {
        let change = self.change.as_mut()?;
        let then = change.then.take();
        // SAFETY: the value is alive.
        let is_none = change.callback.is_some_and(|callback| unsafe {
            !qjs::JS_IsFunction(ctx.as_raw().as_ptr(), callback)
        });
        if is_none || change.is_over { Some(Then::Ends) } else { then }
    }
}

impl Opaque for Timer {
    fn values(&self, mut each: impl FnMut(qjs::JSValue)) {
        self.task.values(&mut each);
        each(self.label);
        self.change().and_then(|change| change.callback).into_iter().for_each(each);
    }

    fn freed(self, runtime: *mut qjs::JSRuntime) {
        self.task.freed(runtime);
    }

    fn is_plain(&self) -> bool {
        self.change.is_none()
    }
}

opaque_functions!(Timer);

// SAFETY: the class is made for it.
unsafe impl Started for Timer {
    const KIND: Kind = Kind { class: |classes| classes.timeout, finalize, mark };

    fn task(&self) -> &Task {
        &self.task
    }

    fn guards(&self) -> bool {
        self.guard
    }

    unsafe fn copy(&self, runtime: *mut qjs::JSRuntime) -> Self {
        // SAFETY: the caller's; the label is alive as long as this.
        let (task, label) =
            unsafe { (self.task.copy(runtime), qjs::JS_DupValueRT(runtime, self.label)) };
        Self { task, label, change: None, ..*self }
    }
}

impl TaskHandle<Timer> {
    /// The handle that a value is, if it is one.
    pub fn of_value(ctx: &Ctx<'_>, value: &Value<'_>) -> Option<Self> {
        // SAFETY: the value is alive, and of the context.
        unsafe { Self::new(ctx.into(), value.as_raw()) }
    }

    /// The name of the clock that it is on, if that has one.
    pub fn label(&self, ctx: &Ctx<'_>) -> Option<String> {
        // What makes a text of the name runs nothing of the program.
        self.with(|timer| timer.label(ctx))
    }

    /// Whether the program has changed something about it.
    pub fn is_changed(&self) -> bool {
        self.with(|timer| timer.change.is_some())
    }

    /// Calls what it is for.
    pub fn fire(&mut self, ctx: &Ctx<'_>) -> Result<()> {
        // SAFETY: it keeps callback and arguments alive and unchanged as long as it is itself, which the
        // caller sees to.
        unsafe {
            let timer = self.started();
            if !std::mem::take(&mut timer.urgent) && timer.handle.is_none() {
                return Ok(()); // Cleared among the urgent callbacks, where the machine clears nothing.
            }
            if timer.change.is_some() {
                // The program may put something else in its place meanwhile.
                let callback = timer.callback(ctx);
                let args = timer.task.args.as_slice();
                return if callback.is_function() {
                    self.call(ctx, callback.as_raw(), args)
                } else {
                    Ok(())
                };
            }
            let (callback, args) = timer.task.parts();
            self.call(ctx, callback, args)
        }
    }
}
