//! What can be asked of `hemiola cron`.

use super::format::Format;
use crate::report::BadValue;
use clap::{Args, Subcommand, ValueEnum};
use hemiola_scheduler::{Dst, Zone};

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
    /// Describe in words when an expression is due, with its next dues
    Explain(CronFlags),
}

#[derive(Debug, Args)]
pub(crate) struct CronFlags {
    /// Cron expression: minute, hour, day of the month, month, day of the week
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// Time zone, such as Europe/Paris or UTC; by default the host's (TZ)
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    pub(crate) zone: Option<Zone>,
    /// First instant: 2024-03-10T07:00:00Z, or 2024-03-10T02:00 in the zone; by default now
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// List all dues before this instant
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// What to do with minutes that a clock skips or repeats: theory or once
    ///
    /// `theory`: a skipped minute is not due, and a repeated one is due twice. `once`: a skipped fixed
    /// time is due right after the gap, and a repeated one only the first time.
    #[arg(long, value_name = "HOW", default_value = "theory", hide_possible_values = true)]
    pub(crate) dst: DstFlag,
    /// List at most this many dues
    #[arg(short, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) number: Option<u32>,
    /// Format of the result: text or json
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

fn zone(name: &str) -> Result<Zone, BadValue> {
    Zone::named(name).ok_or_else(|| {
        let city = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        let names = Zone::names();
        let near = names.iter().find(|known| {
            let known = known.to_ascii_lowercase();
            !city.is_empty() && known.rsplit('/').next() == Some(&city.replace([' ', '-'], "_"))
        });
        BadValue {
            message: format!("does not know the time zone `{}`", name.escape_debug()),
            help: match near {
                Some(near) => format!("did you mean `--zone {near}`?"),
                None => "give a name of the IANA database, such as Europe/Paris or UTC".into(),
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
                "must be an integer from 1 to {MOST_DUES}, not `{}`",
                text.escape_debug()
            ),
            help: "give the number of dues that you want to see: -n 5".into(),
        }),
    }
}

pub(super) const ABOUT: &str = "\
Show when a cron expression is due

An expression has five fields: minute, hour, day of the month, month, day of the week. Each is `*`, a
number, a range, or a list of these, and may have a step. When both days are restricted, a day has to
match only one of them. Time zones come from the bundled database.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola cron next '0 3 * * *'
  hemiola cron next '30 2 * * *' --zone America/New_York --from 2024-03-09 -n 3 --dst once
  hemiola cron explain '0 9-17 * * mon-fri'";
