//! Files by paths in which no part is a link.
//!
//! A path that was checked has had its links followed then. Whoever uses it now must not follow others that
//! were put there since, in no part of it; so nothing here is done by path but what finds the file, and
//! finding it fails where a link is in the way.

use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags, openat, openat2, statat};
use rustix::io::{Errno, Result};
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// A directory, to find something in.
const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens the file that a path leads to.
pub(crate) fn open(path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    // The call takes no mode where nothing can be made, and none that is no mode.
    let makes = flags.contains(OFlags::CREATE) || flags.contains(OFlags::TMPFILE);
    let mode = if makes { mode & Mode::from_raw_mode(0o7777) } else { Mode::empty() };
    match openat2(CWD, path, flags, mode, ResolveFlags::NO_SYMLINKS) {
        // A kernel, or whoever guards it, that does not know the call.
        Err(Errno::NOSYS | Errno::PERM) => open_by_steps(path, flags, mode),
        result => result,
    }
}

/// The same by steps: every directory is opened from the one before.
fn open_by_steps(path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    let has_slash = [&b"/"[..], b"/."].iter().any(|end| path.as_os_str().as_bytes().ends_with(end));
    if has_slash && flags.contains(OFlags::CREATE) {
        return Err(Errno::ISDIR);
    }
    let flags = if has_slash { flags | OFlags::DIRECTORY } else { flags };
    let mut directory = openat(CWD, "/", DIRECTORY, Mode::empty())?;
    let mut parts = path.components().filter(|part| *part != Component::RootDir).peekable();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        let (flags, mode) = if is_last { (flags, mode) } else { (DIRECTORY, Mode::empty()) };
        let found = openat(&directory, part.as_os_str(), flags | OFlags::NOFOLLOW, mode);
        // A link that has to be a directory is told as something that is none.
        let is_link = || {
            statat(&directory, part.as_os_str(), AtFlags::SYMLINK_NOFOLLOW)
                .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_symlink())
        };
        match found {
            Err(Errno::NOTDIR) if is_link() => return Err(Errno::LOOP),
            Ok(found) if is_last => return Ok(found),
            found => directory = found?,
        }
    }
    openat(&directory, ".", flags, mode)
}

/// The file that a path leads to, to be asked about: a link, if that is what is there.
pub(crate) fn handle(path: &Path) -> Result<File> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    open(path, flags, Mode::empty()).map(File::from)
}

/// The same for what may not be a link.
pub(crate) fn handle_of_target(path: &Path) -> std::io::Result<File> {
    let file = handle(path)?;
    if file.metadata()?.is_symlink() { Err(Errno::LOOP.into()) } else { Ok(file) }
}

/// The directory that something is in, and its name there, with the slashes that come after it.
pub(crate) fn parent(path: &Path) -> Result<(OwnedFd, &OsStr)> {
    let path = path.as_os_str().as_bytes();
    let end = path.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    let start = path[..end].iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    let (directory, name) = if end == 0 { (path, &b"."[..]) } else { path.split_at(start) };
    let directory = Path::new(OsStr::from_bytes(directory));
    Ok((open(directory, DIRECTORY, Mode::empty())?, OsStr::from_bytes(name)))
}

/// A path that leads to an open file whatever became of its name, for calls that take only paths.
pub(crate) fn path_of(file: &File) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Both ways to open a file, so that they are known to agree.
    fn both(path: &Path, flags: OFlags) -> Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        let by_steps = open_by_steps(path, flags, Mode::empty());
        let at_once = open(path, flags, Mode::empty());
        assert_eq!(
            at_once.as_ref().map(drop).map_err(|error| *error),
            by_steps.as_ref().map(drop).map_err(|error| *error),
            "{}",
            path.display()
        );
        at_once
    }

    #[test]
    fn a_link_anywhere_in_a_path_leads_nowhere() {
        let folder = std::env::temp_dir().join(format!("hemiola-exact-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inside")).expect("a folder");
        let folder = folder.canonicalize().expect("it is there");
        std::fs::write(folder.join("inside/file"), "here").expect("a file");
        symlink("inside", folder.join("way")).expect("a link");
        symlink("inside/file", folder.join("last")).expect("a link");
        let read = OFlags::RDONLY;

        both(&folder.join("inside/file"), read).expect("no link is in the way");
        both(Path::new("/"), read | OFlags::DIRECTORY).expect("the root is no link");
        both(&folder.join("inside"), read | OFlags::DIRECTORY).expect("a directory");
        for linked in ["way/file", "last", "way"] {
            assert_eq!(both(&folder.join(linked), read).expect_err("a link"), Errno::LOOP);
        }
        for (missing, error) in [("nothing", Errno::NOENT), ("inside/file/x", Errno::NOTDIR)] {
            assert_eq!(both(&folder.join(missing), read).expect_err("not there"), error);
        }
        assert!(handle(&folder.join("last")).is_ok(), "a link can be looked at");
        assert!(handle_of_target(&folder.join("last")).is_err(), "but not taken for its target");
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
