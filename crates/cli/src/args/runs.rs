//! What can be asked of `hemiola runs`.

use super::format::Format;
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
    /// Remove all but the newest recordings
    Prune {
        /// How many are kept
        #[arg(long, value_name = "N", default_value_t = 20)]
        keep: usize,
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
