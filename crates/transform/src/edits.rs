//! Changes to a text, and the text after them.

use crate::positions::{Positions, PositionsBuilder};
use oxc_span::Span;

/// Changes in any order; those at the same place happen in the order in which they were added.
#[derive(Default)]
pub(crate) struct Edits {
    edits: Vec<Edit>,
}

struct Edit {
    start: u32,
    end: u32,
    text: String,
}

/// Keeps a slash and a comment apart that is inserted after it: together they would begin a comment to the end of the
/// line. White space that nobody writes, so that it can be taken out again.
pub(crate) const APART: char = '\u{b}';

/// A place that was kept for an insertion.
#[derive(Clone, Copy)]
pub(crate) struct Slot(usize);

impl Edit {
    fn is_nothing(&self) -> bool {
        self.start == self.end && self.text.is_empty()
    }
}

impl Edits {
    pub(crate) fn is_empty(&self) -> bool {
        self.edits.iter().all(Edit::is_nothing)
    }

    /// Keeps a place among the changes at `offset` for a text that is known later, if at all.
    pub(crate) fn reserve(&mut self, offset: u32) -> Slot {
        self.insert(offset, "");
        Slot(self.edits.len() - 1)
    }

    /// Inserts `text` at a place that was kept for it.
    pub(crate) fn fill(&mut self, slot: Slot, text: String) {
        self.edits[slot.0].text = text;
    }

    /// Puts `text` before the byte at `offset`.
    pub(crate) fn insert(&mut self, offset: u32, text: impl Into<String>) {
        self.replace(Span::empty(offset), text);
    }

    /// Puts `text`, which has no line breaks, where the span is, which has none either.
    pub(crate) fn replace(&mut self, span: Span, text: impl Into<String>) {
        self.edits.push(Edit { start: span.start, end: span.end, text: text.into() });
    }

    /// The text after all changes.
    pub(crate) fn apply(self, source: &str) -> (String, Positions) {
        self.apply_counting(source, false)
    }

    /// The same; the positions are `in_bytes` also on the side of the source.
    pub(crate) fn apply_counting(mut self, source: &str, in_bytes: bool) -> (String, Positions) {
        self.edits.retain(|edit| !edit.is_nothing());
        // What is inserted before a byte comes before what takes its place.
        self.edits.sort_by_key(|edit| (edit.start, edit.end > edit.start));
        let added: usize = self.edits.iter().map(|edit| edit.text.len()).sum();
        let mut code = String::with_capacity(source.len() + added);
        let mut positions = PositionsBuilder::counting(in_bytes);
        let mut done = 0;
        for Edit { start, end, text } in &self.edits {
            let (start, end) = (*start as usize, *end as usize);
            debug_assert!(done <= start, "changes do not overlap");
            let mut apart = String::new();
            if start > done {
                code.push_str(&source[done..start]);
                positions.copied(&source[done..start]);
                if code.ends_with('/') && text.starts_with("/*") {
                    apart = format!("{APART}{text}");
                }
            }
            let text = if apart.is_empty() { text } else { &apart };
            code.push_str(text);
            positions.replaced(&source[start.max(done)..end.max(done)], text);
            done = end.max(done);
        }
        code.push_str(&source[done..]);
        positions.copied(&source[done..]);
        (code, positions.finish())
    }
}
