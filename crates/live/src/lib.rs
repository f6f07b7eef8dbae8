//! The world of the operating system.
//!
//! The one crate that may ask the system for anything: physical time, files, the streams of the
//! process. [`Live`] is a world for the machine, [`Files`] is what modules are read from.
#![forbid(unsafe_code)]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate is the gate to the system"
)]

use hemiola_js::{Disk, Kind};
use hemiola_machine::{Completion, Host, Instant, Operation, Seeded, Stream, World};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Real time, real streams.
pub struct Live {
    start: std::time::Instant,
    out: BufWriter<io::Stdout>,
    random: Seeded,
}

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}

impl Live {
    /// A world whose time starts now.
    pub fn new() -> Self {
        // The system seeds its hashers at random; that is the seed of this world, too.
        let random = Seeded::new(RandomState::new().build_hasher().finish());
        Self { start: std::time::Instant::now(), out: BufWriter::new(io::stdout()), random }
    }

    /// Hands what was written to the system.
    pub fn flush(&mut self) {
        // A reader that is gone is no concern of the program's.
        let _ = self.out.flush();
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
        self.random.number()
    }

    fn write(&mut self, stream: Stream, text: &str) {
        match stream {
            Stream::Out => {
                let _ = self.out.write_all(text.as_bytes());
            }
            Stream::Err => {
                // What was written first is seen first.
                self.flush();
                let _ = io::stderr().write_all(text.as_bytes());
            }
        }
    }

    fn submit(&mut self, _: Operation, (): ()) {}

    fn receive(&mut self) -> Option<Completion<()>> {
        None
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let Some(until) = until else { return false };
        self.flush();
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

/// The name of the system's time zone: what `/etc/localtime` links to, or else `/etc/timezone` says,
/// or else UTC.
pub fn time_zone() -> String {
    let linked = std::fs::read_link("/etc/localtime").ok();
    let linked = linked.as_deref().and_then(Path::to_str);
    if let Some((_, name)) = linked.and_then(|path| path.split_once("/zoneinfo/")) {
        return name.to_owned();
    }
    let written = std::fs::read_to_string("/etc/timezone").unwrap_or_default();
    let name = written.trim();
    if name.is_empty() { "UTC".to_owned() } else { name.to_owned() }
}
