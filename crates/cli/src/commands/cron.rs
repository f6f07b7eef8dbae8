//! `hemiola cron`: when expressions are due.

use crate::args::{CronArgs, CronCommand, CronFlags, Format, MOST_DUES};
use crate::done::Done;
use crate::report::Failure;
use crate::source::Source;
use hemiola_live::{environment, time_zone};
use hemiola_scheduler::{Cron, Dues, Zone, utc};
use serde_json::json;
use std::fmt::Write;
use std::time::SystemTime;

/// How many dues are listed if nobody says how many.
const NEXT: u32 = 10;
const EXPLAINED: u32 = 3;

pub(super) fn run(args: &CronArgs) -> Result<Done, Failure> {
    let (flags, explain) = match &args.what {
        CronCommand::Next(flags) => (flags, false),
        CronCommand::Explain(flags) => (flags, true),
    };
    let text = &flags.expression;
    let cron = Cron::parse(text)
        .map_err(|error| Failure::at(Source { name: "EXPR".into(), text: text.clone() }, error))?;
    let words = cron.explain();
    let zone = flags.zone.clone().unwrap_or_else(host_zone);
    let dues = Dues::new(cron, zone, flags.dst.into());
    let found = list(&dues, flags, if explain { EXPLAINED } else { NEXT })?;
    let zone = dues.zone();
    let output = match (flags.format, explain) {
        (Format::Json, false) => {
            let next: Vec<String> = found.iter().map(|due| utc(*due)).collect();
            format!("{}\n", json!({ "version": 1, "next": next }))
        }
        (Format::Json, true) => {
            let next: Vec<String> = found.iter().map(|due| utc(*due)).collect();
            format!("{}\n", json!({ "version": 1, "words": words, "next": next }))
        }
        (Format::Text, false) => lines(&found, zone, ""),
        (Format::Text, true) => {
            let next = lines(&found, zone, "  ");
            format!("{words}\nnext in {}:\n{next}", zone.name())
        }
    };
    Ok(Done::with(output, 0))
}

/// The dues that are asked for.
fn list(dues: &Dues, flags: &CronFlags, by_default: u32) -> Result<Vec<i64>, Failure> {
    let zone = dues.zone();
    let from = flags.from.as_deref().map_or(Ok(now()), |text| instant("--from", text, zone))?;
    let until = flags.until.as_deref().map(|text| instant("--until", text, zone)).transpose()?;
    let most = match (flags.number, until) {
        (Some(number), _) => number,
        // One more tells that there are more.
        (None, Some(_)) => MOST_DUES + 1,
        (None, None) => by_default,
    };
    let mut found = Vec::new();
    let mut next = dues.at_or_after(from);
    while let Some(due) = next.filter(|due| until.is_none_or(|until| *due < until)) {
        if found.len() == most as usize {
            break;
        }
        found.push(due);
        next = dues.at_or_after(due + 1);
    }
    if found.len() > MOST_DUES as usize {
        return Err(Failure::new(format!("there are more than {MOST_DUES} dues up to then")).help(
            format!("list the first ones with -n {MOST_DUES}, or choose an earlier --until"),
        ));
    }
    Ok(found)
}

fn lines(found: &[i64], zone: &Zone, indent: &str) -> String {
    if found.is_empty() {
        return format!("{indent}nothing is due then\n");
    }
    found.iter().fold(String::new(), |mut out, due| {
        let _ = writeln!(out, "{indent}{}  {}", zone.show(*due), utc(*due));
        out
    })
}

fn instant(flag: &str, text: &str, zone: &Zone) -> Result<i64, Failure> {
    zone.read(text).ok_or_else(|| {
        Failure::new(format!(
            "`{flag}` must be an instant or a local time, not `{}`",
            text.escape_debug()
        ))
        .help("write 2024-03-10T07:00:00Z, or 2024-03-10T02:00 or 2024-03-10 for the zone's clock")
    })
}

/// The zone of the host's clock (rule SCHED-8): the one that `TZ` names, or else the system's. One that is
/// not known is UTC, as for programs.
pub(super) fn host_zone() -> Zone {
    let given = environment().into_iter().find_map(|(name, zone)| (name == "TZ").then_some(zone));
    let name = given.unwrap_or_else(time_zone);
    let name = name.strip_prefix(':').unwrap_or(&name);
    let name = name.strip_prefix("posix/").unwrap_or(name);
    let zone = Zone::named(name).filter(|zone| zone.name() == name);
    zone.or_else(|| Zone::named("UTC")).expect("UTC is known")
}

#[expect(clippy::disallowed_methods, reason = "who names no instant asks from now on")]
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
