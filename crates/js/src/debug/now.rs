//! Where the program of this thread is, for those who hear its events.

use super::session::Session;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

thread_local! {
    static SESSION: RefCell<Weak<Session>> = const { RefCell::new(Weak::new()) };
}

/// From now on this is the program of this thread.
pub(super) fn set(session: &Rc<Session>) {
    SESSION.set(Rc::downgrade(session));
}

/// How many statements have begun in the program that this thread runs for a debugger.
pub fn position() -> u64 {
    SESSION.with_borrow(|session| session.upgrade().map_or(0, |session| session.step()))
}
