//! What hooks of `async_hooks` are told.
//!
//! Every resource has a number, and that of the one that made it, as properties that only the library
//! has the names of. Promises are told of from here without a detour through the library: there are many of
//! them.

use super::Contexts;
use super::endings::Endings;
use crate::language::Callback;
use crate::raw::{Owned, OwnedObject};
use crate::settled;
use crate::state::state_of;
use crate::task::Appear;
use rquickjs::{Ctx, Exception, Object, Result, Value, qjs};
use std::cell::{Cell, RefCell};
use std::ffi::CStr;
use std::rc::Rc;

/// The functions by which hooks are told, and what natives need for it.
pub(super) struct Hooks {
    /// Functions of `internal/async_resources`.
    library: OwnedObject,
    /// The names of a resource's number, of the number of who made it, and of what is freed with it. They keep the
    /// atoms alive that go by them.
    names: [(Owned, qjs::JSAtom); 3],
    constructor: qjs::JSAtom,
    /// `Promise`, and what its instances inherit from.
    promise: OwnedObject,
    prototype: OwnedObject,
    /// The type of promises, as a text.
    kind: Owned,
    targets: RefCell<[Option<Target>; 5]>,
    /// Which resources are gone.
    endings: Endings,
    /// How many events are being told, one within the other.
    telling: Cell<u32>,
    /// Whether the library waits for the end of that.
    awaited: Cell<bool>,
    /// The promise of the async function that is about to wait for something else than a promise, while one is made of it.
    waits: Cell<Option<qjs::JSValue>>,
}

/// A function to be called for one kind of event, and on what. One of the program's own is called on something;
/// one of the library is not, and hears more.
#[derive(Clone)]
struct Target {
    function: OwnedObject,
    this: Option<OwnedObject>,
}

/// What hooks are told of. The last is for the library alone: that a callback is over which belongs to
/// a resource that may be gone with it.
#[derive(Clone, Copy)]
pub(super) enum Told {
    Init,
    Before,
    After,
    Resolve,
    Ended,
}

impl Told {
    /// How many arguments a program's hook has.
    fn arguments(self) -> usize {
        match self {
            Self::Init => 4,
            Self::Before | Self::After | Self::Resolve => 1,
            Self::Ended => 2,
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "init" => Self::Init,
            "before" => Self::Before,
            "after" => Self::After,
            "promiseResolve" => Self::Resolve,
            "ended" => Self::Ended,
            _ => return None,
        })
    }
}

/// What a resource is to the callback that it belongs to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// The promise that a reaction settles.
    Derived,
    /// The promise that an `await` would make if it were a `then`.
    Await,
    /// Anything else.
    #[default]
    Other,
}

const ID: usize = 0;
const TRIGGER: usize = 1;
const ENDING: usize = 2;

/// `setHooks(library, promise, id, trigger, ending)`: the functions by which `async_hooks` hears of what
/// happens: `init`, `late`, `wrap`, `executionId`, `fail`, `told`, `tellGoneSoon`, `tellInTail`; the engine's
/// `Promise`; and the symbols that name the properties of resources.
pub(super) fn set<'js>(
    ctx: Ctx<'js>,
    library: Object<'js>,
    promise: Object<'js>,
    id: Value<'js>,
    trigger: Value<'js>,
    ending: Value<'js>,
) -> Result<()> {
    let raw = ctx.as_raw().as_ptr();
    let prototype: Object<'js> = promise.get("prototype")?;
    let kind = rquickjs::String::from_str(ctx.clone(), "PROMISE")?;
    // SAFETY: all of these belong to the context, which is one of ours. A symbol keeps its atom.
    unsafe {
        let name = |value: &Value<'js>| {
            let atom = qjs::JS_ValueToAtom(raw, value.as_raw());
            qjs::JS_FreeAtom(raw, atom);
            (Owned::new(raw, value.as_raw()), atom)
        };
        let hooks = Hooks {
            library: OwnedObject::new(raw, library.as_raw()),
            names: [&id, &trigger, &ending].map(name),
            // One of those that the engine never gives up.
            constructor: qjs::JS_NewAtom(raw, c"constructor".as_ptr()),
            promise: OwnedObject::new(raw, promise.as_raw()),
            prototype: OwnedObject::new(raw, prototype.as_raw()),
            kind: Owned::new(raw, kind.as_raw()),
            targets: RefCell::default(),
            endings: Endings::new(raw),
            telling: Cell::new(0),
            awaited: Cell::new(false),
            waits: Cell::new(None),
        };
        state_of(raw).contexts.hooks.replace(Some(Rc::new(hooks)));
    }
    Ok(())
}

/// `aimHook(name, function, this)`: what is called for that kind of event from now on; nothing without a
/// function.
pub(super) fn aim<'js>(
    ctx: Ctx<'js>,
    name: String,
    function: Value<'js>,
    this: Value<'js>,
) -> Result<()> {
    let raw = ctx.as_raw().as_ptr();
    let told = Told::parse(&name).ok_or_else(|| Exception::throw_type(&ctx, "no such event"))?;
    // SAFETY: the values belong to the context, which is one of ours.
    unsafe {
        let object =
            |value: &Value<'js>| value.is_object().then(|| OwnedObject::new(raw, value.as_raw()));
        let target = object(&function).map(|function| Target { function, this: object(&this) });
        if let Some(hooks) = state_of(raw).contexts.hooks() {
            hooks.targets.borrow_mut()[told as usize] = target;
        }
    }
    Ok(())
}

/// `hearEnds(are)`: whether hooks hear of ends from now on.
pub(super) fn hear_ends(ctx: Ctx<'_>, are: bool) {
    // SAFETY: the context is one of ours.
    if let Some(hooks) = unsafe { state_of(ctx.as_raw().as_ptr()).contexts.hooks() } {
        hooks.endings.are_heard.set(are);
    }
}

/// `watchEnd(resource, id)`: notes when a resource is gone.
pub(super) fn watch_end<'js>(ctx: Ctx<'js>, resource: Object<'js>, id: f64) {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the resource belongs to the context, which is one of ours.
    unsafe {
        if let Some(hooks) = state_of(raw).contexts.hooks() {
            hooks.endings.watch(raw, resource.as_raw(), hooks.names[ENDING].1, id as u64);
        }
    }
}

/// `takeGone()`: the numbers of the resources that are gone since the last time.
pub(super) fn take_gone(ctx: Ctx<'_>) -> Vec<f64> {
    // SAFETY: the context is one of ours.
    let hooks = unsafe { state_of(ctx.as_raw().as_ptr()).contexts.hooks() };
    let gone = hooks.map_or_else(Vec::new, |hooks| hooks.endings.take());
    gone.into_iter().map(|id| id as f64).collect()
}

/// `awaitTold()`: whether an event is being told; if so, `told` of the library is called when that is over.
pub(super) fn await_told(ctx: Ctx<'_>) -> bool {
    // SAFETY: the context is one of ours.
    let hooks = unsafe { state_of(ctx.as_raw().as_ptr()).contexts.hooks() };
    hooks.is_some_and(|hooks| {
        let is_telling = hooks.telling.get() > 0;
        hooks.awaited.set(is_telling);
        is_telling
    })
}

/// `stamp(resource, trigger, visible)`: gives a resource the next number, and says it.
pub(super) fn stamp<'js>(ctx: Ctx<'js>, resource: Object<'js>, trigger: f64, visible: bool) -> f64 {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the resource belongs to the context, which is one of ours.
    unsafe {
        let contexts = &state_of(raw).contexts;
        let id = contexts.next_id();
        if let Some(hooks) = contexts.hooks() {
            let trigger = qjs::JS_NewFloat64(trigger);
            hooks.stamp(raw, resource.as_raw(), number(id), trigger, visible);
        }
        id as f64
    }
}

/// `hasAsyncId(value)`: whether a value is a resource that hooks know.
pub(super) fn is_known<'js>(ctx: Ctx<'js>, value: Value<'js>) -> bool {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the value belongs to the context, which is one of ours.
    unsafe {
        let hooks = state_of(raw).contexts.hooks();
        hooks.is_some_and(|hooks| hooks.id_of(raw, value.as_raw()).is_some())
    }
}

fn number(id: u64) -> qjs::JSValue {
    qjs::JS_NewFloat64(id as f64)
}

impl Hooks {
    /// # Safety
    ///
    /// The resource is an object of the context.
    unsafe fn stamp(
        &self,
        ctx: *mut qjs::JSContext,
        resource: qjs::JSValue,
        id: qjs::JSValue,
        trigger: qjs::JSValue,
        visible: bool,
    ) {
        let hidden = qjs::JS_PROP_C_W_E & !qjs::JS_PROP_ENUMERABLE;
        let flags = if visible { qjs::JS_PROP_C_W_E } else { hidden } as i32;
        // SAFETY: the caller's; numbers are no references. An object that takes no properties is not
        // known afterwards, and nothing is told of it.
        unsafe {
            qjs::JS_DefinePropertyValue(ctx, resource, self.names[ID].1, id, flags);
            qjs::JS_DefinePropertyValue(ctx, resource, self.names[TRIGGER].1, trigger, flags);
        }
    }

    /// The number of a resource, if it is one that hooks know.
    ///
    /// # Safety
    ///
    /// The value belongs to the context.
    unsafe fn id_of(
        &self,
        ctx: *mut qjs::JSContext,
        resource: qjs::JSValue,
    ) -> Option<qjs::JSValue> {
        // SAFETY: the caller's; numbers are no references.
        unsafe {
            if !qjs::JS_IsObject(resource) {
                return None;
            }
            let id = qjs::JS_GetProperty(ctx, resource, self.names[ID].1);
            if qjs::JS_IsNumber(id) {
                return Some(id);
            }
            qjs::JS_FreeValue(ctx, id);
            None
        }
    }

    /// Calls the hooks of an event. What they throw ends the program.
    ///
    /// # Safety
    ///
    /// The arguments belong to the context and are alive.
    unsafe fn tell(&self, ctx: *mut qjs::JSContext, told: Told, args: &[qjs::JSValue]) {
        let Some(Target { function, this }) = self.targets.borrow()[told as usize].clone() else {
            return;
        };
        let args = if this.is_some() { &args[..told.arguments()] } else { args };
        self.telling.set(self.telling.get() + 1);
        // SAFETY: the caller's; the target is kept meanwhile.
        unsafe {
            let this = this.as_ref().map_or(qjs::JS_UNDEFINED, OwnedObject::as_raw);
            let first = args.as_ptr().cast_mut();
            let result = qjs::JS_Call(ctx, function.as_raw(), this, args.len() as i32, first);
            if qjs::JS_IsException(result) {
                let error = qjs::JS_GetException(ctx);
                let failed = self.ask(ctx, c"fail", &[error]);
                qjs::JS_FreeValue(ctx, error);
                qjs::JS_FreeValue(ctx, failed);
            }
            qjs::JS_FreeValue(ctx, result);
            self.telling.set(self.telling.get() - 1);
            if self.telling.get() == 0 && self.awaited.replace(false) {
                qjs::JS_FreeValue(ctx, self.ask(ctx, c"told", &[]));
            }
        }
    }

    /// Calls a function of the library; gives a new reference.
    ///
    /// # Safety
    ///
    /// As for [`Hooks::tell`].
    pub(super) unsafe fn ask(
        &self,
        ctx: *mut qjs::JSContext,
        name: &CStr,
        args: &[qjs::JSValue],
    ) -> qjs::JSValue {
        // SAFETY: the caller's.
        unsafe {
            let function = qjs::JS_GetPropertyStr(ctx, self.library.as_raw(), name.as_ptr());
            let first = args.as_ptr().cast_mut();
            let result = qjs::JS_Call(ctx, function, qjs::JS_UNDEFINED, args.len() as i32, first);
            qjs::JS_FreeValue(ctx, function);
            result
        }
    }

    /// Whether a promise is what the engine itself would wait for, and no other made of it.
    ///
    /// # Safety
    ///
    /// The value belongs to the context.
    unsafe fn is_plain(&self, ctx: *mut qjs::JSContext, value: qjs::JSValue) -> bool {
        // SAFETY: the caller's.
        unsafe {
            if !qjs::JS_IsPromise(value) {
                return false;
            }
            let constructor = qjs::JS_GetProperty(ctx, value, self.constructor);
            let is_plain = qjs::JS_IsObject(constructor)
                && qjs::JS_VALUE_GET_PTR(constructor)
                    == qjs::JS_VALUE_GET_PTR(self.promise.as_raw());
            qjs::JS_FreeValue(ctx, constructor);
            is_plain
        }
    }
}

/// All of these are for a context that is one of ours, in which a callback runs, and for values of that
/// context that are alive: that is what makes them safe to call.
impl Contexts {
    pub(super) fn hooks(&self) -> Option<Rc<Hooks>> {
        self.hooks.borrow().clone()
    }

    fn next_id(&self) -> u64 {
        let id = self.last_id.get() + 1;
        self.last_id.set(id);
        id
    }

    /// The number of a promise. One that was made before anybody listened gets it now, and nobody hears of that.
    unsafe fn id_of_promise(
        &self,
        ctx: *mut qjs::JSContext,
        hooks: &Hooks,
        promise: qjs::JSValue,
    ) -> Option<qjs::JSValue> {
        // SAFETY: the caller's.
        unsafe {
            hooks.id_of(ctx, promise).or_else(|| {
                qjs::JS_IsPromise(promise).then(|| {
                    let id = number(self.next_id());
                    hooks.stamp(ctx, promise, id, qjs::JS_NewFloat64(0.0), true);
                    id
                })
            })
        }
    }

    /// The number of what the running callback belongs to.
    unsafe fn execution_id(&self, ctx: *mut qjs::JSContext, hooks: &Hooks) -> qjs::JSValue {
        // SAFETY: the caller's.
        unsafe {
            let resource = self.resource.borrow().as_ref().map(|resource| resource.as_raw());
            match resource.and_then(|resource| hooks.id_of(ctx, resource)) {
                Some(id) => id,
                None => hooks.ask(ctx, c"executionId", &[]),
            }
        }
    }

    /// A promise was made; `parent` is what `then` was called on.
    pub(super) unsafe fn promise_init(
        &self,
        ctx: *mut qjs::JSContext,
        promise: qjs::JSValue,
        parent: qjs::JSValue,
    ) {
        let Some(hooks) = self.hooks() else { return };
        // SAFETY: the caller's.
        unsafe {
            // What an `await` makes of a value comes from the function that waits. What a constructor of the
            // program's makes has no parent.
            let parent = hooks.waits.take().unwrap_or(parent);
            let made_of = parent;
            let parent = self.id_of_promise(ctx, &hooks, parent).filter(|_| {
                let prototype = qjs::JS_GetPrototype(ctx, promise);
                let is_own = qjs::JS_IsObject(prototype)
                    && qjs::JS_VALUE_GET_PTR(prototype)
                        == qjs::JS_VALUE_GET_PTR(hooks.prototype.as_raw());
                qjs::JS_FreeValue(ctx, prototype);
                is_own
            });
            let trigger = parent.unwrap_or_else(|| self.execution_id(ctx, &hooks));
            self.tell_made(ctx, &hooks, promise, trigger, true, made_of);
        }
    }

    /// Hooks hear of a promise, or of what stands for one, and of its end if they want to.
    unsafe fn tell_made(
        &self,
        ctx: *mut qjs::JSContext,
        hooks: &Hooks,
        resource: qjs::JSValue,
        trigger: qjs::JSValue,
        visible: bool,
        made_of: qjs::JSValue,
    ) {
        let own = self.next_id();
        let id = number(own);
        // SAFETY: the caller's.
        unsafe {
            hooks.stamp(ctx, resource, id, trigger, visible);
            if hooks.endings.are_heard.get() {
                hooks.endings.watch(ctx, resource, hooks.names[ENDING].1, own);
                if let Some(function) = hooks.endings.wants() {
                    qjs::JS_FreeValue(ctx, hooks.ask(ctx, function, &[]));
                }
            }
            hooks.tell(ctx, Told::Init, &[id, hooks.kind.as_raw(), trigger, resource, made_of]);
        }
    }

    /// Tells hooks of something that happens to a resource, if they know it.
    pub(super) unsafe fn tell_of(
        &self,
        ctx: *mut qjs::JSContext,
        told: Told,
        resource: qjs::JSValue,
    ) {
        let Some(hooks) = self.hooks() else { return };
        // SAFETY: the caller's.
        unsafe {
            if let Some(id) = self.id_of_promise(ctx, &hooks, resource) {
                hooks.tell(ctx, told, &[id, resource]);
            }
        }
    }

    /// A callback of the machine begins that was attached before anybody listened: what it belongs to is known
    /// from now on.
    pub fn begin_late(&self, ctx: &Ctx<'_>, callback: &mut Callback) {
        let Some(hooks) = self.hooks() else { return };
        let appeared = match callback {
            Callback::Timer(handle) => handle.appear(ctx.into()),
            Callback::Immediate(handle) => handle.appear(ctx.into()),
            _ => Ok(()),
        };
        if appeared.is_err() {
            // Without memory for it the program ends anyhow.
            return;
        }
        let (kind, object) = match callback.resource() {
            Some((kind, object)) => (kind, object.map(Appear::as_raw)),
            None => return,
        };
        let raw = ctx.as_raw().as_ptr();
        // SAFETY: the context is the one of this, and the callback keeps its handle.
        unsafe {
            let kind = qjs::JS_NewStringLen(raw, kind.as_ptr(), kind.count_bytes() as _);
            let late = hooks.ask(raw, c"late", &[kind, object.unwrap_or(qjs::JS_UNDEFINED)]);
            qjs::JS_FreeValue(raw, kind);
            if qjs::JS_IsObject(late) {
                self.entered.set(Some(Role::Other));
                let before = self.resource.replace(Some(Owned::new(raw, late)));
                drop(before);
                self.tell_of(raw, Told::Before, late);
            }
            qjs::JS_FreeValue(raw, late);
        }
    }

    /// The library hears that the end of a resource has come, perhaps.
    ///
    /// # Safety
    ///
    /// The context is alive, and the resource one of its values.
    pub unsafe fn tell_ended(
        &self,
        ctx: *mut qjs::JSContext,
        resource: qjs::JSValue,
        cleared: bool,
    ) {
        let Some(hooks) = self.hooks() else { return };
        let cleared = if cleared { qjs::JS_TRUE } else { qjs::JS_FALSE };
        // SAFETY: the caller's.
        unsafe { hooks.tell(ctx, Told::Ended, &[resource, cleared]) };
    }

    /// A function is about to wait. Hooks see two promises: that of the value, and that of going on.
    /// Gives new references to both, the first undefined where the engine waits for something of its own,
    /// or what the value's `constructor` throws.
    pub(super) unsafe fn await_init(
        &self,
        ctx: *mut qjs::JSContext,
        awaited: Option<qjs::JSValue>,
    ) -> std::result::Result<(qjs::JSValue, qjs::JSValue), qjs::JSValue> {
        let Some(hooks) = self.hooks() else { return Ok((qjs::JS_UNDEFINED, qjs::JS_UNDEFINED)) };
        // SAFETY: the caller's.
        unsafe {
            let promise = match awaited {
                None => qjs::JS_UNDEFINED,
                Some(value) if hooks.is_plain(ctx, value) => qjs::JS_DupValue(ctx, value),
                Some(value) => {
                    hooks.waits.set(settled::promise_of_caller(ctx));
                    let promise = hooks.ask(ctx, c"wrap", &[value]);
                    hooks.waits.set(None);
                    promise
                }
            };
            if qjs::JS_IsException(promise) {
                return Err(promise);
            }
            let trigger = self.id_of_promise(ctx, &hooks, promise);
            let trigger = trigger.unwrap_or_else(|| self.execution_id(ctx, &hooks));
            let resource = qjs::JS_NewObject(ctx);
            if qjs::JS_IsObject(resource) {
                self.tell_made(ctx, &hooks, resource, trigger, false, promise);
            }
            Ok((promise, resource))
        }
    }
}
