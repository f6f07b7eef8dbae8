//! What a program may ask of the world. Asked in one place, the gate, before anything else is.

mod files;
mod network;
mod programs;

pub use files::Grant;
pub(crate) use files::{Guarded, Refused};
pub(crate) use network::{Resolved, remember_names};

use crate::gate::{Fault, Request};
use crate::host::{State, state};
use rquickjs::function::Opt;
use rquickjs::{Ctx, Function, Result};
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
enum Scope {
    Read,
    Write,
    Net,
    Run,
    Env,
    Worker,
}

impl Scope {
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

    fn refused(self, resource: &[u8]) -> Fault {
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

/// Refuses a request that the program may not make.
pub(crate) fn check(state: &State, request: &Request) -> std::result::Result<(), Fault> {
    let permissions = &state.options.permissions;
    if *permissions == Permissions::default() {
        return Ok(());
    }
    match request.kind.split_once('.') {
        Some(("fs" | "store", _)) => files::check(permissions, request),
        Some(("net" | "udp" | "dns", _)) => network::check(permissions, &state.resolved, request),
        Some(("process", "spawn" | "run")) => programs::check(permissions, request),
        Some(("worker", "start")) if permissions.worker != Names::All => {
            Err(Scope::Worker.refused(b""))
        }
        _ => Ok(()),
    }
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "isRestricted" => Function::new(ctx.clone(), is_restricted),
        "permits" => Function::new(ctx.clone(), permits),
        "refusal" => Function::new(ctx.clone(), refusal),
        _ => return None,
    })
}

/// `isRestricted()`: whether anything is not allowed.
fn is_restricted(ctx: Ctx<'_>) -> bool {
    state(&ctx).options.permissions != Permissions::default()
}

fn scope(name: &str) -> Option<Scope> {
    Some(match name {
        "fs.read" => Scope::Read,
        "fs.write" => Scope::Write,
        "net" => Scope::Net,
        "child" => Scope::Run,
        "env" => Scope::Env,
        "worker" => Scope::Worker,
        _ => return None,
    })
}

/// `permits(scope, reference)`: whether something may be done; without a reference, whether all of it may.
fn permits(ctx: Ctx<'_>, name: String, reference: Opt<Option<String>>) -> bool {
    let reference = reference.0.flatten();
    let state = state(&ctx);
    let permissions = &state.options.permissions;
    let Some(scope) = scope(&name) else { return false };
    let names = match (scope, &reference) {
        (Scope::Read, None) => return permissions.read == Grant::All,
        (Scope::Write, None) => return permissions.write == Grant::All,
        (Scope::Read | Scope::Write, Some(path)) => {
            return files::allows(permissions, scope, Path::new(path), true);
        }
        (Scope::Net, _) => &permissions.net,
        (Scope::Run, _) => &permissions.run,
        (Scope::Env, _) => &permissions.env,
        (Scope::Worker, _) => &permissions.worker,
    };
    match (scope, reference) {
        (_, None) => *names == Names::All,
        (Scope::Net, Some(place)) => network::allows(names, &place),
        (Scope::Run, Some(file)) => programs::allows(names, &file, None, &state.options.cwd),
        (_, Some(name)) => names.any(|allowed| allowed == name),
    }
}

/// `refusal(scope, resource)`: what a call that is not allowed fails with: the name of the permission and
/// the message.
fn refusal(name: String, resource: String) -> Vec<String> {
    let fault = scope(&name).unwrap_or(Scope::Env).refused(resource.as_bytes());
    vec![fault.syscall.into(), fault.message.into()]
}
