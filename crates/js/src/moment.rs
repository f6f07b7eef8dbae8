//! The middle of a run, for others to go on from.

use crate::calls::Queued;
use crate::host::Js;
use crate::program::Driving;
use hemiola_engine::state::Holds;
use hemiola_node::{Options, State};
use std::rc::Rc;

/// What a run has between two callbacks, beside the memory of its engine.
pub(crate) struct Moment {
    pub(crate) driving: Driving,
    pub(crate) past: Rc<State>,
    pub(crate) queued: Queued,
    pub(crate) holds: Holds,
}

impl Moment {
    /// Of what a run has now; it goes on with a copy.
    pub(crate) fn of(host: &Js, driving: Driving) -> Self {
        let past = Rc::clone(host.state());
        Self { driving, past, queued: host.queued(), holds: host.holds() }
    }

    /// Begins a run there.
    pub(crate) fn enter(&self, host: &mut Js, options: Options) -> Driving {
        host.go_on(&self.past, &self.queued, &self.holds, options);
        self.driving.copy().expect("it could be copied when it was taken")
    }
}
