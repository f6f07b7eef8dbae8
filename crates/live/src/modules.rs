//! The files that modules are read from.

use hemiola_gate::{Disk, Kind};
use std::io;
use std::path::{Path, PathBuf};

/// The files of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Disk for Files {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        std::fs::metadata(path).map(|found| kind(&found))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }
}

fn kind(found: &std::fs::Metadata) -> Kind {
    if found.is_dir() { Kind::Directory } else { Kind::File }
}
