//! The inserted code, and how it is taken out again.

use crate::edits::APART;

/// The pieces that are inserted. Each stands between two comments that name an object which does not
/// occur in the source, and ends with the text that it replaced: so a function's own text can be had
/// back.
pub(crate) struct Pieces {
    /// The runtime's object.
    pub(crate) object: String,
}

impl Pieces {
    pub(crate) fn new(object: String) -> Self {
        Self { object }
    }

    /// Pieces with a name that begins so and is not in the text.
    pub(crate) fn unused_among(text: &str, prefix: &str) -> Self {
        let mut object = String::from(prefix);
        let mut number = 0;
        while text.contains(&object) {
            number += 1;
            object = format!("{prefix}{number}_");
        }
        Self { object }
    }

    fn start(&self) -> String {
        format!("/*{}<*/", self.object)
    }

    /// A piece to insert.
    pub(crate) fn inserted(&self, code: &str) -> String {
        self.replacing("", code)
    }

    /// A piece to put where a text was that has neither line breaks nor ends of comments.
    pub(crate) fn replacing(&self, original: &str, code: &str) -> String {
        format!("{}{code}/*{}>{original}*/", self.start(), self.object)
    }

    /// The source of a text with pieces.
    pub(crate) fn remove(&self, text: &str) -> String {
        let (start, end) = (self.start(), format!("/*{}>", self.object));
        let mut source = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(&start) {
            source.push_str(before.strip_suffix(APART).unwrap_or(before));
            // The text of a function may end with its last brace, within a piece.
            let Some((_, after)) = after.split_once(&end) else { return source };
            let Some((original, after)) = after.split_once("*/") else { return source };
            source.push_str(original);
            rest = after;
        }
        source.push_str(rest);
        source
    }
}
