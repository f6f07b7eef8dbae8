//! Expressions as V8 names them in messages, and where it says that they are.

use crate::text::skip_trivia;
use oxc_ast::ast::*;
use oxc_span::GetSpan;

/// What stands for a value that has no name.
pub(super) const VALUE: &str = "(intermediate value)";

/// The expression without parentheses and types around it.
pub(super) fn bare<'b, 'a>(expression: &'b Expression<'a>) -> &'b Expression<'a> {
    match expression {
        Expression::ParenthesizedExpression(inner) => bare(&inner.expression),
        Expression::TSAsExpression(inner) => bare(&inner.expression),
        Expression::TSSatisfiesExpression(inner) => bare(&inner.expression),
        Expression::TSNonNullExpression(inner) => bare(&inner.expression),
        Expression::TSTypeAssertion(inner) => bare(&inner.expression),
        _ => expression,
    }
}

/// How an expression is named.
pub(super) fn name(expression: &Expression<'_>) -> String {
    match bare(expression) {
        Expression::Identifier(identifier) => identifier.name.to_string(),
        Expression::ThisExpression(_) => "this".to_owned(),
        Expression::NullLiteral(_) => "null".to_owned(),
        Expression::BooleanLiteral(literal) => literal.value.to_string(),
        Expression::NumericLiteral(literal) => number(literal.value),
        Expression::StringLiteral(literal) => format!("\"{}\"", literal.value),
        Expression::RegExpLiteral(literal) => literal.regex.to_string(),
        Expression::TemplateLiteral(literal) => match plain_template(literal) {
            Some(text) => format!("\"{text}\""),
            None => literal.expressions.iter().map(name).collect(),
        },
        Expression::StaticMemberExpression(member) => static_member(member),
        Expression::ComputedMemberExpression(member) => computed_member(member),
        Expression::PrivateFieldExpression(member) => private_member(member),
        Expression::ChainExpression(chain) => match &chain.expression {
            ChainElement::StaticMemberExpression(member) => static_member(member),
            ChainElement::ComputedMemberExpression(member) => computed_member(member),
            ChainElement::PrivateFieldExpression(member) => private_member(member),
            _ => VALUE.to_owned(),
        },
        Expression::CallExpression(call) => format!("{}(...)", name(&call.callee)),
        Expression::TaggedTemplateExpression(tagged) => format!("{}(...)", name(&tagged.tag)),
        Expression::ImportExpression(import) => format!("ImportCall({})", name(&import.source)),
        Expression::ObjectExpression(object) => {
            format!("{{{}}}", VALUE.repeat(object.properties.len()))
        }
        Expression::ArrayExpression(array) => {
            let elements: Vec<String> = array
                .elements
                .iter()
                .map(|element| match element {
                    ArrayExpressionElement::SpreadElement(spread) => {
                        format!("...{}", name(&spread.argument))
                    }
                    element => element.as_expression().map(name).unwrap_or_default(),
                })
                .collect();
            format!("[{}]", elements.join(","))
        }
        Expression::BinaryExpression(binary) => {
            format!("({} {} {})", name(&binary.left), binary.operator.as_str(), name(&binary.right))
        }
        Expression::LogicalExpression(logical) => {
            format!(
                "({} {} {})",
                name(&logical.left),
                logical.operator.as_str(),
                name(&logical.right)
            )
        }
        Expression::UnaryExpression(unary) => match (unary.operator, bare(&unary.argument)) {
            (UnaryOperator::UnaryNegation, Expression::NumericLiteral(literal)) => {
                number(-literal.value)
            }
            (operator, argument) => {
                let word = operator.as_str();
                let space = if word.ends_with(char::is_alphabetic) { " " } else { "" };
                format!("({word}{space}{})", name(argument))
            }
        },
        Expression::UpdateExpression(update) => {
            let target = target(&update.argument);
            match update.prefix {
                true => format!("({}{target})", update.operator.as_str()),
                false => format!("({target}{})", update.operator.as_str()),
            }
        }
        Expression::SequenceExpression(sequence) => {
            let parts: Vec<String> = sequence.expressions.iter().map(name).collect();
            format!("({})", parts.join(" , "))
        }
        Expression::ConditionalExpression(_) => VALUE.repeat(3),
        Expression::AssignmentExpression(assignment) => {
            match assignment.left.as_simple_assignment_target() {
                Some(left) => target(left),
                None => VALUE.to_owned(),
            }
        }
        Expression::NewTarget(_) => ".new.target".to_owned(),
        _ => VALUE.to_owned(),
    }
}

fn static_member(member: &StaticMemberExpression<'_>) -> String {
    let dot = if member.optional { "?." } else { "." };
    format!("{}{dot}{}", name(&member.object), member.property.name)
}

fn computed_member(member: &ComputedMemberExpression<'_>) -> String {
    let object = name(&member.object);
    let key = match bare(&member.expression) {
        Expression::StringLiteral(literal) => Some(literal.value.to_string()),
        Expression::TemplateLiteral(literal) => plain_template(literal),
        _ => None,
    };
    match (key, member.optional) {
        (Some(key), false) => format!("{object}.{key}"),
        (Some(key), true) => format!("{object}?.{key}"),
        (None, false) => format!("{object}[{}]", name(&member.expression)),
        (None, true) => format!("{object}?.[{}]", name(&member.expression)),
    }
}

fn private_member(member: &PrivateFieldExpression<'_>) -> String {
    format!("{}[#{}]", name(&member.object), member.field.name)
}

fn target(target: &SimpleAssignmentTarget<'_>) -> String {
    match target {
        SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) => {
            identifier.name.to_string()
        }
        SimpleAssignmentTarget::StaticMemberExpression(member) => static_member(member),
        SimpleAssignmentTarget::ComputedMemberExpression(member) => computed_member(member),
        SimpleAssignmentTarget::PrivateFieldExpression(member) => private_member(member),
        _ => VALUE.to_owned(),
    }
}

/// The text of a template without expressions.
fn plain_template(literal: &TemplateLiteral<'_>) -> Option<String> {
    match (&literal.quasis[..], literal.expressions.is_empty()) {
        ([only], true) => only.value.cooked.as_ref().map(ToString::to_string),
        _ => None,
    }
}

/// A number as the language writes it, as far as anybody calls one.
fn number(value: f64) -> String {
    format!("{value}")
}

/// Where V8 says that an expression is.
pub(super) fn position(text: &str, expression: &Expression<'_>) -> u32 {
    match bare(expression) {
        Expression::CallExpression(call) => call_position(text, call),
        Expression::StaticMemberExpression(member) => member_position(text, member),
        Expression::ComputedMemberExpression(member) => bracket(text, member),
        Expression::PrivateFieldExpression(member) => member.field.span.start,
        Expression::ChainExpression(chain) => match &chain.expression {
            ChainElement::CallExpression(call) => call_position(text, call),
            ChainElement::StaticMemberExpression(member) => member_position(text, member),
            ChainElement::ComputedMemberExpression(member) => bracket(text, member),
            ChainElement::PrivateFieldExpression(member) => member.field.span.start,
            ChainElement::TSNonNullExpression(inner) => position(text, &inner.expression),
        },
        Expression::TaggedTemplateExpression(tagged) => tagged.quasi.span.start,
        expression => expression.span().start,
    }
}

/// A call is where the name that it calls ends in a word, or else at its parenthesis.
pub(super) fn call_position(text: &str, call: &CallExpression<'_>) -> u32 {
    let after = call.type_arguments.as_ref().map_or(call.callee.span().end, |types| types.span.end);
    if call.optional {
        let question = skip_trivia(text, after);
        return skip_trivia(text, question + 2);
    }
    match &call.callee {
        Expression::Identifier(identifier) => identifier.span.start,
        Expression::StaticMemberExpression(member) => member.property.span.start,
        Expression::Super(word) => word.span.start,
        Expression::NewTarget(target) => target.span.end - "target".len() as u32,
        _ => skip_trivia(text, after),
    }
}

/// A property is where its name is, or at its dot after a call or in an optional chain.
pub(super) fn member_position(text: &str, member: &StaticMemberExpression<'_>) -> u32 {
    if !member.optional && !is_after_call(&member.object) {
        return member.property.span.start;
    }
    skip_trivia(text, member.object.span().end)
}

fn is_after_call(object: &Expression<'_>) -> bool {
    match object {
        Expression::CallExpression(_) | Expression::ImportExpression(_) => true,
        Expression::StaticMemberExpression(member) => {
            member.optional || is_after_call(&member.object)
        }
        Expression::ComputedMemberExpression(member) => {
            member.optional || is_after_call(&member.object)
        }
        Expression::PrivateFieldExpression(member) => {
            member.optional || is_after_call(&member.object)
        }
        Expression::TSNonNullExpression(inner) => is_after_call(&inner.expression),
        _ => false,
    }
}

/// Where the bracket is of a property that is computed.
pub(super) fn bracket(text: &str, member: &ComputedMemberExpression<'_>) -> u32 {
    let after = skip_trivia(text, member.object.span().end);
    if member.optional { skip_trivia(text, after + 2) } else { after }
}
