//! What takes several calls: real paths, directories with their parents, whole trees.

use super::{At, Errno, LARGEST, Links, Opened, Result, Stat, Tree, open};
use crate::path::FilePath;
use crate::room::Taken;
use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// How many links may be followed on one way, as on Linux.
const LINKS: usize = 40;

/// How much is copied at once.
const CHUNK: usize = 256 * 1024;

/// What a walk gives, or the error and where it was.
type Located<T> = std::result::Result<T, (Errno, PathBuf)>;

/// The path without links; or why not, what was asked then, and about what.
///
/// As Node has it, a link that leads nowhere is told by its own path, unless it is left to the system. And
/// unless it is, every part of the way is a trip, and a link two more; what was seen once is known.
pub(super) fn realpath(
    tree: &dyn Tree,
    at: At<'_>,
    native: bool,
    trips: &mut u32,
) -> std::result::Result<PathBuf, (Errno, &'static str, PathBuf)> {
    let path = at.path;
    // An empty path leads nowhere.
    if path.as_os_str().is_empty() {
        return Err((Errno::NOENT, "realpath", path.to_owned()));
    }
    let mut real = PathBuf::from("/");
    let parts = |path: &Path| -> Vec<OsString> {
        path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
    };
    // What is left to walk, the next part last.
    let mut rest = parts(path);
    let mut links = 0;
    let mut known = BTreeSet::new();
    while let Some(part) = rest.pop() {
        match Path::new(&part).components().next() {
            Some(Component::RootDir) => real = PathBuf::from("/"),
            Some(Component::ParentDir) => {
                real.pop();
            }
            Some(Component::Normal(name)) => {
                let next = real.join(name);
                let failed = |call| {
                    let next = next.clone();
                    move |error| (error, call, next)
                };
                *trips += u32::from(!native && known.insert(next.clone()));
                let stat = tree.stat(at.with(&next), false).map_err(failed("lstat"))?;
                let is_directory = stat.kind() == Stat::DIRECTORY;
                if !native && is_pipe(&stat) {
                    return Ok(without_looking(next, rest));
                }
                if stat.kind() != Stat::LINK {
                    if native && !rest.is_empty() && !is_directory {
                        return Err(failed("lstat")(Errno::NOTDIR));
                    }
                    real = next;
                    continue;
                }
                let mut leads_to_pipe = false;
                if !native {
                    *trips += 1;
                    let stat = tree.stat(at.with(&next), true).map_err(failed("stat"))?;
                    leads_to_pipe = is_pipe(&stat);
                    *trips += 1;
                }
                links += 1;
                if at.links == Links::Refused || links > LINKS {
                    return Err(failed("readlink")(Errno::LOOP));
                }
                let target = tree.readlink(at.with(&next)).map_err(failed("readlink"))?;
                // What the system says of a descriptor that is a pipe need not be a path.
                let named = real.join(&target);
                if leads_to_pipe && tree.stat(at.with(&named), false).is_err() {
                    return Ok(without_looking(named, rest));
                }
                rest.extend(parts(&target));
            }
            _ => {}
        }
    }
    // With a slash at its end, it leads only to a directory.
    if native && path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        let stat =
            tree.stat(at.with(&real), false).map_err(|error| (error, "lstat", real.clone()))?;
        if stat.kind() != Stat::DIRECTORY {
            return Err((Errno::NOTDIR, "realpath", real));
        }
    }
    Ok(real)
}

/// Whether nothing lies behind it: a pipe or a socket.
fn is_pipe(stat: &Stat) -> bool {
    stat.kind() == Stat::FIFO || stat.kind() == Stat::SOCKET
}

/// What is left of a way behind a pipe, of which Node looks at nothing any more. The next part is the last.
fn without_looking(reached: PathBuf, rest: Vec<OsString>) -> PathBuf {
    rest.into_iter().rev().fold(reached, |path, part| path.join(part))
}

/// Makes a directory and those that lead to it; gives the first that it made. Each try is a trip.
pub(super) fn make_directories(
    tree: &dyn Tree,
    at: At<'_>,
    mode: u32,
    trips: &mut u32,
) -> Result<Option<PathBuf>> {
    // What is to be made, and whether the way to it has been made.
    let mut wanted = vec![(at.path.components().collect::<PathBuf>(), false)];
    let mut first = None;
    while let Some((next, reached)) = wanted.pop() {
        *trips += 1;
        match tree.mkdir(at.with(&next), mode) {
            Ok(()) => {
                first.get_or_insert(next);
            }
            Err(Errno::NOENT) => match next.parent() {
                Some(parent) if !reached && !parent.as_os_str().is_empty() => {
                    let parent = parent.to_owned();
                    wanted.push((next, true));
                    wanted.push((parent, false));
                }
                _ => return Err(Errno::NOENT),
            },
            Err(error @ (Errno::ACCES | Errno::PERM | Errno::NOTDIR | Errno::NAMETOOLONG)) => {
                return Err(error);
            }
            Err(error) => {
                *trips += 1;
                match tree.stat(at.with(&next), true)?.kind() {
                    Stat::DIRECTORY => {}
                    // Something that is no directory is in the way.
                    _ if wanted.is_empty() => return Err(error),
                    _ => return Err(Errno::NOTDIR),
                }
            }
        }
    }
    Ok(first)
}

/// Removes a file, or a directory with all that it holds. What vanishes meanwhile is gone.
///
/// As in Node, whatever is in a directory is removed at the same time. Of each thing it is asked what it is,
/// then it is removed; a directory that is not empty is tried, read, and tried again.
pub(super) fn remove(
    tree: &dyn Tree,
    at: At<'_>,
    trips: &mut u32,
) -> std::result::Result<(), (Errno, &'static str, PathBuf)> {
    let path = at.path;
    let gone = |result: Result<()>, call, path: &Path| match result {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err((error, call, path.to_owned())),
    };
    *trips += 1;
    let is_directory = match tree.stat(at, false) {
        Ok(stat) => stat.kind() == Stat::DIRECTORY,
        Err(Errno::NOENT) => return Ok(()),
        // As in Node, which then takes it for a file.
        Err(error) => return Err((error, "unlink", path.to_owned())),
    };
    const LEAF: u32 = 2;
    const LEVEL: u32 = 4;
    *trips = LEAF;
    if !is_directory {
        return gone(tree.unlink(at), "unlink", path);
    }
    // Depth first, with a stack of our own: trees may be deep.
    let mut open = vec![(path.to_owned(), false, 1)];
    while let Some((directory, emptied, depth)) = open.pop() {
        if emptied {
            gone(tree.rmdir(at.with(&directory)), "rmdir", &directory)?;
            continue;
        }
        *trips = (*trips).max(LEVEL * (depth - 1) + LEAF);
        // As in Node, which first sees whether there is anything in it.
        match tree.rmdir(at.with(&directory)) {
            Ok(()) | Err(Errno::NOENT) => continue,
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::PERM) => {}
            Err(error) => return Err((error, "rmdir", directory)),
        }
        let names = match tree.list(at.with(&directory)) {
            Ok(names) => names,
            Err(Errno::NOENT) => continue,
            Err(error) => return Err((error, "scandir", directory)),
        };
        open.push((directory.clone(), true, depth));
        *trips = (*trips).max(LEVEL * depth + LEAF);
        for (name, kind) in names {
            let inner = directory.join(name);
            if kind == Stat::DIRECTORY {
                open.push((inner, false, depth + 1));
            } else {
                gone(tree.unlink(at.with(&inner)), "unlink", &inner)?;
            }
        }
    }
    Ok(())
}

/// The names in a directory and in those below it, each with the directory that it is in; links to
/// directories may count as such, if they do not lead to what the path was not checked for. Counts how many
/// directories it reads.
pub(super) fn list_all(
    tree: &dyn Tree,
    path: &FilePath,
    follow: bool,
    lists: &mut u32,
) -> Located<Vec<(PathBuf, OsString, u32)>> {
    let at = path.at();
    let mut found = Vec::new();
    // Each as it is named from where the walk begins, where it is, and behind how many links.
    let mut waiting = VecDeque::from([(PathBuf::new(), at.path.to_owned(), 0)]);
    while let Some((inside, directory, links)) = waiting.pop_front() {
        *lists += 1;
        let names = tree.list(at.with(&directory)).map_err(|error| {
            let is_start = inside.as_os_str().is_empty();
            let given = path.as_path();
            (error, if is_start { given.to_owned() } else { given.join(&inside) })
        })?;
        for (name, kind) in names {
            let next = directory.join(&name);
            let entered = match kind {
                Stat::DIRECTORY => Some((next, links)),
                Stat::LINK if follow && links < LINKS => {
                    directory_behind(tree, path, next).map(|next| (next, links + 1))
                }
                _ => None,
            };
            if let Some((next, links)) = entered {
                waiting.push_back((inside.join(&name), next, links));
            }
            found.push((inside.clone(), name, kind));
        }
    }
    Ok(found)
}

/// How to enter the directory that a link leads to, if it leads to one that may be entered.
fn directory_behind(tree: &dyn Tree, from: &FilePath, link: PathBuf) -> Option<PathBuf> {
    let entered = match from.place() {
        None => link,
        Some(place) => {
            let real = realpath(tree, At::anywhere(&link), true, &mut 0).ok()?;
            place.within.covers(&real).then_some(real)?
        }
    };
    let stat = tree.stat(from.at().with(&entered), true).ok()?;
    (stat.kind() == Stat::DIRECTORY).then_some(entered)
}

/// All of a file from where its descriptor stands. Counts how often it reads.
pub(super) fn read_all(tree: &dyn Tree, fd: i32, size: u64, reads: &mut u32) -> Result<Vec<u8>> {
    let room = tree.room();
    let few = usize::try_from(size).ok().filter(|&size| size <= room.left());
    // Others read at the same time.
    let mut taken = few.and_then(|size| Taken::from(&room, size)).ok_or(Errno::NOMEM)?;
    // One more than it should hold, so that one read also sees the end.
    let least = if size == 0 { 8 * 1024 } else { 1 };
    let hint = usize::try_from(size).unwrap_or(0).saturating_add(1).clamp(least, 64 * 1024 * 1024);
    let mut all = tree.read(fd, hint, None)?;
    if all.is_empty() || (size > 0 && all.len() as u64 == size) {
        return Ok(all);
    }
    loop {
        *reads += 1;
        let more = tree.read(fd, hint, None)?;
        if more.is_empty() {
            return Ok(all);
        }
        // A file without an end is read until there is no memory for it. A list that grows is there twice.
        let length = all.len() + more.len();
        if length as u64 > LARGEST {
            return Err(Errno::FBIG);
        }
        let missing = length.saturating_mul(2).saturating_sub(taken.bytes());
        if missing > room.left() || !taken.grow(missing) {
            return Err(Errno::NOMEM);
        }
        all.extend(more);
    }
}

/// Writes all, there or where the descriptor stands.
pub(super) fn write_all(tree: &dyn Tree, fd: i32, mut bytes: &[u8]) -> Result<()> {
    while !bytes.is_empty() {
        let count = tree.write(fd, bytes, None)?;
        bytes = &bytes[count..];
    }
    Ok(())
}

/// Copies a file with its mode.
pub(super) fn copy(tree: &dyn Tree, from: At<'_>, to: At<'_>, exclusive: bool) -> Result<()> {
    let source = tree.open(from, 0, 0)?;
    let result = tree.fstat(source).and_then(|stat| {
        let only_new = if exclusive { open::EXCLUSIVE } else { 0 };
        let target = tree.open(to, open::WRITE | open::CREATE | only_new, stat.mode & 0o7777)?;
        let copied = copy_into(tree, source, &stat, target);
        let closed = tree.close(target);
        let result = copied.and(closed);
        if result.is_err() {
            // Half a copy is none.
            let _ = tree.unlink(to);
        }
        result
    });
    let _ = tree.close(source);
    result
}

fn copy_into(tree: &dyn Tree, source: i32, stat: &Stat, target: i32) -> Result<()> {
    let there = tree.fstat(target)?;
    if (there.device, there.inode) == (stat.device, stat.inode) {
        // A file copied onto itself is what it was.
        return Ok(());
    }
    if stat.kind() == Stat::DIRECTORY {
        return Err(Errno::ISDIR);
    }
    tree.truncate(target, 0)?;
    tree.fchmod(Opened::anyhow(target), stat.mode & 0o7777)?;
    loop {
        let bytes = tree.read(source, CHUNK, None)?;
        if bytes.is_empty() {
            return Ok(());
        }
        write_all(tree, target, &bytes)?;
    }
}
