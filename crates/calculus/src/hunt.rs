//! The hunt for callbacks that starve.
//!
//! Every execution is followed once more, and in it one queued callback is watched, at the chooser's
//! will. Nobody asks how often a callback starves, so a name that was found is not watched again, and
//! the hunt is over when no name is left.

use crate::names::Symbol;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The names that may still be found. Shared by all executions of one exploration.
#[derive(Debug)]
pub(crate) struct Hunt {
    prey: RefCell<BTreeSet<Symbol>>,
}

impl Hunt {
    pub(crate) fn for_any_of(prey: BTreeSet<Symbol>) -> Self {
        Self { prey: RefCell::new(prey) }
    }

    /// Whether a callback of that name is worth watching.
    pub(crate) fn wants(&self, name: Symbol) -> bool {
        self.prey.borrow().contains(&name)
    }

    pub(crate) fn found(&self, name: Symbol) {
        self.prey.borrow_mut().remove(&name);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.prey.borrow().is_empty()
    }
}
