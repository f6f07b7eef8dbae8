//! Classes of ours: values of Rust that JavaScript holds.
#![expect(unsafe_code, reason = "a type without a lifetime of the engine has any")]

use rquickjs::class::{JsClass, Trace, Tracer, Writable};
use rquickjs::function::Constructor;
use rquickjs::{Class, Ctx, JsLifetime, Result};
use std::ops::{Deref, DerefMut};

/// A value that JavaScript can hold, and that holds nothing of the engine itself.
pub trait Kind: 'static {
    /// What its class is called.
    const NAME: &'static str;
}

/// A value as JavaScript holds it.
pub struct Held<T>(T);

/// An object with such a value.
pub type Instance<'js, T> = Class<'js, Held<T>>;

/// A new object with that value.
pub fn make<'js, T: Kind>(ctx: Ctx<'js>, value: T) -> Result<Instance<'js, T>> {
    Class::instance(ctx, Held(value))
}

/// Makes the prototype of a class. The bindings keep it, outside of the engine's memory, from its first use
/// on: that must be before the moment that an engine is put back to.
pub fn make_prototype<T: Kind>(ctx: &Ctx<'_>) -> Result<()> {
    Class::<Held<T>>::prototype(ctx).map(drop)
}

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

// SAFETY: it holds nothing of the engine, whose values have a lifetime.
unsafe impl<T: 'static> JsLifetime<'_> for Held<T> {
    type Changed<'to> = Held<T>;
}

impl<'js, T> Trace<'js> for Held<T> {
    fn trace<'a>(&self, _: Tracer<'a, 'js>) {}
}

impl<'js, T: Kind> JsClass<'js> for Held<T> {
    const NAME: &'static str = T::NAME;
    type Mutable = Writable;

    fn constructor(_: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}
