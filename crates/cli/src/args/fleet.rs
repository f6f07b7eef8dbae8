//! What can be asked of `hemiola fleet`.

use super::format::Format;
use super::run::Record;
use super::values::{schedule, states};
use crate::report::BadValue;
use clap::{Args, Subcommand};
use hemiola_machine::{Delay, Schedule};
use hemiola_world::fleet;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct FleetArgs {
    #[command(subcommand)]
    pub(crate) what: FleetCommand,
}

/// What can be done with a fleet.
#[derive(Debug, Subcommand)]
pub(crate) enum FleetCommand {
    /// Run all programs of a fleet in one virtual world, with what may go wrong between them
    #[command(long_about = ABOUT, after_long_help = EXAMPLES)]
    Simulate(FleetSimulateArgs),
    /// Run all programs of a fleet as processes on this computer
    #[command(long_about = RUN_ABOUT, after_long_help = RUN_EXAMPLES)]
    Run(FleetRunArgs),
}

#[derive(Debug, Args)]
pub(crate) struct FleetRunArgs {
    /// The fleet: a file in JSON, or a module in JavaScript or TypeScript whose default export it is
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Leave out what the file says of links, clocks and faults
    #[arg(long)]
    pub(crate) without_faults: bool,
    /// What goes wrong, instead of what the file says: programs that are killed or stand still
    ///
    /// As for `fleet simulate`: `crash b at 12s for 2s; pause a at 3s for 1s`, rates such as `crash=2/h`, or `none`.
    #[arg(long, value_name = "WHAT")]
    pub(crate) faults: Option<String>,
    /// Seed of faults that are given as rates
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Only these hosts, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) hosts: Option<Vec<String>>,
    /// End after that much time: 500ms, 90s, 5m, 1h; by default when the file says so
    #[arg(long, value_name = "TIME", value_parser = length)]
    pub(crate) until: Option<Delay>,
    /// How long programs may take to end when they are asked to
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = length)]
    pub(crate) grace: Delay,
    /// When to keep the runs of the programs for replay: always, on-failure or off
    ///
    /// As for `run`. Each program says how it is replayed when it ends.
    #[arg(long, value_name = "WHEN", default_missing_value = "always")]
    #[arg(num_args = 0..=1, require_equals = true, hide_possible_values = true)]
    pub(crate) record: Option<Record>,
}

#[derive(Debug, Args)]
pub(crate) struct FleetSimulateArgs {
    /// The fleet: a file in JSON, or a module in JavaScript or TypeScript whose default export it is
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Seed of random numbers, latencies and faults
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "seeds")]
    pub(crate) seed: u64,
    /// Run once for each of these seeds, and list those that fail: 1..1000
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    pub(crate) seeds: Option<Seeds>,
    /// Run once for every order in which messages between hosts may arrive
    ///
    /// By default each message takes as long as its link takes at least. Orders in which few messages are late come
    /// first. For small fleets.
    #[arg(long, conflicts_with_all = ["seeds", "trace", "record", "schedule"])]
    pub(crate) explore: bool,
    /// Run once in the order that --explore printed
    #[arg(long, value_name = "SCHEDULE", value_parser = schedule, conflicts_with = "seeds")]
    pub(crate) schedule: Option<Schedule>,
    /// When exploring, only orders with at most K late messages
    #[arg(long, value_name = "K", requires = "explore")]
    pub(crate) deviations: Option<u32>,
    /// When exploring, run at most N orders
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = states, requires = "explore")]
    pub(crate) max_schedules: u32,
    /// When exploring, how long a message is under way at most that is not slow
    ///
    /// Over a link that takes longer, as long as that. A failure that needs a slower one is listed after the others.
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = length, requires = "explore")]
    pub(crate) slow: Delay,
    /// When exploring, stop at the first failure
    #[arg(long, requires = "explore")]
    pub(crate) fail_fast: bool,
    /// What goes wrong, instead of what the file says
    ///
    /// Faults one after the other, separated by semicolons: `crash b at 12s for 2s; cut a b at 3s for 10s; clock b at
    /// 5s by -30s; power a at 1m for 5s; pause b at 2s for 4s; disk a at 3s for 1s`. Or how often, on each host:
    /// `crash=2/h, cut=1/min`. Or `none`.
    #[arg(long, value_name = "WHAT")]
    pub(crate) faults: Option<String>,
    /// Only these hosts, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) hosts: Option<Vec<String>>,
    /// End the world after that much virtual time: 500ms, 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = length)]
    pub(crate) until: Option<Delay>,
    /// Write all events of all programs to a file, as JSON lines with their hosts
    #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
    pub(crate) trace: Option<PathBuf>,
    /// Record every process, to replay and debug it by itself
    #[arg(long, conflicts_with = "seeds")]
    pub(crate) record: bool,
    /// Property that all observations must satisfy, or a file that has it
    ///
    /// A regular expression as for `check`. Every observation is two: the name of its host, and what was observed:
    /// `(^host acquire host release)*`.
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    pub(crate) spec: Option<String>,
    /// How many runs go on at a time; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// How long to look for a smaller failing run, in real time
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = length)]
    pub(crate) shrink: Delay,
    /// Stop after that much real time: 500ms, 90s, 5m
    #[arg(long, value_name = "TIME", value_parser = length)]
    pub(crate) time: Option<Delay>,
    /// Format of the result: text or json
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

/// From one seed to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seeds {
    pub(crate) first: u64,
    pub(crate) last: u64,
}

pub(super) fn seeds(text: &str) -> Result<Seeds, BadValue> {
    let bad = || BadValue {
        message: format!("must be two numbers, not `{}`", text.escape_debug()),
        help: "write the first and the last seed: --seeds 1..1000".into(),
    };
    let (first, last) = text.split_once("..").ok_or_else(bad)?;
    let number = |text: &str| text.trim().parse().map_err(|_| bad());
    let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
    if first > last {
        return Err(bad());
    }
    Ok(Seeds { first, last })
}

/// How long something takes, at least and at most: `5ms`, or `1ms..20ms`.
pub(super) fn latency(text: &str) -> Result<(Delay, Delay), BadValue> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let (least, most) = (length(least.trim())?, length(most.trim())?);
    if least > most {
        return Err(BadValue {
            message: format!("has a least that is more than the most: `{}`", text.escape_debug()),
            help: "write the least first: --latency 1ms..20ms".into(),
        });
    }
    Ok((least, most))
}

pub(super) fn length(text: &str) -> Result<Delay, BadValue> {
    fleet::length(text).map_err(|_| BadValue {
        message: format!("must be a length of time, not `{}`", text.escape_debug()),
        help: "write a number with ms, s, m, h or d, such as 90s".into(),
    })
}

const ABOUT: &str = "\
Run all programs of a fleet in one virtual world, with what may go wrong between them

The file says which hosts there are, what runs on them, what is between them and what goes wrong. All of it
follows from the seed: two runs with the same seed do the same. A run fails if the invariant throws, the property
is broken, a program ends with an uncaught error, or what must come does not.";

const RUN_ABOUT: &str = "\
Run all programs of a fleet as processes on this computer

Every host has a loopback address of its own, and its name is that address for all programs. What they print
comes behind the name of their host. They are started again as the file says, and stopped together by Ctrl-C, by
SIGTERM, or when the time is up. What only a simulation has is refused: links, clocks, cuts, losses of power, and
errors of disks.";

const RUN_EXAMPLES: &str = "\
Examples:
  hemiola fleet run plant.fleet.json
  hemiola fleet run plant.fleet.json --without-faults --until 1m
  hemiola fleet run plant.fleet.json --without-faults --faults 'crash b at 12s for 2s'

Exit status:
    0  all programs have ended, or the time is up
    2  the command line, the fleet or its invariant is wrong
   70  a bug in hemiola
  100  a program failed and was not started again, the invariant is violated, or what must come did not";

const EXAMPLES: &str = "\
Examples:
  hemiola fleet simulate plant.fleet.json
  hemiola fleet simulate plant.fleet.json --seeds 1..1000
  hemiola fleet simulate plant.fleet.json --seed 17 --faults 'crash b at 12s for 2s'
  hemiola fleet simulate plant.fleet.json --explore --deviations 2 --time 60s

Exit status:
    0  no run failed
    2  the command line, the fleet or its invariant is wrong
   70  a bug in hemiola
  100  a run failed
  102  none failed, but not all seeds or orders were tried";
