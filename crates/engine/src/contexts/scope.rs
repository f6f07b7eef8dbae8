//! What a callback keeps of the invocation that attached it.

use super::hooks::{Role, Told};
use super::{ALWAYS, Contexts, FRAMES, HOOKS, LABELS, LEVELS, RECORDS, RESOURCES, Record, SITES};
use crate::bridge;
use crate::call::Alive;
use crate::language::Callback;
use crate::opaque::{self, Opaque};
use crate::opaque_functions;
use crate::raw::{self, Owned, OwnedObject};
use crate::sites;
use crate::state::{Holds, state_of};
use crate::task::Appear;
use hemiola_machine::{DomainId, Event, Invocation, Place, Standing};
use rquickjs::{Ctx, qjs};
use std::ffi::CStr;
use std::ptr::NonNull;
use std::rc::Rc;

/// What a callback keeps of where it was attached. An object of the engine, which owns it.
///
/// It owns a reference to each of its values.
pub(super) struct Scope {
    pub(super) link: Invocation,
    /// What it was attached with (rule PRIO-2).
    pub(super) standing: Standing,
    pub(super) record: Option<Rc<Record>>,
    /// The values of the context; undefined at the root.
    pub(super) frame: qjs::JSValue,
    /// What hooks know it by; undefined without hooks.
    resource: qjs::JSValue,
    role: Role,
    /// What the task was posted with that a continuation belongs to, or undefined.
    task: qjs::JSValue,
    pub(super) site: Option<Rc<str>>,
    /// Where it was taken, if the trace tells that.
    place: Option<Place>,
    domain: Option<DomainId>,
    /// Who is told that it is gone, if the domain lives for it (rule TIME-11). They live as long as the engine.
    keeps: Option<NonNull<Holds>>,
    /// In which job it was taken: a continuation that never left its job was never suspended.
    taken_in: u64,
    /// In which job the continuation ran last.
    entered_in: u64,
    /// What the trace knows it by, if it tells of promises.
    reaction: u64,
    /// Whether it was taken for a generator, which whoever goes on with it links anew.
    weak: bool,
}

/// For whom a scope is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// A continuation, for which its domain lives (rule TIME-11).
    Continuation,
    /// A generator that yields. Who consumes it decides whether it goes on, and holds what it needs.
    Generator,
    /// A callback that the machine keeps, and with it its domain.
    Callback,
    /// Nobody: it only says which invocation ran.
    Moment,
}

/// Makes the class of scopes. Objects of it have no prototype.
pub(super) fn define(ctx: *mut qjs::JSContext) -> Option<qjs::JSClassID> {
    // SAFETY: the context is alive, and the functions are those of scopes.
    unsafe { opaque::define(ctx, c"Scope", finalize, mark, Some(reject)) }
}

/// A scope of the running invocation, as a new reference; undefined where there is nothing to keep, an
/// exception without memory.
///
/// # Safety
///
/// The context is one of ours, in which a callback runs.
pub unsafe fn take(
    ctx: *mut qjs::JSContext,
    whose: For,
    resource: Option<qjs::JSValue>,
) -> qjs::JSValue {
    // SAFETY: the caller's.
    let state = unsafe { state_of(ctx) };
    let contexts = &state.contexts;
    let uses = contexts.registered.uses.get();
    let has_frame = uses & FRAMES != 0 && contexts.frame.borrow().is_some();
    let counts = uses & LABELS != 0 && matches!(whose, For::Continuation | For::Generator);
    let has_domain = counts && bridge::with(|context| context.domain()).is_some();
    let always = match whose {
        For::Callback | For::Moment => RECORDS | HOOKS | RESOURCES | SITES,
        For::Continuation | For::Generator => ALWAYS,
    };
    if !has_frame && !has_domain && uses & always == 0 {
        return qjs::JS_UNDEFINED;
    }
    let job = state.run.job.get();
    let shared = whose == For::Continuation && uses & (HOOKS | SITES) == 0 && !state.settings.sites;
    if shared
        && let Some((taken_in, last)) = &*contexts.last.borrow()
        && *taken_in == job
    {
        // SAFETY: the last scope is alive.
        return unsafe { qjs::JS_DupValue(ctx, last.as_raw()) };
    }
    // SAFETY: the caller's.
    unsafe {
        let object = make(ctx, whose, resource);
        if shared && !qjs::JS_IsException(object) {
            let before = contexts.last.replace(Some((job, OwnedObject::new(ctx, object))));
            drop(before);
        }
        object
    }
}

/// As [`take`], for something that is attached to a value.
///
/// # Safety
///
/// As there.
pub(super) unsafe fn take_for(
    ctx: *mut qjs::JSContext,
    whose: For,
    value: qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the caller's.
    unsafe {
        let contexts = &state_of(ctx).contexts;
        let reaction = contexts.details.attach(ctx, value);
        if reaction == 0 {
            return take(ctx, whose, None);
        }
        let object = make(ctx, whose, None);
        if let Some(scope) = Scope::of(contexts, object) {
            scope.reaction = reaction;
        }
        object
    }
}

/// As `take`, for a microtask.
///
/// # Safety
///
/// As there.
pub unsafe fn take_microtask(ctx: *mut qjs::JSContext) -> qjs::JSValue {
    // SAFETY: the caller's.
    unsafe {
        let contexts = &state_of(ctx).contexts;
        if contexts.registered.uses.get() == 0 {
            return qjs::JS_UNDEFINED;
        }
        if !contexts.has(HOOKS | RESOURCES) {
            return take(ctx, For::Continuation, None);
        }
        let resource = contexts.init(ctx, c"Microtask", None);
        let scope = make(ctx, For::Continuation, Some(resource));
        qjs::JS_FreeValue(ctx, resource);
        scope
    }
}

/// As [`take`], whatever there is to keep.
///
/// # Safety
///
/// As there.
pub(super) unsafe fn make(
    ctx: *mut qjs::JSContext,
    whose: For,
    resource: Option<qjs::JSValue>,
) -> qjs::JSValue {
    // SAFETY: the caller's; the references are made here and given to the new scope.
    unsafe {
        let state = state_of(ctx);
        let contexts = &state.contexts;
        let (job, uses) = (state.run.job.get(), contexts.registered.uses.get());
        let attaches = uses & SITES != 0 && whose != For::Moment;
        let site = if attaches { contexts.place(ctx) } else { None };
        // Of what the machine gets, it is told there.
        let place = if whose == For::Callback { None } else { sites::here(ctx) };
        let (link, standing, domain) = bridge::with(|context| {
            let domain = match whose {
                For::Continuation if uses & LABELS != 0 => context.hold(),
                For::Generator => context.domain(),
                _ => None,
            };
            (context.invocation(), context.standing(), domain)
        });
        let keeps = domain
            .filter(|_| whose == For::Continuation)
            .map(|_| NonNull::from(&*state.registered.holds));
        let frame = contexts.frame.borrow();
        let frame = frame.as_ref().map_or(qjs::JS_UNDEFINED, Owned::as_raw);
        // A task goes on in its promise jobs; what it starts otherwise is something new.
        let task = contexts.task.borrow();
        let task = task.as_ref().filter(|_| whose == For::Continuation);
        let task = task.map_or(qjs::JS_UNDEFINED, Owned::as_raw);
        let scope = Scope {
            link,
            standing,
            record: contexts.record(),
            frame: qjs::JS_DupValue(ctx, frame),
            resource: qjs::JS_DupValue(ctx, resource.unwrap_or(qjs::JS_UNDEFINED)),
            role: Role::Other,
            task: qjs::JS_DupValue(ctx, task),
            site,
            place,
            domain,
            keeps,
            taken_in: job,
            entered_in: job,
            reaction: 0,
            weak: whose == For::Generator,
        };
        scope.into_object(ctx, contexts.registered.classes.get().scope)
    }
}

impl Scope {
    /// Puts it into a new object; that is an exception if there is no memory for it.
    ///
    /// # Safety
    ///
    /// The class is that of scopes.
    unsafe fn into_object(self, ctx: *mut qjs::JSContext, class: qjs::JSClassID) -> qjs::JSValue {
        // SAFETY: the object is new, and of that class.
        unsafe { opaque::put(ctx, self, || qjs::JS_NewObjectProtoClass(ctx, qjs::JS_NULL, class)) }
    }

    /// The scope in a value, if it is one.
    ///
    /// # Safety
    ///
    /// The value outlives the borrow, and nothing else uses its scope meanwhile.
    pub(super) unsafe fn of<'a>(contexts: &Contexts, value: qjs::JSValue) -> Option<&'a mut Self> {
        // SAFETY: only `into_object` makes objects of that class.
        unsafe {
            qjs::JS_GetOpaque(value, contexts.registered.classes.get().scope)
                .cast::<Self>()
                .as_mut()
        }
    }

    /// Says what hooks know it by, which was nothing.
    ///
    /// # Safety
    ///
    /// The value belongs to the context of the scope.
    pub(super) unsafe fn belongs_to(
        &mut self,
        ctx: *mut qjs::JSContext,
        resource: qjs::JSValue,
        role: Role,
    ) {
        // SAFETY: the caller's.
        self.resource = unsafe { qjs::JS_DupValue(ctx, resource) };
        self.role = role;
    }

    /// Whether hooks know it by something.
    pub(super) fn is_known(&self) -> bool {
        // SAFETY: the value is only looked at.
        unsafe { !qjs::JS_IsUndefined(self.resource) }
    }
}

impl Opaque for Scope {
    fn values(&self, each: impl FnMut(qjs::JSValue)) {
        [self.frame, self.resource, self.task].into_iter().for_each(each);
    }

    fn freed(self, _: *mut qjs::JSRuntime) {
        // The engine may free it at any moment: the host tells the machine later.
        if let (Some(holds), Some(domain)) = (self.keeps, self.domain) {
            // SAFETY: whoever has the engine has a state of it, and all its states share them.
            unsafe { holds.as_ref() }.drop_later(domain);
        }
    }

    fn is_plain(&self) -> bool {
        let Self { record, site, place, .. } = self;
        record.is_none() && site.is_none() && place.is_none()
    }
}

opaque_functions!(Scope);

/// The continuation of a scope runs: what it starts counts as its own. A second time in the same job
/// this does nothing.
///
/// # Safety
///
/// The value is alive, and a callback runs in that context.
#[inline]
pub unsafe fn enter(ctx: *mut qjs::JSContext, value: qjs::JSValue) {
    // SAFETY: the caller's; the function looks at the value's tag.
    unsafe {
        if !qjs::JS_IsUndefined(value) {
            enter_scope(ctx, value);
        }
    }
}

/// The same for what is no `undefined`.
///
/// # Safety
///
/// As for [`enter`].
unsafe fn enter_scope(ctx: *mut qjs::JSContext, value: qjs::JSValue) {
    // SAFETY: the caller's; nothing of the engine runs while the scope is borrowed.
    unsafe {
        let state = state_of(ctx);
        let contexts = &state.contexts;
        let Some(scope) = Scope::of(contexts, value) else { return };
        let job = state.run.job.get();
        if job == scope.taken_in || std::mem::replace(&mut scope.entered_in, job) == job {
            return;
        }
        bridge::with(|context| {
            if !scope.weak {
                context.link_job(scope.link);
                if let Some(place) = &scope.place {
                    context.event(Event::Site(place.clone()));
                }
                // Whoever settled the promise matters only if it was promoted (rule PRIO-2).
                context.link_to(scope.standing);
            }
            if scope.domain.is_some() {
                context.count_for(scope.domain);
            }
        });
        contexts.details.react(scope.reaction);
        contexts.inherit(ctx, scope);
    }
}

impl Contexts {
    /// Tells hooks of a callback that is given to the machine; what they know it by, as a new
    /// reference, or undefined.
    ///
    /// # Safety
    ///
    /// The context is the one of this, and the object belongs to it.
    unsafe fn init(
        &self,
        ctx: *mut qjs::JSContext,
        kind: &CStr,
        object: Option<qjs::JSValue>,
    ) -> qjs::JSValue {
        if !self.has(HOOKS | RESOURCES) {
            return qjs::JS_UNDEFINED;
        }
        let Some(hooks) = self.hooks() else { return qjs::JS_UNDEFINED };
        // SAFETY: the caller's.
        unsafe {
            let kind = qjs::JS_NewStringLen(ctx, kind.as_ptr(), kind.count_bytes() as _);
            let made = hooks.ask(ctx, c"init", &[kind, object.unwrap_or(qjs::JS_UNDEFINED)]);
            qjs::JS_FreeValue(ctx, kind);
            made
        }
    }

    /// Where the running callback attaches something: a stack, as text.
    ///
    /// # Safety
    ///
    /// The context is the one of this.
    unsafe fn place(&self, ctx: *mut qjs::JSContext) -> Option<Rc<str>> {
        // SAFETY: the caller's; the function is the library's, and gives a text or nothing.
        unsafe {
            let locate = {
                let library = self.registered.library.borrow();
                let locate = library.as_ref()?.locate.as_ref()?;
                qjs::JS_DupValue(ctx, locate.as_raw())
            };
            let bindings = Ctx::from_raw(std::ptr::NonNull::new(ctx)?);
            let place = state_of(ctx).interrupts.uncounted(0, || {
                qjs::JS_Call(ctx, locate, qjs::JS_UNDEFINED, 0, std::ptr::null_mut())
            });
            qjs::JS_FreeValue(ctx, locate);
            let place = raw::take(&bindings, place).ok()?;
            place.as_string()?.to_string().ok().map(Rc::from)
        }
    }

    /// Tells hooks that the running callback is over.
    #[inline]
    pub fn end(&self, ctx: &Ctx<'_>) {
        if let Some(role) = self.entered.take() {
            self.end_as(role, ctx);
        }
    }

    fn end_as(&self, role: Role, ctx: &Ctx<'_>) {
        let Some(resource) = self.resource.borrow().as_ref().map(Owned::as_raw) else { return };
        let raw = ctx.as_raw().as_ptr();
        // SAFETY: the context is the one of this; the resource is alive, because it is kept here.
        unsafe {
            let kept = Owned::new(raw, resource);
            match role {
                Role::Await => self.tell_of(raw, Told::Resolve, resource),
                Role::Derived | Role::Other => {}
            }
            // It is still the running one to whoever is told.
            self.tell_of(raw, Told::After, resource);
            drop(self.resource.take());
            if role == Role::Other {
                self.tell_ended(raw, resource, false);
            }
            drop(kept);
        }
    }

    /// Makes what a scope keeps the context of the running invocation.
    ///
    /// # Safety
    ///
    /// The scope belongs to the context, which is the one of this.
    pub(super) unsafe fn inherit(&self, ctx: *mut qjs::JSContext, scope: &Scope) {
        if let (Some(link), false) = (&scope.record, scope.weak) {
            self.link_record(link, &scope.site);
        }
        // SAFETY: the caller's.
        unsafe {
            let own =
                |value: qjs::JSValue| (!qjs::JS_IsUndefined(value)).then(|| Owned::new(ctx, value));
            let (frame, resource) = (own(scope.frame), own(scope.resource));
            self.set_frame(frame);
            if self.has(LEVELS) {
                let before = self.task.replace(own(scope.task));
                drop(before);
            }
            if let Some(resource) = resource {
                self.entered.set(Some(scope.role));
                let before = self.resource.replace(Some(resource));
                drop(before);
                self.tell_of(ctx, Told::Before, scope.resource);
            }
        }
    }
}

/// What there is to keep of the running invocation with a callback.
const KEPT: u32 = FRAMES | RECORDS | HOOKS | RESOURCES | SITES;

/// Whether callbacks go to the machine as they are, without anything of the running invocation.
#[inline]
pub fn are_unbound(ctx: Alive<'_>) -> bool {
    // SAFETY: a native of the context is running.
    unsafe { !state_of(ctx.as_ptr()).contexts.has(KEPT) }
}

/// Keeps the context of the running invocation with a callback that is given to the machine.
/// `kind` is what hooks call it.
#[inline]
pub fn bind(ctx: Alive<'_>, kind: &CStr, callback: Callback) -> Callback {
    let ctx = ctx.as_ptr();
    // SAFETY: a native of the context is running, and the callback keeps its handle.
    unsafe {
        let contexts = &state_of(ctx).contexts;
        if !contexts.has(KEPT) {
            return callback;
        }
        let handle = callback.resource().and_then(|(_, handle)| handle);
        let resource = contexts.init(ctx, kind, handle.map(Appear::as_raw));
        let scope = take(ctx, For::Callback, Some(resource));
        qjs::JS_FreeValue(ctx, resource);
        if qjs::JS_IsUndefined(scope) || qjs::JS_IsException(scope) {
            // Without memory for it the program ends anyhow.
            return callback;
        }
        let bound = Callback::Within(Box::new((OwnedObject::new(ctx, scope), callback)));
        qjs::JS_FreeValue(ctx, scope);
        bound
    }
}

/// A timer or an immediate was cleared: hooks are told that its end has come.
pub fn cleared(ctx: Alive<'_>, handle: &dyn Appear) {
    let ctx = ctx.as_ptr();
    // SAFETY: the context is the one of the handle.
    unsafe {
        let contexts = &state_of(ctx).contexts;
        if contexts.has(HOOKS) {
            contexts.tell_ended(ctx, handle.as_raw(), true);
        }
    }
}

/// Lets a callback of the machine run in the context that it was attached in.
pub fn run_within(ctx: &Ctx<'_>, scope: &OwnedObject) {
    // SAFETY: the scope is alive, since the callback keeps it.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        let contexts = &state_of(raw).contexts;
        if let Some(scope) = Scope::of(contexts, scope.as_raw()) {
            if let (Some(record), Some(link)) = (&*contexts.record.borrow(), &scope.record) {
                record.set_cause(Some(Rc::clone(link)));
            }
            contexts.inherit(raw, scope);
        }
    }
}

/// A promise was rejected to which the program attached nothing for that: the error is handed on, in the
/// context of whoever attached the rest. So most calls of `then` need one continuation, not two.
unsafe extern "C" fn reject(
    ctx: *mut qjs::JSContext,
    function: qjs::JSValue,
    _: qjs::JSValue,
    count: i32,
    args: *mut qjs::JSValue,
    _: i32,
) -> qjs::JSValue {
    // SAFETY: the function is a scope, which the job keeps alive; the engine passes as many arguments as
    // it says.
    unsafe {
        enter(ctx, function);
        let reason = if count > 0 { *args } else { qjs::JS_UNDEFINED };
        qjs::JS_Throw(ctx, qjs::JS_DupValue(ctx, reason))
    }
}
