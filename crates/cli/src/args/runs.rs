//! What can be asked of `hemiola runs`.

use super::format::Format;
use super::values::duration;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    pub(crate) what: RunsCommand,
}

/// What can be done with recordings.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List the recordings, newest first
    List {
        /// How it is written: text or json
        #[arg(long, default_value = "text", hide_possible_values = true)]
        format: Format,
    },
    /// Say what a recording is of, and what it holds
    Show {
        /// The recording: `latest`, the beginning of its id, or its path
        #[arg(value_name = "RUN", default_value = "latest")]
        run: String,
        /// How it is written: text or json
        #[arg(long, default_value = "text", hide_possible_values = true)]
        format: Format,
    },
    /// Remove recordings that are too many or too old
    ///
    /// The same happens whenever a run is recorded. The variables HEMIOLA_KEEP and HEMIOLA_KEEP_AGE say how many
    /// are kept and for how long; `all` is no limit.
    Prune {
        /// How many are kept; by default 50
        #[arg(long, value_name = "N")]
        keep: Option<usize>,
        /// For how long they are kept: 30d, 12h; by default 30d
        #[arg(long, value_name = "TIME", value_parser = age)]
        age: Option<std::time::Duration>,
    },
    /// Write a recording as one file, which `replay` accepts on any computer
    Pack {
        /// The recording: `latest`, the beginning of its id, or its path
        #[arg(value_name = "RUN", default_value = "latest")]
        run: String,
        /// The file; by default the id with `.hemiola`
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Take out the values of environment variables, and secrets wherever they stand
        ///
        /// Every variable becomes a salted digest. The value of a variable that looks like a secret, if it is known
        /// here, is replaced by stars in all that the program was told, and in its command line.
        #[arg(long)]
        redact: bool,
    },
}

/// For how long recordings are kept: days, or a shorter time.
pub(crate) fn age(text: &str) -> Result<std::time::Duration, String> {
    let wrong = |_| format!("`{text}` is no length of time; write 30d, 12h or 90m");
    duration(text).map(|delay| std::time::Duration::from_micros(delay.as_micros())).map_err(wrong)
}
