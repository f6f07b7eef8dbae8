//! What values are inside: for `util.inspect` and its kin, which look without touching.
#![expect(unsafe_code, reason = "these call the engine's C functions, and one reads its structs")]

use crate::beyond;
use crate::mirror::{Entries, KEYS, MODULE_NAMESPACE, PAIRS, Position, Record};
use crate::raw;
use rquickjs::{Array, Ctx, Function, Object, Result, Value, qjs};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Puts the functions of this file on `binding`.
pub fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("classOf", Function::new(ctx.clone(), class_of)?)?;
    function("getProxyDetails", Function::new(ctx.clone(), proxy_details)?)?;
    function("previewEntries", Function::new(ctx.clone(), preview_entries)?)?;
    function("nonIndexKeys", Function::new(ctx.clone(), non_index_keys)?)?;
    function("ownNonIndexKeys", Function::new(ctx.clone(), own_non_index_keys)?)
}

/// `classOf(object)`: the engine's name of its class.
fn class_of<'js>(value: Object<'js>) -> Result<Value<'js>> {
    let ctx = value.ctx();
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the object is alive, its class is registered, and the atom is freed after its text was
    // made, a new reference that the value takes over.
    unsafe {
        let class = qjs::JS_GetClassID(value.as_raw());
        if class == MODULE_NAMESPACE {
            return Ok(rquickjs::String::from_str(ctx.clone(), "Module")?.into_value());
        }
        let atom = qjs::JS_GetClassName(qjs::JS_GetRuntime(raw), class);
        let name = qjs::JS_AtomToString(raw, atom);
        qjs::JS_FreeAtom(raw, atom);
        Ok(Value::from_raw(ctx.clone(), name))
    }
}

/// An error in words.
pub fn describe(thrown: &Value<'_>) -> String {
    match thrown.as_exception() {
        Some(error) => error.to_string(),
        None => thrown.as_string().and_then(|text| text.to_string().ok()).unwrap_or_default(),
    }
}

/// `getProxyDetails(value)`: `[target, handler]` of a proxy, else undefined.
fn proxy_details<'js>(value: Value<'js>) -> Option<Vec<Value<'js>>> {
    beyond::proxy_details(&value).map(Vec::from)
}

/// `previewEntries(value)`: what is left of an iterator over a map or set, without taking it, or what
/// is in a weak collection: `[entries, has_pairs]`, where pairs stand one after the other; undefined
/// for anything else.
pub fn preview_entries<'js>(ctx: Ctx<'js>, value: Object<'js>) -> Result<Option<Array<'js>>> {
    let class: String = class_of(value.clone())?.get()?;
    let entries = Array::new(ctx.clone())?;
    let is_map = class.contains("Map");
    let has_pairs;
    // SAFETY: the class says what the object's data is; an iterator that is at its end has no collection
    // any more. The structs are those of the one version of the engine that the manifest allows, and a
    // test shows that they fit.
    unsafe {
        let data = opaque(value.as_raw());
        match class.as_str() {
            "Map Iterator" | "Set Iterator" => {
                let Some(position) = data.cast::<Position>().as_ref() else { return Ok(None) };
                has_pairs = position.kind == PAIRS;
                let shown = if has_pairs {
                    Shown::Pairs
                } else if position.kind == KEYS || !is_map {
                    Shown::Keys
                } else {
                    Shown::Values
                };
                if let Some(all) = opaque(position.collection).cast::<Entries>().as_ref() {
                    collect(all, position.current, shown, is_map, &entries)?;
                }
            }
            "WeakMap" | "WeakSet" => {
                let Some(all) = data.cast::<Entries>().as_ref() else { return Ok(None) };
                has_pairs = is_map;
                let shown = if is_map { Shown::Pairs } else { Shown::Keys };
                collect(all, null(), shown, is_map, &entries)?;
            }
            _ => return Ok(None),
        }
    }
    let preview = Array::new(ctx)?;
    preview.set(0, entries)?;
    preview.set(1, has_pairs)?;
    Ok(Some(preview))
}

/// What of each entry is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Keys,
    Values,
    Pairs,
}

/// Appends what comes after a record, or all of it. In a set the key is the value, too.
///
/// # Safety
///
/// The entries must be those of a collection that is alive, the record one of them or null.
unsafe fn collect<'js>(
    all: &Entries,
    after: *const Record,
    shown: Shown,
    is_map: bool,
    to: &Array<'js>,
) -> Result<()> {
    let ctx = to.ctx();
    let end = (&raw const all.records).cast_mut();
    // SAFETY: links lead from record to record and back to the head of the list. Nothing that changes
    // the collection runs meanwhile: growing an array only allocates. A key of a weak collection is
    // alive as long as its record is there. Every value is taken as a reference of its own.
    unsafe {
        let mut link = after.as_ref().map_or(all.records.next, |record| record.link.next);
        while link != end {
            let record = &*link.byte_sub(std::mem::offset_of!(Record, link)).cast::<Record>();
            link = record.link.next;
            if record.is_deleted {
                continue;
            }
            let take = |value| raw::copy(ctx, value);
            if shown != Shown::Values {
                to.set(to.len(), take(record.key))?;
            }
            if shown != Shown::Keys {
                to.set(to.len(), take(if is_map { record.value } else { record.key }))?;
            }
        }
    }
    Ok(())
}

/// The data that the engine keeps for an object of one of its own classes.
///
/// # Safety
///
/// The value must be alive; what the pointer leads to depends on the class.
unsafe fn opaque(value: qjs::JSValue) -> *const c_void {
    let mut class = 0;
    // SAFETY: as the caller says; for what is no object the answer is null.
    let data = unsafe { qjs::JS_GetAnyOpaque(value, &mut class) };
    if class == 0 { null() } else { data }
}

/// The value of a property that an object has of its own; nothing if it has none, or if somebody would have to be
/// called for it.
pub fn own_value<'js>(object: &Object<'js>, name: &str) -> Result<Option<Value<'js>>> {
    if object.is_proxy() {
        return Ok(None);
    }
    let ctx = object.ctx().as_raw().as_ptr();
    // SAFETY: the object is alive, and the name is as long as it says; its atom is given back.
    unsafe {
        let atom = qjs::JS_NewAtomLen(ctx, name.as_ptr().cast(), name.len() as _);
        if atom == qjs::JS_ATOM_NULL {
            return Err(rquickjs::Error::Exception);
        }
        let value = raw::own_value(object.as_value(), atom);
        qjs::JS_FreeAtom(ctx, atom);
        value
    }
}

/// `nonIndexKeys(object, withSymbols)`: enumerable keys of its own that are no indexes.
fn non_index_keys<'js>(object: Object<'js>, with_symbols: bool) -> Result<Array<'js>> {
    let symbols = if with_symbols { qjs::JS_GPN_SYMBOL_MASK } else { 0 };
    keys_after_indexes(&object, qjs::JS_GPN_STRING_MASK | qjs::JS_GPN_ENUM_ONLY | symbols)
}

/// `ownNonIndexKeys(object)`: all keys of its own that are no indexes.
fn own_non_index_keys<'js>(object: Object<'js>) -> Result<Array<'js>> {
    keys_after_indexes(&object, qjs::JS_GPN_STRING_MASK | qjs::JS_GPN_SYMBOL_MASK)
}

/// The engine lists indexes first, and as numbers: only what comes after them is made into values.
fn keys_after_indexes<'js>(object: &Object<'js>, flags: u32) -> Result<Array<'js>> {
    let ctx = object.ctx();
    let raw = ctx.as_raw().as_ptr();
    let mut names: *mut qjs::JSPropertyEnum = null_mut();
    let mut count = 0;
    // SAFETY: the object is alive; on success the engine hands over an array of so many names, which is
    // freed once the values that are wanted were made from it. A name that is an index has the top bit
    // of its atom set.
    let keys: Vec<Value<'js>> = unsafe {
        let flags = flags as i32;
        if qjs::JS_GetOwnPropertyNames(raw, &mut names, &mut count, object.as_raw(), flags) < 0 {
            return Err(rquickjs::Error::Exception);
        }
        let all = match names.is_null() {
            true => &[],
            false => std::slice::from_raw_parts(names, count as usize),
        };
        const IS_INDEX: u32 = 1 << 31;
        let first = all.partition_point(|name| name.atom & IS_INDEX != 0);
        let value = |name: &qjs::JSPropertyEnum| {
            Value::from_raw(ctx.clone(), qjs::JS_AtomToValue(raw, name.atom))
        };
        let keys = all[first..].iter().map(value).collect();
        qjs::JS_FreePropertyEnum(raw, names, count);
        keys
    };
    let array = Array::new(ctx.clone())?;
    for (at, key) in keys.into_iter().enumerate() {
        array.set(at, key)?;
    }
    Ok(array)
}
