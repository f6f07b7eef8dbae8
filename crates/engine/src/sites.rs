//! Where callbacks are attached, for those who asked: see [`Settings::places`](crate::state::Settings).
//!
//! The innermost function on the engine's stack that is the program's says it: where it is, and what it calls there.
#![expect(
    unsafe_code,
    reason = "it reads frames of the engine, and callbacks are attached without the bindings"
)]

use crate::debug::{Activation, function_name, text_of};
use crate::executing::{executed, layout};
use crate::held;
use crate::interrupts::Interrupts;
use crate::sampling::Function;
use crate::state::{State, state_of};
use crate::texts::places::place_of_call;
use hemiola_machine::Place;
use rquickjs::{Ctx, qjs};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ptr::NonNull;

thread_local! {
    /// The engine that runs, if the machine is told where it is given callbacks.
    static TELLING: Cell<Option<NonNull<qjs::JSContext>>> = const { Cell::new(None) };
}

/// A place as the engine counts: the text, line and column, and the name of the function that is called there.
type Frame = (String, (u32, u32), String);

held! {
    /// What is known of places.
    #[derive(Default)]
    pub struct Sites {
        /// What frames of the engine mean in the source.
        known: RefCell<BTreeMap<Frame, Place>>,
    }
}

/// Lets [`place`] find the engine that runs until it is dropped.
pub struct Telling(Option<NonNull<qjs::JSContext>>);

impl Telling {
    /// An engine of ours begins to run. The guard must not outlive that.
    #[inline]
    pub fn begin(ctx: &Ctx<'_>, state: &State) -> Self {
        Self(TELLING.replace(state.settings.places.then(|| ctx.as_raw())))
    }
}

impl Drop for Telling {
    fn drop(&mut self) {
        TELLING.set(self.0);
    }
}

/// Where the program gives the machine what it is just giving it, if that is asked for.
pub fn place() -> Option<Place> {
    // SAFETY: whoever lets the engine run takes the pointer away afterwards.
    unsafe { innermost(TELLING.get()?.as_ptr()) }
}

/// The place of the program that is running, if the trace tells where everything is attached.
///
/// # Safety
///
/// The context is one of ours, in which a callback runs.
pub unsafe fn here(ctx: *mut qjs::JSContext) -> Option<Place> {
    // SAFETY: the caller's.
    unsafe { if state_of(ctx).settings.sites { innermost(ctx) } else { None } }
}

/// Where the innermost function of the program is; nothing if only the library's run.
///
/// # Safety
///
/// As in [`here`].
unsafe fn innermost(ctx: *mut qjs::JSContext) -> Option<Place> {
    // SAFETY: the caller's; frames and their functions are alive until the engine goes on.
    unsafe {
        let bindings = Ctx::from_raw(NonNull::new(ctx)?);
        let layout = layout(&bindings, &state_of(ctx).interrupts)?;
        let mut called = None;
        for frame in layout.stack(ctx) {
            if let Some(activation) = layout.activation(frame) {
                let file = text_of(ctx, activation.file());
                if !file.starts_with("node:") && !file.starts_with("hemiola:") {
                    let name = called.map_or_else(String::new, |it| function_name(&bindings, it));
                    let state = state_of(ctx);
                    let frame = (file, activation.place(), name);
                    let mut known = state.held.sites.known.borrow_mut();
                    if let Some(place) = known.get(&frame) {
                        return Some(place.clone());
                    }
                    let (file, _, name) = &frame;
                    let (line, column) = called_at(ctx, state, activation, file, name);
                    let file = file.strip_prefix("file://").unwrap_or(file).into();
                    let place = Place { file, line, column };
                    known.insert(frame, place.clone());
                    return Some(place);
                }
            }
            called = Some((*frame).function);
        }
        None
    }
}

/// The functions with code that run, from the innermost outwards, no more than so many of them.
///
/// # Safety
///
/// The context is alive, and its engine does nothing meanwhile.
pub(crate) unsafe fn functions(
    ctx: NonNull<qjs::JSContext>,
    interrupts: &Interrupts,
    most: usize,
) -> Vec<Function> {
    // SAFETY: the caller's.
    let ctx = unsafe { Ctx::from_raw(ctx) };
    let raw = ctx.as_raw().as_ptr();
    let function = |activation: Activation| Function {
        name: function_name(&ctx, activation.function()),
        file: text_of(raw, activation.file()),
        place: activation.code().begins(),
    };
    let layout = layout(&ctx, interrupts).into_iter();
    layout.flat_map(|layout| layout.activations(raw).take(most)).map(function).collect()
}

/// Line and column in the source of the call that a function of an engine is in the middle of.
pub(crate) fn called_at(
    ctx: *mut qjs::JSContext,
    state: &State,
    activation: Activation,
    file: &str,
    callee: &str,
) -> (u32, u32) {
    let (line, column) = activation.place();
    let of_instruction = || {
        let spot = executed(ctx, &activation)?;
        let source = || state.texts.kept_source(file);
        let culprit = state.texts.blame(file, &spot, &state.registered.compiled, source)?;
        Some(culprit.place)
    };
    place_of_call(&state.texts, file, line, column, callee, of_instruction)
        .unwrap_or((line, column))
}
