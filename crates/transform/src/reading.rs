//! Expressions that read and compute, and change nothing.
//!
//! A debugger evaluates conditions wherever a program passes. One of these it can evaluate in the program
//! itself. Whether a name, a property or a call runs code of the program is seen where its value is.

use crate::depth::is_shallow;
use oxc_allocator::Allocator;
use oxc_ast::ast::{Argument, CallExpression, ChainElement, Expression};
use oxc_parser::Parser;
use oxc_span::SourceType;
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

/// A longer text is not worth it.
const LONGEST: usize = 1000;

/// An expression without effects of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// `null`
    Null,
    /// `true` and `false`
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A string.
    String(Box<str>),
    /// A variable.
    Name(Box<str>),
    /// `this`
    This,
    /// `a.b`; whether it is `a?.b`.
    Member(Box<Reading>, Box<str>, bool),
    /// `a[b]`; whether it is `a?.[b]`.
    Index(Box<Reading>, Box<Reading>, bool),
    /// What an optional chain is around.
    Chain(Box<Reading>),
    /// `f(a)`, `a.f(b)`
    Call(Box<Reading>, Vec<Reading>),
    /// `!a`
    Not(Box<Reading>),
    /// `-a`
    Minus(Box<Reading>),
    /// `typeof a`
    Typeof(Box<Reading>),
    /// `a && b`
    And(Box<Reading>, Box<Reading>),
    /// `a || b`
    Or(Box<Reading>, Box<Reading>),
    /// `a ?? b`
    Else(Box<Reading>, Box<Reading>),
    /// `a ? b : c`
    If(Box<Reading>, Box<Reading>, Box<Reading>),
    /// Two values make one.
    Binary(Operator, Box<Reading>, Box<Reading>),
}

/// What makes one value of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are named as everywhere")]
pub enum Operator {
    Equal,
    Unequal,
    StrictlyEqual,
    StrictlyUnequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Over,
    Modulo,
}

impl Reading {
    /// Reads one; nothing for any other text.
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > LONGEST || !is_shallow(text) {
            return None;
        }
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, text, SourceType::cjs()).parse_expression();
        expression(&parsed.ok()?)
    }
}

fn boxed(of: &Expression<'_>) -> Option<Box<Reading>> {
    expression(of).map(Box::new)
}

fn expression(of: &Expression<'_>) -> Option<Reading> {
    Some(match of {
        Expression::NullLiteral(_) => Reading::Null,
        Expression::BooleanLiteral(literal) => Reading::Boolean(literal.value),
        Expression::NumericLiteral(literal) => Reading::Number(literal.value),
        Expression::StringLiteral(literal) if !literal.lone_surrogates => {
            Reading::String(literal.value.as_str().into())
        }
        Expression::Identifier(name) => Reading::Name(name.name.as_str().into()),
        Expression::ThisExpression(_) => Reading::This,
        Expression::ParenthesizedExpression(inner) => return expression(&inner.expression),
        Expression::StaticMemberExpression(member) => Reading::Member(
            boxed(&member.object)?,
            member.property.name.as_str().into(),
            member.optional,
        ),
        Expression::ComputedMemberExpression(member) => {
            Reading::Index(boxed(&member.object)?, boxed(&member.expression)?, member.optional)
        }
        Expression::PrivateFieldExpression(member) => Reading::Member(
            boxed(&member.object)?,
            format!("#{}", member.field.name).into(),
            member.optional,
        ),
        Expression::ChainExpression(chain) => Reading::Chain(Box::new(match &chain.expression {
            ChainElement::CallExpression(call) => calling(call)?,
            ChainElement::StaticMemberExpression(member) => Reading::Member(
                boxed(&member.object)?,
                member.property.name.as_str().into(),
                member.optional,
            ),
            ChainElement::ComputedMemberExpression(member) => {
                Reading::Index(boxed(&member.object)?, boxed(&member.expression)?, member.optional)
            }
            _ => return None,
        })),
        Expression::CallExpression(call) => calling(call)?,
        Expression::UnaryExpression(unary) => {
            let argument = boxed(&unary.argument)?;
            match unary.operator {
                UnaryOperator::LogicalNot => Reading::Not(argument),
                UnaryOperator::UnaryNegation => Reading::Minus(argument),
                UnaryOperator::Typeof => Reading::Typeof(argument),
                _ => return None,
            }
        }
        Expression::LogicalExpression(logical) => {
            let (left, right) = (boxed(&logical.left)?, boxed(&logical.right)?);
            match logical.operator {
                LogicalOperator::And => Reading::And(left, right),
                LogicalOperator::Or => Reading::Or(left, right),
                LogicalOperator::Coalesce => Reading::Else(left, right),
            }
        }
        Expression::ConditionalExpression(choice) => {
            let test = boxed(&choice.test)?;
            Reading::If(test, boxed(&choice.consequent)?, boxed(&choice.alternate)?)
        }
        Expression::BinaryExpression(binary) => {
            let (left, right) = (boxed(&binary.left)?, boxed(&binary.right)?);
            Reading::Binary(operator(binary.operator)?, left, right)
        }
        // Whatever else there is makes something, changes something, or waits.
        _ => return None,
    })
}

fn calling(call: &CallExpression<'_>) -> Option<Reading> {
    if call.optional {
        return None;
    }
    let arguments = call.arguments.iter().map(|argument| match argument {
        Argument::SpreadElement(_) => None,
        argument => expression(argument.as_expression()?),
    });
    let arguments: Option<Vec<Reading>> = arguments.collect();
    Some(Reading::Call(boxed(&call.callee)?, arguments?))
}

fn operator(operator: BinaryOperator) -> Option<Operator> {
    Some(match operator {
        BinaryOperator::Equality => Operator::Equal,
        BinaryOperator::Inequality => Operator::Unequal,
        BinaryOperator::StrictEquality => Operator::StrictlyEqual,
        BinaryOperator::StrictInequality => Operator::StrictlyUnequal,
        BinaryOperator::LessThan => Operator::Less,
        BinaryOperator::LessEqualThan => Operator::LessOrEqual,
        BinaryOperator::GreaterThan => Operator::Greater,
        BinaryOperator::GreaterEqualThan => Operator::GreaterOrEqual,
        BinaryOperator::Addition => Operator::Plus,
        BinaryOperator::Subtraction => Operator::Minus,
        BinaryOperator::Multiplication => Operator::Times,
        BinaryOperator::Division => Operator::Over,
        BinaryOperator::Remainder => Operator::Modulo,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_reads_is_read() {
        for text in [
            "i === 7",
            "a.b[0]?.c > -3 && !(d || 'x')",
            "name.startsWith('b') ? typeof x === 'number' : m.get(k) ?? null",
            "this.#count % 10 == 0",
            "currentTime('A') >= 30 // a remark\n",
        ] {
            assert!(Reading::read(text).is_some(), "{text}");
        }
    }

    #[test]
    fn what_changes_something_is_not() {
        for text in [
            "i = 7",
            "i++",
            "delete a.b",
            "new Map()",
            "await x",
            "() => 1",
            "[1]",
            "`${a}`",
            "a, b",
            "a; b",
            "f(...x)",
            "x?.()",
            "",
            "a +",
            "1n",
        ] {
            assert_eq!(Reading::read(text), None, "{text}");
        }
    }
}
