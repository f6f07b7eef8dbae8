//! Where the engine begins to count columns anew.
//!
//! The column of a token is that of the last word at or before it, or of what comes after the last blank or
//! comment: the engine does not count on through numbers, strings and punctuation.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;

/// All these places, in order.
pub(super) fn marks(text: &str, program: &Program<'_>) -> Vec<u32> {
    let mut opaque = Opaque(Vec::new());
    opaque.visit_program(program);
    let comments = program.comments.iter().map(|comment| (comment.span, true));
    let mut opaque: Vec<(Span, bool)> =
        opaque.0.into_iter().map(|span| (span, false)).chain(comments).collect();
    opaque.sort_by_key(|(span, _)| span.start);
    let mut opaque = opaque.into_iter().peekable();
    let bytes = text.as_bytes();
    let mut marks = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if let Some((span, is_comment)) = opaque.next_if(|(span, _)| span.start as usize <= at) {
            let end = (span.end as usize).max(at);
            let breaks = (at..end).filter(|&at| bytes[at] == b'\n');
            marks.extend(breaks.map(|at| at as u32 + 1));
            if is_comment {
                marks.push(end as u32);
            }
            at = end;
            continue;
        }
        let start = at;
        at += 1;
        match bytes[start] {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => marks.push(at as u32),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                marks.push(start as u32);
                at = word_end(bytes, at);
            }
            b'0'..=b'9' => {
                at = word_end(bytes, at);
                if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
                {
                    at = word_end(bytes, at + 1);
                }
            }
            b'#' => at = word_end(bytes, at),
            0x80.. => {
                let char = text[start..].chars().next().unwrap_or('\u{fffd}');
                at = start + char.len_utf8();
                match char.is_whitespace() || char == '\u{feff}' {
                    true => marks.push(at as u32),
                    false => at = word_end(bytes, at),
                }
            }
            _ => {}
        }
    }
    marks
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    from + bytes[from..].iter().take_while(|byte| is_part(byte)).count()
}

/// What is not looked into: strings, the texts of templates, regular expressions.
struct Opaque(Vec<Span>);

impl<'a> Visit<'a> for Opaque {
    fn visit_string_literal(&mut self, literal: &StringLiteral<'a>) {
        self.0.push(literal.span);
    }

    fn visit_template_element(&mut self, element: &TemplateElement<'a>) {
        self.0.push(element.span);
    }

    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        self.0.push(literal.span);
    }
}
