//! White space and line breaks that the language knows and the engine overlooks where it looks ahead: after `async` or
//! `let`, say. It does not end a line comment by them as it should, either.

use crate::depth::with_room;
use crate::{Goal, Language, goal};
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::Span;
use std::borrow::Cow;

/// Whether a letter is white space of the language outside of ASCII, and no line break.
fn is_other_space(char: char) -> bool {
    !char.is_ascii()
        && (char == '\u{feff}' || char.is_whitespace())
        && !matches!(char, '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a letter is a line break of the language outside of ASCII.
fn is_other_break(char: char) -> bool {
    matches!(char, '\u{2028}' | '\u{2029}')
}

/// The text with plain spaces between its tokens, as many as there were other ones, and plain line breaks there and in
/// comments. What does not parse stays as it is.
pub(crate) fn with_plain_spaces(
    text: Cow<'_, str>,
    language: Language,
    goal: Goal,
) -> Cow<'_, str> {
    // The mark at the start of a file is one, too, and does no harm.
    let is_other = |char| is_other_space(char) || is_other_break(char);
    if text.is_ascii() || !text.chars().skip(1).any(is_other) {
        return text;
    }
    let Some(Some(kept)) = with_room(&text, || {
        let allocator = Allocator::default();
        let parsed = goal::parse(&allocator, &text, language, goal).ok()?;
        let comments = parsed.program.comments.iter().map(|comment| (comment.span, Kept::Comment));
        let mut texts = Texts(comments.collect());
        texts.visit_program(&parsed.program);
        texts.0.sort_unstable_by_key(|(span, _)| span.start);
        Some(texts.0)
    }) else {
        return text;
    };
    let mut kept = kept.into_iter().peekable();
    let mut before = None;
    let plain = text.char_indices().map(|(at, char)| {
        while kept.next_if(|(span, _)| span.end as usize <= at).is_some() {}
        let within =
            kept.peek().filter(|(span, _)| span.start as usize <= at).map(|(_, kept)| kept);
        // Behind a carriage return, a line feed would be no line of its own.
        let returned = before.replace(char) == Some('\r');
        match within {
            None if at > 0 && is_other_space(char) => ' ',
            None | Some(Kept::Comment) if !returned && is_other_break(char) => '\n',
            _ => char,
        }
    });
    Cow::Owned(plain.collect())
}

/// What is not white space, though it may look like it.
enum Kept {
    Comment,
    Text,
}

/// Where a program has text of its own.
struct Texts(Vec<(Span, Kept)>);

impl<'a> Visit<'a> for Texts {
    fn visit_string_literal(&mut self, literal: &StringLiteral<'a>) {
        self.0.push((literal.span, Kept::Text));
    }

    fn visit_template_element(&mut self, element: &TemplateElement<'a>) {
        self.0.push((element.span, Kept::Text));
    }

    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        self.0.push((literal.span, Kept::Text));
    }

    fn visit_jsx_text(&mut self, text: &JSXText<'a>) {
        self.0.push((text.span, Kept::Text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_of_texts_stay() {
        let source = "\u{feff}async\u{a0}function\u{feff}w() {} let\u{3000}a = 'x\u{a0}y' + `\u{2003}${a\u{a0}}\u{a0}` /* \u{a0} */;\na\u{202f}= /\u{a0}/ // \u{a0}";
        let expected = "\u{feff}async function w() {} let a = 'x\u{a0}y' + `\u{2003}${a }\u{a0}` /* \u{a0} */;\na = /\u{a0}/ // \u{a0}";
        let plain = with_plain_spaces(source.into(), Language::JavaScript, Goal::CommonJs);
        assert_eq!(plain, expected);
    }

    #[test]
    fn line_breaks_are_plain_outside_of_texts() {
        let source = "async\u{2028}function w() {} // a\u{2029}/* b\u{2028} */ 'x\u{2028}y' + `\u{2029}`\r\u{2028}";
        let expected = "async\nfunction w() {} // a\n/* b\n */ 'x\u{2028}y' + `\u{2029}`\r\u{2028}";
        let plain = with_plain_spaces(source.into(), Language::JavaScript, Goal::CommonJs);
        assert_eq!(plain, expected);
    }

    #[test]
    fn what_does_not_parse_stays() {
        let source = "let\u{a0}= (";
        assert_eq!(with_plain_spaces(source.into(), Language::JavaScript, Goal::Detect), source);
    }
}
