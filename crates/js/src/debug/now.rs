//! Where the program of this thread is, for those who hear its events.

use hemiola_machine::Place;
use std::cell::Cell;

thread_local! {
    static BEGUN: Cell<u64> = const { Cell::new(0) };
}

/// How many statements have begun in the program that this thread runs for a debugger.
pub fn position() -> u64 {
    BEGUN.get()
}

/// The statement that began last in it.
pub fn place() -> Option<Place> {
    None
}
