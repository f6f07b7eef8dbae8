//! Text that a program evaluates, by `eval` or as a function that it makes of text: it belongs to the file that
//! asked for it, from which an `import()` in it is resolved, and its awaits are made known as those of a file.
//!
//! The engine gives all such text the same name. Its function that evaluates text is a field of the context, in
//! front of which this puts one that gives the name of the file with it.
#![expect(unsafe_code, reason = "it replaces a function of the engine")]

use crate::mirror::EVALUATE;
use crate::state::state_of;
use hemiola_transform::CONTEXT_OF_EVALUATED;
use rquickjs::object::Property;
use rquickjs::{Ctx, Function, Result, qjs};
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::NonNull;
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

thread_local! {
    /// The text that is being evaluated in this thread, and its length.
    static EVALUATING: Cell<Option<(*const c_char, usize)>> = const { Cell::new(None) };
    /// The file of the text that is evaluated next, which is ready for the engine.
    static NEXT: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Says that the text which is evaluated next is that of a file, and ready for the engine.
pub fn file_of_next(file: &str) {
    NEXT.set(CString::new(file).ok());
}

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
        let is_text = CStr::from_ptr(name).to_bytes() == EVALUATED.as_bytes();
        let file = if is_text { NEXT.take() } else { None };
        let is_evaluated = is_text && file.is_none();
        let named = if is_evaluated { name_here(ctx) } else { file };
        let name = named.as_deref().map_or(name, CStr::as_ptr);
        let made = if is_evaluated { with_contexts(ctx, text, length) } else { None };
        let outer = EVALUATING.replace(is_evaluated.then_some((text, length)));
        let (text, length) =
            made.as_deref().map_or((text, length), |made| (made.as_ptr().cast(), made.len() - 1));
        let result = own(ctx, this, text, length, name, line, flags, scope);
        EVALUATING.set(outer);
        result
    }
}

/// The text that is being evaluated, as the program wrote it.
#[must_use]
pub fn evaluating() -> Option<String> {
    let (text, length) = EVALUATING.get()?;
    // SAFETY: the engine keeps it until it is evaluated.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// A text that tells of its awaits, with a zero behind it, if it has any; nothing if it is to stay as it is.
///
/// # Safety
///
/// The context is alive, and the text as long as it says.
unsafe fn with_contexts(
    ctx: *mut qjs::JSContext,
    text: *const c_char,
    length: usize,
) -> Option<String> {
    // SAFETY: the caller's. A context without a state is not served yet, and runs no program.
    unsafe {
        let bytes = std::slice::from_raw_parts(text.cast::<u8>(), length);
        if qjs::JS_GetContextOpaque(ctx).is_null() {
            return None;
        }
        let state = state_of(ctx);
        let mut code = state.texts.evaluated(std::str::from_utf8(bytes).ok()?)?;
        code.push('\0');
        let ctx = Ctx::from_raw(NonNull::new(ctx)?);
        prepare(&ctx).ok()?;
        Some(code)
    }
}

/// Has what such a text needs: the context object, and functions that show what was written.
fn prepare(ctx: &Ctx<'_>) -> Result<()> {
    let state = crate::state::state(ctx);
    let context = state.library(ctx, "internal/context")?;
    let globals = ctx.globals();
    if !globals.contains_key(CONTEXT_OF_EVALUATED)? {
        globals.prop(CONTEXT_OF_EVALUATED, Property::from(context).configurable())?;
    }
    if state.texts.take_changed() {
        let library = state.library(ctx, "internal/modules/to_string")?;
        library.get::<_, Function<'_>>("install")?.call::<_, ()>(())?;
    }
    Ok(())
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
