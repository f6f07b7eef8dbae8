//! The places that values are assigned to.

use oxc_ast::ast::*;

/// What is assigned to, without what a type says of it.
pub(super) enum Place<'b, 'a> {
    Variable(&'b IdentifierReference<'a>),
    Member(&'b MemberExpression<'a>),
}

/// The place that a target stands for; none where it is not one.
pub(super) fn place<'b, 'a>(target: &'b SimpleAssignmentTarget<'a>) -> Option<Place<'b, 'a>> {
    if let SimpleAssignmentTarget::AssignmentTargetIdentifier(reference) = target {
        return Some(Place::Variable(reference));
    }
    if let Some(member) = target.as_member_expression() {
        return Some(Place::Member(member));
    }
    match target.get_expression()?.get_inner_expression() {
        Expression::Identifier(reference) => Some(Place::Variable(reference)),
        inner => inner.as_member_expression().map(Place::Member),
    }
}
