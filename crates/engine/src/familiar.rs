//! Whether the engine is the one whose structures `mirror.rs` has.
#![expect(unsafe_code, reason = "classes are asked for next to the engine")]

use crate::interrupts;
use crate::mirror::{ARRAY_BUFFER, PLAIN, SHARED_ARRAY_BUFFER};
use crate::values;
use rquickjs::function::{Constructor, This};
use rquickjs::{Array, Ctx, Function, Object, Result, qjs};

/// Makes values and reads them back: what is wrong with the engine, if it is not the one that this was
/// written for.
pub fn check(ctx: &Ctx<'_>) -> Result<Option<String>> {
    // SAFETY: the values are alive.
    let class = |object: &Object<'_>| unsafe { qjs::JS_GetClassID(object.as_raw()) };
    let wrong = |what: &str| Ok(Some(format!("this engine is another: {what}")));
    let globals = ctx.globals();
    let make = |name: &str| globals.get::<_, Constructor<'_>>(name);
    if class(&Object::new(ctx.clone())?) != PLAIN {
        return wrong("the class of objects");
    }
    if class(&make("ArrayBuffer")?.construct::<_, Object<'_>>((8,))?) != ARRAY_BUFFER {
        return wrong("the class of buffers");
    }
    if class(&make("SharedArrayBuffer")?.construct::<_, Object<'_>>((8,))?) != SHARED_ARRAY_BUFFER {
        return wrong("the class of shared buffers");
    }
    let map: Object<'_> = make("Map")?.construct(())?;
    let set: Function<'_> = map.get("set")?;
    for (key, value) in [(1, 2), (3, 4)] {
        set.call::<_, ()>((This(map.clone()), key, value))?;
    }
    // SAFETY: the context is alive; what is read is within it in the engine that the manifest allows.
    let left = || unsafe { interrupts::left(ctx.as_raw().as_ptr()) };
    let before = left();
    set.call::<_, ()>((This(map.clone()), 3, 4))?;
    if left() != before - 1 {
        return wrong("the count of steps");
    }
    let entries: Object<'_> = map.get::<_, Function<'_>>("entries")?.call((This(map),))?;
    let seen = values::preview_entries(ctx.clone(), entries)?;
    let seen: Option<Array<'_>> = seen.map(|seen| seen.get(0)).transpose()?;
    let seen: Vec<i32> = match seen {
        Some(seen) => seen.iter::<i32>().collect::<Result<_>>()?,
        None => Vec::new(),
    };
    if seen != [1, 2, 3, 4] {
        return wrong("the entries of maps");
    }
    Ok(None)
}
