//! Whole files: opened, read or written, and closed in one call.
//!
//! In Node each of these steps is a job for the pool, and its end a trip through the poll phase (rule LOOP-7).

use super::failed::{on_file, on_path};
use super::{LARGEST, Stat, Tree, open, walk};
use crate::request::{FilePath, FileRef, FsCall};
use crate::value::{Answer, Datum, Fault};

/// So much is read or written in one trip, as in Node.
const PIECE: u64 = 512 * 1024;

/// What a file is to hold.
#[derive(Clone, Copy)]
pub(super) struct Content<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether to wait until it would survive a crash.
    pub(super) flush: bool,
    /// Whether a promise waits for it: for one write of each piece. A callback waits for one of all.
    pub(super) for_promise: bool,
}

/// A call in two steps: it opens a file, and goes on with it. What happens between the two makes a difference
/// to it, or is made one by it.
pub struct Steps<'a> {
    /// What it does first, and by itself.
    pub open: FsCall,
    then: Then<'a>,
}

enum Then<'a> {
    Read,
    Write(Content<'a>),
}

impl<'a> Steps<'a> {
    /// The steps of a call; nothing if it is done in one.
    pub fn of(call: &'a FsCall) -> Option<Self> {
        match call {
            FsCall::ReadFile { file: FileRef::Path(path), flags } => {
                let flags = flags.0.unwrap_or(0);
                let open = FsCall::Open { path: path.clone(), flags, mode: 0o666 };
                Some(Self { open, then: Then::Read })
            }
            // A file is emptied before it is written.
            FsCall::WriteFile {
                file: FileRef::Path(path),
                flags,
                mode,
                bytes,
                flush,
                for_promise,
            } if flags & open::TRUNCATE != 0 => {
                let open = FsCall::Open { path: path.clone(), flags: *flags, mode: *mode };
                let content = Content { bytes, flush: *flush, for_promise: for_promise.0 };
                Some(Self { open, then: Then::Write(content) })
            }
            _ => None,
        }
    }

    /// Goes on with the file that was opened, and closes it; with how many trips that is.
    pub fn go_on(&self, tree: &dyn Tree, fd: i32) -> (Answer, u32) {
        let mut trips = 0;
        let answer = match self.then {
            Then::Read => empty_and_close(tree, fd, &mut trips),
            Then::Write(content) => fill_and_close(tree, fd, content, &mut trips),
        };
        (answer, trips)
    }
}

/// Reads a whole file.
pub(super) fn read(tree: &dyn Tree, file: &FileRef, flags: i32, trips: &mut u32) -> Answer {
    match file {
        FileRef::Descriptor(fd) => read_open(tree, *fd, trips),
        FileRef::Path(path) => {
            *trips += 1;
            let fd = tree.open(path.at(), flags, 0o666).map_err(on_path("open", path))?;
            empty_and_close(tree, fd, trips)
        }
    }
}

/// Writes a whole file, which is opened with those flags and that mode.
pub(super) fn write(
    tree: &dyn Tree,
    file: &FileRef,
    (flags, mode): (i32, u32),
    content: Content<'_>,
    trips: &mut u32,
) -> Answer {
    match file {
        FileRef::Descriptor(fd) => {
            // As in Node, a promise takes whoever has opened the file to see to that.
            let flush = content.flush && !content.for_promise;
            write_open(tree, *fd, Content { flush, ..content }, trips)
        }
        FileRef::Path(path) => {
            *trips += 1;
            let fd = tree.open(path.at(), flags, mode).map_err(on_path("open", path))?;
            fill_and_close(tree, fd, content, trips)
        }
    }
}

/// Cuts a file, or fills it up.
pub(super) fn truncate(tree: &dyn Tree, path: &FilePath, size: u64, trips: &mut u32) -> Answer {
    *trips += 1;
    let fd = tree.open(path.at(), open::BOTH, 0).map_err(on_path("open", path))?;
    let result = tree.truncate(fd, size);
    let _ = tree.close(fd);
    *trips += 2;
    result.map(|()| Datum::Undefined).map_err(on_file("ftruncate"))
}

fn empty_and_close(tree: &dyn Tree, fd: i32, trips: &mut u32) -> Answer {
    let result = read_open(tree, fd, trips);
    *trips += 1;
    let _ = tree.close(fd);
    result
}

fn fill_and_close(tree: &dyn Tree, fd: i32, content: Content<'_>, trips: &mut u32) -> Answer {
    let result = write_open(tree, fd, content, trips);
    *trips += 1;
    let closed = tree.close(fd).map_err(on_file("close"));
    result.and_then(|done| closed.map(|()| done))
}

/// All of an open file, after a look at how much that is.
fn read_open(tree: &dyn Tree, fd: i32, trips: &mut u32) -> Answer {
    *trips += 1;
    let stat = tree.fstat(fd).map_err(on_file("fstat"))?;
    let size = if stat.kind() == Stat::FILE { stat.size } else { 0 };
    if size > LARGEST {
        return Err(Fault::new("ERR_FS_FILE_TOO_LARGE", size.to_string()));
    }
    let mut reads = 1;
    let read = walk::read_all(tree, fd, size, &mut reads).map_err(on_file("read"));
    // What has a size is read in pieces, and the rest until nothing comes.
    *trips += if size > 0 { size.div_ceil(PIECE) as u32 } else { reads };
    read.map(Datum::Bytes)
}

fn write_open(tree: &dyn Tree, fd: i32, content: Content<'_>, trips: &mut u32) -> Answer {
    let Content { bytes, flush, for_promise } = content;
    *trips += if for_promise { (bytes.len() as u64).div_ceil(PIECE) as u32 } else { 1 };
    walk::write_all(tree, fd, bytes).map_err(on_file("write"))?;
    if flush {
        *trips += 1;
        tree.sync(fd, false).map_err(on_file("fsync"))?;
    }
    Ok(Datum::Undefined)
}
