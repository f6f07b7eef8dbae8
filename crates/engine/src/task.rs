//! The handles of timers and immediates: objects of the engine with a task inside.
//!
//! Most programs drop the handle at once. Then there is none, only the task, until the callback is called on it.
#![expect(unsafe_code, reason = "the engine keeps a pointer to the task and says when it is free")]

use crate::bridge;
use crate::call::{Alive, Arg, Call, Fresh};
use crate::mirror::FunctionObject;
use crate::opaque::{self, Opaque};
use crate::opaque_functions;
use crate::pages::PAGE;
use crate::raw;
use crate::state::state_of;
use hemiola_machine::{Delay, Eagerness, Handle, Site};
use rquickjs::{Ctx, Exception, Function, JsLifetime, Object, Result, Value, qjs};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;

/// What is to be called, and for a timer, when.
///
/// It owns a reference to each of its values.
pub struct Task {
    /// Undefined once an immediate was cleared, or has run.
    callback: qjs::JSValue,
    args: Args,
    /// How long it waits.
    pub delay: Delay,
    /// Whether it comes again.
    pub repeats: bool,
    /// Whether it keeps the program alive.
    pub referenced: bool,
    /// Nothing once a timer was cleared.
    pub handle: Option<Handle>,
    /// Whether it waits among the urgent callbacks, where strategy `edge` has zero timeouts.
    pub urgent: bool,
    /// Whether the library started it, to guard what it does itself.
    pub guard: bool,
    /// What its handle is.
    class: qjs::JSClassID,
    /// What a timer is as a number: the ordinal of its first release.
    pub number: u64,
    /// The name of the clock that it is on, or undefined.
    label: qjs::JSValue,
    /// What the program has changed about a timer by its properties.
    change: Option<Box<Change>>,
}

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

// SAFETY: it holds nothing of the engine.
unsafe impl JsLifetime<'_> for Classes {
    type Changed<'to> = Classes;
}

impl Classes {
    /// Makes the two classes, and their prototypes.
    pub fn define<'js>(ctx: &Ctx<'js>) -> Result<(Self, Object<'js>, Object<'js>)> {
        let (timeout, timeout_prototype) = define(ctx, c"Timeout")?;
        let (immediate, immediate_prototype) = define(ctx, c"Immediate")?;
        let classes = Self { timeout, immediate };
        let _ = ctx.store_userdata(classes);
        Ok((classes, timeout_prototype, immediate_prototype))
    }

    /// A handle of each class without a task. While there is one, the engine knows what handles look like, and need
    /// not find that out for each.
    pub fn empty<'js>(self, ctx: &Ctx<'js>) -> Result<[Value<'js>; 2]> {
        // SAFETY: the classes are those of the context, and objects of them need not have a task; the values take over
        // the new references.
        let make =
            |class| unsafe { raw::take(ctx, qjs::JS_NewObjectClass(ctx.as_raw().as_ptr(), class)) };
        Ok([make(self.timeout)?, make(self.immediate)?])
    }

    /// The classes of a context.
    pub fn of(ctx: &Ctx<'_>) -> Self {
        *ctx.userdata::<Self>().expect("the classes are made at the start")
    }
}

fn define<'js>(
    ctx: &Ctx<'js>,
    name: &'static std::ffi::CStr,
) -> Result<(qjs::JSClassID, Object<'js>)> {
    let prototype = Object::new(ctx.clone())?;
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the context is alive, and the functions are those of tasks; the engine takes over the new
    // reference to the prototype.
    unsafe {
        let class = opaque::define(raw, name, finalize, mark, None);
        let class = class.ok_or(rquickjs::Error::Allocation)?;
        qjs::JS_SetClassProto(raw, class, qjs::JS_DupValue(raw, prototype.as_raw()));
        Ok((class, prototype))
    }
}

/// The task of a timer's handle, if the value is one.
pub fn timeout<'a>(ctx: &Ctx<'_>, value: &'a mut Value<'_>) -> Option<&'a mut Task> {
    // SAFETY: the value is alive as long as it is borrowed; the natives that call this let nothing of
    // the engine run while they use the task.
    unsafe { Task::of(value.as_raw(), Classes::of(ctx).timeout) }
}

/// The task of an immediate's handle, or a TypeError.
pub fn immediate<'a>(ctx: &Ctx<'_>, value: &'a mut Value<'_>) -> Result<&'a mut Task> {
    // SAFETY: as in `timeout`.
    let task = unsafe { Task::of(value.as_raw(), Classes::of(ctx).immediate) };
    task.ok_or_else(|| Exception::throw_type(ctx, "this is no Immediate"))
}

impl Task {
    /// A task of an immediate. The values belong to the context, and the class is one of its [`Classes`].
    pub fn new(
        ctx: Alive<'_>,
        class: qjs::JSClassID,
        callback: Arg<'_>,
        args: &[Arg<'_>],
    ) -> Result<Self> {
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
        Ok(Self {
            callback,
            args,
            delay: Delay::ZERO,
            repeats: false,
            referenced: true,
            handle: None,
            urgent: false,
            guard: false,
            class,
            number: 0,
            label: qjs::JS_UNDEFINED,
            change: None,
        })
    }

    /// A task of a timer. The values belong to the context, and the class is one of its [`Classes`].
    pub fn timer(
        ctx: Alive<'_>,
        class: qjs::JSClassID,
        callback: Arg<'_>,
        args: &[Arg<'_>],
        label: Option<Arg<'_>>,
        delay: Delay,
        repeats: bool,
    ) -> Result<Self> {
        let mut task = Self::new(ctx, class, callback, args)?;
        (task.delay, task.repeats) = (delay, repeats);
        if let Some(label) = label {
            // SAFETY: as in `new`.
            task.label = unsafe { qjs::JS_DupValue(ctx.as_ptr(), label.as_raw()) };
        }
        Ok(task)
    }

    /// The name of the clock that it is on, if that has one.
    pub fn label(&self, ctx: &Ctx<'_>) -> Option<String> {
        // SAFETY: the label belongs to the context; the value takes over a new reference.
        let label = unsafe {
            Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), self.label))
        };
        label.into_string()?.to_string().ok()
    }

    fn change(&self) -> Option<&Change> {
        self.change.as_deref()
    }

    fn change_mut(&mut self) -> &mut Change {
        self.change.get_or_insert_default()
    }

    /// Puts it into a new handle.
    pub fn into_handle(self, ctx: Alive<'_>) -> Result<TaskHandle> {
        let mut handle = self.alone(ctx)?;
        handle.appear(ctx)?;
        Ok(handle)
    }

    /// The same without a handle, until one is needed.
    pub fn alone(self, ctx: Alive<'_>) -> Result<TaskHandle> {
        let ctx = ctx.as_ptr();
        // SAFETY: the context is alive, and the task is one of its.
        unsafe {
            let runtime = qjs::JS_GetRuntime(ctx);
            match opaque::keep(ctx, self) {
                Some(task) => Ok(TaskHandle { task, object: std::ptr::null_mut(), runtime }),
                None => Err(rquickjs::Error::Exception),
            }
        }
    }

    /// The task in a value, if it is an object of that class.
    ///
    /// # Safety
    ///
    /// The class is one of ours, the value outlives the borrow, and nothing else uses its task.
    unsafe fn of<'a>(value: qjs::JSValue, class: qjs::JSClassID) -> Option<&'a mut Self> {
        // SAFETY: only `appear` makes objects of such a class, with a task.
        unsafe { qjs::JS_GetOpaque(value, class).cast::<Self>().as_mut() }
    }

    /// One like it, with references of its own.
    ///
    /// # Safety
    ///
    /// The runtime is the one of its values, and it [is plain](Opaque::is_plain).
    unsafe fn copy(&self, runtime: *mut qjs::JSRuntime) -> Self {
        // SAFETY: the caller's; the values are alive as long as the task.
        let own = |value: qjs::JSValue| unsafe { qjs::JS_DupValueRT(runtime, value) };
        // SAFETY: the same.
        let args = unsafe { Args::new(runtime, self.args.as_slice().iter().copied()) };
        let args = args.expect("there is memory for what was there before");
        Self { callback: own(self.callback), label: own(self.label), args, change: None, ..*self }
    }

    /// Callback and arguments, which a timer keeps as long as it lives.
    fn parts(&self) -> (qjs::JSValue, &[qjs::JSValue]) {
        (self.callback, self.args.as_slice())
    }

    /// What is to be called.
    pub fn callback<'js>(&self, ctx: &Ctx<'js>) -> Value<'js> {
        let changed = self.change().and_then(|change| change.callback);
        // SAFETY: the callback belongs to the context; the value takes over a new reference.
        unsafe {
            let callback = changed.unwrap_or(self.callback);
            Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), callback))
        }
    }

    /// Puts something in the place of a timer's callback; gives what was put there before, for the caller to
    /// drop when nobody uses the task.
    pub fn set_callback<'js>(&mut self, value: Value<'js>) -> Option<Value<'js>> {
        let ctx = value.ctx().clone();
        let change = self.change_mut();
        // SAFETY: the value belongs to the context, and so does what was there; each reference has one owner.
        unsafe {
            let callback = qjs::JS_DupValue(ctx.as_raw().as_ptr(), value.as_raw());
            change.callback.replace(callback).map(|before| Value::from_raw(ctx, before))
        }
    }

    /// Says what becomes of a timer once it has fired.
    pub fn set_then(&mut self, then: Then) {
        self.change_mut().then = Some(then);
    }

    /// Says whether a timer can begin anew.
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

    /// What the program wants to become of a timer that has fired, if that is not what the machine does. It is
    /// asked for once.
    pub fn take_then(&mut self, ctx: &Ctx<'_>) -> Option<Then> {
        let change = self.change.as_mut()?;
        let then = change.then.take();
        // SAFETY: the value is alive.
        let is_none = change.callback.is_some_and(|callback| unsafe {
            !qjs::JS_IsFunction(ctx.as_raw().as_ptr(), callback)
        });
        if is_none || change.is_over { Some(Then::Ends) } else { then }
    }

    /// Copies of the arguments.
    pub fn args<'js>(&self, ctx: &Ctx<'js>) -> Vec<Value<'js>> {
        // SAFETY: as in `callback`.
        let value = |&arg: &qjs::JSValue| unsafe {
            Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), arg))
        };
        self.args.as_slice().iter().map(value).collect()
    }

    /// Whether it owns nothing but values, and memory of the engine.
    pub fn is_plain(&self) -> bool {
        self.change.is_none()
    }

    /// Whether it still has a callback.
    pub fn has_callback(&self) -> bool {
        // SAFETY: the function looks at the value's tag.
        unsafe { !qjs::JS_IsUndefined(self.callback) }
    }

    /// Says whether an immediate keeps the program alive, while it waits.
    pub fn refer_immediate(&mut self, referenced: bool) {
        if self.has_callback() && self.referenced != referenced {
            self.referenced = referenced;
            bridge::with(|context| context.set_ready_referenced(referenced));
        }
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

impl Opaque for Task {
    fn values(&self, mut each: impl FnMut(qjs::JSValue)) {
        each(self.callback);
        each(self.label);
        self.args.as_slice().iter().for_each(|&arg| each(arg));
        self.change().and_then(|change| change.callback).into_iter().for_each(each);
    }

    fn freed(self, runtime: *mut qjs::JSRuntime) {
        // SAFETY: the engine frees what its runtime has.
        unsafe { self.args.give_back(runtime) };
    }

    fn is_plain(&self) -> bool {
        Task::is_plain(self)
    }
}

opaque_functions!(Task);

/// One reference to the handle of a timer or an immediate; or the task that has none yet, with all that it owns.
///
/// It is given back when it is dropped, which must be before the engine is.
pub struct TaskHandle {
    /// Alive as long as this: the object owns it, or else this does.
    task: NonNull<Task>,
    /// Null where the task is alone.
    object: *mut c_void,
    runtime: *mut qjs::JSRuntime,
}

/// A handle that somebody else has a reference to.
pub struct Lent<'a>(ManuallyDrop<TaskHandle>, PhantomData<&'a TaskHandle>);

impl Deref for Lent<'_> {
    type Target = TaskHandle;

    fn deref(&self) -> &TaskHandle {
        &self.0
    }
}

impl Clone for TaskHandle {
    fn clone(&self) -> Self {
        let Self { task, object, runtime } = *self;
        // SAFETY: what this has is alive, and so is its engine. What is alone is plain.
        unsafe {
            if object.is_null() {
                let task = opaque::keep_again(runtime, task.as_ref().copy(runtime));
                return Self { task, object, runtime };
            }
            qjs::JS_DupValueRT(runtime, self.as_raw());
        }
        Self { task, object, runtime }
    }
}

impl Drop for TaskHandle {
    fn drop(&mut self) {
        // SAFETY: the reference, or the task, is this one's, and the engine outlives it.
        unsafe {
            if self.object.is_null() {
                opaque::give_back(self.runtime, self.task);
            } else {
                qjs::JS_FreeValueRT(self.runtime, self.as_raw());
            }
        }
    }
}

impl TaskHandle {
    /// A new reference to the object that has the task.
    ///
    /// # Safety
    ///
    /// The value is that object, and belongs to the context.
    unsafe fn new(ctx: *mut qjs::JSContext, value: qjs::JSValue, task: &mut Task) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let object = qjs::JS_VALUE_GET_PTR(qjs::JS_DupValue(ctx, value));
            Self { task: NonNull::from(task), object, runtime: qjs::JS_GetRuntime(ctx) }
        }
    }

    /// Makes the handle, if there is none yet.
    pub fn appear(&mut self, ctx: Alive<'_>) -> Result<()> {
        if !self.object.is_null() {
            return Ok(());
        }
        // SAFETY: the object is new and of the task's class; it owns the task from now on.
        unsafe {
            let object = qjs::JS_NewObjectClass(ctx.as_ptr(), self.task.as_ref().class);
            if qjs::JS_IsException(object) {
                return Err(rquickjs::Error::Exception);
            }
            qjs::JS_SetOpaque(object, self.task.as_ptr().cast());
            self.object = qjs::JS_VALUE_GET_PTR(object);
        }
        Ok(())
    }

    /// The handle that an argument is, if it is one of that class, as long as the call.
    pub fn of<'a>(call: &'a Call<'_>, index: usize, class: qjs::JSClassID) -> Option<Lent<'a>> {
        let value = call.at(index).as_raw();
        // SAFETY: the argument is alive as long as the call, and the class is one of ours.
        unsafe {
            let task = NonNull::from(Task::of(value, class)?);
            let (object, runtime) = (qjs::JS_VALUE_GET_PTR(value), qjs::JS_GetRuntime(call.ctx));
            Some(Lent(ManuallyDrop::new(Self { task, object, runtime }), PhantomData))
        }
    }

    /// The handle of a timer that a value is, if it is one.
    pub fn timeout(ctx: &Ctx<'_>, value: &Value<'_>) -> Option<Self> {
        // SAFETY: the value is alive, and the class is one of ours.
        unsafe {
            let (raw, value) = (ctx.as_raw().as_ptr(), value.as_raw());
            Task::of(value, Classes::of(ctx).timeout).map(|task| Self::new(raw, value, task))
        }
    }

    /// A new reference to the handle, for the bindings; undefined where there is none.
    pub fn to_value<'js>(&self, ctx: &Ctx<'js>) -> Value<'js> {
        // SAFETY: the value takes over the new reference.
        unsafe {
            Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), self.as_raw()))
        }
    }

    /// A new reference to the handle, for the engine; undefined where there is none.
    pub fn to_fresh(&self, ctx: Alive<'_>) -> Fresh {
        // SAFETY: the handle is one of the context.
        unsafe { Fresh::new(qjs::JS_DupValue(ctx.as_ptr(), self.as_raw())) }
    }

    /// The object, without a reference; undefined where there is none.
    pub fn as_raw(&self) -> qjs::JSValue {
        if self.object.is_null() {
            return qjs::JS_UNDEFINED;
        }
        qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, self.object)
    }

    /// Gives its task to `act`, in which nothing of the engine may run.
    pub fn with<R>(&self, act: impl FnOnce(&mut Task) -> R) -> R {
        // SAFETY: the task is alive, and nothing else uses it meanwhile.
        act(unsafe { &mut *self.task.as_ptr() })
    }

    /// The name of the clock that a timer is on, if that has one.
    pub fn label(&self, ctx: &Ctx<'_>) -> Option<String> {
        // SAFETY: the task is alive; what makes a text of the name runs nothing of the program.
        unsafe { self.task.as_ref() }.label(ctx)
    }

    /// Calls what a timer is for.
    pub fn fire(&mut self, ctx: &Ctx<'_>) -> Result<()> {
        self.appear(ctx.into())?;
        // SAFETY: it keeps callback and arguments alive and unchanged as long as it is itself, which the
        // caller sees to.
        unsafe {
            let task = &mut *self.task.as_ptr();
            if !std::mem::take(&mut task.urgent) && task.handle.is_none() {
                return Ok(()); // Cleared among the urgent callbacks, where the machine clears nothing.
            }
            if task.change().is_some() {
                // The program may put something else in its place meanwhile.
                let callback = task.callback(ctx);
                let args = task.parts().1;
                return if callback.is_function() {
                    self.call(ctx, callback.as_raw(), args)
                } else {
                    Ok(())
                };
            }
            let (callback, args) = task.parts();
            self.call(ctx, callback, args)
        }
    }

    /// Whether the program has changed something about it.
    pub fn is_changed(&self) -> bool {
        self.with(|task| task.change().is_some())
    }

    /// Calls a function on it.
    ///
    /// # Safety
    ///
    /// All values are alive as long as the call.
    unsafe fn call(
        &self,
        ctx: &Ctx<'_>,
        callback: qjs::JSValue,
        args: &[qjs::JSValue],
    ) -> Result<()> {
        // SAFETY: the caller's; the context is one of ours.
        unsafe {
            let called_on = &state_of(ctx.as_raw().as_ptr()).run.called_on;
            called_on.set(Some(self.as_raw()));
            let result = raw::call(ctx, callback, self.as_raw(), args);
            called_on.set(None);
            result
        }
    }

    /// Calls what an immediate is for, unless it was cleared.
    pub fn fire_once(&mut self, ctx: &Ctx<'_>) -> Result<()> {
        self.appear(ctx.into())?;
        // SAFETY: what is taken from it is alive until it is dropped.
        unsafe {
            let task = &mut *self.task.as_ptr();
            if !task.referenced {
                bridge::with(|context| context.set_ready_referenced(true));
            }
            match task.take(ctx.as_raw().as_ptr()) {
                None => Ok(()),
                Some(taken) => self.call(ctx, taken.callback(), taken.args()),
            }
        }
    }

    /// Clears an immediate, which stays in its queue; false if it was cleared or has run.
    pub fn clear_once(&self, ctx: Alive<'_>) -> bool {
        self.with(|task| task.refer_immediate(false));
        // SAFETY: the context is that of the handle. What is taken is dropped when nobody uses the task.
        unsafe { (*self.task.as_ptr()).take(ctx.as_ptr()) }.is_some()
    }

    /// Whether an immediate was cleared.
    pub fn is_cleared(&self) -> bool {
        self.with(|task| !task.has_callback())
    }

    /// Where the function was written; nothing when it was cleared.
    pub fn site(&self) -> Option<Site> {
        // SAFETY: what it keeps is alive.
        self.with(|task| task.has_callback().then(|| unsafe { site_of_raw(task.parts().0) }))
    }

    /// How it counts where it is open whether time passes: timers with which the library guards what it
    /// does are far longer than anything that they guard, unless that never comes.
    pub fn eagerness(&self) -> Eagerness {
        self.with(|task| if task.guard { Eagerness::Last } else { Eagerness::Free })
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

/// Fetches what is at an address into the cache, if there is anything.
pub fn fetch(address: *const u8, offset: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.wrapping_add(offset).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (address, offset);
}

/// Fetches where the page of a small block begins: the engine writes there when it frees the block.
fn fetch_page(block: *const u8) {
    fetch(block.map_addr(|address| address & !(PAGE - 1)), 0);
}

/// Fetches a task into the cache, and its handle; when it will be needed very soon, what that leads to: its
/// properties, and its neighbours in the engine's list of all objects, from which it will be taken.
pub fn prefetch(handle: &TaskHandle, very_soon: bool) {
    let (task, object) = (handle.task.as_ptr().cast::<u8>(), handle.object.cast::<u8>());
    if !very_soon {
        fetch(task, 0);
        fetch(task, 64);
        fetch_page(task);
    }
    if object.is_null() {
        return;
    }
    if !very_soon {
        fetch(object, 0);
        fetch(object, 64);
        fetch_page(object);
        return;
    }
    // SAFETY: the handle is an object of a class of ours, and alive. It is as long as a function, and
    // whatever its words are, they are only taken for addresses.
    unsafe {
        let FunctionObject { link: [before, after], properties, .. } = *object.cast();
        let properties: *const u8 = properties.cast();
        fetch(std::ptr::without_provenance(before), 0);
        fetch(std::ptr::without_provenance(after), 0);
        fetch(properties.wrapping_sub(8), 0);
        fetch_page(properties);
    }
}

/// Whether an object is a handle whose task [is plain](Opaque::is_plain).
pub(crate) fn is_plain(ctx: &Ctx<'_>, object: qjs::JSValue) -> bool {
    let Classes { timeout, immediate } = Classes::of(ctx);
    // SAFETY: the object is alive, and nothing of the engine runs meanwhile.
    [timeout, immediate]
        .into_iter()
        .any(|class| unsafe { Task::of(object, class).is_some_and(|task| task.is_plain()) })
}

/// Whether functions are those that the engine knows for the two kinds of handles.
pub fn is_class(finalizer: &qjs::JSClassFinalizer, marker: &qjs::JSClassGCMark) -> bool {
    let is = |given: Option<usize>, own: *const ()| given == Some(own.addr());
    is(finalizer.map(|given| given as *const () as usize), finalize as *const ())
        && is(marker.map(|given| given as *const () as usize), mark as *const ())
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
