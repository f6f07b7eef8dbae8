//! What can be asked of `hemiola check`.

use super::lasync::LasyncFlags;
use super::machine::LFlags;
use super::schedules::{ScheduleFlags, ScheduleSearch};
use super::search::Search;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Program in L (.l), in λasync (.la) or in JavaScript (.js); or a trace, also that of a fleet
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Property that every execution must satisfy
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    pub(crate) spec: String,
    #[command(flatten, next_help_heading = "Options of L")]
    pub(crate) l: LFlags,
    #[command(flatten, next_help_heading = "Options of λasync")]
    pub(crate) lasync: LasyncFlags,
    #[command(flatten, next_help_heading = "Options of JavaScript")]
    pub(crate) schedules: ScheduleSearch,
    #[command(flatten, next_help_heading = "Options of JavaScript")]
    pub(crate) flags: ScheduleFlags,
    #[command(flatten, next_help_heading = "Options of the search")]
    pub(crate) search: Search,
}

pub(super) const ABOUT: &str = "\
Check every execution of a program against a property

The property is a regular expression over observations: `e f`, `e | f`, `e*`, `e+`, `e?`, `(e)`, `.`
for any observation, `^x` to bind x to one, `\"any text\"` in quotes. A run conforms as long as it can
still become a match; with a `$` at the end, a run that has ended must match completely. `infinitely
often a` at the end demands that no run ends and each shows a again and again.

A trace is one run: what was observed there is held to the property. In that of a fleet, every
observation is two: the name of the host, and what was observed, as in `(^host acquire host release)*`.

The extension of the file names the language. A violation is shown as the shortest execution, with
the command that runs it again.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola check nt.l --spec 'a (b c | c b)'
  hemiola check order.la --spec '(open ^file close file)* $' --strategy node
  hemiola check nt.l --spec 'a .* $' --format json

Exit status:
    0  every execution conforms, up to the given bounds
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  an execution violates the property
  102  no violation found, but --max-states or a default bound cut the search";
