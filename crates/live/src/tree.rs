//! The system's files, and the descriptors that the program holds.

use crate::changes::Watches;
use crate::exact;
use hemiola_gate::Room;
use hemiola_gate::files::{At, Change, Errno, Links, Opened, Result, Stat, Time, Tree};
use rustix::fs::{Access, AtFlags, CWD, Dir, FileType, Mode, OFlags, Timespec, Timestamps};
use rustix::process::{Gid, Uid};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::UNIX_EPOCH;

/// The files of the system.
///
/// What a program opens is closed with its tree, unless it is given away or left open.
#[derive(Default)]
pub struct SystemTree {
    owner: Owner,
    watches: Watches,
    room: Room,
}

/// The open files of all programs in this process, under the numbers that the system gave them: a number means the
/// same to a program and its workers. A file is owned here until one of them closes it and no operation uses it any
/// more.
static OPEN: Mutex<BTreeMap<i32, Held>> = Mutex::new(BTreeMap::new());

/// Who closes files in the end.
#[derive(Default)]
struct Owner {
    /// What its files go by; drawn with the first.
    number: OnceLock<u64>,
    leaves_open: bool,
}

impl Owner {
    fn number(&self) -> Option<u64> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Some(*self.number.get_or_init(|| LAST.fetch_add(1, Ordering::Relaxed) + 1))
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let Some(&number) = self.number.get() else { return };
        let mut open = open_files();
        let is_over =
            |held: &Held| held.owner == Some(number) && !(self.leaves_open && held.is_own);
        let over: Vec<_> = open.extract_if(.., |_, held| is_over(held)).collect();
        // Closing may take a while: not under the lock.
        drop(open);
        drop(over);
    }
}

/// An open file.
#[derive(Clone)]
struct Held {
    file: Arc<File>,
    /// Whether a program has opened it. If not, the process was given it.
    is_own: bool,
    /// The tree with which it is closed. One that was given away has none until somebody uses it.
    owner: Option<u64>,
}

fn open_files() -> MutexGuard<'static, BTreeMap<i32, Held>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SystemTree {
    /// The same for a program that has so much memory.
    pub fn within(room: Room) -> Self {
        Self { room, ..Self::default() }
    }

    /// Waits until there are changes to tell of.
    pub(crate) fn wait_for_changes(&self) {
        self.watches.wait();
    }

    /// The same, but for files that stay open when it is gone.
    #[must_use]
    pub(crate) fn leaving_open(mut self, leaves_open: bool) -> Self {
        self.owner.leaves_open = leaves_open;
        self
    }

    /// The open file of a descriptor. Those of the standard streams are looked up when asked for.
    fn file(&self, fd: i32) -> Result<Arc<File>> {
        Ok(self.held(fd)?.file)
    }

    fn held(&self, fd: i32) -> Result<Held> {
        let mut open = open_files();
        if let Some(held) = open.get_mut(&fd) {
            held.owner = held.owner.or_else(|| self.owner.number());
            return Ok(held.clone());
        }
        let copy = match fd {
            0 => io::stdin().as_fd().try_clone_to_owned(),
            1 => io::stdout().as_fd().try_clone_to_owned(),
            2 => io::stderr().as_fd().try_clone_to_owned(),
            _ => crate::children::inherited(fd),
        };
        let held =
            Held { file: Arc::new(File::from(copy?)), is_own: false, owner: self.owner.number() };
        open.insert(fd, held.clone());
        Ok(held)
    }

    /// The open file, if what is known of it may be changed.
    fn changeable(&self, opened: Opened) -> Result<Arc<File>> {
        let Held { file, is_own, .. } = self.held(opened.fd)?;
        if opened.only_to_write {
            let flags = rustix::fs::fcntl_getfl(&*file).map_err(errno)?;
            let writes = flags.intersects(OFlags::WRONLY | OFlags::RDWR);
            if !is_own || !writes {
                return Err(Errno::ACCES);
            }
        }
        Ok(file)
    }

    /// Takes over a file that was opened for the program.
    pub(crate) fn adopt(&self, file: OwnedFd) -> i32 {
        let file = File::from(file);
        let fd = file.as_raw_fd();
        open_files()
            .insert(fd, Held { file: Arc::new(file), is_own: true, owner: self.owner.number() });
        fd
    }

    /// A copy of a descriptor of the program, for a child.
    pub(crate) fn descriptor(&self, fd: i32) -> io::Result<OwnedFd> {
        self.file(fd)?.as_fd().try_clone_to_owned()
    }
}

impl Tree for SystemTree {
    fn room(&self) -> Room {
        self.room.clone()
    }

    fn user(&self) -> (u32, u32) {
        (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw())
    }

    fn open(&self, at: At<'_>, flags: i32, mode: u32) -> Result<i32> {
        let flags = OFlags::from_bits_retain(flags as u32) | OFlags::CLOEXEC;
        Ok(self.adopt(open(at, flags, Mode::from_raw_mode(mode))?))
    }

    fn close(&self, fd: i32) -> Result<()> {
        if (0..=2).contains(&fd) {
            // The streams of the process outlive whoever wants to close them.
            return Ok(());
        }
        // Not under the lock: closing may take a while.
        let file = open_files().remove(&fd);
        file.map(drop).ok_or(Errno::BADF)
    }

    fn give(&self, fd: i32) -> Result<()> {
        open_files().get_mut(&fd).ok_or(Errno::BADF)?.owner = None;
        Ok(())
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

    fn stat(&self, At { path, links }: At<'_>, follow: bool) -> Result<Stat> {
        let found = match (links, follow) {
            (Links::Followed, true) => std::fs::metadata(path),
            (Links::Followed, false) => std::fs::symlink_metadata(path),
            (Links::Refused, true) => exact::handle_of_target(path)?.metadata(),
            (Links::Refused, false) => exact::handle(path).map_err(errno)?.metadata(),
        };
        Ok(stat(&found?))
    }

    fn fstat(&self, fd: i32) -> Result<Stat> {
        Ok(stat(&self.file(fd)?.metadata()?))
    }

    fn statfs(&self, At { path, links }: At<'_>) -> Result<[u64; 7]> {
        let found = match links {
            Links::Followed => rustix::fs::statfs(path),
            Links::Refused => rustix::fs::fstatfs(exact::handle_of_target(path)?),
        };
        let found = found.map_err(errno)?;
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

    fn list(&self, at: At<'_>) -> Result<Vec<(OsString, u32)>> {
        let directory = open(at, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let mut names = Vec::new();
        for entry in Dir::read_from(&directory).map_err(errno)? {
            let entry = entry.map_err(errno)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            names.push((name.to_owned(), kind_of_entry(&directory, name, entry.file_type())));
        }
        names.sort_unstable_by(|(one, _), (other, _)| one.as_bytes().cmp(other.as_bytes()));
        Ok(names)
    }

    fn mkdir(&self, at: At<'_>, mode: u32) -> Result<()> {
        let (directory, name) = parent(at)?;
        rustix::fs::mkdirat(directory, name, Mode::from_raw_mode(mode)).map_err(errno)
    }

    fn rmdir(&self, at: At<'_>) -> Result<()> {
        let (directory, name) = parent(at)?;
        rustix::fs::unlinkat(directory, name, AtFlags::REMOVEDIR).map_err(errno)
    }

    fn unlink(&self, at: At<'_>) -> Result<()> {
        let (directory, name) = parent(at)?;
        rustix::fs::unlinkat(directory, name, AtFlags::empty()).map_err(errno)
    }

    fn rename(&self, from: At<'_>, to: At<'_>) -> Result<()> {
        let ((old, old_name), (new, new_name)) = (parent(from)?, parent(to)?);
        rustix::fs::renameat(old, old_name, new, new_name).map_err(errno)
    }

    fn link(&self, from: At<'_>, to: At<'_>) -> Result<()> {
        let ((old, old_name), (new, new_name)) = (parent(from)?, parent(to)?);
        rustix::fs::linkat(old, old_name, new, new_name, AtFlags::empty()).map_err(errno)
    }

    fn symlink(&self, target: &Path, at: At<'_>) -> Result<()> {
        let (directory, name) = parent(at)?;
        rustix::fs::symlinkat(target, directory, name).map_err(errno)
    }

    fn readlink(&self, at: At<'_>) -> Result<PathBuf> {
        if is_entered(at) {
            // Whatever is there is a directory, or the path leads nowhere.
            exact::handle_of_target(at.path)?;
            return Err(Errno::INVAL);
        }
        let (directory, name) = parent(at)?;
        let target = rustix::fs::readlinkat(directory, name, Vec::new()).map_err(errno)?;
        Ok(OsString::from_vec(target.into_bytes()).into())
    }

    fn chmod(&self, at: At<'_>, mode: u32) -> Result<()> {
        on_target(at, |path| {
            std::fs::set_permissions(path, Permissions::from_mode(mode)).map_err(Errno::from)
        })
    }

    fn fchmod(&self, file: Opened, mode: u32) -> Result<()> {
        Ok(self.changeable(file)?.set_permissions(Permissions::from_mode(mode))?)
    }

    fn chown(
        &self,
        at: At<'_>,
        owner: Option<u32>,
        group: Option<u32>,
        follow: bool,
    ) -> Result<()> {
        let (owner, group) = (owner.map(Uid::from_raw), group.map(Gid::from_raw));
        if follow || is_entered(at) {
            return on_target(at, |path| rustix::fs::chown(path, owner, group).map_err(errno));
        }
        let (directory, name) = parent(at)?;
        let of_link = AtFlags::SYMLINK_NOFOLLOW;
        rustix::fs::chownat(directory, name, owner, group, of_link).map_err(errno)
    }

    fn fchown(&self, file: Opened, owner: Option<u32>, group: Option<u32>) -> Result<()> {
        Ok(std::os::unix::fs::fchown(&*self.changeable(file)?, owner, group)?)
    }

    fn utimes(&self, at: At<'_>, read: Time, written: Time, follow: bool) -> Result<()> {
        let times = times(read, written);
        if follow || is_entered(at) {
            return on_target(at, |path| {
                rustix::fs::utimensat(CWD, path, &times, AtFlags::empty()).map_err(errno)
            });
        }
        let (directory, name) = parent(at)?;
        rustix::fs::utimensat(directory, name, &times, AtFlags::SYMLINK_NOFOLLOW).map_err(errno)
    }

    fn futimes(&self, file: Opened, read: Time, written: Time) -> Result<()> {
        rustix::fs::futimens(&*self.changeable(file)?, &times(read, written)).map_err(errno)
    }

    fn truncate(&self, fd: i32, size: u64) -> Result<()> {
        rustix::fs::ftruncate(&*self.file(fd)?, size).map_err(errno)
    }

    fn sync(&self, fd: i32, only_data: bool) -> Result<()> {
        let file = self.file(fd)?;
        Ok(if only_data { file.sync_data() } else { file.sync_all() }?)
    }

    fn access(&self, at: At<'_>, mode: u32) -> Result<()> {
        let wanted = Access::from_bits_retain(mode);
        on_target(at, |path| rustix::fs::access(path, wanted).map_err(errno))
    }

    fn set_mask(&self, mask: u32) -> u32 {
        rustix::process::umask(Mode::from_raw_mode(mask)).as_raw_mode()
    }

    fn watch(&self, at: At<'_>) -> Result<i32> {
        on_target(at, |path| self.watches.add(path).map_err(errno))
    }

    fn unwatch(&self, watch: i32) -> Result<()> {
        self.watches.remove(watch).map_err(errno)
    }

    fn changes(&self) -> Result<Vec<Change>> {
        Ok(self.watches.take())
    }
}

/// Opens a file.
fn open(At { path, links }: At<'_>, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    again(|| match links {
        Links::Followed => rustix::fs::open(path, flags, mode),
        Links::Refused => exact::open(path, flags, mode),
    })
}

/// Whether a call about a link would follow it, although no link may be followed.
fn is_entered(at: At<'_>) -> bool {
    at.links == Links::Refused && at.says_directory()
}

/// The directory that a path starts from.
enum Directory {
    Current,
    Opened(OwnedFd),
}

impl AsFd for Directory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Current => CWD,
            Self::Opened(directory) => directory.as_fd(),
        }
    }
}

/// What a call about a name takes: a directory, and the path from there.
fn parent(At { path, links }: At<'_>) -> Result<(Directory, &Path)> {
    match links {
        Links::Followed => Ok((Directory::Current, path)),
        Links::Refused => {
            let (directory, name) = exact::parent(path).map_err(errno)?;
            Ok((Directory::Opened(directory), Path::new(name)))
        }
    }
}

/// Gives `act` a path that leads to the file.
fn on_target<T>(At { path, links }: At<'_>, act: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    match links {
        Links::Followed => act(path),
        Links::Refused => {
            let file = exact::handle_of_target(path)?;
            act(&exact::path_of(&file))
        }
    }
}

/// What kind of file an entry of a directory is, as in [`Stat::kind`]; not every file system says it there.
fn kind_of_entry(directory: &OwnedFd, name: &OsStr, told: FileType) -> u32 {
    let mode = match told {
        FileType::Unknown => rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
            .map_or(0, |stat| stat.st_mode),
        told => told.as_raw_mode(),
    };
    mode & Stat::KIND
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
