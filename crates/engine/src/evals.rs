//! Text that a program evaluates, by `eval` or as a function that it makes of text: it belongs to the file that
//! asked for it, from which an `import()` in it is resolved.
//!
//! The engine gives all such text the same name. Its function that evaluates text is a field of the context, in
//! front of which this puts one that gives the name of the file with it.
#![expect(unsafe_code, reason = "it replaces a function of the engine")]

use crate::mirror::EVALUATE;
use rquickjs::{Ctx, qjs};
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::OnceLock;

/// The engine's name for such text, which that of the file follows.
pub const EVALUATED: &str = "<input>";

/// How far up the stack a file is looked for: natives that call natives are few.
const LEVELS: c_int = 16;

type Evaluate = unsafe extern "C" fn(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    text: *const c_char,
    length: usize,
    name: *const c_char,
    line: c_int,
    flags: c_int,
    scope: c_int,
) -> qjs::JSValue;

/// The engine's own function, the same in all contexts.
static OWN: OnceLock<Evaluate> = OnceLock::new();

/// Puts the names of files into those of evaluated text. Once for each context.
pub fn install(ctx: &Ctx<'_>) {
    // SAFETY: the context is alive and new, and in the engine that the manifest allows it has its function there.
    unsafe {
        let place = ctx.as_raw().as_ptr().cast::<u8>().add(EVALUATE).cast::<Option<Evaluate>>();
        if let Some(own) = place.read() {
            OWN.get_or_init(|| own);
            place.write(Some(evaluate));
        }
    }
}

unsafe extern "C" fn evaluate(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    text: *const c_char,
    length: usize,
    name: *const c_char,
    line: c_int,
    flags: c_int,
    scope: c_int,
) -> qjs::JSValue {
    let own = OWN.get().expect("it was kept before this took its place");
    // SAFETY: the arguments are the engine's, and a name that is made here outlives the call.
    unsafe {
        let is_evaluated = CStr::from_ptr(name).to_bytes() == EVALUATED.as_bytes();
        let named = if is_evaluated { name_here(ctx) } else { None };
        let name = named.as_deref().map_or(name, CStr::as_ptr);
        own(ctx, this, text, length, name, line, flags, scope)
    }
}

/// The name of text that is evaluated here: that of the innermost function which has a file of the program's.
///
/// # Safety
///
/// The context is alive.
unsafe fn name_here(ctx: *mut qjs::JSContext) -> Option<CString> {
    for level in 0..LEVELS {
        // SAFETY: the caller's; the atom and the text of it are given back.
        let file = unsafe {
            let file = qjs::JS_GetScriptOrModuleName(ctx, level);
            if file == qjs::JS_ATOM_NULL {
                // A native, or the end.
                continue;
            }
            let text = qjs::JS_AtomToCStringLen(ctx, std::ptr::null_mut(), file);
            qjs::JS_FreeAtom(ctx, file);
            if text.is_null() {
                return None;
            }
            let file = CStr::from_ptr(text).to_string_lossy().into_owned();
            qjs::JS_FreeCString(ctx, text);
            file
        };
        if file.starts_with(EVALUATED) {
            return CString::new(file).ok();
        }
        if !file.starts_with("node:") {
            return CString::new(format!("{EVALUATED}{file}")).ok();
        }
    }
    None
}
