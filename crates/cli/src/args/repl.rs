//! What can be asked of `hemiola repl`.

use super::permissions::PermissionFlags;
use super::program::Timers;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct ReplArgs {
    /// Begin with time that stands still: `.time +5s` moves it
    ///
    /// Timers run when time is moved to them, without waiting. Files and the network stay real.
    #[arg(long = "virtual")]
    pub(crate) virtual_time: bool,
    /// Keep no history
    ///
    /// Lines are kept in the file that the variable HEMIOLA_REPL_HISTORY names, or else in `repl-history` next to
    /// the recordings.
    #[arg(long)]
    pub(crate) no_history: bool,
    /// Meaning of a timer's third argument: hemiola or node
    #[arg(long, value_name = "MEANING", default_value = "hemiola", hide_possible_values = true)]
    pub(crate) timers: Timers,
    #[command(flatten)]
    pub(crate) permissions: PermissionFlags,
}

pub(super) const ABOUT: &str = "\
Read lines of JavaScript and run each, at a prompt

`hemiola` alone at a terminal does the same. `.help` lists the commands of the prompt: `.time` holds and
moves time, `.timeline` says what waits and what ran.";

pub(super) const EXAMPLES: &str = "\
Examples:
  hemiola
  hemiola repl --virtual
  echo 'console.log(1 + 1)' | hemiola

Exit status:
    0  the prompt was left; otherwise what process.exit() was given";
