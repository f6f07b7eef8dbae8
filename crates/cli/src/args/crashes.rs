//! Which crashes `hemiola explore --crashes` tries.

use super::values::duration;
use crate::report::BadValue;
use clap::Args;
use hemiola_machine::Delay;

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

/// Where a program crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CrashPoint {
    /// At a write of a store, counted from 1.
    Write(u64, Loss),
    /// Where a callback begins, or something has become durable and was told; counted from 1.
    Callback(u64),
}

/// What becomes of the write that a crash comes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// It was not begun.
    Before,
    /// It was begun and is lost.
    Lost,
    /// It is durable, but nobody was told.
    After,
}

impl std::fmt::Display for CrashPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Write(number, Loss::Before) => write!(f, "w{number}-before"),
            Self::Write(number, Loss::Lost) => write!(f, "w{number}-lost"),
            Self::Write(number, Loss::After) => write!(f, "w{number}-after"),
            Self::Callback(number) => write!(f, "c{number}"),
        }
    }
}

fn crashes(text: &str) -> Result<Crashes, BadValue> {
    let number = |text: &str| text.parse().ok().filter(|number| *number > 0);
    let point = match (text.strip_prefix('w'), text.strip_prefix('c')) {
        (Some(write), _) => write.split_once('-').and_then(|(write, loss)| {
            let loss = match loss {
                "before" => Loss::Before,
                "lost" => Loss::Lost,
                "after" => Loss::After,
                _ => return None,
            };
            Some(CrashPoint::Write(number(write)?, loss))
        }),
        (_, Some(callback)) => number(callback).map(CrashPoint::Callback),
        _ if text == "all" => return Ok(Crashes::All),
        _ => None,
    };
    point.map(Crashes::At).ok_or_else(|| BadValue {
        message: format!("must be a point such as w3-after or c12, not `{}`", text.escape_debug()),
        help: "leave it out to crash the program everywhere: --crashes".into(),
    })
}
