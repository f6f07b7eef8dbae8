//! Files of a simulation: what is on the disk at first, and what the program makes of it.
//!
//! A file is looked up on the disk when it is first touched and kept from then on; whatever the
//! program changes is changed here alone (rule GATE-3), unless it is told to write through.

mod calls;
mod devices;
mod durable;
mod frozen;
mod ledger;
mod mirror;
mod nodes;
mod watches;
mod ways;

pub use frozen::Frozen;
use hemiola_gate::files::{At, Errno, Time, Tree, perform};
use hemiola_gate::{Datum, Disk, Fault, FilePath, FileRef, FsCall, Kind, Trailing};
use mirror::Mirror;
use nodes::Nodes;
use std::collections::BTreeMap;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use watches::Watches;
pub(crate) use ways::Way;

/// A tree of files over another that is only read.
pub struct Overlay {
    state: Mutex<State>,
    /// Where changes go besides, if they do.
    mirror: Option<Mirror>,
    /// What it has in common with others over the same tree, if that never changes.
    origin: Option<u64>,
}

pub(crate) struct State {
    nodes: Nodes,
    open: BTreeMap<i32, Open>,
    /// The last number under which a process holds a file that it was given: they are below zero, and none is used twice.
    last_held: i32,
    watches: Watches,
    /// What nobody may do with new files.
    mask: u32,
}

/// An open file.
#[derive(Clone)]
struct Open {
    node: usize,
    flags: i32,
    /// All that were made of one descriptor go on where another has stopped.
    position: Arc<AtomicU64>,
}

impl Open {
    /// The same with a position of its own.
    fn apart(&self) -> Self {
        let position = AtomicU64::new(self.position.load(Ordering::Relaxed));
        Self { position: Arc::new(position), ..*self }
    }
}

/// What a run has made of the files of an overlay.
pub(crate) struct Copied {
    /// Over which tree.
    origin: u64,
    /// Nothing if all is as on the disk.
    nodes: Option<Nodes>,
    open: BTreeMap<i32, Open>,
    last_held: i32,
    watches: Watches,
    mask: u32,
}

impl Overlay {
    /// A tree that shows what is in another.
    pub fn new(lower: Arc<dyn Tree + Send + Sync>) -> Self {
        let state = State {
            nodes: Nodes::new(lower),
            open: BTreeMap::new(),
            last_held: 0,
            watches: Watches::default(),
            mask: 0o022,
        };
        Self { state: Mutex::new(state), mirror: None, origin: None }
    }

    /// The same over a tree that is as it was when somebody first looked.
    pub fn over(lower: &Arc<Frozen>) -> Self {
        Self { origin: Some(lower.number()), ..Self::new(Arc::clone(lower) as _) }
    }

    /// Lets whatever the program changes change on that disk, too, as it happens: the one that the
    /// overlay shows.
    pub fn write_through(self, disk: Arc<dyn Tree + Send + Sync>) -> Self {
        Self { mirror: Some(Mirror::new(disk)), origin: None, ..self }
    }

    /// Whether there are changes of watched files that nobody has heard of.
    pub(crate) fn has_changes(&self) -> bool {
        !self.state().watches.untold.is_empty()
    }

    /// Says what time it is: what is written from now on was written then.
    pub(crate) fn set_time(&self, microseconds: u64) {
        let nanoseconds = (microseconds % 1_000_000 * 1_000) as u32;
        let seconds = (microseconds / 1_000_000) as i64;
        self.state().nodes.now = Time { seconds, nanoseconds };
    }

    /// Opens a file for another process once more, which reads and writes on where this descriptor is; under a
    /// number that no program sees.
    pub(crate) fn hold(&self, fd: i32) -> Result<i32, Errno> {
        let mut state = self.state();
        let open = state.open.get(&fd).cloned().ok_or(Errno::BADF)?;
        state.last_held -= 1;
        let held = state.last_held;
        state.open.insert(held, open);
        drop(state);
        self.hold_through(fd, held);
        Ok(held)
    }

    /// What a run has made of the files; nothing if that cannot be copied.
    pub(crate) fn copy(&self) -> Option<Copied> {
        let origin = self.origin?;
        let state = self.state();
        let State { nodes, open, last_held, watches, mask } = &*state;
        let is_as_on_disk = nodes.is_as_on_disk() && open.is_empty() && watches.is_new();
        let nodes = if is_as_on_disk { None } else { Some(nodes.copy()?) };
        // Descriptors that go on where another has stopped stay the only ones who do.
        let is_shared = |open: &Open| Arc::strong_count(&open.position) > 1;
        if open.values().any(is_shared) {
            return None;
        }
        let open = open.iter().map(|(&fd, open)| (fd, open.apart())).collect();
        let watches = watches.clone();
        Some(Copied { origin, nodes, open, last_held: *last_held, watches, mask: *mask })
    }

    /// Whether this shows the same disk as the one that it was copied from.
    pub(crate) fn fits(&self, copied: &Copied) -> bool {
        self.origin == Some(copied.origin) && self.mirror.is_none()
    }

    /// Has what was copied.
    pub(crate) fn go_on(&self, copied: &Copied) {
        let mut state = self.state();
        let Copied { origin: _, nodes, open, last_held, watches, mask } = copied;
        if let Some(nodes) = nodes {
            state.nodes = nodes.copy().expect("it was copied before");
        }
        state.open = open.iter().map(|(&fd, open)| (fd, open.apart())).collect();
        (state.last_held, state.watches, state.mask) = (*last_held, watches.clone(), *mask);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever panicked while holding it ends the simulation.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.nodes.begin();
        state
    }
}

/// Modules are read from the same files.
impl Disk for Overlay {
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        Ok(read(self, file.clone())?)
    }

    fn kind(&self, file: &FilePath) -> io::Result<Kind> {
        let stat = self.stat(file.at(), true)?;
        let is_directory = stat.kind() == hemiola_gate::files::Stat::DIRECTORY;
        Ok(if is_directory { Kind::Directory } else { Kind::File })
    }

    fn link(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(self.readlink(At::anywhere(path))?)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        match perform(self, &FsCall::Realpath { path: path.into(), native: false }) {
            Ok(Datum::Text(path)) => Ok(path.into()),
            Ok(Datum::Bytes(path)) => Ok(std::ffi::OsStr::from_bytes(&path).into()),
            Ok(_) => Err(Errno::IO.into()),
            Err(Fault { errno, .. }) => Err(Errno(errno).into()),
        }
    }

    fn origin(&self) -> Option<u64> {
        self.origin.filter(|_| !self.state().nodes.is_changed)
    }
}

/// The content of a file.
fn read(tree: &dyn Tree, path: FilePath) -> Result<Vec<u8>, Errno> {
    let file = FileRef::Path(path);
    match perform(tree, &FsCall::ReadFile { file, flags: Trailing(None) }) {
        Ok(Datum::Bytes(bytes)) => Ok(bytes),
        Ok(_) => Err(Errno::IO),
        Err(Fault { errno, .. }) => Err(Errno(errno)),
    }
}
