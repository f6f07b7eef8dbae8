//! Why a specifier means nothing.

use rquickjs::{Array, Ctx, Result, Value};

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

impl Failure {
    pub(crate) fn new(code: &'static str, arguments: impl Into<Vec<Argument>>) -> Self {
        Self { code, arguments: arguments.into() }
    }

    /// A `package.json` that is no JSON.
    pub(crate) fn bad_package(path: String, text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(text).into_owned();
        Self::new("BAD_PACKAGE", [Argument::Text(path), Argument::Text(text)])
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
