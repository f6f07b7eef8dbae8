//! Hooks of the module loader that the program has registered (`module.register`, `--loader`).
//!
//! They run in a thread of their own, and `internal/modules/hooks` waits for what they say. A graph is
//! walked before the engine sees it: all that a module imports is resolved, then loaded, the nearest
//! first, as Node does it. What was said is kept until the engine asks for it.

use super::resolve::Format;
use crate::state::state;
use hemiola_engine::held;
use hemiola_transform::{Language, requested};
use rquickjs::loader::ImportAttributes;
use rquickjs::{Ctx, Function, Object, Result};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

held! {
    /// Whether there are hooks, and what they have changed.
    #[derive(Default)]
    pub(crate) struct Hooks {
        are_there: Cell<bool>,
        /// Modules whose text a hook has made: it is JavaScript, whatever their names say.
        made: RefCell<BTreeSet<String>>,
    }
}

impl Hooks {
    /// Whether the program has registered any.
    pub(super) fn are_there(&self) -> bool {
        self.are_there.get()
    }

    /// Whether a hook has made the text of the module at a URL.
    pub(super) fn have_made(&self, url: &str) -> bool {
        self.made.borrow().contains(url)
    }
}

/// A module as hooks give it.
pub(super) struct Loaded {
    pub(super) format: Format,
    /// None where CommonJS is left to `require`, and for parts of the runtime.
    pub(super) source: Option<String>,
}

/// `useHooks()`: from now on modules are found and loaded by hooks.
pub(super) fn begin(ctx: Ctx<'_>) {
    state(&ctx).modules.graph.hooks.are_there.set(true);
}

fn function<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Function<'js>> {
    state(ctx).engine.library(ctx, "internal/modules/hooks")?.get(name)
}

/// The attributes of an import.
pub(super) fn pairs(attributes: Option<ImportAttributes<'_>>) -> Vec<(String, String)> {
    let Some(attributes) = attributes else { return Vec::new() };
    let names = attributes.keys().flatten();
    names
        .map(|name| {
            let value = attributes.get(&name).ok().flatten().unwrap_or_default();
            (name, value)
        })
        .collect()
}

/// The URL of the module that a specifier means in the module at `base`, and what it is, if they say it.
pub(super) fn resolve(
    ctx: &Ctx<'_>,
    specifier: &str,
    base: &str,
    attributes: &[(String, String)],
) -> Result<String> {
    let given = Object::new(ctx.clone())?;
    for (name, value) in attributes {
        given.set(name.as_str(), value.as_str())?;
    }
    function(ctx, "resolve")?.call((specifier, base, given))
}

/// What `import.meta.resolve` gives: nothing is loaded of it, so it need not be there.
pub(super) fn resolve_only(ctx: &Ctx<'_>, specifier: &str, base: &str) -> Result<String> {
    function(ctx, "resolveOnly")?.call((specifier, base))
}

/// The module at a URL.
pub(super) fn load(ctx: &Ctx<'_>, url: &str) -> Result<Loaded> {
    ask_for(ctx, url, "load")
}

fn ask_for(ctx: &Ctx<'_>, url: &str, how: &str) -> Result<Loaded> {
    let loaded: Object<'_> = function(ctx, how)?.call((url,))?;
    if loaded.get("isMade")? {
        state(ctx).modules.graph.hooks.made.borrow_mut().insert(url.to_owned());
    }
    let format: String = loaded.get("format")?;
    let format = match format.as_str() {
        "module" => Format::Module,
        "json" => Format::Json,
        "builtin" => Format::Builtin,
        // The library lets through no others.
        _ => Format::CommonJs,
    };
    Ok(Loaded { format, source: loaded.get("source")? })
}

/// The text of the ES module at a URL, ahead of the engine, and whether it is CommonJS instead. Whoever
/// loads it says what is wrong with it.
pub(super) fn look_at(ctx: &Ctx<'_>, url: &str) -> (Option<String>, bool) {
    match ask_for(ctx, url, "peek") {
        Ok(Loaded { format: Format::Module, source }) => (source, false),
        Ok(Loaded { format, .. }) => (None, format == Format::CommonJs),
        Err(_) => {
            ctx.catch();
            (None, false)
        }
    }
}

/// Resolves all that the module at a URL imports, ahead of the engine: gives the URLs of what was found.
pub(super) fn look_ahead(ctx: &Ctx<'_>, url: &str, text: &str, language: Language) -> Vec<String> {
    let look = || -> Result<Vec<String>> {
        let ahead = function(ctx, "resolveAhead")?;
        let mut found = Vec::new();
        for requested in requested(text, language) {
            let given = Object::new(ctx.clone())?;
            for (name, value) in requested.attributes {
                given.set(name, value)?;
            }
            found.extend(ahead.call::<_, Option<String>>((requested.specifier, url, given))?);
        }
        Ok(found)
    };
    look().unwrap_or_else(|_| {
        ctx.catch();
        Vec::new()
    })
}

/// Whether a text that goes by that name is the program's. Ours name modules by the URLs that they have.
pub(super) fn is_of_program(base: &str) -> bool {
    !base.starts_with("hemiola:")
}
