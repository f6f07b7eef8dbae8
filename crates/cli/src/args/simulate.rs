//! What can be asked of `hemiola simulate`.

use super::fleet::{Seeds, latency, length, seeds};
use super::format::Format;
use super::profile::ProfileFlags;
use super::program::JavaScript;
use super::values::{Mishaps, date, duration, environment, mishaps, stand_in};
use clap::Args;
use hemiola_machine::Delay;
use hemiola_world::Environment;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// Stop after that much virtual time: 500ms, 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) until: Option<Delay>,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "seeds")]
    pub(crate) seed: u64,
    /// Run once for each of these seeds, in silence, and list those that fail: 1..1000
    ///
    /// A run fails if the program ends with another exit status than 0. Each ends after an hour of virtual time,
    /// unless `--until` says otherwise.
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    #[arg(conflicts_with_all = ["trace", "paranoid", "verify", "write_through", "profile", "profile_out"])]
    pub(crate) seeds: Option<Seeds>,
    /// How many of these runs go on at a time; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), requires = "seeds")]
    pub(crate) jobs: Option<u16>,
    /// How long to look for a smaller failing run, in real time
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = length, requires = "seeds")]
    pub(crate) shrink: Delay,
    /// Format of the result for many seeds: text or json
    #[arg(
        long,
        value_name = "FORM",
        default_value = "text",
        hide_possible_values = true,
        requires = "seeds"
    )]
    pub(crate) format: Format,
    /// When the virtual time begins: 2024-02-29, or 2024-02-29T23:59:50Z
    #[arg(long, value_name = "TIME", value_parser = date)]
    pub(crate) date: Option<u64>,
    /// How long things are under way in the computer's own network: 5ms, or 1ms..20ms
    #[arg(long, value_name = "TIME", value_parser = latency)]
    pub(crate) latency: Option<(Delay, Delay)>,
    /// Let something go wrong: fs, net, clock, pause=2/h, 'pause at 3s for 10s'
    ///
    /// Several are separated by commas or semicolons. `fs`, `net`: calls for files or the network fail now and then.
    /// `clock`: somebody sets the clock on the wall now and then, forward or back, as the seed decides.
    /// `clock@10s+40s`: at 10 s it is set forward by 40 s; `clock@1h-10m` sets it back. `pause at 3s for 10s`: the
    /// program stands still; `clock at 5s by -30s`; `disk at 3s for 1s`: all calls for files fail. Or how often, as
    /// the seed decides: `pause=2/h, clock=1/min, disk=1/h`.
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
    /// Let a program stand in for a command that the program starts: ffmpeg=stand-ins/ffmpeg.js
    ///
    /// It is run with the same arguments, and its output and exit status are those of the command. Without
    /// it, only programs for this runtime or for `node` can be started.
    #[arg(long, value_name = "NAME=FILE", value_parser = stand_in)]
    pub(crate) stand_in: Vec<(String, PathBuf)>,
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
  hemiola simulate --seeds 1..1000 --faults 'pause=2/h, clock=1/min' app.js

Exit status:
    0  the program succeeded, or --until was reached; otherwise its own status, as in Node
    2  the command line is wrong
   70  a bug in hemiola
  100  with --seeds, a run failed
  101  a bug in hemiola, found by --paranoid
  102  with --seeds, none failed, but not all were tried";
