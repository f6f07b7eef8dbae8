//! Where callbacks are attached, for those who asked: see [`Settings::sites`](crate::state::Settings).
//!
//! The engine tells its stack only by errors. The library makes the cheapest of them, as a text, and the
//! first frame in it that is the program's is the place.
#![expect(unsafe_code, reason = "callbacks are attached without the bindings")]

use crate::beyond;
use crate::held;
use crate::raw::{self, OwnedObject};
use crate::state::{State, state, state_of};
use crate::texts::places::place_of_call;
use hemiola_machine::Place;
use rquickjs::{Ctx, Function, Result, qjs};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ptr::NonNull;

thread_local! {
    /// Where the callback is attached that is just given to the machine.
    static NOTED: RefCell<Option<Place>> = const { RefCell::new(None) };
}

held! {
    /// What is known of places.
    #[derive(Default)]
    pub struct Sites {
        /// Gives the stack, as text.
        capture: RefCell<Option<OwnedObject>>,
        /// By frame, with the function that it calls.
        known: RefCell<BTreeMap<String, Option<Place>>>,
    }
}

/// The function of this file that goes by that name on `binding`.
pub fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    (name == "setCapture").then(|| Function::new(ctx.clone(), set_capture))
}

/// `setCapture(capture)`: the function that gives the stack as text.
fn set_capture<'js>(ctx: Ctx<'js>, capture: Function<'js>) {
    // SAFETY: the function belongs to the context, which is alive.
    let capture = unsafe { OwnedObject::new(ctx.as_raw().as_ptr(), capture.as_value().as_raw()) };
    *state(&ctx).held.sites.capture.borrow_mut() = Some(capture);
}

/// Notes the place of the callback that the machine gets next.
///
/// # Safety
///
/// The context is one of ours, in which a callback runs.
pub unsafe fn note(ctx: *mut qjs::JSContext) {
    // SAFETY: the caller's.
    unsafe {
        if state_of(ctx).settings.sites {
            NOTED.set(here(ctx));
        }
    }
}

/// As [`note`].
pub fn note_here(ctx: &Ctx<'_>) {
    // SAFETY: whoever has the context of a host is in a callback of it.
    unsafe { note(ctx.as_raw().as_ptr()) }
}

/// What was noted last; once.
pub fn noted() -> Option<Place> {
    NOTED.take()
}

/// The place of the program that is running, if places are wanted.
///
/// # Safety
///
/// As in [`note`].
pub unsafe fn here(ctx: *mut qjs::JSContext) -> Option<Place> {
    // SAFETY: the caller's; the function is the library's, and gives a text or nothing.
    unsafe {
        let state = state_of(ctx);
        if !state.settings.sites {
            return None;
        }
        let capture = state.held.sites.capture.borrow().clone()?;
        let bindings = Ctx::from_raw(NonNull::new(ctx)?);
        let stack = state.interrupts.uncounted(0, || {
            qjs::JS_Call(ctx, capture.as_raw(), qjs::JS_UNDEFINED, 0, std::ptr::null_mut())
        });
        match raw::take(&bindings, stack) {
            Ok(stack) => {
                let text = String::from_utf8(beyond::utf8(stack.as_string()?.as_value()).ok()?);
                find(state, &text.ok()?)
            }
            Err(_) => {
                // There is no room for it: the callback goes without a place.
                bindings.catch();
                None
            }
        }
    }
}

/// The first frame of a stack that is the program's.
fn find(state: &State, stack: &str) -> Option<Place> {
    let mut called = "";
    for line in stack.lines() {
        let Some((name, frame)) = split(line) else { continue };
        let Some((file, line, column)) = parse(frame) else {
            called = name;
            continue;
        };
        let key = format!("{called} {frame}");
        if let Some(known) = state.held.sites.known.borrow().get(&key) {
            return known.clone();
        }
        let (line, column) =
            place_of_call(&state.texts, file, line, column, called).unwrap_or((line, column));
        let file = file.strip_prefix("file://").unwrap_or(file).into();
        let place = Some(Place { file, line, column });
        state.held.sites.known.borrow_mut().insert(key, place.clone());
        return place;
    }
    None
}

/// The name of a frame and where it is: `    at name (file:1:2)`.
fn split(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("    at ")?.strip_suffix(')')?.split_once(" (")
}

/// File, line and column of a frame of the program.
fn parse(frame: &str) -> Option<(&str, u32, u32)> {
    let mut parts = frame.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let file = parts.next()?;
    let is_ours = file.starts_with("node:") || file.starts_with("hemiola:");
    (!is_ours).then_some((file, line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_taken_apart() {
        assert_eq!(split("    at f g (/a (b)/c.js:12:3)"), Some(("f g", "/a (b)/c.js:12:3")));
        assert_eq!(parse("/c:d.js:12:3"), Some(("/c:d.js", 12, 3)));
        assert_eq!(parse("node:lib/fs:12:3"), None);
        assert_eq!(parse("native"), None);
        assert_eq!(split("Error"), None);
    }
}
