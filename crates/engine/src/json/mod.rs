//! `JSON.parse` and `JSON.stringify` of plain data.
//!
//! The engine takes the general way for every value: it makes a list of each object's keys, looks for `toJSON` in each
//! value, and quotes each key anew. Data that no code of the program can have a say in is read and written here instead.
//! Whatever else there is, a getter, a proxy, a `toJSON`, a text that is no JSON, is left to the engine, from the start:
//! nothing of the program has run by then, and nothing has changed.
#![expect(unsafe_code, reason = "it reads structs of the engine, and replaces functions of it")]

mod read;
#[cfg(test)]
mod tests;
mod write;

use crate::mirror::{NativeFunction as Function, NativeObject, Text};
use rquickjs::qjs::{self, JSContext, JSValue};
use rquickjs::{Ctx, Object, Result, Value};
use std::sync::OnceLock;

/// Data that is nested deeper is left to the engine, which knows how much stack there is and finds cycles.
const DEEPEST: u32 = 64;

/// The engine's own functions, the same in all contexts.
static PARSE: OnceLock<Function> = OnceLock::new();
static STRINGIFY: OnceLock<Function> = OnceLock::new();

/// Why something is not done here.
enum Stop {
    /// The engine does it.
    Elsewhere,
    /// There is an exception: there was no memory.
    Thrown,
}

/// Puts both in front of the engine's own. Once for each context.
pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    let json: Object<'_> = ctx.globals().get("JSON")?;
    for (name, own, replacement) in
        [("parse", &PARSE, parse as Function), ("stringify", &STRINGIFY, stringify as Function)]
    {
        let function: Value<'_> = json.get(name)?;
        // SAFETY: the function is alive, and a native of the engine that the manifest allows, called with these
        // arguments; it stays what it is but for the code that it leads to.
        unsafe {
            let object = qjs::JS_VALUE_GET_PTR(function.as_raw()).cast::<NativeObject>();
            let code = &raw mut (*object).function;
            own.get_or_init(|| *code);
            *code = replacement;
        }
    }
    Ok(())
}

/// `JSON.parse(text, reviver)`.
unsafe extern "C" fn parse(
    ctx: *mut JSContext,
    this: JSValue,
    count: i32,
    args: *mut JSValue,
) -> JSValue {
    let own = PARSE.get().expect("it was kept before this took its place");
    // SAFETY: the function has two parameters, so the engine passes as many arguments, which it keeps alive.
    unsafe {
        let [text, reviver] = *args.cast::<[JSValue; 2]>();
        if qjs::JS_IsUndefined(reviver)
            && let Some(Characters::Narrow(text)) = characters(text)
        {
            match read::read(ctx, text) {
                Ok(value) => return value,
                Err(Stop::Thrown) => return qjs::JS_EXCEPTION,
                Err(Stop::Elsewhere) => {}
            }
        }
        own(ctx, this, count, args)
    }
}

/// `JSON.stringify(value, replacer, space)`.
unsafe extern "C" fn stringify(
    ctx: *mut JSContext,
    this: JSValue,
    count: i32,
    args: *mut JSValue,
) -> JSValue {
    let own = STRINGIFY.get().expect("it was kept before this took its place");
    // SAFETY: the function has three parameters, so the engine passes as many arguments, which it keeps alive.
    unsafe {
        let [value, replacer, space] = *args.cast::<[JSValue; 3]>();
        if qjs::JS_IsObject(value) && is_nothing(replacer) && is_nothing(space) {
            match write::write(ctx, value) {
                Ok(text) => return text,
                Err(Stop::Thrown) => return qjs::JS_EXCEPTION,
                Err(Stop::Elsewhere) => {}
            }
        }
        own(ctx, this, count, args)
    }
}

fn is_nothing(value: JSValue) -> bool {
    // SAFETY: the functions look at the value's tag.
    unsafe { qjs::JS_IsUndefined(value) || qjs::JS_IsNull(value) }
}

/// The characters of a text where the engine has them.
pub enum Characters<'a> {
    /// Each is a byte.
    Narrow(&'a [u8]),
    /// Each is one or two words of UTF-16.
    Wide(&'a [u16]),
}

/// The characters of a value that is a text in one piece.
///
/// # Safety
///
/// The value outlives the result.
pub(crate) unsafe fn characters<'a>(value: JSValue) -> Option<Characters<'a>> {
    // SAFETY: the caller's; what a text is made of stands behind its head, or there stands where it is.
    unsafe {
        if qjs::JS_VALUE_GET_TAG(value) != qjs::JS_TAG_STRING {
            return None;
        }
        let text = qjs::JS_VALUE_GET_PTR(value).cast::<Text>();
        let (length, is_wide) = ((*text).length & !Text::WIDE, (*text).length & Text::WIDE != 0);
        let behind = text.add(1).cast::<u8>();
        let first: *const u8 = match (*text).kind() {
            Text::WHOLE => behind,
            Text::SLICE => {
                let parent = *behind.cast::<*const Text>();
                let start = *behind.add(size_of::<usize>()).cast::<u32>();
                parent.add(1).cast::<u8>().add(start as usize)
            }
            Text::INDIRECT => *behind.cast::<*const u8>(),
            _ => return None,
        };
        Some(match is_wide {
            false => Characters::Narrow(std::slice::from_raw_parts(first, length as usize)),
            true => Characters::Wide(std::slice::from_raw_parts(first.cast(), length as usize)),
        })
    }
}
