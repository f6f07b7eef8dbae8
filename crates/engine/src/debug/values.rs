//! Values in words, and what is in them.
#![expect(unsafe_code, reason = "values are taken from where the engine has them")]

use super::look::Variable;
use crate::raw::{self, Owned};
use crate::state::state_of;
use rquickjs::qjs::{self, JSContext, JSValue};
use rquickjs::{Array, Ctx, FromJs, Function, Object, Result, Value};
use std::ptr::NonNull;

/// The part of the library that looks at values.
pub(super) fn library<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    // SAFETY: the context is one of ours, and its host is alive.
    let state = unsafe { state_of(ctx.as_raw().as_ptr()) };
    state.library(ctx, "internal/debug")
}

/// Asks the library about a value.
fn ask<'js, T: FromJs<'js>>(ctx: &Ctx<'js>, what: &str, value: Value<'js>) -> Option<T> {
    let answer = library(ctx)
        .and_then(|library| library.get::<_, Function<'js>>(what))
        .and_then(|function| function.call((value,)));
    if answer.is_err() {
        ctx.catch();
    }
    answer.ok()
}

/// # Safety
///
/// The context and the value are alive.
unsafe fn bound<'js>(ctx: *mut JSContext, value: JSValue) -> (Ctx<'js>, Value<'js>) {
    // SAFETY: the caller's.
    unsafe {
        let ctx = Ctx::from_raw(NonNull::new_unchecked(ctx));
        let value = raw::copy(&ctx, value);
        (ctx, value)
    }
}

/// A value in one line.
pub(super) fn brief(ctx: *mut JSContext, value: JSValue) -> String {
    // SAFETY: whoever asks has the value.
    let (ctx, value) = unsafe { bound(ctx, value) };
    ask(&ctx, "brief", value).unwrap_or_default()
}

/// What was thrown, in one line.
pub(super) fn describe_thrown(ctx: *mut JSContext, value: JSValue) -> String {
    // SAFETY: whoever asks has the value.
    let (ctx, value) = unsafe { bound(ctx, value) };
    failure(&ctx, value)
}

pub(super) fn failure<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> String {
    ask(ctx, "failure", value).unwrap_or_else(|| "an error that cannot be shown".into())
}

/// A value with its name; the reference is for whoever keeps it to give.
pub(super) fn variable<'js>(ctx: &Ctx<'js>, name: String, value: &Value<'js>) -> Variable {
    Variable {
        name,
        value: ask(ctx, "brief", value.clone()).unwrap_or_default(),
        kind: ask(ctx, "kind", value.clone()).unwrap_or_default(),
        ..Variable::default()
    }
}

/// A list of what is in an object, one level deep: the last one again if that is the same. Nothing for what
/// is no object.
pub(super) fn inside(ctx: *mut JSContext, value: JSValue, last: Option<&Owned>) -> Option<Owned> {
    // SAFETY: whoever asks has the values.
    let (ctx, value) = unsafe { bound(ctx, value) };
    if !value.is_object() {
        return None;
    }
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: as above.
    let last = last.map(|last| unsafe { bound(raw, last.as_raw()).1 });
    let list: Result<Value<'_>> = library(&ctx)
        .and_then(|library| library.get::<_, Function<'_>>("inside"))
        .and_then(|function| function.call((value, last)));
    match list {
        // SAFETY: the list is alive.
        Ok(list) => list.is_object().then(|| unsafe { Owned::new(raw, list.as_raw()) }),
        Err(_) => {
            ctx.catch();
            None
        }
    }
}

/// Whether there is more in an object than is looked at.
pub(super) fn is_too_much(ctx: *mut JSContext, value: JSValue) -> bool {
    // SAFETY: whoever asks has the value.
    let (ctx, value) = unsafe { bound(ctx, value) };
    ask(&ctx, "isTooMuch", value).unwrap_or_default()
}

/// Whether there is something in a value.
pub(super) fn has_children(value: &Value<'_>) -> bool {
    value.is_object()
}

/// What is in a value: names, values, and whether it is a property; no value for a getter.
pub(super) fn children<'js>(
    ctx: &Ctx<'js>,
    value: Value<'js>,
) -> Vec<(String, Option<Value<'js>>, bool)> {
    let Some(list) = ask::<Array<'js>>(ctx, "children", value) else { return Vec::new() };
    let mut found = Vec::new();
    for index in (0..list.len()).step_by(3) {
        let name: Result<String> = list.get(index);
        let (Ok(name), Ok(value)) = (name, list.get::<Value<'js>>(index + 1)) else { continue };
        let what: i32 = list.get(index + 2).unwrap_or_default();
        found.push((name, (what != 2).then_some(value), what == 0));
    }
    found
}

/// Whether a variable has no value yet.
pub(super) fn is_uninitialized(value: JSValue) -> bool {
    // SAFETY: only the tag is looked at.
    let tag = unsafe { qjs::JS_VALUE_GET_TAG(value) };
    i64::from(tag) == i64::from(qjs::JS_TAG_UNINITIALIZED)
}

/// What a property is.
pub(super) enum Property {
    /// A value.
    Data(Owned),
    /// There is none.
    Absent,
    /// Code has to be run: a getter, if it is known, or a proxy.
    Code(Option<Owned>),
}

/// A property of a value, its own or inherited, without running any code.
///
/// # Safety
///
/// Context, value and atom are alive.
pub(super) unsafe fn property(ctx: *mut JSContext, value: JSValue, name: u32) -> Property {
    // SAFETY: the caller's; what the engine gives are new references, which are given back.
    unsafe {
        let mut at = Owned::new(ctx, value);
        while qjs::JS_IsObject(at.as_raw()) {
            if qjs::JS_IsProxy(at.as_raw()) {
                return Property::Code(None);
            }
            let mut found = std::mem::zeroed::<qjs::JSPropertyDescriptor>();
            match qjs::JS_GetOwnProperty(ctx, &mut found, at.as_raw(), name) {
                1 => {
                    let is_getter = found.flags & qjs::JS_PROP_GETSET as i32 != 0;
                    let value = Owned::new(ctx, found.value);
                    let getter = Owned::new(ctx, found.getter);
                    for one in [found.value, found.getter, found.setter] {
                        qjs::JS_FreeValue(ctx, one);
                    }
                    return match is_getter {
                        true => Property::Code(Some(getter)),
                        false => Property::Data(value),
                    };
                }
                0 => {}
                _ => {
                    qjs::JS_FreeValue(ctx, qjs::JS_GetException(ctx));
                    return Property::Code(None);
                }
            }
            let prototype = qjs::JS_GetPrototype(ctx, at.as_raw());
            at = Owned::new(ctx, prototype);
            qjs::JS_FreeValue(ctx, prototype);
        }
        Property::Absent
    }
}

/// A private field of an object, by its name with `#`.
///
/// # Safety
///
/// Context and object are alive.
pub(super) unsafe fn private_field(
    ctx: *mut JSContext,
    object: JSValue,
    name: &str,
) -> Option<Owned> {
    // SAFETY: the caller's.
    let (bindings, object) = unsafe { bound(ctx, object) };
    let wanted = rquickjs::function::Opt(Some(name.to_owned()));
    let mut found = private_fields(bindings, object.into_object()?, wanted).ok()?;
    let field = found.pop()?.into_iter().nth(1)?;
    // SAFETY: the value is alive.
    Some(unsafe { Owned::new(ctx, field.as_raw()) })
}

/// The name of a function, as it has it itself; empty if it has none.
pub(crate) fn function_name(ctx: &Ctx<'_>, function: JSValue) -> String {
    let atom = super::engine::Atom::new(ctx, "name");
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the function is alive; the value takes over a reference of its own.
    unsafe {
        let name = match property(raw, function, atom.raw) {
            Property::Data(name) => Some(bound(raw, name.as_raw()).1),
            Property::Absent | Property::Code(_) => None,
        };
        name.and_then(|name| name.as_string()?.to_string().ok()).unwrap_or_default()
    }
}

/// `privateFields(object, name)`: name, value and key of an object's private fields, or of the one of
/// that name.
pub(super) fn private_fields<'js>(
    ctx: Ctx<'js>,
    object: Object<'js>,
    wanted: rquickjs::function::Opt<String>,
) -> Result<Vec<Vec<Value<'js>>>> {
    const PRIVATE: i32 = 1 << 2;
    let raw = ctx.as_raw().as_ptr();
    let mut found = Vec::new();
    // SAFETY: the object is alive; the table is given back after its atoms were used, and what is made
    // of them are new references that the values take over.
    unsafe {
        let (mut table, mut count) = (std::ptr::null_mut(), 0);
        if qjs::JS_GetOwnPropertyNames(raw, &mut table, &mut count, object.as_raw(), PRIVATE) < 0 {
            return Err(rquickjs::Error::Exception);
        }
        for index in 0..count {
            let atom = (*table.add(index as usize)).atom;
            let name = super::engine::text_of(raw, atom);
            if wanted.0.as_ref().is_some_and(|wanted| *wanted != name) {
                continue;
            }
            let key = Value::from_raw(ctx.clone(), qjs::JS_AtomToValue(raw, atom));
            let value = qjs::JS_GetProperty(raw, object.as_raw(), atom);
            let value = crate::raw::take(&ctx, value);
            let name = rquickjs::String::from_str(ctx.clone(), &name);
            if let (Ok(name), Ok(value)) = (name, value) {
                found.push(vec![name.into_value(), value, key]);
            }
        }
        qjs::JS_FreePropertyEnum(raw, table, count);
    }
    Ok(found)
}
