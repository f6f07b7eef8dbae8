//! Packages: what their `package.json` says, and which file a subpath of theirs means.

use super::failure::{Argument, Failure};
use super::url::FileUrl;
use serde_json::Value;
use std::cell::RefCell;

/// What a `package.json` says about modules.
#[derive(Debug)]
pub(crate) struct Package {
    /// The directory, with a slash at its end.
    pub(crate) directory: String,
    pub(crate) name: Option<String>,
    pub(crate) main: Option<String>,
    pub(crate) kind: Option<PackageType>,
    pub(crate) exports: Value,
    pub(crate) imports: Value,
}

/// What `.js` files of a package are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PackageType {
    /// ES modules.
    Module,
    /// CommonJS modules.
    CommonJs,
}

/// What a package says in a way that is deprecated.
#[derive(Clone, Debug)]
pub(crate) struct Deprecated {
    pub(crate) code: &'static str,
    pub(crate) text: String,
    /// It is told once for each of these.
    pub(crate) once: String,
}

/// Who asks: the text of the message differs, and the conditions do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker<'a> {
    /// The path or URL of the importing file; none if messages leave it out.
    pub(crate) base: Option<&'a str>,
    /// Whether it is a `require`.
    pub(crate) required: bool,
    /// Conditions besides those that hold anyhow.
    pub(crate) further: &'a [String],
    /// Where it is noted what is deprecated.
    pub(crate) deprecated: &'a RefCell<Vec<Deprecated>>,
}

impl Asker<'_> {
    fn has(self, condition: &str) -> bool {
        let kind = if self.required { "require" } else { "import" };
        ["default", "node", kind, "module-sync"].contains(&condition)
            || self.further.iter().any(|further| further == condition)
    }

    fn from(self) -> String {
        self.base.map_or_else(String::new, |base| format!(" imported from {base}"))
    }

    fn base(self) -> Argument {
        self.base.map_or(Argument::Nothing, Argument::text)
    }
}

/// Where a target of `exports` or `imports` leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// To a file: the path of a URL, with escapes.
    File(String),
    /// To another package, or to a builtin.
    Package(String),
}

/// What a value of `exports` or `imports` says.
enum Says {
    To(Target),
    /// There is nothing, whatever follows: it is null.
    Nothing,
    /// No condition fits.
    Unsaid,
}

impl Says {
    fn target(self) -> Option<Target> {
        match self {
            Self::To(target) => Some(target),
            Self::Nothing | Self::Unsaid => None,
        }
    }
}

impl Package {
    /// Reads a package's file.
    pub(crate) fn parse(directory: &str, text: &[u8]) -> Result<Self, serde_json::Error> {
        let mut found: Value = serde_json::from_slice(text)?;
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let kind = match found.get("type").and_then(Value::as_str) {
            Some("module") => Some(PackageType::Module),
            Some("commonjs") => Some(PackageType::CommonJs),
            _ => None,
        };
        Ok(Self {
            directory: directory.to_owned(),
            name: text(found.get("name")),
            main: text(found.get("main")),
            kind,
            exports: found.get_mut("exports").map_or(Value::Null, Value::take),
            imports: found.get_mut("imports").map_or(Value::Null, Value::take),
        })
    }

    fn config_failure(&self, asker: Asker<'_>, text: &str) -> Failure {
        let path = Argument::text(format!("{}package.json", self.directory));
        let base = asker
            .base
            .map_or(Argument::Nothing, |base| Argument::text(super::url::from_path(base)));
        Failure::new("ERR_INVALID_PACKAGE_CONFIG", [path, base, Argument::text(text)])
    }

    /// The file that a subpath such as `.` or `./x` means.
    pub(crate) fn export(&self, subpath: &str, asker: Asker<'_>) -> Result<Target, Failure> {
        let missing = || {
            let directory = Argument::text(&self.directory);
            Failure::new(
                "ERR_PACKAGE_PATH_NOT_EXPORTED",
                [directory, Argument::text(subpath), asker.base()],
            )
        };
        let conditional = self.has_sugar(asker)?;
        if conditional {
            if subpath != "." {
                return Err(missing());
            }
            let says = self.target(&self.exports, ".", None, false, asker)?;
            return says.target().ok_or_else(missing);
        }
        self.matched(&self.exports, subpath, false, asker)?.ok_or_else(missing)
    }

    /// What an import that starts with `#` means in this package.
    pub(crate) fn import(&self, name: &str, asker: Asker<'_>) -> Result<Option<Target>, Failure> {
        self.matched(&self.imports, name, true, asker)
    }

    /// Whether `exports` is a target itself instead of an object of subpaths.
    fn has_sugar(&self, asker: Asker<'_>) -> Result<bool, Failure> {
        let Value::Object(exports) = &self.exports else { return Ok(true) };
        let mut sugar = None;
        for key in exports.keys() {
            let is_condition = !key.starts_with('.');
            if *sugar.get_or_insert(is_condition) != is_condition {
                return Err(self.config_failure(
                    asker,
                    "\"exports\" cannot contain some keys starting with '.' and some not. The exports \
                     object must either be an object of package subpath keys or an object of main entry \
                     condition name keys only.",
                ));
            }
        }
        Ok(sugar.unwrap_or(false))
    }

    /// The target of the key that fits best.
    fn matched(
        &self,
        map: &Value,
        name: &str,
        is_import: bool,
        asker: Asker<'_>,
    ) -> Result<Option<Target>, Failure> {
        let Value::Object(map) = map else { return Ok(None) };
        if let Some(target) = map.get(name)
            && !name.contains('*')
            && !name.ends_with('/')
        {
            return self.target(target, name, None, is_import, asker).map(Says::target);
        }
        let mut best: Option<(&str, &str, &Value)> = None;
        for (key, target) in map {
            let Some((head, tail)) = key.split_once('*') else { continue };
            if name.starts_with(head) {
                self.note_end(name, asker);
            }
            let fits = !tail.contains('*')
                && name.len() >= key.len()
                && name.starts_with(head)
                && name.ends_with(tail);
            if fits && best.is_none_or(|(best, ..)| precedes(key, best)) {
                best = Some((key, &name[head.len()..name.len() - tail.len()], target));
            }
        }
        match best {
            None => Ok(None),
            Some((key, part, target)) => {
                self.target(target, key, Some((part, name)), is_import, asker).map(Says::target)
            }
        }
    }

    /// What a target means: a text, or the first of several that fits. `part` is what a pattern
    /// stands for, and the name that it was found in.
    fn target(
        &self,
        target: &Value,
        key: &str,
        part: Option<(&str, &str)>,
        is_import: bool,
        asker: Asker<'_>,
    ) -> Result<Says, Failure> {
        match target {
            Value::String(text) => {
                self.text_target(text, key, part, is_import, asker).map(Says::To)
            }
            Value::Array(targets) => {
                let mut last = Ok(Says::Unsaid);
                for target in targets {
                    match self.target(target, key, part, is_import, asker) {
                        Ok(Says::To(found)) => return Ok(Says::To(found)),
                        Ok(Says::Nothing) => last = Ok(Says::Nothing),
                        Ok(Says::Unsaid) => {}
                        Err(failure) if failure.code == "ERR_INVALID_PACKAGE_TARGET" => {
                            last = Err(failure)
                        }
                        Err(failure) => return Err(failure),
                    }
                }
                last
            }
            Value::Object(targets) => {
                if targets.keys().any(|key| is_index(key)) {
                    let text = "\"exports\" cannot contain numeric property keys.";
                    return Err(self.config_failure(asker, text));
                }
                for (_, target) in targets.iter().filter(|(condition, _)| asker.has(condition)) {
                    match self.target(target, key, part, is_import, asker)? {
                        Says::Unsaid => {}
                        said @ (Says::To(_) | Says::Nothing) => return Ok(said),
                    }
                }
                Ok(Says::Unsaid)
            }
            Value::Null => Ok(Says::Nothing),
            _ => Err(self.target_failure(target, key, is_import, asker)),
        }
    }

    fn text_target(
        &self,
        target: &str,
        key: &str,
        part: Option<(&str, &str)>,
        is_import: bool,
        asker: Asker<'_>,
    ) -> Result<Target, Failure> {
        let failure = || self.target_failure(&Value::from(target), key, is_import, asker);
        let filled = |text: &str| match part {
            Some((part, _)) => text.replace('*', part),
            None => text.to_owned(),
        };
        let Some(relative) = target.strip_prefix("./") else {
            let leaves = !is_import
                || target.starts_with("../")
                || target.starts_with('/')
                || target.is_empty()
                || super::url::scheme(target).is_some_and(|scheme| scheme != "node");
            return if leaves { Err(failure()) } else { Ok(Target::Package(filled(target))) };
        };
        if leaves_package(relative) {
            return Err(failure());
        }
        if let Some((part, name)) = part
            && leaves_package(part)
        {
            let field = if is_import { "imports" } else { "exports" };
            let reason = format!(
                "request is not a valid match in pattern \"{key}\" for the \"{field}\" resolution of {}package.json",
                self.directory
            );
            let arguments = [Argument::text(name), Argument::text(reason), asker.base()];
            return Err(Failure::new("ERR_INVALID_MODULE_SPECIFIER", arguments));
        }
        if has_empty(relative) || part.is_some_and(|(part, _)| has_empty(part)) {
            self.note_slashes(&filled(target), key, part.map(|(_, name)| name), is_import, asker);
        }
        let here = FileUrl::parse(&super::url::from_path(&self.directory)).expect("a path's URL");
        Ok(Target::File(here.join(&filled(target)).path))
    }

    /// Notes slashes that paths do without (DEP0166).
    fn note_slashes(
        &self,
        target: &str,
        key: &str,
        name: Option<&str>,
        is_import: bool,
        asker: Asker<'_>,
    ) {
        let request = name.unwrap_or(key);
        if request.ends_with('/') {
            return;
        }
        let is_slash = |&byte: &u8| matches!(byte, b'/' | b'\\');
        let doubles = |text: &str| text.as_bytes().windows(2).any(|pair| pair.iter().all(is_slash));
        let what = match doubles(request) || doubles(target) {
            true => "double slash",
            false => "leading or trailing slash matching",
        };
        let matched = name.map_or_else(String::new, |_| format!("matched to \"{key}\" "));
        let field = if is_import { "imports" } else { "exports" };
        let text = format!(
            "Use of deprecated {what} resolving \"{target}\" for module request \"{request}\" {matched}in the \
             \"{field}\" field module resolution of the package at {}package.json{}.",
            self.directory,
            asker.from()
        );
        let once = format!("{} {text}", asker.required);
        asker.deprecated.borrow_mut().push(Deprecated { code: "DEP0166", text, once });
    }

    /// Notes a subpath that ends with a slash and that a pattern fits (DEP0155).
    fn note_end(&self, name: &str, asker: Asker<'_>) {
        if !name.ends_with('/') {
            return;
        }
        let start = format!(
            "Use of deprecated trailing slash pattern mapping \"{name}\" in the \"exports\" field module \
             resolution of the package at {}package.json",
            self.directory
        );
        let from = asker.from();
        let text =
            format!("{start}{from}. Mapping specifiers ending in \"/\" is no longer supported.");
        asker.deprecated.borrow_mut().push(Deprecated { code: "DEP0155", text, once: start });
    }

    fn target_failure(
        &self,
        target: &Value,
        key: &str,
        is_import: bool,
        asker: Asker<'_>,
    ) -> Failure {
        Failure::new(
            "ERR_INVALID_PACKAGE_TARGET",
            [
                Argument::text(&self.directory),
                Argument::text(key),
                Argument::Json(target.to_string()),
                Argument::Flag(is_import),
                asker.base(),
            ],
        )
    }
}

/// Whether a pattern is more special than another: longer before its star, then longer.
fn precedes(key: &str, other: &str) -> bool {
    let head = |key: &str| key.find('*').map_or(key.len(), |at| at + 1);
    (head(key), key.len()) > (head(other), other.len())
}

/// Whether a part of a path has a segment that could lead out of the package.
fn leaves_package(path: &str) -> bool {
    path.split(['/', '\\']).any(|segment| {
        let bytes = super::url::decode(segment).unwrap_or_else(|| segment.into());
        matches!(bytes.to_ascii_lowercase().as_slice(), b"." | b".." | b"node_modules")
    })
}

/// Whether a part of a path has a segment of no letters.
fn has_empty(path: &str) -> bool {
    path.split(['/', '\\']).any(str::is_empty)
}

fn is_index(key: &str) -> bool {
    key.parse::<u32>().is_ok_and(|number| number != u32::MAX && number.to_string() == key)
}
