//! How a function that JavaScript calls reaches the machine.
//!
//! While the host runs a callback it holds the machine's [`Context`]; the engine in between knows
//! nothing of it. The pointer is kept here for exactly that time.
#![expect(unsafe_code, reason = "the engine calls back without our context; see `with`")]

use crate::language::JavaScript;
use hemiola_machine::Context;
use std::cell::Cell;
use std::ptr::NonNull;

thread_local! {
    static CURRENT: Cell<Option<NonNull<()>>> = const { Cell::new(None) };
}

/// Makes a context the current one until the guard is dropped.
pub struct Entered(Option<NonNull<()>>);

/// Enters a context. The guard must not outlive the borrow; the callers in `host` drop it before
/// they return to the machine.
#[inline]
pub fn enter(context: &mut Context<'_, JavaScript>) -> Entered {
    Entered(CURRENT.replace(Some(NonNull::from(context).cast())))
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Gives the current context to `act`.
///
/// # Panics
///
/// When no callback runs, or when `act` leads back here: the context is handed out once at a time.
pub fn with<R>(act: impl FnOnce(&mut Context<'_, JavaScript>) -> R) -> R {
    let pointer = CURRENT.take().expect("the machine is reached from a running callback");
    // SAFETY: the pointer was made in `enter` from a mutable borrow that is alive as long as the guard,
    // whose drop takes it away again; it is out of the cell while it is in use, so no second mutable
    // borrow can be made from it.
    let result = act(unsafe { pointer.cast::<Context<'_, JavaScript>>().as_mut() });
    CURRENT.set(Some(pointer));
    result
}

/// Whether a callback runs, so that [`with`] may be called.
pub fn is_entered() -> bool {
    CURRENT.get().is_some()
}
