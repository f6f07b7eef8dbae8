//! Handles: what the machine keeps of a timer or an immediate, and what programs may hold of it.
#![expect(
    unsafe_code,
    reason = "the engine keeps a pointer to what was started and says when it is free"
)]

use super::{Classes, Started};
use crate::call::{Alive, Call, Fresh};
use crate::executing::looks_at_this;
use crate::mirror::FunctionObject;
use crate::opaque;
use crate::pages::PAGE;
use crate::raw;
use crate::state::state_of;
use hemiola_machine::{Eagerness, Site};
use rquickjs::{Ctx, Result, Value, qjs};
use std::cell::Cell;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;

/// One reference to the handle of a timer or an immediate; or what was started and has none yet, with all that it
/// owns.
///
/// It is given back when it is dropped, which must be before the engine is.
pub struct TaskHandle<T: Started> {
    /// Alive as long as this: the object owns it, or else this does.
    started: NonNull<T>,
    /// Null where there is no handle.
    object: *mut c_void,
    runtime: *mut qjs::JSRuntime,
}

/// A handle that somebody else has a reference to.
pub struct Lent<'a, T: Started>(ManuallyDrop<TaskHandle<T>>, PhantomData<&'a T>);

impl<T: Started> Deref for Lent<'_, T> {
    type Target = TaskHandle<T>;

    fn deref(&self) -> &TaskHandle<T> {
        &self.0
    }
}

impl<T: Started> Clone for TaskHandle<T> {
    fn clone(&self) -> Self {
        let Self { started, object, runtime } = *self;
        // SAFETY: what this has is alive, and so is its engine. What has no handle is plain.
        unsafe {
            if object.is_null() {
                let started = opaque::keep_again(runtime, started.as_ref().copy(runtime));
                return Self { started, object, runtime };
            }
            qjs::JS_DupValueRT(runtime, self.as_raw());
        }
        Self { started, object, runtime }
    }
}

impl<T: Started> Drop for TaskHandle<T> {
    fn drop(&mut self) {
        // SAFETY: the reference, or what was started, is this one's, and the engine outlives it.
        unsafe {
            if self.object.is_null() {
                opaque::give_back(self.runtime, self.started);
            } else {
                qjs::JS_FreeValueRT(self.runtime, self.as_raw());
            }
        }
    }
}

impl<T: Started> TaskHandle<T> {
    /// A new handle with that in it.
    pub fn with_object(ctx: Alive<'_>, started: T) -> Result<Self> {
        let mut handle = Self::alone(ctx, started)?;
        handle.appear(ctx)?;
        Ok(handle)
    }

    /// The same without an object, until one is needed.
    pub fn alone(ctx: Alive<'_>, started: T) -> Result<Self> {
        let ctx = ctx.as_ptr();
        // SAFETY: the context is alive, and what was started is one of its.
        unsafe {
            let runtime = qjs::JS_GetRuntime(ctx);
            match opaque::keep(ctx, started) {
                Some(started) => Ok(Self { started, object: std::ptr::null_mut(), runtime }),
                None => Err(rquickjs::Error::Exception),
            }
        }
    }

    /// A new reference to the object that a value is, if it is a handle of such.
    ///
    /// # Safety
    ///
    /// The value is alive and belongs to the context.
    pub(super) unsafe fn new(ctx: Alive<'_>, value: qjs::JSValue) -> Option<Self> {
        // SAFETY: the caller's.
        unsafe {
            let started = T::of(ctx, value)?;
            let object = qjs::JS_VALUE_GET_PTR(qjs::JS_DupValue(ctx.as_ptr(), value));
            Some(Self { started, object, runtime: qjs::JS_GetRuntime(ctx.as_ptr()) })
        }
    }

    /// The handle that an argument is, if it is one of such, as long as the call.
    pub fn of<'a>(call: &'a Call<'_>, index: usize) -> Option<Lent<'a, T>> {
        let value = call.at(index).as_raw();
        // SAFETY: the argument is alive as long as the call.
        unsafe {
            let started = T::of(call.alive(), value)?;
            let (object, runtime) = (qjs::JS_VALUE_GET_PTR(value), qjs::JS_GetRuntime(call.ctx));
            Some(Lent(ManuallyDrop::new(Self { started, object, runtime }), PhantomData))
        }
    }

    /// A new reference to the handle, for the bindings; undefined where there is none.
    pub fn to_value<'js>(&self, ctx: &Ctx<'js>) -> Value<'js> {
        // SAFETY: the handle is one of the context.
        unsafe { raw::copy(ctx, self.as_raw()) }
    }

    /// A new reference to the handle, for the engine; undefined where there is none.
    pub fn to_fresh(&self, ctx: Alive<'_>) -> Fresh {
        // SAFETY: the handle is one of the context.
        unsafe { Fresh::new(qjs::JS_DupValue(ctx.as_ptr(), self.as_raw())) }
    }

    /// Gives what was started to `act`, in which nothing of the engine may run.
    pub fn with<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: it is alive, and nothing else uses it meanwhile.
        act(unsafe { self.started() })
    }

    /// What was started.
    ///
    /// # Safety
    ///
    /// Nothing else uses it as long as the result is used.
    pub(super) unsafe fn started<'a>(&self) -> &'a mut T {
        // SAFETY: the caller's; it is alive as long as this.
        unsafe { &mut *self.started.as_ptr() }
    }

    /// Where the function was written; nothing when an immediate was cleared.
    pub fn site(&self) -> Option<Site> {
        self.with(|started| started.task().site())
    }

    /// How it counts where it is open whether time passes: timers with which the library guards what it
    /// does are far longer than anything that they guard, unless that never comes.
    pub fn eagerness(&self) -> Eagerness {
        self.with(|started| if started.guards() { Eagerness::Last } else { Eagerness::Free })
    }

    /// Calls a function on it. One that cannot look at what it is called on needs no handle for that.
    ///
    /// # Safety
    ///
    /// All values are alive as long as the call.
    pub(super) unsafe fn call(
        &mut self,
        ctx: &Ctx<'_>,
        callback: qjs::JSValue,
        args: &[qjs::JSValue],
    ) -> Result<()> {
        // SAFETY: the caller's; the context is one of ours. Who asks for the handle does so during the call, in which
        // nobody else uses this.
        unsafe {
            if self.object.is_null() && looks_at_this(callback) {
                self.appear(ctx.into())?;
            }
            let this = self.as_raw();
            let called_on = &state_of(ctx.as_raw().as_ptr()).run.called_on;
            let appearing: NonNull<dyn Appear + '_> = NonNull::from(&mut *self);
            called_on.set(appearing);
            let result = raw::call(ctx, callback, this, args);
            called_on.clear();
            result
        }
    }
}

/// A handle that appears when somebody asks for it.
pub trait Appear {
    /// Makes the object, if there is none yet.
    fn appear(&mut self, ctx: Alive<'_>) -> Result<()>;

    /// The object, without a reference; undefined where there is none.
    fn as_raw(&self) -> qjs::JSValue;
}

impl<T: Started> Appear for TaskHandle<T> {
    fn appear(&mut self, ctx: Alive<'_>) -> Result<()> {
        if !self.object.is_null() {
            return Ok(());
        }
        // SAFETY: the object is new and of the class of what was started; it owns that from now on.
        unsafe {
            let class = (T::KIND.class)(Classes::of(ctx));
            let object = qjs::JS_NewObjectClass(ctx.as_ptr(), class);
            if qjs::JS_IsException(object) {
                return Err(rquickjs::Error::Exception);
            }
            qjs::JS_SetOpaque(object, self.started.as_ptr().cast());
            self.object = qjs::JS_VALUE_GET_PTR(object);
        }
        Ok(())
    }

    fn as_raw(&self) -> qjs::JSValue {
        if self.object.is_null() {
            return qjs::JS_UNDEFINED;
        }
        qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, self.object)
    }
}

/// What the running callback was called on, if that is a timer or an immediate.
#[derive(Default)]
pub struct CalledOn(Cell<Option<NonNull<dyn Appear>>>);

impl Clone for CalledOn {
    /// Between callbacks, where runs are copied, there is nothing.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl CalledOn {
    /// Says so, until [`Self::clear`].
    ///
    /// # Safety
    ///
    /// It is alive until then, and nobody else uses it.
    unsafe fn set(&self, handle: NonNull<dyn Appear + '_>) {
        // SAFETY: it is forgotten before it is gone, as the caller sees to.
        let handle = unsafe {
            std::mem::transmute::<NonNull<dyn Appear + '_>, NonNull<dyn Appear + 'static>>(handle)
        };
        self.0.set(Some(handle));
    }

    /// Forgets it.
    fn clear(&self) {
        self.0.set(None);
    }

    /// The handle, which appears if it was not there; it is good as long as the call, and undefined where nothing
    /// runs that has one.
    pub fn handle(&self, ctx: Alive<'_>) -> Result<qjs::JSValue> {
        let Some(mut handle) = self.0.get() else { return Ok(qjs::JS_UNDEFINED) };
        // SAFETY: `set` saw to it that it is alive, and used by nobody else.
        let handle = unsafe { handle.as_mut() };
        handle.appear(ctx)?;
        Ok(handle.as_raw())
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

/// Fetches what was started into the cache, and its handle; when it will be needed very soon, what that leads to: its
/// properties, and its neighbours in the engine's list of all objects, from which it will be taken.
pub fn prefetch<T: Started>(handle: &TaskHandle<T>, very_soon: bool) {
    let (started, object) = (handle.started.as_ptr().cast::<u8>(), handle.object.cast::<u8>());
    if !very_soon {
        fetch(started, 0);
        fetch(started, 64);
        fetch_page(started);
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
