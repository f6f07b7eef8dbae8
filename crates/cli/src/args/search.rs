//! What every search through the executions of a small program has.

use super::format::Format;
use super::values::{Values, bound, schedule, states, traces};
use clap::Args;
use hemiola_calculus::l;
use hemiola_machine::Schedule;

/// What every search has.
#[derive(Debug, Args)]
pub(crate) struct Search {
    /// Values that `any` and the answers of operations are drawn from
    ///
    /// Distinct names and integers, separated by commas. Every value is tried.
    #[arg(long, value_name = "V,...", default_value_t = Values(l::Bounds::default().values))]
    #[arg(allow_hyphen_values = true)]
    values: Values,
    /// Assume that every answer comes at some time
    ///
    /// Executions that never end count only if every operation is answered, every event occurs that is
    /// waited for, and time passes until every timer is due.
    #[arg(long)]
    pub(crate) fair: bool,
    /// How long a callback stays in a queue before it starves
    ///
    /// Counted in consecutive calls and callbacks that run meanwhile, up to where a bound cuts the run.
    #[arg(long, value_name = "N", default_value_t = l::Bounds::default().starve_window)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    pub(crate) starve_window: u32,
    /// At most this many configurations to visit
    ///
    /// A search that would need more stops there; the exit status is then 102. From 1 to 100000000.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = states, allow_negative_numbers = true)]
    pub(crate) max_states: u32,
    /// At most this many observation sequences to list
    ///
    /// When there are more, the shortest are listed and the exit status is 102. From 1 to 1000000.
    /// `check` lists none and is not limited by it.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = traces, allow_negative_numbers = true)]
    pub(crate) max_traces: u32,
    /// Format of the result: text or json
    ///
    /// `json` is one object on one line, with a version.
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

impl Search {
    /// The values that answers are drawn from.
    pub(super) fn values(&self) -> Vec<String> {
        self.values.0.clone()
    }
}

/// How to look at a single run.
#[derive(Debug, Args)]
pub(crate) struct Once {
    /// Run only this schedule, and show its whole trace
    ///
    /// A schedule lists the deviations from the default order: `2:1,5:3` takes alternative 1 at choice
    /// 2 and alternative 3 at choice 5, all counted from zero. `default` has no deviations.
    #[arg(long, value_name = "SCHEDULE", value_parser = schedule)]
    pub(crate) schedule: Option<Schedule>,
}

#[cfg(test)]
mod tests {
    use hemiola_calculus::{l, lasync};

    #[test]
    fn the_window_of_both_languages_has_one_default() {
        assert_eq!(l::Bounds::default().starve_window, lasync::Bounds::default().starve_window);
        assert_eq!(l::Bounds::default().values, lasync::Bounds::default().values);
    }
}
