//! What a program may ask of the world. Asked in one place, the gate, before anything else is.

mod files;
mod inherited;
mod known;
mod network;
mod programs;

pub use files::{Guarded, Refused};
pub(crate) use files::{refused, refused_open};
pub use inherited::INHERITED;
pub use known::Known;

use crate::grant::Grant;
use crate::need::{Access, Last, Need};
use crate::request::{Request, StreamCall};
use crate::value::{Answer, Fault};
use hemiola_machine::Language;
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

/// A request that the program may make: worlds demand it. [`Permissions::check`] makes one of what is allowed;
/// for what needs no permission there are [`Checked::free`] and [`Checked::on_stream`].
#[derive(Clone, Debug, PartialEq)]
pub struct Checked(Request);

impl Checked {
    /// A request that the library makes itself, such as for the size of the terminal. A fault if the table says
    /// that it needs a permission.
    pub fn free(request: impl Into<Request>) -> Result<Self, Fault> {
        let request = request.into();
        let is_free = |need: Need<'_>| matches!(need, Need::Nothing(_));
        let needs = request.needs();
        if needs.is_empty() || !needs.into_iter().all(is_free) {
            let message = format!("{} needs a permission that nobody has checked", request.name());
            return Err(Fault::new("ERR_ACCESS_DENIED", message));
        }
        Ok(Self(request))
    }

    /// A request for a stream that somebody has, made by TLS for what is beneath it, and by HTTP. Whoever has a
    /// stream was allowed its peer; a test holds the table to that.
    pub fn on_stream(call: StreamCall) -> Self {
        Self(call.into())
    }

    /// What a check itself must know: where a path leads. Nobody else may ask without a check.
    fn by_check(request: impl Into<Request>) -> Self {
        Self(request.into())
    }

    /// The request.
    pub fn request(&self) -> &Request {
        &self.0
    }

    /// The request, to be done.
    pub fn into_request(self) -> Request {
        self.0
    }
}

/// A language whose requests are those of the gate: worlds answer all of them, whoever runs the callbacks.
pub trait Gated: Language<Request = Checked, Answer = Answer> {}

impl<L: Language<Request = Checked, Answer = Answer>> Gated for L {}

/// How the world is asked, at once, where a path leads: what is allowed are places, not names for them.
pub type Ask<'a> = dyn FnMut(Checked) -> Answer + 'a;

impl Permissions {
    /// The request, if the program may make it; its paths lead from now on where they were found to lead.
    pub fn check(
        &self,
        known: &Known,
        request: Request,
        ask: &mut Ask<'_>,
    ) -> Result<Checked, Fault> {
        if *self != Self::default() {
            let needs = request.needs();
            if needs.is_empty() {
                let message = format!("nobody has said what {} needs", request.name());
                return Err(Fault::new("ERR_ACCESS_DENIED", message));
            }
            for need in needs {
                self.meet(need, known, ask)?;
            }
        }
        Ok(Checked(request))
    }

    fn meet(&self, need: Need<'_>, known: &Known, ask: &mut Ask<'_>) -> Result<(), Fault> {
        match need {
            Need::File(access, last, path) => files::check(self, access, path, last, ask),
            Need::OpenFile(file) => files::check_open(self, file),
            Need::Place(place) => network::check_place(&self.net, known, place),
            Need::Host(host, port) => network::require(&self.net, known, host, port),
            Need::AnyHost(..) if self.net.any(|_| true) => Ok(()),
            Need::AnyHost(host, port) => network::require(&self.net, known, host, Some(port)),
            Need::Program(program) => programs::check(self, program, known, ask),
            Need::Process(pid) if self.run == Names::All || known.is_self(pid) => Ok(()),
            Need::Process(pid) => Err(Scope::Run.refused(pid.to_string().as_bytes())),
            Need::Workers if self.worker == Names::All => Ok(()),
            Need::Workers => Err(Scope::Worker.refused(b"")),
            Need::Nothing(_) => Ok(()),
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
        let mut allows = |access, path: &str| {
            files::allows(self, access, &Path::new(path).into(), Last::Followed, ask)
        };
        let names = match (scope, reference) {
            (Scope::Read, None) => return self.read == Grant::All,
            (Scope::Write, None) => return self.write == Grant::All,
            (Scope::Read, Some(path)) => return allows(Access::Read, path),
            (Scope::Write, Some(path)) => return allows(Access::Write, path),
            (Scope::Net, _) => &self.net,
            (Scope::Run, _) => &self.run,
            (Scope::Env, _) => &self.env,
            (Scope::Worker, _) => &self.worker,
        };
        match (scope, reference) {
            (_, None) => *names == Names::All,
            (Scope::Net, Some(place)) => network::allows(names, place),
            (Scope::Run, Some(file)) => programs::allows(names, file, cwd, ask),
            (_, Some(name)) => names.any(|allowed| allowed == name),
        }
    }
}
