//! Small files, in as few calls of the system as there can be, and on the program's own thread where none of these
//! has to wait.
//!
//! A file that the system has in memory is read in less time than another thread takes to wake up. So before a
//! request to read one goes to the pool, it is tried here, by calls that fail where they would wait for a disk. What
//! was opened by then and not read goes to the pool as it is, and nothing is opened twice: to open a pipe wakes who
//! writes to it.

use crate::clock::Moment;
use crate::exact;
use crate::tree::SystemTree;
use hemiola_gate::files::{At, Links, Stat, Steps, Tree};
use hemiola_gate::{Answer, Datum, FileRef, FsCall, Room};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, fcntl_getfl, fcntl_setfl, fstat, openat2};
use rustix::io::{Errno, ReadWriteFlags, preadv2};
use std::io::IoSliceMut;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// More than so many bytes are copied by others.
const SMALL: usize = 64 * 1024;
/// In Node such a file is opened, looked at, read and closed, each on a trip of its own (rule LOOP-7).
const TRIPS: u32 = 4;

/// What became of a small file.
enum Tried {
    /// It was read.
    Read(Vec<u8>),
    /// It was opened, and is no small file, or not in memory.
    Opened(OwnedFd),
    /// It was not opened.
    Nothing(Errno),
}

/// What a program's thread does itself of what it asks for, and when it rather does not.
#[derive(Default)]
pub(crate) struct Quick {
    /// Whether the system knows no way to open a file without waiting.
    is_unknown: bool,
    /// How many requests go to the pool untried, and how many it is the next time: where files are slow, or have to
    /// be fetched, trying costs more than it saves.
    left_out: u32,
    pause: u32,
    /// How many files were read in this turn, and how many bytes that was.
    files: u32,
    bytes: usize,
}

/// What is to be done with a request.
pub(crate) enum Begun {
    /// Nothing more: this is the answer, since when it is there, and how often the poll phase sees it.
    Done(Answer, Moment, u32),
    /// It is to be done elsewhere, with the file that was opened, if one was.
    Left(Option<OwnedFd>),
}

impl Quick {
    /// So many files in a turn, and so many bytes: then others have a turn, and the pool has something to do
    /// meanwhile.
    const FILES: u32 = 64;
    const BYTES: usize = 1024 * 1024;
    /// Longer than this it takes where somebody is asked about the file who is not this computer.
    const LONG: Duration = Duration::from_micros(500);
    const MOST_LEFT_OUT: u32 = 1 << 16;

    /// A turn begins.
    pub(crate) fn turn(&mut self) {
        (self.files, self.bytes) = (0, 0);
    }

    /// Reads the file that a request asks for, if it is a small one in memory.
    pub(crate) fn begin(&mut self, call: &FsCall, room: &Room) -> Begun {
        let Some(at) = plain(call) else { return Begun::Left(None) };
        // Devices may wait for whatever they like when they are opened.
        if self.is_unknown
            || self.files == Self::FILES
            || self.bytes >= Self::BYTES
            || at.path.starts_with("/dev")
        {
            return Begun::Left(None);
        }
        if self.left_out > 0 {
            self.left_out -= 1;
            return Begun::Left(None);
        }
        let begun = Moment::now();
        let tried = try_to_read(open_in_memory(at), true, room);
        let ended = Moment::now();
        if matches!(tried, Tried::Opened(_)) || ended > begun.after(Self::LONG) {
            self.pause = (2 * self.pause + 1).min(Self::MOST_LEFT_OUT);
            self.left_out = self.pause;
        } else {
            self.pause = self.pause.saturating_sub(1);
        }
        match tried {
            Tried::Read(bytes) => {
                self.files += 1;
                self.bytes += bytes.len();
                Begun::Done(Ok(Datum::Bytes(bytes)), ended, TRIPS)
            }
            Tried::Opened(file) => Begun::Left(Some(file)),
            Tried::Nothing(error) => {
                self.is_unknown = matches!(error, Errno::NOSYS | Errno::PERM | Errno::INVAL);
                Begun::Left(None)
            }
        }
    }
}

/// Does what a call for files asks for, waiting as long as that takes: with how often the poll phase sees it, and
/// with the file that was opened for it, if one was.
pub(crate) fn carry_out(
    files: &SystemTree,
    call: &FsCall,
    opened: Option<OwnedFd>,
) -> (Answer, u32) {
    let general = || hemiola_gate::files::carry_out(files, call);
    let opened = match (opened, plain(call)) {
        (Some(file), _) => {
            wait_for_writer(&file);
            file
        }
        (None, Some(at)) => match try_to_read(open(at), false, &files.room()) {
            Tried::Read(bytes) => return (Ok(Datum::Bytes(bytes)), TRIPS),
            Tried::Opened(file) => file,
            // It fails in the same way for whoever knows how to say that.
            Tried::Nothing(_) => return general(),
        },
        (None, None) => return general(),
    };
    let Some(steps) = Steps::of(call) else { return general() };
    let (answer, trips) = steps.go_on(files, files.adopt(opened));
    (answer, trips + 1)
}

/// Where a file is of which all is to be read, and nothing else.
fn plain(call: &FsCall) -> Option<At<'_>> {
    match call {
        FsCall::ReadFile { file: FileRef::Path(path), flags } if flags.0.unwrap_or(0) == 0 => {
            Some(path.at())
        }
        _ => None,
    }
}

const TO_READ: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC);

fn open(At { path, links }: At<'_>) -> Result<OwnedFd, Errno> {
    match links {
        Links::Followed => rustix::fs::open(path, TO_READ, Mode::empty()),
        Links::Refused => exact::open(path, TO_READ, Mode::empty()),
    }
}

/// Opens a file if the system has everything in memory that leads to it.
fn open_in_memory(At { path, links }: At<'_>) -> Result<OwnedFd, Errno> {
    let resolve = match links {
        Links::Followed => ResolveFlags::CACHED,
        Links::Refused => ResolveFlags::CACHED | ResolveFlags::NO_SYMLINKS,
    };
    openat2(CWD, path, TO_READ | OFlags::NONBLOCK, Mode::empty(), resolve)
}

/// Reads a file that was opened, if it is a small one; `at_once` if it is in memory.
fn try_to_read(opened: Result<OwnedFd, Errno>, at_once: bool, room: &Room) -> Tried {
    let file = match opened {
        Ok(file) => file,
        Err(error) => return Tried::Nothing(error),
    };
    let Ok(found) = fstat(&file) else { return Tried::Opened(file) };
    let size = usize::try_from(found.st_size).unwrap_or(0);
    // What says that it is empty may still have something.
    if found.st_mode & Stat::KIND != Stat::FILE || size == 0 || size > SMALL || size > room.left() {
        return Tried::Opened(file);
    }
    // One more than it should hold, so that one read also sees the end; and from its start, for who goes on with it.
    let mut bytes = vec![0; size + 1];
    let flags = if at_once { ReadWriteFlags::NOWAIT } else { ReadWriteFlags::empty() };
    if preadv2(&file, &mut [IoSliceMut::new(&mut bytes)], 0, flags) != Ok(size) {
        return Tried::Opened(file);
    }
    bytes.truncate(size);
    Tried::Read(bytes)
}

/// Makes a file that was opened without waiting one that is waited for; a pipe without a writer is only open once it
/// has had one.
fn wait_for_writer(file: &OwnedFd) {
    let kind = fstat(file).map_or(0, |found| found.st_mode & Stat::KIND);
    if kind == Stat::FIFO {
        while poll(&mut [PollFd::new(file, PollFlags::IN)], None) == Err(Errno::INTR) {}
    }
    // If this fails, so does what is done with the file next.
    let flags = fcntl_getfl(file).unwrap_or(OFlags::empty());
    let _ = fcntl_setfl(file, flags - OFlags::NONBLOCK);
}
