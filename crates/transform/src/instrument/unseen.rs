//! What a text does that no inserted call can tell of.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::scope::ScopeFlags;

/// Why accesses at a place are not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unseen {
    /// `eval`, `Function` or `vm` runs a text that is made while the program runs.
    Code,
    /// `arguments` of a function that is not strict stands for the function's parameters.
    Arguments,
    /// A name within `with` is a variable, or a property of the object.
    With,
    /// A name of another module stands for a variable that this one changes.
    Imported,
}

/// Methods of lists that change the list.
const CHANGING: &[&str] =
    &["copyWithin", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"];

/// The places of all such accesses, as offsets.
pub(super) fn find(program: &Program<'_>, scoping: &Scoping) -> Vec<(u32, Unseen)> {
    let mut finder = Finder { scoping, found: Vec::new(), functions: Vec::new() };
    finder.visit_program(program);
    finder.found
}

struct Finder<'s> {
    scoping: &'s Scoping,
    found: Vec<(u32, Unseen)>,
    /// For each function around that has `arguments`, what these stand for.
    functions: Vec<Mapped>,
}

/// What `arguments` of a function stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mapped {
    /// Nothing but the arguments.
    Nothing,
    /// Its parameters, which it does not change itself.
    Parameters,
    /// Its parameters, which it changes.
    Changing,
}

impl Finder<'_> {
    /// Whether the text does not declare what a name stands for.
    fn is_free(&self, reference: &IdentifierReference<'_>) -> bool {
        self.scoping.get_reference(reference.reference_id()).symbol_id().is_none()
    }

    fn is_global(&self, expression: &Expression<'_>, name: &str) -> bool {
        matches!(expression, Expression::Identifier(reference)
            if reference.name == name && self.is_free(reference))
    }

    fn makes_code(&mut self, offset: u32) {
        self.found.push((offset, Unseen::Code));
    }

    /// Notes a use of `arguments` that only reads, or one that may also write.
    fn uses_arguments(&mut self, offset: u32, writes: bool) {
        match self.functions.last() {
            Some(Mapped::Changing) => self.found.push((offset, Unseen::Arguments)),
            Some(Mapped::Parameters) if writes => self.found.push((offset, Unseen::Arguments)),
            _ => {}
        }
    }

    /// Visits a property of `arguments`; false if the object is something else.
    fn property(&mut self, member: &ComputedMemberExpression<'_>, writes: bool) -> bool {
        let is_arguments = self.is_global(&member.object, "arguments");
        if is_arguments {
            self.uses_arguments(member.span.start, writes);
        }
        is_arguments
    }
}

impl Finder<'_> {
    /// What a function is called with. One that gets all of `arguments` may write to them, but for those
    /// that are known to look at them only.
    fn given<'a>(&mut self, callee: &Expression<'a>, arguments: &[Argument<'a>]) {
        for argument in arguments {
            let (given, spread) = match argument {
                Argument::SpreadElement(spread) => (Some(&spread.argument), true),
                argument => (argument.as_expression(), false),
            };
            match given {
                Some(Expression::Identifier(reference)) if reference.name == "arguments" => {
                    self.uses_arguments(reference.span.start, !spread && !only_reads(callee));
                }
                Some(expression) => self.visit_expression(expression),
                None => {}
            }
        }
    }

    /// Notes a call that gives the program the module `vm`.
    fn gives_modules(&mut self, call: &CallExpression<'_>) {
        let gives = match &call.callee {
            Expression::Identifier(callee) => callee.name == "require",
            callee => property_of(callee).is_some_and(|(_, name)| name == "getBuiltinModule"),
        };
        if gives
            && let Some(Argument::StringLiteral(module)) = call.arguments.first()
            && is_vm(&module.value)
        {
            self.makes_code(call.span.start);
        }
    }
}

fn is_vm(module: &str) -> bool {
    module.strip_prefix("node:").unwrap_or(module) == "vm"
}

/// The object and the name of a property that is written with its name.
fn property_of<'b, 'a>(expression: &'b Expression<'a>) -> Option<(&'b Expression<'a>, &'b str)> {
    let member = expression.as_member_expression()?;
    Some((member.object(), member.static_property_name()?))
}

/// Whether a function that is called with `arguments` leaves them as they are.
fn only_reads(callee: &Expression<'_>) -> bool {
    match property_of(callee) {
        Some((_, "apply" | "from")) => true,
        Some((method, "call")) => {
            property_of(method).is_some_and(|(_, name)| !CHANGING.contains(&name))
        }
        Some((Expression::Identifier(object), name)) => match object.name.as_str() {
            "console" | "JSON" => true,
            "Object" => matches!(name, "entries" | "keys" | "values"),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a value is certainly a function, or what functions inherit from.
fn is_of_functions(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::ParenthesizedExpression(inner) => is_of_functions(&inner.expression),
        Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => true,
        Expression::CallExpression(call) => {
            property_of(&call.callee).is_some_and(|(_, name)| name == "getPrototypeOf")
                && call
                    .arguments
                    .first()
                    .is_some_and(|argument| argument.as_expression().is_some_and(is_of_functions))
        }
        _ => false,
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let strict = self.scoping.scope_flags(function.scope_id()).is_strict_mode();
        let params = &function.params;
        let mut symbols = Vec::new();
        let mut simple = params.rest.is_none();
        for item in &params.items {
            match &item.pattern {
                BindingPattern::BindingIdentifier(name) if item.initializer.is_none() => {
                    symbols.push(name.symbol_id());
                }
                _ => simple = false,
            }
        }
        let mapped = if strict || !simple || symbols.is_empty() {
            Mapped::Nothing
        } else if symbols.iter().any(|&symbol| self.scoping.symbol_is_mutated(symbol)) {
            Mapped::Changing
        } else {
            Mapped::Parameters
        };
        self.functions.push(mapped);
        walk::walk_function(self, function, flags);
        self.functions.pop();
    }

    fn visit_with_statement(&mut self, statement: &WithStatement<'a>) {
        self.found.push((statement.span.start, Unseen::With));
        walk::walk_with_statement(self, statement);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.gives_modules(call);
        self.visit_expression(&call.callee);
        self.given(&call.callee, &call.arguments);
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        match self.is_global(&new.callee, "Function") {
            true => self.makes_code(new.span.start),
            false => self.visit_expression(&new.callee),
        }
        self.given(&new.callee, &new.arguments);
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        if let Expression::StringLiteral(module) = &import.source
            && is_vm(&module.value)
        {
            self.makes_code(import.span.start);
        }
        walk::walk_import_expression(self, import);
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        if is_vm(&import.source.value) {
            self.makes_code(import.span.start);
        }
    }

    /// Comparing with `Function` makes no code.
    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        for side in [&binary.left, &binary.right] {
            if !self.is_global(side, "Function") {
                self.visit_expression(side);
            }
        }
    }

    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'a>) {
        if let SimpleAssignmentTarget::ComputedMemberExpression(member) = target
            && self.property(member, true)
        {
            self.visit_expression(&member.expression);
            return;
        }
        walk::walk_simple_assignment_target(self, target);
    }

    fn visit_computed_member_expression(&mut self, member: &ComputedMemberExpression<'a>) {
        if self.property(member, false) {
            self.visit_expression(&member.expression);
            return;
        }
        walk::walk_computed_member_expression(self, member);
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        let (object, name) = (&member.object, member.property.name.as_str());
        let of_all = self.is_global(object, "globalThis") || self.is_global(object, "global");
        if of_all && matches!(name, "eval" | "Function")
            || name == "constructor" && is_of_functions(object)
        {
            self.makes_code(member.span.start);
        }
        // What is inherited from is no code; what is called by way of `Function.call` is.
        let inherits = name == "prototype" && self.is_global(object, "Function");
        if !inherits && !self.is_global(object, "arguments") {
            walk::walk_static_member_expression(self, member);
        }
    }

    /// Who has the object, or the function that makes code, may do anything with it.
    fn visit_identifier_reference(&mut self, reference: &IdentifierReference<'a>) {
        match reference.name.as_str() {
            "arguments" => self.uses_arguments(reference.span.start, true),
            "eval" | "Function" if self.is_free(reference) => {
                self.makes_code(reference.span.start);
            }
            _ => {}
        }
    }

    // Types do nothing.
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_class_implements(&mut self, _: &TSClassImplements<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}
}
