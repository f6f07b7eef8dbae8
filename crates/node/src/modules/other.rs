//! Modules in another form among ES modules: CommonJS, data, parts of the runtime.

use super::graph::path_of;
use super::resolve::Format;
use crate::state::state;
use hemiola_engine::exporting::{self, Exported, Exports};
use hemiola_engine::values::own_value;
use hemiola_transform::{ACCESS_MODULE, CONTEXT_MODULE, common_js_exports};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Function, Module, Object, Result, Value};
use std::collections::BTreeSet;
use std::path::Path;

/// The names that a part of the runtime exports.
pub(super) fn builtin_names(ctx: &Ctx<'_>, url: &str) -> Result<Vec<String>> {
    if matches!(url, CONTEXT_MODULE | ACCESS_MODULE) {
        return Ok(Vec::new());
    }
    let names: Function<'_> =
        state(ctx).engine.library(ctx, "internal/modules/interop")?.get("builtinNames")?;
    names.call((url,))
}

/// The names that a CommonJS module exports, and those of modules whose exports it makes its own.
pub(super) fn common_js_names(
    modules: &super::Modules,
    path: &str,
    source: &str,
    names: &mut BTreeSet<String>,
    seen: &mut BTreeSet<String>,
) {
    if !seen.insert(path.to_owned()) {
        return;
    }
    let found = common_js_exports(source);
    names.extend(found.names);
    let directory = path.rfind('/').map_or("", |end| &path[..end]);
    let extensions = [".js", ".json", ".node", ".ts", ".cts"].map(String::from);
    for specifier in found.reexports {
        let paths: Vec<String> = if specifier.starts_with('.') {
            vec![directory.to_owned()]
        } else {
            super::paths::node_modules(directory).collect()
        };
        let Ok(Some(path)) = modules.finder.find(&specifier, &paths, &extensions) else { continue };
        let is_code =
            matches!(modules.finder.format(&path), Ok(Some(Format::CommonJs | Format::Ambiguous)));
        if is_code && let Ok(bytes) = modules.finder.disk().read(&Path::new(&path).into()) {
            common_js_names(modules, &path, &String::from_utf8_lossy(&bytes), names, seen);
        }
    }
}

/// Declares what stands for the module at a URL.
pub(super) fn declare<'js>(
    ctx: &Ctx<'js>,
    url: &str,
    mut names: Vec<String>,
) -> Result<Module<'js, Declared>> {
    // The engine takes names that end at a zero.
    names.retain(|name| name != "default" && !name.contains('\0'));
    state(ctx).modules.graph.change(url, |known| known.names = names);
    exporting::declare::<Other>(ctx, url)
}

/// Declares an empty module in the place of one that failed, or was not found.
pub(super) fn stand_in<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Module<'js, Declared>> {
    exporting::declare::<Other>(ctx, name)
}

/// Stands for a module in another form: CommonJS, data, a part of the runtime. Its names are known
/// when it is declared; it runs when its turn comes.
struct Other;

impl Exported for Other {
    fn names(ctx: &Ctx<'_>, url: &str) -> Vec<String> {
        let names = state(ctx)
            .modules
            .graph
            .look(url, |known| known.failure.is_none().then(|| known.names.clone()));
        let with_default = |mut names: Vec<String>| {
            names.push("default".to_owned());
            names
        };
        names.flatten().map_or_else(Vec::new, with_default)
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, url: &str, exports: &Exports<'js>) -> Result<()> {
        let state = state(ctx);
        let graph = &state.modules.graph;
        let Some((format, names)) = graph.look(url, |known| (known.format, known.names.clone()))
        else {
            return Ok(());
        };
        for (module, part) in
            [(CONTEXT_MODULE, "internal/context"), (ACCESS_MODULE, "internal/access")]
        {
            if url == module {
                return exports.set("default", state.engine.library(ctx, part)?.into_value());
            }
        }
        graph.running.borrow_mut().push(url.to_owned());
        let evaluate = || -> Result<Value<'js>> {
            let interop = state.engine.library(ctx, "internal/modules/interop")?;
            let evaluate: Function<'js> = interop.get("evaluate")?;
            evaluate.call((format.name(), url, path_of(url)))
        };
        let evaluated = evaluate();
        graph.running.borrow_mut().pop();
        let value = evaluated?;
        if let Some(object) = value.as_object() {
            export_properties(ctx, exports, object, &names)?;
        }
        let whole = match url.starts_with("hemiola:mock/") {
            true => {
                let interop = state.engine.library(ctx, "internal/modules/interop")?;
                interop.get::<_, Function<'js>>("defaultOf")?.call((value,))?
            }
            false => value,
        };
        if format == Format::Builtin {
            let interop = state.engine.library(ctx, "internal/modules/interop")?;
            let keep: Function<'js> = interop.get("keepSetter")?;
            keep.call::<_, ()>((url, names, exports.setter()?))?;
        }
        exports.set("default", whole)
    }
}

/// Exports the properties that an object has of its own; a getter that throws gives undefined.
fn export_properties<'js>(
    ctx: &Ctx<'js>,
    exports: &Exports<'js>,
    object: &Object<'js>,
    names: &[String],
) -> Result<()> {
    let read: Function<'js> =
        state(ctx).engine.library(ctx, "internal/modules/interop")?.get("readOwn")?;
    for name in names {
        let value = match own_value(object, name)? {
            Some(value) => value,
            None => read.call((object.clone(), name.as_str()))?,
        };
        exports.set(name, value)?;
    }
    Ok(())
}
