//! Which crashes `hemiola explore --crashes` tries.

use super::values::duration;
use crate::report::BadValue;
use clap::Args;
use hemiola_machine::Delay;
use hemiola_world::crash::{CrashPoint, UnknownPoint};

/// How crashes are tried.
#[derive(Debug, Args)]
pub(crate) struct CrashFlags {
    /// Crash the program at every write of its task store and at every callback, and restart it
    ///
    /// What its scheduler does before and after is checked against its theory. With a POINT, such as
    /// w3-after or c12, only that crash is made, and the program's output is shown.
    #[arg(long, value_name = "POINT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "all", value_parser = crashes)]
    #[arg(conflicts_with_all = ["deviations", "reduction", "resume", "jobs", "deadlocks", "test_case", "faults"])]
    pub(crate) crashes: Option<Crashes>,
    /// With --crashes, run the program for this much virtual time: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1h", requires = "crashes")]
    pub(crate) until: Delay,
    /// With --crashes, restart the program after this time
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s", requires = "crashes")]
    pub(crate) down: Delay,
}

/// Which crashes are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crashes {
    All,
    At(CrashPoint),
}

fn crashes(text: &str) -> Result<Crashes, BadValue> {
    if text == "all" {
        return Ok(Crashes::All);
    }
    text.parse().map(Crashes::At).map_err(|UnknownPoint| BadValue {
        message: format!("must be a point such as w3-after or c12, not `{}`", text.escape_debug()),
        help: "leave it out to crash the program everywhere: --crashes".into(),
    })
}
