//! The source map that a program's text names.

use crate::depth::with_room;
use crate::{Goal, Language, goal};
use oxc_allocator::Allocator;

const NAME: &str = "sourceMappingURL=";

/// The URL in the last comment that names a source map. There is none if that comment has more than a URL,
/// or the text does not parse.
#[must_use]
pub fn source_map_url(text: &str, language: Language) -> Option<String> {
    if !text.contains(NAME) {
        return None;
    }
    with_room(text, || {
        let allocator = Allocator::default();
        let parsed = goal::parse(&allocator, text, language, Goal::DetectText).ok()?;
        let comments = parsed.program.comments.iter().rev();
        comments.map(|comment| comment.span.source_text(text)).find_map(named).flatten()
    })
    .flatten()
}

/// What comes after the name in a comment that has it.
fn named(comment: &str) -> Option<Option<String>> {
    let rest = comment.strip_prefix("//#").or_else(|| comment.strip_prefix("//@"))?;
    let url = rest.strip_prefix(char::is_whitespace)?.strip_prefix(NAME)?.trim();
    let is_whole = !url.is_empty() && !url.contains(char::is_whitespace);
    Some(is_whole.then(|| url.to_owned()))
}
