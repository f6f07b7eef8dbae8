//! What a program may ask of the world. Asked in one place, the gate, before anything else is.

mod files;
mod network;
mod programs;

pub use files::{Grant, Guarded, Refused};
pub use network::Resolved;

use crate::value::{Answer, Fault, Request};
use std::path::Path;

/// What is allowed; by default everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Which files may be read.
    pub read: Grant,
    /// Which files may be written.
    pub write: Grant,
    /// To which hosts, with or without a port, there may be connections, and at which addresses of its
    /// own it may listen. A local socket is meant by its path.
    pub net: Names,
    /// Which programs may be started: their paths without links.
    pub run: Names,
    /// Which variables of the environment may be read.
    pub env: Names,
    /// Whether there may be workers: all or none.
    pub worker: Names,
}

/// What is meant by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// All of them.
    #[default]
    All,
    /// These.
    Only(Vec<String>),
}

impl Names {
    /// Nothing.
    pub const NONE: Self = Self::Only(Vec::new());

    fn any(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.iter().any(|name| is_meant(name)),
        }
    }
}

/// What a permission is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Files that are read.
    Read,
    /// Files that are written.
    Write,
    /// Whom it speaks with.
    Net,
    /// Programs that it starts.
    Run,
    /// Variables of the environment.
    Env,
    /// Workers.
    Worker,
}

impl Scope {
    /// By the name that `process.permission` has for it.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "fs.read" => Self::Read,
            "fs.write" => Self::Write,
            "net" => Self::Net,
            "child" => Self::Run,
            "env" => Self::Env,
            "worker" => Self::Worker,
            _ => return None,
        })
    }

    /// What Node calls the permission, and the flag that gives it.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Read => ("FileSystemRead", "--allow-read"),
            Self::Write => ("FileSystemWrite", "--allow-write"),
            Self::Net => ("Net", "--allow-net"),
            Self::Run => ("ChildProcess", "--allow-run"),
            Self::Env => ("Environment", "--allow-env"),
            Self::Worker => ("WorkerThreads", "--allow-worker"),
        }
    }

    /// What a call that is not allowed fails with.
    pub fn refused(self, resource: &[u8]) -> Fault {
        let (name, flag) = self.names();
        let mut message =
            format!("Access to this API has been restricted. Use {flag} to manage permissions");
        if self != Self::Worker {
            message += &format!(": {flag}={}", String::from_utf8_lossy(resource));
        }
        let fault = Fault::new("ERR_ACCESS_DENIED", message);
        Fault { syscall: name.into(), path: Some(resource.into()), ..fault }
    }
}

/// How the world is asked, at once, where a path leads: what is allowed are places, not names for them.
pub type Ask<'a> = dyn FnMut(Request) -> Answer + 'a;

impl Permissions {
    /// Refuses a request that the program may not make.
    pub fn check(
        &self,
        resolved: &Resolved,
        request: &Request,
        ask: &mut Ask<'_>,
    ) -> Result<(), Fault> {
        if *self == Self::default() {
            return Ok(());
        }
        match request.kind.split_once('.') {
            Some(("fs" | "store", _)) => files::check(self, request, ask),
            Some(("net" | "udp" | "dns", _)) => network::check(self, resolved, request),
            Some(("process", "spawn" | "run")) => programs::check(self, request, ask),
            Some(("worker", "start")) if self.worker != Names::All => {
                Err(Scope::Worker.refused(b""))
            }
            _ => Ok(()),
        }
    }

    /// Whether something may be done, by a program in that directory; without a reference, whether all of
    /// it may.
    pub fn permits(
        &self,
        scope: Scope,
        reference: Option<&str>,
        cwd: &str,
        ask: &mut Ask<'_>,
    ) -> bool {
        let names = match (scope, reference) {
            (Scope::Read, None) => return self.read == Grant::All,
            (Scope::Write, None) => return self.write == Grant::All,
            (Scope::Read | Scope::Write, Some(path)) => {
                return files::allows(self, scope, Path::new(path), true, ask);
            }
            (Scope::Net, _) => &self.net,
            (Scope::Run, _) => &self.run,
            (Scope::Env, _) => &self.env,
            (Scope::Worker, _) => &self.worker,
        };
        match (scope, reference) {
            (_, None) => *names == Names::All,
            (Scope::Net, Some(place)) => network::allows(names, place),
            (Scope::Run, Some(file)) => programs::allows(names, file, None, cwd, ask),
            (_, Some(name)) => names.any(|allowed| allowed == name),
        }
    }
}
