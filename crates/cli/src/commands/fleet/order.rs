//! Runs of a fleet whose messages arrive in an order that a plan gives.

use crate::render::misfit::misfit;
use crate::report::Failure;
use hemiola_explore::schedules::{Ended, Misfit, Outcome, Picker, Plan, State, Watchers};
use hemiola_gate::{Reason, Stop};
use hemiola_machine::{Delay, Missed, Schedule};
use hemiola_world::{Arrivals, Dispatcher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A run whose messages arrive by a plan.
pub(super) struct Ordered {
    picker: Arc<Mutex<Picker>>,
    stop: Stop,
}

impl Ordered {
    pub(super) fn new(plan: &Plan, watchers: &Watchers, explain: bool, stop: &Stop) -> Self {
        let picker = Arc::new(Mutex::new(Picker::new(plan, watchers, explain)));
        Self { picker, stop: stop.clone() }
    }

    /// What the world is told; a message that takes longer than `slow` is.
    pub(super) fn arrivals(&self, slow: Delay) -> Arrivals {
        let Self { picker, stop } = self;
        let dispatcher = Self { picker: Arc::clone(picker), stop: stop.clone() };
        Arrivals { dispatcher: Box::new(dispatcher), slow }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Picker> {
        self.picker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Dispatcher for Ordered {
    fn pick(
        &mut self,
        count: usize,
        state: u128,
        words: &dyn Fn(usize) -> String,
    ) -> Option<usize> {
        let taken = self.lock().pick(count, State(state), words);
        if taken.is_none() {
            self.stop.ask(Reason::Ended);
        }
        taken
    }

    fn look(&mut self) {
        if self.lock().is_over() {
            self.stop.ask(Reason::Ended);
        }
    }
}

/// The schedule of a run that was told to follow one, unless the run did not offer it.
pub(super) fn fits(ordered: &Ordered, schedule: &Schedule) -> Result<(), Failure> {
    let report = ordered.lock().report::<Failure>(false, || Ok(Outcome::default()))?;
    match report.ended {
        Ended::Misfit(Misfit { choice, wanted, count }) => {
            let missed = Missed { choice, wanted, count: count as usize };
            let choices = report.choices.len();
            Err(misfit(schedule, "this fleet", missed, choices)
                .help("find the schedules of the fleet as it is now: hemiola fleet simulate FILE --explore"))
        }
        Ended::Outcome(_) | Ended::Known(_) | Ended::Cut | Ended::Interrupted => Ok(()),
    }
}
