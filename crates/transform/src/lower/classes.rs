//! Classes: which way they go, and what comes before and after one that is decorated.

use super::Lower;
use super::parts::{Decorated, Place};
use crate::text::{offset_of, skip_trivia, word_at};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

impl<'a> Lower<'_> {
    pub(super) fn class(&mut self, class: &Class<'a>, place: Place) {
        let given = self.class_name.take();
        if class.declare {
            return;
        }
        let is_decorated = !class.decorators.is_empty()
            || class
                .body
                .body
                .iter()
                .any(|element| element.has_decorator() || has_decorated_parameters(element));
        if !is_decorated {
            self.heritage(class);
            self.members(class, &mut Decorated::Not);
        } else if self.dialect.legacy_decorators {
            self.legacy_class(class, place);
        } else {
            self.standard_class(class, place, given);
        }
    }

    pub(super) fn heritage(&mut self, class: &Class<'a>) {
        if let Some(heritage) = &class.heritage {
            self.visit_expression(&heritage.expression);
        }
    }

    /// Where the keyword of a class is. What else is before it, `export` and its like, is blanked.
    pub(super) fn class_keyword(&mut self, class: &Class<'a>, place: Place) -> u32 {
        let mut at = match place {
            Place::Declared | Place::Expression => class.span.start,
            Place::Exported(span) | Place::Default(span) => span.start,
        };
        if let Some(first) = class.decorators.first() {
            at = at.min(first.span.start);
        }
        loop {
            at = skip_trivia(self.text, at);
            if let Some(decorator) = class.decorators.iter().find(|one| one.span.start == at) {
                at = decorator.span.end;
                continue;
            }
            let word = word_at(self.text, at);
            if word == "class" || word.is_empty() {
                return at;
            }
            let length = offset_of(word.len());
            self.blank(Span::sized(at, length));
            at += length;
        }
    }

    /// Decorators as a list: `before` and `after` go around them.
    pub(super) fn decorators(
        &mut self,
        decorators: &[Decorator<'a>],
        before: String,
        after: String,
    ) {
        let mut start = before;
        for decorator in decorators {
            self.replace(Span::new(decorator.span.start, decorator.expression.span().start), start);
            self.visit_expression(&decorator.expression);
            start = ",".to_owned();
        }
        if let Some(last) = decorators.last() {
            self.edits.insert(last.span.end, after);
        }
    }

    /// Makes a variable of a class, so that another may come in its place: gives its name.
    pub(super) fn class_variable(
        &mut self,
        class: &Class<'a>,
        place: Place,
        keyword: u32,
    ) -> String {
        let length = offset_of("class".len());
        let export = if matches!(place, Place::Exported(_)) { "export " } else { "" };
        match &class.id {
            Some(id) => {
                let name = id.name.to_string();
                let head = Span::new(keyword, id.span.end);
                self.replace(head, format!("{export}let {name};{name}=class"));
                name
            }
            None => {
                let name = self.name();
                let head = Span::sized(keyword, length);
                self.replace(head, format!("{export}let {name};{name}=class"));
                name
            }
        }
    }
}

fn has_decorated_parameters(element: &ClassElement<'_>) -> bool {
    match element {
        ClassElement::MethodDefinition(method) => {
            let params = &method.value.params;
            params.items.iter().any(|parameter| !parameter.decorators.is_empty())
                || params.rest.as_ref().is_some_and(|rest| !rest.decorators.is_empty())
        }
        ClassElement::StaticBlock(_)
        | ClassElement::PropertyDefinition(_)
        | ClassElement::AccessorProperty(_)
        | ClassElement::TSIndexSignature(_) => false,
    }
}
