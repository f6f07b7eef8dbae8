//! Files whose calls fail on request.

use hemiola_gate::files::{At, Change, Errno, Opened, Result, Stat, Time, Tree, open};
use hemiola_gate::{FsCall, Mishaps, Room};
use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Too many files are open.
const MFILE: Errno = Errno(24);

/// What a call that looks at a path may say, although something is there.
const LOOKING: [(Errno, &str); 3] =
    [(Errno::NOENT, "ENOENT"), (Errno::ACCES, "EACCES"), (Errno::IO, "EIO")];
/// What a call may say that changes what a path names.
const NAMING: [(Errno, &str); 3] =
    [(Errno::ACCES, "EACCES"), (Errno::NOSPC, "ENOSPC"), (Errno::IO, "EIO")];
/// What a call may say that takes a name away.
const REMOVING: [(Errno, &str); 2] = [(Errno::ACCES, "EACCES"), (Errno::IO, "EIO")];
/// What a call may say that changes who owns a file, or who may do what.
const OWNING: [(Errno, &str); 2] = [(Errno::PERM, "EPERM"), (Errno::IO, "EIO")];
/// What may happen to a device.
const FAILING: [(Errno, &str); 1] = [(Errno::IO, "EIO")];

/// A tree whose every call draws whether it does as it is told: alternative 0 is that it does.
pub(crate) struct Faulty<'a> {
    tree: &'a dyn Tree,
    /// What may go wrong with the call that was asked for.
    mishaps: Mishaps,
    drawn: RefCell<Drawn<'a>>,
}

struct Drawn<'a> {
    draw: &'a mut dyn FnMut(usize) -> usize,
    /// What was last drawn that was not 0, in words.
    fault: Option<String>,
}

impl<'a> Faulty<'a> {
    /// A tree for that call.
    pub(crate) fn new(
        tree: &'a dyn Tree,
        call: &FsCall,
        draw: &'a mut dyn FnMut(usize) -> usize,
    ) -> Self {
        Self { tree, mishaps: call.mishaps(), drawn: RefCell::new(Drawn { draw, fault: None }) }
    }

    /// What went wrong, if anything did.
    pub(crate) fn fault(self) -> Option<String> {
        self.drawn.into_inner().fault
    }

    /// Fails with one of these, or not.
    fn may_fail(&self, call: &str, errors: &[(Errno, &str)]) -> Result<()> {
        self.may_fall_short(call, errors, false).map(drop)
    }

    /// The same for a call that may also do only a part of what it was asked for: then true.
    fn may_fall_short(&self, call: &str, errors: &[(Errno, &str)], short: bool) -> Result<bool> {
        if !matches!(self.mishaps, Mishaps::Files | Mishaps::WholeFile | Mishaps::PartOfFile) {
            return Ok(false);
        }
        let mut drawn = self.drawn.borrow_mut();
        let taken = (drawn.draw)(1 + errors.len() + usize::from(short));
        let Some(at) = taken.checked_sub(1) else { return Ok(false) };
        let Some((error, name)) = errors.get(at) else {
            drawn.fault = Some(format!("{call} does only a part"));
            return Ok(true);
        };
        drawn.fault = Some(format!("{call} fails with {name}"));
        Err(*error)
    }
}

impl Tree for Faulty<'_> {
    fn room(&self) -> Room {
        self.tree.room()
    }

    fn user(&self) -> (u32, u32) {
        self.tree.user()
    }

    fn open(&self, path: At<'_>, flags: i32, mode: u32) -> Result<i32> {
        let last = if flags & open::CREATE == 0 {
            (Errno::NOENT, "ENOENT")
        } else {
            (Errno::NOSPC, "ENOSPC")
        };
        self.may_fail("open", &[last, (Errno::ACCES, "EACCES"), (MFILE, "EMFILE")])?;
        self.tree.open(path, flags, mode)
    }

    /// The descriptor is closed all the same, as on Linux.
    fn close(&self, fd: i32) -> Result<()> {
        self.tree.close(fd)?;
        // Who has read all that there is does not care.
        let matters = self.mishaps != Mishaps::WholeFile;
        if matters { self.may_fail("close", &FAILING) } else { Ok(()) }
    }

    fn give(&self, fd: i32) -> Result<()> {
        self.tree.give(fd)
    }

    fn read(&self, fd: i32, length: usize, position: Option<u64>) -> Result<Vec<u8>> {
        // Who wants a whole file goes on until it is there.
        let shows = self.mishaps == Mishaps::PartOfFile;
        let likely = length.min(self.tree.fstat(fd).map_or(0, |stat| stat.size as usize));
        let short = self.may_fall_short("read", &FAILING, shows && likely > 1)?;
        self.tree.read(fd, if short { likely / 2 } else { length }, position)
    }

    fn write(&self, fd: i32, bytes: &[u8], position: Option<u64>) -> Result<usize> {
        let errors = [(Errno::NOSPC, "ENOSPC"), (Errno::IO, "EIO")];
        let shows = self.mishaps == Mishaps::PartOfFile;
        let short = self.may_fall_short("write", &errors, shows && bytes.len() > 1)?;
        self.tree.write(fd, if short { &bytes[..bytes.len() / 2] } else { bytes }, position)
    }

    fn stat(&self, path: At<'_>, follow: bool) -> Result<Stat> {
        let stat = self.tree.stat(path, follow)?;
        self.may_fail(if follow { "stat" } else { "lstat" }, &LOOKING)?;
        Ok(stat)
    }

    fn fstat(&self, fd: i32) -> Result<Stat> {
        let stat = self.tree.fstat(fd)?;
        self.may_fail("fstat", &FAILING)?;
        Ok(stat)
    }

    fn statfs(&self, path: At<'_>) -> Result<[u64; 7]> {
        let numbers = self.tree.statfs(path)?;
        self.may_fail("statfs", &FAILING)?;
        Ok(numbers)
    }

    fn list(&self, path: At<'_>) -> Result<Vec<(OsString, u32)>> {
        let names = self.tree.list(path)?;
        self.may_fail("scandir", &LOOKING)?;
        Ok(names)
    }

    fn mkdir(&self, path: At<'_>, mode: u32) -> Result<()> {
        self.may_fail("mkdir", &NAMING)?;
        self.tree.mkdir(path, mode)
    }

    fn rmdir(&self, path: At<'_>) -> Result<()> {
        self.may_fail("rmdir", &REMOVING)?;
        self.tree.rmdir(path)
    }

    fn unlink(&self, path: At<'_>) -> Result<()> {
        self.may_fail("unlink", &REMOVING)?;
        self.tree.unlink(path)
    }

    fn rename(&self, from: At<'_>, to: At<'_>) -> Result<()> {
        self.may_fail("rename", &NAMING)?;
        self.tree.rename(from, to)
    }

    fn link(&self, from: At<'_>, to: At<'_>) -> Result<()> {
        self.may_fail("link", &NAMING)?;
        self.tree.link(from, to)
    }

    fn symlink(&self, target: &Path, path: At<'_>) -> Result<()> {
        self.may_fail("symlink", &NAMING)?;
        self.tree.symlink(target, path)
    }

    fn readlink(&self, path: At<'_>) -> Result<PathBuf> {
        let target = self.tree.readlink(path)?;
        self.may_fail("readlink", &LOOKING)?;
        Ok(target)
    }

    fn chmod(&self, path: At<'_>, mode: u32) -> Result<()> {
        self.may_fail("chmod", &OWNING)?;
        self.tree.chmod(path, mode)
    }

    fn fchmod(&self, file: Opened, mode: u32) -> Result<()> {
        self.may_fail("fchmod", &OWNING)?;
        self.tree.fchmod(file, mode)
    }

    fn chown(
        &self,
        path: At<'_>,
        owner: Option<u32>,
        group: Option<u32>,
        follow: bool,
    ) -> Result<()> {
        self.may_fail("chown", &OWNING)?;
        self.tree.chown(path, owner, group, follow)
    }

    fn fchown(&self, file: Opened, owner: Option<u32>, group: Option<u32>) -> Result<()> {
        self.may_fail("fchown", &OWNING)?;
        self.tree.fchown(file, owner, group)
    }

    fn utimes(&self, path: At<'_>, read: Time, written: Time, follow: bool) -> Result<()> {
        self.may_fail("utime", &OWNING)?;
        self.tree.utimes(path, read, written, follow)
    }

    fn futimes(&self, file: Opened, read: Time, written: Time) -> Result<()> {
        self.may_fail("futime", &OWNING)?;
        self.tree.futimes(file, read, written)
    }

    fn truncate(&self, fd: i32, size: u64) -> Result<()> {
        self.may_fail("ftruncate", &FAILING)?;
        self.tree.truncate(fd, size)
    }

    fn sync(&self, fd: i32, only_data: bool) -> Result<()> {
        self.tree.sync(fd, only_data)?;
        self.may_fail("fsync", &FAILING)
    }

    fn access(&self, path: At<'_>, mode: u32) -> Result<()> {
        self.tree.access(path, mode)?;
        self.may_fail("access", &LOOKING)
    }

    fn set_mask(&self, mask: u32) -> u32 {
        self.tree.set_mask(mask)
    }

    fn watch(&self, path: At<'_>) -> Result<i32> {
        self.may_fail("watch", &[(Errno::NOSPC, "ENOSPC")])?;
        self.tree.watch(path)
    }

    fn unwatch(&self, watch: i32) -> Result<()> {
        self.tree.unwatch(watch)
    }

    fn changes(&self) -> Result<Vec<Change>> {
        self.tree.changes()
    }
}
