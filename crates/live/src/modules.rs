//! The files that modules are read from.

use crate::exact;
use hemiola_gate::files::{At, Links};
use hemiola_gate::{Disk, FilePath, Kind};
use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Disk for Files {
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        let At { path, links } = file.at();
        match links {
            Links::Followed => std::fs::read(path),
            Links::Refused => {
                let flags = OFlags::RDONLY | OFlags::CLOEXEC;
                let mut bytes = Vec::new();
                File::from(exact::open(path, flags, Mode::empty())?).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }

    fn kind(&self, file: &FilePath) -> io::Result<Kind> {
        let At { path, links } = file.at();
        let found = match links {
            Links::Followed => std::fs::metadata(path),
            Links::Refused => exact::handle_of_target(path)?.metadata(),
        };
        found.map(|found| kind(&found))
    }

    fn link(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }
}

fn kind(found: &std::fs::Metadata) -> Kind {
    if found.is_dir() { Kind::Directory } else { Kind::File }
}
