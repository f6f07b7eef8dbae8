//! What a program may do outside.

use clap::Args;
use std::path::PathBuf;

/// What a program may do outside.
#[derive(Debug, Args)]
pub(crate) struct PermissionFlags {
    /// Deny the program everything outside that no other flag allows
    #[arg(long)]
    pub(crate) permission: bool,
    /// Files and directories that may be read, separated by commas, or `*`
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "permission")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Files and directories that may be written, separated by commas, or `*`
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "permission")]
    pub(crate) allow_write: Vec<PathBuf>,
    /// Hosts to connect to or listen on, also `host:port`, separated by commas; by default all
    #[arg(long, value_name = "HOSTS", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_net: Option<Vec<String>>,
    /// Programs that may be started, separated by commas; by default all
    #[arg(long, value_name = "FILES", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_run: Option<Vec<String>>,
    /// Environment variables that may be read and set, separated by commas; by default all
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "permission")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "*")]
    pub(crate) allow_env: Option<Vec<String>>,
    /// Let the program start workers
    #[arg(long, requires = "permission")]
    pub(crate) allow_worker: bool,
}
