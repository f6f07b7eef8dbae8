//! Decorators as TypeScript had them before there was a standard.
//!
//! They are evaluated and called when the class is there, members first. So that their text stays in its
//! place, a static block notes a function for each member, and one at the end calls them.

use super::Lower;
use super::jsx::quote;
use super::parts::{Decorated, Place, constructor};
use oxc_ast::ast::*;
use oxc_span::GetSpan;

impl<'a> Lower<'_> {
    pub(super) fn legacy_class(&mut self, class: &Class<'a>, place: Place) {
        let library = self.library();
        let parameters = constructor(class)
            .map_or_else(Vec::new, |function| self.parameter_decorators(&function.params));
        let list = self.name();
        let mut start = format!("static #{list}=[];");
        let is_variable = !class.decorators.is_empty() || !parameters.is_empty();
        let mut after = String::new();
        if is_variable {
            if matches!(place, Place::Expression) {
                self.refuse(class.span, "Decorators are not valid on a class expression");
                return;
            }
            let evaluated = self.name();
            let keyword = self.class_keyword(class, place);
            let before = format!("let {evaluated}=()=>[");
            self.decorators(&class.decorators, before, "];".to_owned());
            let name = self.class_variable(class, place, keyword);
            start = format!("static{{{name}=this;}}{start}");
            let own = if class.decorators.is_empty() {
                String::new()
            } else {
                format!("...{evaluated}(),")
            };
            let parameters: String = parameters.iter().map(|one| format!("{one},")).collect();
            let types = self.class_metadata(class);
            let given = if class.id.is_none() { ",\"default\"" } else { "" };
            after =
                format!(";{name}={library}.type({name},()=>[{own}{parameters}{types}]{given});");
            if matches!(place, Place::Default(_)) {
                after += &format!("export{{{name} as default}};");
            }
        }
        self.heritage(class);
        self.edits.insert(class.body.span.start + 1, start);
        self.members(class, &mut Decorated::Legacy(list.clone()));
        let end = class.body.span.end - 1;
        self.edits.insert(end, format!(";static{{{library}.run(this,this.#{list})}}"));
        self.edits.insert(class.span.end, after);
    }

    pub(super) fn legacy_method(
        &mut self,
        class: &Class<'a>,
        method: &MethodDefinition<'a>,
        list: &str,
    ) {
        let parameters = self.parameter_decorators(&method.value.params);
        if method.decorators.is_empty() && parameters.is_empty() {
            return;
        }
        if matches!(method.key, PropertyKey::PrivateIdentifier(_)) {
            self.refuse(method.span, "Decorators are not valid on private members");
        }
        let types = self.method_metadata(class, method);
        let rest: String = parameters.iter().map(|one| format!("{one},")).collect();
        self.legacy_member(
            &method.decorators,
            method.span.start,
            (method.r#static, &method.key, method.computed, false),
            list,
            rest + &types,
        );
    }

    pub(super) fn legacy_property(
        &mut self,
        class: &Class<'a>,
        property: &PropertyDefinition<'a>,
        list: &str,
    ) {
        if property.decorators.is_empty() {
            return;
        }
        if matches!(property.key, PropertyKey::PrivateIdentifier(_)) {
            self.refuse(property.span, "Decorators are not valid on private members");
        }
        let types = self.property_metadata(class, property);
        self.legacy_member(
            &property.decorators,
            property.span.start,
            (property.r#static, &property.key, property.computed, true),
            list,
            types,
        );
    }

    /// Notes what decorates a member.
    fn legacy_member(
        &mut self,
        decorators: &[Decorator<'a>],
        start: u32,
        (is_static, key, computed, is_property): (bool, &PropertyKey<'a>, bool, bool),
        list: &str,
        rest: String,
    ) {
        let key = self.key_value(key, computed);
        let before = format!("static{{this.#{list}.push([{is_static},{key},{is_property},()=>[");
        let after = format!("{rest}]])}}");
        if decorators.is_empty() {
            self.edits.insert(start, before + &after);
        } else {
            self.decorators(decorators, before, format!(",{after}"));
        }
    }

    /// What decorates the parameters of a function, each as a decorator of the function.
    fn parameter_decorators(&mut self, params: &FormalParameters<'a>) -> Vec<String> {
        let library = self.library();
        let mut found = Vec::new();
        let items = params.items.iter().map(|parameter| &parameter.decorators);
        let rest = params.rest.iter().map(|rest| &rest.decorators);
        for (index, decorators) in items.chain(rest).enumerate() {
            for decorator in decorators {
                self.check_moved(&decorator.expression);
                let text = self.moved(decorator.expression.span());
                found.push(format!("{library}.parameter({index},{text})"));
                self.blank(decorator.span);
            }
        }
        found
    }

    /// One type that is told of, as a decorator.
    pub(super) fn told(&mut self, name: &str, value: &str) -> String {
        let library = self.library();
        format!("{library}.metadata({},{value}),", quote(&format!("design:{name}")))
    }
}
