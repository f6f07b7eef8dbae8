//! Members of classes: fields that are assigned, and accessors that hold their value.

use super::Lower;
use super::jsx::quote;
use super::parts::{Decorated, Numbered, constructor, keyword};
use crate::text::{next_token, skip_trivia};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

impl<'a> Lower<'_> {
    pub(super) fn members(&mut self, class: &Class<'a>, decorated: &mut Decorated) {
        let mut assigned = Vec::new();
        for element in &class.body.body {
            match element {
                ClassElement::StaticBlock(block) => walk::walk_static_block(self, block),
                ClassElement::TSIndexSignature(_) => {}
                ClassElement::MethodDefinition(method) => self.method(class, method, decorated),
                ClassElement::PropertyDefinition(property) => {
                    self.property(class, property, decorated, &mut assigned);
                }
                ClassElement::AccessorProperty(accessor) => {
                    self.accessor(accessor, decorated);
                }
            }
        }
        if !assigned.is_empty() {
            self.assign_in_constructor(class, &assigned);
        }
    }

    fn method(
        &mut self,
        class: &Class<'a>,
        method: &MethodDefinition<'a>,
        decorated: &mut Decorated,
    ) {
        if method.value.body.is_none() {
            return;
        }
        match decorated {
            Decorated::Not => {}
            Decorated::Legacy(list) => {
                if method.kind != MethodDefinitionKind::Constructor {
                    let list = list.clone();
                    self.legacy_method(class, method, &list);
                }
            }
            Decorated::Standard(elements) => self.standard_method(method, elements),
        }
        if method.computed {
            self.visit_property_key(&method.key);
        }
        let flags = ScopeFlags::Function;
        self.visit_function(&method.value, flags);
    }

    fn property(
        &mut self,
        class: &Class<'a>,
        property: &PropertyDefinition<'a>,
        decorated: &mut Decorated,
        assigned: &mut Vec<String>,
    ) {
        let numbered = match decorated {
            Decorated::Not => None,
            Decorated::Legacy(list) => {
                let list = list.clone();
                self.legacy_property(class, property, &list);
                None
            }
            Decorated::Standard(elements) => self.standard_field(property, elements),
        };
        if property.declare
            || property.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
        {
            return;
        }
        if property.computed {
            self.visit_property_key(&property.key);
        }
        let is_private = matches!(property.key, PropertyKey::PrivateIdentifier(_));
        if self.dialect.assigned_fields && !is_private {
            self.assigned_property(property, numbered.as_ref(), assigned);
            return;
        }
        let Some(Numbered { state, number }) = numbered else {
            if let Some(value) = &property.value {
                self.visit_expression(value);
            }
            return;
        };
        match &property.value {
            Some(value) => {
                self.edits.insert(value.span().start, format!("{state}.f({number},this,"));
                self.visit_expression(value);
                self.edits.insert(value.span().end, ")");
            }
            None => {
                let at = self.end_of_declaration(property);
                self.edits.insert(at, format!("={state}.f({number},this)"));
            }
        }
        self.after_field(property.span, property.r#static, &state, number);
    }

    /// Behind a field: what its decorators want done when it is there.
    fn after_field(&mut self, span: Span, is_static: bool, state: &str, number: usize) {
        let (keyword, name) = (keyword(is_static), self.name());
        self.edits.insert(span.end, format!(";{keyword}#{name}={state}.x({number},this);"));
    }

    /// Where the declaration of a field without a value ends.
    fn end_of_declaration(&self, property: &PropertyDefinition<'a>) -> u32 {
        if let Some(annotation) = &property.type_annotation {
            return annotation.span.end;
        }
        let mut end = property.key.span().end;
        if property.computed
            && let Some(bracket) = next_token(self.text, end, ']')
        {
            end = bracket + 1;
        }
        if property.optional || property.definite {
            end = skip_trivia(self.text, end) + 1;
        }
        end
    }

    /// A field that is assigned: a method of its own does it, so that its text stays where it is.
    fn assigned_property(
        &mut self,
        property: &PropertyDefinition<'a>,
        numbered: Option<&Numbered>,
        assigned: &mut Vec<String>,
    ) {
        let start = self.after_decorators(&property.decorators, property.span.start);
        if property.value.is_none() && numbered.is_none() {
            self.replace(Span::new(start, property.span.end), ";");
            return;
        }
        let mut head = if property.r#static {
            "static{".to_owned()
        } else {
            let name = self.name();
            assigned.push(name.clone());
            format!("#{name}(){{")
        };
        head += &format!("this{}=", self.member_of_this(&property.key, property.computed));
        let mut tail = ";}".to_owned();
        if let Some(Numbered { state, number }) = numbered {
            head += &format!("{state}.f({number},this,");
            tail = format!(");{state}.x({number},this);}}");
        }
        match &property.value {
            Some(value) => {
                self.replace(Span::new(start, value.span().start), head);
                self.visit_expression(value);
                self.edits.insert(value.span().end, tail);
            }
            None => {
                self.replace(Span::new(start, property.span.end), format!("{head}void 0{tail}"))
            }
        }
    }

    /// Where a member begins, without its decorators.
    pub(super) fn after_decorators(&self, decorators: &[Decorator<'a>], start: u32) -> u32 {
        decorators.last().map_or(start, |last| skip_trivia(self.text, last.span.end))
    }

    /// What comes after `this` to mean a member.
    fn member_of_this(&self, key: &PropertyKey<'a>, computed: bool) -> String {
        match key {
            PropertyKey::StaticIdentifier(id) if !computed => format!(".{}", id.name),
            key => format!("[{}]", self.key_value(key, computed)),
        }
    }

    /// An expression for a key.
    pub(super) fn key_value(&self, key: &PropertyKey<'a>, computed: bool) -> String {
        match key {
            PropertyKey::StaticIdentifier(id) if !computed => quote(&id.name),
            PropertyKey::PrivateIdentifier(id) => quote(&format!("#{}", id.name)),
            key => self.moved(key.span()),
        }
    }

    /// Has the fields assigned after `super`, and after what TypeScript assigns for parameters, which is
    /// put before it.
    fn assign_in_constructor(&mut self, class: &Class<'a>, assigned: &[String]) {
        let calls: String = assigned.iter().map(|name| format!("this.#{name}();")).collect();
        let Some(body) = constructor(class).and_then(|function| function.body.as_ref()) else {
            let text = if class.heritage.is_some() {
                let all = self.name();
                format!("constructor(...{all}){{super(...{all});{calls}}}")
            } else {
                format!("constructor(){{{calls}}}")
            };
            self.edits.insert(class.body.span.start + 1, text);
            return;
        };
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
                self.edits.insert(span.end, calls);
            }
            Some(span) => self.edits.insert(span.end, format!(";{calls}")),
            None => self.edits.insert(body.span.start + 1, calls),
        }
    }

    /// `accessor x = 1`: a getter, a setter, and a field that nobody else sees.
    fn accessor(&mut self, accessor: &AccessorProperty<'a>, decorated: &mut Decorated) {
        if accessor.r#type == AccessorPropertyType::TSAbstractAccessorProperty {
            return;
        }
        let field = self.name();
        let numbered = match decorated {
            Decorated::Not => None,
            Decorated::Legacy(_) => {
                if let Some(decorator) = accessor.decorators.first() {
                    self.refuse(
                        decorator.span,
                        "A legacy decorator cannot decorate an accessor field",
                    );
                }
                None
            }
            Decorated::Standard(elements) => self.standard_accessor(accessor, &field, elements),
        };
        let start = self.after_decorators(&accessor.decorators, accessor.span.start);
        let keyword = keyword(accessor.r#static);
        let raw = self.moved(accessor.key.span());
        let is_private = matches!(accessor.key, PropertyKey::PrivateIdentifier(_));
        let (first, second) = match (&numbered, accessor.computed) {
            (Some(Numbered { state, number }), true) => {
                (format!("[{state}.k({number},{raw})]"), format!("[{state}.k({number})]"))
            }
            (None, true) => (format!("[{raw}]"), format!("[{raw}]")),
            (_, false) => (raw.clone(), raw),
        };
        let mut head = match &numbered {
            Some(Numbered { state, number }) if is_private => format!(
                "{keyword}get {first}(){{return {state}.g({number}).call(this)}}\
                 {keyword}set {second}(v){{{state}.s({number}).call(this,v)}}"
            ),
            _ => format!(
                "{keyword}get {first}(){{return this.#{field}}}\
                 {keyword}set {second}(v){{this.#{field}=v}}"
            ),
        };
        head += &format!("{keyword}#{field}=");
        let mut tail = String::new();
        if let Some(Numbered { state, number }) = &numbered {
            head += &format!("{state}.f({number},this,");
            tail = ")".to_owned();
        }
        match &accessor.value {
            Some(value) => {
                self.replace(Span::new(start, value.span().start), head);
                self.visit_expression(value);
                self.edits.insert(value.span().end, tail);
            }
            None => {
                let end = accessor.span.end;
                self.replace(Span::new(start, end), format!("{head}void 0{tail};"));
            }
        }
        if let Some(Numbered { state, number }) = numbered {
            self.after_field(accessor.span, accessor.r#static, &state, number);
        }
    }
}
