//! The words and signs of a spec.

use hemiola_trace::source::{SourceError, Span};
use std::num::IntErrorKind;

/// A word or sign, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind<'t>,
    pub(crate) span: Span,
}

/// What kind of word or sign it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind<'t> {
    Name(&'t str),
    Bind(&'t str),
    Quoted(String),
    Number(i64),
    Dot,
    Bar,
    Star,
    Plus,
    Question,
    Open,
    Close,
    Dollar,
    End,
    /// Not a token. It is an error once the parser gets there, so that the leftmost one wins.
    Bad(Box<SourceError>),
}

/// Reads tokens one at a time.
#[derive(Clone)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token; at the end of the text, `End` again and again.
    pub(crate) fn next(&mut self) -> Token<'t> {
        self.take_while(char::is_whitespace);
        let start = self.at;
        let kind = self.kind().unwrap_or_else(|error| Kind::Bad(Box::new(error)));
        Token { kind, span: self.since(start) }
    }

    fn kind(&mut self) -> Result<Kind<'t>, SourceError> {
        let start = self.at;
        match self.peek() {
            None => Ok(Kind::End),
            Some('"') => self.quoted(),
            Some('^') => self.bind(),
            Some('-' | '0'..='9') => self.number(),
            Some(first) if starts_name(first) => Ok(Kind::Name(self.name()?)),
            Some(first) => {
                self.at += first.len_utf8();
                sign(first).ok_or_else(|| unknown(first, self.since(start)))
            }
        }
    }

    fn name(&mut self) -> Result<&'t str, SourceError> {
        let start = self.at;
        let name = self.take_while(continues_name);
        if self.peek() == Some('-') {
            self.take_while(continues_word);
            return Err(SourceError {
                message: "a name cannot contain `-`".into(),
                span: self.since(start),
                label: "neither a name nor a number".into(),
                help: "put it in double quotes, or put a space before a negative number".into(),
            });
        }
        Ok(name)
    }

    fn bind(&mut self) -> Result<Kind<'t>, SourceError> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(next) if starts_name(next) => Ok(Kind::Bind(self.name()?)),
            _ => Err(SourceError {
                message: "expected a name right after `^`".into(),
                span: self.since(start),
                label: "this binds nothing".into(),
                help: "write `^x` to bind x, `.` for any observation, `\"^\"` for the text".into(),
            }),
        }
    }

    fn number(&mut self) -> Result<Kind<'t>, SourceError> {
        let start = self.at;
        let word = self.take_while(continues_word);
        let rest = &self.text.as_bytes()[self.at..];
        let parsed = match rest {
            [b'.', digit, ..] if digit.is_ascii_digit() => {
                self.at += 1;
                self.take_while(continues_word);
                None
            }
            _ => Some(word.parse::<i64>()),
        };
        let span = self.since(start);
        match parsed {
            Some(Ok(number)) => Ok(Kind::Number(number)),
            Some(Err(error))
                if matches!(
                    error.kind(),
                    IntErrorKind::PosOverflow | IntErrorKind::NegOverflow
                ) =>
            {
                Err(SourceError {
                    message: "number out of range".into(),
                    span,
                    label: "does not fit in 64 bits".into(),
                    help: format!("use a number from {} to {}", i64::MIN, i64::MAX),
                })
            }
            _ => Err(SourceError {
                message: "expected an integer".into(),
                span,
                label: "neither a number nor a name".into(),
                help: "separate numbers and names by spaces, or put the string in double quotes"
                    .into(),
            }),
        }
    }

    fn quoted(&mut self) -> Result<Kind<'t>, SourceError> {
        let start = self.at;
        let mut name = String::new();
        self.at += 1;
        loop {
            name.push_str(self.take_while(|c| c != '"' && c != '\\'));
            let stop = self.at;
            let sign = self.take();
            match (sign, if sign == Some('\\') { self.take() } else { None }) {
                (Some('"'), _) => return Ok(Kind::Quoted(name)),
                (Some('\\'), Some(escaped @ ('"' | '\\'))) => name.push(escaped),
                (Some('\\'), Some(_)) => {
                    return Err(SourceError {
                        message: "unknown escape in a quoted name".into(),
                        span: self.since(stop),
                        label: "means nothing here".into(),
                        help: "write `\\\\` for a backslash and `\\\"` for a double quote".into(),
                    });
                }
                _ => {
                    return Err(SourceError {
                        message: "unterminated quoted name".into(),
                        span: Span::new(start, start + 1),
                        label: "this quote is never closed".into(),
                        help: "add a `\"` where the name ends".into(),
                    });
                }
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = &self.text[self.at..];
        let taken = &rest[..rest.find(|c| !wanted(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }
}

fn sign<'t>(c: char) -> Option<Kind<'t>> {
    Some(match c {
        '.' => Kind::Dot,
        '|' => Kind::Bar,
        '*' => Kind::Star,
        '+' => Kind::Plus,
        '?' => Kind::Question,
        '(' => Kind::Open,
        ')' => Kind::Close,
        '$' => Kind::Dollar,
        _ => return None,
    })
}

fn unknown(c: char, span: Span) -> SourceError {
    // Quotes and backslashes can be seen as they are; only what cannot is escaped.
    let shown = if c.is_ascii_graphic() { c.to_string() } else { c.escape_debug().to_string() };
    SourceError {
        message: format!("unexpected character `{shown}`"),
        span,
        label: "no part of a spec begins like this".into(),
        help: "remove it, or put the string it belongs to in double quotes".into(),
    }
}

fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit() || c == '\''
}

/// Wider than a name, so that `12a` and `a-b` are one mistake and not two tokens.
fn continues_word(c: char) -> bool {
    continues_name(c) || c == '-'
}
