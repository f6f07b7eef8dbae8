//! Files, as far as loading modules needs them.

use crate::path::FilePath;
use std::io;
use std::path::{Path, PathBuf};

/// Files, as far as loading modules needs them.
pub trait Disk: Send + Sync {
    /// The content of a file: of the one that its path led to when it was checked, if it was.
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>>;
    /// What is there, links followed: those that it led over when it was checked, if it was.
    fn kind(&self, file: &FilePath) -> io::Result<Kind>;
    /// Where a link leads; an error if there is none.
    fn link(&self, path: &Path) -> io::Result<PathBuf>;
    /// The path without links.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;
    /// A number that two disks have in common only if they show the same, and will: nothing if that is not
    /// known, or is not so any more because a program has changed something.
    fn origin(&self) -> Option<u64> {
        None
    }
}

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
}
