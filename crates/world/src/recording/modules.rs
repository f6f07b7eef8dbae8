//! The files that modules are read from, recorded and said again.

use super::entry::{Entry, Long, Look};
use super::recorded::{Recorded, Rest};
use super::recorder::Tape;
use hemiola_gate::{Disk, FilePath, Kind};
use hemiola_machine::Stream;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No file of that name was looked at.
const ENOENT: i32 = 2;
/// An error of the system that has no number.
const EIO: i32 = 5;

/// Passes everything on, and notes what was found.
pub struct RecordingModules {
    disk: Arc<dyn Disk>,
    tape: Tape,
}

impl RecordingModules {
    /// Records those files.
    pub fn new(disk: Arc<dyn Disk>, tape: Tape) -> Self {
        Self { disk, tape }
    }

    fn note<T: Clone>(
        &self,
        path: &Path,
        result: &io::Result<T>,
        look: impl FnOnce(Result<T, i32>) -> Look,
    ) {
        if !self.tape.is_on() {
            return;
        }
        let found = match result {
            Ok(found) => Ok(found.clone()),
            Err(error) => Err(error.raw_os_error().unwrap_or(EIO)),
        };
        self.tape.note(Entry::long(Long::Module(path.to_owned(), look(found))));
    }
}

impl Disk for RecordingModules {
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        let result = self.disk.read(file);
        self.note(file.as_path(), &result, Look::Read);
        result
    }

    fn kind(&self, file: &FilePath) -> io::Result<Kind> {
        let result = self.disk.kind(file);
        self.note(file.as_path(), &result, Look::Kind);
        result
    }

    /// Written as a real path: only the order tells them apart.
    fn link(&self, path: &Path) -> io::Result<PathBuf> {
        let result = self.disk.link(path);
        self.note(path, &result, Look::Real);
        result
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let result = self.disk.canonicalize(path);
        self.note(path, &result, Look::Real);
        result
    }
}

/// The files as they were when they were recorded.
pub struct RecordedModules(Rest);

impl RecordedModules {
    /// Those of the recording that a world is made of.
    pub fn of<F: FnMut(Stream, &[u8]) -> io::Result<()>>(world: &Recorded<F>) -> Self {
        Self(world.rest())
    }

    fn take<T>(
        &self,
        path: &Path,
        pick: impl FnOnce(Look) -> Result<Result<T, i32>, Look>,
    ) -> io::Result<T> {
        let fits = |entry: Entry| match entry {
            Entry::Long(long) => match *long {
                Long::Module(recorded, look) if recorded == path => {
                    pick(look).map_err(|look| Entry::long(Long::Module(recorded, look)))
                }
                other => Err(Entry::long(other)),
            },
            other => Err(other),
        };
        let found = self.0.take(|| format!("looking at {}", path.display()), fits);
        found.unwrap_or(Err(ENOENT)).map_err(io::Error::from_raw_os_error)
    }
}

impl Disk for RecordedModules {
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        self.0.text(file.as_path()).unwrap_or(Err(ENOENT)).map_err(io::Error::from_raw_os_error)
    }

    fn kind(&self, file: &FilePath) -> io::Result<Kind> {
        self.take(file.as_path(), |look| match look {
            Look::Kind(result) => Ok(result),
            other => Err(other),
        })
    }

    fn link(&self, path: &Path) -> io::Result<PathBuf> {
        self.canonicalize(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.take(path, |look| match look {
            Look::Real(result) => Ok(result),
            other => Err(other),
        })
    }
}
