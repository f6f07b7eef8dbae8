//! What can be asked of `hemiola run`.

use super::profile::ProfileFlags;
use super::program::JavaScript;
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// When the run is kept, to be replayed: always, on-failure or off
    ///
    /// What the outside decides is noted while the program runs. With `on-failure` it stays in memory,
    /// up to 2 MiB of it, and is written when the program fails; a longer run is not kept.
    /// Without the flag the variable HEMIOLA_RECORD decides, and without that `on-failure`.
    #[arg(long, value_name = "WHEN", default_missing_value = "always")]
    #[arg(num_args = 0..=1, require_equals = true, hide_possible_values = true)]
    pub(crate) record: Option<Record>,
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

Runs an ES module or a CommonJS module on the machine, in real time, in the order of Node's event loop.
In the program's own modules the third argument of setTimeout and setInterval names a logical clock.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola run app.js --port 80
  hemiola run -e \"setInterval(() => console.log('tick'), 1000, 'A')\"

Exit codes:
    0  the program ended; otherwise its own code, as in Node
    2  the command line is wrong
   70  a bug in hemiola
  101  a bug in hemiola that --paranoid has found";
