//! `--verify`: what a program's scheduler does is held to its theory while it runs.

use super::verify::violation_line;
use super::watch::Watch;
use crate::console::remark;
use crate::done::Done;
use crate::exit::FOUND;
use hemiola_machine::{Event, TaskFact};
use hemiola_monitor::theory::Theory;
use hemiola_scheduler::{Contract, PARAMS};
use std::cell::RefCell;
use std::rc::Rc;

/// Contracts that listen to a run: that of a scheduler, and that of a node of several.
pub(super) struct Held(Rc<RefCell<[Contract<'static>; 2]>>);

impl Held {
    /// Begins to listen, if that is asked for.
    pub(super) fn begin(wanted: bool, watch: &mut Watch) -> Option<Self> {
        if !wanted {
            return None;
        }
        let contracts = [
            Contract::new(Theory::of_schedulers(), PARAMS),
            Contract::of_node(Theory::of_clusters()),
        ];
        let contracts = Rc::new(RefCell::new(contracts));
        let held = Rc::clone(&contracts);
        watch.tell(Box::new(move |event| {
            if let Event::Task { at, what } = event {
                let [alone, node] = &mut *held.borrow_mut();
                match &what {
                    TaskFact::Cluster { told, .. } => node.tell_of_node(told),
                    what => alone.tell(at, what),
                }
                show(alone);
                show(node);
            }
        }));
        Some(Self(contracts))
    }

    /// Nothing is under way any more at that instant, in milliseconds since 1970.
    pub(super) fn rest(&self, at: i64) {
        let [alone, _] = &mut *self.0.borrow_mut();
        alone.rest(at);
    }

    /// The end of a run: whoever violates the theory has failed, whatever it says itself.
    pub(super) fn end(self, done: Done) -> Done {
        let [alone, node] = &mut *self.0.borrow_mut();
        let is_violated = alone.report().blame.is_some() || node.violates();
        show(alone);
        show(node);
        Done { code: if is_violated { FOUND } else { done.code }, ..done }
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
