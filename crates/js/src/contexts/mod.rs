//! Which invocation attached a callback, which one made it able to run, and what else it inherits:
//! rules CTX-1 to CTX-5. `then`, `await` and what is made of them follow from one rule (rule CTX-4).
//!
//! The machine knows link and cause of whatever it queues itself. Promise jobs wait in the engine,
//! which tells nothing of them. So `then` is ours ([`continuation`]) and the loader wraps every
//! `await`: both take a [`Scope`] when a continuation is attached, and enter it when it runs. Who made
//! a job able to run follows from the engine's queue, which is in order: behind the jobs that an
//! invocation has queued comes a mark of ours ([`causes`]).
//!
//! While nobody asks for any of this, promises cost what they cost in the engine.
#![expect(unsafe_code, reason = "scopes and continuations are made without the bindings")]

mod causes;
mod continuation;
mod details;
mod hooks;
mod natives;
mod promises;
mod record;
mod scope;

pub(crate) use continuation::install;
pub(crate) use natives::{listen, native, use_levels};
pub(crate) use promises::rejected;
pub(crate) use record::Record;
pub(crate) use scope::{bind, cleared, enter, run_within, take_microtask};

use crate::bridge;
use crate::host::State;
use crate::raw::{Owned, OwnedObject};
use hemiola_machine::Invocation;
use rquickjs::{Ctx, qjs};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Somebody has put a value into a context: frames follow links.
pub(crate) const FRAMES: u32 = 1;
/// Somebody listens to the trace: jobs are told one by one.
pub(crate) const EVENTS: u32 = 2;
/// The program asks for its own chains.
pub(crate) const RECORDS: u32 = 4;
/// Hooks of `async_hooks` are on.
pub(crate) const HOOKS: u32 = 8;
/// Labels are in use: continuations count for domains.
pub(crate) const LABELS: u32 = 16;
/// Places are noted where callbacks are attached.
pub(crate) const SITES: u32 = 32;
/// Somebody asks what callbacks belong to.
pub(crate) const RESOURCES: u32 = 64;
/// Tasks have levels: continuations have those of whoever attached them (rule PRIO-2).
pub(crate) const LEVELS: u32 = 128;

/// For these, the cause of every job must be known.
const CAUSES: u32 = EVENTS | RECORDS | LEVELS;
/// For these, every continuation has something to keep.
const ALWAYS: u32 = EVENTS | RECORDS | HOOKS | LEVELS;

/// What the running callback inherited, and what is known of those that wait.
#[derive(Default)]
pub(crate) struct Contexts {
    uses: Cell<u32>,
    /// The values of the context, an object of the library; nothing at the root.
    frame: RefCell<Option<Owned>>,
    /// The running invocation, if records are kept.
    record: RefCell<Option<Rc<Record>>>,
    /// The running job and its cause, as long as nobody has asked for its record. A mark needs none.
    unrecorded: RefCell<Option<(Invocation, Option<Rc<Record>>)>>,
    /// The invocation in which records were first kept: whatever was attached before counts as
    /// attached there.
    origin: RefCell<Option<Rc<Record>>>,
    /// What the running callback belongs to for hooks.
    resource: RefCell<Option<Owned>>,
    /// Whether that resource is told of the end of the job, and as what.
    entered: Cell<Option<hooks::Role>>,
    /// The number of the last resource that got one.
    last_id: Cell<u64>,
    /// Who is told of resources.
    hooks: RefCell<Option<Rc<hooks::Hooks>>>,
    /// What the task was posted with that runs, or that the running job goes on with: an object of the
    /// library's `scheduler`.
    task: RefCell<Option<Owned>>,
    causes: causes::Causes,
    /// The last scope that was taken, and in which job: who attaches next may have the same.
    last: RefCell<Option<(u64, OwnedObject)>>,
    promises: promises::Table,
    details: details::Details,
    library: RefCell<Option<Library>>,
    classes: Cell<Classes>,
}

/// Objects of the engine that this part needs.
#[derive(Clone)]
struct Library {
    /// `internal/context`, whose `on` says whether contexts are in use.
    exports: OwnedObject,
    /// The engine's own `then`.
    then: OwnedObject,
    /// Gives the place of the call that attaches a callback.
    locate: Option<OwnedObject>,
}

#[derive(Clone, Copy, Default)]
struct Classes {
    scope: qjs::JSClassID,
    continuation: qjs::JSClassID,
}

/// Lets natives find the state of the host.
pub(crate) fn serve(ctx: &Ctx<'_>, state: &Rc<State>) {
    // SAFETY: the host keeps the state as long as the engine serves it; the bindings do not use this
    // pointer.
    unsafe { qjs::JS_SetContextOpaque(ctx.as_raw().as_ptr(), Rc::as_ptr(state).cast_mut().cast()) };
}

/// The state that belongs to a context of the engine.
///
/// # Safety
///
/// The context is one that [`install`] was called for, and its host is alive.
pub(crate) unsafe fn state_of<'a>(ctx: *mut qjs::JSContext) -> &'a State {
    // SAFETY: the caller's: `install` has set the pointer, and the host keeps the state.
    unsafe { &*qjs::JS_GetContextOpaque(ctx).cast::<State>() }
}

/// The values of the running context, to be set again.
pub(crate) fn frame(ctx: &Ctx<'_>) -> Option<Owned> {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the context is one of ours, and the frame is alive.
    unsafe {
        let frame = state_of(raw).contexts.frame.borrow();
        frame.as_ref().map(|frame| Owned::new(raw, frame.as_raw()))
    }
}

/// Sets the values of the running context.
pub(crate) fn set_frame(ctx: &Ctx<'_>, frame: Option<Owned>) {
    // SAFETY: the context is one of ours.
    unsafe { state_of(ctx.as_raw().as_ptr()) }.contexts.set_frame(frame);
}

impl Contexts {
    /// Whether any of these is in use.
    pub(crate) fn has(&self, uses: u32) -> bool {
        self.uses.get() & uses != 0
    }

    /// What the library has told before any program ran, and nothing else.
    pub(crate) fn again(&self) -> Self {
        Self {
            uses: self.uses.clone(),
            library: self.library.clone(),
            classes: self.classes.clone(),
            ..Self::default()
        }
    }

    /// Forgets all that belongs to the engine, which is about to end.
    pub(crate) fn clear(&self) {
        self.frame.take();
        self.record.take();
        self.unrecorded.take();
        self.origin.take();
        self.resource.take();
        self.task.take();
        self.last.take();
        self.hooks.take();
        self.promises.clear();
        self.details.clear();
        self.library.take();
    }

    /// A callback begins that is no job: nothing is inherited until its scope is entered.
    pub(crate) fn begin(&self) {
        if self.uses.get() == 0 {
            return;
        }
        self.reset();
        self.unrecorded.take();
        if self.has(RECORDS) {
            let (index, link, cause) = bridge::with(|context| {
                let (link, cause) = context.relations();
                (context.invocation(), link, cause)
            });
            *self.record.borrow_mut() = Some(Record::orphan(index, link, cause));
        }
    }

    /// A job begins; it counts as attached where it became able to run until its scope is entered.
    pub(crate) fn begin_job(&self) {
        let cause = if self.has(CAUSES) { self.causes.first() } else { None };
        let invocation = bridge::with(|context| {
            let by = cause.as_ref().map_or(context.invocation(), |cause| cause.invocation);
            context.begin_job(by);
            if let Some(cause) = &cause {
                context.set_level(cause.level);
            }
            context.invocation()
        });
        if self.uses.get() == 0 {
            return;
        }
        self.reset();
        if self.has(RECORDS) {
            let cause = cause.and_then(|cause| cause.record);
            let cause = cause.or_else(|| self.origin.borrow().clone());
            let before = self.record.take();
            drop(before);
            self.unrecorded.replace(Some((invocation, cause)));
        }
    }

    /// The running invocation, if records are kept.
    fn record(&self) -> Option<Rc<Record>> {
        if let Some((invocation, cause)) = self.unrecorded.take() {
            // It counts as attached where it became able to run.
            self.record.replace(Some(Record::new(invocation, cause.clone(), cause)));
        }
        self.record.borrow().clone()
    }

    /// The running job was attached there, at that place.
    fn link_record(&self, link: &Rc<Record>, site: &Option<Rc<str>>) {
        let record = match self.unrecorded.take() {
            Some((invocation, cause)) => {
                let record = Record::new(invocation, Some(Rc::clone(link)), cause);
                self.record.replace(Some(Rc::clone(&record)));
                record
            }
            None => {
                let Some(record) = self.record.borrow().clone() else { return };
                record.set_link(Some(Rc::clone(link)));
                record
            }
        };
        record.site.borrow_mut().clone_from(site);
    }

    fn reset(&self) {
        self.frame.take();
        self.resource.take();
        self.task.take();
        self.last.take();
        self.entered.set(None);
    }

    /// An invocation is over, or another begins within it: the jobs that it has queued are its effect.
    pub(crate) fn mark(&self, ctx: &Ctx<'_>, invocation: Invocation) {
        self.details.look(ctx);
        if self.has(CAUSES) && crate::raw::is_job_pending(ctx) {
            self.causes.mark(ctx, invocation, self.record());
        }
    }

    /// Whether the job that has just run was a mark.
    pub(crate) fn was_mark(&self) -> bool {
        self.causes.was_mark()
    }

    fn set_frame(&self, frame: Option<Owned>) {
        self.last.take();
        // What is dropped may run parts of the engine: not while the cell is borrowed.
        let before = self.frame.replace(frame);
        drop(before);
    }
}
