//! Small steps through a text.

use crate::positions::is_break;

/// Where the next token begins: after blanks and comments.
pub(crate) fn skip_trivia(text: &str, offset: u32) -> u32 {
    let mut at = offset as usize;
    loop {
        let rest = &text[at..];
        let next = if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + "/**/".len())
        } else if rest.starts_with("//") {
            rest.find(is_break).unwrap_or(rest.len())
        } else {
            match rest.chars().next() {
                Some(char) if char.is_whitespace() || char == '\u{feff}' => char.len_utf8(),
                _ => return offset_of(at),
            }
        };
        at += next;
    }
}

/// Where the token `expected` is, if it is the next one.
pub(crate) fn next_token(text: &str, offset: u32, expected: char) -> Option<u32> {
    let at = skip_trivia(text, offset);
    text[at as usize..].starts_with(expected).then_some(at)
}

/// The name or keyword at a place; empty if there is none.
pub(crate) fn word_at(text: &str, offset: u32) -> &str {
    let rest = &text[offset as usize..];
    let is_part = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
    let end = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
    if rest.starts_with(|char: char| char.is_ascii_digit()) { "" } else { &rest[..end] }
}

/// As many bytes, with the line breaks where they were.
pub(crate) fn blanks(text: &str) -> String {
    let mut blanks = String::with_capacity(text.len());
    for char in text.chars() {
        if is_break(char) {
            blanks.push(char);
        } else {
            (0..char.len_utf8()).for_each(|_| blanks.push(' '));
        }
    }
    blanks
}

/// The line breaks alone.
pub(crate) fn breaks(text: &str) -> String {
    text.chars().filter(|&char| is_break(char)).collect()
}

/// An offset as the syntax tree has it.
pub(crate) fn offset_of(at: usize) -> u32 {
    u32::try_from(at).expect("a text that parses is shorter than 4 GiB")
}
