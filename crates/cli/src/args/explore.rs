//! What can be asked of `hemiola explore`.

use super::crashes::CrashFlags;
use super::format::Format;
use super::program::JavaScript;
use super::schedules::{ScheduleFlags, ScheduleSearch};
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) search: ScheduleSearch,
    #[command(flatten)]
    pub(crate) crashes: CrashFlags,
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
Run a JavaScript program in every order that the event loop allows

Runs the program again and again in a world of its own: answers of files and connections may come in
any order, and time may pass before any of them. Schedules with few deviations from the default order
come first; when the budget is spent, random ones. The outcomes are listed, each with a schedule that
leads to it. A run fails if it ends with an error or an exit status other than 0: its schedule is made
as small as possible, and explained in words.

For a directory, several files or a test file it does what `hemiola test --explore` does. `hemiola explore
merge` joins what that wrote as JSON in several parts, and what it saved in each of them; --resume=FILE
names the file for the latter.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola explore app.js
  hemiola explore --deviations 2 --time 60s app.js
  hemiola explore --faults fs --format json app.js
  hemiola explore --crashes --until 10m tasks.js
  hemiola explore test
  hemiola explore merge part-1.json part-2.json
  hemiola explore merge --resume=all.jsonl part-1.json part-1.jsonl part-2.json part-2.jsonl

Exit status:
    0  no schedule fails, of all or of those that --deviations allows; no crash fails
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  a schedule fails, or the run after a crash
  102  no schedule that was tried fails, but the search stopped early";
