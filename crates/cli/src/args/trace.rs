//! What can be asked of `hemiola trace`.

use super::format::Format;
use super::values::duration;
use clap::{Args, Subcommand, ValueEnum};
use hemiola_machine::{Class, Delay};
use std::path::PathBuf;

pub(super) const ABOUT: &str = "\
Show, compare and export what happened in a run

RUN is a recording, as for `replay`, or a trace file written by --trace; `-` is standard input. A
recording is replayed silently.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola trace show latest --clock A | less
  hemiola trace diff 7f3a 91c0
  hemiola trace export 7f3a --to perfetto --out trace.pftrace
  hemiola trace export 7f3a --to otlp --endpoint http://localhost:4318

Exit status:
    0  success; `diff`: the runs are equal
    2  the command line or the input is wrong
  100  `diff`: the runs differ
  101  a replay left its recording
  103  the recording or the trace is damaged, or of a newer version";

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) what: TraceCommand,
}

/// What can be done with a trace.
#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// List what happened, one line for each event
    Show(TraceShowArgs),
    /// Find the first difference between two runs
    Diff(TraceDiffArgs),
    /// Write a trace in the format of another tool
    Export(TraceExportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct TraceShowArgs {
    /// The run: `latest`, the beginning of an id, or the path of a recording or a trace
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) filter: TraceFilter,
    /// Format of the result: text or json
    ///
    /// `json` is a trace again, with the number of each event as `event`.
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

/// What is shown of a trace. An event must pass all of it.
#[derive(Debug, Args)]
pub(crate) struct TraceFilter {
    /// Only callbacks of that class: tick, promise, immediate, timer, io or close
    #[arg(long, value_name = "CLASS", hide_possible_values = true)]
    pub(crate) class: Option<ClassFlag>,
    /// Only what happened to a clock, and in its callbacks
    #[arg(long, value_name = "LABEL", alias = "domain")]
    pub(crate) clock: Option<String>,
    /// Only what happened on that host of a fleet, or in its program of that number: b, b/2
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,
    /// Only what happened in that invocation
    #[arg(long, value_name = "N", value_parser = number)]
    pub(crate) invocation: Option<u64>,
    /// Only what belongs to a request: its number, its name or its route, such as 'GET /items/:id'
    #[arg(long, value_name = "REQUEST")]
    pub(crate) request: Option<String>,
    /// Only from that time after the start on: 500ms, 90s, 5m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) from: Option<Delay>,
    /// Only before that time after the start
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) until: Option<Delay>,
    /// Only lines that contain this string
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) grep: Option<String>,
    /// Begin with the event of that number
    #[arg(long, value_name = "N", value_parser = number)]
    pub(crate) at: Option<u64>,
    /// At most N events
    #[arg(short = 'n', long, value_name = "N", value_parser = number)]
    pub(crate) count: Option<u64>,
}

/// What kind of callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassFlag {
    Tick,
    Promise,
    Immediate,
    Timer,
    Io,
    Close,
}

impl From<ClassFlag> for Class {
    fn from(flag: ClassFlag) -> Self {
        match flag {
            ClassFlag::Tick => Self::Tick,
            ClassFlag::Promise => Self::Promise,
            ClassFlag::Immediate => Self::Immediate,
            ClassFlag::Timer => Self::Timer,
            ClassFlag::Io => Self::Io,
            ClassFlag::Close => Self::Close,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TraceDiffArgs {
    /// The first run: a recording or the path of a trace
    #[arg(value_name = "A")]
    pub(crate) left: String,
    /// The second run
    #[arg(value_name = "B")]
    pub(crate) right: String,
    /// Also compare physical times
    ///
    /// Without it, logical times count from the beginning of their clock, and those of callbacks without
    /// a clock are ignored.
    #[arg(long)]
    pub(crate) exact: bool,
    /// Number of events to show around the difference
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub(crate) context: u16,
    /// Format of the result: text or json
    #[arg(long, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct TraceExportArgs {
    /// The run: `latest`, the beginning of an id, or the path of a recording or a trace
    #[arg(value_name = "RUN", default_value = "latest")]
    pub(crate) run: String,
    /// The format: perfetto, chrome, otlp, otlp-metrics or jsonl
    #[arg(long, value_name = "FORM", hide_possible_values = true)]
    pub(crate) to: ExportForm,
    /// Measure CPU time while a recording is replayed, and give callbacks that length
    ///
    /// Two exports of a recording then differ.
    #[arg(long)]
    pub(crate) costs: bool,
    /// The file to write; by default standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Send the trace to this URL, such as http://HOST:PORT; only with `--to otlp` and `--to otlp-metrics`
    ///
    /// /v1/traces or /v1/metrics is appended to a URL without a path.
    #[arg(long, value_name = "URL", conflicts_with = "out")]
    pub(crate) endpoint: Option<String>,
}

/// The forms of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportForm {
    Perfetto,
    Chrome,
    Otlp,
    OtlpMetrics,
    Jsonl,
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write an integer".into())
}
