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
    /// w3-after or c12, only that crash is made, and the program's output is shown; w3-after,c2 also crashes
    /// the process that follows. With 2, every process that follows a crash is crashed everywhere, too.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Crashes {
    /// All, with so many of them in a row.
    All(Depth),
    /// One after the other.
    At(Vec<CrashPoint>),
}

/// How often a program crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    Once,
    Twice,
}

fn crashes(text: &str) -> Result<Crashes, BadValue> {
    match text {
        "all" | "1" => return Ok(Crashes::All(Depth::Once)),
        "2" => return Ok(Crashes::All(Depth::Twice)),
        _ => {}
    }
    let points: Result<Vec<CrashPoint>, _> = text.split(',').map(str::parse).collect();
    points.map(Crashes::At).map_err(|UnknownPoint| BadValue {
        message: format!(
            "must be a point such as w3-after or c12, or 2, not `{}`",
            text.escape_debug()
        ),
        help: "leave it out to crash the program everywhere: --crashes".into(),
    })
}
