//! Where the program of this thread is, for those who hear its events.

use std::cell::Cell;

thread_local! {
    static BEGUN: Cell<u64> = const { Cell::new(0) };
}

/// How many statements have begun in the program that this thread runs for a debugger.
pub fn position() -> u64 {
    BEGUN.get()
}
