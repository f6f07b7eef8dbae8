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
use rustix::io::{Errno, ReadWriteFlags, pread, preadv2};
use rustix::param::page_size;
use std::io::IoSliceMut;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// More than so many bytes are copied by others.
const SMALL: usize = 64 * 1024;
/// In Node such a file is opened, looked at, read and closed, each on a trip of its own (rule LOOP-7).
const TRIPS: u32 = 4;

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
    /// What is read comes here first: how much it is, is only known then.
    space: Vec<u8>,
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
        let opened = open_in_memory(at);
        let read = opened.as_ref().ok().and_then(|file| self.read_in_memory(file, room));
        let ended = Moment::now();
        if (opened.is_ok() && read.is_none()) || ended > begun.after(Self::LONG) {
            self.pause = (2 * self.pause + 1).min(Self::MOST_LEFT_OUT);
            self.left_out = self.pause;
        } else {
            self.pause = self.pause.saturating_sub(1);
        }
        if let Some(bytes) = read {
            self.files += 1;
            self.bytes += bytes.len();
            return Begun::Done(Ok(Datum::Bytes(bytes)), ended, TRIPS);
        }
        if let Err(error) = opened {
            self.is_unknown = matches!(error, Errno::NOSYS | Errno::PERM | Errno::INVAL);
        }
        Begun::Left(opened.ok())
    }

    /// Does what a call for files asks for, waiting as long as that takes.
    pub(crate) fn perform(&mut self, files: &SystemTree, call: &FsCall) -> Answer {
        let Some(Ok(file)) = plain(call).map(open) else {
            return hemiola_gate::files::carry_out(files, call).0;
        };
        match self.read_in_memory(&file, &files.room()) {
            Some(bytes) => Ok(Datum::Bytes(bytes)),
            None => read_opened(files, call, file).0,
        }
    }

    /// Reads a file that was opened, if it is a small one and in memory.
    ///
    /// Nobody asks how long it is, or whether it is a file at all: of what has no places in it nothing can be read
    /// at one, and what the system has in memory it gives in whole pages, but for the last of a file.
    fn read_in_memory(&mut self, file: &OwnedFd, room: &Room) -> Option<Vec<u8>> {
        fn read(file: &OwnedFd, space: &mut [u8], at: u64) -> Result<usize, Errno> {
            preadv2(file, &mut [IoSliceMut::new(space)], at, ReadWriteFlags::NOWAIT)
        }
        self.space.resize(SMALL, 0);
        // What says that it is empty may still have something.
        let size = read(file, &mut self.space, 0).ok().filter(|&size| size > 0)?;
        let is_all =
            size % page_size() != 0 || read(file, &mut [0], u64::try_from(size).ok()?) == Ok(0);
        (is_all && size <= room.left()).then(|| self.space[..size].to_vec())
    }
}

/// Does what a call for files asks for, waiting as long as that takes: with how often the poll phase sees it, and
/// with the file that was opened for it, if one was.
pub(crate) fn carry_out(
    files: &SystemTree,
    call: &FsCall,
    opened: Option<OwnedFd>,
) -> (Answer, u32) {
    if let Some(file) = opened {
        wait_for_writer(&file);
        return by_steps(files, call, file);
    }
    match plain(call).map(open) {
        Some(Ok(file)) => read_opened(files, call, file),
        // What cannot be opened fails in the same way for whoever knows how to say that.
        Some(Err(_)) | None => hemiola_gate::files::carry_out(files, call),
    }
}

/// Reads a file that was opened, by one call if it is a small one.
fn read_opened(files: &SystemTree, call: &FsCall, file: OwnedFd) -> (Answer, u32) {
    match read_small(&file, &files.room()) {
        Some(bytes) => (Ok(Datum::Bytes(bytes)), TRIPS),
        None => by_steps(files, call, file),
    }
}

/// Goes on with a file that was opened, whatever it is.
fn by_steps(files: &SystemTree, call: &FsCall, file: OwnedFd) -> (Answer, u32) {
    let Some(steps) = Steps::of(call) else { return hemiola_gate::files::carry_out(files, call) };
    let (answer, trips) = steps.go_on(files, files.adopt(file));
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

/// Reads a file that was opened, if it is a small one.
fn read_small(file: &OwnedFd, room: &Room) -> Option<Vec<u8>> {
    let found = fstat(file).ok()?;
    let size = usize::try_from(found.st_size).ok()?;
    // What says that it is empty may still have something.
    if found.st_mode & Stat::KIND != Stat::FILE || size == 0 || size > SMALL || size > room.left() {
        return None;
    }
    // One more than it should hold, so that one read also sees the end; and from its start, for who goes on with it.
    let mut bytes = vec![0; size + 1];
    if pread(file, &mut *bytes, 0) != Ok(size) {
        return None;
    }
    bytes.truncate(size);
    Some(bytes)
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
