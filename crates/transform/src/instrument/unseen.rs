//! What a text does that no inserted call can tell of.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::scope::ScopeFlags;

/// Why accesses at a place are not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unseen {
    /// `eval` or `Function` runs a text that is made while the program runs.
    Code,
    /// `arguments` of a function that is not strict stands for the function's parameters.
    Arguments,
}

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
    fn is_global(&self, expression: &Expression<'_>, name: &str) -> bool {
        matches!(expression, Expression::Identifier(reference)
            if reference.name == name
                && self.scoping.get_reference(reference.reference_id()).symbol_id().is_none())
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
    /// What is called with the arguments of another looks at them, as a rule.
    fn given<'a>(&mut self, argument: &Argument<'a>) {
        let given = match argument {
            Argument::SpreadElement(spread) => Some(&spread.argument),
            argument => argument.as_expression(),
        };
        match given {
            Some(Expression::Identifier(reference)) if reference.name == "arguments" => {
                self.uses_arguments(reference.span.start, false);
            }
            Some(expression) => self.visit_expression(expression),
            None => {}
        }
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

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if self.is_global(&call.callee, "eval") || self.is_global(&call.callee, "Function") {
            self.found.push((call.span.start, Unseen::Code));
        }
        self.visit_expression(&call.callee);
        call.arguments.iter().for_each(|argument| self.given(argument));
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        if self.is_global(&new.callee, "Function") {
            self.found.push((new.span.start, Unseen::Code));
        }
        self.visit_expression(&new.callee);
        new.arguments.iter().for_each(|argument| self.given(argument));
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        if let AssignmentTarget::ComputedMemberExpression(member) = &assignment.left
            && self.property(member, true)
        {
            self.visit_expression(&member.expression);
            self.visit_expression(&assignment.right);
            return;
        }
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        if let SimpleAssignmentTarget::ComputedMemberExpression(member) = &update.argument
            && self.property(member, true)
        {
            self.visit_expression(&member.expression);
            return;
        }
        walk::walk_update_expression(self, update);
    }

    fn visit_computed_member_expression(&mut self, member: &ComputedMemberExpression<'a>) {
        if self.property(member, false) {
            self.visit_expression(&member.expression);
            return;
        }
        walk::walk_computed_member_expression(self, member);
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        if !self.is_global(&member.object, "arguments") {
            walk::walk_static_member_expression(self, member);
        }
    }

    /// Who has the object may do anything with it.
    fn visit_identifier_reference(&mut self, reference: &IdentifierReference<'a>) {
        if reference.name == "arguments" {
            self.uses_arguments(reference.span.start, true);
        }
    }
}
