//! Tokens of L.

use crate::lexer::{Cursor, Failure};
use hemiola_trace::source::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Let,
    In,
    Any,
    /// A name, or that of an instruction.
    Name,
    Number,
    Lambda,
    Dot,
    Comma,
    Semicolon,
    Equals,
    Plus,
    Minus,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    /// Digits that run on into letters.
    Malformed,
    /// A character that starts no token.
    Unknown,
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// Cuts a text into tokens, of which the last is [`Kind::End`].
///
/// What is no token becomes [`Kind::Unknown`], so that the parser reports errors in text order.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Failure> {
    let mut cursor = Cursor::new(text)?;
    let mut tokens = Vec::new();
    loop {
        cursor.take_while(|_, next| next.is_whitespace());
        let start = cursor.at();
        let Some(first) = cursor.peek() else {
            break;
        };
        if first == '#' {
            cursor.take_while(|_, next| next != '\n');
            continue;
        }
        let kind = next_kind(&mut cursor, first);
        tokens.push(Token { kind, span: cursor.span_from(start) });
    }
    // The end is shown right behind the last token, not below a trailing comment.
    let end = tokens.last().map_or(0, |last: &Token| last.span.end as usize);
    tokens.push(Token { kind: Kind::End, span: Span::new(end, end) });
    Ok(tokens)
}

fn next_kind(cursor: &mut Cursor<'_>, first: char) -> Kind {
    if starts_name(first) {
        return match cursor.take_while(|_, next| continues_name(next)) {
            "let" => Kind::Let,
            "in" => Kind::In,
            "any" => Kind::Any,
            _ => Kind::Name,
        };
    }
    if first.is_ascii_digit() {
        let run = cursor.take_while(|_, next| continues_name(next));
        let digits = run.bytes().all(|byte| byte.is_ascii_digit());
        return if digits { Kind::Number } else { Kind::Malformed };
    }
    cursor.bump();
    match first {
        '\\' | 'λ' => Kind::Lambda,
        '.' => Kind::Dot,
        ',' => Kind::Comma,
        ';' | '·' => Kind::Semicolon,
        '=' => Kind::Equals,
        '+' => Kind::Plus,
        '-' => Kind::Minus,
        '(' => Kind::OpenParen,
        ')' => Kind::CloseParen,
        '[' => Kind::OpenBracket,
        ']' => Kind::CloseBracket,
        '{' => Kind::OpenBrace,
        '}' => Kind::CloseBrace,
        _ => Kind::Unknown,
    }
}

fn starts_name(letter: char) -> bool {
    letter == '_' || (letter.is_alphabetic() && !matches!(letter, 'λ' | '·'))
}

fn continues_name(letter: char) -> bool {
    starts_name(letter) || letter.is_ascii_digit() || letter == '\''
}
