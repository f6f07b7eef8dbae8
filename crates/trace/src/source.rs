//! Places in a program's text, and the errors that point at them.

use std::fmt;

/// A half-open range of byte offsets into one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, but not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The smallest range that covers both.
    pub fn to(self, other: Span) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A one-based line and column, counted in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, starting with 1.
    pub line: u32,
    /// Column, starting with 1.
    pub column: u32,
}

impl Position {
    /// The position of a byte offset in `text`; offsets past the end give the end.
    pub fn of(text: &str, offset: u32) -> Self {
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: 1 + before.matches('\n').count() as u32,
            column: 1 + before[line_start..].chars().count() as u32,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A text that is not a program: what is wrong, where, and what to do about it.
///
/// The command line renders it with the source; a library user gets the same facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// Headline in lower case, without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What stands under the marked place.
    pub label: String,
    /// What to do next.
    pub help: String,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.message, self.span.start, self.label)
    }
}

impl std::error::Error for SourceError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_lines_and_characters_from_one() {
        let text = "ab\nλx.\n";
        assert_eq!(Position::of(text, 0).to_string(), "1:1");
        assert_eq!(Position::of(text, 3).to_string(), "2:1");
        assert_eq!(Position::of(text, 5).to_string(), "2:2", "λ takes two bytes and one column");
        assert_eq!(Position::of(text, 4).to_string(), "2:1", "inside λ counts as λ");
        assert_eq!(Position::of(text, 99).to_string(), "3:1");
    }
}
