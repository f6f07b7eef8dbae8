//! The words and signs of a theory.

use hemiola_trace::source::{SourceError, Span};

/// A word or sign, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) span: Span,
}

/// What kind of word or sign it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    Word(&'t str),
    Number(u64),
    /// Without its quotes.
    Text(&'t str),
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 8] = ["->", "(", ")", ",", ":", ";", "=", "~"];

/// Splits a text; a `#` hides the rest of its line.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, SourceError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '#' => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            '"' => text_token(rest, at)?,
            '0'..='9' => number(rest, at)?,
            'a'..='z' | 'A'..='Z' | '_' => word(rest),
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (Kind::Sign(sign), sign.len()),
                None => return Err(unknown(first, at)),
            },
        };
        tokens.push(Token { kind, span: Span::new(at, at + length) });
        at += length;
    }
    tokens.push(Token { kind: Kind::End, span: Span::new(text.len(), text.len()) });
    Ok(tokens)
}

/// A name; it may end in `+`, as the paper's `Hold+` does.
fn word(rest: &str) -> (Kind<'_>, usize) {
    let is_part = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    let mut length = rest.bytes().take_while(|byte| is_part(*byte)).count();
    if rest[length..].starts_with('+') {
        length += 1;
    }
    (Kind::Word(&rest[..length]), length)
}

fn number(rest: &str, at: usize) -> Result<(Kind<'_>, usize), SourceError> {
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    match rest[..length].parse() {
        Ok(number) => Ok((Kind::Number(number), length)),
        Err(_) => Err(SourceError {
            message: "expected an integer".into(),
            span: Span::new(at, at + length),
            label: "not a number that fits in 64 bits".into(),
            help: "write digits only, as in `param b = 100`".into(),
        }),
    }
}

fn text_token(rest: &str, at: usize) -> Result<(Kind<'_>, usize), SourceError> {
    let line = rest[1..].split('\n').next().unwrap_or_default();
    match line.find('"') {
        Some(length) => Ok((Kind::Text(&line[..length]), length + 2)),
        None => Err(SourceError {
            message: "unterminated text".into(),
            span: Span::new(at, at + 1),
            label: "this quote is not closed on its line".into(),
            help: "add a `\"` where the string ends".into(),
        }),
    }
}

fn unknown(first: char, at: usize) -> SourceError {
    let shown =
        if first.is_ascii_graphic() { first.to_string() } else { first.escape_debug().to_string() };
    SourceError {
        message: format!("unexpected character `{shown}`"),
        span: Span::new(at, at + first.len_utf8()),
        label: "no part of a theory begins like this".into(),
        help: "write `not`, `and`, `or` and `->` for the connectives; `#` begins a comment".into(),
    }
}
