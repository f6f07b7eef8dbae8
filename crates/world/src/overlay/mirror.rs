//! Changes that reach the disk, if the overlay is told to write through.
//!
//! The disk changes first: what it refuses does not happen here either. What is to be changed has been
//! looked up before, so that the overlay does not find there what it is about to make itself.

use super::Overlay;
use super::ledger::Content;
use super::nodes::{Body, Nodes};
use hemiola_gate::files::{At, Errno, Result, Tree, open};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The disk, and the files that are open there.
pub(super) struct Mirror {
    tree: Arc<dyn Tree + Send + Sync>,
    /// The disk's descriptor for those of the overlay that may write.
    open: Mutex<BTreeMap<i32, i32>>,
}

impl Mirror {
    pub(super) fn new(tree: Arc<dyn Tree + Send + Sync>) -> Self {
        Self { tree, open: Mutex::default() }
    }

    pub(super) fn set_mask(&self, mask: u32) {
        self.tree.set_mask(mask);
    }

    fn disk_fd(&self, fd: i32) -> Option<i32> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).get(&fd).copied()
    }

    /// Whether one of the overlay's goes with it.
    fn is_held(&self, disk: i32) -> bool {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.values().any(|&other| other == disk)
    }

    fn set_disk_fd(&self, fd: i32, disk: Option<i32>) -> Option<i32> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match disk {
            Some(disk) => open.insert(fd, disk),
            None => open.remove(&fd),
        }
    }
}

impl Overlay {
    /// Does the same to the disk, if it is to be written.
    pub(super) fn through(
        &self,
        paths: &[At<'_>],
        act: impl FnOnce(&dyn Tree) -> Result<()>,
    ) -> Result<()> {
        let Some(mirror) = &self.mirror else { return Ok(()) };
        let mut state = self.state();
        for &path in paths {
            // Whoever loses its name keeps what it holds: it may have another, or be open.
            if let Ok(place) = state.nodes.walk(path, false)
                && let Some(node) = place.node
                && matches!(state.nodes.get(node).body, Body::File(_))
            {
                let _ = state.nodes.content(node);
            }
        }
        drop(state);
        act(&*mirror.tree)
    }

    /// Opens a file on the disk, too, if it may be changed that way.
    pub(super) fn open_through(&self, path: At<'_>, flags: i32, mode: u32) -> Result<Option<i32>> {
        let changes = open::CREATE | open::TRUNCATE;
        let Some(mirror) = &self.mirror else { return Ok(None) };
        if flags & open::ACCESS == 0 && flags & changes == 0 {
            return Ok(None);
        }
        self.through(&[path], |_| Ok(()))?;
        mirror.tree.open(path, flags, mode).map(Some)
    }

    /// Notes which descriptor of the disk goes with one of ours; or closes it, if we have none.
    pub(super) fn opened_through(&self, fd: &Result<i32>, disk: Option<i32>) {
        let (Some(mirror), Some(disk)) = (&self.mirror, disk) else { return };
        match fd {
            Ok(fd) => drop(mirror.set_disk_fd(*fd, Some(disk))),
            // The error that is told is the one of the overlay.
            Err(_) => drop(mirror.tree.close(disk)),
        }
    }

    pub(super) fn close_through(&self, fd: i32) -> Result<()> {
        let Some(mirror) = &self.mirror else { return Ok(()) };
        let last = mirror.set_disk_fd(fd, None).filter(|&disk| !mirror.is_held(disk));
        last.map_or(Ok(()), |disk| mirror.tree.close(disk))
    }

    /// Notes that one of our descriptors goes with the same one of the disk as another.
    pub(super) fn hold_through(&self, fd: i32, held: i32) {
        if let Some(mirror) = &self.mirror {
            mirror.set_disk_fd(held, mirror.disk_fd(fd));
        }
    }

    /// Writes all of it there.
    pub(super) fn write_through_at(&self, fd: i32, mut bytes: &[u8], start: u64) -> Result<()> {
        let Some(mirror) = &self.mirror else { return Ok(()) };
        let disk = mirror.disk_fd(fd).ok_or(Errno::BADF)?;
        let mut at = start;
        while !bytes.is_empty() {
            match mirror.tree.write(disk, bytes, Some(at))? {
                0 => return Err(Errno::IO),
                count => {
                    at += count as u64;
                    bytes = &bytes[count..];
                }
            }
        }
        Ok(())
    }

    /// Does the same to an open file of the disk; to one that is only read here, by its path.
    pub(super) fn through_open(
        &self,
        fd: i32,
        by_fd: impl FnOnce(&dyn Tree, i32) -> Result<()>,
        by_path: impl FnOnce(&dyn Tree, At<'_>) -> Result<()>,
    ) -> Result<()> {
        let Some(mirror) = &self.mirror else { return Ok(()) };
        match mirror.disk_fd(fd) {
            Some(disk) => by_fd(&*mirror.tree, disk),
            None => {
                let node = self.node_of(fd)?;
                by_path(&*mirror.tree, At::anywhere(&self.path_of(node)))
            }
        }
    }

    /// Something has another name on the disk now, and so has all that is in it.
    pub(super) fn moved_through(&self, to: At<'_>) {
        if self.mirror.is_none() {
            return;
        }
        let mut state = self.state();
        if let Ok(place) = state.nodes.walk(to, false)
            && let Some(node) = place.node
        {
            state.nodes.relocate(node, to.path.to_owned());
        }
    }
}

impl Nodes {
    fn relocate(&mut self, node: usize, to: PathBuf) {
        let inside = match &mut self.get_mut(node).body {
            Body::File(Content::Lower(path)) => {
                *path = to;
                return;
            }
            Body::Directory(directory) => {
                if let Some(lower) = &mut directory.lower {
                    lower.clone_from(&to);
                }
                directory.known()
            }
            _ => return,
        };
        for (name, child) in inside {
            self.relocate(child, to.join(name));
        }
    }
}
