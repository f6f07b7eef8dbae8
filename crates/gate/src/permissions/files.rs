//! Which files a program may read and write.

use super::{Ask, Checked, Permissions, Scope};
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

/// Where a path leads, without links but perhaps the last; at its end it still says that a directory is meant.
fn place(path: &Path, last: Last, ask: &mut Ask<'_>) -> PathBuf {
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
    let mut found = real(path, follow, STEPS, ask).into_os_string();
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
fn real(path: &Path, follow: bool, steps: usize, ask: &mut Ask<'_>) -> PathBuf {
    if steps == 0 {
        return PathBuf::new();
    }
    if follow {
        if let Some(real) = real_path(path, ask) {
            return real;
        }
        if let (Some(target), Some(parent)) = (target(path, ask), path.parent()) {
            return real(&parent.join(target), true, steps - 1, ask);
        }
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real(parent, true, steps - 1, ask).join(name),
        // It ends with `..`, of something that is not there.
        (Some(parent), None) => {
            let mut found = real(parent, true, steps - 1, ask);
            found.pop();
            found
        }
        (None, _) => path.to_owned(),
    }
}

/// The path without links, as the world sees it.
pub(super) fn real_path(path: &Path, ask: &mut Ask<'_>) -> Option<PathBuf> {
    led(FsCall::Realpath { path: as_bytes(path), native: true }, ask)
}

/// Where a link leads.
fn target(path: &Path, ask: &mut Ask<'_>) -> Option<PathBuf> {
    led(FsCall::Readlink { path: as_bytes(path), for_check: Trailing(Some(true)) }, ask)
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

impl Disk for Guarded {
    /// What was checked is what is read: a link that was put in its way since leads nowhere.
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        let denied = || {
            let refused = Refused(refused(Access::Read, file));
            io::Error::new(io::ErrorKind::PermissionDenied, refused)
        };
        let real = self.disk.canonicalize(file.as_path())?;
        let place = file.settle(|| Place { path: real, within: self.read.clone() });
        if !self.read.covers(&place.path) {
            return Err(denied());
        }
        self.disk.read(file).map_err(|error| match error.raw_os_error() {
            Some(number) if Errno(number) == Errno::LOOP => denied(),
            _ => error,
        })
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.disk.kind(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk.canonicalize(path)
    }
}
