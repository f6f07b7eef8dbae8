//! Which files a program may read and write.

use super::{Ask, Checked, Permissions, Scope};
use crate::descriptor::Descriptor;
use crate::disk::{Disk, Kind};
use crate::files::Errno;
use crate::grant::Grant;
use crate::need::{Access, Last};
use crate::path::{FilePath, Place};
use crate::request::{FsCall, Trailing};
use crate::value::{Datum, Fault};
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

/// Refuses a path that the program may not touch; one that it may leads from now on where it did here.
pub(super) fn check(
    permissions: &Permissions,
    access: Access,
    path: &FilePath,
    last: Last,
    ask: &mut Ask<'_>,
) -> Result<(), Fault> {
    if allows(permissions, access, path, last, ask) { Ok(()) } else { Err(refused(access, path)) }
}

/// Whether a path may be read or written.
pub(super) fn allows(
    permissions: &Permissions,
    access: Access,
    path: &FilePath,
    last: Last,
    ask: &mut Ask<'_>,
) -> bool {
    let grant = match access {
        Access::Read => &permissions.read,
        Access::Write => &permissions.write,
    };
    if *grant == Grant::All {
        return true;
    }
    let find = || Place { path: place(path.as_path(), last, ask), within: grant.clone() };
    grant.covers(&path.settle(find).path)
}

/// What a call that may not touch a file fails with.
pub(crate) fn refused(access: Access, path: &FilePath) -> Fault {
    let scope = match access {
        Access::Read => Scope::Read,
        Access::Write => Scope::Write,
    };
    scope.refused(path.as_path().as_os_str().as_bytes())
}

/// Refuses an open file where nothing may be written; otherwise it is looked at when it is used.
pub(super) fn check_open(permissions: &Permissions, file: &Descriptor) -> Result<(), Fault> {
    match &permissions.write {
        Grant::All => {}
        Grant::Under(roots) if roots.is_empty() => return Err(refused_open(file)),
        Grant::Under(_) => file.demand_writing(),
    }
    Ok(())
}

/// What a call fails with that would change a file that was not opened to be written.
pub(crate) fn refused_open(file: &Descriptor) -> Fault {
    let number = file.number();
    let message = format!(
        "Access to this API has been restricted. Use --allow-write to manage permissions: descriptor \
         {number} was not opened for writing"
    );
    let refused = Scope::Write.refused(number.to_string().as_bytes());
    Fault { message: message.into(), ..refused }
}

/// Where a path leads, without links but perhaps the last; at its end it still says that a directory is meant.
fn place(path: &Path, last: Last, guide: &mut (impl Guide + ?Sized)) -> PathBuf {
    let given = path.as_os_str().as_bytes();
    let end = given.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    let (name, has_slash) = (&given[..end], end > 0 && end < given.len());
    // Without the slash, also what is no directory is found, and then refused by whoever meets the slash.
    let path = if has_slash { Path::new(OsStr::from_bytes(name)) } else { path };
    let has_dots = [&b"/."[..], b"/.."].iter().any(|dots| name.ends_with(dots));
    let follow = match last {
        Last::Followed => true,
        Last::Link => has_slash || has_dots,
        Last::Name => has_dots,
    };
    let mut found = real(path, follow, STEPS, guide).into_os_string();
    match (has_dots, has_slash) {
        // It leads nowhere.
        _ if found.is_empty() => {}
        (true, _) => found.push("/."),
        (false, true) => found.push("/"),
        (false, false) => {}
    }
    found.into()
}

/// How many steps are taken to find out where a path leads; whatever needs more is not allowed.
const STEPS: usize = 256;

/// Where a path leads when its links are followed, also if nothing is there yet.
fn real(path: &Path, follow: bool, steps: usize, guide: &mut (impl Guide + ?Sized)) -> PathBuf {
    if steps == 0 {
        return PathBuf::new();
    }
    if follow {
        if let Some(real) = guide.real_path(path) {
            return real;
        }
        if let (Some(target), Some(parent)) = (guide.target(path), path.parent()) {
            return real(&parent.join(target), true, steps - 1, guide);
        }
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real(parent, true, steps - 1, guide).join(name),
        // It ends with `..`, of something that is not there.
        (Some(parent), None) => {
            let mut found = real(parent, true, steps - 1, guide);
            found.pop();
            found
        }
        (None, _) => path.to_owned(),
    }
}

/// Who knows where paths lead.
pub(super) trait Guide {
    /// The path without links, if something is there.
    fn real_path(&mut self, path: &Path) -> Option<PathBuf>;
    /// Where a link leads.
    fn target(&mut self, path: &Path) -> Option<PathBuf>;
}

/// As the world sees it.
impl Guide for Ask<'_> {
    fn real_path(&mut self, path: &Path) -> Option<PathBuf> {
        led(FsCall::Realpath { path: as_bytes(path), native: true }, self)
    }

    fn target(&mut self, path: &Path) -> Option<PathBuf> {
        led(FsCall::Readlink { path: as_bytes(path), for_check: Trailing(Some(true)) }, self)
    }
}

/// As the disk has it that modules are read from.
struct OfDisk<'a>(&'a dyn Disk);

impl Guide for OfDisk<'_> {
    fn real_path(&mut self, path: &Path) -> Option<PathBuf> {
        self.0.canonicalize(path).ok()
    }

    fn target(&mut self, path: &Path) -> Option<PathBuf> {
        self.0.link(path).ok()
    }
}

fn as_bytes(path: &Path) -> FilePath {
    path.as_os_str().as_bytes().to_vec().into()
}

fn led(call: FsCall, ask: &mut Ask<'_>) -> Option<PathBuf> {
    match ask(Checked::by_check(call)).ok()? {
        Datum::Text(text) => Some(text.into()),
        Datum::Bytes(bytes) => Some(std::ffi::OsString::from_vec(bytes).into()),
        _ => None,
    }
}

/// A disk of which modules may read only what is allowed.
pub struct Guarded {
    /// The whole disk.
    pub disk: Arc<dyn Disk>,
    /// What of it may be read.
    pub read: Grant,
}

/// Why a module could not be read.
#[derive(Debug)]
pub struct Refused(pub Fault);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Refused {}

impl Guarded {
    /// Where a path leads, if that may be read; it leads there from now on. Whether anything is there is not
    /// asked: nobody learns of what may not be read whether it exists.
    fn check<'a>(&self, file: &'a FilePath) -> io::Result<&'a Path> {
        let find = || {
            let path = place(file.as_path(), Last::Followed, &mut OfDisk(&*self.disk));
            Place { path, within: self.read.clone() }
        };
        let place = file.settle(find);
        if self.read.covers(&place.path) { Ok(&place.path) } else { Err(denied(file)) }
    }
}

/// What a module lookup fails with where nothing may be read.
fn denied(file: &FilePath) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, Refused(refused(Access::Read, file)))
}

/// A link that was put in the way since the check leads nowhere.
fn on_new_link(file: &FilePath) -> impl Fn(io::Error) -> io::Error {
    move |error| match error.raw_os_error() {
        Some(number) if Errno(number) == Errno::LOOP => denied(file),
        _ => error,
    }
}

/// What was checked is what is read, or looked at.
impl Disk for Guarded {
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        self.check(file)?;
        self.disk.read(file).map_err(on_new_link(file))
    }

    fn kind(&self, file: &FilePath) -> io::Result<Kind> {
        self.check(file)?;
        self.disk.kind(file).map_err(on_new_link(file))
    }

    fn link(&self, path: &Path) -> io::Result<PathBuf> {
        let file = path.into();
        let place = place(path, Last::Link, &mut OfDisk(&*self.disk));
        if self.read.covers(&place) { self.disk.link(&place) } else { Err(denied(&file)) }
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let file = path.into();
        let real = self.disk.canonicalize(self.check(&file)?)?;
        if self.read.covers(&real) { Ok(real) } else { Err(denied(&file)) }
    }
}
