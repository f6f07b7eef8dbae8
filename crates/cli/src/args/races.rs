//! What can be asked of `hemiola races`.

use super::format::Format;
use super::program::JavaScript;
use super::schedules::{ScheduleFlags, SearchLimits};
use super::values::states;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct RacesArgs {
    /// Ignore accesses in files with a matching path; may be repeated
    ///
    /// `*` matches any characters but a slash, `**` any characters: `--skip '**/node_modules/**'`.
    #[arg(long, value_name = "GLOB")]
    pub(crate) skip: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
    /// Run at most N schedules
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = states, allow_negative_numbers = true)]
    pub(crate) max_schedules: u32,
    #[command(flatten)]
    pub(crate) schedules: ScheduleFlags,
    /// Format of the result: text or json
    ///
    /// `json` is one object on one line, with a version.
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

pub(super) const ABOUT: &str = "\
Find accesses of a JavaScript program that can come in either order

A race is two accesses to one variable, property, collection, listener list or file, at least one of
them a write, that nothing orders: neither who registered whom nor what the event loop guarantees. Each
is shown with both places and what led there. The program is run in many orders. A race is harmful if
the program ends differently or prints something else when the two accesses come the other way round,
and benign otherwise. With --potential, immediates, ticks and timers that are due together may also
change places: a race is potential if only the order of two registrations decides whether the program
fails.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola races app.js
  hemiola races --skip '**/node_modules/**' app.js
  hemiola races --format json app.js

Exit status:
    0  no race is harmful
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  a race is harmful, or every run fails
  102  none is in the schedules that were tried, but the search stopped early";
