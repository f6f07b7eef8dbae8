//! When the engine asks whether it is to give up what it does, and what happens when it is (rule TIME-14).
//!
//! The engine counts its steps, which are calls and jumps, down from `STEPS`, and asks at zero. Where
//! something bounds how long callbacks run, each of them begins with a full count, and what only a trace, a
//! debugger or a stack does is given back: so a replay asks after the same steps of the program.
//!
//! Where somebody looks at the program meanwhile, the engine asks more often, and what is left is counted here.
//!
//! A callback that is interrupted must not go on, whoever takes the error out of its way: the engine's own
//! functions make rejections of errors, for example. So until it has unwound, every further step is
//! interrupted, too. That is also why promises of interrupted async functions are never settled. The same holds for a
//! program that is stopped from outside; and where it is said where that was, this does not go on for ever either.
#![expect(unsafe_code, reason = "the engine does not tell its count")]

use crate::held;
use crate::mirror::{COUNTER, STEPS};
use rquickjs::{Ctx, Persistent, Value, qjs};
use std::cell::{Cell, RefCell};
use std::ptr::NonNull;

/// How often the engine asks while it is said where a program was that is stopped: what says it may run code of the
/// program, such as its own `Error.prepareStackTrace`.
const LAST_WORDS: u32 = 30;

/// How far a callback is that was interrupted.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Overrun {
    /// Nothing was interrupted.
    #[default]
    None,
    /// It is being unwound.
    Unwinding,
    /// It has unwound, or is let alone while its place is found.
    Unwound,
}

/// How far the program is by the hooks of a debugger.
pub struct Hooks {
    /// How many it has come through.
    pub passed: u64,
    /// Whether it is about to call the last of them.
    pub is_calling: bool,
    /// Whether what runs is not the program's.
    pub stands_still: bool,
}

held! {
    /// What is known of the steps of the running callback.
    #[derive(Default)]
    pub struct Interrupts {
        /// The engine's context.
        context: Cell<Option<NonNull<qjs::JSContext>>>,
        /// Whether anything bounds how long callbacks run, or has done so.
        watched: Cell<bool>,
        overrun: Cell<Overrun>,
        /// The error by which the running callback is interrupted: it knows the place.
        place: RefCell<Option<Persistent<Value<'static>>>>,
        /// How often the engine has asked since the program was stopped, while nothing was unwound.
        asked: Cell<u32>,
        /// Whether what runs is no part of the program, and takes no steps.
        aside: Cell<bool>,
        /// How many of a debugger's hooks have been given back.
        hooks: Cell<u64>,
        /// Whether the call of the last of them was.
        lent: Cell<bool>,
        /// After how many steps the engine asks at the latest, in turns; nothing is the full count.
        look_every: Cell<&'static [i32]>,
        /// Whose turn it is.
        turn: Cell<usize>,
        /// How many steps come after those that the engine counts.
        beyond: Cell<i32>,
    }
}

/// How many steps are left until the engine asks.
///
/// # Safety
///
/// The context is alive, and of the engine that the manifest allows.
pub(crate) unsafe fn left(ctx: *mut qjs::JSContext) -> i32 {
    // SAFETY: the caller's.
    unsafe { *ctx.cast::<u8>().add(COUNTER).cast::<i32>() }
}

impl Interrupts {
    /// Says which context's steps these are.
    pub(crate) fn serve(&self, ctx: &Ctx<'_>) {
        self.context.set(Some(ctx.as_raw()));
    }

    /// Notes that something bounds how long callbacks run; whether that is new.
    pub(crate) fn watch(&self) -> bool {
        !self.watched.replace(true)
    }

    /// Whether something bounds how long callbacks run.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        self.watched.get()
    }

    /// Whether the running callback was interrupted.
    #[inline]
    pub(crate) fn has_overrun(&self) -> bool {
        self.overrun.get() != Overrun::None || self.place.borrow().is_some()
    }

    /// Whether nothing bounds how long callbacks run, and none was interrupted: then there is nothing to know.
    pub(crate) fn is_quiet(&self) -> bool {
        !self.is_watched() && !self.has_overrun()
    }

    /// Has the engine ask after so many steps at the latest, in turns, so that somebody can [look](Self::looked).
    pub(crate) fn look_every(&self, steps: &'static [i32]) {
        self.look_every.set(steps);
        self.ask_after(self.left());
    }

    /// The engine asks: its context, if somebody wants to look at the program meanwhile.
    pub(crate) fn who_looks(&self) -> Option<NonNull<qjs::JSContext>> {
        self.context.get().filter(|_| !self.look_every.get().is_empty())
    }

    /// Somebody has looked: whether the engine asked for nothing else.
    pub(crate) fn looked(&self) -> bool {
        let beyond = self.beyond.replace(0);
        self.turn.set(self.turn.get().wrapping_add(1));
        self.ask_after(if beyond > 0 { beyond } else { STEPS });
        beyond > 0
    }

    fn left(&self) -> i32 {
        // SAFETY: the context is let go of before it ends, and the engine was checked at its start.
        let counted = self.context.get().map_or(STEPS, |ctx| unsafe { left(ctx.as_ptr()) });
        counted + self.beyond.get()
    }

    /// Lets the engine ask after so many steps.
    fn ask_after(&self, steps: i32) {
        if let Some(ctx) = self.context.get() {
            let most = self.look_every.get();
            let counted = match most.len() {
                0 => steps,
                turns => steps.min(most[self.turn.get() % turns]),
            };
            self.beyond.set(steps - counted);
            // SAFETY: as in `left`.
            unsafe { *ctx.as_ptr().cast::<u8>().add(COUNTER).cast::<i32>() = counted };
        }
    }

    /// Lets the engine ask at its next step.
    pub fn ask_soon(&self) {
        self.ask_after(1);
    }

    /// Lets the engine ask in the job that begins, if it would begin to count anew with every one. Elsewhere it
    /// comes to ask by itself, as a rule in a function that has a place.
    pub fn ask_between_jobs(&self) {
        if self.watched.get() {
            self.ask_soon();
        }
    }

    /// Does something that is no step of the program, and gives back the steps that it took, and `own` more.
    pub fn uncounted<R>(&self, own: i32, act: impl FnOnce() -> R) -> R {
        if !self.watched.get() || self.overrun.get() != Overrun::None {
            return act();
        }
        let before = self.left();
        let outer = self.aside.replace(true);
        let result = act();
        self.aside.set(outer);
        self.ask_after(before + own);
        result
    }

    /// A hook of a debugger is called: the same for it. Its call is given back, but where the engine has
    /// asked in it or `has_jump` says that no jump came before it, for those are given back by the number of
    /// hooks.
    pub(crate) fn in_hook<R>(&self, has_jump: bool, act: impl FnOnce() -> R) -> R {
        let own = i32::from(!self.lent.take() && has_jump);
        self.uncounted(own, act)
    }

    /// A callback or a job begins: its steps are counted from here, if anything bounds it.
    #[inline]
    pub fn begin(&self, hooks: impl FnOnce() -> Option<Hooks>) {
        if !self.watched.get() {
            return;
        }
        if let Some(Hooks { passed, .. }) = hooks() {
            self.hooks.set(passed);
        }
        self.ask_after(STEPS);
    }

    /// The engine asks: whether it is to interrupt the running callback. `is_over` says whether that has
    /// run for too long.
    pub fn overruns(
        &self,
        hooks: impl FnOnce() -> Option<Hooks>,
        is_over: impl FnOnce() -> bool,
    ) -> bool {
        if self.overrun.get() == Overrun::Unwinding {
            self.ask_soon();
            return true;
        }
        if self.aside.get() || self.watched.get() && self.gives_back(hooks()) || !is_over() {
            return false;
        }
        self.unwind();
        true
    }

    /// Interrupts what runs, until the host has it back.
    pub fn unwind(&self) {
        self.overrun.set(Overrun::Unwinding);
        self.asked.set(0);
        // The next call is that of the function which notes the place.
        self.ask_after(2);
    }

    /// The engine asks after the program was stopped: whether it is to interrupt what still runs.
    pub fn is_over(&self) -> bool {
        let asked = self.asked.get();
        if self.overrun.get() != Overrun::Unwinding && asked < LAST_WORDS {
            self.asked.set(asked + 1);
            return false;
        }
        self.ask_soon();
        true
    }

    /// Gives back the steps that a debugger's hooks took since the last time; whether there were any.
    fn gives_back(&self, hooks: Option<Hooks>) -> bool {
        let Some(Hooks { passed, is_calling, stands_still }) = hooks else { return false };
        if stands_still {
            return true;
        }
        let took = passed.saturating_sub(self.hooks.replace(passed));
        match i32::try_from(took) {
            Ok(0) if is_calling && !self.lent.replace(true) => self.ask_soon(),
            Ok(0) => {
                self.ask_after(STEPS);
                return false;
            }
            took => self.ask_after(took.unwrap_or(STEPS)),
        }
        true
    }

    /// Notes where a callback is being interrupted: the engine asks what to say of an error. What says it
    /// is let alone meanwhile.
    pub(crate) fn noting_place<R>(&self, error: &Value<'_>, act: impl FnOnce() -> R) -> R {
        if self.overrun.get() != Overrun::Unwinding || self.place.borrow().is_some() {
            return act();
        }
        self.overrun.set(Overrun::Unwound);
        *self.place.borrow_mut() = Some(Persistent::save(error.ctx(), error.clone()));
        let result = act();
        self.overrun.set(Overrun::Unwinding);
        self.ask_soon();
        result
    }

    /// A callback or job has returned to the host: whether it was interrupted.
    pub fn has_unwound(&self) -> bool {
        let was = self.overrun.get();
        if was == Overrun::Unwinding {
            self.overrun.set(Overrun::Unwound);
        }
        was != Overrun::None
    }

    /// The same, and forgets it. The error knows the place, if there is one.
    #[inline]
    pub fn take<'js>(&self, ctx: &Ctx<'js>) -> Option<Option<Value<'js>>> {
        if self.has_overrun() { self.take_overrun(ctx) } else { None }
    }

    #[cold]
    fn take_overrun<'js>(&self, ctx: &Ctx<'js>) -> Option<Option<Value<'js>>> {
        let place = self.place.take().and_then(|place| place.restore(ctx).ok());
        (self.overrun.take() != Overrun::None).then_some(place)
    }
}
