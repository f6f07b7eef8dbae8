//! What can be asked of `hemiola view`.

use super::replay::FollowArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// The run: `latest`, the beginning of its id, its path, or a trace file
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(crate) run: String,
    /// A second run to show beside the first, with their first difference
    #[arg(value_name = "RUN2")]
    pub(crate) other: Option<String>,
    /// Show a program, not a recording, under the schedule that `explore` printed
    ///
    /// `hemiola view --schedule SCHEDULE FILE [ARGS]`, with the flags that `explore` was given.
    #[arg(long, value_name = "SCHEDULE")]
    schedule: Option<String>,
    #[command(flatten)]
    pub(crate) flags: ViewFlags,
}

/// A program under a schedule.
#[derive(Debug, Args)]
pub(crate) struct ViewScheduleArgs {
    #[command(flatten)]
    pub(crate) flags: ViewFlags,
    #[command(flatten)]
    pub(crate) follow: FollowArgs,
}

/// What is shown, and where.
#[derive(Debug, Args)]
pub(crate) struct ViewFlags {
    /// Also look for accesses that can come in either order
    ///
    /// The program is instrumented to report reads and writes. So the replay takes longer, and the costs
    /// of actions are distorted. A trace file is shown with the accesses it contains.
    #[arg(long)]
    pub(crate) races: bool,
    /// Write the page to a file; opening it needs neither a network nor hemiola
    #[arg(long, value_name = "FILE", conflicts_with_all = ["port", "no_open"])]
    pub(crate) out: Option<PathBuf>,
    /// Port of the page's address; by default any free port
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Print the address, but open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

pub(super) const ABOUT: &str = "\
Open the timeline of a run in the browser

The page has one lane for each logical clock, and lanes for unlabelled timers, microtasks, immediates and
I/O. It is served on this computer only, until Ctrl-C. A recording is replayed from the recorded source;
nothing outside is touched.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola run --record app.js
  hemiola view
  hemiola view 7f3a --out report.html
  hemiola view 7f3a 91c2
  hemiola view --schedule 0:1 app.js

Exit status:
  101  the program requested something else than was recorded
  103  the recording is damaged, or of a newer version";
