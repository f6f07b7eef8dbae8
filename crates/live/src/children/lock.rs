//! What several threads share of a child.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whoever panicked while holding it left it whole: it is only asked.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
