//! Requests for files, done on a tree.

use super::{At, Change, Errno, Stat, Time, Tree, change, open, walk};
use crate::request::Wire;
use crate::value::{Answer, Datum, Fault};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How much can be read at once, as in Node.
const LARGEST: u64 = i32::MAX as u64;

/// Does what a request of kind `fs.…` asks for.
pub fn perform(tree: &dyn Tree, request: &Wire) -> Answer {
    let kind = request.kind.strip_prefix("fs.").unwrap_or(&request.kind);
    let args = Arguments(&request.arguments);
    let first = args.path(0);
    let path = At::anywhere(&first);
    // Most calls are named after what is asked for, and an error names the path it was asked for.
    let at_path = |error: Errno| Fault::system(error.0, call_of(kind)).at(first.clone());
    let at_both = |error: Errno| at_path(error).to(args.path(1));
    let on_fd = |error: Errno| Fault::system(error.0, call_of(kind));
    let fd = || args.int(0) as i32;
    let nothing = |()| Datum::Undefined;
    match kind {
        "open" => tree
            .open(path, args.int(1) as i32, args.int(2) as u32)
            .map(|fd| Datum::Number(fd.into()))
            .map_err(at_path),
        "close" => tree.close(fd()).map(nothing).map_err(on_fd),
        "read" => {
            tree.read(fd(), args.int(1) as usize, args.position(2)).map(Datum::Bytes).map_err(on_fd)
        }
        "write" => tree.write(fd(), args.bytes(1), args.position(2)).map(number).map_err(on_fd),
        // What a standard stream has taken by the time that anybody asks.
        "written" => Ok(request.arguments.first().cloned().unwrap_or(Datum::Undefined)),
        "readFile" => read_file(tree, &args),
        "writeFile" => write_file(tree, &args),
        "stat" => tree.stat(path, true).map(stat).map_err(at_path),
        "lstat" => tree.stat(path, false).map(stat).map_err(at_path),
        "fstat" => tree.fstat(fd()).map(stat).map_err(on_fd),
        "statfs" => tree
            .statfs(path)
            .map(|numbers| Datum::List(numbers.into_iter().map(whole).collect()))
            .map_err(at_path),
        "scandir" | "opendir" => tree.list(path).map(entries).map_err(at_path),
        "scanAll" => walk::list_all(tree, path, args.flag(1))
            .map(|found| {
                let entry = |(inside, name, kind): (PathBuf, std::ffi::OsString, u32)| {
                    [bytes(inside.as_os_str()), bytes(&name), Datum::Number(kind.into())]
                };
                Datum::List(found.into_iter().flat_map(entry).collect())
            })
            .map_err(|(error, at)| Fault::system(error.0, "scandir").at(at)),
        "mkdir" => tree.mkdir(path, args.int(1) as u32).map(nothing).map_err(at_path),
        "mkdtemp" => tree.mkdir(path, 0o700).map(nothing).map_err(at_path),
        "mkdirs" => walk::make_directories(tree, path, args.int(1) as u32)
            .map(|first| first.map_or(Datum::Undefined, |first| bytes(first.as_os_str())))
            .map_err(at_path),
        "rmdir" => tree.rmdir(path).map(nothing).map_err(at_path),
        "unlink" => tree.unlink(path).map(nothing).map_err(at_path),
        "remove" => walk::remove(tree, path)
            .map(nothing)
            .map_err(|(error, call, at)| Fault::system(error.0, call).at(at)),
        "rename" => tree.rename(path, At::anywhere(&args.path(1))).map(nothing).map_err(at_both),
        "link" => tree.link(path, At::anywhere(&args.path(1))).map(nothing).map_err(at_both),
        "symlink" => {
            tree.symlink(&first, At::anywhere(&args.path(1))).map(nothing).map_err(at_both)
        }
        "copyfile" => walk::copy(tree, path, At::anywhere(&args.path(1)), args.int(2) & 1 != 0)
            .map(nothing)
            .map_err(at_both),
        "readlink" => tree.readlink(path).map(|target| bytes(target.as_os_str())).map_err(at_path),
        "realpath" => walk::realpath(tree, path, args.flag(1))
            .map(|real| bytes(real.as_os_str()))
            .map_err(|(error, call, at)| match args.flag(1) {
                true => at_path(error),
                false => Fault::system(error.0, call).at(at),
            }),
        "chmod" => tree.chmod(path, args.int(1) as u32).map(nothing).map_err(at_path),
        "fchmod" => tree.fchmod(fd(), args.int(1) as u32).map(nothing).map_err(on_fd),
        "chown" | "lchown" => {
            tree.chown(path, args.id(1), args.id(2), kind == "chown").map(nothing).map_err(at_path)
        }
        "fchown" => tree.fchown(fd(), args.id(1), args.id(2)).map(nothing).map_err(on_fd),
        "utime" | "lutime" => tree
            .utimes(path, args.time(1), args.time(2), kind == "utime")
            .map(nothing)
            .map_err(at_path),
        "futime" => tree.futimes(fd(), args.time(1), args.time(2)).map(nothing).map_err(on_fd),
        "truncate" => truncate(tree, &args),
        "ftruncate" => tree.truncate(fd(), args.int(1).max(0) as u64).map(nothing).map_err(on_fd),
        "fsync" | "fdatasync" => tree.sync(fd(), kind == "fdatasync").map(nothing).map_err(on_fd),
        "access" => tree.access(path, args.int(1) as u32).map(nothing).map_err(at_path),
        "umask" => Ok(Datum::Number(tree.set_mask(args.int(0) as u32 & 0o777).into())),
        "watch" => tree.watch(path).map(|watch| Datum::Number(watch.into())).map_err(at_path),
        "unwatch" => tree.unwatch(fd()).map(nothing).map_err(on_fd),
        "changes" => tree.changes().map(changes).map_err(on_fd),
        // Worlds answer this when there are changes.
        "awaitChanges" => Ok(Datum::Undefined),
        _ => Err(Fault::system(Errno::NOSYS.0, kind)),
    }
}

/// Changes, each as its watch, whether it is more than a change of the file, and the name.
fn changes(changes: Vec<Change>) -> Datum {
    const OF_THE_FILE: u32 = change::CONTENT | change::ATTRIBUTES;
    let parts = |Change { watch, what, name }| {
        [Datum::Number(watch.into()), Datum::Bool(what & !OF_THE_FILE != 0), bytes(&name)]
    };
    Datum::List(changes.into_iter().flat_map(parts).collect())
}

/// `readFile(path or fd, flags, mode)`: opening, reading and closing in one.
fn read_file(tree: &dyn Tree, args: &Arguments<'_>) -> Answer {
    let read = |fd: i32| {
        let stat = tree.fstat(fd).map_err(|error| Fault::system(error.0, "fstat"))?;
        let size = if stat.kind() == Stat::FILE { stat.size } else { 0 };
        if size > LARGEST {
            return Err(Fault::new("ERR_FS_FILE_TOO_LARGE", size.to_string()));
        }
        walk::read_all(tree, fd, size).map_err(|error| Fault::system(error.0, "read"))
    };
    if let Some(fd) = args.fd(0) {
        return read(fd).map(Datum::Bytes);
    }
    let path = args.path(0);
    let fd = tree
        .open(At::anywhere(&path), args.int(1) as i32, 0o666)
        .map_err(|error| Fault::system(error.0, "open").at(path))?;
    let result = read(fd);
    let _ = tree.close(fd);
    result.map(Datum::Bytes)
}

/// `writeFile(path or fd, flags, mode, bytes, flush)`.
fn write_file(tree: &dyn Tree, args: &Arguments<'_>) -> Answer {
    let write = |fd: i32| {
        walk::write_all(tree, fd, args.bytes(3))
            .map_err(|error| Fault::system(error.0, "write"))?;
        if args.flag(4) {
            tree.sync(fd, false).map_err(|error| Fault::system(error.0, "fsync"))?;
        }
        Ok(Datum::Undefined)
    };
    if let Some(fd) = args.fd(0) {
        return write(fd);
    }
    let path = args.path(0);
    let fd = tree
        .open(At::anywhere(&path), args.int(1) as i32, args.int(2) as u32)
        .map_err(|error| Fault::system(error.0, "open").at(path))?;
    let result = write(fd);
    let closed = tree.close(fd).map_err(|error| Fault::system(error.0, "close"));
    result.and_then(|done| closed.map(|()| done))
}

/// `truncate(path, size)`.
fn truncate(tree: &dyn Tree, args: &Arguments<'_>) -> Answer {
    let path = args.path(0);
    let fd = tree
        .open(At::anywhere(&path), open::BOTH, 0)
        .map_err(|error| Fault::system(error.0, "open").at(path))?;
    let result = tree.truncate(fd, args.int(1).max(0) as u64);
    let _ = tree.close(fd);
    result.map(|()| Datum::Undefined).map_err(|error| Fault::system(error.0, "ftruncate"))
}

/// The system's name for what is asked for, where it is another.
fn call_of(kind: &str) -> &str {
    match kind {
        "mkdirs" => "mkdir",
        kind => kind,
    }
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
fn entries(names: Vec<(std::ffi::OsString, u32)>) -> Datum {
    let entry =
        |(name, kind): (std::ffi::OsString, u32)| [bytes(&name), Datum::Number(kind.into())];
    Datum::List(names.into_iter().flat_map(entry).collect())
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

/// The arguments of a request. The library checks them before it asks: what is missing is nothing.
struct Arguments<'a>(&'a [Datum]);

impl Arguments<'_> {
    fn path(&self, at: usize) -> PathBuf {
        match self.0.get(at) {
            Some(Datum::Text(text)) => PathBuf::from(text),
            Some(Datum::Bytes(bytes)) => Path::new(OsStr::from_bytes(bytes)).to_owned(),
            _ => PathBuf::new(),
        }
    }

    fn int(&self, at: usize) -> i64 {
        self.0.get(at).and_then(Datum::as_number).unwrap_or_default() as i64
    }

    /// A descriptor, where a path might stand as well.
    fn fd(&self, at: usize) -> Option<i32> {
        self.0.get(at).and_then(Datum::as_number).map(|fd| fd as i32)
    }

    fn flag(&self, at: usize) -> bool {
        matches!(self.0.get(at), Some(Datum::Bool(true)))
    }

    fn bytes(&self, at: usize) -> &[u8] {
        match self.0.get(at) {
            Some(Datum::Bytes(bytes)) => bytes,
            Some(Datum::Text(text)) => text.as_bytes(),
            _ => &[],
        }
    }

    /// Where to read or write; nothing is where the last one ended.
    fn position(&self, at: usize) -> Option<u64> {
        let position = self.0.get(at).and_then(Datum::as_number)?;
        (position >= 0.0).then_some(position as u64)
    }

    /// Who is to own a file; -1 leaves it as it is.
    fn id(&self, at: usize) -> Option<u32> {
        let id = self.int(at);
        (id != -1 && id != i64::from(u32::MAX)).then_some(id as u32)
    }

    fn time(&self, at: usize) -> Time {
        let time = self.0.get(at).and_then(Datum::as_number).unwrap_or_default();
        let seconds = time.floor();
        // What a number of seconds can tell apart are microseconds.
        let microseconds = ((time - seconds) * 1e6) as u32;
        Time { seconds: seconds as i64, nanoseconds: microseconds * 1_000 }
    }
}
