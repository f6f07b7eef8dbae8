//! Why a specifier means nothing.

use hemiola_gate::Refused;
use rquickjs::{Array, Ctx, Result, Value};
use std::io;

/// An error with one of Node's codes, before `internal/modules/failure` has made it one.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    /// What the message is made of.
    pub(crate) arguments: Vec<Argument>,
}

/// One part of a message.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Text(String),
    Flag(bool),
    /// Any value, as JSON.
    Json(String),
    Nothing,
}

impl Argument {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

/// A device fails.
const EIO: i32 = 5;
/// The system, or this process, has too many open files.
const TOO_MANY_FILES: [i32; 2] = [23, 24];

/// Whether a file could not be opened because of others that are open: it may be there all the same.
pub(crate) fn is_exhausted(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|errno| TOO_MANY_FILES.contains(&errno))
}

impl Failure {
    pub(crate) fn new(code: &'static str, arguments: impl Into<Vec<Argument>>) -> Self {
        Self { code, arguments: arguments.into() }
    }

    /// A file that cannot be read.
    pub(crate) fn system(error: &io::Error, path: &str) -> Self {
        let (code, call) = match (error.kind(), error.raw_os_error()) {
            (io::ErrorKind::NotFound, _) => (Argument::text("ENOENT"), "open"),
            (io::ErrorKind::PermissionDenied, _) => (Argument::text("EACCES"), "open"),
            (io::ErrorKind::IsADirectory, _) => (Argument::text("EISDIR"), "read"),
            (_, None | Some(EIO)) => (Argument::text("EIO"), "read"),
            // Too many open files, too long a name: the library has a name for each number.
            (_, Some(errno)) => (Argument::Json((-errno).to_string()), "open"),
        };
        Self::new("SYSTEM_ERROR", [code, Argument::text(call), Argument::text(path)])
    }

    /// A `package.json` that is no JSON.
    pub(crate) fn bad_package(path: String, text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(text).into_owned();
        Self::new("BAD_PACKAGE", [Argument::Text(path), Argument::Text(text)])
    }

    /// The failure to read what may not be read; nothing if something else went wrong.
    pub(crate) fn denied(error: &io::Error, path: &str) -> Option<Self> {
        let Refused(fault) = error.get_ref()?.downcast_ref()?;
        let arguments = [&*fault.message, &*fault.syscall, path].map(Argument::text);
        Some(Self::new("ERR_ACCESS_DENIED", arguments))
    }

    /// Says in which import a package turned out to be bad.
    pub(crate) fn while_importing(mut self, specifier: &str, importer: &str) -> Self {
        if self.code == "BAD_PACKAGE" {
            self.arguments.push(Argument::text(format!("\"{specifier}\" from {importer}")));
        }
        self
    }

    /// The error that a `require` throws for it.
    pub(crate) fn for_require(mut self) -> Self {
        if self.code == "BAD_PACKAGE" {
            self.code = "BAD_PACKAGE_REQUIRED";
        }
        self
    }

    /// The code and what follows, for JavaScript.
    pub(crate) fn to_array<'js>(&self, ctx: &Ctx<'js>) -> Result<Array<'js>> {
        let array = Array::new(ctx.clone())?;
        array.set(0, self.code)?;
        for (at, argument) in self.arguments.iter().enumerate() {
            match argument {
                Argument::Text(text) => array.set(at + 1, text.as_str())?,
                Argument::Flag(flag) => array.set(at + 1, *flag)?,
                Argument::Json(text) => array.set(at + 1, ctx.json_parse(text.as_str())?)?,
                Argument::Nothing => array.set(at + 1, Value::new_undefined(ctx.clone()))?,
            }
        }
        Ok(array)
    }
}
