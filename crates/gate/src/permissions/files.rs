//! Which files a program may read and write.

use super::{Ask, Permissions, Scope};
use crate::disk::{Disk, Kind};
use crate::value::{Datum, Fault, Request};
use std::ffi::OsStr;
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

/// Refuses a request about files that the program may not touch. Descriptors were let through when they
/// were opened.
pub(super) fn check(
    permissions: &Permissions,
    request: &Request,
    ask: &mut Ask<'_>,
) -> Result<(), Fault> {
    for (scope, at, follow) in needs(request) {
        let Some(path) = request.arguments.get(at).and_then(path) else { continue };
        if !allows(permissions, scope, &path, follow, ask) {
            return Err(refused(scope, &path));
        }
    }
    Ok(())
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

/// What a request does to the paths among its arguments, and whether it follows a link there.
fn needs(request: &Request) -> Vec<(Scope, usize, bool)> {
    use Scope::{Read, Write};
    match request.kind.as_str() {
        "fs.open" | "fs.readFile" | "fs.writeFile" => {
            const WRITES: i64 = 3 | 0o100 | 0o1000 | 0o2000;
            const WRITES_ONLY: i64 = 1;
            let flags = request.arguments.get(1).and_then(Datum::as_number).unwrap_or(0.0) as i64;
            let mut needs = Vec::new();
            if flags & 3 != WRITES_ONLY {
                needs.push((Read, 0, true));
            }
            if flags & WRITES != 0 {
                needs.push((Write, 0, true));
            }
            needs
        }
        "fs.stat" | "fs.statfs" | "fs.watch" | "fs.scandir" | "fs.opendir" | "fs.scanAll"
        | "fs.realpath" | "fs.access" => vec![(Read, 0, true)],
        "fs.lstat" | "fs.readlink" => vec![(Read, 0, false)],
        "fs.mkdir" | "fs.mkdirs" | "fs.mkdtemp" | "fs.rmdir" | "fs.unlink" | "fs.remove"
        | "fs.lchown" | "fs.lutime" => vec![(Write, 0, false)],
        "fs.chmod" | "fs.chown" | "fs.utime" | "fs.truncate" => vec![(Write, 0, true)],
        "fs.rename" => vec![(Read, 0, false), (Write, 0, false), (Write, 1, false)],
        // A second name would open another way to the file.
        "fs.link" => vec![(Read, 0, false), (Write, 0, false), (Write, 1, false)],
        // Wherever it leads is looked at when it is followed.
        "fs.symlink" => vec![(Write, 1, false)],
        "fs.copyfile" => vec![(Read, 0, true), (Write, 1, true)],
        "store.open" => vec![(Read, 0, true), (Write, 0, true)],
        _ => Vec::new(),
    }
}

fn path(argument: &Datum) -> Option<PathBuf> {
    match argument {
        Datum::Text(text) => Some(text.into()),
        Datum::Bytes(bytes) => Some(OsStr::from_bytes(bytes).into()),
        _ => None,
    }
}

/// How many steps are taken to find out where a path leads; whatever needs more is not allowed.
const STEPS: usize = 256;

/// Where a path leads when its links are followed, also if nothing is there yet.
fn real(path: &Path, follow: bool, steps: usize, ask: &mut Ask<'_>) -> PathBuf {
    if steps == 0 {
        return PathBuf::new();
    }
    if follow {
        if let Some(real) = led("fs.realpath", path, ask) {
            return real;
        }
        if let (Some(target), Some(parent)) = (led("fs.readlink", path, ask), path.parent()) {
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

/// Where something leads, as the world sees it.
pub(super) fn led(kind: &str, path: &Path, ask: &mut Ask<'_>) -> Option<PathBuf> {
    let path = Datum::Bytes(path.as_os_str().as_bytes().to_vec());
    let request = Request { kind: kind.into(), arguments: vec![path, Datum::Bool(true)] };
    match ask(request).ok()? {
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
