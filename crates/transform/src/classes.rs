//! Classes: members that are types only, and parameters that are properties.

use crate::rewrite::Rewriter;
use crate::text::{next_token, skip_trivia, word_at};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

impl<'a> Rewriter<'_> {
    pub(crate) fn class(&mut self, class: &Class<'a>) {
        class.decorators.iter().for_each(|decorator| self.visit_decorator(decorator));
        let start = class.span.start;
        if class.r#abstract && word_at(self.text, start) == "abstract" {
            self.blank(Span::sized(start, "abstract".len() as u32));
        }
        let mut end = None;
        if let Some(id) = &class.id {
            end = Some(id.span.end);
        }
        if let Some(types) = &class.type_parameters {
            self.blank(types.span);
            end = Some(types.span.end);
        }
        if let Some(heritage) = &class.heritage {
            self.visit_expression(&heritage.expression);
            end = Some(heritage.expression.span().end);
            if let Some(types) = &heritage.type_arguments {
                self.blank(types.span);
                end = Some(types.span.end);
            }
        }
        if let Some(first) = class.implements.first() {
            let start = end.unwrap_or_else(|| self.before_implements(class, first.span));
            self.blank(Span::new(start, class.body.span.start));
        }
        self.parameter_properties(class);
        self.visit_class_body(&class.body);
    }

    /// The end of `class` in `class implements T {}`.
    fn before_implements(&self, class: &Class<'a>, first: Span) -> u32 {
        let before = &self.text[class.span.start as usize..first.start as usize];
        let keyword = before.rfind("implements").unwrap_or(0);
        class.span.start + crate::text::offset_of(keyword)
    }

    pub(crate) fn property(&mut self, property: &PropertyDefinition<'a>) {
        property.decorators.iter().for_each(|decorator| self.visit_decorator(decorator));
        if property.declare
            || property.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
        {
            self.blank_with_semicolon(property.span);
            return;
        }
        let key = property.key.span();
        self.modifiers(property.span, key);
        self.visit_property_key(&property.key);
        let mut end = key.end;
        if property.computed
            && let Some(bracket) = next_token(self.text, end, ']')
        {
            end = bracket + 1;
        }
        // Without a value, what follows could be taken for a part of this member: `get` and a name.
        let mark = |this: &mut Self, span: Span| {
            if property.value.is_none() {
                this.blank_with_semicolon(span);
            } else {
                this.blank(span);
            }
        };
        if property.optional || property.definite {
            let at = skip_trivia(self.text, end);
            mark(self, Span::sized(at, 1));
        }
        if let Some(annotation) = &property.type_annotation {
            mark(self, annotation.span);
        }
        if let Some(value) = &property.value {
            let outer = self.open_at(property.span);
            self.visit_expression(value);
            self.open_end = outer;
        }
    }

    pub(crate) fn accessor(&mut self, property: &AccessorProperty<'a>) {
        property.decorators.iter().for_each(|decorator| self.visit_decorator(decorator));
        if property.r#type == AccessorPropertyType::TSAbstractAccessorProperty {
            self.blank_with_semicolon(property.span);
            return;
        }
        self.modifiers(property.span, property.key.span());
        self.visit_property_key(&property.key);
        if property.definite {
            self.blank_next(property.key.span().end, '!');
        }
        if let Some(annotation) = &property.type_annotation {
            self.blank(annotation.span);
        }
        if let Some(value) = &property.value {
            self.visit_expression(value);
        }
    }

    pub(crate) fn method(&mut self, method: &MethodDefinition<'a>) {
        method.decorators.iter().for_each(|decorator| self.visit_decorator(decorator));
        if method.value.body.is_none() {
            self.blank_with_semicolon(method.span);
            return;
        }
        let key = method.key.span();
        self.modifiers(method.span, key);
        self.visit_property_key(&method.key);
        if method.optional {
            let bracket = next_token(self.text, key.end, ']').filter(|_| method.computed);
            self.blank_next(bracket.map_or(key.end, |bracket| bracket + 1), '?');
        }
        self.visit_function(&method.value, ScopeFlags::Function);
    }

    /// Declares the properties that are parameters before all others, and assigns them at the start
    /// of the constructor or after its call of `super`, as TypeScript does.
    fn parameter_properties(&mut self, class: &Class<'a>) {
        let Some(constructor) = class.body.body.iter().find_map(|element| match element {
            ClassElement::MethodDefinition(method)
                if method.kind == MethodDefinitionKind::Constructor =>
            {
                method.value.body.as_ref().map(|body| (&method.value.params, body))
            }
            _ => None,
        }) else {
            return;
        };
        let (params, body) = constructor;
        let names = params.items.iter().filter(|parameter| parameter.has_modifier()).filter_map(
            |parameter| match &parameter.pattern {
                BindingPattern::BindingIdentifier(id) => Some(id.name.as_str()),
                _ => None,
            },
        );
        let (mut fields, mut assignments) = (String::new(), String::new());
        for name in names {
            fields += &format!("{name};");
            assignments += &format!("this.{name}={name};");
        }
        if fields.is_empty() {
            return;
        }
        if !self.assigned_fields {
            self.edits.insert(class.body.span.start + 1, fields);
        }
        let is_super = |statement: &&Statement<'_>| match statement {
            Statement::ExpressionStatement(statement) => matches!(&statement.expression,
                Expression::CallExpression(call) if matches!(call.callee, Expression::Super(_))),
            _ => false,
        };
        let before = match body.statements.iter().find(is_super) {
            Some(statement) => Some(statement.span()),
            None => body.directives.last().map(|directive| directive.span),
        };
        match before {
            Some(span) if self.text[..span.end as usize].ends_with(';') => {
                self.edits.insert(span.end, assignments);
            }
            Some(span) => self.edits.insert(span.end, format!(";{assignments}")),
            None => self.edits.insert(body.span.start + 1, assignments),
        }
    }
}
