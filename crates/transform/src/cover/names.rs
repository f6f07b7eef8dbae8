//! The names that V8 gives to functions in reports.

use oxc_ast::ast::*;

/// The name of a property or method by its key; nothing where that is computed.
pub(super) fn of_key(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.to_string()),
        PropertyKey::PrivateIdentifier(name) => Some(format!("#{}", name.name)),
        PropertyKey::StringLiteral(text) => Some(text.value.to_string()),
        PropertyKey::NumericLiteral(number) => Some(number.value.to_string()),
        _ => None,
    }
}

/// The name of what a pattern binds, if it is one variable.
pub(super) fn of_pattern(pattern: &BindingPattern<'_>) -> Option<String> {
    pattern.get_identifier_name().map(|name| name.to_string())
}

/// The name of what is assigned to: all of `a.b.c`.
pub(super) fn of_target(target: &AssignmentTarget<'_>) -> Option<String> {
    match target {
        AssignmentTarget::AssignmentTargetIdentifier(name) => Some(name.name.to_string()),
        AssignmentTarget::StaticMemberExpression(member) => Some(of_member(member)),
        AssignmentTarget::ComputedMemberExpression(member) => {
            let key = match &member.expression {
                Expression::StringLiteral(text) => text.value.as_str(),
                _ => "<computed>",
            };
            Some(join(of_object(&member.object), key))
        }
        _ => None,
    }
}

fn of_member(member: &StaticMemberExpression<'_>) -> String {
    join(of_object(&member.object), member.property.name.as_str())
}

fn of_object(object: &Expression<'_>) -> Option<String> {
    match object {
        Expression::Identifier(name) => Some(name.name.to_string()),
        Expression::StaticMemberExpression(member) => Some(of_member(member)),
        _ => None,
    }
}

fn join(object: Option<String>, key: &str) -> String {
    object.map_or_else(|| key.to_owned(), |object| format!("{object}.{key}"))
}
