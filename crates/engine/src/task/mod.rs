//! What timers and immediates are for, and their [handles](TaskHandle): objects of the engine that own it.
//!
//! Most programs drop the handle at once. Then there is none, until somebody looks at what the callback is called on.
#![expect(unsafe_code, reason = "the engine keeps a pointer to the task and says when it is free")]

mod handle;
mod timer;

pub use handle::{Appear, CalledOn, TaskHandle, fetch, prefetch};
pub use timer::{Then, Timer};

use crate::bridge;
use crate::call::{Alive, Arg};
use crate::opaque::{self, Opaque};
use crate::opaque_functions;
use crate::raw;
use crate::state::state_of;
use hemiola_machine::Site;
use rquickjs::{Ctx, Exception, Function, Object, Result, Value, qjs};
use std::ptr::NonNull;

/// What a timer or an immediate is to call.
///
/// It owns a reference to each of its values.
pub struct Task {
    /// Undefined once an immediate was cleared, or has run.
    callback: qjs::JSValue,
    args: Args,
}

/// What a program can start, and have a handle of.
///
/// # Safety
///
/// Objects of its kind's class own such, or nothing, and nobody else has one of the kind.
pub unsafe trait Started: Opaque {
    /// What the engine knows of its handles.
    const KIND: Kind;

    /// What is to be called.
    fn task(&self) -> &Task;

    /// Whether the library started it, to guard what it does itself.
    fn guards(&self) -> bool;

    /// One like it, with references of its own.
    ///
    /// # Safety
    ///
    /// The runtime is the one of its values, and it owns nothing but those and memory of the engine.
    unsafe fn copy(&self, runtime: *mut qjs::JSRuntime) -> Self;

    /// What the handle owns that a value is, if it is one of such.
    ///
    /// # Safety
    ///
    /// The value is alive and belongs to the context.
    unsafe fn of(ctx: Alive<'_>, value: qjs::JSValue) -> Option<NonNull<Self>> {
        let class = (Self::KIND.class)(Classes::of(ctx));
        // SAFETY: the caller's; objects of that class own such, or nothing.
        NonNull::new(unsafe { qjs::JS_GetOpaque(value, class).cast::<Self>() })
    }
}

/// A kind of handles to the engine.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Its class.
    pub class: fn(Classes) -> qjs::JSClassID,
    /// What frees what one owns.
    pub finalize: unsafe extern "C" fn(*mut qjs::JSRuntime, qjs::JSValue),
    /// What tells of the values that one owns.
    pub mark: unsafe extern "C" fn(*mut qjs::JSRuntime, qjs::JSValue, qjs::JS_MarkFunc),
}

/// Arguments. Most callbacks have none, or one, which then needs no memory of its own. Who has several gives
/// [their memory](Args::give_back) back.
#[derive(Default)]
enum Args {
    #[default]
    None,
    One(qjs::JSValue),
    /// So many, in memory of the engine.
    Many(NonNull<qjs::JSValue>, usize),
}

impl Args {
    /// New references to some values; nothing if there is no memory for them.
    ///
    /// # Safety
    ///
    /// The values are alive, and the runtime is theirs.
    unsafe fn new(
        runtime: *mut qjs::JSRuntime,
        values: impl ExactSizeIterator<Item = qjs::JSValue>,
    ) -> Option<Self> {
        // SAFETY: the caller's; the memory is large enough, and aligned as all that the engine gives out.
        unsafe {
            let mut own = values.map(|value| qjs::JS_DupValueRT(runtime, value));
            Some(match own.len() {
                0 => Self::None,
                1 => own.next().map_or(Self::None, Self::One),
                count => {
                    let room = size_of::<qjs::JSValue>() * count;
                    let start = NonNull::new(qjs::js_malloc_rt(runtime, room as _))?.cast();
                    own.enumerate().for_each(|(at, value)| start.add(at).write(value));
                    Self::Many(start, count)
                }
            })
        }
    }

    fn as_slice(&self) -> &[qjs::JSValue] {
        match self {
            Self::None => &[],
            Self::One(arg) => std::slice::from_ref(arg),
            // SAFETY: so many were written there, and they are there as long as this.
            Self::Many(start, count) => unsafe {
                std::slice::from_raw_parts(start.as_ptr(), *count)
            },
        }
    }

    /// Gives the memory of several back, of whose values the references were.
    ///
    /// # Safety
    ///
    /// The runtime is that of the values, and alive.
    unsafe fn give_back(self, runtime: *mut qjs::JSRuntime) {
        if let Self::Many(start, _) = self {
            // SAFETY: the caller's; the memory came from there.
            unsafe { qjs::js_free_rt(runtime, start.as_ptr().cast()) };
        }
    }
}

/// The engine's names for the two kinds of handles.
#[derive(Clone, Copy)]
pub struct Classes {
    /// Of timers.
    pub timeout: qjs::JSClassID,
    /// Of immediates.
    pub immediate: qjs::JSClassID,
}

impl Classes {
    /// Makes the two classes, and their prototypes.
    pub fn define<'js>(ctx: &Ctx<'js>) -> Result<(Object<'js>, Object<'js>)> {
        let (timeout, timeout_prototype) = define(ctx, c"Timeout", Timer::KIND)?;
        let (immediate, immediate_prototype) = define(ctx, c"Immediate", Immediate::KIND)?;
        let classes = Self { timeout, immediate };
        crate::state::state(ctx).registered.tasks.set(Some(classes));
        Ok((timeout_prototype, immediate_prototype))
    }

    /// A handle of each class that owns nothing. While there is one, the engine knows what handles look like, and need
    /// not find that out for each.
    pub fn empty<'js>(self, ctx: &Ctx<'js>) -> Result<[Value<'js>; 2]> {
        // SAFETY: the classes are those of the context, and objects of them need not own anything; the values take over
        // the new references.
        let make =
            |class| unsafe { raw::take(ctx, qjs::JS_NewObjectClass(ctx.as_raw().as_ptr(), class)) };
        Ok([make(self.timeout)?, make(self.immediate)?])
    }

    /// The classes of a context.
    #[inline]
    pub fn of(ctx: Alive<'_>) -> Self {
        // SAFETY: the context is one of ours.
        let classes = unsafe { state_of(ctx.as_ptr()) }.registered.tasks.get();
        classes.expect("the classes are made at the start")
    }
}

fn define<'js>(
    ctx: &Ctx<'js>,
    name: &'static std::ffi::CStr,
    Kind { finalize, mark, .. }: Kind,
) -> Result<(qjs::JSClassID, Object<'js>)> {
    let prototype = Object::new(ctx.clone())?;
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the context is alive, and the functions are those of what is started; the engine takes over the new
    // reference to the prototype.
    unsafe {
        let class = opaque::define(raw, name, finalize, mark, None);
        let class = class.ok_or(rquickjs::Error::Allocation)?;
        qjs::JS_SetClassProto(raw, class, qjs::JS_DupValue(raw, prototype.as_raw()));
        Ok((class, prototype))
    }
}

/// The timer of a handle, if the value is one.
pub fn timer<'a>(ctx: &Ctx<'_>, value: &'a mut Value<'_>) -> Option<&'a mut Timer> {
    // SAFETY: the value is alive as long as it is borrowed; the natives that call this let nothing of
    // the engine run while they use the timer.
    unsafe { Timer::of(ctx.into(), value.as_raw()).map(|mut timer| timer.as_mut()) }
}

/// The immediate that a value is, or a TypeError.
pub fn immediate<'a>(ctx: &Ctx<'_>, value: &'a mut Value<'_>) -> Result<&'a mut Immediate> {
    // SAFETY: as in `timer`.
    let found =
        unsafe { Immediate::of(ctx.into(), value.as_raw()).map(|mut found| found.as_mut()) };
    found.ok_or_else(|| Exception::throw_type(ctx, "this is no Immediate"))
}

impl Task {
    /// A task with values of the context.
    pub fn new(ctx: Alive<'_>, callback: Arg<'_>, args: &[Arg<'_>]) -> Result<Self> {
        let ctx = ctx.as_ptr();
        // SAFETY: arguments are alive, and of the context.
        let (args, callback) = unsafe {
            let args = Args::new(qjs::JS_GetRuntime(ctx), args.iter().map(|arg| arg.as_raw()));
            let args = args.ok_or_else(|| {
                qjs::JS_ThrowOutOfMemory(ctx);
                rquickjs::Error::Exception
            })?;
            (args, qjs::JS_DupValue(ctx, callback.as_raw()))
        };
        Ok(Self { callback, args })
    }

    /// Callback and arguments, which a timer keeps as long as it lives.
    fn parts(&self) -> (qjs::JSValue, &[qjs::JSValue]) {
        (self.callback, self.args.as_slice())
    }

    /// What is to be called.
    pub fn callback<'js>(&self, ctx: &Ctx<'js>) -> Value<'js> {
        // SAFETY: the callback belongs to the context, and lives as long as this.
        unsafe { raw::copy(ctx, self.callback) }
    }

    /// Copies of the arguments.
    pub fn args<'js>(&self, ctx: &Ctx<'js>) -> Vec<Value<'js>> {
        // SAFETY: as in `callback`.
        let value = |&arg: &qjs::JSValue| unsafe { raw::copy(ctx, arg) };
        self.args.as_slice().iter().map(value).collect()
    }

    /// Whether it still has a callback.
    pub fn has_callback(&self) -> bool {
        // SAFETY: the function looks at the value's tag.
        unsafe { !qjs::JS_IsUndefined(self.callback) }
    }

    /// Where the callback was written, if there is one.
    fn site(&self) -> Option<Site> {
        // SAFETY: what it keeps is alive.
        self.has_callback().then(|| unsafe { site_of_raw(self.callback) })
    }

    /// Tells of callback and arguments.
    fn values(&self, mut each: impl FnMut(qjs::JSValue)) {
        each(self.callback);
        self.args.as_slice().iter().for_each(|&arg| each(arg));
    }

    /// Gives the memory of the arguments back, of which the references were.
    fn freed(self, runtime: *mut qjs::JSRuntime) {
        // SAFETY: the engine frees what its runtime has.
        unsafe { self.args.give_back(runtime) };
    }

    /// One like it, with references of its own.
    ///
    /// # Safety
    ///
    /// The runtime is the one of its values.
    unsafe fn copy(&self, runtime: *mut qjs::JSRuntime) -> Self {
        // SAFETY: the caller's; the values are alive as long as the task.
        let (args, callback) = unsafe {
            let args = Args::new(runtime, self.args.as_slice().iter().copied());
            (args, qjs::JS_DupValueRT(runtime, self.callback))
        };
        Self { callback, args: args.expect("there is memory for what was there before") }
    }

    /// Takes callback and arguments out; nothing if that has happened before.
    ///
    /// # Safety
    ///
    /// The context is alive, and the task is one of its.
    unsafe fn take(&mut self, ctx: *mut qjs::JSContext) -> Option<Taken> {
        // SAFETY: the references go from the task to the result, which gives them back.
        unsafe {
            if qjs::JS_IsUndefined(self.callback) {
                return None;
            }
            let callback = std::mem::replace(&mut self.callback, qjs::JS_UNDEFINED);
            let args = std::mem::take(&mut self.args);
            Some(Taken { callback, args, runtime: qjs::JS_GetRuntime(ctx) })
        }
    }
}

/// Callback and arguments that were taken out of a task.
struct Taken {
    callback: qjs::JSValue,
    args: Args,
    runtime: *mut qjs::JSRuntime,
}

impl Taken {
    fn callback(&self) -> qjs::JSValue {
        self.callback
    }

    fn args(&self) -> &[qjs::JSValue] {
        self.args.as_slice()
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        // SAFETY: the references are this one's, and the runtime is alive.
        unsafe {
            qjs::JS_FreeValueRT(self.runtime, self.callback);
            self.args().iter().for_each(|&arg| qjs::JS_FreeValueRT(self.runtime, arg));
            std::mem::take(&mut self.args).give_back(self.runtime);
        }
    }
}

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

/// Whether an object is a handle that owns something that [is plain](Opaque::is_plain).
pub(crate) fn is_plain(ctx: &Ctx<'_>, object: qjs::JSValue) -> bool {
    // SAFETY: the object is alive, and nothing of the engine runs meanwhile.
    unsafe {
        let ctx = Alive::from(ctx);
        let is_immediate = || Immediate::of(ctx, object).is_some_and(|it| it.as_ref().is_plain());
        Timer::of(ctx, object).is_some_and(|timer| timer.as_ref().is_plain()) || is_immediate()
    }
}

/// Whether the functions that the engine knows for a class are those of a kind of handles.
pub(crate) fn is_class(
    kind: Kind,
    finalizer: &qjs::JSClassFinalizer,
    marker: &qjs::JSClassGCMark,
) -> bool {
    let is = |given: Option<usize>, own: *const ()| given == Some(own.addr());
    is(finalizer.map(|given| given as *const () as usize), kind.finalize as *const ())
        && is(marker.map(|given| given as *const () as usize), kind.mark as *const ())
}

/// Where a function was written: closures of one piece of code share what the engine made of it.
pub fn site_of(function: &Function<'_>) -> Site {
    // SAFETY: the function is alive.
    unsafe { site_of_raw(function.as_raw()) }
}

///
/// # Safety
///
/// The value is a living function.
unsafe fn site_of_raw(function: qjs::JSValue) -> Site {
    let mut class = 0;
    // SAFETY: the caller's; what the engine keeps for a function is not looked into. Of a function in
    // JavaScript this is its code, of a native something that all natives share.
    Site(unsafe { qjs::JS_GetAnyOpaque(function, &raw mut class) } as u64)
}
