//! A disk as it was when somebody first looked: so that all runs of an exploration see the same, and look
//! only once.

use super::read;
use hemiola_gate::Room;
use hemiola_gate::files::{At, Change, Errno, Opened, Result, Stat, Time, Tree};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The file system can only be read.
const ROFS: Errno = Errno(30);

/// A tree over another that it asks everything once.
pub struct Frozen {
    lower: Arc<dyn Tree + Send + Sync>,
    seen: Mutex<Seen>,
    number: u64,
}

#[derive(Default)]
struct Seen {
    stats: BTreeMap<(PathBuf, bool), Result<Stat>>,
    lists: BTreeMap<PathBuf, Result<Vec<(OsString, u32)>>>,
    links: BTreeMap<PathBuf, Result<PathBuf>>,
    contents: BTreeMap<PathBuf, Result<Arc<Vec<u8>>>>,
    open: BTreeMap<i32, (PathBuf, Arc<Vec<u8>>, usize)>,
    last: i32,
}

impl Frozen {
    /// The other tree, as it is whenever somebody first looks.
    pub fn new(lower: Arc<dyn Tree + Send + Sync>) -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        Self { lower, seen: Mutex::default(), number }
    }

    /// A number that no other has.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // Nothing in here panics half way through a change.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn content(&self, path: &Path) -> Result<Arc<Vec<u8>>> {
        if let Some(known) = self.seen().contents.get(path) {
            return known.clone();
        }
        let content = read(&*self.lower, path.into()).map(Arc::new);
        self.seen().contents.entry(path.to_owned()).or_insert(content).clone()
    }
}

/// It is read, and nothing else.
impl Tree for Frozen {
    fn room(&self) -> Room {
        self.lower.room()
    }

    fn user(&self) -> (u32, u32) {
        self.lower.user()
    }

    fn open(&self, path: At<'_>, flags: i32, _: u32) -> Result<i32> {
        if flags != 0 {
            return Err(ROFS);
        }
        let content = self.content(path.path)?;
        let mut seen = self.seen();
        seen.last += 1;
        let fd = seen.last;
        seen.open.insert(fd, (path.path.to_owned(), content, 0));
        Ok(fd)
    }

    fn close(&self, fd: i32) -> Result<()> {
        self.seen().open.remove(&fd).map(drop).ok_or(Errno::BADF)
    }

    fn give(&self, fd: i32) -> Result<()> {
        if self.seen().open.contains_key(&fd) { Ok(()) } else { Err(Errno::BADF) }
    }

    fn read(&self, fd: i32, length: usize, position: Option<u64>) -> Result<Vec<u8>> {
        let mut seen = self.seen();
        let (_, content, last) = seen.open.get_mut(&fd).ok_or(Errno::BADF)?;
        let start = position.map_or(*last, |position| position as usize);
        let rest = content.get(start..).unwrap_or_default();
        let bytes = rest[..length.min(rest.len())].to_vec();
        if position.is_none() {
            *last += bytes.len();
        }
        Ok(bytes)
    }

    fn write(&self, _: i32, _: &[u8], _: Option<u64>) -> Result<usize> {
        Err(ROFS)
    }

    fn stat(&self, path: At<'_>, follow: bool) -> Result<Stat> {
        let key = (path.path.to_owned(), follow);
        if let Some(known) = self.seen().stats.get(&key) {
            return *known;
        }
        let stat = self.lower.stat(path, follow);
        *self.seen().stats.entry(key).or_insert(stat)
    }

    fn fstat(&self, fd: i32) -> Result<Stat> {
        let (path, size) = {
            let seen = self.seen();
            let (path, content, _) = seen.open.get(&fd).ok_or(Errno::BADF)?;
            (path.clone(), content.len() as u64)
        };
        self.stat(At::anywhere(&path), true).map(|stat| Stat { size, ..stat })
    }

    fn statfs(&self, path: At<'_>) -> Result<[u64; 7]> {
        self.lower.statfs(path)
    }

    fn list(&self, path: At<'_>) -> Result<Vec<(OsString, u32)>> {
        if let Some(known) = self.seen().lists.get(path.path) {
            return known.clone();
        }
        let names = self.lower.list(path);
        self.seen().lists.entry(path.path.to_owned()).or_insert(names).clone()
    }

    fn readlink(&self, path: At<'_>) -> Result<PathBuf> {
        if let Some(known) = self.seen().links.get(path.path) {
            return known.clone();
        }
        let target = self.lower.readlink(path);
        self.seen().links.entry(path.path.to_owned()).or_insert(target).clone()
    }

    fn access(&self, path: At<'_>, mode: u32) -> Result<()> {
        self.lower.access(path, mode)
    }

    fn mkdir(&self, _: At<'_>, _: u32) -> Result<()> {
        Err(ROFS)
    }

    fn rmdir(&self, _: At<'_>) -> Result<()> {
        Err(ROFS)
    }

    fn unlink(&self, _: At<'_>) -> Result<()> {
        Err(ROFS)
    }

    fn rename(&self, _: At<'_>, _: At<'_>) -> Result<()> {
        Err(ROFS)
    }

    fn link(&self, _: At<'_>, _: At<'_>) -> Result<()> {
        Err(ROFS)
    }

    fn symlink(&self, _: &Path, _: At<'_>) -> Result<()> {
        Err(ROFS)
    }

    fn chmod(&self, _: At<'_>, _: u32) -> Result<()> {
        Err(ROFS)
    }

    fn fchmod(&self, _: Opened, _: u32) -> Result<()> {
        Err(ROFS)
    }

    fn chown(&self, _: At<'_>, _: Option<u32>, _: Option<u32>, _: bool) -> Result<()> {
        Err(ROFS)
    }

    fn fchown(&self, _: Opened, _: Option<u32>, _: Option<u32>) -> Result<()> {
        Err(ROFS)
    }

    fn utimes(&self, _: At<'_>, _: Time, _: Time, _: bool) -> Result<()> {
        Err(ROFS)
    }

    fn futimes(&self, _: Opened, _: Time, _: Time) -> Result<()> {
        Err(ROFS)
    }

    fn truncate(&self, _: i32, _: u64) -> Result<()> {
        Err(ROFS)
    }

    fn sync(&self, _: i32, _: bool) -> Result<()> {
        Ok(())
    }

    fn set_mask(&self, mask: u32) -> u32 {
        mask
    }

    fn watch(&self, _: At<'_>) -> Result<i32> {
        Err(ROFS)
    }

    fn unwatch(&self, _: i32) -> Result<()> {
        Err(ROFS)
    }

    fn changes(&self) -> Result<Vec<Change>> {
        Ok(Vec::new())
    }
}
