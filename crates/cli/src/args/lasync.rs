//! What can be asked of `hemiola lasync`, and what only programs in λasync have.

use super::search::{Once, Search};
use super::values::{bound, one_of};
use clap::Args;
use hemiola_calculus::lasync;
use hemiola_machine::Named;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct LasyncArgs {
    /// Program in λasync, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) flags: LasyncFlags,
    #[command(flatten)]
    pub(crate) search: Search,
    #[command(flatten)]
    pub(crate) once: Once,
}

/// What only programs in λasync have.
#[derive(Debug, Args)]
pub(crate) struct LasyncFlags {
    /// What may run next: all, micro, edge, node, node-literal or node-phases
    ///
    /// `all` runs everything that is ready, by priority; `micro` runs only microtasks if there are
    /// any; `edge` is `micro` with zero timeouts among the microtasks and no immediates; `node` runs
    /// one callback, any that no microtask precedes; `node-literal` runs one promise with all its
    /// callbacks; `node-phases` follows the phases of Node's loop.
    #[arg(long, value_name = "NAME", default_value_t = Named::NodePhases)]
    #[arg(value_parser = one_of::<Named>(lasync::STRATEGIES.map(Named::name)), hide_possible_values = true)]
    pub(crate) strategy: Named,
    /// At most this many turns of the loop in one run
    ///
    /// A run that would need more is listed as cut. The same holds for all bounds of a run; each is
    /// an integer from 1 to 10000.
    #[arg(long, value_name = "N", default_value_t = lasync::Bounds::default().ticks as u32)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_ticks: u32,
    /// At most this many callbacks in one run
    #[arg(long, value_name = "N", default_value_t = lasync::Bounds::default().callbacks)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_callbacks: u32,
    /// At most this many logged strings in one run
    #[arg(long, value_name = "N", default_value_t = lasync::Bounds::default().logs)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_logs: u32,
}

impl LasyncFlags {
    pub(crate) fn bounds(&self, search: &Search) -> lasync::Bounds {
        lasync::Bounds {
            ticks: u64::from(self.max_ticks),
            callbacks: self.max_callbacks,
            logs: self.max_logs,
            values: search.values(),
            starve_window: search.starve_window,
        }
    }
}

pub(super) const ABOUT: &str = "\
List everything that a program in λasync can show

Follows every execution that the strategy allows and lists the observation sequences of those that
end (traces). If the program has finitely many configurations, those that never end are listed as
lassos, and the callbacks that wait in a queue for ever (starves). Else, and if a bound is given,
executions are followed up to the bounds: those that a bound cuts are listed as well (cut), and the
callbacks that starve in a queue before a cut.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola lasync order.la
  hemiola lasync order.la --strategy all --max-callbacks 20
  hemiola lasync order.la --schedule 0:1
  echo 'immediate f { log b }; log a' | hemiola lasync - --format json

Exit status:
    0  success
    2  the command line or the input is wrong
   70  a bug in hemiola
  102  --max-states or --max-traces left something out";
