//! What both parsers read with: a cursor, the limits, and the making of errors.

use hemiola_trace::source::{SourceError, Span};

/// The longest program that is read, in bytes.
pub(crate) const MAX_BYTES: usize = 1 << 20;

/// How deep brackets and bodies may nest; the parsers recurse, and the stack must hold.
pub(crate) const MAX_NESTING: u32 = 200;

/// An error on its way out; in a box, because parsers recurse and every frame has room for one.
pub(crate) type Failure = Box<SourceError>;

/// A position in a text, always between two characters.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The start of a text, unless that is too long to be read.
    pub(crate) fn new(text: &'a str) -> Result<Self, Failure> {
        if text.len() > MAX_BYTES {
            let at = text.floor_char_boundary(MAX_BYTES);
            return Err(error(
                "program longer than 1 MiB",
                Span::new(at, at),
                "the limit is here",
                "remove what the question does not need, or split the program",
            ));
        }
        Ok(Self { text, at: 0 })
    }

    /// The offset of the next character.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The range from `start` to here.
    pub(crate) fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// The next character.
    pub(crate) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Whether `pattern` comes next.
    pub(crate) fn looking_at(&self, pattern: &str) -> bool {
        self.text[self.at..].starts_with(pattern)
    }

    /// Takes the next character.
    pub(crate) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes `pattern` if it comes next.
    pub(crate) fn eat(&mut self, pattern: &str) -> bool {
        let found = self.looking_at(pattern);
        if found {
            self.at += pattern.len();
        }
        found
    }

    /// Takes characters as long as they are wanted; the test sees the cursor before each.
    pub(crate) fn take_while(&mut self, wanted: impl Fn(&Self, char) -> bool) -> &'a str {
        let start = self.at;
        while let Some(next) = self.peek()
            && wanted(self, next)
        {
            self.at += next.len_utf8();
        }
        &self.text[start..self.at]
    }
}

/// An error at a place, with what to do about it.
pub(crate) fn error(
    message: impl Into<String>,
    span: Span,
    label: impl Into<String>,
    help: impl Into<String>,
) -> Failure {
    Box::new(SourceError { message: message.into(), span, label: label.into(), help: help.into() })
}

/// The error for a bracket or body that starts below the deepest level.
pub(crate) fn nested_too_deep(span: Span) -> Failure {
    error(
        format!("nesting deeper than {MAX_NESTING} levels"),
        span,
        format!("level {} starts here", MAX_NESTING + 1),
        "give an inner part a name of its own, and use the name here",
    )
}

/// A piece of the program as a message quotes it: short, on one line, in backquotes.
pub(crate) fn quote(piece: &str) -> String {
    const LONGEST: usize = 40;
    let mut quoted = String::from("`");
    for (count, letter) in piece.chars().enumerate() {
        if count == LONGEST {
            quoted.push('…');
            break;
        }
        if letter.is_control() {
            quoted.extend(letter.escape_default());
        } else {
            quoted.push(letter);
        }
    }
    quoted.push('`');
    quoted
}
