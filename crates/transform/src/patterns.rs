//! Regular expressions with sets (the flag `v`), some of which the engine refuses although they are right: outside of
//! a set it takes letters for what they would mean within one. So they are written by their numbers there, in a way that
//! nobody else writes them, and `source` gives back what was written.

use oxc_ast::ast::{Argument, Expression, RegExpFlags, RegExpLiteral};
use oxc_span::Span;
use std::borrow::Cow;

/// What the engine takes for an operation of sets where it stands twice.
const OPERATIONS: &[u8] = b"&!#%,:;<=>@`~";
/// All flags of a regular expression, of which one is for sets.
const FLAGS: &[u8] = b"dgimsyv";
const SETS: u8 = b'v';

/// Whether a text may have a regular expression with sets.
pub(crate) fn may_be_there(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = |from: usize| {
        let flags = bytes[from..].iter().take_while(|&flag| FLAGS.contains(flag)).count();
        let next = bytes.get(from + flags).copied().unwrap_or_default();
        bytes[from..from + flags].contains(&SETS) && !next.is_ascii_alphanumeric()
    };
    memchr::memchr3_iter(b'/', b'\'', b'"', bytes).any(|at| ends(at + 1))
}

/// A pattern with sets as the engine takes it.
#[must_use]
pub fn bearable(pattern: &str) -> Cow<'_, str> {
    let mut letters = unbearable(pattern).peekable();
    if letters.peek().is_none() {
        return pattern.into();
    }
    let mut made = String::with_capacity(2 * pattern.len());
    let mut from = 0;
    for at in letters {
        made += &pattern[from..at];
        made += &spelled(pattern.as_bytes()[at]);
        from = at + 1;
    }
    made += &pattern[from..];
    made.into()
}

/// What letters are spelled as, and the letters.
pub(crate) fn spellings() -> impl Iterator<Item = (String, &'static str)> {
    let letters = ["-", "&", "!", "#", "%", ",", ":", ";", "<", "=", ">", "@", "`", "~"];
    letters.into_iter().map(|letter| (spelled(letter.as_bytes()[0]), letter))
}

/// A slash is what `source` has a backslash before.
fn spelled(letter: u8) -> String {
    if letter == b'/' { "\\/".into() } else { format!("\\u{{{letter:08x}}}") }
}

/// Where letters of a pattern are that the engine does not take.
fn unbearable(pattern: &str) -> impl Iterator<Item = usize> {
    let bytes = pattern.as_bytes();
    let mut at = 0;
    let mut sets = 0_usize;
    std::iter::from_fn(move || {
        while let Some(&letter) = bytes.get(at) {
            let here = at;
            at += match letter {
                b'\\' => 2,
                b'(' if sets == 0 && bytes.get(at + 1) == Some(&b'?') => group(&bytes[at..]),
                _ => 1,
            };
            let is_twice = bytes.get(here + 1) == Some(&letter);
            match letter {
                b'[' => sets += 1,
                b']' => sets = sets.saturating_sub(1),
                _ if sets > 0 => {}
                b'-' | b'/' => return Some(here),
                _ if is_twice && OPERATIONS.contains(&letter) => return Some(here),
                _ => {}
            }
        }
        None
    })
}

/// How long the beginning of a group is that says what kind it is.
fn group(text: &[u8]) -> usize {
    let is_named = text.get(2) == Some(&b'<') && !matches!(text.get(3), Some(b'=' | b'!'));
    let ends: &[u8] = if is_named { b">" } else { b":=!" };
    let mut head = text[1..].iter().take_while(|letter| !matches!(letter, b'(' | b')'));
    head.position(|letter| ends.contains(letter)).map_or(1, |at| at + 2)
}

/// Where letters of a literal have to be spelled, and how.
pub(crate) fn changes(literal: &RegExpLiteral<'_>) -> impl Iterator<Item = (Span, String)> {
    let pattern = literal.regex.pattern.text.as_str();
    let is_of_sets = literal.regex.flags.contains(RegExpFlags::V);
    let letters = unbearable(if is_of_sets { pattern } else { "" });
    let start = literal.span.start + 1;
    letters.map(move |at| (Span::sized(start + at as u32, 1), spelled(pattern.as_bytes()[at])))
}

/// The pattern among the arguments of a call, if a regular expression with sets is made of it.
pub(crate) fn pattern_in<'b, 'a>(
    callee: &Expression<'a>,
    arguments: &'b [Argument<'a>],
) -> Option<&'b Expression<'a>> {
    match arguments {
        [pattern, flags] if is_of_sets(callee, flags) => pattern.as_expression(),
        _ => None,
    }
}

fn is_of_sets(callee: &Expression<'_>, flags: &Argument<'_>) -> bool {
    let is_made = matches!(callee, Expression::Identifier(name) if name.name == "RegExp");
    is_made && matches!(flags, Argument::StringLiteral(flags) if flags.value.contains(SETS as char))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_letters_outside_of_sets_are_spelled() {
        for (pattern, expected) in [
            ("a-b", r"a\u{0000002d}b"),
            (r"[a-b]-[[a-z]--[b]]\-", r"[a-b]\u{0000002d}[[a-z]--[b]]\-"),
            ("a:b::c:::", r"a:b\u{0000003a}:c\u{0000003a}\u{0000003a}:"),
            (
                "(?<=a)(?<!b)(?<name>=)(?==)(?i-s:a-b)",
                r"(?<=a)(?<!b)(?<name>=)(?==)(?i-s:a\u{0000002d}b)",
            ),
            (r"a/b\/c", r"a\/b\/c"),
            (r"\[-]", r"\[\u{0000002d}]"),
            ("é-&&", "é\\u{0000002d}\\u{00000026}&"),
            ("(?", "(?"),
            ("(?a-b)(?:-)", r"(?a\u{0000002d}b)(?:\u{0000002d})"),
            ("\\", "\\"),
        ] {
            assert_eq!(bearable(pattern), expected, "{pattern}");
        }
    }
}
