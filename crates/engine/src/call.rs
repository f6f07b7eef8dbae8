//! Calls of natives: what the engine passes, and what it gets back.
//!
//! A native is an ordinary function that takes a [`Call`]; [`native!`](crate::native) makes of it what
//! the engine can call. It is for natives that are called very often, or that need to know how many
//! arguments were given; for all others there is `rquickjs::Function`.
#![expect(unsafe_code, reason = "arguments are read from where the engine has them")]

pub use crate::json::Characters;

use crate::json::characters;
use crate::mirror::instructions::{CALL, CALL_METHOD, CALL0, CALL3, DROP};
use crate::mirror::{
    ASYNC, ASYNC_GENERATOR, CODE, FunctionObject, GENERATOR, INNERMOST, StackFrame,
};
use crate::raw::{self, Arguments, Owned, OwnedObject};
use rquickjs::qjs::{self, JSContext, JSValue};
use rquickjs::{Ctx, Function, Result, Value};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A call of a native, as long as it runs.
#[derive(Clone, Copy)]
pub struct Call<'js> {
    /// The context that it is called in.
    pub(crate) ctx: *mut JSContext,
    /// What it is called on.
    pub this: JSValue,
    /// How many arguments were given.
    pub count: i32,
    /// The arguments: as many as were given, or as the function has parameters.
    pub args: *mut JSValue,
    /// The number that the function was made with.
    pub magic: i32,
    scope: PhantomData<Ctx<'js>>,
}

/// A context that is alive as long as this is: a [`Ctx`] that counts no reference.
#[derive(Clone, Copy)]
pub struct Alive<'a>(*mut JSContext, PhantomData<&'a JSContext>);

impl Alive<'_> {
    /// The context for the engine's own functions.
    pub(crate) fn as_ptr(self) -> *mut JSContext {
        self.0
    }
}

impl<'a> From<&'a Ctx<'_>> for Alive<'a> {
    fn from(ctx: &'a Ctx<'_>) -> Self {
        Self(ctx.as_raw().as_ptr(), PhantomData)
    }
}

/// Makes of a function that takes a [`Call`] what the engine can call.
#[macro_export]
macro_rules! native {
    ($function:expr) => {{
        extern "C" fn native(
            ctx: *mut $crate::qjs::JSContext,
            this: $crate::qjs::JSValue,
            count: i32,
            args: *mut $crate::qjs::JSValue,
            magic: i32,
        ) -> $crate::qjs::JSValue {
            $crate::call::enter(ctx, this, count, args, magic, $function)
        }
        native as $crate::raw::Native
    }};
}

/// Calls a native; only what [`native!`](crate::native) makes does, with what the engine passes.
#[doc(hidden)]
pub fn enter<'js, R: Given>(
    ctx: *mut JSContext,
    this: JSValue,
    count: i32,
    args: *mut JSValue,
    magic: i32,
    native: impl FnOnce(&Call<'js>) -> R,
) -> JSValue {
    native(&Call { ctx, this, count, args, magic, scope: PhantomData }).give()
}

/// What a native can give back.
pub trait Given {
    /// The value, as a new reference, or the exception.
    fn give(self) -> JSValue;
}

impl Given for JSValue {
    fn give(self) -> JSValue {
        self
    }
}

impl Given for Result<Value<'_>> {
    fn give(self) -> JSValue {
        // SAFETY: the value belongs to the context in which the native was called.
        unsafe { crate::raw::give(self) }
    }
}

impl Given for Result<()> {
    fn give(self) -> JSValue {
        match self {
            Ok(()) => qjs::JS_UNDEFINED,
            Err(_) => qjs::JS_EXCEPTION,
        }
    }
}

/// A new reference to a value for the engine, or that an exception was thrown.
pub struct Fresh(JSValue);

impl Fresh {
    /// `undefined`.
    pub const UNDEFINED: Self = Self(qjs::JS_UNDEFINED);

    /// Takes over a new reference.
    ///
    /// # Safety
    ///
    /// Nobody else gives it back.
    pub(crate) unsafe fn new(value: JSValue) -> Self {
        Self(value)
    }
}

impl From<bool> for Fresh {
    fn from(truth: bool) -> Self {
        Self(if truth { qjs::JS_TRUE } else { qjs::JS_FALSE })
    }
}

impl From<i32> for Fresh {
    fn from(number: i32) -> Self {
        Self(qjs::JS_MKVAL(qjs::JS_TAG_INT, number))
    }
}

impl From<Value<'_>> for Fresh {
    fn from(value: Value<'_>) -> Self {
        Self(Ok(value).give())
    }
}

/// An argument where the engine has it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Arg<'a>(JSValue, PhantomData<&'a JSValue>);

impl<'a> Arg<'a> {
    /// `undefined`.
    pub const UNDEFINED: Self = Self(qjs::JS_UNDEFINED, PhantomData);

    /// `null`.
    pub const NULL: Self = Self(qjs::JS_NULL, PhantomData);

    /// A value that somebody keeps as long as it is in use.
    #[inline]
    pub(crate) fn kept(value: JSValue) -> Self {
        Self(value, PhantomData)
    }

    /// A value that somebody else keeps.
    pub fn of(value: &'a Value<'_>) -> Self {
        Self(value.as_raw(), PhantomData)
    }

    /// The value, without a reference.
    #[inline]
    pub fn as_raw(self) -> JSValue {
        self.0
    }

    /// Whether it is a string.
    pub fn is_string(self) -> bool {
        // SAFETY: the function looks at the value's tag.
        unsafe { qjs::JS_IsString(self.0) }
    }

    /// Whether it is `undefined`.
    #[inline]
    pub fn is_undefined(self) -> bool {
        // SAFETY: the function looks at the value's tag.
        unsafe { qjs::JS_IsUndefined(self.0) }
    }

    /// Whether it is `null`.
    #[inline]
    pub fn is_null(self) -> bool {
        // SAFETY: the function looks at the value's tag.
        unsafe { qjs::JS_IsNull(self.0) }
    }

    /// The truth value that it is.
    pub fn truth(self) -> Option<bool> {
        // SAFETY: the functions look at the value's tag, and at its bits.
        unsafe { qjs::JS_IsBool(self.0).then(|| qjs::JS_VALUE_GET_BOOL(self.0)) }
    }

    /// The characters of a text, where they are; nothing if it is no text, or in pieces.
    pub fn characters(self) -> Option<Characters<'a>> {
        // SAFETY: somebody keeps the value as long as this.
        unsafe { characters(self.0) }
    }

    /// The bytes of a text that has nothing but ASCII, where they are; nothing if it is no such text, or in pieces.
    pub fn ascii(self) -> Option<&'a [u8]> {
        match self.characters() {
            Some(Characters::Narrow(text)) if text.is_ascii() => Some(text),
            _ => None,
        }
    }

    /// Whether it is the same as another. False says nothing of texts and numbers with a fraction.
    #[inline]
    pub fn is_same(self, other: Arg<'_>) -> bool {
        // SAFETY: the functions look at the values' tags, and at their bits.
        unsafe {
            let tag = qjs::JS_VALUE_GET_TAG(self.0);
            tag == qjs::JS_VALUE_GET_TAG(other.0)
                && match tag {
                    qjs::JS_TAG_UNDEFINED | qjs::JS_TAG_NULL => true,
                    qjs::JS_TAG_INT | qjs::JS_TAG_BOOL => {
                        qjs::JS_VALUE_GET_INT(self.0) == qjs::JS_VALUE_GET_INT(other.0)
                    }
                    qjs::JS_TAG_OBJECT | qjs::JS_TAG_STRING | qjs::JS_TAG_SYMBOL => {
                        qjs::JS_VALUE_GET_PTR(self.0) == qjs::JS_VALUE_GET_PTR(other.0)
                    }
                    _ => false,
                }
        }
    }

    /// The number that it is.
    pub fn number(self) -> Option<f64> {
        // SAFETY: the functions look at the value's tag, and at its bits.
        unsafe {
            if qjs::JS_IsInt(self.0) {
                Some(f64::from(qjs::JS_VALUE_GET_INT(self.0)))
            } else {
                qjs::JS_IsNumber(self.0).then(|| qjs::JS_VALUE_GET_FLOAT64(self.0))
            }
        }
    }
}

impl OwnedObject {
    /// Calls a function with values of its context; what it returns is dropped.
    pub fn call(&self, ctx: &Ctx<'_>, args: &[Arg<'_>]) -> Result<()> {
        // SAFETY: an argument is its value. This keeps the function alive, and whoever lends the arguments has them.
        unsafe {
            let args = std::slice::from_raw_parts(args.as_ptr().cast(), args.len());
            raw::call(ctx, self.as_raw(), qjs::JS_UNDEFINED, args)
        }
    }
}

impl Given for Result<Fresh> {
    fn give(self) -> JSValue {
        self.map_or(qjs::JS_EXCEPTION, |forwarded| forwarded.0)
    }
}

/// The innermost frame, which is that of the native that runs.
///
/// # Safety
///
/// The context is alive.
pub(crate) unsafe fn innermost(ctx: *mut JSContext) -> *const StackFrame {
    // SAFETY: the runtime is alive with its context, and has the address there.
    unsafe { *qjs::JS_GetRuntime(ctx).cast::<u8>().add(INNERMOST).cast() }
}

impl<'js> Call<'js> {
    /// The context that it is called in, for what needs no more of it.
    #[inline]
    pub fn alive(&self) -> Alive<'_> {
        Alive(self.ctx, PhantomData)
    }

    /// The context, for the bindings.
    pub fn ctx(&self) -> Ctx<'js> {
        // SAFETY: the engine calls with a living context, in whose scope the native runs.
        unsafe { Ctx::from_raw(NonNull::new_unchecked(self.ctx)) }
    }

    /// What it is called on.
    pub fn this(&self) -> Value<'js> {
        self.value(self.this)
    }

    /// How many arguments were given.
    #[inline]
    pub fn given(&self) -> usize {
        usize::try_from(self.count).unwrap_or(0)
    }

    /// An argument; undefined if it was not given.
    pub fn arg(&self, index: usize) -> Value<'js> {
        match self.given() > index {
            // SAFETY: so many were given, and they stay alive while the native runs.
            true => self.value(unsafe { *self.args.add(index) }),
            false => Value::new_undefined(self.ctx()),
        }
    }

    /// An argument where it is; undefined if it was not given.
    #[inline]
    pub fn at(&self, index: usize) -> Arg<'_> {
        match self.given() > index {
            // SAFETY: so many were given, and they stay alive while the native runs.
            true => Arg(unsafe { *self.args.add(index) }, PhantomData),
            false => Arg(qjs::JS_UNDEFINED, PhantomData),
        }
    }

    /// The arguments that were given, from one on.
    #[inline]
    pub fn rest(&self, from: usize) -> &[Arg<'_>] {
        let count = self.given();
        if count <= from {
            return &[];
        }
        // SAFETY: so many were given, and they stay alive while the native runs; an argument is its value.
        unsafe { std::slice::from_raw_parts(self.args.add(from).cast(), count - from) }
    }

    /// A reference of our own to an argument that is a function; nothing if it is none.
    #[inline]
    pub fn function(&self, index: usize) -> Option<OwnedObject> {
        let value = self.at(index).as_raw();
        // SAFETY: the value is alive, and belongs to the context.
        unsafe { qjs::JS_IsFunction(self.ctx, value).then(|| OwnedObject::new(self.ctx, value)) }
    }

    /// Whether an argument is a function.
    #[inline]
    pub fn is_function(&self, index: usize) -> bool {
        // SAFETY: the value is alive, and belongs to the context.
        unsafe { qjs::JS_IsFunction(self.ctx, self.at(index).as_raw()) }
    }

    /// A reference of our own to an argument; nothing if it is undefined.
    pub fn kept(&self, index: usize) -> Option<Owned> {
        let arg = self.at(index);
        // SAFETY: the value is alive, and belongs to the context.
        (!arg.is_undefined()).then(|| unsafe { Owned::new(self.ctx, arg.as_raw()) })
    }

    /// References of our own to the arguments from one on.
    pub fn arguments(&self, from: usize) -> Arguments {
        match self.rest(from) {
            [] => None,
            args => {
                // SAFETY: the values are alive, and belong to the context.
                let own = |arg: &Arg<'_>| unsafe { Owned::new(self.ctx, arg.as_raw()) };
                Some(Box::new(args.iter().map(own).collect()))
            }
        }
    }

    /// Whether code calls it that drops what it gives back: then nobody can ever tell what that was.
    pub fn is_dropped(&self) -> bool {
        // SAFETY: frames are alive while a native runs, whose own is the innermost, and their functions are objects.
        // One with code knows what it executes, and after the instruction of a call, which is none that returns,
        // another follows.
        unsafe {
            let caller = (*innermost(self.ctx)).previous;
            if caller.is_null() {
                return false;
            }
            let (function, pc) = ((*caller).function, (*caller).pc);
            let function: *const FunctionObject = qjs::JS_VALUE_GET_PTR(function).cast();
            if !matches!((*function).class, CODE | GENERATOR | ASYNC | ASYNC_GENERATOR) {
                return false;
            }
            // No instruction of a call is longer.
            let has_executed = pc.addr() >= (*(*function).code).bytes.addr() + 3;
            has_executed
                && *pc == DROP
                && (matches!(*pc.sub(1), CALL0..=CALL3) || matches!(*pc.sub(3), CALL | CALL_METHOD))
        }
    }

    /// Calls a function with the same arguments.
    pub fn forward(&self, function: &Function<'js>) -> Fresh {
        // SAFETY: the function and the arguments belong to the context, and are alive.
        Fresh(unsafe {
            qjs::JS_Call(self.ctx, function.as_raw(), qjs::JS_UNDEFINED, self.count, self.args)
        })
    }

    fn value(&self, value: JSValue) -> Value<'js> {
        // SAFETY: the value belongs to the context, and is alive.
        unsafe { raw::copy(&self.ctx(), value) }
    }
}
