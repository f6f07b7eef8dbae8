//! Which invocation attached a callback, which one made it able to run, and what else it inherits:
//! rules CTX-1 to CTX-5. `then`, `await` and what is made of them follow from one rule (rule CTX-4).
//!
//! The machine knows link and cause of whatever it queues itself. Promise jobs wait in the engine,
//! which tells nothing of them. So `then` is ours (`continuation`) and the loader wraps every
//! `await`: both take a `Scope` when a continuation is attached, and enter it when it runs. Who made
//! a job able to run follows from the engine's queue, which is in order: behind the jobs that an
//! invocation has queued comes a mark of ours (`causes`).
//!
//! While nobody asks for any of this, promises cost what they cost in the engine.
#![expect(unsafe_code, reason = "scopes and continuations are made without the bindings")]

mod awaited;
mod causes;
mod continuation;
mod details;
mod endings;
mod frames;
mod hooks;
mod imports;
mod natives;
mod promises;
mod record;
mod scope;
mod settling;

pub use awaited::started;
pub(crate) use continuation::awaited_by;
pub use continuation::install;
pub use imports::importing;
pub use natives::{at_level, listen, native, use_levels, watch};
pub use promises::rejected;
pub use record::Record;
pub use scope::{are_unbound, bind, cleared, enter, run_within, take_microtask};

use crate::bridge;
use crate::held;
use crate::opaque::Opaque;
use crate::raw::{self, Owned, OwnedObject};
use crate::state::state_of;
use hemiola_machine::Invocation;
use rquickjs::{Ctx, qjs};
use std::cell::{Cell, RefCell};
use std::ptr::NonNull;
use std::rc::Rc;

/// Somebody has put a value into a context: frames follow links.
pub const FRAMES: u32 = 1;
/// Somebody listens to the trace: jobs are told one by one.
pub const EVENTS: u32 = 2;
/// The program asks for its own chains.
pub const RECORDS: u32 = 4;
/// Hooks of `async_hooks` are on.
pub const HOOKS: u32 = 8;
/// Labels are in use: continuations count for domains.
pub const LABELS: u32 = 16;
/// Places are noted where callbacks are attached.
pub const SITES: u32 = 32;
/// Somebody asks what callbacks belong to.
pub const RESOURCES: u32 = 64;
/// Tasks have levels: continuations have those of whoever attached them (rule PRIO-2).
pub const LEVELS: u32 = 128;
/// Something bounds how long callbacks run: `then` and `await` take the same steps whoever looks on.
pub const WATCHED: u32 = 256;

/// For these, the cause of every job must be known.
const CAUSES: u32 = EVENTS | RECORDS | LEVELS;
/// For these, every continuation has something to keep.
const ALWAYS: u32 = EVENTS | RECORDS | HOOKS | LEVELS | WATCHED;

held! {
/// What the running callback inherited, and what is known of those that wait.
#[derive(Default)]
pub struct Contexts {
    /// What the library registered.
    registered: Registered,
    /// The values of the context, an object of the library; nothing at the root.
    frame: RefCell<Option<Owned>>,
    /// What `AsyncLocalStorage` asks for its values, once one of them is off.
    slow_store: RefCell<Option<OwnedObject>>,
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
    /// Who is told of promises that are settled again.
    repeats: RefCell<Option<OwnedObject>>,
    /// What the task was posted with that runs, or that the running job goes on with: an object of the
    /// library's `scheduler`.
    task: RefCell<Option<Owned>>,
    causes: causes::Causes,
    /// The last scope that was taken, and in which job: who attaches next may have the same.
    last: RefCell<Option<(u64, OwnedObject)>>,
    promises: promises::Table,
    waits: awaited::Waits,
    details: details::Details,
    imports: imports::Imports,
}
}

held! {
    /// What the library has told of itself.
    #[derive(Clone, Default)]
    struct Registered {
        uses: Cell<u32>,
        library: RefCell<Option<Library>>,
        classes: Cell<Classes>,
    }
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

/// Whether an object is a scope or a continuation that [is plain](Opaque::is_plain).
pub(crate) fn is_plain(ctx: &Ctx<'_>, object: qjs::JSValue) -> bool {
    // SAFETY: the context is one of ours, the object is alive, and nothing of the engine runs meanwhile.
    unsafe {
        let contexts = &state_of(ctx.as_raw().as_ptr()).contexts;
        let is_continuation =
            qjs::JS_GetClassID(object) == contexts.registered.classes.get().continuation;
        is_continuation || scope::Scope::of(contexts, object).is_some_and(|scope| scope.is_plain())
    }
}

/// The values of the running context, to be set again.
pub fn frame(ctx: &Ctx<'_>) -> Option<Owned> {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the context is one of ours, and the frame is alive.
    unsafe {
        let frame = state_of(raw).contexts.frame.borrow();
        frame.as_ref().map(|frame| Owned::new(raw, frame.as_raw()))
    }
}

/// Sets the values of the running context.
pub fn set_frame(ctx: &Ctx<'_>, frame: Option<Owned>) {
    // SAFETY: the context is one of ours.
    unsafe { state_of(ctx.as_raw().as_ptr()) }.contexts.set_frame(frame);
}

impl Contexts {
    /// Whether any of these is in use.
    #[inline]
    pub fn has(&self, uses: u32) -> bool {
        self.registered.uses.get() & uses != 0
    }

    /// Whether anything is used.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.registered.uses.get() != 0
    }

    /// What the library has told before any program ran, and nothing else.
    pub fn again(&self) -> Self {
        Self { registered: self.registered.clone(), ..Self::default() }
    }

    /// Whether [`Contexts::go_on`] knows all that there is: records, hooks and levels are shared with those
    /// who wait.
    pub fn can_go_on(&self) -> bool {
        !self.has(!(FRAMES | EVENTS | LABELS))
            && self.hooks.borrow().is_none()
            && self.promises.can_go_on()
            && self.imports.are_none()
    }

    /// The same in the middle of a run, for another that goes on from there.
    pub fn go_on(&self) -> Self {
        Self {
            registered: self.registered.clone(),
            frame: self.frame.clone(),
            slow_store: self.slow_store.clone(),
            resource: self.resource.clone(),
            entered: self.entered.clone(),
            last_id: self.last_id.clone(),
            repeats: self.repeats.clone(),
            task: self.task.clone(),
            causes: self.causes.clone(),
            last: self.last.clone(),
            promises: self.promises.go_on(),
            details: self.details.clone(),
            // What else there is can only be there with what cannot go on.
            ..Self::default()
        }
    }

    /// A callback begins that is no job: nothing is inherited until its scope is entered.
    #[inline]
    pub fn begin(&self) {
        if self.registered.uses.get() != 0 {
            self.begin_used();
        }
    }

    fn begin_used(&self) {
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
    pub fn begin_job(&self) {
        let cause = if self.has(CAUSES) { self.causes.first() } else { None };
        let invocation = bridge::with(|context| {
            let by = cause.as_ref().map_or(context.invocation(), |cause| cause.invocation);
            context.begin_job(by);
            if let Some(cause) = &cause {
                context.set_standing(cause.standing);
            }
            context.invocation()
        });
        if self.registered.uses.get() == 0 {
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
        self.waits.reset();
        self.frame.take();
        self.resource.take();
        self.task.take();
        self.last.take();
        self.entered.set(None);
    }

    /// An invocation is over, or another begins within it: the jobs that it has queued are its effect.
    #[inline]
    pub fn mark(&self, ctx: &Ctx<'_>, invocation: impl FnOnce() -> Invocation) {
        self.details.look(ctx);
        if self.has(CAUSES) && raw::is_job_pending(ctx) {
            self.causes.mark(ctx, invocation(), self.record());
        }
    }

    /// Looks which promises are settled by now, for a debugger.
    pub fn look_at_promises(&self, ctx: *mut qjs::JSContext) {
        // SAFETY: a debugger asks with the context that runs.
        let ctx = NonNull::new(ctx).map(|ctx| unsafe { Ctx::from_raw(ctx) });
        if let Some(ctx) = ctx {
            self.details.look(&ctx);
        }
    }

    /// Whether the job that has just run was a mark.
    #[inline]
    pub fn was_mark(&self) -> bool {
        self.causes.was_mark()
    }

    fn set_frame(&self, frame: Option<Owned>) {
        self.last.take();
        // What is dropped may run parts of the engine: not while the cell is borrowed.
        let before = self.frame.replace(frame);
        drop(before);
    }
}
