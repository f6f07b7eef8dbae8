//! What TypeScript takes of modules in another form, where its compiler would have made `require` of an import: any
//! property of what that gives, whether or not it can be seen in a text, and what `esModuleInterop` makes the default.
//!
//! A module of our own stands between both: Node's rules hold for everybody else.

use hemiola_transform::{CONTEXT_MODULE, TAKEN_NAMES};
use std::fmt::Write;

/// The names that an import takes and its specifier, or the URL of the module that has them.
pub(super) fn split(specifier: &str) -> Option<(&str, &str)> {
    specifier.strip_prefix(TAKEN_NAMES)?.split_once('/')
}

/// The module that gives names of the one at a URL.
pub(super) fn url(names: &str, url: &str) -> String {
    format!("{TAKEN_NAMES}{names}/{url}")
}

/// Its text, if it is such a module.
pub(super) fn text(url: &str, is_data: impl Fn(&str) -> bool) -> Option<String> {
    let (names, target) = split(url)?;
    let quoted = serde_json::to_string(target).unwrap_or_default();
    let attributes = if is_data(target) { "with{type:\"json\"}" } else { "" };
    let mut text =
        format!("import $h from\"{CONTEXT_MODULE}\";import whole from{quoted}{attributes};");
    for (number, name) in names.split(',').enumerate() {
        let _ = match name {
            "*" => write!(text, "export*from{quoted}{attributes};"),
            _ => write!(
                text,
                "const a{number}=$h.o(whole,\"{name}\");export{{a{number} as {name}}};"
            ),
        };
    }
    Some(text)
}
