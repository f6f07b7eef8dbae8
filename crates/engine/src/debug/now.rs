//! Where the program of this thread is, for those who hear its events.

use super::session::Session;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

thread_local! {
    static RUNNING: RefCell<Weak<Session>> = const { RefCell::new(Weak::new()) };
}

/// How many statements have begun in the program that this thread runs for a debugger.
pub fn position() -> u64 {
    RUNNING.with_borrow(Weak::upgrade).map_or(0, |session| session.begun())
}

/// How many functions run in it, from the innermost of the program's own to the outermost; 0 if none of its
/// own does.
pub fn functions() -> u32 {
    RUNNING.with_borrow(Weak::upgrade).map_or(0, |session| session.functions())
}

/// The program of this thread begins.
pub(super) fn runs(session: &Rc<Session>) {
    RUNNING.set(Rc::downgrade(session));
}
