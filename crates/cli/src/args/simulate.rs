//! What can be asked of `hemiola simulate`.

use super::profile::ProfileFlags;
use super::program::JavaScript;
use super::values::{duration, faults};
use clap::Args;
use hemiola_machine::Delay;
use hemiola_world::Faults;

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// Stop after that much virtual time: 500ms, 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) until: Option<Delay>,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Let calls for files or connections fail now and then: fs, net, or both
    #[arg(long, value_name = "WHAT", value_parser = faults, default_value = "", hide_default_value = true)]
    pub(crate) faults: Faults,
    /// Change the files on the disk, too, as the program changes them
    #[arg(long, conflicts_with = "paranoid")]
    pub(crate) write_through: bool,
    #[command(flatten)]
    pub(crate) profile: ProfileFlags,
    /// Hold what the program's scheduler does to its theory, while it runs
    ///
    /// A violation is told when it happens, and the exit code is 100 then, whatever the program's is.
    #[arg(long)]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

pub(super) const ABOUT: &str = "\
Run a JavaScript program in virtual time, without waiting

Time jumps to whatever is due next. Wall clocks start with the year 2024, and random numbers follow
from the seed: two runs with the same seed show the same.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola simulate app.js
  hemiola simulate --until 1h --seed 7 app.js
  hemiola simulate --faults fs,net --seed 7 app.js

Exit codes:
    0  the program ended, or the time was up; otherwise its own code, as in Node
    2  the command line is wrong
   70  a bug in hemiola
  101  a bug in hemiola that --paranoid has found";
