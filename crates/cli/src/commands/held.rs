//! `--verify`: what a program's scheduler does is held to its theory while it runs.

use super::verify::violation_line;
use super::watch::Watch;
use crate::console::remark;
use crate::done::Done;
use crate::exit::FOUND;
use hemiola_machine::Event;
use hemiola_monitor::theory::Theory;
use hemiola_scheduler::{Contract, PARAMS};
use std::cell::RefCell;
use std::rc::Rc;

/// A contract that listens to a run.
pub(super) struct Held(Rc<RefCell<Contract<'static>>>);

impl Held {
    /// Begins to listen, if that is asked for.
    pub(super) fn begin(wanted: bool, watch: &mut Watch) -> Option<Self> {
        if !wanted {
            return None;
        }
        let contract = Contract::new(Theory::of_schedulers(), PARAMS);
        let contract = Rc::new(RefCell::new(contract));
        let held = Rc::clone(&contract);
        watch.tell(Box::new(move |event| {
            if let Event::Task { at, what } = event {
                let mut contract = held.borrow_mut();
                contract.tell(at, &what);
                show(&mut contract);
            }
        }));
        Some(Self(contract))
    }

    /// Nothing is under way any more at that instant, in milliseconds since 1970.
    pub(super) fn rest(&self, at: i64) {
        self.0.borrow_mut().rest(at);
    }

    /// The end of a run: whoever violates the theory has failed, whatever it says itself.
    pub(super) fn end(self, done: Done) -> Done {
        let mut contract = self.0.borrow_mut();
        let report = contract.report();
        show(&mut contract);
        Done { code: if report.blame.is_some() { FOUND } else { done.code }, ..done }
    }
}

/// Says what was violated, as soon as it is.
fn show(contract: &mut Contract<'_>) {
    for (axiom, violation) in contract.violations() {
        let text = violation_line(axiom, &violation, contract);
        // If nobody can be told, the exit code still says it.
        remark(&text);
    }
}
