//! Types, which are blanked, and what holds them together.
//!
//! A blank has the length of what it replaces. Where a type kept two statements or members apart, a
//! semicolon takes its first column.

use crate::goal::error_at;
use crate::rewrite::Rewriter;
use crate::text::{blanks, breaks, next_token, word_at};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

impl<'a> Rewriter<'_> {
    pub(crate) fn text_of(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    pub(crate) fn blank(&mut self, span: Span) {
        if !span.is_empty() {
            let text = blanks(self.text_of(span));
            self.edits.replace(span, text);
        }
    }

    /// Blanks something, with a semicolon in its place.
    pub(crate) fn blank_with_semicolon(&mut self, span: Span) {
        self.blank_with(span, ';');
    }

    /// Blanks something, with an ASCII character in its first column.
    fn blank_with(&mut self, span: Span, first: char) {
        let mut text = blanks(self.text_of(span));
        text.replace_range(..1, first.encode_utf8(&mut [0; 4]));
        self.edits.replace(span, text);
    }

    /// Puts other code in the place of a piece, and keeps its line breaks.
    pub(crate) fn replace_keeping_lines(&mut self, span: Span, mut text: String) {
        text += &breaks(self.text_of(span));
        self.edits.replace(span, text);
    }

    /// Blanks the token if it is the next one.
    pub(crate) fn blank_next(&mut self, offset: u32, token: char) {
        if let Some(at) = next_token(self.text, offset, token) {
            self.blank(Span::sized(at, 1));
        }
    }

    pub(crate) fn refuse(&mut self, span: Span, message: &str) {
        if self.error.is_none() {
            self.error = Some(error_at(self.text, span.start as usize, message));
        }
    }

    /// `x as T`, `x satisfies T`: the next line would go on where the type ended the statement.
    pub(crate) fn typed_expression(&mut self, expression: &Expression<'a>, span: Span) {
        self.visit_expression(expression);
        let types = Span::new(expression.span().end, span.end);
        if self.open_end == Some(span.end) {
            self.blank_with_semicolon(types);
        } else {
            self.blank(types);
        }
    }

    /// `<T>x`: parentheses, since the type may have line breaks, and `x` braces.
    pub(crate) fn type_assertion(&mut self, assertion: &TSTypeAssertion<'a>) {
        let inner = assertion.expression.span();
        self.blank_with(Span::new(assertion.span.start, inner.start), '(');
        self.visit_expression(&assertion.expression);
        self.edits.insert(inner.end, ")");
    }

    pub(crate) fn non_null(&mut self, expression: &TSNonNullExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank_next(expression.expression.span().end, '!');
    }

    pub(crate) fn this_parameter(&mut self, parameter: &TSThisParameter<'a>) {
        self.blank(parameter.span);
        self.blank_next(parameter.span.end, ',');
    }

    pub(crate) fn formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        parameter.decorators.iter().for_each(|decorator| self.visit_decorator(decorator));
        let pattern = parameter.pattern.span();
        if parameter.has_modifier() {
            self.blank(Span::new(parameter.span.start, pattern.start));
        }
        self.visit_binding_pattern(&parameter.pattern);
        if parameter.optional {
            self.blank_next(pattern.end, '?');
        }
        if let Some(annotation) = &parameter.type_annotation {
            self.visit_ts_type_annotation(annotation);
        }
        if let Some(initializer) = &parameter.initializer {
            self.visit_expression(initializer);
        }
    }

    /// An arrow function's signature, in which line breaks may be where none are allowed without
    /// types.
    pub(crate) fn arrow_signature(&mut self, function: &ArrowFunctionExpression<'a>) {
        let params = function.params.span;
        if let Some(types) = &function.type_parameters {
            if function.r#async && !breaks(self.text_of(types.span)).is_empty() {
                self.blank_with(types.span, '(');
                self.blank(Span::sized(params.start, 1));
            } else {
                self.blank(types.span);
            }
        }
        self.visit_formal_parameters(&function.params);
        if let Some(types) = &function.return_type {
            let span = types.span;
            let between = Span::new(params.end, span.end);
            if breaks(self.text_of(between)).is_empty() {
                self.blank(span);
            } else {
                self.blank(Span::sized(params.end - 1, 1));
                let mut text = blanks(self.text_of(span));
                // The type's last character may be longer than one byte.
                text.pop();
                text.push(')');
                self.edits.replace(span, text);
            }
        }
    }

    /// Blanks the modifiers of a member that only types have.
    pub(crate) fn modifiers(&mut self, member: Span, key: Span) {
        let mut at = member.start;
        let mut first = None;
        while at < key.start {
            let word = word_at(self.text, at);
            let span = Span::sized(at, crate::text::offset_of(word.len()));
            match word {
                "public" | "private" | "protected" | "readonly" | "override" | "abstract"
                | "declare" => {
                    if at == member.start {
                        first = Some(span);
                    } else {
                        self.blank(span);
                    }
                }
                "static" | "async" | "get" | "set" | "accessor" => {}
                _ => break,
            }
            at = crate::text::skip_trivia(self.text, span.end);
        }
        if let Some(first) = first {
            // A field before it could go on.
            if self.text[at as usize..].starts_with(['[', '*']) {
                self.blank_with_semicolon(first);
            } else {
                self.blank(first);
            }
        }
    }
}
