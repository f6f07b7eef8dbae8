//! What disks have said to runs that see the same files.
//!
//! A program that is run many times looks for its modules in the same places every time. As long as a run
//! has changed no file, it is told what the disk said to an earlier one.

use hemiola_gate::{Disk, FilePath, Kind};
use rustc_hash::FxHashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What the disks of one origin have said.
#[derive(Default)]
pub struct Memory(Mutex<Said>);

#[derive(Default)]
struct Said {
    origin: Option<u64>,
    kinds: Answers<Kind>,
    paths: Answers<PathBuf>,
    links: Answers<PathBuf>,
    contents: Answers<Vec<u8>>,
    /// How many bytes the contents are.
    bytes: usize,
}

/// By the path; an error by its number.
type Answers<T> = FxHashMap<PathBuf, Result<T, i32>>;

/// How many bytes of files are kept at most.
const MOST: usize = 16 << 20;

/// A disk, and what others of its origin have said.
pub(crate) struct Remembered {
    disk: Arc<dyn Disk>,
    memory: Arc<Memory>,
}

impl Remembered {
    pub(crate) fn new(disk: Arc<dyn Disk>, memory: Arc<Memory>) -> Self {
        Self { disk, memory }
    }

    /// What is known about a path, or what the disk says.
    fn ask<T: Clone>(
        &self,
        path: &Path,
        known: impl Fn(&mut Said) -> &mut Answers<T>,
        size: impl Fn(&T) -> usize,
        ask: impl FnOnce(&dyn Disk) -> io::Result<T>,
    ) -> io::Result<T> {
        let Some(origin) = self.disk.origin() else { return ask(&*self.disk) };
        // Nothing in here panics half way through a change.
        let mut said = self.memory.0.lock().unwrap_or_else(PoisonError::into_inner);
        if said.origin != Some(origin) {
            *said = Said { origin: Some(origin), ..Said::default() };
        }
        if let Some(known) = known(&mut said).get(path) {
            return known.clone().map_err(io::Error::from_raw_os_error);
        }
        let answer = ask(&*self.disk);
        let kept = match &answer {
            Ok(answer) if said.bytes + size(answer) <= MOST => {
                said.bytes += size(answer);
                Some(Ok(answer.clone()))
            }
            Ok(_) => None,
            Err(error) => error.raw_os_error().map(Err),
        };
        if let Some(kept) = kept {
            known(&mut said).insert(path.to_owned(), kept);
        }
        answer
    }
}

impl Disk for Remembered {
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        self.ask(file.as_path(), |said| &mut said.contents, Vec::len, |disk| disk.read(file))
    }

    fn kind(&self, file: &FilePath) -> io::Result<Kind> {
        self.ask(file.as_path(), |said| &mut said.kinds, |_| 0, |disk| disk.kind(file))
    }

    fn link(&self, path: &Path) -> io::Result<PathBuf> {
        self.ask(path, |said| &mut said.links, |_| 0, |disk| disk.link(path))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.ask(path, |said| &mut said.paths, |_| 0, |disk| disk.canonicalize(path))
    }

    fn origin(&self) -> Option<u64> {
        self.disk.origin()
    }
}
