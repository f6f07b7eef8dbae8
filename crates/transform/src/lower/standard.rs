//! Decorators of the standard.
//!
//! They are evaluated in the order of the text, among the keys of the members, and called before anything
//! static runs. So a member that is taken away again evaluates them, in its key, and the first static block
//! calls them.

use super::Lower;
use super::jsx::quote;
use super::parts::{Decorated, Elements, Numbered, Place, keyword};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;

impl<'a> Lower<'_> {
    pub(super) fn standard_class(
        &mut self,
        class: &Class<'a>,
        place: Place,
        given: Option<String>,
    ) {
        let library = self.library();
        let (state, key) = (self.name(), self.name());
        let begin = format!("let {state}={library}.begin(");
        let has_own = !class.decorators.is_empty();
        let mut name = None;
        let mut after = String::new();
        match place {
            Place::Expression => {
                self.edits.insert(class.span.start, format!("(()=>{{{begin}"));
                let then = format!(");return {state}.r(");
                if has_own {
                    self.decorators(&class.decorators, "[".to_owned(), format!("]{then}"));
                } else {
                    self.edits.insert(class.span.start, then);
                }
                if class.id.is_none() {
                    let given = quote(&given.unwrap_or_default());
                    name = Some(format!("static{{{library}.named(this,{given})}}"));
                }
                after = ")})()".to_owned();
            }
            Place::Declared | Place::Exported(_) | Place::Default(_) if has_own => {
                let keyword = self.class_keyword(class, place);
                self.decorators(&class.decorators, format!("{begin}["), "]);".to_owned());
                let variable = self.class_variable(class, place, keyword);
                if class.id.is_none() {
                    name = Some(format!("static{{{library}.named(this,\"default\")}}"));
                }
                if matches!(place, Place::Default(_)) {
                    after = format!(";export{{{variable} as default}};");
                }
                after = format!(";{variable}={state}.r();{after}");
                name = Some(format!("{}static{{{variable}=this;}}", name.unwrap_or_default()));
            }
            Place::Declared => self.edits.insert(class.span.start, format!("{begin});")),
            Place::Exported(span) | Place::Default(span) => {
                self.edits.insert(span.start, format!("{begin});"));
            }
        }
        self.heritage(class);
        let slot = self.edits.reserve(class.body.span.start + 1);
        let elements = Elements { state: state.clone(), key, told: Vec::new(), has_methods: false };
        let mut decorated = Decorated::Standard(elements);
        self.members(class, &mut decorated);
        let Decorated::Standard(Elements { told, key, has_methods, .. }) = decorated else {
            return;
        };
        let mut start = name.unwrap_or_default();
        let told = told.join(",");
        start += &format!("static{{delete this[\"{key}\"];{state}.a(this,[{told}]);}}");
        if has_methods {
            let field = self.name();
            start += &format!("#{field}={state}.i(this);");
        }
        self.edits.fill(slot, start);
        let end = class.body.span.end - 1;
        self.edits.insert(end, format!(";static{{{state}.z(this);}}"));
        self.edits.insert(class.span.end, after);
    }

    /// Evaluates the decorators of a member.
    fn evaluated(&mut self, decorators: &[Decorator<'a>], elements: &Elements, number: usize) {
        let (state, key) = (&elements.state, &elements.key);
        let before = format!("static [({state}.e({number},[");
        self.decorators(decorators, before, format!("]),\"{key}\")](){{}}"));
    }

    /// The key of a member, as it is told of; that of a computed one is kept when it is known.
    fn told_key(&mut self, key: &PropertyKey<'a>, computed: bool, number: &str) -> String {
        if !computed {
            return self.key_value(key, computed);
        }
        self.edits.insert(key.span().start, format!("{number},("));
        self.edits.insert(key.span().end, "))");
        "void 0".to_owned()
    }

    pub(super) fn standard_method(
        &mut self,
        method: &MethodDefinition<'a>,
        elements: &mut Elements,
    ) {
        let params = &method.value.params;
        let all = params.items.iter().flat_map(|parameter| &parameter.decorators);
        let all = all.chain(params.rest.iter().flat_map(|rest| &rest.decorators));
        if let Some(decorator) = all.into_iter().next() {
            self.refuse(
                decorator.span,
                "Decorators are not valid on parameters unless experimentalDecorators is on",
            );
            return;
        }
        if method.decorators.is_empty() {
            return;
        }
        let number = elements.told.len();
        self.evaluated(&method.decorators, elements, number);
        let kind = match method.kind {
            MethodDefinitionKind::Get => "getter",
            MethodDefinitionKind::Set => "setter",
            MethodDefinitionKind::Method | MethodDefinitionKind::Constructor => "method",
        };
        if let PropertyKey::PrivateIdentifier(id) = &method.key {
            let implementation = self.private_method(method, &id.name, &elements.state, number);
            let name = &id.name;
            let (get, set) = match method.kind {
                MethodDefinitionKind::Set => ("null".to_owned(), format!("(o,v)=>{{o.#{name}=v}}")),
                _ => (format!("o=>o.#{name}"), "null".to_owned()),
            };
            let rest = format!(",[o=>#{name} in o,{get},{set}],this.#{implementation}");
            elements.add(kind, method.r#static, &quote(&format!("#{name}")), &rest);
            return;
        }
        let key =
            self.told_key(&method.key, method.computed, &format!("{}.k({number}", elements.state));
        elements.add(kind, method.r#static, &key, "");
    }

    /// A private method cannot be replaced: what is called by its name asks for the present one, and its
    /// text is a static method of another name, which is given.
    fn private_method(
        &mut self,
        method: &MethodDefinition<'a>,
        name: &str,
        state: &str,
        number: usize,
    ) -> String {
        if uses_super(&method.value) {
            self.refuse(method.span, "`super` is not supported in a decorated private method");
        }
        let implementation = self.name();
        let is_static = keyword(method.r#static);
        let start = self.after_decorators(&method.decorators, method.span.start);
        let call = match method.kind {
            MethodDefinitionKind::Get => {
                format!("get #{name}(){{return {state}.v({number}).call(this)}}")
            }
            MethodDefinitionKind::Set => {
                format!("set #{name}(v){{{state}.v({number}).call(this,v)}}")
            }
            MethodDefinitionKind::Method | MethodDefinitionKind::Constructor => {
                format!("get #{name}(){{return {state}.v({number})}}")
            }
        };
        let is_async = if method.value.r#async { "async " } else { "" };
        let star = if method.value.generator { "*" } else { "" };
        let head = format!("{is_static}{call}static {is_async}{star}#{implementation}");
        self.replace(Span::new(start, method.key.span().end), head);
        implementation
    }

    pub(super) fn standard_field(
        &mut self,
        property: &PropertyDefinition<'a>,
        elements: &mut Elements,
    ) -> Option<Numbered> {
        if property.decorators.is_empty() {
            return None;
        }
        let number = elements.told.len();
        self.evaluated(&property.decorators, elements, number);
        if let PropertyKey::PrivateIdentifier(id) = &property.key {
            let name = &id.name;
            let rest = format!(",[o=>#{name} in o,o=>o.#{name},(o,v)=>{{o.#{name}=v}}]");
            return Some(elements.add(
                "field",
                property.r#static,
                &quote(&format!("#{name}")),
                &rest,
            ));
        }
        let is_moved = property.computed && self.dialect.assigned_fields;
        let key = if is_moved {
            self.key_value(&property.key, true)
        } else {
            let call = format!("{}.k({number}", elements.state);
            self.told_key(&property.key, property.computed, &call)
        };
        Some(elements.add("field", property.r#static, &key, ""))
    }

    pub(super) fn standard_accessor(
        &mut self,
        accessor: &AccessorProperty<'a>,
        field: &str,
        elements: &mut Elements,
    ) -> Option<Numbered> {
        if accessor.decorators.is_empty() {
            return None;
        }
        let number = elements.told.len();
        self.evaluated(&accessor.decorators, elements, number);
        if let PropertyKey::PrivateIdentifier(id) = &accessor.key {
            let name = &id.name;
            let rest = format!(
                ",[o=>#{name} in o,o=>o.#{name},(o,v)=>{{o.#{name}=v}}],\
                 {{get(){{return this.#{field}}},set(v){{this.#{field}=v}}}}"
            );
            let key = quote(&format!("#{name}"));
            return Some(elements.add("accessor", accessor.r#static, &key, &rest));
        }
        let key = if accessor.computed {
            "void 0".to_owned()
        } else {
            self.key_value(&accessor.key, false)
        };
        Some(elements.add("accessor", accessor.r#static, &key, ""))
    }
}

/// Whether a method asks for what its parent has.
fn uses_super(function: &Function<'_>) -> bool {
    struct Found(bool);
    impl<'a> Visit<'a> for Found {
        fn visit_super(&mut self, _: &Super) {
            self.0 = true;
        }
        fn visit_class(&mut self, class: &Class<'a>) {
            if let Some(heritage) = &class.heritage {
                walk::walk_expression(self, &heritage.expression);
            }
        }
    }
    let mut found = Found(false);
    if let Some(body) = &function.body {
        found.visit_function_body(body);
    }
    found.0
}
