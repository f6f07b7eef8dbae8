//! What can be asked of `hemiola debug`.

use super::replay::FollowArgs;
use clap::Args;
use std::ffi::OsString;

/// A recording, or a program that is recorded first.
#[derive(Debug, Args)]
pub(crate) struct DebugArgs {
    #[command(flatten)]
    pub(crate) flags: DebugFlags,
    /// Debug a program, not a recording, under the schedule that `explore` printed
    ///
    /// `hemiola debug --schedule SCHEDULE FILE [ARGS]`, with the flags that `explore` was given.
    #[arg(long, value_name = "SCHEDULE")]
    schedule: Option<String>,
    /// Of the joined trace of a fleet, the host whose program is debugged: b, or b/2 for its second program
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,
    /// Of the joined trace of a fleet, the process that is debugged, by its number
    #[arg(long, value_name = "N", conflicts_with = "host")]
    pub(crate) process: Option<u32>,
    /// The recording: `latest`, the beginning of its id, or its path; a program and its arguments; or the joined trace
    /// of a fleet
    #[arg(value_name = "RUN | FILE [ARGS]", trailing_var_arg = true)]
    pub(crate) words: Vec<OsString>,
}

/// A program under a schedule.
#[derive(Debug, Args)]
pub(crate) struct DebugScheduleArgs {
    #[command(flatten)]
    pub(crate) flags: DebugFlags,
    #[command(flatten)]
    pub(crate) follow: FollowArgs,
}

/// Who talks with the debugger, and about what.
#[derive(Clone, Debug, Args)]
pub(crate) struct DebugFlags {
    /// Read commands from standard input, one per line
    #[arg(long, conflicts_with = "port")]
    pub(crate) tty: bool,
    /// Wait for a client of the Debug Adapter Protocol at this port; 0 takes any free port
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// Print the value of an expression whenever the run reaches a line: 'FILE:LINE EXPR'
    ///
    /// The run is replayed once, and its output is printed too, in order. May be repeated.
    #[arg(long, value_name = "POINT", conflicts_with_all = ["tty", "port"])]
    pub(crate) log: Vec<String>,
    /// Do not stop in files with a matching path; may be repeated
    ///
    /// `*` matches any characters but a slash, `**` any characters: `--skip '**/node_modules/**'`.
    #[arg(long, value_name = "GLOB")]
    pub(crate) skip: Vec<String>,
    /// Be one of the processes that replay; orders come through standard input
    #[arg(long, hide = true)]
    pub(crate) replaying: bool,
}

pub(super) const ABOUT: &str = "\
Step through a run, forward and back

Speaks the Debug Adapter Protocol with an editor, on standard input and output or at a port; with --tty
it is a debugger for a terminal. A recording is replayed from the recorded source; nothing outside is
touched. A program is run and recorded first. docs/debugging.md explains how to use it.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola debug --tty                  the latest recording
  hemiola debug --tty app.js           run it, record it, and debug that
  hemiola debug --port 4711 7f3a       for an editor
  hemiola debug --log 'app.js:12 total' 7f3a
  hemiola debug --tty --host b plant.jsonl

Exit status:
  101  the program requested something else than was recorded
  103  the recording is damaged, or of a newer version";
