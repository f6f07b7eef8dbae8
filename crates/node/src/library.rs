//! Node's library parts: bytecode made from `lib/` when Hemiola was built.
#![expect(unsafe_code, reason = "loading bytecode trusts it; ours comes from the build script")]

use rquickjs::{Ctx, Error, Function, Result, Value, qjs};

/// Name and bytecode of every file, sorted by name.
static LIBRARY: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Whether a program may ask for a library file of that name.
pub(crate) fn is_public(name: &str) -> bool {
    !name.starts_with("internal/") && find(name).is_some()
}

/// The names of all library files that programs may ask for.
pub(crate) fn public_names() -> Vec<&'static str> {
    LIBRARY.iter().map(|&(name, _)| name).filter(|name| !name.starts_with("internal/")).collect()
}

/// Loads a library file and gives its body, a function of `(exports, require, module, binding)`.
pub(crate) fn body<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Option<Function<'js>>> {
    let Some(bytecode) = find(name) else { return Ok(None) };
    // SAFETY: the bytes are bytecode that the build script wrote with this very engine, and they live
    // as long as the program; evaluating takes over the one reference to what was read, and gives a
    // new one.
    let value = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let flags = qjs::JS_READ_OBJ_BYTECODE as i32;
        let script = qjs::JS_ReadObject(raw, bytecode.as_ptr(), bytecode.len() as _, flags);
        let value = qjs::JS_EvalFunction(raw, script);
        if qjs::JS_IsException(value) {
            return Err(Error::Exception);
        }
        Value::from_raw(ctx.clone(), value)
    };
    Function::from_value(value).map(Some)
}

fn find(name: &str) -> Option<&'static [u8]> {
    let at = LIBRARY.binary_search_by_key(&name, |&(name, _)| name).ok()?;
    Some(LIBRARY[at].1)
}
