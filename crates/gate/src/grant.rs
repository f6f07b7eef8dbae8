//! Which files a program may touch.

use std::path::{Path, PathBuf};

/// Which files are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Grant {
    /// All of them.
    #[default]
    All,
    /// These, and what is in them; paths without links.
    Under(Vec<PathBuf>),
}

impl Grant {
    /// Whether a path without links is among them.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Under(roots) => roots.iter().any(|root| path.starts_with(root)),
        }
    }
}
