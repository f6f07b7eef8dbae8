//! The context in which a module is evaluated that `import()` asks for: that of whoever called it.
//!
//! The engine loads and evaluates it in a job of its own, of which it tells nothing but what the loader is asked
//! for. Such jobs run in the order of the calls. So the program's text notes each call with its specifier and the
//! frame, and the loader takes the first with the specifier that it is asked for.

use super::FRAMES;
use crate::call::Call;
use crate::held;
use crate::raw::Owned;
use crate::state::state_of;
use rquickjs::{Ctx, qjs};
use std::cell::RefCell;
use std::collections::VecDeque;

held! {
    /// The calls whose jobs have not run.
    #[derive(Default)]
    pub(super) struct Imports {
        calls: RefCell<VecDeque<Calling>>,
    }
}

struct Calling {
    specifier: String,
    frame: Option<Owned>,
}

impl Imports {
    /// Whether all of them have run.
    pub(super) fn are_none(&self) -> bool {
        self.calls.borrow().is_empty()
    }
}

/// `noteImport(specifier)`: gives it back. What is not a string is left to the engine, and seen without a context.
pub(super) fn note(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: the engine passes a living context and at least one argument.
    unsafe {
        let contexts = &state_of(ctx).contexts;
        if contexts.has(FRAMES) && qjs::JS_IsString(*args) {
            let frame = contexts.frame.borrow();
            let frame = frame.as_ref().map(|frame| Owned::new(ctx, frame.as_raw()));
            let specifier = call.arg(0).as_string().and_then(|text| text.to_string().ok());
            if let Some(specifier) = specifier {
                contexts.imports.calls.borrow_mut().push_back(Calling { specifier, frame });
            }
        }
        qjs::JS_DupValue(ctx, *args)
    }
}

/// A job begins that loads a module: what it evaluates sees what the caller saw.
pub fn importing(ctx: &Ctx<'_>, specifier: &str) {
    // SAFETY: the context is one of ours.
    let contexts = unsafe { &state_of(ctx.as_raw().as_ptr()).contexts };
    if !contexts.has(FRAMES) {
        return;
    }
    let call = {
        let mut calls = contexts.imports.calls.borrow_mut();
        let at = calls.iter().position(|call| call.specifier == specifier);
        at.and_then(|at| calls.remove(at))
    };
    if let Some(call) = call {
        contexts.set_frame(call.frame);
    }
}
