//! Files as a program asks for them, in terms of the few things that a tree of files can do.
//!
//! [`Tree`] is what a world supplies: the system's calls, live or simulated. [`perform`] turns a
//! request into them, the same way for every world (rule GATE-4), so that they agree on all that is built on top.

mod failed;
mod perform;
mod walk;
mod whole;

pub use crate::descriptor::Opened;
pub use crate::path::{At, Links};
pub use perform::{carry_out, perform};
pub use whole::Steps;

use crate::room::Room;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// How much of a file can be read at once, as in Node.
pub(crate) const LARGEST: u64 = i32::MAX as u64;

/// The number by which the system names an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub i32);

impl Errno {
    /// Not permitted.
    pub const PERM: Self = Self(1);
    /// Nothing is there.
    pub const NOENT: Self = Self(2);
    /// No such device.
    pub const NXIO: Self = Self(6);
    /// A failure of the device.
    pub const IO: Self = Self(5);
    /// No such open file.
    pub const BADF: Self = Self(9);
    /// There is no memory for it.
    pub const NOMEM: Self = Self(12);
    /// Access refused.
    pub const ACCES: Self = Self(13);
    /// Something is there already.
    pub const EXIST: Self = Self(17);
    /// The two are on different file systems.
    pub const XDEV: Self = Self(18);
    /// A part of the path is no directory.
    pub const NOTDIR: Self = Self(20);
    /// It is a directory.
    pub const ISDIR: Self = Self(21);
    /// An argument makes no sense.
    pub const INVAL: Self = Self(22);
    /// The file is too large.
    pub const FBIG: Self = Self(27);
    /// The disk is full.
    pub const NOSPC: Self = Self(28);
    /// A name that is too long.
    pub const NAMETOOLONG: Self = Self(36);
    /// This world cannot do that.
    pub const NOSYS: Self = Self(38);
    /// The directory holds something.
    pub const NOTEMPTY: Self = Self(39);
    /// A chain of links without an end.
    pub const LOOP: Self = Self(40);
}

impl From<io::Error> for Errno {
    fn from(error: io::Error) -> Self {
        let unnumbered =
            if error.kind() == io::ErrorKind::InvalidInput { Self::INVAL } else { Self::IO };
        error.raw_os_error().map_or(unnumbered, Self)
    }
}

impl From<Errno> for io::Error {
    fn from(error: Errno) -> Self {
        Self::from_raw_os_error(error.0)
    }
}

/// What a call gives.
pub type Result<T> = std::result::Result<T, Errno>;

/// Seconds and nanoseconds since the start of 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Whole seconds.
    pub seconds: i64,
    /// The rest, below a thousand million.
    pub nanoseconds: u32,
}

/// What is known of a file, in the system's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// The device that it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// Its kind and who may do what.
    pub mode: u32,
    /// How many names it has.
    pub links: u64,
    /// Its owner and group.
    pub owner: (u32, u32),
    /// The device that it is.
    pub special: u64,
    /// How many bytes it holds.
    pub size: u64,
    /// How much is best read at once.
    pub block_size: u64,
    /// How many blocks of 512 bytes it takes.
    pub blocks: u64,
    /// Last read, last written, last changed, made.
    pub times: [Time; 4],
}

impl Stat {
    /// The bits of a mode that say what kind of file it is.
    pub const KIND: u32 = 0o170_000;
    /// A directory.
    pub const DIRECTORY: u32 = 0o040_000;
    /// A file.
    pub const FILE: u32 = 0o100_000;
    /// A symbolic link.
    pub const LINK: u32 = 0o120_000;
    /// A pipe with a name.
    pub const FIFO: u32 = 0o010_000;
    /// A socket with a name.
    pub const SOCKET: u32 = 0o140_000;
    /// A device that is read by characters.
    pub const CHARACTERS: u32 = 0o020_000;

    /// What kind of file it is.
    pub fn kind(&self) -> u32 {
        self.mode & Self::KIND
    }
}

/// Something that happened to a file that is watched, or in a directory that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The number that [`Tree::watch`] gave.
    pub watch: i32,
    /// What happened, by the numbers of [`change`].
    pub what: u32,
    /// To what in the directory; empty for what is watched itself.
    pub name: OsString,
}

/// What can happen to a file, by the numbers of Linux.
pub mod change {
    /// Its content.
    pub const CONTENT: u32 = 0x2;
    /// What is known of it.
    pub const ATTRIBUTES: u32 = 0x4;
    /// Something in it was moved away.
    pub const MOVED_FROM: u32 = 0x40;
    /// Something was moved into it.
    pub const MOVED_TO: u32 = 0x80;
    /// Something was made in it.
    pub const MADE: u32 = 0x100;
    /// Something in it was removed.
    pub const REMOVED: u32 = 0x200;
    /// It is gone.
    pub const GONE: u32 = 0x400;
    /// It has another name.
    pub const MOVED: u32 = 0x800;
    /// It is watched no longer.
    pub const UNWATCHED: u32 = 0x8000;
    /// It happened to a directory; said together with one of the others.
    pub const DIRECTORY: u32 = 0x4000_0000;
}

/// Flags of [`Tree::open`], by the numbers of Linux.
pub mod open {
    /// The bits that say whether to read, write or both.
    pub const ACCESS: i32 = 3;
    /// To write only.
    pub const WRITE: i32 = 1;
    /// To read and write.
    pub const BOTH: i32 = 2;
    /// Make it if it is not there.
    pub const CREATE: i32 = 0o100;
    /// Fail if it is there.
    pub const EXCLUSIVE: i32 = 0o200;
    /// Empty it.
    pub const TRUNCATE: i32 = 0o1000;
    /// Write at its end.
    pub const APPEND: i32 = 0o2000;
    /// What is written is on the disk before the call ends; part of what `O_SYNC` asks for, too.
    pub const DATA_SYNC: i32 = 0o10_000;
    /// Fail unless it is a directory.
    pub const DIRECTORY: i32 = 0o200_000;
    /// Fail if it is a link.
    pub const NOT_A_LINK: i32 = 0o400_000;
}

/// A tree of files.
///
/// Every function is one call of the system and means what that means on Linux. Paths start at the
/// root.
pub trait Tree {
    /// Opens a file and gives its descriptor.
    fn open(&self, path: At<'_>, flags: i32, mode: u32) -> Result<i32>;
    /// Closes a descriptor.
    fn close(&self, fd: i32) -> Result<()>;
    /// Leaves a descriptor to whichever worker of the program uses it next.
    fn give(&self, fd: i32) -> Result<()>;
    /// Reads up to so many bytes from there, or from where the last read ended.
    fn read(&self, fd: i32, length: usize, position: Option<u64>) -> Result<Vec<u8>>;
    /// The memory that there is for what is read.
    fn room(&self) -> Room;
    /// To whom new files belong: user and group.
    fn user(&self) -> (u32, u32);
    /// Writes there, or where the last write ended; gives how many bytes were taken.
    fn write(&self, fd: i32, bytes: &[u8], position: Option<u64>) -> Result<usize>;
    /// What is known of the file at a path; of a link itself, unless it is followed.
    fn stat(&self, path: At<'_>, follow: bool) -> Result<Stat>;
    /// What is known of an open file.
    fn fstat(&self, fd: i32) -> Result<Stat>;
    /// The type of the file system, the size of its blocks; blocks and files, free and in all.
    fn statfs(&self, path: At<'_>) -> Result<[u64; 7]>;
    /// The names in a directory, in their order, each with its kind as in [`Stat::kind`].
    fn list(&self, path: At<'_>) -> Result<Vec<(OsString, u32)>>;
    /// Makes a directory.
    fn mkdir(&self, path: At<'_>, mode: u32) -> Result<()>;
    /// Removes an empty directory.
    fn rmdir(&self, path: At<'_>) -> Result<()>;
    /// Removes a name of a file.
    fn unlink(&self, path: At<'_>) -> Result<()>;
    /// Gives something another name.
    fn rename(&self, from: At<'_>, to: At<'_>) -> Result<()>;
    /// Gives a file a further name.
    fn link(&self, from: At<'_>, to: At<'_>) -> Result<()>;
    /// Makes a link to a path that need not be.
    fn symlink(&self, target: &Path, path: At<'_>) -> Result<()>;
    /// Where a link leads.
    fn readlink(&self, path: At<'_>) -> Result<PathBuf>;
    /// Says who may do what.
    fn chmod(&self, path: At<'_>, mode: u32) -> Result<()>;
    /// As [`Tree::chmod`], for an open file.
    fn fchmod(&self, file: Opened, mode: u32) -> Result<()>;
    /// Sets owner and group; nothing leaves one as it is.
    fn chown(
        &self,
        path: At<'_>,
        owner: Option<u32>,
        group: Option<u32>,
        follow: bool,
    ) -> Result<()>;
    /// As [`Tree::chown`], for an open file.
    fn fchown(&self, file: Opened, owner: Option<u32>, group: Option<u32>) -> Result<()>;
    /// Sets the times of the last read and the last write.
    fn utimes(&self, path: At<'_>, read: Time, written: Time, follow: bool) -> Result<()>;
    /// As [`Tree::utimes`], for an open file.
    fn futimes(&self, file: Opened, read: Time, written: Time) -> Result<()>;
    /// Cuts an open file, or fills it up with zeros.
    fn truncate(&self, fd: i32, size: u64) -> Result<()>;
    /// Waits until what was written would survive a crash.
    fn sync(&self, fd: i32, only_data: bool) -> Result<()>;
    /// Whether the program may read (4), write (2) or run (1) a file.
    fn access(&self, path: At<'_>, mode: u32) -> Result<()>;
    /// Says which permissions new files do not get, and gives those of before.
    fn set_mask(&self, mask: u32) -> u32;
    /// Begins to watch a file, or what is in a directory, and gives a number; one for each file.
    fn watch(&self, path: At<'_>) -> Result<i32>;
    /// Ends it.
    fn unwatch(&self, watch: i32) -> Result<()>;
    /// What has changed, in order, since the last time somebody asked.
    fn changes(&self) -> Result<Vec<Change>>;
}
