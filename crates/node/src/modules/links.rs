//! Why the engine could not link a module: which import does not fit. The engine names neither the
//! importing module nor the place.

use super::graph;
use super::resolve::Format;
use crate::state::state;
use hemiola_transform::links;
use rquickjs::{Array, Ctx, Result};

/// `explainLink(name, module)`: for an export that was not found in a module, both as the engine
/// names them, the specifier, whether it is a CommonJS module, the importing module, and line, column
/// and length of the name there; undefined if there is no such import.
pub(super) fn explain(ctx: Ctx<'_>, name: String, module: String) -> Result<Option<Array<'_>>> {
    let state = state(&ctx);
    let graph = &state.modules.graph;
    // The engine cuts long names.
    let is_meant =
        |full: &str, cut: &str| full == cut || (cut.len() >= 50 && full.starts_with(cut));
    for url in graph.urls() {
        let imports = graph.imports(&url);
        let mut targets = imports.iter().filter(|import| is_meant(&import.url, &module)).peekable();
        // Whose import has failed before is not the one that fails now.
        let has_failed = graph.look(&url, |known| known.failure.is_some()) == Some(true);
        if targets.peek().is_none() || has_failed {
            continue;
        }
        let source = match state.engine.texts.source(&url) {
            Some(source) => source,
            None => graph::read(&ctx, &url)?,
        };
        let links = links(&source, super::natives::plain_language_of(&ctx, &url));
        for target in targets {
            let fits = |name_there: &str, specifier: &str| {
                specifier == target.specifier && is_meant(name_there, &name)
            };
            let Some(link) = links.iter().find(|link| fits(&link.name, &link.specifier)) else {
                continue;
            };
            let found = Array::new(ctx.clone())?;
            found.set(0, target.specifier.as_str())?;
            found.set(1, graph.format(&target.url) == Some(Format::CommonJs))?;
            found.set(2, url.as_str())?;
            found.set(3, link.line)?;
            found.set(4, link.column)?;
            found.set(5, link.length)?;
            return Ok(Some(found));
        }
    }
    Ok(None)
}
