//! A schedule that does not fit what it is given for.

use super::words::count;
use crate::report::Failure;
use hemiola_machine::{Missed, Schedule};

/// Says that a schedule does not fit `what`, which made so many choices.
pub(crate) fn misfit(schedule: &Schedule, what: &str, missed: Missed, choices: usize) -> Failure {
    let Missed { choice, wanted, count: offered } = missed;
    let found = match offered {
        0 => format!("the run made {}", count(choices, "choice")),
        offered => format!("there were {offered} alternatives, 0 to {}", offered - 1),
    };
    Failure::new(format!("the schedule `{schedule}` does not fit {what}"))
        .fact(format!("wanted: alternative {wanted} at choice {choice}"))
        .fact(format!("found:  {found}"))
}
