//! A sink for explorations, which want to know nothing but observations.

use hemiola_machine::{Event, Observation, Sink};

/// Keeps the observations of a step.
pub(crate) struct Observed<'a>(pub(crate) &'a mut Vec<Observation>);

impl Sink for Observed<'_> {
    // Observations are told in any case; everything else is not worth building.
    const LISTENS: bool = false;

    fn event(&mut self, event: Event) {
        if let Event::Observed(observation) = event {
            self.0.push(observation);
        }
    }
}
