//! Modules that wait for others without an `await` of their own.
//!
//! The engine never takes such a module for finished: whoever imports it later waits for ever. With an
//! `await` of its own, even one that is never reached, it does. Which modules need one has to be known
//! before they are compiled; so the texts of a graph are looked through first. A specifier that is
//! none, because it stands in a comment, costs a look at a file.

use super::graph::{format, importer, path_of, read};
use super::hooks;
use super::resolve::Format;
use crate::state::state;
use hemiola_engine::held;
use hemiola_transform::top_level_awaits;
use rquickjs::Ctx;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

/// What makes the engine take a module for one that waits.
pub(super) const NEVER_REACHED: &str = "\nif(0)await 0;";

held! {
    /// What was found when texts were looked through.
    #[derive(Default)]
    pub(crate) struct Waiting {
        /// Texts that were read and are not compiled yet, by URL.
        texts: RefCell<BTreeMap<String, String>>,
        /// Modules that wait for others only.
        modules: RefCell<BTreeSet<String>>,
    }
}

impl Waiting {
    /// The same for another run of the engine.
    pub(super) fn again(&self) -> Self {
        Self { texts: self.texts.clone(), modules: self.modules.clone() }
    }

    /// The text of a module, if it was read.
    pub(super) fn take_text(&self, url: &str) -> Option<String> {
        self.texts.borrow_mut().remove(url)
    }

    /// Whether a module waits for others only.
    pub(super) fn contains(&self, url: &str) -> bool {
        self.modules.borrow().contains(url)
    }
}

/// Looks through a graph that is about to be loaded; `given` is the text of its root, if no file has it.
pub(super) fn look_through(ctx: &Ctx<'_>, root: &str, given: Option<&str>) {
    let state = state(ctx);
    let (finder, graph) = (&state.modules.finder, &state.modules.graph);
    let mut importers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut waiting = Vec::new();
    // Only who imports later can find a module finished.
    let mut is_imported_later = false;
    let mut seen = BTreeSet::from([root.to_owned()]);
    let mut todo = VecDeque::from([root.to_owned()]);
    let has_hooks = graph.hooks.are_there();
    while let Some(url) = if has_hooks { todo.pop_front() } else { todo.pop_back() } {
        let text = match given.filter(|_| url == root) {
            Some(text) => text.to_owned(),
            None if has_hooks => {
                let (text, is_common_js) = hooks::look_at(ctx, &url);
                is_imported_later |= is_common_js;
                match text {
                    Some(text) => text,
                    None => continue,
                }
            }
            None => match format(finder, &url) {
                Ok(Format::Module | Format::Ambiguous) => match read_quietly(ctx, &url) {
                    Some(text) => text,
                    None => continue,
                },
                Ok(Format::CommonJs) => {
                    is_imported_later = true;
                    continue;
                }
                _ => continue,
            },
        };
        is_imported_later |= text.contains("import(") || text.contains("equire(");
        let language = super::natives::plain_language_of(ctx, &url);
        if !top_level_awaits(&text, language).is_empty() {
            waiting.push(url.clone());
        }
        let imports: Vec<String> = if has_hooks && hooks::is_of_program(&url) {
            hooks::look_ahead(ctx, &url, &text, language)
        } else if has_hooks {
            specifiers(&text).map(str::to_owned).collect()
        } else {
            let base = importer(&url, &state.options.cwd);
            specifiers(&text).filter_map(|name| finder.import(name, &base, true).ok()).collect()
        };
        for found in imports {
            importers.entry(found.clone()).or_default().push(url.clone());
            // What is loaded already keeps what it is.
            if graph.format(&found).is_none() && seen.insert(found.clone()) {
                todo.push_back(found);
            } else if graph.waiting.contains(&found) {
                waiting.push(found);
            }
        }
        if !has_hooks {
            graph.waiting.texts.borrow_mut().insert(url, text);
        }
    }
    if !is_imported_later {
        return;
    }
    let own: BTreeSet<String> = waiting.iter().cloned().collect();
    let mut marked = own.clone();
    while let Some(url) = waiting.pop() {
        for importer in importers.get(&url).into_iter().flatten() {
            if marked.insert(importer.clone()) {
                waiting.push(importer.clone());
            }
        }
    }
    graph.waiting.modules.borrow_mut().extend(marked.into_iter().filter(|url| !own.contains(url)));
}

/// A module's text, if there is one: who loads it says why not.
fn read_quietly(ctx: &Ctx<'_>, url: &str) -> Option<String> {
    let is_there = path_of(url).is_none_or(|path| {
        super::natives::finder(ctx, |finder| finder.disk().kind(&Path::new(&path).into()).is_ok())
    });
    let text = is_there.then(|| read(ctx, url))?;
    text.map_err(|_| ctx.catch()).ok()
}

/// What follows `from` and `import` in quotes.
fn specifiers(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(['"', '\'']).filter_map(|(at, quote)| {
        let before = text[..at].trim_end();
        if !before.ends_with("from") && !before.ends_with("import") {
            return None;
        }
        let rest = &text[at + 1..];
        let end = rest.find(['\n', '"', '\'']).filter(|&end| rest[end..].starts_with(quote))?;
        Some(&rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::specifiers;

    #[test]
    fn specifiers_are_found() {
        let text = "import a from 'x'; import \"y\"; export * from\n 'z'; f('no'); import('no'); const from = ['no'];";
        assert_eq!(specifiers(text).collect::<Vec<_>>(), ["x", "y", "z"]);
    }
}
