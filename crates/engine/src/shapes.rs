//! Objects that are kept so that all others like them are made faster.
//!
//! The engine keeps what objects look like, which is their prototype and the names of their properties, as long as
//! there is one that looks so. Every function begins as one without properties, and gets `length` and `name` one
//! after the other: none stays like that, and the engine would find out anew for each closure, and for the two
//! functions of each promise.
#![expect(
    unsafe_code,
    reason = "the objects are made without the bindings, which would change their prototypes"
)]

use crate::mirror::{
    ARRAY_ITERATOR, ASYNC, CODE, DATE, MAP_ITERATOR, PLAIN, PROMISE, SET_ITERATOR,
};
use crate::raw::{self, Owned};
use crate::state::State;
use rquickjs::{Ctx, Result, Value, qjs};
use std::ffi::CStr;

/// What programs make often and seldom keep, and what begins without properties.
const MADE_OFTEN: [qjs::JSClassID; 6] =
    [PLAIN, PROMISE, DATE, ARRAY_ITERATOR, MAP_ITERATOR, SET_ITERATOR];

/// Keeps what such objects, functions and the results of iterators look like while they are made.
pub fn keep(ctx: &Ctx<'_>, state: &State) -> Result<()> {
    for class in MADE_OFTEN {
        state.keep_shape(&like(&prototype(ctx, class))?);
    }
    for class in [CODE, ASYNC].map(qjs::JSClassID::from) {
        let prototype = prototype(ctx, class);
        state.keep_shape(&like(&prototype)?);
        state.keep_shape(&with(like(&prototype)?, c"length", qjs::JS_PROP_CONFIGURABLE)?);
    }
    let result = || with(like(&prototype(ctx, PLAIN))?, c"value", qjs::JS_PROP_C_W_E);
    state.keep_shape(&result()?);
    state.keep_shape(&with(result()?, c"done", qjs::JS_PROP_C_W_E)?);
    Ok(())
}

/// What objects of a class inherit from.
fn prototype<'js>(ctx: &Ctx<'js>, class: qjs::JSClassID) -> Value<'js> {
    // SAFETY: the class is one of the engine's; the value takes over the new reference.
    unsafe {
        let prototype = qjs::JS_GetClassProto(ctx.as_raw().as_ptr(), class);
        Value::from_raw(ctx.clone(), prototype)
    }
}

/// An object without properties that inherits from another.
pub fn like<'js>(prototype: &Value<'js>) -> Result<Value<'js>> {
    let ctx = prototype.ctx();
    // SAFETY: the prototype belongs to the context; the value takes over the new reference.
    unsafe { raw::take(ctx, qjs::JS_NewObjectProto(ctx.as_raw().as_ptr(), prototype.as_raw())) }
}

/// Gives an object a property more.
fn with<'js>(object: Value<'js>, name: &CStr, flags: u32) -> Result<Value<'js>> {
    let ctx = object.ctx().as_raw().as_ptr();
    let flags = flags as i32;
    // SAFETY: the object belongs to the context, and the value needs no reference.
    let defined = unsafe {
        qjs::JS_DefinePropertyValueStr(
            ctx,
            object.as_raw(),
            name.as_ptr(),
            qjs::JS_UNDEFINED,
            flags,
        )
    };
    if defined < 0 { Err(rquickjs::Error::Exception) } else { Ok(object) }
}

impl State {
    /// Keeps what an object looks like.
    pub fn keep_shape(&self, object: &Value<'_>) {
        // SAFETY: the object belongs to its context, which is alive.
        let kept = unsafe { Owned::new(object.ctx().as_raw().as_ptr(), object.as_raw()) };
        self.registered.shapes.borrow_mut().push(kept);
    }
}
