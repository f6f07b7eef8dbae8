//! Which names a CommonJS module exports, found without running it.
//!
//! Node finds them with a scanner that knows the shapes compilers write, and some that people do.
//! The same shapes are found here in the syntax tree, with the scanner's limits where a program can
//! tell: an object's properties count up to the first value that is more than a name.

use crate::depth::{is_too_deep, with_room};
use crate::text::word_at;
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};
use oxc_syntax::scope::ScopeFlags;
use std::collections::BTreeMap;

/// What a CommonJS module exports, as far as its text tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exports {
    /// The names, in the order of their first appearance.
    pub names: Vec<String>,
    /// The specifiers of modules whose names it exports as well.
    pub reexports: Vec<String>,
}

/// Finds the exports of a CommonJS text, as Node does for `import { name } from 'file.cjs'`.
///
/// A text that does not parse has none.
#[must_use]
pub fn common_js_exports(source: &str) -> Exports {
    let source = crate::without_hashbang(source);
    if !source.contains("export") || is_too_deep(&source) {
        return Exports::default();
    }
    with_room(&source, || find_exports(&source)).unwrap_or_default()
}

fn find_exports(source: &str) -> Exports {
    let allocator = Allocator::default();
    let returned = Parser::new(&allocator, source, SourceType::cjs()).parse();
    if returned.panicked {
        return Exports::default();
    }
    let mut finder =
        Finder { text: source, found: Exports::default(), required: BTreeMap::new(), depth: 0 };
    finder.visit_program(&returned.program);
    finder.found
}

struct Finder<'s> {
    text: &'s str,
    found: Exports,
    /// Variables that hold a required module, with its specifier.
    required: BTreeMap<String, String>,
    /// How many blocks and functions are around.
    depth: usize,
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        if assignment.operator == AssignmentOperator::Assign {
            self.assignment(&assignment.left, &assignment.right);
        }
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.define_property(call);
        if self.depth == 0 {
            self.export_star(call);
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'a>) {
        if self.depth == 0
            && let Expression::CallExpression(call) = &statement.expression
        {
            self.export_each(call);
        }
        walk::walk_expression_statement(self, statement);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if self.depth == 0
            && let BindingPattern::BindingIdentifier(id) = &declarator.id
            && let Some(init) = &declarator.init
            && let Some(specifier) = required(init).or_else(|| required_wildcard(init))
        {
            self.required.insert(id.name.to_string(), specifier.to_owned());
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        self.depth += 1;
        walk::walk_block_statement(self, block);
        self.depth -= 1;
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.depth += 1;
        walk::walk_function(self, function, flags);
        self.depth -= 1;
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        self.depth += 1;
        walk::walk_arrow_function_expression(self, function);
        self.depth -= 1;
    }
}

impl Finder<'_> {
    fn name(&mut self, name: &str) {
        if !self.found.names.iter().any(|known| known == name) {
            self.found.names.push(name.to_owned());
        }
    }

    fn reexport(&mut self, specifier: &str) {
        if !self.found.reexports.iter().any(|known| known == specifier) {
            self.found.reexports.push(specifier.to_owned());
        }
    }

    /// `exports.a = …`, `module.exports['a'] = …`, `module.exports = …`.
    fn assignment(&mut self, left: &AssignmentTarget<'_>, right: &Expression<'_>) {
        match left {
            AssignmentTarget::StaticMemberExpression(member) if is_exports(&member.object) => {
                self.name(&member.property.name);
            }
            AssignmentTarget::ComputedMemberExpression(member) if is_exports(&member.object) => {
                if let Some(name) = string_name(&member.expression) {
                    self.name(&name);
                }
            }
            AssignmentTarget::StaticMemberExpression(member)
                if is_identifier(&member.object, "module") && member.property.name == "exports" =>
            {
                self.found.reexports.clear();
                if let Expression::ObjectExpression(object) = right {
                    self.literal(object);
                } else if let Some(specifier) = leftmost_required(right) {
                    self.reexport(specifier);
                }
            }
            _ => {}
        }
    }

    fn literal(&mut self, object: &ObjectExpression<'_>) {
        for property in &object.properties {
            let go_on = match property {
                ObjectPropertyKind::ObjectProperty(property) => self.property(property),
                ObjectPropertyKind::SpreadProperty(spread) => {
                    if let Some(specifier) = leftmost_required(&spread.argument) {
                        self.reexport(specifier);
                    }
                    matches!(spread.argument, Expression::Identifier(_))
                        || required(&spread.argument).is_some()
                }
            };
            if !go_on {
                return;
            }
        }
    }

    /// Whether the scanner would go on after the property.
    fn property(&mut self, property: &ObjectProperty<'_>) -> bool {
        // `get`, `set` and `async` are names to it.
        let name = match &property.key {
            PropertyKey::StaticIdentifier(_) => word_at(self.text, property.span.start).to_owned(),
            PropertyKey::StringLiteral(literal)
                if !property.computed
                    && !property.method
                    && property.kind == PropertyKind::Init =>
            {
                match text_of(literal) {
                    Some(name) => name,
                    None => return false,
                }
            }
            _ => return false,
        };
        if name.is_empty() {
            return false;
        }
        if property.shorthand || property.method || property.kind != PropertyKind::Init {
            self.name(&name);
            return property.shorthand;
        }
        let value = property.value.span();
        let word = word_at(self.text, value.start).len();
        if word > 0 {
            self.name(&name);
        }
        word == value.size() as usize
    }

    /// `Object.defineProperty(exports, 'a', { enumerable: true, get() { return x.y } })`.
    fn define_property(&mut self, call: &CallExpression<'_>) {
        if !is_member(&call.callee, "Object", "defineProperty") {
            return;
        }
        let [object, name, descriptor, ..] = call.arguments.as_slice() else { return };
        let (Some(object), Some(name), Some(Expression::ObjectExpression(descriptor))) =
            (object.as_expression(), name.as_expression(), descriptor.as_expression())
        else {
            return;
        };
        if is_exports(object)
            && let Some(name) = string_name(name)
            && is_plain_descriptor(descriptor)
        {
            self.name(&name);
        }
    }

    /// `__exportStar(require('x'), exports)` and `__export(require('x'))`.
    fn export_star(&mut self, call: &CallExpression<'_>) {
        let is_star = |name: &str| name == "__exportStar" || name == "__export";
        let star = match &call.callee {
            Expression::Identifier(id) => is_star(&id.name),
            Expression::StaticMemberExpression(member) => is_star(&member.property.name),
            _ => false,
        };
        if star
            && let Some(argument) = call.arguments.first().and_then(Argument::as_expression)
            && let Some(specifier) = required(argument)
        {
            self.reexport(specifier);
        }
    }

    /// `Object.keys(x).forEach(function (k) { if (k === 'default' …) return; exports[k] = x[k] })`.
    fn export_each(&mut self, call: &CallExpression<'_>) {
        let Expression::StaticMemberExpression(callee) = &call.callee else { return };
        let Expression::CallExpression(keys) = &callee.object else { return };
        if callee.property.name != "forEach" || !is_member(&keys.callee, "Object", "keys") {
            return;
        }
        let (Some(Argument::Identifier(module)), Some(Argument::FunctionExpression(callback))) =
            (keys.arguments.first(), call.arguments.first())
        else {
            return;
        };
        let (Some(specifier), Some(body)) =
            (self.required.get(module.name.as_str()), &callback.body)
        else {
            return;
        };
        let Some(Statement::IfStatement(first)) = body.statements.first() else { return };
        let test = &self.text[first.test.span().start as usize..first.test.span().end as usize];
        let last = match (&first.consequent, body.statements.last()) {
            (Statement::ExpressionStatement(statement), _) => Some(statement),
            (_, Some(Statement::ExpressionStatement(statement))) => Some(statement),
            _ => None,
        };
        let exports_key = last.is_some_and(|statement| match &statement.expression {
            Expression::AssignmentExpression(assignment) => match &assignment.left {
                AssignmentTarget::ComputedMemberExpression(member) => is_exports(&member.object),
                _ => false,
            },
            Expression::CallExpression(call) => {
                is_member(&call.callee, "Object", "defineProperty")
                    && matches!(call.arguments.first().and_then(Argument::as_expression),
                        Some(object) if is_exports(object))
            }
            _ => false,
        });
        if exports_key && test.contains("default") {
            let specifier = specifier.clone();
            self.reexport(&specifier);
        }
    }
}

fn is_identifier(expression: &Expression<'_>, name: &str) -> bool {
    matches!(expression, Expression::Identifier(id) if id.name == name)
}

fn is_member(expression: &Expression<'_>, object: &str, property: &str) -> bool {
    matches!(expression, Expression::StaticMemberExpression(member)
        if is_identifier(&member.object, object) && member.property.name == property)
}

fn is_exports(expression: &Expression<'_>) -> bool {
    is_identifier(expression, "exports") || is_member(expression, "module", "exports")
}

fn string<'b>(expression: &'b Expression<'_>) -> Option<&'b str> {
    match expression {
        Expression::StringLiteral(literal) if !literal.lone_surrogates => {
            Some(literal.value.as_str())
        }
        _ => None,
    }
}

/// The name that a string literal is.
fn string_name(expression: &Expression<'_>) -> Option<String> {
    match expression {
        Expression::StringLiteral(literal) => text_of(literal),
        _ => None,
    }
}

/// The text of a literal; nothing if it has half of a character.
///
/// The parser takes two halves that are escaped in braces for lone ones, and writes each as U+FFFD and its digits.
fn text_of(literal: &StringLiteral<'_>) -> Option<String> {
    let value = literal.value.as_str();
    if !literal.lone_surrogates {
        return Some(value.to_owned());
    }
    let mut pieces = value.split(char::REPLACEMENT_CHARACTER);
    let mut units: Vec<u16> = pieces.next()?.encode_utf16().collect();
    for piece in pieces {
        let (digits, rest) = piece.split_at_checked(4)?;
        units.push(u16::from_str_radix(digits, 16).ok()?);
        units.extend(rest.encode_utf16());
    }
    String::from_utf16(&units).ok()
}

/// The specifier of `require('x')`.
fn required<'b>(expression: &'b Expression<'_>) -> Option<&'b str> {
    match expression {
        Expression::CallExpression(call) if is_identifier(&call.callee, "require") => {
            match call.arguments.as_slice() {
                [argument] => string(argument.as_expression()?),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The specifier of `_interopRequireWildcard(require('x'))`.
fn required_wildcard<'b>(expression: &'b Expression<'_>) -> Option<&'b str> {
    match expression {
        Expression::CallExpression(call)
            if is_identifier(&call.callee, "_interopRequireWildcard") =>
        {
            required(call.arguments.first()?.as_expression()?)
        }
        _ => None,
    }
}

/// The specifier of an expression that begins with `require('x')`.
fn leftmost_required<'b>(expression: &'b Expression<'_>) -> Option<&'b str> {
    let mut expression = expression;
    loop {
        if let Some(specifier) = required(expression) {
            return Some(specifier);
        }
        expression = match expression {
            Expression::CallExpression(call) => &call.callee,
            Expression::StaticMemberExpression(member) => &member.object,
            Expression::ComputedMemberExpression(member) => &member.object,
            Expression::LogicalExpression(logical) => &logical.left,
            Expression::BinaryExpression(binary) => &binary.left,
            Expression::ConditionalExpression(conditional) => &conditional.test,
            Expression::SequenceExpression(sequence) => sequence.expressions.first()?,
            _ => return None,
        };
    }
}

/// `{ [enumerable: true,] value: … }`, or a getter that returns a variable or a property of one.
fn is_plain_descriptor(descriptor: &ObjectExpression<'_>) -> bool {
    let mut properties = descriptor.properties.iter().map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) if !property.computed => Some(property),
        _ => None,
    });
    let key =
        |property: &ObjectProperty<'_>| property.key.static_name().map(|key| key.into_owned());
    let mut property = properties.next().flatten();
    if let Some(first) = property
        && key(first).as_deref() == Some("enumerable")
    {
        match &first.value {
            Expression::BooleanLiteral(literal) if literal.value => {}
            _ => return false,
        }
        property = properties.next().flatten();
    }
    let Some(property) = property else { return false };
    match (key(property).as_deref(), &property.value) {
        (Some("value"), _) => true,
        (Some("get"), Expression::FunctionExpression(function)) => {
            function.body.as_ref().is_some_and(|body| returns_reference(body))
        }
        _ => false,
    }
}

fn returns_reference(body: &FunctionBody<'_>) -> bool {
    let [Statement::ReturnStatement(statement)] = body.statements.as_slice() else { return false };
    match &statement.argument {
        Some(Expression::Identifier(_)) => true,
        Some(Expression::StaticMemberExpression(member)) => {
            matches!(member.object, Expression::Identifier(_))
        }
        Some(Expression::ComputedMemberExpression(member)) => {
            matches!(member.object, Expression::Identifier(_))
                && string(&member.expression).is_some()
        }
        _ => false,
    }
}
