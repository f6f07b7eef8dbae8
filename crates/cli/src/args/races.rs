//! What can be asked of `hemiola races`.

use super::format::Format;
use super::program::JavaScript;
use super::schedules::{ScheduleFlags, SearchLimits};
use super::values::states;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct RacesArgs {
    /// Leave out accesses in files with such a path; may be given more than once
    ///
    /// `*` stands for any characters but a slash, `**` for any: `--skip '**/node_modules/**'`.
    #[arg(long, value_name = "GLOB")]
    pub(crate) skip: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
    /// Run at most so many schedules
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = states, allow_negative_numbers = true)]
    pub(crate) max_schedules: u32,
    #[command(flatten)]
    pub(crate) schedules: ScheduleFlags,
    /// Form of the result: text or json
    ///
    /// `json` is one object on one line, with a version.
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

pub(super) const ABOUT: &str = "\
Find accesses of a JavaScript program that come in either order

A race is two accesses to one variable, property, collection, list of listeners or file, of which one
writes, that nothing orders: not who registered whom, not what the event loop promises. Each one is
shown with both places, and who led there. The program is run in many orders, and a race is called
harmful if it ends or shows something else when the two come the other way round; else it is benign.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola races app.js
  hemiola races --skip '**/node_modules/**' app.js
  hemiola races --format json app.js

Exit codes:
    0  no race does harm
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  a race does harm
  102  none does in the schedules that were tried, but the search stopped early";
