//! Requests for files, done on a tree.

use super::failed::{on_both, on_file, on_path};
use super::whole::{self, Content};
use super::{Change, Errno, Result, Stat, Time, Tree, change, walk};
use crate::need::{Last, Need};
use crate::permissions;
use crate::request::FsCall;
use crate::value::{Answer, Datum, Fault};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Does what a call for files asks for.
pub fn perform(tree: &dyn Tree, call: &FsCall) -> Answer {
    carry_out(tree, call).0
}

/// Does what a call for files asks for, and says how many trips that is: how often the poll phase sees it
/// (rule LOOP-7). In Node each trip is a job for the pool, here one job does it all.
pub fn carry_out(tree: &dyn Tree, call: &FsCall) -> (Answer, u32) {
    let mut trips = 0;
    let answer = perform_unguarded(tree, call, &mut trips);
    let answer = match answer {
        Err(fault) if Errno(fault.errno) == Errno::LOOP => {
            Err(refusal(tree, call).unwrap_or(fault))
        }
        Err(fault) if Errno(fault.errno) == Errno::ACCES => {
            Err(refusal_of_open(call).unwrap_or(fault))
        }
        answer => answer,
    };
    (answer, trips.max(1))
}

/// What a call fails with if a path that was checked leads over a link now: it was put there since, and the
/// program may not go where it leads.
fn refusal(tree: &dyn Tree, call: &FsCall) -> Option<Fault> {
    let mut first = None;
    for need in call.needs() {
        let Need::File(access, last, path) = need else { continue };
        if path.place().is_none() {
            continue;
        }
        let refused = || Fault { errno: Errno::LOOP.0, ..permissions::refused(access, path) };
        match tree.stat(path.at(), last == Last::Followed) {
            Err(Errno::LOOP) => return Some(refused()),
            // The program has asked that this link not be followed.
            Ok(stat) if stat.kind() == Stat::LINK => {}
            // Whatever was in the way is gone again.
            _ => first = first.or_else(|| Some(refused())),
        }
    }
    first
}

/// What a call fails with that changes an open file, if that was not opened to be written.
fn refusal_of_open(call: &FsCall) -> Option<Fault> {
    call.needs().into_iter().find_map(|need| match need {
        Need::OpenFile(file) if file.opened().only_to_write => {
            Some(Fault { errno: Errno::ACCES.0, ..permissions::refused_open(file) })
        }
        _ => None,
    })
}

/// What takes more than one trip counts them.
fn perform_unguarded(tree: &dyn Tree, call: &FsCall, trips: &mut u32) -> Answer {
    match call {
        FsCall::Open { path, flags, mode } => {
            let opened = tree.open(path.at(), *flags, *mode);
            opened.map(|fd| Datum::Number(fd.into())).map_err(on_path("open", path))
        }
        FsCall::Close { fd } => done(tree.close(*fd)).map_err(on_file("close")),
        FsCall::Give { fd } => done(tree.give(*fd)).map_err(on_file("give")),
        FsCall::Read { fd, length, position } => {
            let read = tree.read(*fd, *length as usize, position.0);
            read.map(Datum::Bytes).map_err(on_file("read"))
        }
        FsCall::Write { fd, bytes, position } => {
            tree.write(*fd, bytes, position.0).map(number).map_err(on_file("write"))
        }
        // What a standard stream has taken by the time that anybody asks.
        FsCall::Written { count } => Ok(Datum::Number(*count)),
        FsCall::ReadFile { file, flags } => whole::read(tree, file, flags.0.unwrap_or(0), trips),
        FsCall::WriteFile { file, flags, mode, bytes, flush, for_promise } => {
            let content = Content { bytes, flush: *flush, for_promise: for_promise.0 };
            whole::write(tree, file, (*flags, *mode), content, trips)
        }
        FsCall::Stat { path } => {
            tree.stat(path.at(), true).map(stat).map_err(on_path("stat", path))
        }
        FsCall::Lstat { path } => {
            tree.stat(path.at(), false).map(stat).map_err(on_path("lstat", path))
        }
        FsCall::Fstat { fd } => tree.fstat(*fd).map(stat).map_err(on_file("fstat")),
        FsCall::Statfs { path } => tree
            .statfs(path.at())
            .map(|numbers| Datum::List(numbers.into_iter().map(whole).collect()))
            .map_err(on_path("statfs", path)),
        FsCall::Scandir { path } => {
            tree.list(path.at()).map(entries).map_err(on_path("scandir", path))
        }
        FsCall::Opendir { path } => {
            tree.list(path.at()).map(entries).map_err(on_path("opendir", path))
        }
        FsCall::ScanAll { path, names_only } => {
            // Who takes the names one by one has them on one trip.
            let mut lists = 0;
            let listed = walk::list_all(tree, path, names_only.0.unwrap_or(false), &mut lists);
            *trips = if names_only.0.is_some() { lists } else { 1 };
            listed.map(all_entries).map_err(|(error, at)| Fault::system(error.0, "scandir").at(at))
        }
        FsCall::Mkdir { path, mode } => {
            done(tree.mkdir(path.at(), *mode)).map_err(on_path("mkdir", path))
        }
        FsCall::Mkdirs { path, mode } => walk::make_directories(tree, path.at(), *mode, trips)
            .map(|first| {
                first.map_or(Datum::Undefined, |first| {
                    let first: PathBuf = path.as_given(&first).components().collect();
                    bytes(first.as_os_str())
                })
            })
            .map_err(on_path("mkdir", path)),
        FsCall::Mkdtemp { path } => {
            done(tree.mkdir(path.at(), 0o700)).map_err(on_path("mkdtemp", path))
        }
        FsCall::Rmdir { path } => done(tree.rmdir(path.at())).map_err(on_path("rmdir", path)),
        FsCall::Unlink { path } => done(tree.unlink(path.at())).map_err(on_path("unlink", path)),
        FsCall::Remove { path, looks } => {
            let removed = walk::remove(tree, path.at(), trips);
            *trips += u32::from(looks.0);
            removed
                .map(|()| Datum::Undefined)
                .map_err(|(error, call, at)| Fault::system(error.0, call).at(path.as_given(&at)))
        }
        FsCall::Rename { from, to } => {
            done(tree.rename(from.at(), to.at())).map_err(on_both("rename", from, to))
        }
        FsCall::Link { from, to } => {
            done(tree.link(from.at(), to.at())).map_err(on_both("link", from, to))
        }
        FsCall::Symlink { target, path } => done(tree.symlink(target.as_path(), path.at()))
            .map_err(on_both("symlink", target, path)),
        FsCall::Copyfile { from, to, mode } => {
            const EXCLUSIVE: i32 = 1;
            done(walk::copy(tree, from.at(), to.at(), mode & EXCLUSIVE != 0))
                .map_err(on_both("copyfile", from, to))
        }
        FsCall::Readlink { path, for_check: _ } => tree
            .readlink(path.at())
            .map(|target| bytes(target.as_os_str()))
            .map_err(on_path("readlink", path)),
        FsCall::Realpath { path, native } => walk::realpath(tree, path.at(), *native, trips)
            .map(|real| bytes(real.as_os_str()))
            .map_err(|(error, call, at)| match native {
                true => on_path("realpath", path)(error),
                false => Fault::system(error.0, call).at(at),
            }),
        FsCall::Chmod { path, mode } => {
            done(tree.chmod(path.at(), *mode)).map_err(on_path("chmod", path))
        }
        FsCall::Fchmod { fd, mode } => {
            done(tree.fchmod(fd.opened(), *mode)).map_err(on_file("fchmod"))
        }
        FsCall::Chown { path, owner, group } => {
            let owned = tree.chown(path.at(), id(*owner), id(*group), true);
            done(owned).map_err(on_path("chown", path))
        }
        FsCall::Lchown { path, owner, group } => {
            let owned = tree.chown(path.at(), id(*owner), id(*group), false);
            done(owned).map_err(on_path("lchown", path))
        }
        FsCall::Fchown { fd, owner, group } => {
            done(tree.fchown(fd.opened(), id(*owner), id(*group))).map_err(on_file("fchown"))
        }
        FsCall::Utime { path, read, written } => {
            let set = tree.utimes(path.at(), time(*read), time(*written), true);
            done(set).map_err(on_path("utime", path))
        }
        FsCall::Lutime { path, read, written } => {
            let set = tree.utimes(path.at(), time(*read), time(*written), false);
            done(set).map_err(on_path("lutime", path))
        }
        FsCall::Futime { fd, read, written } => {
            done(tree.futimes(fd.opened(), time(*read), time(*written))).map_err(on_file("futime"))
        }
        FsCall::Truncate { path, size } => whole::truncate(tree, path, length(*size), trips),
        FsCall::Ftruncate { fd, size } => {
            done(tree.truncate(*fd, length(*size))).map_err(on_file("ftruncate"))
        }
        FsCall::Fsync { fd } => done(tree.sync(*fd, false)).map_err(on_file("fsync")),
        FsCall::Fdatasync { fd } => done(tree.sync(*fd, true)).map_err(on_file("fdatasync")),
        FsCall::Access { path, mode } => {
            done(tree.access(path.at(), *mode)).map_err(on_path("access", path))
        }
        FsCall::Umask { mask } => Ok(Datum::Number(tree.set_mask(mask & 0o777).into())),
        FsCall::Watch { path } => {
            let watched = tree.watch(path.at());
            watched.map(|watch| Datum::Number(watch.into())).map_err(on_path("watch", path))
        }
        FsCall::Unwatch { watch } => done(tree.unwatch(*watch)).map_err(on_file("unwatch")),
        FsCall::Changes => tree.changes().map(changes).map_err(on_file("changes")),
        // Worlds answer this when there are changes.
        FsCall::AwaitChanges { at_once: _ } => Ok(Datum::Undefined),
    }
}

/// A call that gives nothing.
fn done(result: Result<()>) -> Result<Datum> {
    result.map(|()| Datum::Undefined)
}

/// Changes, each as its watch, whether it is more than a change of the file, and the name.
fn changes(changes: Vec<Change>) -> Datum {
    const OF_THE_FILE: u32 = change::CONTENT | change::ATTRIBUTES;
    let parts = |Change { watch, what, name }| {
        [Datum::Number(watch.into()), Datum::Bool(what & !OF_THE_FILE != 0), bytes(&name)]
    };
    Datum::List(changes.into_iter().flat_map(parts).collect())
}

/// How long a file is to be: at least nothing.
fn length(size: i64) -> u64 {
    u64::try_from(size).unwrap_or(0)
}

/// Who is to own a file; -1 leaves it as it is.
fn id(id: i64) -> Option<u32> {
    (id != -1 && id != i64::from(u32::MAX)).then_some(id as u32)
}

fn time(time: f64) -> Time {
    let seconds = time.floor();
    // What a number of seconds can tell apart are microseconds.
    let microseconds = ((time - seconds) * 1e6) as u32;
    Time { seconds: seconds as i64, nanoseconds: microseconds * 1_000 }
}

fn number(count: usize) -> Datum {
    Datum::Number(count as f64)
}

/// A whole number; as digits where a number of JavaScript would lose some.
fn whole(number: u64) -> Datum {
    const SAFE: u64 = 1 << 53;
    if number <= SAFE { Datum::Number(number as f64) } else { Datum::Text(number.to_string()) }
}

/// A name: a text if it is one.
fn bytes(name: &OsStr) -> Datum {
    match name.to_str() {
        Some(text) => Datum::Text(text.to_owned()),
        None => Datum::Bytes(name.as_bytes().to_vec()),
    }
}

/// Names and kinds by turns.
fn entries(names: Vec<(OsString, u32)>) -> Datum {
    let entry = |(name, kind): (OsString, u32)| [bytes(&name), Datum::Number(kind.into())];
    Datum::List(names.into_iter().flat_map(entry).collect())
}

/// The same with the directory that each is in.
fn all_entries(found: Vec<(PathBuf, OsString, u32)>) -> Datum {
    let entry = |(inside, name, kind): (PathBuf, OsString, u32)| {
        [bytes(inside.as_os_str()), bytes(&name), Datum::Number(kind.into())]
    };
    Datum::List(found.into_iter().flat_map(entry).collect())
}

/// In the order in which Node's `Stats` has them; times as seconds and nanoseconds.
fn stat(stat: Stat) -> Datum {
    let mut list = Vec::with_capacity(18);
    let (owner, group) = stat.owner;
    list.extend(
        [
            stat.device,
            stat.mode.into(),
            stat.links,
            owner.into(),
            group.into(),
            stat.special,
            stat.block_size,
            stat.inode,
            stat.size,
            stat.blocks,
        ]
        .map(whole),
    );
    for time in stat.times {
        list.push(Datum::Number(time.seconds as f64));
        list.push(Datum::Number(time.nanoseconds.into()));
    }
    Datum::List(list)
}
