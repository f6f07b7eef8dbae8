//! Text of the library that holds against a program which replaces parts of the language.
//!
//! A loop over an array, a pattern in brackets and a spread ask the array for its iterator, which a program can
//! replace, and `Object.keys` is whatever the program has made of it. So the library's own text goes by other ways:
//! patterns become those of objects, whose keys are places; what is iterated is looked at by the runtime first;
//! functions of the language are those that were kept before the program began, and collections have methods that
//! were. The classes themselves are kept, too.

use crate::edits::Edits;
use crate::goal::parse;
use crate::{Goal, Language, SyntaxError};
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use std::collections::BTreeSet;

/// What has the kept functions, and is told of what is iterated: `$k.of(value)` and `$k.at(value)`.
pub const KEPT: &str = "$k";

/// The file of the library that has them.
pub const KEPT_IN: &str = "internal/kept";

/// What the language has functions on. Those that a class inherits are called on the class itself.
const HOLDERS: [&str; 8] =
    ["Array", "ArrayBuffer", "JSON", "Math", "Number", "Object", "Reflect", "String"];

/// What is made when it is first asked for, and so is kept under its own name.
pub const LATE: &str = "Date";

/// Classes that iterate what they are made of.
const MADE_OF: [&str; 5] = ["Map", "Set", "Uint8Array", "WeakMap", "WeakSet"];

/// Collections whose methods a program can replace: those of the library have methods of their own.
const COLLECTIONS: [&str; 4] = ["Map", "Set", "WeakMap", "WeakSet"];

/// Functions that iterate their first argument, by their last name.
const ITERATING: [&str; 6] = ["all", "allSettled", "any", "from", "fromEntries", "race"];

/// A text of the library, hardened.
pub struct Hardened {
    /// The text. Lines stay where they are.
    pub code: String,
    /// What it needs of the kept functions, such as `Object.keys`.
    pub kept: Vec<String>,
}

/// A text of the library, hardened. `language` has the names that are kept by themselves, in `$k.language`, by their
/// places there.
///
/// # Errors
///
/// The text does not parse.
pub fn harden(source: &str, language: &[String]) -> Result<Hardened, SyntaxError> {
    let allocator = Allocator::default();
    let parsed = parse(&allocator, source, Language::JavaScript, Goal::CommonJs)?;
    let mut hardener = Hardener::default();
    hardener.visit_program(&parsed.program);
    let Hardener { mut edits, kept, referred, declared } = hardener;
    for Reference { name, span, is_whole_property } in referred {
        let made = match language.iter().position(|kept| kept == name) {
            Some(place) => format!("{KEPT}.language[{place}]"),
            None if name == LATE => format!("{KEPT}.{LATE}"),
            None => continue,
        };
        if !declared.contains(name) {
            let key = if is_whole_property { format!("{name}:") } else { String::new() };
            edits.replace(span, key + &made);
        }
    }
    Ok(Hardened { code: edits.apply(source).0, kept })
}

/// Where a name is read or called.
struct Reference<'a> {
    name: &'a str,
    span: Span,
    /// Whether it is a property of an object with its key, as in `{ a }`.
    is_whole_property: bool,
}

#[derive(Default)]
struct Hardener<'a> {
    edits: Edits,
    kept: Vec<String>,
    referred: Vec<Reference<'a>>,
    /// The names of variables, functions, classes and parameters, wherever they are.
    declared: BTreeSet<&'a str>,
}

/// Whether a pattern can be one of an object: its elements are all there, and nothing takes the rest.
fn has_places(pattern: &ArrayPattern<'_>) -> bool {
    pattern.rest.is_none() && pattern.elements.iter().all(Option::is_some)
}

fn holder<'b>(expression: &'b Expression<'_>) -> Option<&'b IdentifierReference<'b>> {
    match expression {
        Expression::Identifier(id) if HOLDERS.contains(&id.name.as_str()) => Some(id),
        _ => None,
    }
}

impl<'a> Hardener<'a> {
    fn refer(&mut self, id: &IdentifierReference<'a>, is_whole_property: bool) {
        self.referred.push(Reference { name: id.name.as_str(), span: id.span, is_whole_property });
    }

    /// Lets the runtime look at a value.
    fn pass(&mut self, expression: &Expression<'a>, function: &str) {
        let span = expression.span();
        self.edits.insert(span.start, format!("{KEPT}.{function}("));
        self.visit_expression(expression);
        self.edits.insert(span.end, ")");
    }

    /// The arguments of a call that may iterate the first of them.
    fn arguments(&mut self, arguments: &[Argument<'a>], iterates: bool) {
        for (place, argument) in arguments.iter().enumerate() {
            match argument.as_expression() {
                Some(expression) if iterates && place == 0 => self.pass(expression, "of"),
                _ => self.visit_argument(argument),
            }
        }
    }
}

impl<'a> Visit<'a> for Hardener<'a> {
    fn visit_identifier_reference(&mut self, id: &IdentifierReference<'a>) {
        self.refer(id, false);
    }

    fn visit_binding_identifier(&mut self, id: &BindingIdentifier<'a>) {
        self.declared.insert(id.name.as_str());
    }

    fn visit_array_pattern(&mut self, pattern: &ArrayPattern<'a>) {
        if has_places(pattern) {
            let Span { start, end, .. } = pattern.span;
            self.edits.replace(Span::sized(start, 1), "{");
            for (place, element) in pattern.elements.iter().flatten().enumerate() {
                self.edits.insert(element.span().start, format!("{place}:"));
                self.visit_binding_pattern(element);
            }
            self.edits.replace(Span::sized(end - 1, 1), "}");
        } else {
            walk::walk_array_pattern(self, pattern);
        }
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        self.visit_binding_pattern(&declarator.id);
        let Some(init) = &declarator.init else { return };
        if let BindingPattern::ObjectPattern(pattern) = &declarator.id
            && let Some(id) = holder(init)
        {
            self.edits.insert(id.span.start, format!("{KEPT}."));
            let names = pattern.properties.iter().filter_map(|property| property.key.static_name());
            self.kept.extend(names.map(|name| format!("{}.{name}", id.name)));
            return;
        }
        let BindingPattern::ArrayPattern(pattern) = &declarator.id else {
            self.visit_expression(init);
            return;
        };
        let function = if has_places(pattern) { "at" } else { "of" };
        self.pass(init, function);
    }

    fn visit_assignment_expression(&mut self, expression: &AssignmentExpression<'a>) {
        if !matches!(expression.left, AssignmentTarget::ArrayAssignmentTarget(_)) {
            walk::walk_assignment_expression(self, expression);
            return;
        }
        self.visit_assignment_target(&expression.left);
        self.pass(&expression.right, "of");
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        if statement.r#await {
            walk::walk_for_of_statement(self, statement);
            return;
        }
        self.visit_for_statement_left(&statement.left);
        self.pass(&statement.right, "of");
        self.visit_statement(&statement.body);
    }

    fn visit_spread_element(&mut self, spread: &SpreadElement<'a>) {
        self.pass(&spread.argument, "of");
    }

    /// What is spread into an object is not iterated.
    fn visit_object_property_kind(&mut self, property: &ObjectPropertyKind<'a>) {
        match property {
            ObjectPropertyKind::SpreadProperty(spread) => self.visit_expression(&spread.argument),
            ObjectPropertyKind::ObjectProperty(property) => match &property.value {
                Expression::Identifier(id) if property.shorthand => self.refer(id, true),
                _ => self.visit_object_property(property),
            },
        }
    }

    fn visit_new_expression(&mut self, expression: &NewExpression<'a>) {
        let class =
            if let Expression::Identifier(id) = &expression.callee { id.name.as_str() } else { "" };
        if COLLECTIONS.contains(&class) {
            self.edits.insert(expression.callee.span().start, format!("{KEPT}."));
        } else {
            self.visit_expression(&expression.callee);
        }
        let iterates = MADE_OF.contains(&class);
        self.arguments(&expression.arguments, iterates);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.visit_expression(&call.callee);
        let iterates = matches!(&call.callee, Expression::StaticMemberExpression(member)
            if ITERATING.contains(&member.property.name.as_str())
                && matches!(&member.object, Expression::Identifier(id)
                    if ["Array", "Object", "Promise", "Uint8Array"].contains(&id.name.as_str())));
        self.arguments(&call.arguments, iterates);
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        match holder(&member.object) {
            Some(id) => {
                self.edits.insert(id.span.start, format!("{KEPT}."));
                self.kept.push(format!("{}.{}", id.name, member.property.name));
            }
            None => walk::walk_static_member_expression(self, member),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Hardened, harden};

    fn made(source: &str) -> Hardened {
        let language = ["Array", "Map", "Object", "Promise", "Set"].map(str::to_owned);
        harden(source, &language).expect("it parses")
    }

    fn hardened(source: &str) -> String {
        made(source).code
    }

    #[test]
    fn patterns_are_those_of_objects() {
        assert_eq!(hardened("const [a, b = 1] = x;"), "const {0:a, 1:b = 1} = $k.at(x);");
        assert_eq!(hardened("f(([a, [b]]) => a);"), "f(({0:a, 1:{0:b}}) => a);");
        assert_eq!(hardened("const [, a] = x;"), "const [, a] = $k.of(x);");
        assert_eq!(hardened("const [a, ...b] = x;"), "const [a, ...b] = $k.of(x);");
        assert_eq!(hardened("[a, b] = [b, a];"), "[a, b] = $k.of([b, a]);");
    }

    #[test]
    fn what_is_iterated_is_looked_at() {
        assert_eq!(
            hardened("for (const [a] of x) f(...a);"),
            "for (const {0:a} of $k.of(x)) f(...$k.of(a));"
        );
        assert_eq!(hardened("g({ ...x }, [...y]);"), "g({ ...x }, [...$k.of(y)]);");
        assert_eq!(
            hardened("new Set(x); new Map(); new Other.Map(x);"),
            "new $k.Set($k.of(x)); new $k.Map(); new Other.Map(x);"
        );
        assert_eq!(hardened("Array.from(x, f);"), "$k.Array.from($k.of(x), f);");
        assert_eq!(
            hardened("async () => { for await (const a of x); };"),
            "async () => { for await (const a of x); };"
        );
    }

    #[test]
    fn functions_of_the_language_are_kept() {
        assert_eq!(
            hardened("Object.keys(x); new Object();"),
            "$k.Object.keys(x); new $k.language[2]();"
        );
        assert_eq!(hardened("const { apply } = Reflect;"), "const { apply } = $k.Reflect;");
        let kept = made("const { apply, get: g } = Reflect; Object.keys(x)").kept;
        assert_eq!(kept, ["Reflect.apply", "Reflect.get", "Object.keys"]);
    }

    #[test]
    fn classes_of_the_language_are_kept() {
        assert_eq!(
            hardened(
                "const a = Promise.all, { Set: c } = d; c.Map({ Set, Map: 1, e: Array, f: new Map() });"
            ),
            "const a = $k.language[3].all, { Set: c } = d; c.Map({ Set:$k.language[4], Map: 1, e: $k.language[0], f: new $k.Map() });"
        );
        assert_eq!(
            hardened("class A extends Array {} new Date();"),
            "class A extends $k.language[0] {} new $k.Date();"
        );
        let own = "function f(Set) { return new Set.Of(); } typeof Other";
        assert_eq!(hardened(own), own);
    }
}
