//! The system's files, and the descriptors that the program holds.

use crate::changes::Watches;
use hemiola_js::files::{Change, Errno, Result, Stat, Time, Tree};
use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, Timespec, Timestamps};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

/// The files of the system.
///
/// An open file is owned here, under the number that the system gave it, until the program closes it
/// and no operation uses it any more.
#[derive(Default)]
pub struct SystemTree {
    open: Mutex<BTreeMap<i32, Arc<File>>>,
    watches: Watches,
}

impl SystemTree {
    /// Waits until there are changes to tell of.
    pub(crate) fn wait_for_changes(&self) {
        self.watches.wait();
    }

    fn open_files(&self) -> std::sync::MutexGuard<'_, BTreeMap<i32, Arc<File>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The open file of a descriptor. Those of the standard streams are looked up when asked for.
    fn file(&self, fd: i32) -> Result<Arc<File>> {
        let mut open = self.open_files();
        if let Some(file) = open.get(&fd) {
            return Ok(Arc::clone(file));
        }
        let copy = match fd {
            0 => io::stdin().as_fd().try_clone_to_owned(),
            1 => io::stdout().as_fd().try_clone_to_owned(),
            2 => io::stderr().as_fd().try_clone_to_owned(),
            _ => crate::children::inherited(fd),
        };
        let file = Arc::new(File::from(copy?));
        open.insert(fd, Arc::clone(&file));
        Ok(file)
    }

    /// A copy of a descriptor of the program, for a child.
    pub(crate) fn descriptor(&self, fd: i32) -> io::Result<OwnedFd> {
        self.file(fd)?.as_fd().try_clone_to_owned()
    }
}

impl Tree for SystemTree {
    fn open(&self, path: &Path, flags: i32, mode: u32) -> Result<i32> {
        let flags = OFlags::from_bits_retain(flags as u32) | OFlags::CLOEXEC;
        let file = File::from(again(|| rustix::fs::open(path, flags, Mode::from_raw_mode(mode)))?);
        let fd = file.as_raw_fd();
        self.open_files().insert(fd, Arc::new(file));
        Ok(fd)
    }

    fn close(&self, fd: i32) -> Result<()> {
        if (0..=2).contains(&fd) {
            // The streams of the process outlive whoever wants to close them.
            return Ok(());
        }
        // Not under the lock: closing may take a while.
        let file = self.open_files().remove(&fd);
        file.map(drop).ok_or(Errno::BADF)
    }

    fn read(&self, fd: i32, length: usize, position: Option<u64>) -> Result<Vec<u8>> {
        let file = self.file(fd)?;
        let mut bytes = vec![0; length];
        let count = loop {
            let result = match position {
                Some(position) => file.read_at(&mut bytes, position),
                None => (&*file).read(&mut bytes),
            };
            match result {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        bytes.truncate(count);
        Ok(bytes)
    }

    fn write(&self, fd: i32, bytes: &[u8], position: Option<u64>) -> Result<usize> {
        let file = self.file(fd)?;
        loop {
            let result = match position {
                Some(position) => file.write_at(bytes, position),
                None => (&*file).write(bytes),
            };
            match result {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return Ok(result?),
            }
        }
    }

    fn stat(&self, path: &Path, follow: bool) -> Result<Stat> {
        let found = if follow { std::fs::metadata(path) } else { std::fs::symlink_metadata(path) };
        Ok(stat(&found?))
    }

    fn fstat(&self, fd: i32) -> Result<Stat> {
        Ok(stat(&self.file(fd)?.metadata()?))
    }

    fn statfs(&self, path: &Path) -> Result<[u64; 7]> {
        let found = rustix::fs::statfs(path).map_err(errno)?;
        Ok([
            found.f_type as u64,
            found.f_bsize as u64,
            found.f_blocks,
            found.f_bfree,
            found.f_bavail,
            found.f_files,
            found.f_ffree,
        ])
    }

    fn list(&self, path: &Path) -> Result<Vec<(OsString, u32)>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            names.push((entry.file_name(), entry.file_type().map_or(0, kind)));
        }
        names.sort_unstable_by(|(one, _), (other, _)| one.as_bytes().cmp(other.as_bytes()));
        Ok(names)
    }

    fn mkdir(&self, path: &Path, mode: u32) -> Result<()> {
        Ok(std::fs::DirBuilder::new().mode(mode).create(path)?)
    }

    fn rmdir(&self, path: &Path) -> Result<()> {
        Ok(std::fs::remove_dir(path)?)
    }

    fn unlink(&self, path: &Path) -> Result<()> {
        Ok(std::fs::remove_file(path)?)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        Ok(std::fs::rename(from, to)?)
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        Ok(std::fs::hard_link(from, to)?)
    }

    fn symlink(&self, target: &Path, path: &Path) -> Result<()> {
        Ok(std::os::unix::fs::symlink(target, path)?)
    }

    fn readlink(&self, path: &Path) -> Result<PathBuf> {
        Ok(std::fs::read_link(path)?)
    }

    fn chmod(&self, path: &Path, mode: u32) -> Result<()> {
        Ok(std::fs::set_permissions(path, Permissions::from_mode(mode))?)
    }

    fn fchmod(&self, fd: i32, mode: u32) -> Result<()> {
        Ok(self.file(fd)?.set_permissions(Permissions::from_mode(mode))?)
    }

    fn chown(
        &self,
        path: &Path,
        owner: Option<u32>,
        group: Option<u32>,
        follow: bool,
    ) -> Result<()> {
        use std::os::unix::fs::{chown, lchown};
        Ok(if follow { chown(path, owner, group) } else { lchown(path, owner, group) }?)
    }

    fn fchown(&self, fd: i32, owner: Option<u32>, group: Option<u32>) -> Result<()> {
        Ok(std::os::unix::fs::fchown(&*self.file(fd)?, owner, group)?)
    }

    fn utimes(&self, path: &Path, read: Time, written: Time, follow: bool) -> Result<()> {
        let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        rustix::fs::utimensat(CWD, path, &times(read, written), flags).map_err(errno)
    }

    fn futimes(&self, fd: i32, read: Time, written: Time) -> Result<()> {
        rustix::fs::futimens(&*self.file(fd)?, &times(read, written)).map_err(errno)
    }

    fn truncate(&self, fd: i32, size: u64) -> Result<()> {
        rustix::fs::ftruncate(&*self.file(fd)?, size).map_err(errno)
    }

    fn sync(&self, fd: i32, only_data: bool) -> Result<()> {
        let file = self.file(fd)?;
        Ok(if only_data { file.sync_data() } else { file.sync_all() }?)
    }

    fn access(&self, path: &Path, mode: u32) -> Result<()> {
        rustix::fs::access(path, Access::from_bits_retain(mode)).map_err(errno)
    }

    fn set_mask(&self, mask: u32) -> u32 {
        rustix::process::umask(Mode::from_raw_mode(mask)).as_raw_mode()
    }

    fn watch(&self, path: &Path) -> Result<i32> {
        self.watches.add(path).map_err(errno)
    }

    fn unwatch(&self, watch: i32) -> Result<()> {
        self.watches.remove(watch).map_err(errno)
    }

    fn changes(&self) -> Result<Vec<Change>> {
        Ok(self.watches.take())
    }
}

/// Calls again what a signal interrupted.
fn again<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            result => return result.map_err(errno),
        }
    }
}

fn errno(error: rustix::io::Errno) -> Errno {
    Errno(error.raw_os_error())
}

fn times(read: Time, written: Time) -> Timestamps {
    let spec = |time: Time| Timespec { tv_sec: time.seconds, tv_nsec: time.nanoseconds.into() };
    Timestamps { last_access: spec(read), last_modification: spec(written) }
}

fn stat(found: &Metadata) -> Stat {
    let time = |seconds, nanoseconds: i64| Time { seconds, nanoseconds: nanoseconds as u32 };
    let changed = time(found.ctime(), found.ctime_nsec());
    // A file system that does not know when a file was made says when it was last changed.
    let made = found.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
    let made = made.map_or(changed, |made| Time {
        seconds: made.as_secs() as i64,
        nanoseconds: made.subsec_nanos(),
    });
    Stat {
        device: found.dev(),
        inode: found.ino(),
        mode: found.mode(),
        links: found.nlink(),
        owner: (found.uid(), found.gid()),
        special: found.rdev(),
        size: found.size(),
        block_size: found.blksize(),
        blocks: found.blocks(),
        times: [
            time(found.atime(), found.atime_nsec()),
            time(found.mtime(), found.mtime_nsec()),
            changed,
            made,
        ],
    }
}

/// A kind of file by the bits of its mode.
fn kind(found: std::fs::FileType) -> u32 {
    if found.is_dir() {
        Stat::DIRECTORY
    } else if found.is_symlink() {
        Stat::LINK
    } else if found.is_file() {
        Stat::FILE
    } else if found.is_char_device() {
        Stat::CHARACTERS
    } else if found.is_block_device() {
        0o060_000
    } else if found.is_fifo() {
        0o010_000
    } else {
        0o140_000
    }
}
