//! What a program may ask of the world. Asked in one place, the gate, before anything else is.

use crate::bridge;
use crate::gate::{Datum, Fault, Request};
use crate::modules::{Disk, Kind};
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

/// What is allowed; by default everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Which files may be read.
    pub read: Grant,
    /// Which files may be written.
    pub write: Grant,
}

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

/// What is done to a file.
#[derive(Clone, Copy)]
enum Access {
    Read,
    Write,
}

impl Access {
    /// What Node calls the permission, and the flag that gives it.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Read => ("FileSystemRead", "--allow-read"),
            Self::Write => ("FileSystemWrite", "--allow-write"),
        }
    }

    fn refused(self, path: &Path) -> Fault {
        let (name, flag) = self.names();
        let message = format!(
            "Access to this API has been restricted. Use {flag} to manage permissions: {flag}={}",
            path.display()
        );
        let fault = Fault { syscall: name.into(), ..Fault::new("ERR_ACCESS_DENIED", message) };
        fault.at(path.to_owned())
    }
}

/// Refuses a request that the program may not make. Descriptors were let through when they were opened.
pub(crate) fn check(permissions: &Permissions, request: &Request) -> Result<(), Fault> {
    if *permissions == Permissions::default() {
        return Ok(());
    }
    for (access, at, follow) in needs(request) {
        let Some(path) = request.arguments.get(at).and_then(path) else { continue };
        let grant = match access {
            Access::Read => &permissions.read,
            Access::Write => &permissions.write,
        };
        if *grant != Grant::All && !grant.covers(&real(&path, follow, STEPS)) {
            return Err(access.refused(&path));
        }
    }
    Ok(())
}

/// What a request does to the paths among its arguments, and whether it follows a link there.
fn needs(request: &Request) -> Vec<(Access, usize, bool)> {
    use Access::{Read, Write};
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
fn real(path: &Path, follow: bool, steps: usize) -> PathBuf {
    if steps == 0 {
        return PathBuf::new();
    }
    if follow {
        if let Some(real) = ask("fs.realpath", path) {
            return real;
        }
        if let (Some(target), Some(parent)) = (ask("fs.readlink", path), path.parent()) {
            return real(&parent.join(target), true, steps - 1);
        }
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real(parent, true, steps - 1).join(name),
        // It ends with `..`, of something that is not there.
        (Some(parent), None) => {
            let mut found = real(parent, true, steps - 1);
            found.pop();
            found
        }
        (None, _) => path.to_owned(),
    }
}

fn ask(kind: &str, path: &Path) -> Option<PathBuf> {
    let path = Datum::Bytes(path.as_os_str().as_bytes().to_vec());
    let request = Request { kind: kind.into(), arguments: vec![path, Datum::Bool(true)] };
    match bridge::with(|context| context.perform(request)).ok()? {
        Datum::Text(text) => Some(text.into()),
        Datum::Bytes(bytes) => Some(std::ffi::OsString::from_vec(bytes).into()),
        _ => None,
    }
}

/// A disk of which modules may read only what is allowed.
pub(crate) struct Guarded {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) read: Grant,
}

/// Why a module could not be read.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) Fault);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Refused {}

impl Disk for Guarded {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if !self.read.covers(&self.disk.canonicalize(path)?) {
            let refused = Refused(Access::Read.refused(path));
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
