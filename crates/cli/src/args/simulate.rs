//! What can be asked of `hemiola simulate`.

use super::profile::ProfileFlags;
use super::program::JavaScript;
use super::values::{Mishaps, duration, environment, mishaps};
use clap::Args;
use hemiola_machine::Delay;
use hemiola_world::Environment;

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// Stop after that much virtual time: 500ms, 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) until: Option<Delay>,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Let some file or network calls fail, or set the clock: fs, net, clock, clock@10s+40s
    ///
    /// Several are separated by commas. `clock`: somebody sets the clock on the wall now and then, forward or
    /// back, as the seed decides. `clock@10s+40s`: at 10 s it is set forward by 40 s; `clock@1h-10m` sets it
    /// back.
    #[arg(long, value_name = "WHAT", value_parser = mishaps, default_value = "", hide_default_value = true)]
    pub(crate) faults: Mishaps,
    /// Let the computer run only at times: freezing, thawing=U, dense=E,D or burst
    ///
    /// Between them it stands still while time goes on. thawing=500: it runs once in any 500 ms; dense=0.1,2000:
    /// it runs for at least a tenth of any 2000 ms or more; freezing: freezes become longer and longer; burst: it
    /// runs in short spikes, with ever longer pauses.
    #[arg(long, value_name = "KIND", value_parser = environment)]
    pub(crate) environment: Option<Environment>,
    /// Also make the program's changes to files on disk
    #[arg(long, conflicts_with = "paranoid")]
    pub(crate) write_through: bool,
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

pub(super) const ABOUT: &str = "\
Run a JavaScript program in virtual time, without waiting

Time jumps to whatever is due next. The wall clock starts at the beginning of 2024, and random numbers
follow from the seed: two runs with the same seed do the same.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola simulate app.js
  hemiola simulate --until 1h --seed 7 app.js
  hemiola simulate --faults fs,net --seed 7 app.js

Exit status:
    0  the program succeeded, or --until was reached; otherwise its own status, as in Node
    2  the command line is wrong
   70  a bug in hemiola
  101  a bug in hemiola, found by --paranoid";
