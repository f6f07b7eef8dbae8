//! Who reads the result.

use clap::ValueEnum;

/// Who reads the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}
