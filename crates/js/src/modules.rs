//! Modules: which file a specifier means, and how it is loaded.

use crate::host::state;
use crate::library;
use oxc_resolver::{
    FileMetadata, FileSystem, ModuleType, ResolveError, ResolveOptions, ResolverGeneric,
};
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Exception, Module, Result};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files, as far as loading modules needs them.
pub trait Disk: Send + Sync {
    /// The content of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// What is there, links followed.
    fn kind(&self, path: &Path) -> io::Result<Kind>;
    /// What is there, links not followed.
    fn link_kind(&self, path: &Path) -> io::Result<Kind>;
    /// Where a link leads.
    fn read_link(&self, path: &Path) -> io::Result<PathBuf>;
    /// The path without links.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;
}

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
}

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

/// What a specifier means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) path: String,
    pub(crate) format: Format,
}

/// Why a specifier means nothing.
#[derive(Debug)]
pub(crate) struct NotFound(String);

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone)]
struct Adapter(Arc<dyn Disk>);

impl FileSystem for Adapter {
    fn new() -> Self {
        unreachable!("a resolver is made with the disk it is to look at")
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        let bytes = self.0.read(path)?;
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.0.kind(path).map(metadata)
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.0.link_kind(path).map(metadata)
    }

    fn read_link(&self, path: &Path) -> std::result::Result<PathBuf, ResolveError> {
        Ok(self.0.read_link(path)?)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonicalize(path)
    }
}

fn metadata(kind: Kind) -> FileMetadata {
    FileMetadata::new(kind == Kind::File, kind == Kind::Directory, kind == Kind::Link)
}

/// Finds modules by Node's rules.
pub(crate) struct Modules {
    disk: Arc<dyn Disk>,
    import: ResolverGeneric<Adapter>,
    require: ResolverGeneric<Adapter>,
    /// What was imported, by its path: the engine hands a loader nothing but that.
    formats: RefCell<BTreeMap<String, Format>>,
}

impl Modules {
    pub(crate) fn new(disk: Arc<dyn Disk>) -> Self {
        let resolver = |condition: &str| {
            let options = ResolveOptions {
                condition_names: vec!["node".into(), condition.into(), "module-sync".into()],
                extensions: [".js", ".json", ".cjs", ".ts", ".cts"].map(String::from).into(),
                main_fields: vec!["main".into()],
                module_type: true,
                builtin_modules: false,
                ..ResolveOptions::default()
            };
            ResolverGeneric::new_with_file_system(Adapter(Arc::clone(&disk)), options)
        };
        let import = resolver("import");
        // A specifier of an `import` names a file in full.
        let import = import.clone_with_options(ResolveOptions {
            extensions: Vec::new(),
            fully_specified: true,
            ..import.options().clone()
        });
        let formats = RefCell::default();
        Self { import, require: resolver("require"), disk, formats }
    }

    /// The file that `specifier` means in the file `parent`.
    pub(crate) fn resolve(
        &self,
        specifier: &str,
        parent: &str,
        required: bool,
    ) -> std::result::Result<Resolved, NotFound> {
        let builtin = specifier.strip_prefix("node:").unwrap_or(specifier);
        if library::is_public(builtin)
            || specifier.starts_with("node:")
            || library::is_own(specifier)
        {
            let path = if library::is_own(specifier) {
                specifier.into()
            } else {
                format!("node:{builtin}")
            };
            return Ok(Resolved { path, format: Format::Builtin });
        }
        let specifier = specifier.strip_prefix("file://").unwrap_or(specifier);
        let directory = Path::new(parent).parent().unwrap_or(Path::new("/"));
        let resolver = if required { &self.require } else { &self.import };
        let found =
            resolver.resolve(directory, specifier).map_err(|error| NotFound(error.to_string()))?;
        let path = found.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let format = match (extension, found.module_type()) {
            (Some("json"), _) => Format::Json,
            (Some("mjs" | "mts"), _) => Format::Module,
            (Some("cjs" | "cts"), _) => Format::CommonJs,
            (_, Some(ModuleType::Module)) => Format::Module,
            (_, Some(ModuleType::CommonJs)) => Format::CommonJs,
            _ => Format::Ambiguous,
        };
        let path = path.to_str().ok_or_else(|| NotFound("its path is no text".into()))?;
        Ok(Resolved { path: path.to_owned(), format })
    }

    fn read(&self, path: &str) -> io::Result<String> {
        let bytes = self.disk.read(path.as_ref())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The engine's way to [`Modules`].
pub(crate) struct ModuleLoader;

impl Resolver for ModuleLoader {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        match state(ctx).modules.resolve(name, base, false) {
            Ok(Resolved { path, format }) => {
                state(ctx).modules.formats.borrow_mut().insert(path.clone(), format);
                Ok(path)
            }
            Err(_) => {
                let message = format!("Cannot find module '{name}' imported from {base}");
                Err(Exception::throw_message(ctx, &message))
            }
        }
    }
}

impl Loader for ModuleLoader {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        let state = state(ctx);
        let format = state.modules.formats.borrow().get(name).copied().unwrap_or(Format::Module);
        let source = match format {
            Format::Builtin => synthetic(ctx, name)?,
            Format::Module | Format::Ambiguous => match state.modules.read(name) {
                Ok(source) => source,
                Err(error) => {
                    let message = format!("Cannot read module '{name}': {error}");
                    return Err(Exception::throw_message(ctx, &message));
                }
            },
            Format::CommonJs | Format::Json => synthetic(ctx, name)?,
        };
        let module = Module::declare(ctx.clone(), name, source)?;
        if !name.starts_with("node:") && !name.starts_with("hemiola:") {
            let meta = module.meta()?;
            meta.set("url", format!("file://{name}"))?;
            meta.set("filename", name)?;
            let directory = Path::new(name).parent().and_then(Path::to_str);
            meta.set("dirname", directory.unwrap_or("/"))?;
        }
        Ok(module)
    }
}

/// The source of an ES module that stands for something else: `internal/bootstrap` says what it
/// exports.
fn synthetic(ctx: &Ctx<'_>, name: &str) -> Result<String> {
    let describe: rquickjs::Function<'_> = ctx.globals().get("__hemiola_synthetic")?;
    describe.call((name,))
}
