//! Whether a run is to say what it cost.

use super::format::Format;
use clap::Args;
use std::path::PathBuf;

/// Whether a run is to say what it cost.
#[derive(Debug, Default, Args)]
pub(crate) struct ProfileFlags {
    /// Print the costs of callbacks and requests when the program ends: text or json
    ///
    /// CPU time and bytes, on standard error, by the place where callbacks were registered and by request:
    /// HTTP requests, and invocations that the program names with `label` of `hemiola:context`.
    #[arg(long, value_name = "FORM", default_missing_value = "text", conflicts_with = "paranoid")]
    #[arg(num_args = 0..=1, require_equals = true, hide_possible_values = true)]
    pub(crate) profile: Option<Format>,
    /// Write the costs to a file
    #[arg(long, value_name = "FILE", conflicts_with = "paranoid")]
    pub(crate) profile_out: Option<PathBuf>,
}

impl ProfileFlags {
    /// Whether anything is asked for.
    pub(crate) fn is_on(&self) -> bool {
        self.profile.is_some() || self.profile_out.is_some()
    }
}
