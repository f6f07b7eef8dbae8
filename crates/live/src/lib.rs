//! The world of the operating system.
//!
//! The one crate that may ask the system for anything: physical time, files, the streams of the
//! process. [`Live`] is a world for the machine, [`Files`] is what modules are read from.
#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "this crate is the gate to the system")]

mod random;
mod system;

use hemiola_js::{Disk, Kind};
use hemiola_machine::{Completion, Host, Instant, Operation, Stream, World};
use random::Random;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
pub use system::Process;

/// Real time, real streams.
pub struct Live {
    start: std::time::Instant,
    out: BufWriter<io::Stdout>,
    /// The number of the error with which the system last refused output.
    refused: Option<i32>,
    random: Random,
}

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}

impl Live {
    /// A world whose time starts now.
    pub fn new() -> Self {
        let out = BufWriter::new(io::stdout());
        Self { start: std::time::Instant::now(), out, refused: None, random: Random::default() }
    }

    /// Hands what was written to the system. When it refuses, the next write hears of it, too.
    pub fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.refused = result.as_ref().err().and_then(io::Error::raw_os_error);
        result
    }
}

impl<H: Host<Request = (), Answer = ()>> World<H> for Live {
    fn now(&mut self) -> Instant {
        Instant::from_micros(u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    fn wall_clock(&mut self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
    }

    fn random(&mut self) -> u64 {
        self.random.next()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            Stream::Out => match self.refused.take() {
                Some(number) => Err(io::Error::from_raw_os_error(number)),
                None => self.out.write_all(bytes),
            },
            Stream::Err => {
                // What was written first is seen first.
                let _ = self.flush();
                io::stderr().write_all(bytes)
            }
        }
    }

    fn submit(&mut self, _: Operation, (): ()) {}

    fn receive(&mut self) -> Option<Completion<()>> {
        None
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let Some(until) = until else { return false };
        let _ = self.flush();
        let now = World::<H>::now(self);
        std::thread::sleep(Duration::from_micros(until.since(now).as_micros()));
        true
    }
}

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

    fn link_kind(&self, path: &Path) -> io::Result<Kind> {
        std::fs::symlink_metadata(path).map(|found| kind(&found))
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }
}

fn kind(found: &std::fs::Metadata) -> Kind {
    if found.is_symlink() {
        Kind::Link
    } else if found.is_dir() {
        Kind::Directory
    } else {
        Kind::File
    }
}

/// The environment variables of the process that are text.
pub fn environment() -> Vec<(String, String)> {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    std::env::vars_os().filter_map(text).collect()
}
