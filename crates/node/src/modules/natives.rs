//! What CommonJS, and whatever else of modules is written in JavaScript, is built on.

use super::bounded;
use super::failure::{Argument, Failure};
use super::graph::{self, Import, throw};
use super::package::{PackageType, Target};
use super::paths;
use super::project::is_compiled;
use super::resolve::{self, Finder, Format, MissingMain};
use super::url::{self, FileUrl};
use crate::library::LANGUAGE;
use crate::options::TimerMeaning;
use crate::state::state;
use crate::test::is_suite;
use hemiola_engine::texts::{Prepared, Written};
use hemiola_engine::{beyond, compiled, evals};
use hemiola_transform::{
    Exchanged, Goal, InContext, Language, SyntaxError, hoist_mocks, in_context, top_level_awaits,
    undo_in_context,
};
use rquickjs::prelude::Opt;
use rquickjs::promise::PromiseState;
use rquickjs::{Array, Ctx, Function, Object, Persistent, Promise, Result, Value};
use std::path::Path;

/// The function of this file that goes by that name on `binding`.
pub(super) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "readFile" => Function::new(ctx.clone(), read_file),
        "readModule" => Function::new(ctx.clone(), read_module),
        "builtinName" => Function::new(ctx.clone(), |name: String| resolve::builtin(&name)),
        "fileFormat" => Function::new(ctx.clone(), file_format),
        "findPath" => Function::new(ctx.clone(), find_path),
        "findMain" => Function::new(ctx.clone(), find_main),
        "checkModule" => Function::new(ctx.clone(), check_module),
        "projectFile" => Function::new(ctx.clone(), project_file),
        "packageImport" => Function::new(ctx.clone(), package_import),
        "ownExport" => Function::new(ctx.clone(), own_export),
        "nodeModulePaths" => Function::new(ctx.clone(), node_module_paths),
        "resolveImport" => Function::new(ctx.clone(), resolve_import),
        "fileUrl" => Function::new(ctx.clone(), |path: String| url::from_path(&path)),
        "scopeOf" => Function::new(ctx.clone(), scope_of),
        "compileFunction" => Function::new(ctx.clone(), compile_function),
        "prepareScript" => Function::new(ctx.clone(), prepare_script),
        "prepareForContext" => Function::new(ctx.clone(), prepare_for_context),
        "languageNames" => Function::new(ctx.clone(), || LANGUAGE.split(' ').collect::<Vec<_>>()),
        "fileOfNext" => Function::new(ctx.clone(), |file: String| evals::file_of_next(&file)),
        "evaluate" => Function::new(ctx.clone(), evaluate),
        "runScriptWithin" => Function::new(ctx.clone(), bounded::run),
        "loadModule" => Function::new(ctx.clone(), graph::load_ahead),
        "importText" => Function::new(ctx.clone(), import_text),
        "requireModule" => Function::new(ctx.clone(), require_module),
        "bearablePattern" => Function::new(ctx.clone(), |pattern: String| {
            hemiola_transform::bearable(&pattern).into_owned()
        }),
        "explainLink" => Function::new(ctx.clone(), super::links::explain),
        "failModule" => Function::new(ctx.clone(), fail_module),
        "topLevelAwaits" => Function::new(ctx.clone(), all_awaits),
        "tellReads" => Function::new(ctx.clone(), tell_reads),
        "useHooks" => Function::new(ctx.clone(), super::hooks::begin),
        "sourceText" => Function::new(ctx.clone(), source_text),
        _ => return None,
    })
}

/// Gives the finder to `act`.
pub(crate) fn finder<R>(ctx: &Ctx<'_>, act: impl FnOnce(&Finder) -> R) -> R {
    act(&state(ctx).modules.finder)
}

/// The globals that are to a package what they are in Node (rule TIME-15): where its text takes them it
/// gets what `t` of `internal/context` makes of them.
const OF_PACKAGES: Exchanged = &["setTimeout", "setInterval"];

/// Makes a text ready for the engine.
pub(crate) fn prepare(ctx: &Ctx<'_>, source: &str, name: &str, goal: Goal) -> Result<Prepared> {
    let state = state(ctx);
    let texts = &state.engine.texts;
    let exchanged = match state.options.timers {
        TimerMeaning::Labelled if name.contains("/node_modules/") => OF_PACKAGES,
        TimerMeaning::Labelled | TimerMeaning::Node => &[],
    };
    let compiled = &state.engine.registered.compiled;
    let language = match language_of(ctx, name) {
        Ok(language) => language,
        Err(failure) => return Err(throw(ctx, &failure)),
    };
    let hoisted = match is_suite(ctx) && !name.contains("/node_modules/") {
        true => hoist_mocks(source, language, goal),
        false => None,
    };
    let written = Written { language, goal, exchanged };
    let prepared = match hoisted {
        None => texts.prepare(source, name, written, compiled),
        Some((code, positions)) => {
            texts.prepare(&code, name, written, compiled).map(|prepared| prepared.after(positions))
        }
    };
    let prepared = prepared.map_err(|error| throw_syntax_error(ctx, name, &error))?;
    if let Some(coverage) = &state.engine.coverage {
        coverage.catch_up(ctx)?;
    }
    // Once functions hold text that nobody wrote, they are made to show what was written.
    if texts.take_changed() {
        let library = state.engine.library(ctx, "internal/modules/to_string")?;
        library.get::<_, Function<'_>>("install")?.call::<_, ()>(())?;
    }
    Ok(prepared)
}

/// Throws a SyntaxError at a place in a text.
fn throw_syntax_error(ctx: &Ctx<'_>, name: &str, error: &SyntaxError) -> rquickjs::Error {
    let place = [error.line, error.column].map(|number| Argument::Json(number.to_string()));
    let [line, column] = place;
    let arguments = [Argument::text(&error.message), Argument::text(name), line, column];
    throw(ctx, &Failure::new("SYNTAX_ERROR", arguments))
}

/// The content of a file, or the error that Node throws.
pub(crate) fn read(ctx: &Ctx<'_>, path: &str) -> Result<Vec<u8>> {
    let told = state(ctx).modules.graph.reads.borrow().clone();
    if let Some(told) = told {
        told.restore(ctx)?.call::<_, ()>((path,))?;
    }
    finder(ctx, |finder| finder.disk().read(&Path::new(path).into())).map_err(|error| {
        if let Some(failure) = Failure::denied(&error, path) {
            return throw(ctx, &failure);
        }
        throw(ctx, &Failure::system(&error, path))
    })
}

/// `tellReads(callback)`: from now on, the callback is called with every file that is loaded.
fn tell_reads<'js>(ctx: Ctx<'js>, callback: Function<'js>) {
    let callback = Persistent::save(&ctx, callback);
    *state(&ctx).modules.graph.reads.borrow_mut() = Some(callback);
}

/// `readFile(path)`: its text, or undefined when there is none.
fn read_file(ctx: Ctx<'_>, path: String) -> Option<String> {
    let bytes = finder(&ctx, |finder| finder.disk().read(&Path::new(&path).into())).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// `readModule(path)`: its text; throws when there is none.
fn read_module(ctx: Ctx<'_>, path: String) -> Result<String> {
    Ok(String::from_utf8_lossy(&read(&ctx, &path)?).into_owned())
}

/// `fileFormat(path)`: what a file is; undefined when its extension does not tell.
fn file_format(ctx: Ctx<'_>, path: String) -> Result<Option<&'static str>> {
    let format = finder(&ctx, |finder| finder.format(&path));
    let format = format.map_err(|failure| throw(&ctx, &failure.for_require()))?;
    Ok(format.map(Format::name))
}

/// `findPath(request, paths, cwd, extensions, onMissingMain)`: the file that a `require` means, or undefined. The callback is
/// told of a `package.json` whose `main` is not there, though the package has an `index.js`.
fn find_path<'js>(
    ctx: Ctx<'js>,
    request: String,
    mut paths: Vec<String>,
    cwd: String,
    extensions: Vec<String>,
    on_missing_main: Function<'js>,
) -> Result<Option<String>> {
    for path in &mut paths {
        if path == "." {
            path.clone_from(&cwd);
        } else if !path.starts_with('/') {
            *path = format!("{cwd}/{path}");
        }
    }
    let (found, missing) = finder(&ctx, |finder| {
        // Others search without wanting to know.
        finder.take_missing_main();
        finder.forget_deprecated();
        let found = finder.find(&request, &paths, &extensions);
        (found, finder.take_missing_main())
    });
    graph::tell_deprecated(&ctx);
    let found = found.map_err(|failure| throw(&ctx, &failure.for_require()))?;
    if let Some(MissingMain { package, main }) = missing {
        on_missing_main.call::<_, ()>((package, main))?;
    }
    Ok(found)
}

/// `findMain(file, extensions)`: the file that a program begins with, or undefined.
fn find_main(ctx: Ctx<'_>, file: String, extensions: Vec<String>) -> Result<Option<String>> {
    let found = finder(&ctx, |finder| finder.find_main(&file, &extensions));
    found.map_err(|failure| throw(&ctx, &failure.for_require()))
}

/// `projectFile(request, parent)`: the file that a project means by a request, or undefined.
fn project_file(ctx: Ctx<'_>, request: String, parent: String) -> Result<Option<String>> {
    let is_path = request.starts_with('/')
        || request.starts_with("./")
        || request.starts_with("../")
        || matches!(&*request, "." | "..");
    let found = finder(&ctx, |finder| {
        if !is_path {
            return finder.mapped(&request, &parent);
        }
        if !is_compiled(&parent) {
            return Ok(None);
        }
        let path = match request.starts_with('/') {
            true => paths::normalize(&request),
            false => paths::normalize(&format!("{}/{request}", paths::parent(&parent))),
        };
        Ok(finder.written(&path))
    });
    let found = found.map_err(|failure| throw(&ctx, &failure))?;
    Ok(found.map(|path| finder(&ctx, |finder| finder.real(&path))))
}

/// `packageImport(request, parent)`: the file or the builtin that `#name` means to a `require`; undefined where the
/// package has no `imports`, and such a name is one like any other.
fn package_import(ctx: Ctx<'_>, request: String, parent: String) -> Result<Option<String>> {
    let found = finder(&ctx, |finder| {
        if finder.scope(&parent)?.is_none_or(|package| package.imports.is_null()) {
            return Ok(None);
        }
        let asker = finder.asker(Some(&parent), true);
        let url = match finder.package_import(&request, &parent, asker)? {
            Target::File(path) => FileUrl { path, rest: String::new() },
            Target::Package(name) => match resolve::builtin(&name) {
                Some(builtin) => return Ok(Some(builtin)),
                None => finder.bare(&name, &finder.importing_package(&parent)?, asker)?,
            },
        };
        let directory =
            finder.scope(&parent)?.map_or_else(String::new, |package| package.directory.clone());
        finder.required_file(&url, Some(&parent), &directory).map(Some)
    });
    graph::tell_deprecated(&ctx);
    found.map_err(|failure| {
        let failure = match failure.code {
            "ERR_MODULE_NOT_FOUND" => Failure::new("MODULE_NOT_FOUND", [Argument::Text(request)]),
            _ => failure,
        };
        throw(&ctx, &failure.for_require())
    })
}

/// `ownExport(request, parent)`: the file that a package means by its own name, or undefined.
fn own_export(ctx: Ctx<'_>, request: String, parent: String) -> Result<Option<String>> {
    let Some((name, subpath)) = resolve::split_name(&request) else { return Ok(None) };
    let found = finder(&ctx, |finder| {
        let asker = finder.asker(Some(&parent), true);
        match finder.own_export(name, &subpath, &parent, asker)? {
            Some(url) => {
                let package = finder.scope(&parent)?;
                let directory =
                    package.map_or_else(String::new, |package| package.directory.clone());
                finder.required_file(&url, None, &directory).map(Some)
            }
            None => Ok(None),
        }
    });
    graph::tell_deprecated(&ctx);
    found.map_err(|failure| throw(&ctx, &failure.for_require()))
}

/// `scopeOf(url)`: the `package.json` that makes a file an ES module, or undefined.
fn scope_of(ctx: Ctx<'_>, url: String) -> Option<String> {
    let path = graph::path_of(&url)?;
    let package = finder(&ctx, |finder| finder.scope(&path)).ok()??;
    (package.kind == Some(PackageType::Module))
        .then(|| format!("{}package.json", package.directory))
}

/// `resolveImport(specifier, base, conditions)`: the URL that a specifier means in the module at a URL, under conditions
/// besides those that hold anyhow.
fn resolve_import(
    ctx: Ctx<'_>,
    specifier: String,
    base: String,
    conditions: Opt<Vec<String>>,
) -> Result<String> {
    let found = finder(&ctx, |finder| match &conditions.0 {
        Some(conditions) => finder.import_under(conditions, &specifier, &base, true),
        None => finder.import(&specifier, &base, true),
    });
    found.map_err(|failure| throw(&ctx, &failure))
}

/// `nodeModulePaths(directory)`: the directories of packages that are seen from there.
fn node_module_paths(directory: String) -> Vec<String> {
    let directory = paths::normalize(&directory);
    paths::node_modules(if directory == "/" { "" } else { &directory }).collect()
}

const WRAPPER: &str = "(function (exports, require, module, __filename, __dirname";

/// `compileFunction(source, file, goal, isChanged)`: a CommonJS module's function, and whether it wants the
/// runtime's context object as its last argument; undefined for an ES module. A changed source is not the file's.
fn compile_function<'js>(
    ctx: Ctx<'js>,
    source: String,
    file: String,
    goal: String,
    is_changed: Opt<bool>,
) -> Result<Option<Array<'js>>> {
    let state = state(&ctx);
    let texts = &state.engine.texts;
    let goal = if goal == "commonjs" { Goal::CommonJs } else { Goal::Detect };
    let prepared = prepare(&ctx, &source, &file, goal)?;
    if prepared.is_module {
        return Ok(None);
    }
    let mut head = WRAPPER.to_owned();
    if let Some(context) = &prepared.context {
        head.push_str(", ");
        head.push_str(context);
    }
    if let Some(access) = &prepared.access {
        head.push_str(", ");
        head.push_str(access);
    }
    head.push_str(") { ");
    // What no file holds can be shown only if it is kept.
    let kept = (is_changed.0 == Some(true) || !file.starts_with('/')).then_some(source.as_str());
    texts.keep(&file, &prepared, &head, kept);
    let code = format!("{head}{}\n}})", prepared.code);
    let function = compiled::function(&ctx, code, &file)?;
    let compiled = Array::new(ctx)?;
    compiled.set(0, function)?;
    compiled.set(1, prepared.context.is_some())?;
    compiled.set(2, prepared.access.is_some())?;
    Ok(Some(compiled))
}

/// `prepareScript(source, name, goal)`: a script as the engine gets it, and the name of the global
/// variable that it wants the runtime's context object in; undefined for an ES module.
fn prepare_script<'js>(
    ctx: Ctx<'js>,
    source: String,
    name: String,
    goal: String,
) -> Result<Option<Array<'js>>> {
    let state = state(&ctx);
    let texts = &state.engine.texts;
    let goal = if goal == "commonjs" { Goal::CommonJs } else { Goal::DetectText };
    let prepared = prepare(&ctx, &source, &name, goal)?;
    if prepared.is_module {
        return Ok(None);
    }
    texts.keep(&name, &prepared, "", Some(&source));
    let script = Array::new(ctx.clone())?;
    script.set(0, prepared.code)?;
    script.set(1, prepared.context)?;
    script.set(2, prepared.access)?;
    Ok(Some(script))
}

/// `prepareForContext(source, name)`: a script as the engine gets it within a context, and what it declares; undefined
/// if it does not parse.
fn prepare_for_context<'js>(
    ctx: Ctx<'js>,
    source: String,
    name: String,
) -> Result<Option<Object<'js>>> {
    let texts = &state(&ctx).engine.texts;
    let Some(InContext { code, positions, is_strict, variables, functions, lexical }) =
        in_context(&source)
    else {
        return Ok(None);
    };
    texts.note_undo(&undo_in_context());
    let prepared = prepare(&ctx, &code, &name, Goal::CommonJs)?.after(positions);
    texts.keep(&name, &prepared, "", Some(&source));
    let script = Object::new(ctx)?;
    script.set("code", prepared.code)?;
    script.set("context", prepared.context)?;
    script.set("access", prepared.access)?;
    script.set("isStrict", is_strict)?;
    script.set("variables", variables)?;
    script.set("functions", functions)?;
    script.set("lexical", lexical)?;
    Ok(Some(script))
}

/// `evaluate(source, name)`: the value of a script that is not strict by itself.
fn evaluate<'js>(ctx: Ctx<'js>, source: String, name: String) -> Result<Value<'js>> {
    compiled::evaluate(&ctx, source, &name)
}

/// `importText(source, url)`: the promise of the evaluation of a text as an ES module.
fn import_text<'js>(ctx: Ctx<'js>, source: String, url: String) -> Result<Promise<'js>> {
    let module = graph::declare_text_whole(&ctx, &url, &source)?;
    let (_, promise) = module.eval()?;
    Ok(promise)
}

/// `checkModule(source, url)`: throws what is wrong with the syntax of a text that is an ES module.
fn check_module(ctx: Ctx<'_>, source: String, url: String) -> Result<()> {
    graph::check_text(&ctx, &url, &source)
}

/// `requireModule(url, parent, evaluating, loading)`: the namespace of an ES module, now.
///
/// `evaluating` names modules whose code is on the stack, `loading` the paths of CommonJS modules
/// that are not through yet: the engine must not meet them again.
fn require_module<'js>(
    ctx: Ctx<'js>,
    url: String,
    parent: Option<String>,
    evaluating: Vec<String>,
    loading: Vec<String>,
) -> Result<Value<'js>> {
    let modules = &state(&ctx).modules;
    // Who is in the middle of being evaluated was known before.
    let is_new = modules.graph.format(&url).is_none();
    // Its text has told what it is, though an `import` would say something else of its name.
    if !matches!(graph::format(&modules.finder, &url), Ok(Format::Module | Format::Ambiguous)) {
        modules.graph.insert(&url, Format::Ambiguous);
    }
    // A module of our own imports it, because the engine hands out no module that it has.
    let helper = format!("hemiola:require/{url}");
    let quoted = serde_json::to_string(&url).unwrap_or_default();
    let code = format!("import * as namespace from {quoted}; export {{ namespace }};");
    let module = graph::declare_whole(&ctx, &helper, &code)?;
    refuse(&ctx, &url, is_new, parent.as_deref(), &evaluating, &loading)
        .map_err(|failure| throw(&ctx, &failure))?;
    let (module, promise) = module.eval()?;
    match promise.state() {
        PromiseState::Resolved => {
            let namespace: Object<'js> = module.get("namespace")?;
            marked(&ctx, &quoted, namespace)
        }
        PromiseState::Rejected => {
            let handled: Function<'js> = promise.get("catch")?;
            let ignore = Function::new(ctx.clone(), || {})?;
            handled.call::<_, Value<'js>>((rquickjs::function::This(promise.clone()), ignore))?;
            Err(ctx.throw(beyond::promise_result(&promise)))
        }
        PromiseState::Pending => Err(throw(&ctx, &async_failure(&url, parent.as_deref()))),
    }
}

/// The namespace that a `require` gives: with a default export it has the mark of ES modules, which
/// tools that turn them into CommonJS look for.
fn marked<'js>(ctx: &Ctx<'js>, quoted: &str, namespace: Object<'js>) -> Result<Value<'js>> {
    if !namespace.contains_key("default")? || namespace.contains_key("__esModule")? {
        return Ok(namespace.into_value());
    }
    let code = format!(
        "export * from {quoted}; export {{ default }} from {quoted}; export const __esModule = true;"
    );
    let (module, _) =
        graph::declare_whole(ctx, &format!("hemiola:required/{quoted}"), &code)?.eval()?;
    Ok(module.namespace()?.into_value())
}

/// Refuses to evaluate a graph that cannot be, now.
fn refuse(
    ctx: &Ctx<'_>,
    url: &str,
    is_new: bool,
    parent: Option<&str>,
    evaluating: &[String],
    loading: &[String],
) -> std::result::Result<(), Failure> {
    let state = state(ctx);
    let graph = &state.modules.graph;
    let running = graph.running();
    let reachable = graph.reachable(url);
    let in_cycle = |meanwhile: &[String]| {
        if !reachable.iter().any(|found| meanwhile.contains(found)) {
            return Ok(());
        }
        let closes = |import: &Import| {
            meanwhile.contains(&import.url) && graph.format(&import.url) == Some(Format::Module)
        };
        for found in reachable.iter().filter(|_| is_new) {
            if let Some(import) = graph.imports(found).into_iter().find(closes) {
                let from = graph::path_of(found).unwrap_or_else(|| found.clone());
                let specifier = import.specifier;
                let text = format!("Cannot import Module {specifier} in a cycle. (from {from})");
                return Err(Failure::new("ERR_REQUIRE_CYCLE_MODULE", [Argument::Text(text)]));
            }
        }
        let from = parent.map_or_else(String::new, |parent| format!(" (from {parent})"));
        let path = graph::path_of(url).unwrap_or_else(|| url.to_owned());
        let text = format!(
            "Cannot require() ES Module {path} in a cycle.{from} A cycle involving require(esm) is not \
             allowed to maintain invariants mandated by the ECMAScript specification. Try making at \
             least part of the dependency in the graph lazily loaded."
        );
        Err(Failure::new("ERR_REQUIRE_CYCLE_MODULE", [Argument::Text(text)]))
    };
    in_cycle(&running)?;
    let waits = |found: &String| {
        let source = source_text(ctx.clone(), found.clone());
        graph.format(found) == Some(Format::Module)
            && source.is_some_and(|source| {
                !top_level_awaits(&source, plain_language_of(ctx, found)).is_empty()
            })
    };
    if reachable.iter().any(waits) {
        return Err(async_failure(url, parent));
    }
    in_cycle(evaluating)?;
    for found in reachable {
        for import in graph.imports(&found) {
            let is_loading = graph.format(&import.url) == Some(Format::CommonJs)
                && graph::path_of(&import.url).is_some_and(|path| loading.contains(&path));
            if is_loading {
                let from = graph::path_of(&found).unwrap_or(found);
                let specifier = import.specifier;
                let text =
                    format!("Cannot import CommonJS Module {specifier} in a cycle. (from {from})");
                return Err(Failure::new("ERR_REQUIRE_CYCLE_MODULE", [Argument::Text(text)]));
            }
        }
    }
    Ok(())
}

/// The language of a text that goes by a URL or a path.
pub(super) fn language_of(ctx: &Ctx<'_>, name: &str) -> std::result::Result<Language, Failure> {
    if state(ctx).modules.graph.hooks.have_made(name) {
        return Ok(Language::JavaScript);
    }
    let path = if name.starts_with('/') { Some(name.to_owned()) } else { graph::path_of(name) };
    match path {
        Some(path) => finder(ctx, |finder| finder.language(&path)),
        None => Ok(Language::of_name(name)),
    }
}

/// The same where its project may say what it wants.
pub(super) fn plain_language_of(ctx: &Ctx<'_>, name: &str) -> Language {
    language_of(ctx, name).unwrap_or_else(|_| Language::of_name(name))
}

fn async_failure(url: &str, parent: Option<&str>) -> Failure {
    let path = graph::path_of(url).unwrap_or_else(|| url.to_owned());
    let parent = parent.map_or(Argument::Nothing, Argument::text);
    Failure::new("ERR_REQUIRE_ASYNC_MODULE", [Argument::Text(path), parent])
}

/// The source that goes by a name in stacks.
pub(super) fn source_text(ctx: Ctx<'_>, name: String) -> Option<String> {
    if let Some(source) = state(&ctx).engine.texts.source(&name) {
        return Some(source);
    }
    let path = if name.starts_with('/') { Some(name) } else { graph::path_of(&name) };
    read_file(ctx, path?)
}

/// `failModule(url, error)`: from now on, loading the module fails with the error.
fn fail_module<'js>(ctx: Ctx<'js>, url: String, error: Value<'js>) {
    state(&ctx).modules.graph.fail(&ctx, &url, error);
}

/// `topLevelAwaits(url)`: URL, line and column of every await at the top level of a module's graph, one
/// after the other.
fn all_awaits<'js>(ctx: Ctx<'js>, url: String) -> Result<Array<'js>> {
    let found = Array::new(ctx.clone())?;
    for url in state(&ctx).modules.graph.reachable(&url) {
        let Some(source) = source_text(ctx.clone(), url.clone()) else { continue };
        for (line, column) in top_level_awaits(&source, plain_language_of(&ctx, &url)) {
            let at = found.len();
            found.set(at, url.as_str())?;
            found.set(at + 1, line)?;
            found.set(at + 2, column)?;
        }
    }
    Ok(found)
}
