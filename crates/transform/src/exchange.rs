//! Globals whose values the runtime exchanges where a text takes them.

use crate::rewrite::Rewriter;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;

/// The names of the global object whose properties are called as globals are.
const GLOBAL_OBJECTS: [&str; 2] = ["globalThis", "global"];

/// Up to so many arguments a function and what it is exchanged for do the same.
const SAME_UP_TO: usize = 2;

impl<'a> Rewriter<'_> {
    /// Whether an expression is nothing but the name of an exchanged global.
    pub(crate) fn is_exchanged(&self, expression: &Expression<'_>) -> bool {
        matches!(expression, Expression::Identifier(id) if self.is_exchanged_name(&id.name))
    }

    fn is_exchanged_name(&self, name: &str) -> bool {
        self.names.exchanged.contains(&name)
    }

    /// Lets the runtime exchange the value of an expression.
    pub(crate) fn exchange(&mut self, expression: &Expression<'a>) {
        self.uses_context = true;
        let span = expression.span();
        self.edits.insert(span.start, self.names.exchange_start());
        walk::walk_expression(self, expression);
        self.edits.insert(span.end, self.names.exchange_end());
    }

    /// Visits an operand that is compared, asked for its type or for a property, but goes nowhere.
    pub(crate) fn untaken(&mut self, operand: &Expression<'a>) {
        if self.is_exchanged(operand) {
            walk::walk_expression(self, operand);
        } else {
            self.visit_expression(operand);
        }
    }

    /// Visits the operands of a comparison. Whoever compares such a function asks whether it is that of the library.
    pub(crate) fn operand(&mut self, operand: &Expression<'a>, is_exchanged: bool) {
        if is_exchanged {
            self.exchange(operand);
        } else {
            self.untaken(operand);
        }
    }

    /// Whether a comparison is one of functions, of which one is exchanged.
    pub(crate) fn compares_exchanged(&self, expression: &BinaryExpression<'_>) -> bool {
        let is_ours = |side| self.is_exchanged(side) || self.is_global_member(side);
        let (left, right) = (&expression.left, &expression.right);
        expression.operator.is_equality()
            && (is_ours(left) && may_be_function(right) || is_ours(right) && may_be_function(left))
    }

    /// `{ setTimeout }` becomes `{ setTimeout:$h.t(setTimeout) }`.
    pub(crate) fn object_property(&mut self, property: &ObjectProperty<'a>) {
        match &property.value {
            Expression::Identifier(id)
                if property.shorthand && self.is_exchanged_name(&id.name) =>
            {
                self.uses_context = true;
                let start = self.names.exchange_property_start(&id.name);
                self.edits.insert(property.span.start, start);
                self.edits.insert(property.span.end, self.names.exchange_end());
            }
            value => {
                if let (true, Expression::Identifier(id)) = (property.shorthand, value) {
                    self.merged_property(id);
                }
                walk::walk_object_property(self, property);
            }
        }
    }

    /// A call with so few arguments that it does not matter which function it calls stays as it is.
    pub(crate) fn call(&mut self, call: &CallExpression<'a>) {
        let matters = call.arguments.len() > SAME_UP_TO
            || call.arguments.iter().any(|argument| matches!(argument, Argument::SpreadElement(_)));
        if matters && self.is_global_member(&call.callee) {
            self.exchange(&call.callee);
        } else if matters {
            self.visit_expression(&call.callee);
        } else {
            self.untaken(&call.callee);
        }
        if let Some(types) = &call.type_arguments {
            self.visit_ts_type_parameter_instantiation(types);
        }
        self.arguments(&call.callee, &call.arguments);
    }

    /// `globalThis.setTimeout`.
    fn is_global_member(&self, callee: &Expression<'_>) -> bool {
        let Expression::StaticMemberExpression(member) = callee else { return false };
        let is_global = matches!(&member.object, Expression::Identifier(id)
            if GLOBAL_OBJECTS.contains(&id.name.as_str()));
        is_global && !member.optional && self.is_exchanged_name(&member.property.name)
    }

    /// A call cannot stand between `new` and its arguments.
    pub(crate) fn new_expression(&mut self, expression: &NewExpression<'a>) {
        match &expression.callee {
            Expression::StaticMemberExpression(member) => self.untaken(&member.object),
            callee => self.untaken(callee),
        }
        if let Some(types) = &expression.type_arguments {
            self.visit_ts_type_parameter_instantiation(types);
        }
        self.arguments(&expression.callee, &expression.arguments);
    }

    /// `setTimeout.call(…)` takes the function; another property is one of the global itself.
    pub(crate) fn static_member(&mut self, member: &StaticMemberExpression<'a>) {
        if matches!(member.property.name.as_str(), "call" | "apply" | "bind") {
            self.visit_expression(&member.object);
        } else {
            self.untaken(&member.object);
        }
    }
}

/// Whether the value of an expression may be a function, as far as its syntax tells.
fn may_be_function(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::Identifier(name) => name.name != "undefined",
        _ => expression.is_member_expression(),
    }
}
