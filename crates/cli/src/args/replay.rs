//! What can be asked of `hemiola replay`: of a recording, and of a program under a schedule.

use super::program::JavaScript;
use super::schedules::ScheduleFlags;
use super::values::schedule;
use clap::{Args, ValueEnum};
use hemiola_machine::Schedule;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The recording: `latest`, the beginning of its id, or its path; or the joined trace of a fleet
    ///
    /// `latest`, which is the default, is the last that failed, or a later one that `--record` asked for.
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(crate) run: String,
    /// Write all events of the run to a file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Below stacks, show the chain of links or causes, with places: link, cause, both, off
    #[arg(long, value_name = "CHAINS", hide_possible_values = true)]
    pub(crate) stacks: Option<Chains>,
    /// Run a program, not a recording, under the schedule that `explore` printed
    ///
    /// `hemiola replay --schedule SCHEDULE FILE [ARGS]`, with the flags that `explore` was given.
    #[arg(long, value_name = "SCHEDULE")]
    schedule: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FollowArgs {
    /// The schedule: the deviations of the run from the default order
    #[arg(long, value_name = "SCHEDULE", value_parser = schedule)]
    pub(crate) schedule: Schedule,
    #[command(flatten)]
    pub(crate) schedules: ScheduleFlags,
    #[command(flatten)]
    pub(crate) program: JavaScript,
}

/// What stands below stacks.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Chains {
    /// Who linked what ran.
    Link,
    /// Who caused it.
    Cause,
    /// Both.
    Both,
    /// Nothing.
    Off,
}

impl Chains {
    /// The flag of the library that asks for it.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Self::Link => "--stacks=link",
            Self::Cause => "--stacks=cause",
            Self::Both => "--stacks=both",
            Self::Off => "--stacks=off",
        }
    }
}

pub(super) const ABOUT: &str = "\
Repeat a recorded run exactly

The program gets the same answers at the same places: files, sockets, time, random numbers. Nothing
outside is touched; only the program's output is printed again. The recorded source is run.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola run --record app.js
  hemiola replay
  hemiola replay 7f3a
  hemiola replay --trace trace.jsonl

Exit status:
    the program's own
  101  the program requested something else than was recorded
  103  the recording is damaged, or of a newer version";
