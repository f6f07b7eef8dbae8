//! How engines are kept from one run to the next.
#![expect(unsafe_code, reason = "an engine is used by one thread after the other")]

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// An engine, and all that keeps something of it, to be used by one thread after the other.
///
/// Whoever makes one sees to it that nothing of what is in it is shared with something that is not, and
/// that an engine is told where the stack begins before it runs again
/// ([`note_stack`](crate::beyond::note_stack)).
#[derive(Default)]
pub struct Together<T>(pub T);

// SAFETY: what its parts share they share with each other, and all of them go to the other thread; what
// is watched in a thread is not any more when a run is over.
unsafe impl<T> Send for Together<T> {}

/// What is dropped, but not in a panic: who knows in what state an engine was left then.
pub struct UnlessPanicking<T>(ManuallyDrop<T>);

impl<T> UnlessPanicking<T> {
    /// Keeps it.
    pub fn new(kept: T) -> Self {
        Self(ManuallyDrop::new(kept))
    }
}

impl<T> Deref for UnlessPanicking<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for UnlessPanicking<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> Drop for UnlessPanicking<T> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // SAFETY: nobody uses it afterwards.
            unsafe { ManuallyDrop::drop(&mut self.0) }
        }
    }
}
