//! What can be asked about cron expressions and about traces of schedulers.

use super::Format;
use super::values::duration;
use crate::report::BadValue;
use clap::{Args, Subcommand, ValueEnum};
use hemiola_machine::Delay;
use hemiola_scheduler::{Dst, Zone};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CronArgs {
    #[command(subcommand)]
    pub(crate) what: CronCommand,
}

/// What can be asked about a cron expression.
#[derive(Debug, Subcommand)]
pub(crate) enum CronCommand {
    /// List the next dues of an expression
    Next(CronFlags),
    /// Say in words when an expression is due, with its next dues
    Explain(CronFlags),
}

#[derive(Debug, Args)]
pub(crate) struct CronFlags {
    /// Cron expression: minute, hour, day of the month, month, day of the week
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// Time zone, as Europe/Paris
    #[arg(long, value_name = "ZONE", default_value = "UTC", value_parser = zone)]
    pub(crate) zone: Zone,
    /// First instant: 2024-03-10T07:00:00Z, or 2024-03-10T02:00 in the zone; else now
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// List all dues before this instant
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// What becomes of minutes that a clock skips or repeats: theory or once
    ///
    /// With `theory` a skipped minute is not due and a repeated one is due twice. With `once` a fixed
    /// time that is skipped is due right after the gap, and a repeated one is due the first time only.
    #[arg(long, value_name = "HOW", default_value = "theory", hide_possible_values = true)]
    pub(crate) dst: DstFlag,
    /// How many dues, at most
    #[arg(short, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) number: Option<u32>,
    /// Form of the result: text or json
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

/// What becomes of minutes that a clock skips or shows twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DstFlag {
    Theory,
    Once,
}

impl From<DstFlag> for Dst {
    fn from(flag: DstFlag) -> Self {
        match flag {
            DstFlag::Theory => Self::Theory,
            DstFlag::Once => Self::Once,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Trace of a run, or one written as JSON; `-` for standard input
    ///
    /// Traces of several processes, each of which took the place of the one before, are one trace. A
    /// process that ended without `stop` has crashed.
    #[arg(value_name = "TRACE", required = true)]
    pub(crate) traces: Vec<PathBuf>,
    /// Hold it to this theory instead of that of declarative schedulers
    #[arg(long, value_name = "FILE")]
    pub(crate) theory: Option<PathBuf>,
    /// Units of compute for each bit of the input; else the trace's, else the theory's
    #[arg(long, value_name = "N", value_parser = units, allow_negative_numbers = true)]
    pub(crate) a: Option<u64>,
    /// Units of compute in any case; else the trace's, else the theory's
    #[arg(long, value_name = "N", value_parser = units, allow_negative_numbers = true)]
    pub(crate) b: Option<u64>,
    /// Units of compute that may be lost; else the trace's, else the theory's
    #[arg(long, value_name = "N", value_parser = units, allow_negative_numbers = true)]
    pub(crate) tlag: Option<u64>,
    /// Form of the result: text or json
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

fn zone(name: &str) -> Result<Zone, BadValue> {
    Zone::named(name).ok_or_else(|| {
        let city = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        let names = Zone::names();
        let near = names.iter().find(|known| {
            let known = known.to_ascii_lowercase();
            !city.is_empty() && known.rsplit('/').next() == Some(&city.replace([' ', '-'], "_"))
        });
        BadValue {
            message: format!("does not know the zone `{}`", name.escape_debug()),
            help: match near {
                Some(near) => format!("did you mean `--zone {near}`?"),
                None => "give a name of the IANA database, as Europe/Paris or UTC".into(),
            },
        }
    })
}

/// More dues than this are not listed at once.
pub(crate) const MOST_DUES: u32 = 1_000_000;

fn count(text: &str) -> Result<u32, BadValue> {
    match text.parse() {
        Ok(number @ 1..=MOST_DUES) => Ok(number),
        _ => Err(BadValue {
            message: format!(
                "must be a whole number from 1 to {MOST_DUES}, not `{}`",
                text.escape_debug()
            ),
            help: "give the number of dues that you want to see: -n 5".into(),
        }),
    }
}

fn units(text: &str) -> Result<u64, BadValue> {
    text.parse().map_err(|_| BadValue {
        message: format!("must be a whole number from 0 on, not `{}`", text.escape_debug()),
        help: "budgets are a(64|R| + |t|) + b units of compute, with the lag tlag".into(),
    })
}

/// How crashes are tried.
#[derive(Debug, Args)]
pub(crate) struct CrashFlags {
    /// Crash the program at every write of its store of tasks and at every callback, and restart it
    ///
    /// What its scheduler does before and after is held to its theory. With a POINT, as w3-after or c12,
    /// only that crash is made, and what the program prints is shown.
    #[arg(long, value_name = "POINT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "all", value_parser = crashes)]
    #[arg(conflicts_with_all = ["deviations", "reduction", "resume", "jobs", "deadlocks", "test_case", "faults"])]
    pub(crate) crashes: Option<Crashes>,
    /// With --crashes, let the program run for so long in virtual time: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1h", requires = "crashes")]
    pub(crate) until: Delay,
    /// With --crashes, restart the program after so long
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
        message: format!("must be a point as w3-after or c12, not `{}`", text.escape_debug()),
        help: "leave it out to crash the program everywhere: --crashes".into(),
    })
}
