//! Which files a program may read and write.

use super::{Ask, Checked, Permissions, Scope};
use crate::disk::{Disk, Kind};
use crate::request::{FilePath, FsCall, Trailing};
use crate::value::{Datum, Fault};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

/// Which files are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Grant {
    /// All of them.
    #[default]
    All,
    /// These, and what is in them; paths without links.
    Under(Vec<PathBuf>),
}

impl Grant {
    fn covers(&self, path: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Under(roots) => roots.iter().any(|root| path.starts_with(root)),
        }
    }
}

/// Refuses a path that the program may not touch.
pub(super) fn check(
    permissions: &Permissions,
    scope: Scope,
    path: &Path,
    follow: bool,
    ask: &mut Ask<'_>,
) -> Result<(), Fault> {
    if allows(permissions, scope, path, follow, ask) { Ok(()) } else { Err(refused(scope, path)) }
}

/// Whether a path may be read or written.
pub(super) fn allows(
    permissions: &Permissions,
    scope: Scope,
    path: &Path,
    follow: bool,
    ask: &mut Ask<'_>,
) -> bool {
    let grant = if scope == Scope::Write { &permissions.write } else { &permissions.read };
    *grant == Grant::All || grant.covers(&real(path, follow, STEPS, ask))
}

fn refused(scope: Scope, path: &Path) -> Fault {
    scope.refused(path.as_os_str().as_bytes())
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
    FilePath::Bytes(path.as_os_str().as_bytes().to_vec())
}

fn led(call: FsCall, ask: &mut Ask<'_>) -> Option<PathBuf> {
    match ask(Checked::by_runtime(call)).ok()? {
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
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if !self.read.covers(&self.disk.canonicalize(path)?) {
            let refused = Refused(refused(Scope::Read, path));
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, refused));
        }
        self.disk.read(path)
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.disk.kind(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk.canonicalize(path)
    }
}
