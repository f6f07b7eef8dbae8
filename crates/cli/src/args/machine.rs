//! What can be asked of `hemiola machine`, and what only programs in L have.

use super::search::{Once, Search};
use super::values::{External, bound, one_of};
use crate::report::Failure;
use clap::Args;
use hemiola_calculus::l::{self, Mode};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct MachineArgs {
    /// Program in L, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) flags: LFlags,
    #[command(flatten)]
    pub(crate) search: Search,
    #[command(flatten)]
    pub(crate) once: Once,
}

/// What only programs in L have.
#[derive(Debug, Args)]
pub(crate) struct LFlags {
    /// How the rules are read: dynamic, lexical or literal
    ///
    /// In `dynamic` mode a callee sees its caller's names, in `lexical` mode those where it was
    /// defined, as in JavaScript. `literal` follows the rules exactly as printed.
    #[arg(long, value_name = "MODE", default_value = Mode::default().name())]
    #[arg(value_parser = one_of::<Mode>(Mode::ALL.map(Mode::name)), hide_possible_values = true)]
    mode: Mode,
    /// At most this many observations in one run
    ///
    /// A run that would need more is listed as cut. The same holds for all bounds of a run; each is
    /// an integer from 1 to 10000.
    #[arg(long, value_name = "N", default_value_t = l::Bounds::default().observations)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_obs: u32,
    /// At most this many calls in one run
    #[arg(long, value_name = "N", default_value_t = l::Bounds::default().calls)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_calls: u32,
    /// At most this many callbacks taken from a queue in one run
    #[arg(long, value_name = "N", default_value_t = l::Bounds::default().dispatches)]
    #[arg(value_parser = bound, allow_negative_numbers = true)]
    max_dispatch: u32,
    /// Let an event come from outside, up to N times; may be repeated
    ///
    /// Its listeners are called as if the program had triggered it, at any time.
    #[arg(long, value_name = "EVENT=N")]
    external: Vec<External>,
}

impl LFlags {
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// The bounds, unless an event is named twice.
    pub(crate) fn bounds(&self, search: &Search) -> Result<l::Bounds, Failure> {
        let mut external: Vec<(String, u32)> = Vec::new();
        for External { event, times } in &self.external {
            if external.iter().any(|(known, _)| known == event) {
                return Err(Failure::new(format!("`--external` names the event `{event}` twice"))
                    .help(format!(
                        "give it once, with the number of times: --external {event}=2"
                    )));
            }
            external.push((event.clone(), *times));
        }
        Ok(l::Bounds {
            observations: self.max_obs,
            calls: self.max_calls,
            dispatches: self.max_dispatch,
            values: search.values(),
            external,
            starve_window: search.starve_window,
        })
    }
}

pub(super) const ABOUT: &str = "\
List everything that a program in L can show

Follows every execution of the program and lists the observation sequences of those that end (traces)
and that cannot go on (stuck). If the program has finitely many configurations, those that never end
are listed as lassos, and the callbacks that wait in a queue for ever (starves). Else, and if a bound
is given, executions are followed up to the bounds: those that a bound cuts are listed as well (cut),
and the callbacks that starve in a queue before a cut.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola machine nt.l
  hemiola machine nt.l --mode lexical --values d,e --external click=2
  hemiola machine nt.l --schedule 2:1
  echo 'obs(a); obs(b)' | hemiola machine - --format json

Exit status:
    0  success
    2  the command line or the input is wrong
   70  a bug in hemiola
  102  --max-states or --max-traces left something out";
