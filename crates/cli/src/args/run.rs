//! What can be asked of `hemiola run`.

use super::profile::ProfileFlags;
use super::program::JavaScript;
use super::values::schedule;
use clap::{Args, ValueEnum};
use hemiola_machine::Schedule;
use std::ffi::OsString;

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// When to keep the run for replay: always, on-failure or off
    ///
    /// What the outside decides is recorded while the program runs. With `on-failure` the recording stays
    /// in memory, up to 2 MiB beside the sources, and is written when the program fails; a longer run is not kept.
    /// The default is the variable HEMIOLA_RECORD, or else `on-failure`.
    #[arg(long, value_name = "WHEN", default_missing_value = "always")]
    #[arg(num_args = 0..=1, require_equals = true, hide_possible_values = true)]
    pub(crate) record: Option<Record>,
    /// Keep environment variables that look like secrets as they are, too
    ///
    /// A recording has the variables that the program read. Of those whose name or value looks like a secret it
    /// has a salted digest: a replay takes the value from its own environment if that is the same.
    #[arg(long)]
    pub(crate) record_secrets: bool,
    /// Keep to the order of a schedule that `explore` printed, as far as the outside allows it
    ///
    /// The program first runs under that schedule as `replay --schedule` would, unseen and without effect.
    /// Then it runs in the world: answers that come too early wait, and one that should be next is waited
    /// for, up to a second. It is reported where the run left the order.
    #[arg(long, value_name = "SCHEDULE", value_parser = schedule)]
    pub(crate) schedule: Option<Schedule>,
    /// Show the timeline in the browser while the program runs
    ///
    /// The page is on this computer only, at an address that nobody guesses, which is told at the beginning.
    /// It follows the end of the run unless you look elsewhere. When the program has ended, the command waits
    /// until the page has the whole run, or for Ctrl-C.
    #[arg(long)]
    pub(crate) view: bool,
    #[command(flatten)]
    pub(crate) profile: ProfileFlags,
    /// Check what the program's scheduler does against its theory, while it runs
    ///
    /// A violation is reported when it happens, and the exit status is then 100, whatever the program's is.
    #[arg(long)]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

impl RunArgs {
    /// A run without a flag of ours, as clap would read its words.
    pub(super) fn of(words: Vec<OsString>) -> Self {
        Self {
            record: None,
            record_secrets: false,
            schedule: None,
            view: false,
            profile: ProfileFlags::default(),
            verify: false,
            program: JavaScript::of(words),
        }
    }
}

/// When a run is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Record {
    /// Whatever becomes of it.
    Always,
    /// If the program fails.
    OnFailure,
    /// Never.
    Off,
}

pub(super) const ABOUT: &str = "\
Run a JavaScript program

Runs an ES module or a CommonJS module in real time, in the order of Node's event loop. In the program's
own modules a string as the third argument of setTimeout or setInterval names a logical clock.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola run app.js --port 80
  hemiola run --view app.js
  hemiola run -e \"setInterval(() => console.log('tick'), 1000, 'A')\"

Exit status:
    0  the program succeeded; otherwise its own status, as in Node
    2  the command line is wrong
   70  a bug in hemiola
  101  a bug in hemiola, found by --paranoid";
