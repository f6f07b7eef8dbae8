//! Which file a specifier means, by Node's rules.

use super::failure::{Argument, Failure, is_exhausted};
use super::package::{Asker, Deprecated, Package, PackageType, Target};
use super::paths::{node_modules, normalize, parent, relative};
use super::project::{self, Projects, is_compiled};
use super::url::{self, FileUrl};
use crate::{flags, library};
use hemiola_gate::{Disk, Kind};
use hemiola_transform::Language;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// How a file is to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// An ES module.
    Module,
    /// A CommonJS module.
    CommonJs,
    /// Either of them: its text tells.
    Ambiguous,
    /// Data.
    Json,
    /// Part of the runtime.
    Builtin,
}

impl Format {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::CommonJs => "commonjs",
            Self::Ambiguous => "ambiguous",
            Self::Json => "json",
            Self::Builtin => "builtin",
        }
    }
}

/// What flags say about finding modules.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// `--conditions`, and the one that `--no-addons` takes away.
    conditions: Vec<String>,
    /// `--preserve-symlinks`, and `--preserve-symlinks-main` for the program itself.
    keeps_links: [bool; 2],
    /// What a file is of which nothing says it.
    unsaid: Format,
}

impl Rules {
    pub(crate) fn of(given: &[String]) -> Self {
        let keeps = |name| flags::is_on(given, name);
        let by_default = flags::value(given, "--experimental-default-type");
        let detects = !given.iter().any(|flag| flag == "--no-experimental-detect-module");
        Self {
            conditions: flags::values(given, "--conditions")
                .chain((!flags::is_on(given, "--no-addons")).then_some("node-addons"))
                .map(str::to_owned)
                .collect(),
            keeps_links: [keeps("--preserve-symlinks"), keeps("--preserve-symlinks-main")],
            unsaid: match by_default {
                Some("module") => Format::Module,
                None if detects => Format::Ambiguous,
                None | Some(_) => Format::CommonJs,
            },
        }
    }
}

/// Finds modules on a disk.
pub(crate) struct Finder {
    disk: Arc<dyn Disk>,
    rules: Rules,
    /// Whether links stay as they are in what is being looked for.
    keeps_links: Cell<bool>,
    /// The packages that were looked for, by their directory; it ends with a slash.
    packages: RefCell<BTreeMap<String, Option<Rc<Package>>>>,
    projects: Projects,
    /// What the last search in a directory found out about its package.
    missing_main: RefCell<Option<MissingMain>>,
    /// What the last import found out about its package.
    legacy_main: RefCell<Option<LegacyMain>>,
    /// What of packages was found to be deprecated, and what of that was told.
    deprecated: RefCell<Vec<Deprecated>>,
    told: RefCell<BTreeSet<String>>,
}

/// A package of ES modules whose main file is not named in full.
pub(crate) struct LegacyMain {
    /// The directory of the package; it ends with a slash.
    pub(crate) package: String,
    pub(crate) main: Option<String>,
    /// The file, as seen from the package.
    pub(crate) found: String,
}

/// A `main` that is not there, though its package has an `index.js`.
pub(crate) struct MissingMain {
    /// The path of the `package.json`.
    pub(crate) package: String,
    pub(crate) main: String,
}

type Outcome<T> = Result<T, Failure>;

/// What there is to see at a path.
enum Seen {
    File,
    Directory,
    Nothing,
    /// It may not be read.
    Refused(Failure),
}

impl Finder {
    pub(crate) fn new(disk: Arc<dyn Disk>, rules: Rules) -> Self {
        let keeps_links = Cell::new(rules.keeps_links[0]);
        Self {
            disk,
            rules,
            keeps_links,
            packages: RefCell::default(),
            projects: Projects::default(),
            missing_main: RefCell::default(),
            legacy_main: RefCell::default(),
            deprecated: RefCell::default(),
            told: RefCell::default(),
        }
    }

    /// The same for other files: what is known of packages and projects is kept.
    pub(crate) fn again(&self, disk: Arc<dyn Disk>, rules: Rules) -> Self {
        Self {
            packages: self.packages.clone(),
            projects: self.projects.clone(),
            ..Self::new(disk, rules)
        }
    }

    /// Who asks, with the conditions that flags add.
    pub(crate) fn asker<'a>(&'a self, base: Option<&'a str>, required: bool) -> Asker<'a> {
        Asker { base, required, further: &self.rules.conditions, deprecated: &self.deprecated }
    }

    /// The file that a program begins with.
    pub(crate) fn find_main(&self, path: &str, extensions: &[String]) -> Outcome<Option<String>> {
        let [others, main] = self.rules.keeps_links;
        self.keeps_links.set(main);
        let found = self.find(path, &[], extensions);
        self.keeps_links.set(others);
        found
    }

    pub(crate) fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// The URL that `specifier` means in the ES module at `base`. With `check` it names a file.
    pub(crate) fn import(&self, specifier: &str, base: &str, check: bool) -> Outcome<String> {
        self.import_under(&self.rules.conditions, specifier, base, check)
    }

    /// The same under conditions besides those that hold anyhow.
    pub(crate) fn import_under(
        &self,
        conditions: &[String],
        specifier: &str,
        base: &str,
        check: bool,
    ) -> Outcome<String> {
        if let Some(builtin) = builtin(specifier) {
            return Ok(builtin);
        }
        let here = FileUrl::parse(base);
        let refused = || {
            let arguments = [Argument::text(specifier), Argument::text(base)];
            Failure::new("ERR_UNSUPPORTED_RESOLVE_REQUEST", arguments)
        };
        let path = here.as_ref().and_then(FileUrl::to_path);
        let importer = path.as_deref().unwrap_or(base);
        let asker = Asker {
            base: Some(importer),
            required: false,
            further: conditions,
            deprecated: &self.deprecated,
        };
        let is_path = ["/", "./", "../"].iter().any(|start| specifier.starts_with(start))
            || matches!(specifier, "." | "..");
        let url = if is_path {
            if specifier.starts_with("//") {
                return Err(Failure::new("ERR_INVALID_FILE_URL_HOST", [Argument::text("linux")]));
            }
            here.as_ref().ok_or_else(refused)?.join(specifier)
        } else if specifier.starts_with('#') && here.is_some() {
            match self.package_import(specifier, importer, asker)? {
                Target::File(path) => FileUrl { path, rest: String::new() },
                Target::Package(name) => match builtin(&name) {
                    Some(builtin) => return Ok(builtin),
                    None => self.bare(&name, &self.importing_package(importer)?, asker)?,
                },
            }
        } else if let Some(scheme) = url::scheme(specifier) {
            match scheme.as_str() {
                "data" => return Ok(specifier.to_owned()),
                "node" | "hemiola" => {
                    return Err(Failure::new(
                        "ERR_UNKNOWN_BUILTIN_MODULE",
                        [Argument::text(specifier)],
                    ));
                }
                "file" => file_url(specifier)?,
                _ => {
                    let scheme = Argument::text(format!("{scheme}:"));
                    return Err(Failure::new("ERR_UNSUPPORTED_ESM_URL_SCHEME", [scheme]));
                }
            }
        } else {
            here.as_ref().ok_or_else(refused)?;
            self.bare_or_mapped(specifier, importer, asker)?
        };
        if !check {
            return Ok(url.to_text());
        }
        self.finish(url, specifier, importer)
    }

    /// The language of a file, by its name and by what its project says.
    pub(crate) fn language(&self, file: &str) -> Outcome<Language> {
        self.projects.language(self.disk(), file)
    }

    /// The file that a specifier without a path means by what a project says.
    pub(crate) fn mapped(&self, specifier: &str, importer: &str) -> Outcome<Option<String>> {
        self.projects.mapped(self.disk(), specifier, importer)
    }

    /// The file that TypeScript means by a path.
    pub(crate) fn written(&self, path: &str) -> Option<String> {
        project::written(self.disk(), path)
    }

    /// What a name means: to a file that is written for a compiler first what its project says, to any
    /// other what it says of a name that nobody else knows.
    fn bare_or_mapped(
        &self,
        specifier: &str,
        importer: &str,
        asker: Asker<'_>,
    ) -> Outcome<FileUrl> {
        let mapped = || {
            let found = self.mapped(specifier, importer)?;
            Ok(found.and_then(|path| FileUrl::parse(&url::from_path(&path))))
        };
        if is_compiled(importer)
            && let Some(found) = mapped()?
        {
            return Ok(found);
        }
        self.bare(specifier, importer, asker).or_else(|failure| {
            let is_missing = failure.code == "ERR_MODULE_NOT_FOUND" && !is_compiled(importer);
            match if is_missing { mapped() } else { Ok(None) } {
                Ok(Some(found)) => Ok(found),
                Ok(None) => Err(failure),
                Err(other) => Err(other),
            }
        })
    }

    /// The URL of the file itself, links followed.
    fn finish(&self, url: FileUrl, specifier: &str, importer: &str) -> Outcome<String> {
        let from = || Argument::text(importer);
        let lower = url.path.to_ascii_lowercase();
        if lower.contains("%2f") || lower.contains("%5c") {
            let reason = Argument::text(r#"must not include encoded "/" or "\" characters"#);
            let arguments = [Argument::text(&url.path), reason, from()];
            return Err(Failure::new("ERR_INVALID_MODULE_SPECIFIER", arguments));
        }
        let path = url.to_path().ok_or_else(|| Failure::new("URI_MALFORMED", []))?;
        let code = match self.look(&path) {
            Seen::File if !path.ends_with('/') => {
                let real = self.real(&path);
                return Ok(url::from_path(&real) + &url.rest);
            }
            Seen::Directory => "ERR_UNSUPPORTED_DIR_IMPORT",
            Seen::Refused(failure) => return Err(failure),
            Seen::File | Seen::Nothing => "ERR_MODULE_NOT_FOUND",
        };
        if is_compiled(importer)
            && let Some(found) = self.written(&path)
        {
            return Ok(url::from_path(&self.real(&found)) + &url.rest);
        }
        let exact = Argument::text(url.to_text());
        let hint = self.hint(specifier, importer).map_or(Argument::Nothing, Argument::Text);
        Err(Failure::new(code, [Argument::Text(path), from(), exact, hint]))
    }

    /// What somebody who is used to CommonJS may have meant, as it is written in an import.
    fn hint(&self, specifier: &str, importer: &str) -> Option<String> {
        let directory = parent(importer);
        if specifier.starts_with('.') {
            let found = self.find(specifier, &[directory.into()], &commonly()).ok()??;
            let relative = relative(&self.real(directory), &found);
            let is_inside = !relative.starts_with('.');
            return Some(url::escaped(&if is_inside { format!("./{relative}") } else { relative }));
        }
        let absolute = match FileUrl::parse(specifier) {
            Some(url) => Some(url.to_path()?),
            None => specifier.starts_with('/').then(|| specifier.to_owned()),
        };
        if let Some(path) = absolute {
            return Some(url::escaped(&self.find(&path, &[], &commonly()).ok()??));
        }
        let found = self.find_in_packages(specifier, directory)?;
        let at = found.rfind("/node_modules/")?;
        Some(url::escaped(&found[at + "/node_modules/".len()..]))
    }

    /// The file that a `require` of the same name would find.
    fn find_in_packages(&self, specifier: &str, directory: &str) -> Option<String> {
        let paths: Vec<String> = node_modules(directory).collect();
        let noted = self.deprecated.borrow().len();
        let found = self.find(specifier, &paths, &commonly());
        self.deprecated.borrow_mut().truncate(noted);
        found.ok()?
    }

    /// What an import that starts with `#` means in a file.
    pub(crate) fn package_import(
        &self,
        specifier: &str,
        importer: &str,
        asker: Asker<'_>,
    ) -> Outcome<Target> {
        if specifier == "#" || specifier.starts_with("#/") || specifier.ends_with('/') {
            let reason = Argument::text("is not a valid internal imports specifier name");
            let arguments = [Argument::text(specifier), reason, Argument::text(importer)];
            return Err(Failure::new("ERR_INVALID_MODULE_SPECIFIER", arguments));
        }
        let package = self.scope(importer)?;
        let found = match &package {
            Some(package) => package.import(specifier, asker)?,
            None => None,
        };
        found.ok_or_else(|| {
            let directory =
                package.map_or(Argument::Nothing, |package| Argument::text(&package.directory));
            let arguments = [Argument::text(specifier), directory, Argument::text(importer)];
            Failure::new("ERR_PACKAGE_IMPORT_NOT_DEFINED", arguments)
        })
    }

    /// The `package.json` in whose name a file imports what starts with `#`.
    pub(crate) fn importing_package(&self, importer: &str) -> Outcome<String> {
        let package = self.scope(importer)?;
        Ok(package.map_or_else(
            || importer.to_owned(),
            |package| format!("{}package.json", package.directory),
        ))
    }

    /// The file that the name of a package, and perhaps a subpath, means in an ES module.
    pub(crate) fn bare(
        &self,
        specifier: &str,
        importer: &str,
        asker: Asker<'_>,
    ) -> Outcome<FileUrl> {
        let Some((name, subpath)) = split_name(specifier) else {
            let reason = Argument::text("is not a valid package name");
            let arguments = [Argument::text(specifier), reason, Argument::text(importer)];
            return Err(Failure::new("ERR_INVALID_MODULE_SPECIFIER", arguments));
        };
        if let Some(target) = self.own_export(name, &subpath, importer, asker)? {
            return Ok(target);
        }
        for directory in node_modules(parent(importer)) {
            let packages = directory;
            let directory = format!("{packages}/{name}/");
            match self.look(&directory) {
                Seen::Directory => {}
                // A link out of what may be read is no package that is not there.
                Seen::Refused(failure) if !self.is_refused(&packages) => return Err(failure),
                Seen::File | Seen::Nothing | Seen::Refused(_) => continue,
            }
            let package = self
                .package(&directory)
                .map_err(|failure| failure.while_importing(specifier, importer))?;
            let exports = package.as_ref().filter(|package| !package.exports.is_null());
            if let Some(package) = exports {
                return Ok(file_target(package.export(&subpath, asker)?));
            }
            let here = FileUrl::parse(&url::from_path(&directory)).expect("a path's URL");
            if subpath != "." {
                return Ok(here.join(&subpath));
            }
            let main = package.as_ref().and_then(|package| package.main.as_deref());
            let found = self.legacy_main(&directory, main);
            let kind = package.as_ref().and_then(|package| package.kind);
            if let (Some(path), Some(PackageType::Module)) =
                (found.as_ref().and_then(FileUrl::to_path), kind)
            {
                self.note_legacy_main(&directory, main, &path);
            }
            return found.ok_or_else(|| {
                let missing =
                    Path::new(&directory).join(main.unwrap_or("index.js").trim_start_matches("./"));
                let missing = Argument::text(missing.to_string_lossy());
                Failure::new("ERR_MODULE_NOT_FOUND", [missing, Argument::text(importer)])
            });
        }
        let hint = self.find_in_packages(specifier, parent(importer));
        let hint = hint.map_or(Argument::Nothing, |found| Argument::Text(url::from_path(&found)));
        let arguments = [Argument::text(name), Argument::text(importer), Argument::Nothing, hint];
        Err(Failure::new("ERR_MODULE_NOT_FOUND", arguments))
    }

    /// What a file's own package exports under a name: a package may ask for itself.
    pub(crate) fn own_export(
        &self,
        name: &str,
        subpath: &str,
        importer: &str,
        asker: Asker<'_>,
    ) -> Outcome<Option<FileUrl>> {
        let package = self.scope(importer)?;
        match package
            .filter(|package| !package.exports.is_null() && package.name.as_deref() == Some(name))
        {
            Some(package) => package.export(subpath, asker).map(|target| Some(file_target(target))),
            None => Ok(None),
        }
    }

    /// Notes a main file that only CommonJS would have found, if it is an ES module.
    fn note_legacy_main(&self, directory: &str, main: Option<&str>, path: &str) {
        let found = path.strip_prefix(directory).unwrap_or(path);
        let is_named =
            main.is_some_and(|main| main.trim_start_matches("./") == found || main == path);
        if is_named || !matches!(self.format(path), Ok(Some(Format::Module))) {
            return;
        }
        self.legacy_main.replace(Some(LegacyMain {
            package: directory.to_owned(),
            main: main.filter(|main| !main.is_empty()).map(str::to_owned),
            found: found.to_owned(),
        }));
    }

    /// What was found to be deprecated, and was not told before.
    pub(crate) fn take_deprecated(&self) -> Vec<Deprecated> {
        let mut found = self.deprecated.take();
        found.retain(|one| self.told.borrow_mut().insert(one.once.clone()));
        found
    }

    /// Forgets what was found by who has only looked.
    pub(crate) fn forget_deprecated(&self) {
        self.deprecated.borrow_mut().clear();
        self.legacy_main.take();
    }

    /// What an import has found out about a main file, once.
    pub(crate) fn take_legacy_main(&self) -> Option<LegacyMain> {
        self.legacy_main.take()
    }

    /// The main file of a package without `exports`.
    fn legacy_main(&self, directory: &str, main: Option<&str>) -> Option<FileUrl> {
        let tries = main.into_iter().flat_map(|main| {
            ["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"]
                .map(|end| format!("{}{end}", main.trim_start_matches("./")))
        });
        let tries = tries.chain(["index.js", "index.json", "index.node"].map(String::from));
        let mut paths = tries.map(|name| format!("{directory}{name}"));
        let found = paths.find(|path| self.is_file(path))?;
        FileUrl::parse(&url::from_path(&found))
    }

    /// The package that a file belongs to: the nearest `package.json` above it.
    pub(crate) fn scope(&self, file: &str) -> Outcome<Option<Rc<Package>>> {
        let mut directory = parent(file);
        loop {
            if directory.ends_with("/node_modules") {
                return Ok(None);
            }
            let found = self.package(&format!("{directory}/"))?;
            if found.is_some() || directory.is_empty() {
                return Ok(found);
            }
            directory = parent(directory);
        }
    }

    /// The package in a directory, if it is one.
    pub(crate) fn package(&self, directory: &str) -> Outcome<Option<Rc<Package>>> {
        if let Some(known) = self.packages.borrow().get(directory) {
            return Ok(known.clone());
        }
        let path = format!("{directory}package.json");
        let found = match self.disk.read(&Path::new(&path).into()) {
            Ok(text) => match Package::parse(directory, &text) {
                Ok(package) => Some(Rc::new(package)),
                Err(_) => return Err(Failure::bad_package(path, &text)),
            },
            Err(error) if is_exhausted(&error) => return Err(Failure::system(&error, &path)),
            Err(_) => None,
        };
        self.packages.borrow_mut().insert(directory.to_owned(), found.clone());
        Ok(found)
    }

    /// How the file at a path is to be understood; none when its extension says nothing.
    pub(crate) fn format(&self, path: &str) -> Outcome<Option<Format>> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let extension = name.rfind('.').filter(|&at| at > 0).map_or("", |at| &name[at..]);
        Ok(Some(match extension {
            ".mjs" | ".mts" => Format::Module,
            ".cjs" => Format::CommonJs,
            // A compiler makes CommonJS of `import` there.
            ".cts" => Format::Ambiguous,
            ".json" => Format::Json,
            ".js" | ".ts" | ".jsx" | ".tsx" | "" => {
                match self.scope(path)?.and_then(|package| package.kind) {
                    Some(PackageType::Module) => Format::Module,
                    // A compiler makes CommonJS of `import` there.
                    Some(PackageType::CommonJs) if is_compiled(path) => Format::Ambiguous,
                    Some(PackageType::CommonJs) => Format::CommonJs,
                    None if path.contains("/node_modules/") => Format::Ambiguous,
                    None => self.rules.unsaid,
                }
            }
            _ => return Ok(None),
        }))
    }

    /// The file that a `require` means, looked for in directories.
    pub(crate) fn find(
        &self,
        request: &str,
        paths: &[String],
        extensions: &[String],
    ) -> Outcome<Option<String>> {
        let absolute = [String::new()];
        let is_absolute = request.starts_with('/');
        let last = request.rsplit('/').next().unwrap_or(request);
        let wants_directory = matches!(last, "" | "." | "..");
        let is_path = is_absolute
            || ["./", "../"].iter().any(|start| request.starts_with(start))
            || matches!(request, "." | "..");
        let mut refused = None;
        for start in if is_absolute { &absolute } else { paths } {
            let mut starts_inside = true;
            // A relative path may lead out of a directory that is gone.
            if !is_path {
                match self.look(start) {
                    Seen::Directory => {}
                    Seen::File | Seen::Nothing => continue,
                    // Something in it may be readable.
                    Seen::Refused(_) => starts_inside = false,
                }
                if let Some(found) = self.find_export(start, request)? {
                    return Ok(Some(found));
                }
            }
            let base = normalize(&format!("{start}/{request}"));
            let seen = self.look(&base);
            if !wants_directory {
                if matches!(seen, Seen::File) {
                    return Ok(Some(self.real(&base)));
                }
                if let Some(found) = self.with_extension(&base, extensions) {
                    return Ok(Some(found));
                }
            }
            match seen {
                Seen::Directory => {
                    if let Some(found) = self.find_in_directory(&base, request, extensions)? {
                        return Ok(Some(found));
                    }
                }
                // Whoever looks for a package does not hear where it was not looked for.
                Seen::Refused(failure) if is_path || starts_inside => {
                    refused.get_or_insert(failure);
                }
                Seen::File | Seen::Nothing | Seen::Refused(_) => {}
            }
        }
        refused.map_or(Ok(None), Err)
    }

    /// What a package in a directory of packages exports to a `require`.
    fn find_export(&self, start: &str, request: &str) -> Outcome<Option<String>> {
        let Some((name, subpath)) = split_name(request) else { return Ok(None) };
        let package = self.package(&format!("{start}/{name}/")).map_err(Failure::for_require)?;
        let Some(package) = package.filter(|package| !package.exports.is_null()) else {
            return Ok(None);
        };
        let target = package.export(&subpath, self.asker(None, true))?;
        self.required_file(&file_target(target), None, &package.directory).map(Some)
    }

    /// The file that `exports` or `imports` gave to a `require`; it must be there.
    pub(crate) fn required_file(
        &self,
        url: &FileUrl,
        importer: Option<&str>,
        directory: &str,
    ) -> Outcome<String> {
        let lower = url.path.to_ascii_lowercase();
        if lower.contains("%2f") || lower.contains("%5c") {
            let reason = Argument::text(r#"must not include encoded "/" or "\" characters"#);
            let importer = importer.map_or(Argument::Nothing, Argument::text);
            let arguments = [Argument::text(url.to_text()), reason, importer];
            return Err(Failure::new("ERR_INVALID_MODULE_SPECIFIER", arguments));
        }
        let path = url.to_path().ok_or_else(|| Failure::new("URI_MALFORMED", []))?;
        match self.look(&path) {
            Seen::File => return Ok(self.real(&path)),
            Seen::Refused(failure) => return Err(failure),
            Seen::Directory | Seen::Nothing => {}
        }
        let package = Argument::text(format!("{directory}package.json"));
        Err(Failure::new("MODULE_NOT_FOUND", [Argument::Text(path), package]))
    }

    /// What `find` found out about the package that it found, once.
    pub(crate) fn take_missing_main(&self) -> Option<MissingMain> {
        self.missing_main.take()
    }

    fn find_in_directory(
        &self,
        directory: &str,
        request: &str,
        extensions: &[String],
    ) -> Outcome<Option<String>> {
        let package = self.package(&format!("{directory}/")).map_err(Failure::for_require)?;
        let index = || self.with_extension(&format!("{directory}/index"), extensions);
        let main = package.as_ref().and_then(|package| package.main.as_deref());
        let Some(main) = main.filter(|main| !main.is_empty()) else { return Ok(index()) };
        let path = normalize(&format!("{directory}/{main}"));
        let found = self
            .is_file(&path)
            .then(|| self.real(&path))
            .or_else(|| self.with_extension(&path, extensions))
            .or_else(|| self.with_extension(&format!("{path}/index"), extensions));
        if found.is_some() {
            return Ok(found);
        }
        let package = format!("{directory}/package.json");
        match index() {
            Some(found) => {
                let missing = MissingMain { package, main: main.to_owned() };
                self.missing_main.replace(Some(missing));
                Ok(Some(found))
            }
            None => Err(Failure::new(
                "MAIN_NOT_FOUND",
                [Argument::Text(path), Argument::Text(package), Argument::text(request)],
            )),
        }
    }

    fn with_extension(&self, base: &str, extensions: &[String]) -> Option<String> {
        let mut paths = extensions.iter().map(|extension| format!("{base}{extension}"));
        paths.find(|path| self.is_file(path)).map(|path| self.real(&path))
    }

    fn is_file(&self, path: &str) -> bool {
        matches!(self.look(path), Seen::File)
    }

    fn is_refused(&self, path: &str) -> bool {
        matches!(self.look(path), Seen::Refused(_))
    }

    /// What is at a path.
    fn look(&self, path: &str) -> Seen {
        match self.disk.kind(&Path::new(path).into()) {
            Ok(Kind::File) => Seen::File,
            Ok(Kind::Directory) => Seen::Directory,
            Err(error) => Failure::denied(&error, path).map_or(Seen::Nothing, Seen::Refused),
        }
    }

    /// A path without links.
    pub(crate) fn real(&self, path: &str) -> String {
        if self.keeps_links.get() {
            return path.to_owned();
        }
        let real = self.disk.canonicalize(path.as_ref()).ok();
        real.and_then(|real| real.into_os_string().into_string().ok())
            .unwrap_or_else(|| path.to_owned())
    }
}

/// The name that a builtin goes by, if a specifier names one.
pub(crate) fn builtin(specifier: &str) -> Option<String> {
    // These came when names without a prefix had all been taken.
    const PREFIXED: [&str; 4] = ["test", "test/reporters", "sea", "sqlite"];
    if let Some(name) = specifier.strip_prefix("hemiola:") {
        let is_one = library::is_public(&format!("hemiola/{name}"));
        return is_one.then(|| specifier.to_owned());
    }
    let (name, prefixed) = match specifier.strip_prefix("node:") {
        Some(name) => (name, true),
        None => (specifier, false),
    };
    let is_one = library::is_public(name)
        && !name.starts_with("hemiola/")
        && (prefixed || !PREFIXED.contains(&name));
    is_one.then(|| format!("node:{name}"))
}

/// The name of a package and `.` or `./subpath`; none when the name is none.
pub(crate) fn split_name(specifier: &str) -> Option<(&str, String)> {
    let first = specifier.find('/');
    let end = if specifier.starts_with('@') {
        let first = first?;
        specifier[first + 1..].find('/').map(|at| first + 1 + at)
    } else {
        first
    };
    let (name, rest) = specifier.split_at(end.unwrap_or(specifier.len()));
    let fits = !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', '%']);
    fits.then(|| (name, format!(".{rest}")))
}

/// The extensions that a `require` tries.
fn commonly() -> [String; 3] {
    [".js", ".json", ".node"].map(String::from)
}

fn file_target(target: Target) -> FileUrl {
    match target {
        Target::File(path) => FileUrl { path, rest: String::new() },
        Target::Package(_) => unreachable!("`exports` lead to files of the package"),
    }
}

/// A `file:` URL in any spelling.
fn file_url(text: &str) -> Outcome<FileUrl> {
    let root = FileUrl { path: "/".into(), rest: String::new() };
    let after = &text["file:".len()..];
    let path = match after.strip_prefix("//") {
        None => after,
        Some(after) if after.starts_with('/') => after,
        Some(after) => match after.strip_prefix("localhost") {
            Some(path) if path.starts_with('/') => path,
            _ => return Err(Failure::new("ERR_INVALID_FILE_URL_HOST", [Argument::text("linux")])),
        },
    };
    Ok(root.join(path))
}
