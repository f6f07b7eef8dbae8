//! What can be asked of `hemiola verify`.

use super::format::Format;
use crate::report::BadValue;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Trace of a run, or a hand-written one in JSON; `-` for standard input
    ///
    /// Traces of several processes, each of which took the place of the one before, count as one trace.
    /// A process that ended without `stop` has crashed.
    #[arg(value_name = "TRACE", required = true)]
    pub(crate) traces: Vec<PathBuf>,
    /// Check against this theory instead of that of declarative schedulers
    #[arg(long, value_name = "FILE")]
    pub(crate) theory: Option<PathBuf>,
    /// Units of compute for each bit of the input; by default the trace's or else the theory's
    #[arg(long, value_name = "N", value_parser = units, allow_negative_numbers = true)]
    pub(crate) a: Option<u64>,
    /// Units of compute in any case; by default the trace's or else the theory's
    #[arg(long, value_name = "N", value_parser = units, allow_negative_numbers = true)]
    pub(crate) b: Option<u64>,
    /// Units of compute that may be lost; by default the trace's or else the theory's
    #[arg(long, value_name = "N", value_parser = units, allow_negative_numbers = true)]
    pub(crate) tlag: Option<u64>,
    /// Format of the result: text or json
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

fn units(text: &str) -> Result<u64, BadValue> {
    text.parse().map_err(|_| BadValue {
        message: format!("must be an integer of at least 0, not `{}`", text.escape_debug()),
        help: "budgets are a(64|R| + |t|) + b units of compute, with the lag tlag".into(),
    })
}

pub(super) const ABOUT: &str = "\
Check the trace of a scheduler against its theory

Reports for every axiom whether the trace violates it, whether it holds, or what it still waits for, and
who is to blame for the first violation. The theory is that of declarative schedulers, unless --theory
names another; docs/scheduler.md describes it and the format of traces. A trace written by `run --trace`
works too; those of processes that followed each other are joined.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola verify trace.json
  hemiola verify trace.json --b 500 --format json
  hemiola verify trace.json --theory my.theory
  hemiola verify before.jsonl after.jsonl

Exit status:
    0  nothing is violated
    2  the command line or the input is wrong
   70  a bug in hemiola
  100  an axiom is violated";
