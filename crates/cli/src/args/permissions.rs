//! What a program may do outside.

use clap::Args;
use std::path::PathBuf;

/// What a program may do outside.
#[derive(Debug, Args)]
pub(crate) struct PermissionFlags {
    /// Deny the program everything outside that no other flag allows
    #[arg(long)]
    pub(crate) permission: bool,
    /// Files and directories that may be read, with commas between them, or `*`
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "permission")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Files and directories that may be written, with commas between them, or `*`
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "permission")]
    pub(crate) allow_write: Vec<PathBuf>,
    /// Hosts that may be spoken with, also `host:port`, with commas between them; else all
    #[arg(long, value_name = "HOSTS", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_net: Option<Vec<String>>,
    /// Programs that may be started, with commas between them; else all
    #[arg(long, value_name = "FILES", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_run: Option<Vec<String>>,
    /// Variables of the environment that may be read, with commas between them; else all
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_env: Option<Vec<String>>,
    /// Let the program start workers
    #[arg(long, requires = "permission")]
    pub(crate) allow_worker: bool,
}
