//! ES modules, and what stands for others among them.
//!
//! The engine loads a module's imports while it compiles it, and leaves dangling references behind
//! when one of them fails. So nothing fails there: what cannot be found or compiled is remembered
//! with the module that asked for it, an empty module takes its place, and whoever started the load
//! throws the first failure that the graph holds before anything of it is linked. Later loads find it
//! again, as Node's do.

use super::failure::{Argument, Failure};
use super::hooks::{self, Hooks};
use super::other;
use super::package::Deprecated;
use super::resolve::{Format, LegacyMain};
use super::taken;
use super::url::{self, FileUrl};
use super::waiting::{self, Waiting};
use crate::flags;
use crate::state::state;
use crate::test::is_suite;
use hemiola_engine::evals::EVALUATED;
use hemiola_engine::{compiled, contexts, held};
use hemiola_transform::{ACCESS_MODULE, CONTEXT_MODULE, Goal};
use rquickjs::function::Opt;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Coerced, Ctx, Error, Function, Module, Persistent, Result, Value};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// What stands for a module that could not be found.
const MISSING: &str = "hemiola:missing";

held! {
    /// The modules that the engine was given.
    #[derive(Default)]
    pub(crate) struct Graph {
        /// Shared with the moment that an engine is put back to, until a run adds something.
        known: RefCell<Rc<BTreeMap<String, Known>>>,
        /// What specifiers have meant, by the module that they were asked for in: they mean it from then on, whatever
        /// becomes of the files.
        meant: RefCell<BTreeMap<(String, String), String>>,
        /// Modules that could not be what an import said they were, by their URL and that type: whoever says so once
        /// more hears the same.
        mistaken: RefCell<BTreeMap<(String, String), Failure>>,
        /// How many modules are being compiled: what the engine asks for meanwhile, they import.
        declaring: Cell<u32>,
        /// Modules in another form than ES whose evaluation is going on, the innermost last.
        pub(super) running: RefCell<Vec<String>>,
        pub(super) waiting: Waiting,
        pub(super) hooks: Hooks,
        /// Who is told of every file that is loaded.
        pub(super) reads: RefCell<Option<Persistent<Function<'static>>>>,
    }
}

/// One of them.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) format: Format,
    imports: Vec<Import>,
    pub(super) failure: Option<Persistent<Value<'static>>>,
    /// What a module in another form exports, beside `default`.
    pub(super) names: Vec<String>,
    /// Whether the transform let it import the runtime's context object.
    has_context: bool,
}

/// A static import.
#[derive(Clone)]
pub(crate) struct Import {
    pub(crate) specifier: String,
    pub(crate) url: String,
}

impl Graph {
    /// The same for another run of the engine: with the modules that were there before the program.
    pub(super) fn again(&self) -> Self {
        let known = RefCell::new(Rc::clone(&self.known.borrow()));
        Self { known, waiting: self.waiting.again(), ..Self::default() }
    }

    /// Whether [`Graph::go_on`] knows all that there is.
    pub(super) fn can_go_on(&self) -> bool {
        self.declaring.get() == 0 && self.running.borrow().is_empty() && !self.hooks.are_there()
    }

    /// The same in the middle of a run, for another that goes on from there.
    pub(super) fn go_on(&self) -> Self {
        Self {
            reads: self.reads.clone(),
            meant: self.meant.clone(),
            mistaken: self.mistaken.clone(),
            ..self.again()
        }
    }

    pub(super) fn insert(&self, url: &str, format: Format) {
        if self.known.borrow().contains_key(url) {
            return;
        }
        let known = Known {
            format,
            imports: Vec::new(),
            failure: None,
            names: Vec::new(),
            has_context: false,
        };
        Rc::make_mut(&mut self.known.borrow_mut()).insert(url.to_owned(), known);
    }

    pub(super) fn change<R>(&self, url: &str, act: impl FnOnce(&mut Known) -> R) -> Option<R> {
        Rc::make_mut(&mut self.known.borrow_mut()).get_mut(url).map(act)
    }

    pub(super) fn look<R>(&self, url: &str, act: impl FnOnce(&Known) -> R) -> Option<R> {
        self.known.borrow().get(url).map(act)
    }

    pub(crate) fn fail<'js>(&self, ctx: &Ctx<'js>, url: &str, error: Value<'js>) {
        let error = Persistent::save(ctx, error);
        self.change(url, |known| {
            known.failure.get_or_insert(error);
        });
    }

    /// Everything that a module imports, directly or not, itself first; the nearest first.
    pub(crate) fn reachable(&self, url: &str) -> Vec<String> {
        let known = self.known.borrow();
        let mut seen = BTreeSet::from([url]);
        let mut queue = VecDeque::from([url]);
        let mut found = Vec::new();
        while let Some(url) = queue.pop_front() {
            found.push(url.to_owned());
            let imports = known.get(url).map_or(&[][..], |known| &known.imports);
            for import in imports {
                if seen.insert(&import.url) {
                    queue.push_back(&import.url);
                }
            }
        }
        found
    }

    /// Why a module's graph cannot be linked.
    fn failure(&self, url: &str) -> Option<Persistent<Value<'static>>> {
        if self.known.borrow().values().all(|known| known.failure.is_none()) {
            return None;
        }
        let reachable = self.reachable(url);
        let known = self.known.borrow();
        reachable.iter().find_map(|url| known.get(url)?.failure.clone())
    }

    /// The imports of a module.
    pub(crate) fn imports(&self, url: &str) -> Vec<Import> {
        self.known.borrow().get(url).map_or_else(Vec::new, |known| known.imports.clone())
    }

    /// What a module is; none if it was never loaded.
    pub(crate) fn format(&self, url: &str) -> Option<Format> {
        self.known.borrow().get(url).map(|known| known.format)
    }

    /// All modules that were loaded.
    pub(crate) fn urls(&self) -> Vec<String> {
        self.known.borrow().keys().cloned().collect()
    }

    /// The modules in another form whose evaluation is going on.
    pub(crate) fn running(&self) -> Vec<String> {
        self.running.borrow().clone()
    }
}

/// Throws what a failure becomes in JavaScript.
pub(crate) fn throw(ctx: &Ctx<'_>, failure: &Failure) -> Error {
    match error(ctx, failure) {
        Ok(error) => ctx.throw(error),
        Err(error) => error,
    }
}

fn error<'js>(ctx: &Ctx<'js>, failure: &Failure) -> Result<Value<'js>> {
    let make: Function<'js> =
        state(ctx).engine.library(ctx, "internal/modules/failure")?.get("make")?;
    make.call((failure.to_array(ctx)?,))
}

/// The engine's way to modules.
pub struct ModuleLoader;

impl Resolver for ModuleLoader {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        let state = state(ctx);
        let graph = &state.modules.graph;
        let (taken, name) =
            taken::split(name).map_or((None, name), |(names, name)| (Some(names), name));
        let found = found(ctx, base, name, hooks::pairs(attributes), taken.is_some())?;
        if graph.declaring.get() == 0 {
            contexts::importing(ctx, name);
            let url = found.map_err(|error| ctx.throw(error))?;
            if let Some(failure) = graph.failure(&url) {
                return Err(ctx.throw(failure.restore(ctx)?));
            }
            return Ok(url);
        }
        let url = match found {
            Ok(url) => url,
            Err(error) => {
                let library = state.engine.library(ctx, "internal/modules/failure")?;
                library.get::<_, Function<'js>>("place")?.call::<_, ()>((&error, base, name))?;
                graph.fail(ctx, base, error);
                MISSING.to_owned()
            }
        };
        let url = match taken {
            Some(names) => self.taking(ctx, names, url)?,
            None => url,
        };
        let import = Import { specifier: name.to_owned(), url: url.clone() };
        graph.change(base, |known| known.imports.push(import));
        Ok(url)
    }
}

impl ModuleLoader {
    /// The module that gives names of another one: itself if it is an ES module, else what stands between.
    fn taking(&mut self, ctx: &Ctx<'_>, names: &str, url: String) -> Result<String> {
        let graph = &state(ctx).modules.graph;
        if graph.hooks.are_there() {
            return Ok(url);
        }
        // Its text tells what it is.
        if graph.format(&url) == Some(Format::Ambiguous) {
            self.load(ctx, &url, None)?;
        }
        if !matches!(graph.format(&url), Some(Format::CommonJs | Format::Json)) {
            return Ok(url);
        }
        let taking = taken::url(names, &url);
        graph.insert(&taking, Format::Module);
        graph.change(&taking, |known| known.has_context = true);
        Ok(taking)
    }
}

/// The module that a specifier with attributes means in a module, or the error that says why there is none. Whoever
/// takes names may mean data and not say so.
fn found<'js>(
    ctx: &Ctx<'js>,
    base: &str,
    specifier: &str,
    attributes: Vec<(String, String)>,
    takes: bool,
) -> Result<std::result::Result<String, Value<'js>>> {
    let state = state(ctx);
    let graph = &state.modules.graph;
    if matches!(specifier, CONTEXT_MODULE | ACCESS_MODULE)
        && graph.declaring.get() > 0
        && graph.look(base, |known| known.has_context) == Some(true)
    {
        graph.insert(specifier, Format::Builtin);
        return Ok(Ok(specifier.to_owned()));
    }
    if graph.hooks.are_there() {
        let base = importer(base, &state.options.cwd);
        let given = match hooks::is_of_program(&base) {
            true => redirected(ctx, specifier, &base),
            false => Some(specifier.to_owned()),
        };
        if let Some(url) = given {
            graph.insert(&url, Format::Ambiguous);
            return Ok(Ok(url));
        }
        return match hooks::resolve(ctx, specifier, &base, &attributes) {
            Ok(url) => {
                graph.insert(&url, Format::Ambiguous);
                Ok(Ok(url))
            }
            Err(Error::Exception) => Ok(Err(ctx.catch())),
            Err(error) => Err(error),
        };
    }
    match find(ctx, base, specifier, attributes, takes) {
        Ok(url) => Ok(Ok(url)),
        Err(failure) => Ok(Err(error(ctx, &failure)?)),
    }
}

/// The module that a specifier with attributes means in a module.
fn find(
    ctx: &Ctx<'_>,
    base: &str,
    specifier: &str,
    attributes: Vec<(String, String)>,
    takes: bool,
) -> std::result::Result<String, Failure> {
    let state = state(ctx);
    let modules = &state.modules;
    let base = importer(base, &state.options.cwd);
    let url = match redirected(ctx, specifier, &base) {
        Some(url) => url,
        None => {
            let url = meant(modules, specifier, &base);
            tell_deprecated(ctx);
            let url = url?;
            tell_legacy_main(ctx, &base);
            url
        }
    };
    let mut said =
        attributes.iter().find(|(name, _)| name == "type").map(|(_, value)| value.as_str());
    if takes && matches!(format(&modules.finder, &url), Ok(Format::Json)) {
        said = Some("json");
    }
    // What was loaded by what an import says needs no second look.
    let known = modules.graph.format(&url);
    match (said.unwrap_or(NO_TYPE), known) {
        ("json", Some(Format::Json)) => return Ok(url),
        (NO_TYPE, Some(format)) if format != Format::Json => return Ok(url),
        _ => {}
    }
    let key = (url.clone(), said.unwrap_or(NO_TYPE).to_owned());
    if let Some(failure) = modules.graph.mistaken.borrow().get(&key) {
        return Err(failure.clone());
    }
    match is_what(modules, &url, said, &attributes) {
        Ok(format) => modules.graph.insert(&url, format),
        Err(failure) => {
            // Others are about files, which may change.
            let is_final = failure.code.starts_with("ERR_IMPORT_")
                || failure.code == "ERR_UNKNOWN_MODULE_FORMAT";
            if is_final {
                modules.graph.mistaken.borrow_mut().insert(key, failure.clone());
            }
            return Err(failure);
        }
    }
    Ok(url)
}

/// The type of a module whose import says none.
const NO_TYPE: &str = "javascript";

/// What the module at a URL is, if that is what an import says of it.
fn is_what(
    modules: &super::Modules,
    url: &str,
    said: Option<&str>,
    attributes: &[(String, String)],
) -> std::result::Result<Format, Failure> {
    if let Some((name, value)) = attributes.iter().find(|(name, _)| name != "type") {
        let arguments = [Argument::text(name), Argument::text(value)];
        return Err(Failure::new("ERR_IMPORT_ATTRIBUTE_UNSUPPORTED", arguments));
    }
    let format = format(&modules.finder, url)?;
    let about = |code| Failure::new(code, [Argument::text(url), Argument::text("json")]);
    match (said, format) {
        (None, Format::Json) => Err(about("ERR_IMPORT_ASSERTION_TYPE_MISSING")),
        (None, _) | (Some("json"), Format::Json) => Ok(format),
        (Some("json"), _) => Err(about("ERR_IMPORT_ASSERTION_TYPE_FAILED")),
        (Some(other), _) => {
            let arguments = [Argument::text(other)];
            Err(Failure::new("ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED", arguments))
        }
    }
}

/// Warns of a package whose main file was found by what CommonJS allows (DEP0151).
fn tell_legacy_main(ctx: &Ctx<'_>, base: &str) {
    let state = state(ctx);
    let Some(LegacyMain { package, main, found }) = state.modules.finder.take_legacy_main() else {
        return;
    };
    let importer = path_of(base).unwrap_or_else(|| base.to_owned());
    let tell = || -> Result<()> {
        let library = state.engine.library(ctx, "internal/modules/failure")?;
        let warn: Function<'_> = library.get("warnOfLegacyMain")?;
        warn.call((package, main, found, importer))
    };
    if tell().is_err() {
        ctx.catch();
    }
}

/// Warns of what packages say in a way that is deprecated.
pub(super) fn tell_deprecated(ctx: &Ctx<'_>) {
    let state = state(ctx);
    for Deprecated { code, text, .. } in state.modules.finder.take_deprecated() {
        let tell = || -> Result<()> {
            let library = state.engine.library(ctx, "internal/modules/failure")?;
            let warn: Function<'_> = library.get("warn")?;
            warn.call((text, code))
        };
        if tell().is_err() {
            ctx.catch();
        }
    }
}

/// What a specifier means in a module, or has meant the last time.
fn meant(
    modules: &super::Modules,
    specifier: &str,
    base: &str,
) -> std::result::Result<String, Failure> {
    let key = (base.to_owned(), specifier.to_owned());
    if let Some(url) = modules.graph.meant.borrow().get(&key) {
        return Ok(url.clone());
    }
    // What was looked up ahead of the import is told with it.
    modules.finder.forget_deprecated();
    let url = modules.finder.import(specifier, base, true)?;
    modules.graph.meant.borrow_mut().insert(key, url.clone());
    Ok(url)
}

/// Where tests let an import lead: to a mock, or where their configuration says.
fn redirected(ctx: &Ctx<'_>, specifier: &str, base: &str) -> Option<String> {
    if !is_suite(ctx) {
        return None;
    }
    let redirect = || -> Result<Option<String>> {
        let library = state(ctx).engine.library(ctx, "internal/suite/resolve")?;
        library.get::<_, Function<'_>>("redirect")?.call((specifier, base))
    };
    // Whoever resolves it without help says what is wrong.
    redirect().unwrap_or_else(|_| {
        ctx.catch();
        None
    })
}

/// The URL of the module that code of that name belongs to.
pub(crate) fn importer(name: &str, cwd: &str) -> String {
    // Text that was evaluated belongs to the file that did so.
    let name = name.strip_prefix(EVALUATED).filter(|file| !file.is_empty()).unwrap_or(name);
    if name.starts_with('/') {
        url::from_path(name)
    } else if url::scheme(name).is_some() {
        name.to_owned()
    } else {
        // Text that no file has: it sees what the current directory has.
        url::from_path(&format!("{cwd}/{name}"))
    }
}

/// What a module is, by its URL.
pub(crate) fn format(finder: &super::Finder, url: &str) -> std::result::Result<Format, Failure> {
    if let Some(file) = FileUrl::parse(url) {
        let path = file.to_path().unwrap_or_default();
        return finder.format(&path)?.ok_or_else(|| {
            let name = path.rsplit('/').next().unwrap_or_default();
            let extension = name.rfind('.').map_or("", |at| &name[at..]);
            let arguments = [Argument::text(extension), Argument::text(&path)];
            Failure::new("ERR_UNKNOWN_FILE_EXTENSION", arguments)
        });
    }
    if !url.starts_with("data:") {
        return Ok(Format::Builtin);
    }
    let Some((mime, _)) = url::data(url) else {
        return Err(Failure::new("ERR_INVALID_URL", [Argument::text(url)]));
    };
    match mime.as_str() {
        "text/javascript" | "application/javascript" => Ok(Format::Module),
        "application/json" => Ok(Format::Json),
        _ => {
            let arguments = [Argument::text(mime), Argument::text(url)];
            Err(Failure::new("ERR_UNKNOWN_MODULE_FORMAT", arguments))
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
        let graph = &state.modules.graph;
        if name == MISSING {
            return other::stand_in(ctx, name);
        }
        if graph.declaring.get() == 0 {
            waiting::look_through(ctx, name, None);
        }
        let outer = graph.declaring.replace(graph.declaring.get() + 1);
        let declared = declare(ctx, name);
        graph.declaring.set(outer);
        let module = match declared {
            Ok(module) => module,
            Err(Error::Exception) => {
                let error = ctx.catch();
                graph.fail(ctx, name, error.clone());
                if outer == 0 {
                    return Err(ctx.throw(error));
                }
                other::stand_in(ctx, name)?
            }
            Err(error) => return Err(error),
        };
        if outer == 0
            && let Some(failure) = graph.failure(name)
        {
            return Err(ctx.throw(failure.restore(ctx)?));
        }
        Ok(module)
    }
}

/// `loadModule(url)`: has an ES module ready for the time when it is imported, with everything that it imports.
pub(super) fn load_ahead(ctx: Ctx<'_>, url: String) -> Result<()> {
    let url = found(&ctx, &url, &url, Vec::new(), false)?.map_err(|error| ctx.throw(error))?;
    ModuleLoader.load(&ctx, &url, None).map(drop)
}

/// Makes a module, with everything that it imports.
pub(crate) fn declare_whole<'js>(
    ctx: &Ctx<'js>,
    name: &str,
    code: &str,
) -> Result<Module<'js, Declared>> {
    waiting::look_through(ctx, name, Some(code));
    whole(ctx, name, || Module::declare(ctx.clone(), name, code))
}

fn whole<'js>(
    ctx: &Ctx<'js>,
    name: &str,
    declare: impl FnOnce() -> Result<Module<'js, Declared>>,
) -> Result<Module<'js, Declared>> {
    let state = state(ctx);
    let graph = &state.modules.graph;
    graph.insert(name, Format::Module);
    let outer = graph.declaring.replace(graph.declaring.get() + 1);
    let declared = declare();
    graph.declaring.set(outer);
    let module = declared?;
    match graph.failure(name) {
        Some(failure) => Err(ctx.throw(failure.restore(ctx)?)),
        None => Ok(module),
    }
}

/// As [`declare_whole`], for a program's own text.
pub(crate) fn declare_text_whole<'js>(
    ctx: &Ctx<'js>,
    url: &str,
    source: &str,
) -> Result<Module<'js, Declared>> {
    waiting::look_through(ctx, url, Some(source));
    whole(ctx, url, || declare_text(ctx, url, source, Format::Module))
}

/// Throws what is wrong with the syntax of a module's text. Whether its imports are there does not matter.
pub(crate) fn check_text(ctx: &Ctx<'_>, url: &str, source: &str) -> Result<()> {
    let state = state(ctx);
    let graph = &state.modules.graph;
    graph.insert(url, Format::Module);
    let outer = graph.declaring.replace(graph.declaring.get() + 1);
    let declared = declare_text(ctx, url, source, Format::Module);
    graph.declaring.set(outer);
    declared.map(drop)
}

fn declare<'js>(ctx: &Ctx<'js>, url: &str) -> Result<Module<'js, Declared>> {
    let state = state(ctx);
    let modules = &state.modules;
    let mut format = modules.graph.format(url).expect("what is loaded was found first");
    let mut source = modules.graph.waiting.take_text(url);
    if modules.graph.hooks.are_there() && !matches!(url, CONTEXT_MODULE | ACCESS_MODULE) {
        let loaded = hooks::load(ctx, url)?;
        (format, source) = (loaded.format, loaded.source);
        modules.graph.change(url, |known| known.format = format);
    }
    if format == Format::Builtin {
        return other::declare(ctx, url, other::builtin_names(ctx, url)?);
    }
    if let Some(text) = taken::text(url, |url| modules.graph.format(url) == Some(Format::Json)) {
        return Module::declare(ctx.clone(), url, text);
    }
    let source = match source {
        Some(source) => source,
        None => read(ctx, url)?,
    };
    if format == Format::Json {
        let parse: Function<'js> =
            state.engine.library(ctx, "internal/modules/interop")?.get("parseJson")?;
        parse.call::<_, ()>((url, path_of(url), source))?;
        return other::declare(ctx, url, Vec::new());
    }
    declare_text(ctx, url, &source, format)
}

/// Makes a module of a text: an ES module, or what stands for a CommonJS module.
pub(crate) fn declare_text<'js>(
    ctx: &Ctx<'js>,
    url: &str,
    source: &str,
    format: Format,
) -> Result<Module<'js, Declared>> {
    let state = state(ctx);
    let modules = &state.modules;
    let goal = match format {
        Format::Module => Goal::Module,
        Format::CommonJs => Goal::CommonJs,
        _ => Goal::Detect,
    };
    let prepared = super::natives::prepare(ctx, source, url, goal)?;
    if !prepared.is_module {
        modules.graph.change(url, |known| known.format = Format::CommonJs);
        let path = path_of(url).unwrap_or_default();
        let mut names = BTreeSet::new();
        other::common_js_names(modules, &path, source, &mut names, &mut BTreeSet::new());
        return other::declare(ctx, url, names.into_iter().collect());
    }
    let given = [CONTEXT_MODULE, ACCESS_MODULE];
    let has_context = given.iter().any(|name| prepared.code.contains(name))
        && !given.iter().any(|name| imports(source, name));
    modules.graph.change(url, |known| {
        known.format = Format::Module;
        known.has_context = has_context;
    });
    let is_file = url.starts_with("file:") && !url.ends_with(']');
    let kept = (!is_file || modules.graph.hooks.have_made(url)).then_some(source);
    state.engine.texts.keep(url, &prepared, "", kept);
    let mut code = prepared.code;
    if modules.graph.waiting.contains(url) {
        code.push_str(waiting::NEVER_REACHED);
    }
    let module = compiled::module(ctx, code, url)?;
    let meta = module.meta()?;
    if let Some(path) = path_of(url) {
        let directory = path.rfind('/').map_or("", |end| &path[..end]);
        meta.set("dirname", if directory.is_empty() { "/" } else { directory })?;
        meta.set("filename", path.as_str())?;
    }
    let own = url.to_owned();
    let takes_parent = flags::is_on(&state.options.flags, "--experimental-import-meta-resolve");
    let resolve = Function::new(
        ctx.clone(),
        move |ctx: Ctx<'js>, Coerced(specifier): Coerced<String>, parent: Opt<Value<'js>>| {
            let mut base = own.clone();
            if let (true, Some(parent)) =
                (takes_parent, parent.0.filter(|parent| !parent.is_undefined()))
            {
                let library =
                    crate::state::state(&ctx).engine.library(&ctx, "internal/modules/failure")?;
                base = library.get::<_, Function<'_>>("toParent")?.call((parent,))?;
            }
            if crate::state::state(&ctx).modules.graph.hooks.are_there() {
                return hooks::resolve_only(&ctx, &specifier, &base);
            }
            let found =
                super::natives::finder(&ctx, |finder| finder.import(&specifier, &base, false));
            // Nothing is loaded, so that the URL may have any scheme.
            match found {
                Err(failure) if failure.code == "ERR_UNSUPPORTED_ESM_URL_SCHEME" => {
                    let state = crate::state::state(&ctx);
                    let library = state.engine.library(&ctx, "internal/modules/failure")?;
                    library.get::<_, Function<'_>>("toHref")?.call((specifier,))
                }
                found => found.map_err(|failure| throw(&ctx, &failure)),
            }
        },
    )?;
    meta.set("resolve", resolve.with_name("resolve")?)?;
    meta.set("url", url)?;
    if is_suite(ctx) && !url.contains("/node_modules/") {
        let library = state.engine.library(ctx, "internal/suite/resolve")?;
        library.get::<_, Function<'_>>("describeModule")?.call::<_, ()>((meta,))?;
    }
    Ok(module)
}

/// Whether a program's own text imports what only the transform may.
fn imports(source: &str, module: &str) -> bool {
    source.match_indices(module).any(|(at, _)| {
        let before = source[..at].strip_suffix(['"', '\'']).map(str::trim_end);
        before.is_some_and(|before| before.ends_with("from") || before.ends_with("import"))
    })
}

/// The text of the module at a URL.
pub(crate) fn read(ctx: &Ctx<'_>, url: &str) -> Result<String> {
    let bytes = match path_of(url) {
        Some(path) => super::natives::read(ctx, &path)?,
        None => url::data(url).map(|(_, bytes)| bytes).unwrap_or_default(),
    };
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// The path of the file at a URL.
pub(crate) fn path_of(url: &str) -> Option<String> {
    FileUrl::parse(url).and_then(|url| url.to_path())
}
