//! `==` and `!=` of what may be two long strings, which the engine does not compare rightly.

use crate::goal::LONG;
use crate::rewrite::Rewriter;
use crate::text::skip_trivia;
use oxc_ast::ast::*;
use oxc_span::GetSpan;

impl<'a> Rewriter<'_> {
    /// Whether the runtime has to compare the operands.
    pub(crate) fn compares_strings(&self, expression: &BinaryExpression<'_>) -> bool {
        let is_loose =
            matches!(expression.operator, BinaryOperator::Equality | BinaryOperator::Inequality);
        is_loose && may_be_long(&expression.left) && may_be_long(&expression.right)
    }

    /// `a == b` becomes `$h.q(a ,$h, b,$h)`.
    pub(crate) fn compared(&mut self, expression: &BinaryExpression<'a>) {
        self.uses_context = true;
        let is_exchanged = self.compares_exchanged(expression);
        let operator = skip_trivia(self.text, expression.left.span().end);
        let operator = Span::sized(operator, expression.operator.as_str().len() as u32);
        let is_equality = expression.operator == BinaryOperator::Equality;
        self.edits.insert(expression.span.start, self.names.compare_start(is_equality));
        self.operand(&expression.left, is_exchanged);
        self.edits.replace(operator, self.names.compare_between(is_equality));
        self.operand(&expression.right, is_exchanged);
        self.edits.insert(expression.span.end, self.names.compare_end());
    }
}

/// Whether the value of an expression may be a text that the engine keeps in pieces, as far as its syntax tells.
fn may_be_long(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::StringLiteral(text) => text.value.len() > LONG,
        Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BigIntLiteral(_)
        | Expression::RegExpLiteral(_)
        | Expression::UpdateExpression(_)
        | Expression::UnaryExpression(_) => false,
        Expression::Identifier(name) => name.name != "undefined",
        Expression::BinaryExpression(binary) => binary.operator == BinaryOperator::Addition,
        Expression::StaticMemberExpression(member) => member.property.name != "length",
        Expression::ParenthesizedExpression(inner) => may_be_long(&inner.expression),
        _ => true,
    }
}
